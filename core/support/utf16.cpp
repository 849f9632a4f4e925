#include "core/support/utf16.hpp"

namespace param_ledger {

void put_utf8(std::string& out, std::uint32_t code) {
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) code = 0xfffd;
  const auto byte = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xc0U | code >> 6U);
  } else {
    if (code < 0x10000) {
      byte(0xe0U | code >> 12U);
    } else {
      byte(0xf0U | code >> 18U);
      byte(0x80U | (code >> 12U & 0x3fU));
    }
    byte(0x80U | (code >> 6U & 0x3fU));
  }
  byte(0x80U | (code & 0x3fU));
}

std::optional<std::string> from_utf16(std::string_view bytes) {
  const bool little = bytes.starts_with("\xff\xfe"), big = bytes.starts_with("\xfe\xff");
  if ((!little && !big) || bytes.size() % 2 != 0) return std::nullopt;
  const auto unit = [&](std::size_t i) {
    const auto low = static_cast<unsigned char>(bytes[little ? i : i + 1]), high = static_cast<unsigned char>(bytes[little ? i + 1 : i]);
    return static_cast<std::uint32_t>(high) << 8U | low;
  };
  std::string out;
  out.reserve(bytes.size());
  for (std::size_t i = 2; i < bytes.size(); i += 2) {
    std::uint32_t code = unit(i);
    if (code == 0) return std::nullopt;  // a configuration contains no NUL
    if (code >= 0xd800 && code < 0xdc00) {
      const std::uint32_t low = i + 2 < bytes.size() ? unit(i + 2) : 0;
      if (low < 0xdc00 || low >= 0xe000) return std::nullopt;
      code = 0x10000 + ((code - 0xd800) << 10U) + (low - 0xdc00);
      i += 2;
    } else if (code >= 0xdc00 && code < 0xe000) {
      return std::nullopt;
    }
    put_utf8(out, code);
  }
  return out;
}

}  // namespace param_ledger
