#include "core/config/constraints.hpp"

#include <string>

#include "core/expr/formula.hpp"
#include "core/expr/walk.hpp"

namespace param_ledger {

Text field_of(Expr e) {
  Text out;
  walk(e, [&](Expr part) {
    if (part.op() == Op::name) out = part.name().name;
    return !out.empty();
  });
  return out;
}

namespace {

std::string name_and_value(Expr e) { return concat({write(e), " (", grouped_digits(e.peek()), ")"}); }

}  // namespace

void require_multiple(Expr dividend, Expr divisor) {
  dividend.node()->pool->demand_multiple(dividend, divisor);
  if (meets(Relation::multiple, dividend, divisor)) return;
  throw Error{ErrorCode::not_divisible, std::string(field_of(dividend)),
              concat({name_and_value(dividend), " must be a multiple of ", name_and_value(divisor), "."})};
}

void require_equal(Expr a, Expr b) {
  if (meets(Relation::equal, a, b)) return;
  throw Error{ErrorCode::inconsistent, std::string(field_of(a)), concat({name_and_value(a), " must equal ", name_and_value(b), "."})};
}

void require_positive(Expr e, Refused kind) {
  if (e.node()->varies == 0 ? e.peek() != 0 : meets(Relation::equal, e, e.node()->pool->literal(0), false)) return;
  throw Error{.code = ErrorCode::out_of_range,
              .field = std::string(field_of(e)),
              .message = concat({write(e), " must be at least 1."}),
              .kind = kind};
}

void require_listable(Expr n_layers) {
  constexpr Count most_layers = 10'000;
  if (n_layers.peek() <= most_layers) return;
  static_cast<void>(n_layers.decide());  // tells a search that the result depends on the value
  const Text field = field_of(n_layers);
  throw Error{.code = ErrorCode::too_large,
              .field = std::string(field),
              .message = concat({field, " must be at most 10,000 in a model with several kinds of layers."}),
              .kind = Refused::listed_layers};
}

}  // namespace param_ledger
