#include "core/nn/text/fla.hpp"

#include <cmath>

#include "core/builder/blocks.hpp"
#include "core/config/constraints.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view activations[] = {"swish"};

}  // namespace

Expr widened(Config c, Text factor, double fallback, Expr base, Text product, Text symbol) {
  const Expr out = c.scaled(factor, fallback, base, product, symbol);
  const double wanted = c.number(factor, fallback) * static_cast<double>(base.decide());
  if (std::abs(wanted - std::round(wanted)) > 1e-9 * wanted || std::floor(wanted) < std::round(wanted))
    c.refuse(ErrorCode::not_divisible, factor, "must give a whole number of channels.");
  return out;
}

Expr fla_inner_width(Config c, Expr hidden, std::uint64_t ratio) {
  const Expr times = c.integer("hidden_ratio", fixed_not_null(ratio).or_else(c.literal(4))), multiple = c.literal(256);
  return ceil_divide(floor_divide(2 * times * hidden, c.literal(3)), multiple) * multiple;
}

void fla_checks(Config c) {
  if (is_given(c, "attnres_block_size"))
    c.refuse(ErrorCode::unsupported, "attnres_block_size", "adds attention over residuals, which is not counted.");
  static_cast<void>(c.text("hidden_act", "swish", activations));
}

Fla fla_fields(Config c, const FlaDefaults& defaults) {
  fla_checks(c);
  const Expr d = c.integer("hidden_size", 2048), n_layers = c.integer("num_hidden_layers", defaults.layers);
  const Expr vocab = c.integer("vocab_size", 32000);
  return {d, n_layers, vocab, c.integer("intermediate_size", fla_inner_width(c, d, defaults.ratio))};
}

Hybrid hybrid(Config c, Expr d, Expr n_layers, std::vector<std::int64_t> fallback, std::uint64_t fallback_heads,
              std::uint64_t fallback_window) {
  Config a = c.section("attn");
  Hybrid out{.layers = {{}, all(n_layers)}, .attention = {}};
  if (!is_given(c, "attn") && fallback.empty()) return out;
  const LayerList listed(a.integers("layers", std::move(fallback)));
  out.layers = split(c, n_layers, "num_attention_layers", "L_a", "Layers with attention instead of the mixer.",
                     [&](std::size_t i) { return listed.has(i); });
  const Expr n = a.integer("num_heads", fallback_heads > 0 ? fixed(fallback_heads) : required(32), 1);
  const bool bias = a.flag("qkv_bias", false);
  out.attention = {.hidden = d,
                   .heads = n,
                   .kv_heads = a.integer("num_kv_heads", n),
                   .head_dim = floor_divide(d, n),
                   .output_from = d,
                   .qkv_bias = bias};
  if (const Json window = c.peek("attn")["window_size"]; window.is(Json::Type::integer))
    out.window = c.literal(window.magnitude());
  else if (!is_given(c, "attn") && fallback_window > 0)
    out.window = c.literal(fallback_window);
  return out;
}

void fla_attention(Builder& b, Text name, const Attention& a, Expr window) {
  const InBlock block(b, {.window = window});
  require_multiple(a.hidden, a.heads);
  require_multiple(a.heads, a.kv_heads);
  attention(b, name, a);
}

}  // namespace param_ledger
