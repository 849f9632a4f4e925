// DeepSeek-VL2: SigLIP with timm's names, a projector that by default merges patches, and a DeepSeek-V2 with or without latent attention.
// Janus as first published: a SigLIP with timm's names, a VQ model that converts images to codes and back, and a Llama. Source:
// deepseek-ai/DeepSeek-VL2, deepseek_vl2/models; deepseek-ai/Janus, janus/models.

#include <algorithm>

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/deepseek.hpp"
#include "core/nn/vision/vision.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

extern const Family llama;  // defined in llama.cpp

namespace {

/// The sizes of SigLIP's vision transformer.
struct Siglip {
  Expr d, n_layers, side, patch, inner, inner_of_pool;
};

/// Records SigLIP's vision transformer with timm's names. Source: timm, models/vision_transformer.py.
void siglip(Builder& b, const Siglip& m) {
  const Expr d = m.d;
  b.part(Part::embedding, [&] {
    patch_embedding(b, "patch_embed.proj", b.pool().literal(3), d, m.patch);
    tokens(b, "pos_embed", power(floor_divide(m.side, m.patch), 2), d);
  });
  b.repeat("blocks", all(m.n_layers), [&] {
    layer_norm(b, "norm1", d);
    b.scope(Part::attention, "attn", [&] {
      linear(b, "qkv", d, 3 * d, true, TensorRole::query_key_value);
      linear(b, "proj", d, d, true, TensorRole::output);
    });
    layer_norm(b, "norm2", d);
    mlp(b, "mlp", d, m.inner, true, "fc1", "fc2");
  });
  layer_norm(b, "norm", d);
  b.scope(Part::attention, "attn_pool", [&] {
    tokens(b, "latent", 1, d);
    linear(b, "q", d, d, true, TensorRole::query);
    linear(b, "kv", d, 2 * d, true);
    linear(b, "proj", d, d, true, TensorRole::output);
    layer_norm(b, "norm", d);
    mlp(b, "mlp", d, m.inner_of_pool, true, "fc1", "fc2");
  });
}

/// Records the linear layers `name.layers.0`, `name.layers.2` …; the indices between them belong to activations.
void linear_chain(Builder& b, Text name, Expr in, Expr inner, Expr out, Count depth) {
  for (Count i = 0; i < depth; ++i)
    linear(b, concat({name, ".layers.", digits(2 * i)}), i == 0 ? in : inner, i + 1 == depth ? out : inner, true);
}

Count depth_of(Config c, Text field, std::uint64_t fallback) {
  const Count depth = c.integer(field, fallback, 1).decide();
  constexpr Count most = 100;
  if (depth > most) c.refuse(ErrorCode::too_large, field, "must be at most 100.");
  return depth;
}

void vl2_projector(Config c, Builder& b) {
  c.consume("model_type");
  static constexpr std::string_view types[] = {"identity", "linear", "mlp_gelu", "downsample_mlp_gelu"};
  const std::string_view type = c.text("projector_type", "downsample_mlp_gelu", types);
  const Expr in = c.integer("input_dim", 1152), out = c.integer("n_embed", 2048);
  const Count depth = depth_of(c, "depth", 2);
  const Expr inner = out * c.integer("mlp_ratio", 1), side = c.integer("downsample_ratio", 2);
  if (c.flag("token_pooling", false)) linear(b, "projector.token_pooling_layer", 4 * in, in, true);
  if (type == "linear") linear(b, "projector.layers", in, out, true);
  if (type == "mlp_gelu") linear_chain(b, "projector", in, out, out, depth);
  // There are at least two layers, because the published code always adds the last one, even if depth is 1.
  if (type == "downsample_mlp_gelu") linear_chain(b, "projector", in * power(side, 2), inner, out, std::max<Count>(depth, 2));
}

BackboneOutput vl2(Config c, Builder& b) {
  Config seen = c.section("vision_config"), text = c.section("language_config"), projector = c.section("projector_config");
  seen.consume("model_type");
  seen.consume("model_name");
  static constexpr std::string_view tags[] = {"2D"}, pools[] = {"map"};
  static_cast<void>(c.text("tile_tag", "2D", tags));
  static_cast<void>(seen.text("global_pool", "map", pools));
  if (seen.flag("class_token", false)) seen.refuse(ErrorCode::unsupported, "class_token", "must be false.");
  const Expr d = seen.integer("width", 1024);
  const Expr inner = seen.scaled("mlp_ratio", 4, d, "inner_size", "f");
  b.tower(Tower::vision, "vision", [&] {
    siglip(b, {d, seen.integer("layers", 24), seen.integer("image_size", 384), seen.integer("patch_size", 16, 1), inner, inner});
  });
  require_multiple(d, seen.integer("heads", 16, 1));
  b.tower(Tower::projector, "", [&] {
    vl2_projector(projector, b);
    const Expr width = projector.integer("n_embed", 2048);
    b.parameter("image_newline", {width});
    b.parameter("view_seperator", {width});  // misspelled in the published code
  });
  BackboneOutput out;
  b.scope("language.model", [&] { out = deepseek_v2_as_published(text, b); });
  return out;
}

void vl2_head(Config c, Builder& b, const BackboneOutput& m) {
  BackboneOutput named = m;
  named.language_model = "language.lm_head";
  language_model_head(b, named, c.section("language_config").flag("tie_word_embeddings", false));
}

/// The SigLIP towers that are supported in a Janus configuration, with the sizes that the configuration does not give.
struct KnownTower {
  std::string_view name;
  std::uint64_t width, layers, patch, inner;
};
constexpr KnownTower known_towers[] = {{"siglip_so400m_patch14_384", 1152, 27, 14, 4304},
                                       {"siglip_so400m_patch14_224", 1152, 27, 14, 4304},
                                       {"siglip_large_patch16_384", 1024, 24, 16, 4096}};

/// Records the vision tower. Only select_layer = -1 is supported: lower values leave out the last layers.
void janus_tower(Config c, Builder& b) {
  const std::string_view name = c.text("model_name", "siglip_large_patch16_384");
  const auto* const known =
      std::find_if(std::begin(known_towers), std::end(known_towers), [&](const KnownTower& k) { return k.name == name; });
  if (known == std::end(known_towers))
    c.refuse(ErrorCode::unsupported, "model_name", "must be a name such as \"siglip_large_patch16_384\".");
  const Json given = c.peek("select_layer");
  if (given && !(given.is(Json::Type::integer) && given.negative() && given.magnitude() == 1))
    c.refuse(ErrorCode::unsupported, "select_layer", "must be -1.");
  c.ignore("select_layer", "-1: all layers.");
  siglip(b, {c.literal(known->width), c.literal(known->layers), c.integer("image_size", required(384)), c.literal(known->patch),
             c.literal(known->inner), c.literal(known->inner)});
}

void janus_aligner(Config c, Builder& b, Text name) {
  static constexpr std::string_view types[] = {"mlp_gelu", "linear"};
  const bool chain = c.text("projector_type", "mlp_gelu", types) == "mlp_gelu";
  const Expr in = c.integer("input_dim", required(1024)), out = c.integer("n_embed", required(2048));
  const Count depth = depth_of(c, "depth", 1);
  if (chain)
    linear_chain(b, name, in, out, out, depth);
  else
    linear(b, concat({name, ".layers"}), in, out, true);
}

void res_block(Builder& b, Text name, Expr in, Expr out) {
  b.scope(name, [&] {
    group_norm(b, "norm1", in);
    conv2d(b, "conv1", in, out, 3);
    group_norm(b, "norm2", out);
    conv2d(b, "conv2", out, out, 3);
    if (in.decide() != out.decide()) conv2d(b, "nin_shortcut", in, out, 1);
  });
}
void attention_block(Builder& b, Text name, Expr d) {
  b.scope(name, [&] {
    group_norm(b, "norm", d);
    for (const Text part : {"q", "k", "v", "proj_out"}) conv2d(b, part, d, d, 1);
  });
}
void middle(Builder& b, Expr d) {
  res_block(b, "mid.0", d, d);
  attention_block(b, "mid.1", d);
  res_block(b, "mid.2", d, d);
}

/// Records VQ-16: an encoder and a decoder, each with stages of 128, 128, 256, 256 and 512 channels (in the decoder in reverse order) and a
/// middle block, and a codebook of 16,384 codes of width 8. Only the widest stage and the middle block have attention.
void vq_16(Builder& b) {
  Pool& pool = b.pool();
  const auto width = [&](Count n) { return pool.literal(128 * n); };
  constexpr Count factors[] = {1, 1, 2, 2, 4};
  constexpr std::size_t last = 4;
  const Expr z = pool.literal(256), code = pool.literal(8), three = pool.literal(3);
  b.scope("encoder", [&] {
    conv2d(b, "conv_in", three, width(1), 3);
    for (std::size_t i = 0; i <= last; ++i) {
      b.scope(concat({"conv_blocks.", digits(i)}), [&] {
        const Expr in = width(i == 0 ? 1 : factors[i - 1]), out = width(factors[i]);
        res_block(b, "res.0", in, out);
        res_block(b, "res.1", out, out);
        if (i == last)
          for (const Text name : {"attn.0", "attn.1"}) attention_block(b, name, out);
        else
          conv2d(b, "downsample.conv", out, out, 3);
      });
    }
    middle(b, width(4));
    group_norm(b, "norm_out", width(4));
    conv2d(b, "conv_out", width(4), z, 3);
  });
  b.scope("decoder", [&] {
    conv2d(b, "conv_in", z, width(4), 3);
    middle(b, width(4));
    for (std::size_t i = 0; i <= last; ++i) {
      b.scope(concat({"conv_blocks.", digits(i)}), [&] {
        const Expr in = width(i == 0 ? 4 : factors[last - i + 1]), out = width(factors[last - i]);
        res_block(b, "res.0", in, out);
        res_block(b, "res.1", out, out);
        res_block(b, "res.2", out, out);
        if (i == 0)
          for (const Text name : {"attn.0", "attn.1", "attn.2"}) attention_block(b, name, out);
        if (i < last) conv2d(b, "upsample.conv", out, out, 3);
      });
    }
    group_norm(b, "norm_out", width(1));
    conv2d(b, "conv_out", width(1), three, 3);
  });
  table(b, "quantize.embedding", pool.literal(16384), code);
  b.buffer("quantize.codebook_used", {pool.literal(65536)});
  conv2d(b, "quant_conv", z, code, 1);
  conv2d(b, "post_quant_conv", code, z, 1);
}

BackboneOutput janus(Config c, Builder& b) {
  const auto part = [&](Text section, std::string_view cls) -> Config {
    Config its = c.section(section);
    its.consume("model_type");
    if (its.text("cls", "") != cls) its.refuse(ErrorCode::unsupported, "cls", concat({"must be \"", cls, "\"."}));
    return its.section("params");
  };
  Config seen = part("vision_config", "CLIPVisionTower"), aligner = part("aligner_config", "MlpProjector");
  Config codes = part("gen_vision_config", "VQ-16"), gen_aligner = part("gen_aligner_config", "MlpProjector");
  Config gen_head = part("gen_head_config", "vision_head");
  b.tower(Tower::vision, "vision_model.vision_tower", [&] { janus_tower(seen, b); });
  b.tower(Tower::projector, "", [&] { janus_aligner(aligner, b, "aligner"); });
  b.tower(Tower::vision, "gen_vision_model", [&] { vq_16(b); });
  b.tower(Tower::projector, "", [&] {
    janus_aligner(gen_aligner, b, "gen_aligner");
    const Expr in = gen_head.integer("n_embed", required(2048)), inner = gen_head.integer("image_token_embed", required(2048));
    linear(b, "gen_head.output_mlp_projector", in, inner, true);
    linear(b, "gen_head.vision_head", inner, gen_head.integer("image_token_size", required(16384)), true);
    table(b, "gen_embed", codes.integer("image_token_size", required(16384)), codes.integer("n_embed", required(8)));
  });
  Config text = c.section("language_config");
  require_type(text, "llama");
  return nested(text, b, "language_model.model", llama);
}

void janus_head(Config c, Builder& b, const BackboneOutput& m) { nested_language_model_head(c.section("language_config"), b, m); }

constexpr Architecture vl2_classes[] = {{"DeepseekVLV2ForCausalLM", Head::causal_lm, ""}};
constexpr Architecture janus_classes[] = {{"MultiModalityCausalLM", Head::causal_lm, ""}};

}  // namespace

extern const Family deepseek_vl_v2{
    .model_type = "deepseek_vl_v2",
    .summary = "DeepSeek-VL2: a vision-language mixture-of-experts model with SigLIP.",
    .classes = {.listed = vl2_classes},
    .backbone = vl2,
    .head = vl2_head,
    .own_code = true,
};
extern const Family multi_modality{
    .model_type = "multi_modality",
    .summary = "Janus and Janus-Pro with their original code: a Llama for image understanding and generation.",
    .classes = {.listed = janus_classes},
    .backbone = janus,
    .head = janus_head,
    .own_code = true,
};

}  // namespace param_ledger
