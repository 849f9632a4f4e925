// Llama 3.2 Vision from Meta's own params.json: Llama with cross-attention to the image before some layers, and a vision transformer of
// fixed width and depth on image tiles.
// Source: models/llama3/multimodal/model.py of Meta's llama-models.

#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/text/params_json.hpp"
#include "core/registry/publisher_formats.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"CrossAttentionTransformer", Head::causal_lm, ""}};

constexpr Text harmless[] = {"norm_eps", "rope_theta", "use_scaled_rope", "vision_max_num_chunks", "max_batch_size", "max_seq_len"};

constexpr GatedNames feed_forward{.gate = "w1", .up = "w3", .down = "w2"};

/// Records a stack of vision layers in the module `name`. `gated`: whether attention and feed-forward block each have a gate.
void image_transformer(Builder& b, Text name, Expr d, Expr layers, bool gated) {
  b.scope(name, [&] {
    b.repeat("resblocks", all(layers), [&] {
      attention(b, "attn", {.hidden = d, .heads = b.pool().literal(16), .q = "wq", .k = "wk", .v = "wv", .o = "wo"});
      mlp(b, "mlp", d, 4 * d, true, "c_fc", "c_proj");
      layer_norm(b, "ln_1", d);
      layer_norm(b, "ln_2", d);
      if (!gated) return;
      b.part(Part::attention, [&] { b.parameter("gate_attn", {b.pool().literal(1)}); });
      b.part(Part::feed_forward, [&] { b.parameter("gate_ffn", {b.pool().literal(1)}); });
    });
  });
}

/// Records the vision tower. Returns its output width. The outputs of the last layer and of five intermediate layers are concatenated.
Expr vision_encoder(Config c, Builder& b) {
  const Expr d = c.literal(1280), one = c.literal(1), tiles = c.literal(4), patch = c.literal(14);
  const Expr side = c.integer("vision_chunk_size", required(560));
  const Expr positions = power(floor_divide(side, patch), 2) + 1;
  b.tower(Tower::vision, "vision_model.vision_encoder", [&] {
    b.part(Part::embedding, [&] {
      linear(b, "conv1._linear", 3 * power(patch, 2), d);
      b.parameter("class_embedding", {d});
      b.parameter("positional_embedding", {positions, d}, StorageKind::table);
      b.parameter("gated_positional_embedding", {tiles, tiles, positions, d}, StorageKind::table);
      b.parameter("gated_positional_embedding_gate", {one});
      for (const Text name : {"pre_tile_pos_embed", "post_tile_pos_embed"})
        b.scope(name, [&] {
          b.parameter("embedding", {tiles, tiles, one, d}, StorageKind::table);
          b.parameter("gate", {one});
        });
    });
    layer_norm(b, "ln_pre", d);
    layer_norm(b, "ln_post", d);
    image_transformer(b, "transformer", d, c.literal(32), false);
    image_transformer(b, "global_transformer", d, c.literal(8), true);
  });
  return 6 * d;
}

BackboneOutput backbone(Config c, Builder& b) {
  const MetaSizes s = meta_sizes(c, true);
  const Expr vocab = meta_vocabulary(c, b), f = meta_inner_width(c, 4 * s.d);
  const Expr wanted = c.integer("vision_num_cross_attention_layers", required(8));
  const Expr d_vision = vision_encoder(c, b);
  // The cross-attention layers are evenly spaced, counting back from the last layer, so there may be fewer of them than configured.
  const Expr crossing = ceil_divide(s.n_layers, ceil_divide(s.n_layers, wanted));
  refuse_unknown_keys(c, harmless);
  const Attention self{.hidden = s.d, .heads = s.n, .kv_heads = s.n_kv, .head_dim = s.h, .q = "wq", .k = "wk", .v = "wv", .o = "wo"};
  Attention cross = self;
  cross.head_norms = QkNorm::per_head;
  cross.is_cross_attention = true;
  const auto layer = [&](const Attention& a) {
    attention(b, "attention", a);
    gated_mlp(b, "feed_forward", s.d, f, false, feed_forward);
    rms_norm(b, "attention_norm", s.d);
    rms_norm(b, "ffn_norm", s.d);
  };
  b.tower(Tower::projector, "", [&] { linear(b, "vision_model.vision_projection", d_vision, s.d, true); });
  Tensor table;
  b.scope("text_model", [&] {
    table = embedding(b, "tok_embeddings", vocab, s.d, TensorRole::token_embedding);
    embedding(b, "learnable_embedding", c.literal(8), s.d);  // embeddings of additional tokens, such as the image token
    b.repeat("layers", all(s.n_layers), [&] { layer(self); });
    b.repeat("cross_attention_layers", all(crossing), [&] {
      layer(cross);
      b.part(Part::attention, [&] { b.parameter("gate_attn", {c.literal(1)}); });
      b.part(Part::feed_forward, [&] { b.parameter("gate_ffwd", {c.literal(1)}); });
    });
    rms_norm(b, "norm", s.d);
  });
  return {.hidden = s.d, .embedding = table, .language_model = "text_model.output"};
}

constexpr Text keys[] = {"vision_chunk_size", "vision_num_cross_attention_layers"};

}  // namespace

extern const Family llama_vision_params{.model_type = "llama_vision_params",
                                        .summary = "Llama 3.2 Vision, from Meta's params.json.",
                                        .classes = {.listed = classes},
                                        .backbone = backbone,
                                        .head = params_json_head,
                                        .own_code = true,
                                        .format_keys = {.all = params_json_keys, .one_of = keys}};

}  // namespace param_ledger
