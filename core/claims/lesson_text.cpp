#include "core/claims/lesson_text.hpp"

#include "core/claims/lesson_keys.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Encloses a number that the page formats in the user's locale. Between two marks are a letter for the format and the number, as digits or
/// as a fraction.
constexpr std::string_view number_mark = "\uFDD1";

std::string marked(char how, const Fraction& value, bool ratio) {
  std::string out = concat({number_mark, std::string_view(&how, 1), value.negative ? "-" : "", digits(value.above)});
  if (ratio) out += concat({"/", digits(value.below)});
  return out += number_mark;
}

void require_whole(const Fraction& value, std::string_view expression, const std::string& path) {
  if (value.below != 1) refuse_key(path, concat({"“", clipped(expression, 60), "” is not a whole number."}));
}

/// The text that replaces a pair of braces. Inside the braces are an expression and, optionally, a bar and the format of the value.
std::string filled_brace(std::string_view inside, const std::string& path, const std::vector<Binding>& names) {
  const std::size_t bar = inside.find('|');
  const std::string_view expression_text = inside.substr(0, bar);
  const std::string_view how = bar == std::string_view::npos ? std::string_view() : inside.substr(bar + 1);
  const Arithmetic expression(expression_text, path);
  const Fraction value = expression.value(names);
  if (how == "worked") return expression.substituted(names);
  if (how == "percent") return marked('p', value, true);
  if (how == "times") return marked('t', value, true);
  if (!how.empty() && how != "short")
    refuse_key(path, concat({"“|", clipped(how, 20), "” is not one of |short, |percent, |times and |worked."}));
  require_whole(value, expression_text, path);
  if (how == "short") return marked('s', value, false);
  return concat({value.negative ? "−" : "", grouped_digits(value.above)});
}

}  // namespace

Fraction value_of(std::string_view expression, const std::string& path, const std::vector<Binding>& names) {
  return Arithmetic(expression, path).value(names);
}

Count whole_value_of(std::string_view expression, const std::string& path, const std::vector<Binding>& names) {
  const Fraction value = value_of(expression, path, names);
  if (!value.whole()) refuse_key(path, concat({"“", clipped(expression, 60), "” is not a whole number."}));
  return value.above;
}

bool is_true(std::string_view condition, const std::string& path, const std::vector<Binding>& names) {
  struct Sign {
    std::string_view text;
    bool less, equal, greater;
  };
  static constexpr Sign signs[] = {
      {"!=", true, false, true}, {"≠", true, false, true}, {"=", false, true, false}, {"<", true, false, false}, {">", false, false, true}};
  for (const Sign& sign : signs) {
    const std::size_t at = condition.find(sign.text);
    if (at == std::string_view::npos) continue;
    const int order =
        compare(value_of(condition.substr(0, at), path, names), value_of(condition.substr(at + sign.text.size()), path, names));
    return order < 0 ? sign.less : order > 0 ? sign.greater : sign.equal;
  }
  refuse_key(path, "A condition compares two expressions by =, ≠, < or >.");
}

std::string filled_text(std::string_view text, const std::string& path, const std::vector<Binding>& names) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) refuse_key(path, "A brace { is not closed.");
    out += filled_brace(text.substr(open + 1, close - open - 1), path, names);
    text.remove_prefix(close + 1);
  }
  return out;
}

}  // namespace param_ledger
