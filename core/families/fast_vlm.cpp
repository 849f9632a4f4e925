// FastVLM: by default FastViT, a convolutional network whose last two stages have attention; a two-layer projector; and a text model (by
// default a Qwen2). Source: transformers, models/fast_vlm; timm for the tower, with the tensors that transformers builds from it.

#include <iterator>
#include <string>

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/vision.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Records a depthwise and a pointwise convolution, each fused with its norm.
void downsample(Builder& b, Expr out) {
  b.scope("downsample.proj", [&] {
    conv2d(b, "0.reparam_conv", b.pool().literal(1), out, 7);
    conv2d(b, "1.reparam_conv", out, out, 1);
  });
}

/// Records a feed-forward block that consists of convolutions.
void convolution_mlp(Builder& b, Expr d) {
  b.scope(Part::feed_forward, "mlp", [&] {
    depthwise_conv2d(b, "conv.conv", d, 7, false);
    batch_norm(b, "conv.bn", d);
    conv2d(b, "fc1", d, 4 * d, 1);
    conv2d(b, "fc2", 4 * d, d, 1);
  });
}

/// Records FastViT MCi3, with fused branches and the sizes that are fixed in timm. Returns the number of output channels.
Expr fastvit(Builder& b) {
  constexpr std::uint64_t depths[] = {2, 12, 24, 4, 2}, first = 96, attention_from = 3;
  const auto number = [&](std::uint64_t value) { return b.pool().literal(value); };
  const Expr one = number(1);
  const auto scale = [&](Text name, Expr d) { b.parameter(name, {d, one, one}); };
  b.scope("stem", [&] {
    const Expr d = number(first);
    conv2d(b, "0.reparam_conv", number(3), d, 3);
    depthwise_conv2d(b, "1.reparam_conv", d, 3);
    conv2d(b, "2.reparam_conv", d, d, 1);
  });
  for (std::uint64_t i = 0; i < std::size(depths); ++i) {
    const Expr d = number(first << i);
    b.scope("stages." + std::to_string(i), [&] {
      if (i > 0) downsample(b, d);
      if (i >= attention_from) depthwise_conv2d(b, "pos_emb.reparam_conv", d, 7);
      b.repeat("blocks", all(number(depths[i])), [&] {
        if (i < attention_from) {
          depthwise_conv2d(b, "token_mixer.reparam_conv", d, 3);
          convolution_mlp(b, d);
          scale("layer_scale.gamma", d);
          return;
        }
        layer_norm(b, "norm", d);
        b.part(Part::attention, [&] {
          linear(b, "token_mixer.qkv", d, 3 * d, false, TensorRole::query_key_value);
          linear(b, "token_mixer.proj", d, d, true, TensorRole::output);
          scale("layer_scale_1.gamma", d);
        });
        convolution_mlp(b, d);
        scale("layer_scale_2.gamma", d);
      });
    });
  }
  const Expr out = number(2 * (first << (std::size(depths) - 1))), squeezed = number(192);
  b.scope("final_conv", [&] {
    conv2d(b, "se.fc1", out, squeezed, 1);
    conv2d(b, "se.fc2", squeezed, out, 1);
    depthwise_conv2d(b, "reparam_conv", out, 3);
  });
  return out;
}

/// Records the vision tower. Returns its output width.
Expr tower(Config c, Builder& b) {
  if (!is_given(c, "vision_config")) {
    Expr out;
    b.tower(Tower::vision, "vision_tower.timm_model", [&] { b.part(Part::convolution, [&] { out = fastvit(b); }); });
    return out;
  }
  Config vision = c.section("vision_config");
  require_type(vision, "timm_wrapper");
  vision.consume("model_type");
  const std::string_view name = vision.text("architecture", "resnet50");
  const Expr hidden = vision.integer("hidden_size", required(3072));
  const Json folded = vision.peek("model_args")["inference_mode"];
  b.tower(Tower::vision, "vision_tower", [&] {
    if (name != "fastvit_mci3") {
      timm_resnet(vision, b, "timm_model", name, c.literal(3));
      return;
    }
    if (!folded.is(Json::Type::boolean) || !folded.boolean())
      vision.refuse(ErrorCode::unsupported, "model_args",
                    "must contain \"inference_mode\": true, because FastViT is counted as published, with fused branches.");
    vision.ignore("model_args", "It means that the branches of the vision model are fused.");
    b.scope(Part::convolution, "timm_model", [&] { fastvit(b); });
  });
  return hidden;
}

constexpr LlamaType unnamed_text{.sizes = {3584, 18944, 28, 152128, 28}, .kv_heads = fixed(4), .layout = {.attention = {.qkv_bias = true}}};
extern const Family unnamed_fast_vlm_text{
    .model_type = "qwen2",
    .backbone = of_type<unnamed_text>,
    .cache = caches::switched(4096),
};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr features = tower(c, b);
  const bool bias = c.flag("multimodal_projector_bias", true);
  BackboneOutput out = is_given(c, "text_config") ? text_beside_vision(c.section("text_config"), b, "language_model", "qwen2")
                                                  : nested(c.section("text_config"), b, "language_model", unnamed_fast_vlm_text);
  b.tower(Tower::projector, "multi_modal_projector", [&] { two_layers(b, features, out.hidden, out.hidden, bias); });
  return out;
}

/// Records the head. It is tied if tie_word_embeddings is true at the top level or in text_config.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::none) return;
  const bool in_text = c.section("text_config").flag("tie_word_embeddings", m.tie_by_default);
  language_model_head(b, m, c.flag("tie_word_embeddings", false) || in_text);
}

}  // namespace

extern const Family fast_vlm{
    .model_type = "fast_vlm",
    .summary = "Vision-language model: Qwen2 with FastViT, which outputs few image tokens.",
    .classes = {"FastVlm", heads::conditional | heads::base},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
