#include "core/derivation/arithmetic_text.hpp"

#include <algorithm>

#include "core/expr/formula.hpp"
#include "core/support/characters.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// A symbol as a valid name in a line of arithmetic: n_kv,v becomes n_kv_v.
std::string as_letters(std::string_view symbol) {
  std::string out;
  for (const char c : symbol) {
    if (is_letter(c) || (is_digit(c) && !out.empty()))
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  // `int`, `floor` and `ceil` are function names in a line of arithmetic.
  if (out.empty() || out == "int" || out == "floor" || out == "ceil") out += "x";
  return out;
}

}  // namespace

bool ArithmeticText::is_taken(std::string_view letters) const { return std::find(taken_.begin(), taken_.end(), letters) != taken_.end(); }

std::string ArithmeticText::free_letters(const Pool& pool, std::string_view wanted) const {
  std::string out(wanted);
  for (Count i = 2; is_taken(out) || pool.find(out); ++i) out = concat({wanted, "_", digits(i)});
  return out;
}

const std::string& ArithmeticText::letters(Expr name) {
  for (const auto& [known, letters] : written_)
    if (known == name) return letters;
  const Name& n = name.name();
  if (n.definition) static_cast<void>(line(n.definition));  // writes the names in the definition first
  const std::string base = as_letters(n.symbol.empty() ? n.name : n.symbol);
  std::string out = base;
  for (Count i = 2; is_taken(out); ++i) out = concat({base, "_", digits(i)});
  taken_.push_back(out);
  return written_.emplace_back(name, std::move(out)).second;
}

std::string ArithmeticText::line(Expr expr) {
  // The stack of pieces that are still to be written, the next one last. It replaces recursion, because a sum may have one summand per
  // layer.
  struct Piece {
    Expr expr;  ///< empty: the piece is a sign
    int least_binding;
    std::string_view sign;
  };
  std::vector<Piece> rest{{expr, 0, {}}};
  std::string out;
  const auto put_operands = [&](Expr e, std::string_view sign, int left, int right) {
    rest.insert(rest.end(), {{e.right(), right, {}}, {{}, 0, sign}, {e.left(), left, {}}});
  };
  while (!rest.empty()) {
    const Piece piece = rest.back();
    rest.pop_back();
    const Expr e = piece.expr;
    if (!e) {
      out += piece.sign;
      continue;
    }
    const Op op = e.op();
    if (binding(op) < piece.least_binding) {
      out += '(';
      rest.push_back({{}, 0, ")"});
    }
    switch (op) {
      case Op::literal: out += english_digits(e.peek()); break;
      case Op::name: out += letters(e); break;
      case Op::sum: put_operands(e, " + ", 1, 1); break;
      case Op::difference: put_operands(e, " − ", 1, 2); break;
      case Op::product: put_operands(e, " × ", 2, 2); break;
      case Op::quotient: put_operands(e, " / ", 2, 3); break;
      case Op::power: put_operands(e, "^", 4, 4); break;
      case Op::floor:
      case Op::ceil:
        out += op == Op::floor ? "floor(" : "ceil(";
        rest.push_back({{}, 0, ")"});
        put_operands(e, " / ", 2, 3);
    }
  }
  return out;
}

}  // namespace param_ledger
