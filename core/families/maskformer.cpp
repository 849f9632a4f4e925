// MaskFormer: a feature pyramid and DETR's decoder on a backbone. Each query predicts a mask.
// Source: transformers, models/maskformer.

#include "core/nn/nested.hpp"
#include "core/nn/vision/detection.hpp"
#include "core/nn/vision/mask_queries.hpp"
#include "core/nn/vision/swin.hpp"

namespace param_ledger {

extern const Family maskformer_swin;

namespace {

constexpr Alias aliases[] = {{"hidden_size", "mask_feature_size"}};

/// The Swin that transformers builds if backbone_config is missing.
constexpr SwinType wide{.kept_index = true, .position_of_class = true, .width = 128, .heads = 4, .third = 18, .window = 12, .side = 384};
constexpr Family wide_swin{.model_type = "swin", .aliases = swin_aliases, .backbone = swin_of_type<wide>};

/// Records the backbone: Swin with a norm for each of its first four stages, or a ResNet. Returns the widths of the stages whose outputs
/// are read.
std::vector<Expr> maskformer_encoder(Config c, Builder& b) {
  constexpr Text name = "pixel_level_module.encoder";
  refuse_named_backbone(c);
  Config section = c.section("backbone_config");
  const Json type = section.peek("model_type");
  const bool said = is_given(c, "backbone_config");
  if (type.is(Json::Type::string) && type.string() == "resnet") return taken_backbone(c, b, name, maskformer_swin, 1);
  if (type.is(Json::Type::string) && type.string() != "swin")
    section.refuse(ErrorCode::unsupported, "model_type", "must be \"swin\" or \"resnet\" here.");
  for (const Text unread : {"out_features", "out_indices"}) section.consume(unread);
  const BackboneOutput out = nested(section, b, concat({name, ".model"}), said ? maskformer_swin : wide_swin);
  std::vector<Expr> widths{out.stages.begin() + 1, out.stages.end()};
  constexpr std::size_t stages = 4;
  if (widths.size() < stages) section.refuse(ErrorCode::out_of_range, "depths", "must have at least 4 entries here.", Refused::list_length);
  widths.resize(stages);
  for (std::size_t i = 0; i < stages; ++i) layer_norm(b, concat({name, ".hidden_states_norms.", digits(i)}), widths[i]);
  return widths;
}

constexpr Alias detr_aliases[] = {
    {"hidden_size", "d_model"}, {"num_attention_heads", "encoder_attention_heads"}, {"num_hidden_layers", "encoder_layers"}};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr joined = c.integer("fpn_feature_size", 256), masks = c.integer("mask_feature_size", 256);
  Config decoder = c.section("decoder_config").with(detr_aliases);
  const Json type = decoder.peek("model_type");
  if (type.is(Json::Type::string) && type.string() != "detr")
    decoder.refuse(ErrorCode::unsupported, "model_type", "must be \"detr\" here.");
  decoder.consume("model_type");
  const Expr d = decoder.integer("d_model", 256), queries = decoder.integer("num_queries", 100);
  Stack layers = decoder_fields(decoder, d, {6, 2048, 8});
  layers.even_share = false;
  const std::vector<Expr> seen = maskformer_encoder(c, b);
  b.scope(Part::convolution, "pixel_level_module.decoder", [&] {
    conv_group_norm(b, "fpn.stem", seen.back(), joined, 3);
    for (std::size_t i = 0; i + 1 < seen.size(); ++i)
      b.scope(concat({"fpn.layers.", digits(i)}), [&] {
        conv_group_norm(b, "proj", seen[seen.size() - 2 - i], joined, 1);
        conv_group_norm(b, "block", joined, joined, 3);
      });
    conv2d(b, "mask_projection", joined, masks, 3);
  });
  b.scope("transformer_module", [&] {
    b.part(Part::embedding, [&] {
      table(b, "queries_embedder", queries, d);
      if (seen.back().decide() != d.decide()) b.part(Part::adapter, [&] { conv2d(b, "input_projection", seen.back(), d, 1); });
    });
    b.scope("decoder", [&] {
      stack_layers(b, layers);
      layer_norm(b, "layernorm", d);
    });
  });
  return {.hidden = d};
}

constexpr Architecture instances[] = {{"MaskFormerForInstanceSegmentation", Head::other, "model"}};

}  // namespace

extern const Family maskformer{
    .model_type = "maskformer",
    .summary = "Semantic, instance and panoptic segmentation by mask queries.",
    .classes = {"MaskFormer", heads::base, "model", {}, instances},
    .aliases = aliases,
    .backbone = backbone,
    .head = mask_class_head,
};

}  // namespace param_ledger
