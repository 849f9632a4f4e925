// CPM-Ant: pre-norm layers with a gated feed-forward block, segment types, prompts in the embedding table, one table of relative positions
// for all layers, and an untied head.
// Source: transformers, models/cpmant.

#include "core/builder/family.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), f = c.integer("dim_ff", 10240), n_layers = c.integer("num_hidden_layers", 48);
  const Expr n = c.integer("num_attention_heads", 32), h = c.integer("dim_head", 128), vocab = c.integer("vocab_size", 30720);
  const Expr prompts = c.integer("prompt_types", 32), length = c.integer("prompt_length", 32), segments = c.integer("segment_types", 32);
  const Expr buckets = c.integer("position_bias_num_buckets", 512);
  c.ignore("tie_word_embeddings", "The head is never tied: the embedding table also has rows for prompts.");
  embedding(b, "segment_embedding", segments, d);
  embedding(b, "input_embedding", vocab + prompts * length, d);
  b.part(Part::attention, [&] {
    b.parameter("position_bias.relative_attention_bias", {power(segments, 2) + buckets, n}, StorageKind::table);
  });
  b.scope("encoder", [&] {
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "self_att.layernorm_before_attention", d);
      attention(b, "self_att.self_attention",
                {.hidden = d,
                 .heads = n,
                 .kv_heads = n,
                 .head_dim = h,
                 .scaled_by_head_dim = false,
                 .q = "project_q",
                 .k = "project_k",
                 .v = "project_v",
                 .o = "attention_out",
                 .prompt = length});
      rms_norm(b, "ffn.layernorm_before_ffn", d);
      b.scope(Part::feed_forward, "ffn.ffn", [&] {
        linear(b, "w_in.w_0", d, f, false, TensorRole::gate);
        linear(b, "w_in.w_1", d, f, false, TensorRole::up);
        linear(b, "w_out", f, d, false, TensorRole::down);
      });
    });
    rms_norm(b, "output_layernorm", d);
  });
  return {.hidden = d, .vocabulary = vocab};
}

}  // namespace

extern const Family cpmant{
    .model_type = "cpmant",
    .summary = "CPM-Ant: gated MLP, relative position bias, segment types and prompt embeddings.",
    .classes = {"CpmAnt", heads::decoder, "cpmant"},
    .backbone = backbone,
    .cache = caches::all_tokens,
    .uncomputed = unmatched,
};

}  // namespace param_ledger
