// CLAP: like CLIP, but for audio, with Swin on the spectrogram and RoBERTa on the text. Source: transformers, models/clap.

#include "core/nn/nested.hpp"
#include "core/nn/text/encoder.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/swin.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

extern const Family clap_audio_model, clap_text_model;

namespace {

constexpr BertType words{.sizes = {768, 3072, 12, 50265, 12}, .positions = 514, .token_types = 1};

BackboneOutput text_model(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, words.sizes);
  const Expr positions = c.integer("max_position_embeddings", words.positions), types = c.integer("type_vocab_size", 1), one = c.literal(1);
  const BertSizes sizes{.d = s.d,
                        .e = s.d,
                        .f = s.f,
                        .n_layers = s.n_layers,
                        .vocab = s.vocab,
                        .n = s.n,
                        .positions = positions,
                        .types = types,
                        .cross_attention = false,
                        .qkv_bias = true};
  bert_embeddings(b, sizes, words);
  b.scope(Part::embedding, "embeddings", [&] {
    b.buffer("position_ids", {one, positions});
    b.buffer("token_type_ids", {one, positions});
  });
  bert_layers(b, sizes, words);
  pooler(b, "pooler.dense", s.d);
  return {.hidden = s.d};
}

Swin swin_of(Config c) {
  Swin m{.type = {.kept_index = true}, .width = c.integer("patch_embeds_hidden_size", 96)};
  m.channels = c.integer("patch_embed_input_channels", 1);
  m.patch = c.sides("patch_size", 4);
  m.depths = c.dimensions("depths", {2, 2, 6, 2});
  m.heads = stage_dimensions(c, "num_attention_heads", {4, 8, 16, 32}, c.literal(m.depths.size()));
  m.window = c.integer("window_size", 8);
  m.qkv_bias = c.flag("qkv_bias", true);
  require_stages(c, m.depths);
  for (std::size_t i = 0; i < m.depths.size(); ++i) {
    m.inner.push_back(stage_inner_width(c, i, m.width_of(i), 4.0));
  }
  return m;
}

/// Records the layers for long recordings: a convolution for excerpts, and a module that computes with which weights the features of the
/// whole recording and those of the excerpts are added.
void fusion(Config c, Builder& b, const Swin& m) {
  const Expr d = m.width, inner = floor_divide(d, c.integer("aff_block_r", 4));
  const auto attention_of = [&](Text name, std::initializer_list<Text> modules) {
    const Text* module = modules.begin();
    b.scope(name, [&] {
      conv2d(b, module[0], d, inner, 1);
      batch_norm(b, module[1], inner);
      conv2d(b, module[2], inner, d, 1);
      batch_norm(b, module[3], d);
    });
  };
  attention_of("fusion_model.local_att", {"0", "1", "3", "4"});
  attention_of("fusion_model.global_att", {"1", "2", "4", "5"});
  convolution(b, "mel_conv2d", m.channels, d, {m.patch.height, 3 * m.patch.width});
}

BackboneOutput audio_model(Config c, Builder& b) {
  const Swin m = swin_of(c);
  const Expr bands = c.integer("num_mel_bins", 64), hidden = c.integer("hidden_size", 768);
  const bool fused = c.flag("enable_fusion", false), normed = c.flag("enable_patch_layer_norm", true);
  const bool mapped = c.optional_text("fusion_type").value_or("") == "channel_map";
  const Expr in = fused && mapped ? 4 * m.channels : m.channels;
  b.tower(Tower::audio, "audio_encoder", [&] {
    b.scope(Part::embedding, "patch_embed", [&] {
      patch_embedding(b, "proj", in, m.width, m.patch);
      if (normed) layer_norm(b, "norm", m.width);
      if (fused) fusion(c, b, m);
    });
    swin_stages(b, m);
    batch_norm(b, "batch_norm", bands);
    layer_norm(b, "norm", m.width_of(m.depths.size() - 1));
  });
  return {.hidden = hidden};
}

/// Records two linear layers that project to the space shared by text and audio.
void projection(Builder& b, Text name, Expr in, Expr shared) {
  b.tower(Tower::projector, name, [&] {
    linear(b, "linear1", in, shared, true);
    linear(b, "linear2", shared, shared, true);
  });
}
template <bool hears>
void projection_of(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::other)
    projection(b, hears ? "audio_projection" : "text_projection", m.hidden, c.integer("projection_dim", 512));
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr heard = nested(c.section("audio_config"), b, "audio_model", clap_audio_model).hidden;
  const Expr read = nested(c.section("text_config"), b, "text_model", clap_text_model).hidden;
  const Expr shared = c.integer("projection_dim", 512);
  projection(b, "text_projection", read, shared);
  projection(b, "audio_projection", heard, shared);
  b.tower(Tower::projector, "", [&] {
    b.parameter("logit_scale_a", {});
    b.parameter("logit_scale_t", {});
  });
  return {.hidden = heard};
}

constexpr Architecture classes[] = {{"ClapModel", Head::none, ""}};
constexpr Architecture text_classes[] = {{"ClapTextModel", Head::none, ""}, {"ClapTextModelWithProjection", Head::other, "text_model"}};
constexpr Architecture audio_classes[] = {{"ClapAudioModel", Head::none, ""}, {"ClapAudioModelWithProjection", Head::other, "audio_model"}};

}  // namespace

extern const Family clap{
    .model_type = "clap",
    .summary = "Contrastive audio-text model like CLIP, with a Swin audio encoder.",
    .classes = {.listed = classes},
    .backbone = backbone,
};
extern const Family clap_audio_model{
    .model_type = "clap_audio_model",
    .summary = "Audio encoder of CLAP.",
    .classes = {.listed = audio_classes},
    .backbone = audio_model,
    .head = projection_of<true>,
};
extern const Family clap_text_model{
    .model_type = "clap_text_model",
    .summary = "Text encoder of CLAP.",
    .classes = {.listed = text_classes},
    .backbone = text_model,
    .head = projection_of<false>,
};

}  // namespace param_ledger
