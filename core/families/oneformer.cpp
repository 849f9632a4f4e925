// OneFormer: like Mask2Former, but a text names the task. If is_training is true, there is also an encoder for texts that describe the
// contents of the image. Source: transformers, models/oneformer.

#include "core/nn/heads.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/detection.hpp"
#include "core/nn/vision/mask_queries.hpp"
#include "core/nn/vision/swin.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"hidden_size", "hidden_dim"}, {"num_hidden_layers", "decoder_layers"}};

/// The Swin that transformers builds if backbone_config is missing.
constexpr SwinType usual{.given_from = 1};
constexpr Family usual_swin{.model_type = "swin", .aliases = swin_aliases, .backbone = swin_of_type<usual>};

/// Records the text encoder for training. It has one attention head per 64 dimensions.
void text_mapper(Config c, Builder& b, Expr d) {
  const Expr width = c.integer("text_encoder_width", 256), places = c.integer("text_encoder_context_length", 77);
  const Expr n_layers = c.integer("text_encoder_num_layers", 6), vocab = c.integer("text_encoder_vocab_size", 49408);
  const Expr depth = c.integer("text_encoder_proj_layers", 2, 1), prompts = c.integer("text_encoder_n_ctx", 16);
  const Expr heads = floor_divide(width, c.literal(64));
  require_listable(depth);
  b.scope("text_mapper", [&] {
    b.part(Part::embedding, [&] {
      b.parameter("text_encoder.positional_embedding", {places, width}, StorageKind::table);
      table(b, "text_encoder.token_embedding", vocab, width);
      if (prompts.decide() > 0) table(b, "prompt_ctx", prompts, width);
    });
    b.repeat("text_encoder.transformer.layers", all(n_layers), [&] {
      require_positive(heads);
      require_multiple(width, heads);
      multihead_attention(b, "self_attn", width);
      mlp(b, "mlp", width, 4 * width, true, "fc1", "fc2");
      for (const Text norm : {"layer_norm1", "layer_norm2"}) layer_norm(b, norm, width);
    });
    layer_norm(b, "text_encoder.ln_final", width);
    b.tower(Tower::projector, "", [&] { mask_mlp(b, "text_projector.layers", width, d, d, static_cast<std::size_t>(depth.decide())); });
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr seen_width = c.integer("conv_dim", 256), masks = c.integer("mask_dim", 256), d = c.integer("hidden_dim", 256);
  const Expr heads = c.integer("num_attention_heads", 8), inner = c.integer("dim_feedforward", 2048),
             queries = c.integer("num_queries", 150);
  const Expr first = c.integer("query_dec_layers", 2), task = c.integer("task_seq_len", 77), labels = num_labels(c);
  const std::vector<Expr> seen = taken_backbone(c, b, "pixel_level_module.encoder", usual_swin, 1);
  pixel_decoder(c, b, seen, {seen_width, masks, "strides"});
  b.scope("transformer_module", [&] {
    b.part(Part::embedding, [&] {
      table(b, "queries_embedder", queries, d);
      table(b, "level_embed", c.literal(3), d);
      conv2d(b, "decoder.query_input_projection", seen_width, d, 1);
    });
    b.repeat("decoder.query_transformer.decoder.layers", all(first), [&] {
      multihead_attention(b, "self_attn", d);
      b.owned_by(Owner::cross, [&] { multihead_attention(b, "multihead_attn", d); });
      for (const Text norm : {"norm1", "norm2", "norm3"}) layer_norm(b, norm, d);
      mlp(b, "", d, inner, true, "linear1", "linear2");
    });
    layer_norm(b, "decoder.query_transformer.decoder.norm", d);
    b.repeat("decoder.layers", layers_before_last(c), [&] {
      b.owned_by(Owner::cross, [&] { multihead_attention(b, "cross_attn.multihead_attn", d); });
      attention(b, "self_attn.self_attn", mask_query_attention(d, heads));
      mlp(b, "ffn", d, inner, true, "linear1", "linear2");
      for (const Text norm : {"cross_attn.norm", "self_attn.norm", "ffn.norm"}) layer_norm(b, norm, d);
    });
    layer_norm(b, "decoder.decoder_norm", d);
    b.part(Part::output_head, [&] {
      linear(b, "decoder.class_embed", d, labels + 1, true);
      mask_mlp(b, "decoder.mask_embed.layers", d, d, masks, 3);
    });
  });
  b.part(Part::embedding, [&] { mask_mlp(b, "task_encoder.task_mlp.layers", task, d, d, 2); });
  if (c.flag("is_training", false)) text_mapper(c, b, d);
  return {.hidden = d};
}

void head(Config c, Builder& b, const BackboneOutput& /*m*/) {
  if (b.architecture().head == Head::none) return;
  const Json temperature = c.peek("contrastive_temperature");
  b.scope(Part::output_head, "criterion", [&] {
    if (!temperature.is_null()) b.parameter("logit_scale", {});
    b.buffer("empty_weight", {num_labels(c) + 1});
  });
}

}  // namespace

extern const Family oneformer{
    .model_type = "oneformer",
    .summary = "Universal image segmentation: Mask2Former with the task as a text input.",
    .classes = {"OneFormer", heads::base | heads::segments, "model"},
    .aliases = aliases,
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
