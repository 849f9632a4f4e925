#include "core/builder/head_shares.hpp"

#include <algorithm>

#include "core/expr/formula.hpp"

namespace param_ledger {

namespace {

bool shares_out(Builder& b, Expr dividend, Expr divisor) {
  if (DecisionObserver* const observer = b.pool().observer()) observer->on_wished_multiple(dividend, divisor);
  return divisor.peek() != 0 && dividend.peek() % divisor.peek() == 0;
}

std::string no_multiple(Expr dividend, Expr divisor) {
  return concat({write(dividend), " (", grouped_digits(dividend.peek()), ") is not a multiple of ", write(divisor), " (",
                 grouped_digits(divisor.peek()), ")"});
}

bool is_told(const Builder& b, std::string_view message) {
  return std::any_of(b.notes().begin(), b.notes().end(), [&](const Note& note) { return note.message == message; });
}

}  // namespace

void remark_shares(Builder& b, Expr heads, Expr kv_heads, Expr head_dim) {
  if (!shares_out(b, heads, kv_heads)) {
    const std::string message = concat({no_multiple(heads, kv_heads), ": transformers builds this model, but cannot run it."});
    if (!is_told(b, message)) b.warn(write(kv_heads), message);
  }
  const Expr share = head_dim.op() == Op::name && head_dim.name().definition ? head_dim.name().definition : head_dim;
  if ((share.op() != Op::floor && share.op() != Op::quotient) || !(share.right() == heads) || shares_out(b, share.left(), heads)) return;
  const std::string message = concat({no_multiple(share.left(), heads), ": ", grouped_digits(share.left().peek() % heads.peek()),
                                      " of these dimensions belong to no head."});
  if (!is_told(b, message)) b.note(write(heads), message);
}

}  // namespace param_ledger
