// OmDet-Turbo: like RT-DETR, with a text encoder for the classes. By default, the text encoder is CLIP's and the backbone is Swin.
// Source: transformers, models/omdet_turbo; timm's Swin.

#include "core/nn/nested.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/detection.hpp"
#include "core/nn/vision/hybrid_encoder.hpp"

namespace param_ledger {

namespace {

/// Records timm's Swin Tiny with windows of 7 × 7 patches, the only timm network that is supported here.
void timm_swin(Builder& b) {
  const auto number = [&](Count n) { return b.pool().literal(n); };
  constexpr Count depths[] = {2, 2, 6, 2}, first_width = 96, first_heads = 3;
  const Expr biases = number(169), patch = number(4);
  b.scope(Part::embedding, "patch_embed", [&] {
    patch_embedding(b, "proj", number(3), number(first_width), patch);
    layer_norm(b, "norm", number(first_width));
  });
  for (std::size_t i = 0; i < 4; ++i)
    b.scope(concat({"layers_", digits(i)}), [&] {
      const Expr d = number(first_width << i), heads = number(first_heads << i);
      if (i > 0) {
        layer_norm(b, "downsample.norm", 2 * d);
        b.tower(Tower::projector, "", [&] { linear(b, "downsample.reduction", 2 * d, d); });
      }
      b.repeat("blocks", all(number(depths[i])), [&] {
        for (const Text name : {"norm1", "norm2"}) layer_norm(b, name, d);
        b.scope(Part::attention, "attn", [&] {
          b.parameter("relative_position_bias_table", {biases, heads}, StorageKind::table);
          linear(b, "qkv", d, 3 * d, true, TensorRole::query_key_value);
          linear(b, "proj", d, d, true, TensorRole::output);
        });
        mlp(b, "mlp", d, 4 * d, true, "fc1", "fc2");
      });
    });
}

/// Records the backbone that backbone_config describes or, without that section, timm's Swin.
void vision_backbone(Config c, Builder& b) {
  constexpr Text known = "swin_tiny_patch4_window7_224";
  Config section = c.section("backbone_config");
  const bool said = is_given(c, "backbone_config");
  const Json type = section.peek("model_type");
  const bool timm = said && type.is(Json::Type::string) && type.string() == "timm_backbone";
  if (said && !timm) {
    nested_backbone_auto(section, b, "vision_backbone", "swin");
    return;
  }
  if (timm) c.refuse(ErrorCode::unsupported, "backbone_config", "names a network of timm, which cannot be counted here.");
  for (const Text field : {"use_timm_backbone", "backbone_kwargs"})
    if (const Json given = c.peek(field); given && !(given.is(Json::Type::boolean) && given.boolean()))
      c.refuse(ErrorCode::unsupported, field, "describes a backbone that cannot be counted here.");
  if (c.text("backbone", known) != std::string_view(known))
    c.refuse(ErrorCode::unsupported, "backbone", "names a network of timm that cannot be counted here, only swin_tiny_patch4_window7_224.");
  b.scope("vision_backbone._backbone", [&] { timm_swin(b); });
}

void attention_of(Builder& b, Expr d, Expr heads) {
  require_multiple(d, heads);
  b.scope(Part::attention, "self_attn", [&] {
    for (const Text name : {"query", "key", "value", "out_proj"}) linear(b, name, d, d, true);
  });
}

void encoder(Config c, Builder& b, Expr d, const std::vector<Expr>& widths) {
  const Expr heads = c.integer("encoder_attention_heads", fixed(8), 1), inner = c.integer("encoder_dim_feedforward", 2048),
             n_layers = c.integer("encoder_layers", 1);
  const std::size_t times = c.integers("encoder_projection_indices", {2}).size();
  encoder_input_proj(b, "encoder.channel_projection_layers", widths, d);
  b.repeat("encoder.encoder", all(c.count("num_encoded_levels", "L_e", "Feature levels that pass through encoder layers.", times)), [&] {
    b.repeat("layers", all(n_layers), [&] {
      attention_of(b, d, heads);
      layer_norm(b, "self_attn_layer_norm", d);
      mlp(b, "", d, inner, true, "fc1", "fc2");
      layer_norm(b, "final_layer_norm", d);
    });
  });
  fuse_hybrid_levels(c, b, d, widths.size());
}

void decoder(Config c, Builder& b, Expr d, Expr seen) {
  const Expr heads = c.integer("decoder_num_heads", fixed(8), 1), inner = c.integer("decoder_dim_feedforward", 2048);
  const Expr n_layers = c.integer("decoder_num_layers", 6), points = c.integer("decoder_num_points", 4);
  const Expr n_levels = c.integer("num_feature_levels", 3), task = c.integer("class_embed_dim", 512);
  const Expr task_inner = c.integer("task_encoder_hidden_dim", 1024), four = c.literal(4);
  encoder_input_proj(b, "channel_projection_layers", c.dimensions("vision_features_channels", {256, 256, 256}), d);
  b.scope("task_encoder", [&] {
    mlp(b, "mlp", task, task_inner, true, "linear1", "linear2");
    layer_norm(b, "res1.norm1", task);
  });
  if (task.decide() != d.decide()) b.tower(Tower::projector, "", [&] { linear(b, "task_project", task, d, true); });
  b.repeat("layers", all(n_layers), [&] {
    attention_of(b, d, heads);
    b.owned_by(Owner::cross, [&] { deformable_attention(b, "cross_attn", {seen, heads, n_levels, points}); });
    mlp(b, "", d, inner, true, "linear1", "linear2");
    for (const Text name : {"norm1", "norm2", "norm3"}) layer_norm(b, name, d);
  });
  b.part(Part::embedding, [&] {
    if (c.flag("learn_initial_query", false)) table(b, "tgt_embed", c.integer("num_queries", 900), d);
    mlp_head(b, "query_position_head", four, 2 * d, d, 2);
  });
  b.part(Part::output_head, [&] {
    linear(b, "encoder_vision_features.0", d, d, true);
    layer_norm(b, "encoder_vision_features.1", d);
    linear(b, "encoder_class_head", task, d, true);
    mlp_head(b, "encoder_bbox_head", d, d, four, 3);
    b.repeat("decoder_class_head", all(n_layers), [&] { linear(b, "", task, d, true); });
    b.repeat("decoder_bbox_head", all(n_layers), [&] { mlp_head(b, "", d, d, four, 3); });
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr seen = c.integer("encoder_hidden_dim", 256), d = c.integer("decoder_hidden_dim", 256);
  const Expr text_in = c.integer("text_projection_in_dim", 512), text_out = c.integer("text_projection_out_dim", 512);
  const std::vector<Expr> widths = c.dimensions("encoder_in_channels", {192, 384, 768});
  b.tower(Tower::vision, "vision_backbone", [&] {
    vision_backbone(c, b);
    for (std::size_t i = 0; i < widths.size(); ++i) layer_norm(b, concat({"layer_norms.", digits(i)}), widths[i]);
  });
  Config text = c.section("text_config");
  b.scope("language_backbone", [&] {
    nested_auto(text, b, "model", "clip_text_model");
    b.tower(Tower::projector, "", [&] { b.parameter("text_projection", {text_in, text_out}, StorageKind::matrix); });
  });
  encoder(c, b, seen, widths);
  b.scope("decoder", [&] { decoder(c, b, d, seen); });
  return {.hidden = d};
}

void no_head(Config /*c*/, Builder& /*b*/, const BackboneOutput& /*m*/) {}

constexpr Alias aliases[] = {{"d_model", "encoder_hidden_dim"}, {"num_attention_heads", "encoder_attention_heads"}};

}  // namespace

extern const Family omdet_turbo{
    .model_type = "omdet-turbo",
    .summary = "Real-time open-vocabulary object detection: RT-DETR with CLIP's text encoder.",
    .classes = {"OmDetTurbo", heads::objects, ""},
    .aliases = aliases,
    .backbone = backbone,
    .head = no_head,
};

}  // namespace param_ledger
