#include "core/claims/arithmetic.hpp"

#include <algorithm>
#include <utility>

#include "core/support/characters.hpp"
#include "core/support/error.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::size_t longest = 2000;
constexpr unsigned deepest = 50;
constexpr Count largest_exponent = 64;

Fraction reduced(Count above, Count below, bool negative) {
  const Count by = common_divisor(above, below);
  return {above / by, below / by, negative && above != 0};
}

Fraction sum_of(const Fraction& a, const Fraction& b) {
  const Count left = multiply(a.above, b.below), right = multiply(b.above, a.below), below = multiply(a.below, b.below);
  if (a.negative == b.negative) return reduced(add(left, right), below, a.negative);
  return left >= right ? reduced(left - right, below, a.negative) : reduced(right - left, below, b.negative);
}

Fraction product_of(const Fraction& a, const Fraction& b) {
  return reduced(multiply(a.above, b.above), multiply(a.below, b.below), a.negative != b.negative);
}

[[noreturn]] void not_possible(std::string_view field, const char* message) {
  throw Error{ErrorCode::out_of_range, std::string(field), message};
}

}  // namespace

std::string written(const Fraction& f) {
  return concat({f.negative ? "−" : "", grouped_digits(f.above), f.below == 1 ? "" : "/", f.below == 1 ? "" : grouped_digits(f.below)});
}

int compare(const Fraction& a, const Fraction& b) {
  if (a.negative != b.negative) return a.negative ? -1 : 1;
  const Count left = multiply(a.above, b.below), right = multiply(b.above, a.below);
  if (left == right) return 0;
  return (left < right) != a.negative ? -1 : 1;
}

Arithmetic::Arithmetic(std::string_view text, std::string_view field) : field_(field), rest_(text) {
  if (text.size() > longest) throw Error{ErrorCode::too_large, field_, "A line of arithmetic may have at most 2,000 characters."};
  root_ = sum();
  skip();
  if (!rest_.empty()) refuse("is not expected here");
}

void Arithmetic::refuse(std::string_view what) const {
  throw Error{ErrorCode::wrong_type, field_,
              rest_.empty() ? std::string("The line ends where a number or a name is expected.")
                            : concat({"\"", clipped(rest_, 20), "\" ", what, "."})};
}

