#include "tests/support/evaluator.hpp"

#include <stdexcept>
#include <utility>

namespace param_ledger::test {

Count number_of(std::string_view digits) {
  if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos || (digits.size() > 1 && digits[0] == '0'))
    throw std::runtime_error("no number: '" + std::string(digits) + "'");
  Count value = 0;
  for (const char c : digits) value = 10 * value + static_cast<Count>(c - '0');
  return value;
}

namespace {

class FormulaReader {
 public:
  explicit FormulaReader(std::string_view text) : text_(text), rest_(text) {}

  Formula read() {
    Formula formula = next();
    if (more_) fail("ends too late");
    return formula;
  }

 private:
  [[noreturn]] void fail(const char* what) const { throw std::runtime_error(std::string(text_.substr(0, 1000)) + ": " + what); }

  std::string_view token() {
    if (!more_) fail("ends too early");
    const std::size_t space = rest_.find(' ');
    more_ = space != std::string_view::npos;
    const std::string_view token = rest_.substr(0, space);
    rest_.remove_prefix(more_ ? space + 1 : rest_.size());
    return token;
  }

  Formula next() {
    const std::string_view word = token();
    if (word.empty()) fail("an empty token");
    const char sign = word[0];
    if (sign >= '0' && sign <= '9') return {'n', number_of(word)};
    if (sign == '=') return {sign, number_of(word.substr(1))};
    const bool any_number = sign == '+' || sign == '*';
    if (!any_number && (std::string_view("-^/fc").find(sign) == std::string_view::npos || word.size() > 1)) fail("an unknown sign");
    const Count count = any_number ? number_of(word.substr(1)) : 2;
    if (count < 2) fail("too few operands");
    Formula formula{sign};
    for (Count i = 0; i < count; ++i) {
      formula.operands.push_back(next());
      if (any_number && formula.operands.back().sign == sign) fail("an operation in one of its own kind");
    }
    if (sign == '^' && formula.operands[1].sign != '=') fail("an exponent that is no literal");
    return formula;
  }

  std::string_view text_;
  std::string_view rest_;
  bool more_ = true;
};

}  // namespace

Formula read_formula(std::string_view text) { return FormulaReader(text).read(); }

Count evaluate(const Formula& formula, const std::vector<Count>& values) {
  if (formula.sign == '=') return formula.number;
  if (formula.sign == 'n') return values.at(static_cast<std::size_t>(formula.number));
  Count value = evaluate(formula.operands[0], values);
  for (std::size_t i = 1; i < formula.operands.size(); ++i) {
    const Count operand = evaluate(formula.operands[i], values);
    bool fits = true;
    switch (formula.sign) {
      case '+': fits = !__builtin_add_overflow(value, operand, &value); break;
      case '*': fits = !__builtin_mul_overflow(value, operand, &value); break;
      case '-': fits = !__builtin_sub_overflow(value, operand, &value); break;
      case '^': {
        const Count base = std::exchange(value, 1);
        for (Count n = 0; n < operand && fits; ++n) fits = !__builtin_mul_overflow(value, base, &value);
        break;
      }
      default: {
        if (operand == 0) throw std::runtime_error("a division by zero");
        const bool remains = value % operand != 0;
        if (formula.sign == '/' && remains) throw std::runtime_error("a remainder");
        value = value / operand + (formula.sign == 'c' && remains ? 1U : 0U);
      }
    }
    if (!fits) throw std::runtime_error("a value out of range");
  }
  return value;
}

std::string shown(const Formula& formula, const std::vector<std::string>& labels) {
  if (formula.sign == '=') return digits(formula.number);
  if (formula.sign == 'n') return labels.at(static_cast<std::size_t>(formula.number));
  const auto binding = [](const Formula& f) {
    return f.sign == '+' || f.sign == '-' ? 1 : f.sign == '*' || f.sign == '/' ? 2 : f.sign == '^' ? 3 : 4;
  };
  const auto operand = [&](std::size_t i, int least_binding) {
    const Formula& f = formula.operands[i];
    return binding(f) < least_binding ? "(" + shown(f, labels) + ")" : shown(f, labels);
  };
  const auto divided = [&] { return operand(0, 2) + " ÷ " + operand(1, 3); };
  switch (formula.sign) {
    case '-': return operand(0, 1) + " − " + operand(1, 2);
    case '^': return operand(0, 4) + "^" + operand(1, 4);
    case '/': return divided();
    case 'f': return "⌊" + divided() + "⌋";
    case 'c': return "⌈" + divided() + "⌉";
    default: {
      const bool sum = formula.sign == '+';
      std::string out = operand(0, sum ? 1 : 2);
      for (std::size_t i = 1; i < formula.operands.size(); ++i) out += (sum ? " + " : "·") + operand(i, sum ? 1 : 2);
      return out;
    }
  }
}

std::vector<std::string> labels_of(const Json& answer, const char* key) {
  std::vector<std::string> labels;
  for (const Json& symbol : answer.at("symbols")) labels.push_back(symbol.at(key).get<std::string>());
  return labels;
}

std::string shown(const Json& answer, const Json& of, const char* key) {
  return shown(read_formula(of.at("math").get_ref<const std::string&>()), labels_of(answer, key));
}

}  // namespace param_ledger::test
