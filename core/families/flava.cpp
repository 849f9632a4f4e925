// FLAVA: ViT's layers on images, on text, and on the outputs of both together. For pre-training there is by default also DALL-E's encoder.
// Source: transformers, models/flava.

#include "core/nn/vision/clip.hpp"
#include "core/nn/vision/vit.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Reads the sizes of one of FLAVA's three transformers: for images, for text, or for both.
VisionLayers layers_of(Config c, std::uint64_t layers) {
  VisionLayers m = vision_fields(c, {768, 3072, layers, 12}, vit_layers);
  m.attention.even_share = true;
  m.attention.scaled_by_head_dim = false;  // transformers does not refuse heads of dimension 0
  m.attention.qkv_bias = c.flag("qkv_bias", true);
  return m;
}
void record(Builder& b, const VisionLayers& m) {
  const Expr d = m.attention.hidden;
  vision_layers(b, m);
  layer_norm(b, "layernorm", d);
  pooler(b, "pooler.dense", d);
}

Expr image_model(Config c, Builder& b) {
  const VisionLayers m = layers_of(c, 12);
  Vit embeddings{.layers = m, .channels = c.integer("num_channels", 3), .image = c.sides("image_size", 224)};
  embeddings.patch = c.sides("patch_size", 16);
  if (c.flag("mask_token", true)) embeddings.mask = MaskToken::one;
  vit_embeddings(b, embeddings);
  record(b, m);
  return m.attention.hidden;
}

Expr text_model(Config c, Builder& b) {
  const VisionLayers m = layers_of(c, 12);
  const Expr d = m.attention.hidden, vocab = c.integer("vocab_size", 30522), positions = c.integer("max_position_embeddings", 512);
  const Expr types = c.integer("type_vocab_size", 2);
  b.scope("embeddings", [&] {
    embedding(b, "word_embeddings", vocab, d, TensorRole::token_embedding);
    embedding(b, "position_embeddings", positions, d, TensorRole::position_embedding);
    embedding(b, "token_type_embeddings", types, d, TensorRole::segment_embedding);
    layer_norm(b, "LayerNorm", d);
  });
  record(b, m);
  return d;
}

Expr joint_model(Config c, Builder& b) {
  const VisionLayers m = layers_of(c, 6);
  if (c.flag("use_cls_token", true)) b.part(Part::embedding, [&] { tokens(b, "cls_token", 1, m.attention.hidden); });
  record(b, m);
  return m.attention.hidden;
}

Config part(Config c, Text section, Text old) {
  Config out = section_or_legacy(c, section, old);
  out.consume("model_type");
  return out;
}
Config image_part(Config c) { return part(c, "image_config", "image_config_dict"); }
Config text_part(Config c) { return part(c, "text_config", "text_config_dict"); }

BackboneOutput backbone(Config c, Builder& b) {
  const Expr shared = c.integer("projection_dim", 768);
  Expr image, text, joint;
  b.tower(Tower::vision, "image_model", [&] { image = image_model(image_part(c), b); });
  b.scope("text_model", [&] { text = text_model(text_part(c), b); });
  b.scope("multimodal_model", [&] { joint = joint_model(part(c, "multimodal_config", "multimodal_config_dict"), b); });
  b.tower(Tower::projector, "", [&] {
    linear(b, "image_projection", image, shared, true);
    linear(b, "text_projection", text, shared, true);
    linear(b, "image_to_mm_projection", image, joint, true);
    linear(b, "text_to_mm_projection", text, joint, true);
    b.parameter("logit_scale", {});
  });
  return {.hidden = joint};
}

/// Records a block of DALL-E's encoder. If the width changes, the shortcut has a convolution.
void code_block(Builder& b, Expr in, Expr out) {
  const Expr inner = floor_divide(out, b.pool().literal(4));
  if (in.decide() != out.decide()) conv2d(b, "id_path", in, out, 1);
  b.scope("res_path.path", [&] {
    conv2d(b, "conv_1", in, inner, 3);
    conv2d(b, "conv_2", inner, inner, 3);
    conv2d(b, "conv_3", inner, inner, 3);
    conv2d(b, "conv_4", inner, out, 1);
  });
}