void Arithmetic::skip() {
  for (;;) {
    if (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t' || rest_.front() == '\n'))
      rest_.remove_prefix(1);
    else if (rest_.starts_with("\u00a0"))
      rest_.remove_prefix(2);
    else
      return;
  }
}

bool Arithmetic::eat(std::string_view sign) {
  skip();
  if (!rest_.starts_with(sign)) return false;
  rest_.remove_prefix(sign.size());
  return true;
}

std::size_t Arithmetic::add(Node node) {
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

std::size_t Arithmetic::sum() {
  if (++depth_ > deepest) throw Error{ErrorCode::too_deep, field_, "Brackets are nested too deeply."};
  std::size_t left = product();
  for (;;) {
    if (eat("+"))
      left = add({'+', left, product()});
    else if (eat("-") || eat("\u2212"))
      left = add({'-', left, product()});
    else
      break;
  }
  --depth_;
  return left;
}

std::size_t Arithmetic::product() {
  std::size_t left = power();
  for (;;) {
    if (skip(); rest_.starts_with("**")) refuse("is not expected here");
    if (eat("//"))
      left = add({'f', add({'/', left, power()})});
    else if (eat("*") || eat("\u00d7") || eat("\u00b7") || eat("\u22c5"))
      left = add({'*', left, power()});
    else if (eat("/") || eat("\u00f7"))
      left = add({'/', left, power()});
    else if (eat("%"))
      left = add({'%', left, power()});
    else
      return left;
  }
}

std::size_t Arithmetic::power() {
  const std::size_t base = primary();
  if (eat("\u00b2")) return add({'^', base, add({.op = '0', .number = {2, 1, false}})});
  if (!eat("^") && !eat("**")) return base;
  return add({'^', base, primary()});
}

std::size_t Arithmetic::primary() {
  skip();
  if (eat("(")) {
    const std::size_t inner = sum();
    if (!eat(")")) refuse("is where a closing bracket is expected");
    return inner;
  }
  if (rest_.empty()) refuse("");
  if (is_digit(rest_.front())) return number();
  if (!is_letter(rest_.front())) refuse("is neither a number nor a name");
  std::size_t length = 0;
  while (length < rest_.size() && (is_letter(rest_[length]) || is_digit(rest_[length]) || rest_[length] == '_' ||
                                   (rest_[length] == '.' && length + 1 < rest_.size() && is_letter(rest_[length + 1]))))
    ++length;
  const std::string name(rest_.substr(0, length));
  rest_.remove_prefix(length);
  if ((name == "int" || name == "floor" || name == "ceil") && eat("(")) {
    const std::size_t inner = sum();
    if (!eat(")")) refuse("is where a closing bracket is expected");
    return add({name == "ceil" ? 'c' : 'f', inner});
  }
  return add({.op = 'n', .name = name});
}

std::size_t Arithmetic::number() {
  Fraction out;
  bool fraction = false;
  while (!rest_.empty()) {
    const char c = rest_.front();
    if (is_digit(c)) {
      out.above = param_ledger::add(multiply(out.above, 10), static_cast<unsigned>(c - '0'));
      if (fraction) out.below = multiply(out.below, 10);
    } else if (c == '.' && !fraction && rest_.size() > 1 && is_digit(rest_[1])) {
      fraction = true;
    } else if ((c != ',' && c != '_') || fraction || !three_figures(rest_, 1)) {
      break;
    }
    rest_.remove_prefix(1);
  }
  return add({.op = '0', .number = reduced(out.above, out.below, false)});
}

Fraction Arithmetic::value(const std::vector<Binding>& names) const { return value_of(root_, names); }

Fraction Arithmetic::value_of(std::size_t node, const std::vector<Binding>& names) const {
  const Node& n = nodes_[node];
  switch (n.op) {
    case '0': return n.number;
    case 'n': {
      const auto found = std::find_if(names.rbegin(), names.rend(), [&](const Binding& b) { return b.name == n.name; });
      if (found == names.rend())
        throw Error{ErrorCode::wrong_type, field_, concat({"\"", clipped(n.name, 60), "\" is not a field, a symbol or an earlier step."})};
      return found->value;
    }
    case 'f':
    case 'c': {
      const Fraction inner = value_of(n.a, names);
      if (inner.negative) not_possible(field_, "A negative number cannot be rounded.");
      return {inner.above / inner.below + (n.op == 'c' && inner.below != 1 ? 1 : 0), 1, false};
    }
    default: break;
  }
  const Fraction a = value_of(n.a, names), b = value_of(n.b, names);
  switch (n.op) {
    case '+': return sum_of(a, b);
    case '-': return sum_of(a, {b.above, b.below, !b.negative && b.above != 0});
    case '*': return product_of(a, b);
    case '/':
      if (b.above == 0) not_possible(field_, "Division by zero.");
      return product_of(a, {b.below, b.above, b.negative});
    case '%':
      if (!a.whole() || !b.whole() || b.above == 0) not_possible(field_, "A remainder needs two whole numbers.");
      return {a.above % b.above, 1, false};
    default: {
      if (!b.whole() || b.above > largest_exponent) not_possible(field_, "An exponent must be a whole number up to 64.");
      Fraction out{1, 1, false};
      for (Count i = 0; i < b.above; ++i) out = product_of(out, a);
      return out;
    }
  }
}

std::string Arithmetic::substituted(const std::vector<Binding>& names) const { return text_of(root_, names, 0); }

std::string Arithmetic::text_of(std::size_t node, const std::vector<Binding>& names, unsigned binds) const {
  const Node& n = nodes_[node];
  const auto bracketed = [&](const std::string& text, unsigned own) { return own < binds ? concat({"(", text, ")"}) : text; };
  enum Binds : unsigned { not_at_all, as_sum, as_remainder, as_product, as_power, as_number };
  struct Sign {
    char op;
    std::string_view text;
    Binds own;
    Binds left, right;  ///< an operand on this side that binds less needs brackets
  };
  static constexpr Sign signs[] = {{'+', " + ", as_sum, as_sum, as_sum},
                                   {'-', " \u2212 ", as_sum, as_sum, as_remainder},
                                   {'%', " mod ", as_remainder, as_remainder, as_power},
                                   {'*', " \u00d7 ", as_product, as_product, as_product},
                                   {'/', " \u00f7 ", as_product, as_product, as_power},
                                   {'^', "^", as_power, as_number, as_number}};
  if (n.op == '0' || n.op == 'n') {
    const Fraction value = value_of(node, names);
    return bracketed(written(value), value.whole() ? as_number : value.negative ? as_sum : as_product);
  }
  if (n.op == 'f' || n.op == 'c')
    return concat({n.op == 'f' ? "\u230a" : "\u2308", text_of(n.a, names, not_at_all), n.op == 'f' ? "\u230b" : "\u2309"});
  const Sign& sign = *std::find_if(std::begin(signs), std::end(signs), [&](const Sign& s) { return s.op == n.op; });
  return bracketed(concat({text_of(n.a, names, sign.left), sign.text, text_of(n.b, names, sign.right)}), sign.own);
}

std::vector<Fraction> Arithmetic::parts(char op, const std::vector<Binding>& names) const {
  std::vector<Fraction> out;
  std::size_t node = root_;
  for (; nodes_[node].op == op; node = nodes_[node].a) {
    // If an operand in brackets has the same operator, as in a * (b * c), its factors or terms are listed separately.
    std::size_t right = nodes_[node].b;
    for (; nodes_[right].op == op; right = nodes_[right].a) out.push_back(value_of(nodes_[right].b, names));
    out.push_back(value_of(right, names));
  }
  out.push_back(value_of(node, names));
  return out;
}

}  // namespace param_ledger
