#include "core/expr/formula.hpp"

#include <string_view>
#include <utility>

namespace param_ledger {

// NameWriter and PrefixWriter keep the pieces still to be written in a list instead of recursing: a sum may have one summand per layer, and
// deep recursion could overflow the stack.

int binding(Op op) {
  switch (op) {
    case Op::sum:
    case Op::difference: return 1;
    case Op::product:
    case Op::quotient: return 2;
    case Op::power: return 3;
    default: return 4;  // a literal, a name, or a rounded quotient, which has brackets of its own
  }
}

namespace {

class NameWriter {
 public:
  std::string write(Expr expr) {
    put(expr, 0);
    while (!rest_.empty()) {
      const Piece piece = rest_.back();
      rest_.pop_back();
      if (!piece.expr) {
        out_ += piece.text;
      } else if (binding(piece.expr.op()) < piece.least_binding) {
        put(")");
        put(piece.expr, 0);
        put("(");
      } else {
        write_node(piece.expr);
      }
    }
    return std::move(out_);
  }

 private:
  /// An operand, or the text of an operator, a bracket or a digit of an exponent.
  struct Piece {
    Expr expr;
    int least_binding;
    std::string_view text;
  };

  void write_node(Expr e) {
    switch (e.op()) {
      case Op::literal: out_ += grouped_digits(e.peek()); break;
      case Op::name: out_ += e.name().name; break;
      case Op::sum: put_operation(e, " + ", 1, 1); break;
      case Op::difference: put_operation(e, " − ", 1, 2); break;
      case Op::product: put_operation(e, " × ", 2, 2); break;
      case Op::quotient: put_operation(e, " ÷ ", 2, 3); break;
      case Op::power: put_power(e); break;
      case Op::floor: put_rounded(e, "⌊", "⌋"); break;
      case Op::ceil: put_rounded(e, "⌈", "⌉"); break;
    }
  }

  // `rest_` is a stack: pieces are written in reverse order of `put`.
  void put(std::string_view text) { rest_.push_back({{}, 0, text}); }
  void put(Expr e, int least_binding) { rest_.push_back({e, least_binding, {}}); }

  void put_operation(Expr e, std::string_view sign, int left_binding, int right_binding) {
    put(e.right(), right_binding);
    put(sign);
    put(e.left(), left_binding);
  }

  void put_rounded(Expr e, std::string_view open, std::string_view close) {
    put(close);
    put_operation(e, " ÷ ", 2, 3);
    put(open);
  }

  void put_power(Expr e) {
    static constexpr std::string_view figures[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    const std::string exponent = digits(e.right().peek());
    for (std::size_t i = exponent.size(); i-- > 0;) put(figures[exponent[i] - '0']);
    put(e.left(), 4);
  }

  std::vector<Piece> rest_;
  std::string out_;
};

}  // namespace

std::string write(Expr expr) { return NameWriter().write(expr); }

void PrefixWriter::write(Buffer& out, Expr expr) {
  rest_.push_back(expr);
  for (bool first = true; !rest_.empty(); first = false) {
    if (!first) out.put(' ');
    const Expr next = rest_.back();
    rest_.pop_back();
    write_node(out, next);
  }
}

void PrefixWriter::write_node(Buffer& out, Expr e) {
  static constexpr char signs[] = {'=', ' ', '+', '-', '*', '^', '/', 'f', 'c'};  // in the order of the enumerators of Op
  const char sign = signs[static_cast<std::size_t>(e.op())];
  switch (e.op()) {
    case Op::literal:
      out.put(sign);
      out.put_digits(e.peek());
      break;
    case Op::name: out.put_digits(number_of(e)); break;
    case Op::sum:
    case Op::product: write_flattened(out, e, sign); break;
    default:
      out.put(sign);
      rest_.push_back(e.right());
      rest_.push_back(e.left());
  }
}

/// Writes nested sums or products as one operation, so that a + (b + c) and (a + b) + c are written alike.
void PrefixWriter::write_flattened(Buffer& out, Expr e, char sign) {
  const std::size_t before = rest_.size();
  nested_.push_back(e);
  while (!nested_.empty()) {
    const Expr next = nested_.back();
    nested_.pop_back();
    if (next.op() != e.op()) {
      rest_.push_back(next);
    } else {
      nested_.push_back(next.left());
      nested_.push_back(next.right());
    }
  }
  out.put(sign);
  out.put_digits(rest_.size() - before);
}

std::size_t PrefixWriter::number_of(Expr name) {
  const std::size_t index = name.name().index;
  if (index >= numbers_.size()) numbers_.resize(index + 1);
  if (numbers_[index] == 0) {
    names_.push_back(name);
    numbers_[index] = static_cast<std::uint32_t>(names_.size());
  }
  return numbers_[index] - 1;
}

}  // namespace param_ledger
