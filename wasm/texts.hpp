#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace param_ledger::wasm {

/// Decodes a question that consists of several texts: the number of texts, the size of each in bytes, then the texts themselves. The
/// numbers are 32-bit integers in little-endian byte order (`packTexts` in web/core/write-input.ts). Returns nothing if the question is too
/// short for the sizes.
inline std::vector<std::string_view> texts(std::string_view rest) {
  const auto number = [&] {
    std::uint32_t out = 0;
    if (rest.size() < sizeof out) return out;
    std::memcpy(&out, rest.data(), sizeof out);
    rest.remove_prefix(sizeof out);
    return out;
  };
  const std::uint32_t count = number();
  if (count > rest.size() / sizeof count) return {};  // the sizes of all texts must fit
  std::vector<std::size_t> sizes(count);
  for (std::size_t& size : sizes) size = number();
  std::vector<std::string_view> out;
  for (const std::size_t size : sizes) {
    out.push_back(rest.substr(0, size));
    rest.remove_prefix(out.back().size());
  }
  return out;
}

}  // namespace param_ledger::wasm
