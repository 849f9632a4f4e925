// Fuzzes files written by torch.save (archives and pickles) and NumPy archives. Each must be read, be refused, or lead to a request for
// more of the file.

// Covers: core/inputs/torch/*.cpp

#include "core/api/report.hpp"
#include "tests/fuzz/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace param_ledger;
  const std::string_view text = fuzz::text_of(data, size);
  const std::string answer = read(fuzz::request_of(text, text.find(".npy") == std::string_view::npos ? "a.pt" : "a.npz"));
  if (!fuzz::looked_at_closely(text)) return fuzz::no_defect(answer);
  fuzz::checked(answer);
  // Reads the input as the beginning of a longer file.
  const std::string request = R"({"files":[{"name":"a.pt","bytes":)" + std::to_string(size) + R"(,"size":)" + std::to_string(size + 1000) +
                              "}]}\n" + std::string(text);
  fuzz::checked(wants(request));
  fuzz::checked(read(request));
  return 0;
}