/// Records DALL-E's encoder, which computes the target codes for masked patches. Groups and blocks are numbered from 1.
void codebook(Config c, Builder& b) {
  c.consume("model_type");
  const Expr d = c.integer("hidden_size", 256), channels = c.integer("input_channels", 3), vocab = c.integer("vocab_size", 8192);
  const Expr n_blocks = c.integer("num_blocks_per_group", 2);
  b.scope(Part::convolution, "blocks", [&] {
    conv2d(b, "input", channels, d, 7);
    Expr in = d;
    for (std::size_t group = 0; group < 4; ++group) {
      const Expr out = group == 0 ? d : (std::uint64_t{1} << group) * d;
      b.scope(concat({"group_", digits(group + 1), ".group"}), [&] {
        // Builder::repeat would name the blocks block.0, block.1 …, but files name them block_1, block_2 …
        for (std::uint64_t i = 0; i < n_blocks.decide(); ++i)
          b.scope(concat({"block_", digits(i + 1)}), [&] { code_block(b, i == 0 ? in : out, out); });
      });
      in = out;
    }
    conv2d(b, "output.conv", 8 * d, vocab, 1);
  });
}

/// Records a head that predicts masked words or patches, as BERT's does. Its bias is stored both in the decoder and outside it. `tied`: the
/// two biases are one tensor.
void prediction(Builder& b, Text name, Expr d, Expr vocab, bool tied) {
  b.scope(name, [&] {
    linear(b, "transform.dense", d, d, true);
    layer_norm(b, "transform.LayerNorm", d);
    b.parameter("decoder.weight", {vocab, d}, StorageKind::matrix);
    const Tensor bias = b.parameter("decoder.bias", {vocab});
    if (tied)
      b.tied("bias", bias);
    else
      b.parameter("bias", {vocab});
  });
}

void head(Config c, Builder& b, const BackboneOutput& /*m*/) {
  if (b.architecture().head != Head::pretraining) return;
  constexpr std::uint64_t most_blocks = 64;
  const bool coded = c.flag("init_codebook", true), tied = c.flag("tie_word_embeddings", true);
  const Expr d = c.integer("hidden_size", 768);
  if (coded) {
    Config codes = part(c, "image_codebook_config", "image_codebook_config_dict");
    if (codes.integer("num_blocks_per_group", 2).decide() > most_blocks)
      codes.refuse(ErrorCode::too_large, "num_blocks_per_group", "must be at most 64.", Refused::listed_layers);
    b.tower(Tower::vision, "image_codebook", [&] { codebook(codes, b); });
  }
  Config image = image_part(c), text = text_part(c);
  const Expr d_image = image.integer("hidden_size", 768), codes = image.integer("vocab_size", 8192);
  const Expr d_text = text.integer("hidden_size", 768), vocab = text.integer("vocab_size", 30522);
  b.part(Part::output_head, [&] {
    prediction(b, "mim_head", d_image, codes, tied);
    prediction(b, "mlm_head", d_text, vocab, tied);
    linear(b, "itm_head.pooler.dense", d, d, true);
    linear(b, "itm_head.seq_relationship", d, c.literal(2), true);
    prediction(b, "mmm_image_head", d_image, codes, tied);
    prediction(b, "mmm_text_head", d_text, vocab, tied);
  });
}

constexpr Architecture classes[] = {{"FlavaModel", Head::none, ""}, {"FlavaForPreTraining", Head::pretraining, "flava"}};

}  // namespace

extern const Family flava{
    .model_type = "flava",
    .summary = "Vision-language model: ViT encoders for image, text and both.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
