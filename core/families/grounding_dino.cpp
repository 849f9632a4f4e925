// Grounding DINO: detects the objects that a text names. Encoder layers fuse text and image, and the decoder's queries attend to both. MM
// Grounding DINO is trained differently and has a bias on the class scores. Source: transformers, models/grounding_dino, mm_grounding_dino.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/detection.hpp"
#include "core/nn/vision/swin.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"hidden_size", "d_model"}, {"num_attention_heads", "encoder_attention_heads"}};

/// The Swin that transformers builds if backbone_config is missing.
constexpr SwinType swin_type{.given_from = 2};
constexpr Family unnamed{.model_type = "swin", .aliases = swin_aliases, .backbone = swin_of_type<swin_type>};

void attention_of(Builder& b, Text name, Expr d, Expr heads) {
  require_positive(heads);
  attention(b, name,
            {.hidden = d,
             .heads = heads,
             .qkv_bias = true,
             .output_bias = true,
             .scaled_by_head_dim = false,
             .q = "query",
             .k = "key",
             .v = "value",
             .o = "out_proj"});
}

/// Records cross-attention in both directions between text and image.
void fusion(Builder& b, Expr d, Expr inner, Expr heads) {
  require_multiple(inner, heads);
  require_positive(inner);
  for (const Text norm : {"layer_norm_vision", "layer_norm_text"}) layer_norm(b, norm, d);
  b.owned_by(Owner::cross, [&] {
    b.scope(Part::attention, "", [&] {
      for (const Text name : {"vision_proj", "text_proj", "values_vision_proj", "values_text_proj"})
        linear(b, concat({"attn.", name}), d, inner, true);
      for (const Text name : {"out_vision_proj", "out_text_proj"}) linear(b, concat({"attn.", name}), inner, d, true);
      for (const Text name : {"vision_param", "text_param"}) layer_scale(b, name, d);
    });
  });
}

template <bool mm>
BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("d_model", 256), queries = c.integer("num_queries", 900), n_levels = c.integer("num_feature_levels", 4);
  const Stack encoder = encoder_fields(c, d, {6, 2048, 8}), decoder = decoder_fields(c, d, {6, 2048, 8});
  const Expr encoder_points = c.integer("encoder_n_points", 4), decoder_points = c.integer("decoder_n_points", 4);
  const Expr places = floor_divide(c.integer("query_dim", 4), c.literal(2)), two = c.literal(2);
  const bool two_stage = c.flag("two_stage", true), learned = c.flag("embedding_init_target", true) || !two_stage;
  std::vector<Expr> seen;
  b.frozen([&] { seen = taken_backbone(c, b, "backbone.conv_encoder.model", unnamed, 2); });
  learned_image_positions(c, b, "backbone.position_embedding", d);
  image_levels(b, "input_proj_vision", seen, d, n_levels, !mm);
  Config text = c.section("text_config");
  const Expr width = nested_backbone(text, b, "text_backbone", family_of_section(text, b, "bert")).hidden;  // the text model has no pooler
  b.tower(Tower::projector, "", [&] { linear(b, "text_projection", width, d, true); });
  b.part(Part::embedding, [&] {
    if (learned) table(b, "query_position_embeddings", queries, d);
    b.parameter("level_embed", {n_levels, d}, StorageKind::table);
    if (!two_stage && !mm) table(b, "reference_points", queries, c.literal(4));
  });
  const Expr half_heads = floor_divide(encoder.heads, two), half = floor_divide(encoder.inner, two);
  b.repeat("encoder.layers", all(encoder.n_layers), [&] {
    b.scope("text_enhancer_layer", [&] {
      attention_of(b, "self_attn", d, half_heads);
      mlp(b, "", d, half, true, "fc1", "fc2");
      for (const Text norm : {"layer_norm_before", "layer_norm_after"}) layer_norm(b, norm, d);
    });
    b.scope("fusion_layer", [&] { fusion(b, d, half, half_heads); });
    b.scope("deformable_layer", [&] {
      deformable_attention(b, "self_attn", {d, encoder.heads, n_levels, encoder_points});
      layer_norm(b, "self_attn_layer_norm", d);
      mlp(b, "", d, encoder.inner, true, "fc1", "fc2");
      layer_norm(b, "final_layer_norm", d);
    });
  });
  b.repeat("decoder.layers", all(decoder.n_layers), [&] {
    for (const Text name : {"self_attn", "encoder_attn_text"}) {
      b.owned_by(name == "encoder_attn_text" ? Owner::cross : Owner::itself, [&] { attention_of(b, name, d, decoder.heads); });
      layer_norm(b, concat({name, "_layer_norm"}), d);
    }
    b.owned_by(Owner::cross, [&] { deformable_attention(b, "encoder_attn", {d, decoder.heads, n_levels, decoder_points}); });
    layer_norm(b, "encoder_attn_layer_norm", d);
    mlp(b, "", d, decoder.inner, true, "fc1", "fc2");
    layer_norm(b, "final_layer_norm", d);
  });
  layer_norm(b, "decoder.layer_norm", d);
  b.part(Part::embedding, [&] { mlp_head(b, "decoder.reference_points_head", places * d, d, d, 2); });
  if (two_stage || mm)
    b.part(Part::output_head, [&] {
      linear(b, "enc_output", d, d, true);
      layer_norm(b, "enc_output_norm", d);
      mlp_head(b, "encoder_output_bbox_embed", d, d, c.literal(4), 3);
      if (mm) b.parameter("encoder_output_class_embed.bias", {});
    });
  return {.hidden = d};
}

