#include "tests/support/unpacked.hpp"

#include <zlib.h>

#include <array>
#include <memory>
#include <stdexcept>

namespace param_ledger::test {

std::string unpacked_file(const std::string& path) {
  const auto check = [&](bool ok) {
    if (!ok) throw std::runtime_error("cannot read " + path);
  };
  std::unique_ptr<gzFile_s, int (*)(gzFile)> in(gzopen(path.c_str(), "rb"), gzclose);  // also reads uncompressed files
  check(in != nullptr);
  std::string out;
  std::array<char, 1 << 16> piece;
  int read = 0;
  while ((read = gzread(in.get(), piece.data(), piece.size())) > 0) out.append(piece.data(), static_cast<std::size_t>(read));
  check(read == 0);
  check(gzclose(in.release()) == Z_OK);  // reports a truncated file
  return out;
}

}  // namespace param_ledger::test
