#include "core/blocks.hpp"

#include "core/layers.hpp"

namespace param_ledger {

namespace {

void require_positive(Expr e) {
  if (e.value() == 0) refuse(ErrorCode::out_of_range, e.op() == Op::name ? std::string_view(e.name().name) : "", "must be at least 1 in a model with attention.");
}

}  // namespace

void attention(Builder& b, std::string_view name, const Attention& a) {
  require_positive(a.kv_heads);
  require_positive(a.head_dim);
  b.part(Part::attention, [&] {
    b.scope(name, [&] {
      linear(b, "q_proj", a.hidden, a.heads * a.head_dim, a.qkv_bias);
      linear(b, "k_proj", a.hidden, a.kv_heads * a.head_dim, a.qkv_bias);
      linear(b, "v_proj", a.hidden, a.kv_heads * a.head_dim, a.qkv_bias);
      linear(b, "o_proj", a.heads * a.head_dim, a.hidden, a.output_bias);
      if (a.head_norms) {
        rms_norm(b, "q_norm", a.head_dim);
        rms_norm(b, "k_norm", a.head_dim);
      }
    });
  });
}

void gated_mlp(Builder& b, std::string_view name, Expr hidden, Expr inner, bool bias) {
  b.part(Part::feed_forward, [&] {
    b.scope(name, [&] {
      linear(b, "gate_proj", hidden, inner, bias);
      linear(b, "up_proj", hidden, inner, bias);
      linear(b, "down_proj", inner, hidden, bias);
    });
  });
}

}  // namespace param_ledger