/// Records the heads. All decoder layers share one box head, which is also a module of the decoder. With `mm`, the layers also share a
/// class bias.
template <bool mm>
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::object_detection) return;
  const Expr d = m.hidden, n_layers = c.integer("decoder_layers", 6);
  for (const Text shared : {"tie_word_embeddings", "decoder_bbox_embed_share", "decoder_cls_embed_share"})
    if ((mm || shared != "decoder_cls_embed_share") && !c.flag(shared, true))
      c.refuse(ErrorCode::unsupported, shared, "must be true here.");
  if (n_layers.decide() == 0) return;
  const Expr widths[] = {d, d, c.literal(4)};
  const IndexSet others = between(c.literal(1), n_layers);
  b.part(Part::output_head, [&] {
    const auto everywhere = [&](Text name, Text rest, Tensor one) {
      b.repeat(name, others, [&] { b.tied(rest, one); });
      b.repeat(concat({"model.decoder.", name}), all(n_layers), [&] { b.tied(rest, one); });
    };
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string weight = concat({"layers.", digits(i), ".weight"}), bias = concat({"layers.", digits(i), ".bias"});
      everywhere("bbox_embed", weight, b.parameter(concat({"bbox_embed.0.", weight}), {widths[i], d}, StorageKind::matrix));
      everywhere("bbox_embed", bias, b.parameter(concat({"bbox_embed.0.", bias}), {widths[i]}));
    }
    if (mm) everywhere("class_embed", "bias", b.parameter("class_embed.0.bias", {}));
  });
}

constexpr unsigned detectors = heads::base | heads::objects;

}  // namespace

extern const Family grounding_dino{
    .model_type = "grounding-dino",
    .summary = "Open-vocabulary object detection: DINO with a BERT text encoder.",
    .classes = {"GroundingDino", detectors, "model"},
    .aliases = aliases,
    .backbone = backbone<false>,
    .head = head<false>,
};
extern const Family mm_grounding_dino{
    .model_type = "mm-grounding-dino",
    .summary = "Like Grounding DINO, retrained with MMDetection's recipe.",
    .classes = {"MMGroundingDino", detectors, "model"},
    .aliases = aliases,
    .backbone = backbone<true>,
    .head = head<true>,
};

}  // namespace param_ledger
