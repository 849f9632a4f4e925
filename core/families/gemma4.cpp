// Gemma 4 with vision and audio: a vision transformer with gated feed-forward blocks, and a conformer for audio. Both are optional. The
// unified model has no towers: it projects image patches and audio directly.
// Source: transformers, models/gemma4, gemma4_unified.

#include "core/builder/blocks.hpp"
#include "core/nn/audio/conformer.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/attention.hpp"

namespace param_ledger {

extern const Family gemma4_text, gemma4_unified_text;  // defined in gemma4_text.cpp
extern const Family gemma4_audio, gemma4_vision;

namespace {

/// Whether the section vision_config or audio_config is given and not null. Otherwise the model does not read images or audio,
/// respectively.
bool has_section(Config c, Text name) {
  c.consume(name);
  return is_given(c, name);
}

BackboneOutput vision(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 768), f = c.integer("intermediate_size", 3072), n_layers = c.integer("num_hidden_layers", 16);
  const Expr n = c.integer("num_attention_heads", 12, 1), n_kv = c.integer("num_key_value_heads", 12, 1), h = c.integer("head_dim", 64);
  const Expr patch = c.integer("patch_size", 16), positions = c.integer("position_embedding_size", 10240);
  const bool clipped = c.flag("use_clipped_linears", false), standardized = c.flag("standardize", false);
  b.scope(Part::embedding, "patch_embedder", [&] {
    linear(b, "input_proj", 3 * power(patch, 2), d);
    b.parameter("position_embedding_table", {c.literal(2), positions, d}, StorageKind::table);
  });
  b.repeat("encoder.layers", all(n_layers), [&] {
    b.scope(Part::attention, "self_attn", [&] {
      const InBlock block(b, {.mechanism = Mechanism::attention, .heads = n, .kv_heads = n_kv});
      clippable_linear(b, "q_proj", d, n * h, clipped, TensorRole::query);
      clippable_linear(b, "k_proj", d, n_kv * h, clipped, TensorRole::key);
      clippable_linear(b, "v_proj", d, n_kv * h, clipped, TensorRole::value);
      clippable_linear(b, "o_proj", n * h, d, clipped, TensorRole::output);
      norm(b, Norm::rms, "q_norm", h, TensorRole::query_norm);
      norm(b, Norm::rms, "k_norm", h, TensorRole::key_norm);
    });
    b.scope(Part::feed_forward, "mlp", [&] {
      const InBlock block(b, {Mechanism::gated_feed_forward});
      clippable_linear(b, "gate_proj", d, f, clipped, TensorRole::gate);
      clippable_linear(b, "up_proj", d, f, clipped, TensorRole::up);
      clippable_linear(b, "down_proj", f, d, clipped, TensorRole::down);
    });
    for (const Text name : {"input_layernorm", "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"})
      rms_norm(b, name, d);
  });
  if (standardized)
    b.part(Part::norm, [&] {
      for (const Text name : {"std_bias", "std_scale"}) b.buffer(name, {d});
    });
  return {.hidden = d};
}

/// Records the vision tower. Returns its output width.
Expr vision_tower(Config c, Builder& b) {
  Expr d;
  b.tower(Tower::vision, "vision_tower", [&] { d = nested(c, b, "", gemma4_vision).hidden; });
  return c.integer("output_proj_dims", attribute.or_else(d));
}

BackboneOutput audio_backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 1024), n_layers = c.integer("num_hidden_layers", 12);
  const Conformer m{.hidden = d,
                    .heads = c.integer("num_attention_heads", 8, 1),
                    .kernel = c.integer("conv_kernel_size", 5),
                    .wrapped = true,
                    .clipped = c.flag("use_clipped_linears", true)};
  const ChannelPair channels = channel_pair(c, "subsampling_conv_channels", 128, 32);
  const Expr d_out = c.integer("output_proj_dims", 1536), three = c.literal(3);
  subsampling(b,
              {.first = channels.first,
               .second = channels.second,
               .kernel_1 = {three, three},
               .kernel_2 = {three, three},
               .bands = floor_divide(channels.first, c.literal(4)),
               .name_1 = "layer0",
               .name_2 = "layer1",
               .norm = Norm::unbiased},
              d);
  b.repeat("layers", all(n_layers), [&] {
    conformer_feed_forward(b, "feed_forward1", m);
    b.scope(Part::attention, "self_attn", [&] {
      const InBlock block(b, {.mechanism = Mechanism::attention, .heads = m.heads, .kv_heads = m.heads});
      conformer_attention(b, m, "relative_k_proj");
      conformer_linear(b, m, "post", d, d, TensorRole::output);
    });
    conformer_convolution(b, m);
    conformer_feed_forward(b, "feed_forward2", m);
    for (const Text name : {"norm_pre_attn", "norm_post_attn", "norm_out"}) rms_norm(b, name, d);
  });
  b.tower(Tower::projector, "", [&] { linear(b, "output_proj", d, d_out, true); });
  return {.hidden = d_out};
}

