#include "core/nn/text/params_json.hpp"

#include "core/config/constraints.hpp"
#include "core/nn/heads.hpp"

namespace param_ledger {

MetaSizes meta_sizes(Config c, bool defaults) {
  const auto size = [&](Text name, std::uint64_t usual, std::uint64_t least) {
    if (defaults) return c.integer(name, usual, least);
    const Expr given = c.integer(name, required(usual));
    if (less(given, c.literal(least))) c.refuse(ErrorCode::out_of_range, name, "must be at least 1.");
    return given;
  };
  const Expr d = size("dim", 4096, 0), n_layers = size("n_layers", 32, 0), n = size("n_heads", 32, 1);
  const Expr n_kv = c.integer("n_kv_heads", n, 1);
  require_multiple(d, n);
  require_multiple(n, n_kv);
  return {d, n_layers, n, n_kv, floor_divide(d, n)};
}

Expr meta_vocabulary(Config c, Builder& b, std::uint64_t assumed, Text where) {
  const Expr vocab = c.integer("vocab_size", unless_minus_one.or_else(c.literal(assumed)));
  const Json given = c.peek("vocab_size");
  if (!given || given.negative())
    b.warn("vocab_size",
           concat({"vocab_size depends on the tokenizer: ", grouped_digits(assumed), " are assumed, ", where, ". Give it if it differs."}));
  return vocab;
}

Expr meta_vocabulary(Config c, Builder& b) {
  const Json theta = c.peek("rope_theta");
  const auto is = [&](double value) { return (theta.is(Json::Type::integer) || theta.is(Json::Type::number)) && theta.number() == value; };
  const Json given = c.peek("vocab_size");
  if (is(1e6) && (!given || (given.is(Json::Type::integer) && given.negative())))
    c.refuse(
        ErrorCode::missing_field, "vocab_size",
        "depends on the tokenizer, and Code Llama has two. Give 32016 for the 7B and 13B models with infilling, 32000 for the others.");
  const bool third = is(5e5) || c.has("use_scaled_rope");
  return third ? meta_vocabulary(c, b, 128256, "as of Llama 3 (rope_theta 500000)")
               : meta_vocabulary(c, b, 32000, "as of Llama 1 and 2 (Llama 3 has 128,256)");
}

Expr meta_inner_width(Config c, Expr base, Expr divisor, const WidthNames& names) {
  const Expr by_rule = floor_divide(2 * base, c.literal(3));
  const Expr thirds =
      c.count(names.two_thirds, names.symbol, "Two thirds of the ungated width, so that three matrices have as many parameters as two.",
              by_rule.peek(), by_rule);
  // In Meta's code None has the same effect as 1. Python writes None to JSON as null.
  Expr width = thirds;
  if (const Json factor = c.peek("ffn_dim_multiplier"); factor.is_null())
    c.consume("ffn_dim_multiplier");
  else
    width = c.scaled("ffn_dim_multiplier", 1, thirds, names.scaled, names.scaled_symbol);
  if (divisor) width = floor_divide(width, divisor);
  const Expr multiple = c.integer("multiple_of", 256, 1);
  return ceil_divide(width, multiple) * multiple;
}

void params_json_head(Config /*c*/, Builder& b, const BackboneOutput& m) {
  b.part(Part::output_head, [&] { language_model_head(b, m, m.tie_by_default); });
}

}  // namespace param_ledger
