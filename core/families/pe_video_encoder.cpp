// The Perception Encoder for video: transformer layers that read a vision transformer's output for each frame. Source: transformers,
// models/pe_video; timm for the vision transformer.

#include "core/nn/audio/pe_encoder.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Records timm's large Perception Encoder for images. The video encoder's own layers read its class logits. Returns the number of classes.
Expr frames(Config c, Builder& b) {
  constexpr std::string_view known = "vit_pe_core_large_patch14_336";
  c.consume("model_type");
  if (c.text("architecture", "vit_pe_core_large_patch14_336") != known)
    c.refuse(ErrorCode::unsupported, "architecture", concat({"must be \"", known, "\" to be counted here."}));
  const Json arguments = c.peek("model_args");
  if (arguments && !arguments.is_null() && arguments.size() > 0)
    c.refuse(ErrorCode::unsupported, "model_args", "is passed to timm, which is not supported here.");
  const Expr d = c.literal(1024), f = c.literal(4096), positions = c.literal(24 * 24 + 1), labels = num_labels(c);
  require_positive(labels);
  b.tower(Tower::vision, "vision_model.timm_model", [&] {
    b.part(Part::embedding, [&] {
      tokens(b, "cls_token", 1, d);
      tokens(b, "pos_embed", positions, d);
      patch_embedding(b, "patch_embed.proj", c.literal(3), d, 14, false);
    });
    layer_norm(b, "norm_pre", d);
    b.repeat("blocks", all(c.literal(24)), [&] {
      layer_norm(b, "norm1", d);
      b.scope(Part::attention, "attn", [&] {
        linear(b, "qkv", d, 3 * d, true, TensorRole::query_key_value);
        linear(b, "proj", d, d, true, TensorRole::output);
      });
      layer_norm(b, "norm2", d);
      mlp(b, "mlp", d, f, true, "fc1", "fc2");
    });
    layer_norm(b, "norm", d);
    b.scope(Part::attention, "attn_pool", [&] {
      tokens(b, "latent", 1, d);
      linear(b, "q", d, d, true);
      linear(b, "kv", d, 2 * d, true);
      linear(b, "proj", d, d, true);
      layer_norm(b, "norm", d);
      mlp(b, "mlp", d, f, true, "fc1", "fc2");
    });
    b.part(Part::output_head, [&] { linear(b, "head", d, labels, true); });
  });
  return labels;
}

BackboneOutput backbone(Config c, Builder& b) {
  return pe_encoder(c, b, [&](Expr d) {
    const Expr seen = frames(c.section("vision_config"), b);
    b.tower(Tower::projector, "", [&] {
      linear(b, "proj", seen, d);
      linear(b, "data_proj", d, d, true);
    });
  });
}

constexpr Architecture classes[] = {{"PeVideoEncoder", Head::none, ""}};

}  // namespace

extern const Family pe_video_encoder{
    .model_type = "pe_video_encoder",
    .summary = "Video encoder of PE-AV (Perception Encoder).",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