/// Records the audio tower. Returns its output width.
Expr audio(Config c, Builder& b) {
  Expr d;
  b.tower(Tower::audio, "audio_tower", [&] { d = nested(c, b, "", gemma4_audio).hidden; });
  return d;
}

void projector(Builder& b, Text name, Expr width, Expr d) {
  b.tower(Tower::projector, name, [&] { linear(b, "embedding_projection", width, d); });
}

BackboneOutput backbone(Config c, Builder& b) {
  const bool sees = has_section(c, "vision_config"), hears = has_section(c, "audio_config");
  const Expr d_vision = sees ? vision_tower(c.section("vision_config"), b) : Expr{},
             d_audio = hears ? audio(c.section("audio_config"), b) : Expr{};
  const BackboneOutput out = nested(c.section("text_config"), b, "language_model", gemma4_text);
  if (sees) projector(b, "embed_vision", d_vision, out.hidden);
  if (hears) projector(b, "embed_audio", d_audio, out.hidden);
  return out;
}

/// Records the image input of the unified model, which has no vision transformer: patches are normalised, projected and normalised again,
/// and position embeddings are added.
void unified_vision(Config c, Builder& b, Expr d) {
  c.consume("model_type");
  const Expr side = c.integer("patch_size", 16) * c.integer("pooling_kernel_size", 3), patch = 3 * power(side, 2);
  const Expr width = c.integer("mm_embed_dim", 3840), positions = c.integer("mm_posemb_size", 1120);
  const Expr d_out = c.integer("output_proj_dims", 3840);
  if (const Json given = c.peek("model_patch_size"))
    if (!given.is(Json::Type::integer) || given.negative() || given.magnitude() != side.decide())
      c.refuse(ErrorCode::inconsistent, "model_patch_size", "must be patch_size × pooling_kernel_size.");
  b.tower(Tower::projector, "vision_embedder", [&] {
    layer_norm(b, "patch_ln1", patch);
    linear(b, "patch_dense", patch, width, true);
    layer_norm(b, "patch_ln2", width);
    b.parameter("pos_embedding", {positions, c.literal(2), width}, StorageKind::table);
    layer_norm(b, "pos_norm", width);
  });
  projector(b, "embed_vision", d_out, d);
}

constexpr Alias unified_audio_aliases[] = {
    {"hidden_size", "audio_embed_dim"}, {"output_proj_dims", "audio_embed_dim"}, {"audio_samples_per_token", "audio_embed_dim"}};

BackboneOutput unified_backbone(Config c, Builder& b) {
  const bool sees = has_section(c, "vision_config"), hears = has_section(c, "audio_config");
  const BackboneOutput out = nested(c.section("text_config"), b, "language_model", gemma4_unified_text);
  if (sees) unified_vision(c.section("vision_config"), b, out.hidden);
  if (hears) {
    Config audio = c.section("audio_config").with(unified_audio_aliases);
    audio.consume("model_type");
    projector(b, "embed_audio", audio.integer("audio_embed_dim", 640), out.hidden);
  }
  return out;
}

constexpr Architecture vision_classes[] = {{"Gemma4VisionModel", Head::none, ""}};
constexpr Architecture audio_classes[] = {{"Gemma4AudioModel", Head::none, ""}};

}  // namespace

extern const Family gemma4_audio{
    .model_type = "gemma4_audio",
    .summary = "Audio encoder of Gemma 4, a conformer.",
    .classes = {.listed = audio_classes},
    .backbone = audio_backbone,
};
extern const Family gemma4{
    .model_type = "gemma4",
    .summary = "Multimodal model: Gemma 4 with vision and audio encoders.",
    .classes = {"Gemma4", heads::conditional | heads::base},
    .backbone = backbone,
    .cache = caches::of_text_model,
};
extern const Family gemma4_unified{
    .model_type = "gemma4_unified",
    .summary = "Encoder-free multimodal Gemma 4: images and audio are linearly projected.",
    .classes = {"Gemma4Unified", heads::conditional | heads::base},
    .backbone = unified_backbone,
    .cache = caches::of_text_model,
};

extern const Family gemma4_vision{
    .model_type = "gemma4_vision",
    .summary = "Vision encoder of Gemma 4.",
    .classes = {.listed = vision_classes},
    .backbone = vision,
};

}  // namespace param_ledger
