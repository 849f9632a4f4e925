#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace param_ledger::wasm {

/// The texts of a question with several: their number, the bytes of each, then the texts (`packTexts` in web/core/write-input.ts, which
/// writes 32-bit numbers in this machine's byte order).
inline std::vector<std::string_view> texts(std::string_view rest) {
  const auto number = [&] {
    std::uint32_t out = 0;
    if (rest.size() < sizeof out) return out;
    std::memcpy(&out, rest.data(), sizeof out);
    rest.remove_prefix(sizeof out);
    return out;
  };
  const std::uint32_t count = number();
  if (count > rest.size() / sizeof count) return {};  // each text has at least a size
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
