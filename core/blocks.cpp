#include "core/blocks.hpp"

#include "core/layers.hpp"

namespace param_ledger {

void attention(Builder& b, std::string_view name, const Attention& a) {
  require_positive(a.kv_heads);
  if (a.scaled_by_head_dim) require_positive(a.head_dim);
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

Expr head_dim_or_share(Config& c, Expr hidden, Expr heads) {
  const Expr share = floor_divide(hidden, heads), head_dim = c.integer("head_dim", share);
  return head_dim.value() == 0 ? share : head_dim;
}

LatentAttention latent_attention_fields(Config& c, Expr hidden) {
  const Expr heads = c.integer("num_attention_heads", 128);
  const std::optional<Expr> q_rank = c.optional_integer("q_lora_rank", 1536);
  const Expr kv_rank = c.integer("kv_lora_rank", 512), nope_dim = c.integer("qk_nope_head_dim", 128);
  const Expr rope_dim = c.integer("qk_rope_head_dim", 64), value_dim = c.integer("v_head_dim", 128);
  return {hidden, heads, q_rank, kv_rank, nope_dim, rope_dim, value_dim, c.flag("attention_bias", false)};
}

void latent_attention(Builder& b, std::string_view name, const LatentAttention& a) {
  const Expr head = a.nope_dim + a.rope_dim;
  if (head.value() == 0) refuse(ErrorCode::out_of_range, "qk_nope_head_dim", "and qk_rope_head_dim must not both be 0.");
  b.part(Part::attention, [&] {
    b.scope(name, [&] {
      if (a.q_rank) {
        linear(b, "q_a_proj", a.hidden, *a.q_rank, a.bias);
        rms_norm(b, "q_a_layernorm", *a.q_rank);
        linear(b, "q_b_proj", *a.q_rank, a.heads * head);
      } else {
        linear(b, "q_proj", a.hidden, a.heads * head);
      }
      linear(b, "kv_a_proj_with_mqa", a.hidden, a.kv_rank + a.rope_dim, a.bias);
      rms_norm(b, "kv_a_layernorm", a.kv_rank);
      linear(b, "kv_b_proj", a.kv_rank, a.heads * (a.nope_dim + a.value_dim));
      linear(b, "o_proj", a.heads * a.value_dim, a.hidden, a.bias);
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

void mlp(Builder& b, std::string_view name, Expr hidden, Expr inner, bool bias) {
  b.part(Part::feed_forward, [&] {
    b.scope(name, [&] {
      linear(b, "up_proj", hidden, inner, bias);
      linear(b, "down_proj", inner, hidden, bias);
    });
  });
}

void routed_experts(Builder& b, const Experts& e, bool score_correction) {
  router(b, "gate", e.count, e.hidden, score_correction);
  b.part(Part::feed_forward, [&] {
    if (e.count.value() == 0) {
      // transformers holds experts in one tensor and splits it for a checkpoint; none cannot be split and stay as they are.
      b.scope("experts", [&] {
        b.parameter("gate_up_proj", {e.count, 2 * e.inner, e.hidden});
        b.parameter("down_proj", {e.count, e.hidden, e.inner});
      });
    }
    b.repeat_experts("experts", e.count, e.active, [&] {
      linear(b, e.gate, e.hidden, e.inner);
      linear(b, e.up, e.hidden, e.inner);
      linear(b, e.down, e.inner, e.hidden);
    });
  });
}

void router(Builder& b, std::string_view name, Expr experts, Expr hidden, bool score_correction) {
  b.part(Part::router, [&] {
    b.scope(name, [&] {
      b.parameter("weight", {experts, hidden});
      if (score_correction) b.buffer("e_score_correction_bias", {experts});
    });
  });
}

void mamba2_mixer(Builder& b, std::string_view name, const Mamba2Mixer& m) {
  require_positive(m.groups);
  const Expr channels = m.inner + 2 * m.groups * m.state;
  if (channels.value() == 0) refuse(ErrorCode::out_of_range, m.state.name().name, "must be at least 1 where the mixer's width is 0.");
  b.part(Part::state_space, [&] {
    b.scope(name, [&] {
      linear(b, "in_proj", m.hidden, m.inner + channels + m.heads, m.projection_bias);
      depthwise_conv1d(b, "conv1d", channels, m.kernel, m.conv_bias);
      b.parameter("dt_bias", {m.heads});
      b.parameter("A_log", {m.heads});
      b.parameter("D", {m.heads});
      rms_norm(b, "norm", m.inner);
      linear(b, "out_proj", m.inner, m.hidden, m.projection_bias);
    });
  });
}

IndexSet layers_of(Config& c, const std::vector<std::string>& kinds, std::string_view kind, std::string_view name, std::string_view symbol,
                   std::string_view meaning) {
  std::vector<std::uint64_t> indices;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i] == kind) indices.push_back(i);
  return listed(indices, c.count(name, symbol, meaning, indices.size()));
}

void note_prediction_layers(Config& c, Builder& b, std::string_view field) {
  const std::string message = "Multi-token prediction layers, which published files hold beside the model, are not counted.";
  if (!c.positive(field)) return;
  c.ignore(field, message);
  b.note(field, message);
}

void modernise_layer_types(std::vector<std::string>& kinds) {
  for (std::string& kind : kinds) {
    if (kind == "mamba") kind = "linear_attention";
    if (kind == "attention") kind = "full_attention";
  }
}

}  // namespace param_ledger
