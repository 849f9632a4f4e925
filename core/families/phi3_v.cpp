// Phi-3 Vision and Phi-3.5 Vision: Phi-3. If embd_layer is an object, a second embedding module contains CLIP's vision tower and a
// projector. Source: modeling_phi3_v.py and image_embedding_phi3_v.py as published with Phi-3-vision-128k-instruct.

#include "core/nn/heads.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/nn/vision/named_towers.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType type{.sizes = {3072, 8192, 32, 32064, 32},
                         .head_dim = absent,
                         .divisible = true,
                         .layout = {.attention = {.fused = "qkv_proj"}, .feed_forward = FeedForward::gated_fused}};

void image_embedding(Config c, Builder& b, Expr d) {
  Config layer = c.section("embd_layer"), processor = c.section("img_processor");
  static constexpr std::string_view kinds[] = {"clip_vision_model"}, projections[] = {"linear", "mlp"};
  static_cast<void>(processor.text("name", "", kinds));
  const Expr seen = processor.integer("image_dim_out", required(1024));
  const bool merged = layer.flag("use_hd_transform", false);
  if (layer.flag("with_learnable_separator", false) != merged)
    layer.refuse(ErrorCode::inconsistent, "with_learnable_separator", "must equal use_hd_transform.");
  const bool two = layer.text("projection_cls", "linear", projections) == "mlp";
  b.tower(Tower::vision, "img_processor", [&] { named_clip_tower(processor, b, "model_name", processor.text("model_name", "")); });
  b.tower(Tower::projector, "", [&] {
    if (merged) {
      const Expr one = c.literal(1);
      b.parameter("glb_GN", {one, one, 4 * seen});
      b.parameter("sub_GN", {one, one, one, 4 * seen});
    }
    if (!two) return linear(b, "img_projection", seen, d, true);
    linear(b, "img_projection.0", merged ? 4 * seen : seen, d, true);
    linear(b, "img_projection.2", d, d, true);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  BackboneOutput out = llama_decoder(b, llama_type_fields(c, type));
  out.token_classifier = "classifier";
  if (!c.peek("embd_layer").is(Json::Type::object)) {
    c.ignore("embd_layer", "The model has no vision encoder, because this is not an object.");
    return out;
  }
  b.scope("vision_embed_tokens", [&] {
    b.part(Part::embedding, [&] { b.tied("wte.weight", out.embedding); });
    image_embedding(c, b, out.hidden);
  });
  return out;
}

}  // namespace

extern const Family phi3_v{
    .model_type = "phi3_v",
    .summary = "Vision-language model: Phi-3 with CLIP's ViT.",
    .classes = {"Phi3V", heads::decoder | heads::sequence | heads::token},
    .backbone = backbone,
    .own_code = true,
};

}  // namespace param_ledger
