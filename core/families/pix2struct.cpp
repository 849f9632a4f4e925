// Pix2Struct: patches of a screenshot with row and column embeddings, and a T5-like decoder.
// Source: transformers, models/pix2struct.

#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr Alias text_aliases[] = {{"num_attention_heads", "num_heads"},     {"num_hidden_layers", "num_layers"},
                                  {"decoder_attention_heads", "num_heads"}, {"encoder_attention_heads", "num_heads"},
                                  {"encoder_layers", "num_layers"},         {"decoder_layers", "num_layers"}};

void vision(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 768), patch = c.integer("patch_embed_hidden_size", 768), f = c.integer("d_ff", 2048);
  const Expr n_layers = c.integer("num_hidden_layers", 12), n = c.integer("num_attention_heads", 12), h = c.integer("d_kv", 64);
  const Expr side = c.integer("seq_len", 4096);
  b.scope(Part::embedding, "embeddings", [&] {
    linear(b, "patch_projection", patch, d, true);
    for (const Text name : {"row_embedder", "column_embedder"}) table(b, name, side, d);
  });
  b.repeat("encoder.layer", all(n_layers), [&] {
    attention(b, "attention",
              {.hidden = d, .heads = n, .head_dim = h, .scaled_by_head_dim = false, .q = "query", .k = "key", .v = "value", .o = "output"});
    gated_mlp(b, "mlp", d, f, false, {"wi_0", "wi_1", "wo"});
    for (const Text name : {"pre_mlp_layer_norm", "pre_attention_layer_norm"}) rms_norm(b, name, d);
  });
  rms_norm(b, "layernorm", d);
}

void text(Config c, Builder& b, bool tied) {
  const Expr vocab = c.integer("vocab_size", 50244), d = c.integer("hidden_size", 768), f = c.integer("d_ff", 2048);
  const Expr n_layers = c.integer("num_layers", 12), n = c.integer("num_heads", 12);
  const Expr buckets = c.integer("relative_attention_num_buckets", 32);
  const Tensor words = embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
  const auto sublayer = [&](Text name, bool is_cross_attention) {
    b.scope(name, [&] {
      // Attention is as wide as the hidden size, regardless of the number of heads.
      attention(b, "attention",
                {.hidden = d,
                 .heads = n,
                 .even_share = false,
                 .scaled_by_head_dim = false,
                 .q = "query",
                 .k = "key",
                 .v = "value",
                 .o = "output",
                 .is_cross_attention = is_cross_attention});
      rms_norm(b, "layer_norm", d);
    });
  };
  b.repeat("layer", all(n_layers), [&] {
    sublayer("self_attention", false);
    sublayer("encoder_decoder_attention", true);
    gated_mlp(b, "mlp.DenseReluDense", d, f, false, {"wi_0", "wi_1", "wo"});
    rms_norm(b, "mlp.layer_norm", d);
  });
  if (n_layers.decide() > 0)
    b.repeat("layer", only(0),
             [&] { b.part(Part::attention, [&] { table(b, "self_attention.attention.relative_attention_bias", buckets, n); }); });
  rms_norm(b, "final_layer_norm", d);
  language_model_head(b, {.hidden = d, .embedding = words}, tied);
}

BackboneOutput backbone(Config c, Builder& b) {
  const bool tied = c.flag("tie_word_embeddings", false);
  b.tower(Tower::vision, "encoder", [&] { vision(c.section("vision_config"), b); });
  b.scope("decoder", [&] { text(c.section("text_config").with(text_aliases), b, tied); });
  return {};
}

}  // namespace

extern const Family pix2struct{
    .model_type = "pix2struct",
    .summary = "Screenshot parsing and visual question answering: an image encoder and a T5-like decoder.",
    .classes = {"Pix2Struct", heads::conditional, ""},
    .backbone = backbone,
    .head = [](Config, Builder&, const BackboneOutput&) {},
};

}  // namespace param_ledger
