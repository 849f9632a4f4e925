#include "core/json/value_text.hpp"

#include <algorithm>
#include <cmath>

#include "core/support/count.hpp"

namespace param_ledger {

namespace {

template <class Items, class Write>
std::string list_text(const Items& items, const Write& write) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ',';
    out += write(item);
  }
  return out += ']';
}

}  // namespace

std::string words_text(std::span<const std::string_view> words) {
  return list_text(words, [](std::string_view word) { return dump(word); });
}

std::string integers_text(std::span<const std::int64_t> integers) {
  return list_text(integers, [](std::int64_t i) {
    return i < 0 ? concat({"-", digits(static_cast<Count>(-i))}) : digits(static_cast<Count>(i));
  });
}

std::string integers_text(std::span<const std::uint64_t> integers) {
  return list_text(integers, [](std::uint64_t i) { return digits(i); });
}

std::string number_text(double value) {
  std::string out = digits(static_cast<Count>(value));
  double rest = value - std::floor(value);
  if (rest == 0) return out;
  out += '.';
  constexpr int most_places = 6;
  for (int i = 0; i < most_places && rest > 1e-9; ++i) {
    rest *= 10;
    const double digit = i + 1 == most_places ? std::min(9.0, std::round(rest)) : std::floor(rest + 1e-9);
    out += static_cast<char>('0' + static_cast<int>(digit));
    rest -= digit;
  }
  return out;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t most = 80;
  return concat({"\"", clipped(text, most), text.size() > most ? "…\"" : "\""});
}

std::string described(Json value) {
  constexpr std::size_t longest = 60;
  std::string text = dump(value, longest);
  if (text.size() > longest) text = concat({clipped(text, longest), "…"});
  if (value.is(Json::Type::string)) return text + " (a string)";
  if (value.is(Json::Type::list)) return text + " (a list)";
  if (value.is(Json::Type::object)) return text + " (an object)";
  return text;
}

std::string how_to_write(Json value) {
  constexpr double largest = 1e15;
  if (value.is(Json::Type::number)) {
    const double number = value.number();
    if (number >= 0 && number <= largest && number == std::floor(number))
      return concat({". Write ", digits(static_cast<std::uint64_t>(number))});
  } else if (value.is(Json::Type::string)) {
    const std::string_view text = value.string();
    constexpr std::size_t longest = 18;
    if (!text.empty() && text.size() <= longest && text.find_first_not_of("0123456789") == std::string::npos)
      return concat({". Write ", text, " without quotes"});
  }
  return "";
}

}  // namespace param_ledger
