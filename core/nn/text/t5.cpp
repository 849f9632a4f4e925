#include "core/nn/text/t5.hpp"

#include "core/builder/blocks.hpp"
#include "core/builder/inference.hpp"
#include "core/config/ignored_fields.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

Tensor t5_attention(Builder& b, const T5Stack& s) {
  const Attention a{
      .hidden = s.hidden, .heads = s.heads, .head_dim = s.head_dim, .scaled_by_head_dim = false, .q = "q", .k = "k", .v = "v", .o = "o"};
  Attention crossing = a;
  crossing.is_cross_attention = true;
  crossing.encoder_length = source_tokens(b);
  b.repeat("block", all(s.n_layers), [&] {
    t5_sublayer(b, s, 0, [&] { attention(b, s.attention, a); });
    if (s.cross_attention) t5_sublayer(b, s, 1, [&] { attention(b, "EncDecAttention", crossing); });
  });
  Tensor out;
  if (s.n_layers.decide() == 0) return out;
  b.repeat("block", s.bias_in_each ? all(s.n_layers) : only(0), [&] {
    b.scope(Part::attention, "layer.0", [&] {
      const InBlock block(b, {Mechanism::relative_position_bias});
      b.scope(s.attention, [&] { out = table(b, "relative_attention_bias", s.buckets, s.heads); });
    });
  });
  return out;
}

void t5_feed_forward(Builder& b, const T5Stack& s) {
  b.repeat("block", all(s.n_layers), [&] {
    t5_sublayer(b, s, s.cross_attention ? 2 : 1, [&] {
      if (s.gated)
        gated_mlp(b, "DenseReluDense", s.hidden, s.inner, false, {"wi_0", "wi_1", "wo"});
      else
        mlp(b, "DenseReluDense", s.hidden, s.inner, false, "wi", "wo");
    });
  });
}

Tensor t5_stack(Builder& b, const T5Stack& s) {
  const Tensor out = t5_attention(b, s);
  t5_feed_forward(b, s);
  rms_norm(b, "final_layer_norm", s.hidden);
  return out;
}

bool t5_gated(Config c, Text fallback, bool any) {
  const std::string_view activation = c.text("feed_forward_proj", fallback);
  const std::size_t dash = activation.find('-');
  const bool prefixed = activation.substr(0, dash) == "gated";
  if (!any) {
    if (dash != std::string::npos && (!prefixed || activation.find('-', dash + 1) != std::string::npos))
      c.refuse(ErrorCode::out_of_range, "feed_forward_proj",
               "must be an activation, optionally after \"gated-\", e.g. \"relu\" or \"gated-gelu\".");
    refuse_learned(c, "feed_forward_proj", activation.substr(dash == std::string::npos ? 0 : dash + 1));
  }
  return c.has("is_gated_act") ? c.flag("is_gated_act", prefixed, Null::allowed) : prefixed;
}

}  // namespace param_ledger
