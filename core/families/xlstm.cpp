// xLSTM: no attention; each block is an mLSTM layer (a recurrence with a matrix state) and a gated feed-forward block.
// Source: transformers, models/xlstm.

#include "core/builder/blocks.hpp"
#include "core/builder/family.hpp"
#include "core/builder/inference.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view modes[] = {"single", "fused"};

struct Block {
  Expr d, heads, keys, values, inner;
  bool fused, bias;
};

void mlstm_layer(Builder& b, const Block& m) {
  b.scope(Part::state_space, "mlstm_layer", [&] {
    const InBlock block(b, {Mechanism::mlstm});
    if (m.fused) {
      linear(b, "qkv_opreact", m.d, 2 * m.keys + 2 * m.values, m.bias);
      linear(b, "ifgate_preact", m.d, 2 * m.heads, true);
    } else {
      linear(b, "q", m.d, m.keys, m.bias);
      linear(b, "k", m.d, m.keys, m.bias);
      linear(b, "v", m.d, m.values, m.bias);
      linear(b, "ogate_preact", m.d, m.values, m.bias);
      linear(b, "igate_preact", m.d, m.heads, true);
      linear(b, "fgate_preact", m.d, m.heads, true);
    }
    norm(b, m.bias ? Norm::layer : Norm::unbiased, "multihead_norm", m.heads * floor_divide(m.values, m.heads));
    linear(b, "out_proj", m.values, m.d, m.bias);
    const Expr key = floor_divide(m.keys, m.heads), value = floor_divide(m.values, m.heads);
    record_recurrence(b, m.heads * key * (2 * value + 1), Prompt::in_chunks);
    record_cache(b, "rnn_state.0", {m.heads, key, value});
    record_cache(b, "rnn_state.1", {m.heads, key});
    record_cache(b, "rnn_state.2", {m.heads, b.pool().literal(1)});
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), d_embedding = c.integer("embedding_dim", d), vocab = c.integer("vocab_size", 50304);
  const Expr n_layers = c.integer("num_blocks", c.integer("num_hidden_layers", 32)), n = c.integer("num_heads", 8, 1);
  const Expr keys = c.scaled("qk_dim_factor", 0.5, d, "qk_dim", "d_k"), values = c.scaled("v_dim_factor", 1.0, d, "v_dim", "d_v");
  const Expr unrounded = c.scaled("ffn_proj_factor", 2.667, d, "scaled_hidden_size", "f");
  const Expr multiple = c.integer("ffn_round_up_to_multiple_of", 64, 1);
  const Block m{.d = d,
                .heads = n,
                .keys = keys,
                .values = values,
                .inner = ceil_divide(unrounded, multiple) * multiple,
                .fused = c.text("weight_mode", "single", modes) == "fused",
                .bias = c.flag("use_bias", false)};
  const Norm kind = m.bias ? Norm::layer : Norm::rms;

  embedding(b, "embeddings", vocab, d_embedding, TensorRole::token_embedding);
  b.repeat("blocks", all(n_layers), [&] {
    norm(b, kind, "norm_mlstm", d);
    mlstm_layer(b, m);
    norm(b, kind, "norm_ffn", d);
    if (m.fused)
      fused_gated_mlp(b, "ffn", d, m.inner, m.bias, "proj_up_gate_z", "proj_down");
    else
      gated_mlp(b, "ffn", d, m.inner, m.bias, {"proj_up_gate", "proj_up", "proj_down"});
  });
  rms_norm(b, "out_norm", d);
  return {.hidden = d, .vocabulary = vocab};
}

}  // namespace

extern const Family xlstm{
    .model_type = "xlstm",
    .summary = "Recurrent mLSTM blocks with a matrix memory and without attention.",
    .classes = {"xLSTM", heads::decoder, "backbone"},
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
