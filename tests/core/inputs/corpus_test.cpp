// Reads every file in tests/fuzz/corpus, which holds the fuzzers' seeds and findings. Each must be answered with JSON and without an
// internal error.

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/support/reading.hpp"

namespace param_ledger::test {

TEST_CASE("every input of the fuzzers is answered", "[inputs]") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PARAM_LEDGER_TEST_DATA "/../fuzz/corpus")) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string path = entry.path().string();
    CAPTURE(path);
    std::ifstream in(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const std::string header = with_length(bytes);
    for (const std::string& answer : {totals(bytes), read(request_of({{"", bytes}})), read(request_of({{"a.safetensors", header}})),
                                      read(request_of({{"", bytes}}, R"({"model_type":"llama"})"))}) {
      const Json tree = Json::parse(answer.substr(0, answer.find('\n')), nullptr, false);  // the lists of a count follow on separate lines
      REQUIRE(tree.is_object());
      CHECK((tree.at("ok") == true || tree.at("error").at("code") != "internal"));
    }
    const Json counted = answer_to(bytes);
    CHECK((counted.at("ok") == true || counted.at("error").at("code") != "internal"));
  }
  CHECK(files >= 15);
}

}  // namespace param_ledger::test
