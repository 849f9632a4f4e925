// Muse Glimmer and Muse Spark: a vision transformer, a projector of three layers, and a decoder with gated attention. Spark also has
// mixtures of experts whose input and output width is a separate field, gated residual connections, and a convolutional audio encoder.
// Source: transformers, models/muse_glimmer, muse_glimmer_assistant, muse_spark.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

extern const Family muse_glimmer_text, muse_glimmer_vision, muse_spark_audio, muse_spark_text;

namespace {

constexpr LlamaType glimmer_text{.sizes = {6656, 19968, 52, 202048, 32},
                                 .kv_heads = fixed(2),
                                 .head_dim = fixed(128),
                                 .switches = attention_bias,
                                 .divisible = true,
                                 .layout = {.attention = {.gate = "gate_proj"}, .norms = sandwich_norms}};

/// Records Muse Spark's text model. Some of its norms have no parameters.
BackboneOutput spark_text(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {8192, 16384, 62, 202048, 128});
  const Expr d = s.d, width = c.integer("moe_hidden_size", 4096);
  Attention a = attention_fields(c, s, fixed(16), fixed(64));
  a.gate = "gate_proj";
  const Mixture m = mixture_fields(c, d, {.count = 256, .active = 8, .inner = 4096, .count_field = "num_local_experts"},
                                   {.expert_width = width, .layout = ExpertLayout::stacked, .correction = RouterBias::buffer});
  const Split layers = listed_sparse_layers(c, s.n_layers, sparse_everywhere(s.n_layers));
  require_multiple(d, s.n);
  return decoder(b, s.vocab, d, [&] {
    b.repeat("layers", all(s.n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      attention(b, "self_attn", a);
      b.part(Part::attention, [&] { b.parameter("post_attention_residual_gate.gate", {d}); });
      rms_norm(b, "pre_feedforward_layernorm", d);
      rms_norm(b, "post_feedforward_layernorm", d);
      b.part(Part::feed_forward, [&] { b.parameter("post_feedforward_residual_gate.gate", {d}); });
    });
    b.repeat("layers", layers.out, [&] { gated_mlp(b, "mlp", d, s.f); });
    b.repeat("layers", layers.in, [&] {
      mixture(b, "mlp", m);
      b.scope(Part::feed_forward, "mlp", [&] {
        linear(b, "pre_expert_proj", d, width);
        rms_norm(b, "pre_expert_norm", width);
        rms_norm(b, "experts.post_expert_norm", width);
        linear(b, "post_expert_proj", width, d);
      });
    });
  });
}

BackboneOutput vision(Config c, Builder& b) {
  const VisionLayers m = vision_fields(c, {1536, 8960, 50, 16},
                                       {.attention = {.even_share = false, .qkv_bias = true, .output_bias = true, .o = "proj"},
                                        .attention_name = "attn",
                                        .norm1 = "norm1",
                                        .norm2 = "norm2"});
  const Expr d = m.attention.hidden, patch = c.integer("patch_size", 14), frames = c.integer("patch_temporal", 2);
  const Expr rows = c.integer("pos_emb_height", 32), columns = c.integer("pos_emb_width", 32);
  b.scope(Part::embedding, "patch_embedder", [&] {
    linear(b, "patch_embedding", 3 * (frames * power(patch, 2)), d);
    table(b, "position_embedding_table", rows * columns, d);
  });
  layer_norm(b, "ln_pre", d);
  vision_layers(b, m);
  layer_norm(b, "ln_post", d);
  return {.hidden = d};
}

/// Records Muse Spark's audio encoder. Each stage concatenates neighbouring positions and projects them; then come blocks of a depthwise
/// convolution and an MLP.
BackboneOutput audio(Config c, Builder& b) {
  const std::vector<Expr> patches = c.dimensions("patch_sizes", {16, 6, 5, 4}),
                          widths = c.dimensions("hidden_sizes", {256, 512, 1024, 2048}), depths = c.dimensions("depths", {2, 2, 2, 2});
  const Expr n_layers = c.integer("num_hidden_layers", 4, 1), kernel = c.integer("conv_kernel_size", 7);
  const Expr out = c.integer("out_hidden_size", 8192);
  c.require_length("patch_sizes", patches.size(), n_layers);
  c.require_length("hidden_sizes", widths.size(), n_layers);
  c.require_length("depths", depths.size(), n_layers);
  Expr in = c.literal(1);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const std::string index = digits(i);
    const Expr d = widths[i], f = stage_inner_width(c, i, d, 4.0);
    b.scope(concat({"layers.", index}), [&] {
      b.scope(Part::embedding, "patch_embedder", [&] {
        linear(b, "proj", in * patches[i], d, true);
        rms_norm(b, "norm", d);
      });
      b.repeat("conv_blocks", all(depths[i]), [&] {
        b.part(Part::convolution, [&] { depthwise_conv1d(b, "conv", d, kernel, true); });
        rms_norm(b, "norm", d);
        mlp(b, "mlp", d, f, true, "fc1", "fc2");
      });
    });
    in = d;
  }
  rms_norm(b, "norm", in);
  b.tower(Tower::projector, "", [&] { linear(b, "proj", in, out, true); });
  rms_norm(b, "post_proj_norm", out);
  return {.hidden = out};
}

void tower(Config c, Builder& b) {
  b.tower(Tower::vision, "vision_tower", [&] { nested(c.section("vision_config"), b, "", muse_glimmer_vision); });
}

void projector(Config c, Builder& b, Expr out) {
  const Expr in = c.integer("out_hidden_size", 6144), inner = c.integer("projector_hidden_size", 4096);
  b.tower(Tower::projector, "", [&] {
    linear(b, "vision_adapter.fc1", in, inner);
    linear(b, "vision_adapter.fc2", inner, inner);
    linear(b, "vision_projection", inner, out);
  });
}

BackboneOutput glimmer(Config c, Builder& b) {
  tower(c, b);
  const BackboneOutput out = nested(c.section("text_config"), b, "language_model", muse_glimmer_text);
  projector(c, b, out.hidden);
  return out;
}

/// Records Muse Spark. Its head is never tied.
BackboneOutput spark(Config c, Builder& b) {
  tower(c, b);
  Config heard = c.section("audio_config");
  BackboneOutput sound;
  b.tower(Tower::audio, "audio_tower", [&] { sound = nested(heard, b, "", muse_spark_audio); });
  const BackboneOutput out = nested(c.section("text_config"), b, "language_model", muse_spark_text);
  require_equal(sound.hidden, out.hidden);
  projector(c, b, out.hidden);
  return {.hidden = out.hidden, .vocabulary = b.row(out.embedding).shape.front()};
}

/// Records Muse Glimmer's draft model, which predicts a block of tokens from the outputs of intermediate layers of the target model. It has
/// no embeddings.
BackboneOutput assistant(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 6656), n_layers = c.integer("num_hidden_layers", 5);
  const auto taken = c.integers("target_layer_ids", {1, 13, 25, 37, 49});
  LlamaDecoder m;
  m.inner = c.integer("intermediate_size", 19968);
  m.n_layers = n_layers;
  m.attention = {.hidden = d,
                 .heads = c.integer("num_attention_heads", 32),
                 .kv_heads = c.integer("num_key_value_heads", 8),
                 .head_dim = c.integer("head_dim", 128),
                 .head_norms = QkNorm::per_head};
  const Expr n_taken =
      c.count("num_target_layers", "L_t", "Number of text model layers whose outputs the draft model reads.", taken.size());
  llama_layers(b, m);
  rms_norm(b, "norm", d);
  b.tower(Tower::projector, "encoder", [&] {
    linear(b, "fc", n_taken * d, d);
    rms_norm(b, "output_norm_enc", d);
  });
  return {.hidden = d};
}

constexpr Architecture text_classes[] = {{"MuseGlimmerTextModel", Head::none, ""}};
constexpr Architecture vision_classes[] = {{"MuseGlimmerVisionModel", Head::none, ""}};
constexpr Architecture spark_audio_classes[] = {{"MuseSparkAudioModel", Head::none, ""}};
constexpr Architecture spark_text_classes[] = {{"MuseSparkTextModel", Head::none, ""}};
constexpr Architecture spark_vision_classes[] = {{"MuseSparkVisionModel", Head::none, ""}};

}  // namespace

extern const Family muse_glimmer{
    .model_type = "muse_glimmer",
    .summary = "Vision-language model with gated attention.",
    .classes = {"MuseGlimmer", heads::conditional | heads::base},
    .backbone = glimmer,
};
extern const Family muse_glimmer_assistant{
    .model_type = "muse_glimmer_assistant",
    .summary = "Speculative decoding: a draft model for Muse Glimmer.",
    .classes = {"MuseGlimmerAssistant", heads::base},
    .backbone = assistant,
};
extern const Family muse_glimmer_text{
    .model_type = "muse_glimmer_text",
    .summary = "Text model of Muse Glimmer: like Llama, with gated attention, pre- and post-norms.",
    .classes = {.listed = text_classes},
    .backbone = of_type<glimmer_text>,
};
extern const Family muse_glimmer_vision{
    .model_type = "muse_glimmer_vision",
    .summary = "Vision encoder of Muse Glimmer.",
    .classes = {.listed = vision_classes},
    .backbone = vision,
};
extern const Family muse_spark{
    .model_type = "muse_spark",
    .summary = "Multimodal mixture-of-experts model with gated attention and with vision and audio encoders.",
    .classes = {"MuseSpark", heads::conditional | heads::base},
    .backbone = spark,
};
extern const Family muse_spark_audio{
    .model_type = "muse_spark_audio",
    .summary = "Audio encoder of Muse Spark.",
    .classes = {.listed = spark_audio_classes},
    .backbone = audio,
};
extern const Family muse_spark_text{
    .model_type = "muse_spark_text",
    .summary = "Text model of Muse Spark: gated attention, mixture of experts in each layer.",
    .classes = {.listed = spark_text_classes},
    .backbone = spark_text,
};
extern const Family muse_spark_vision{
    .model_type = "muse_spark_vision",
    .summary = "Vision encoder of Muse Spark.",
    .classes = {.listed = spark_vision_classes},
    .backbone = vision,
};

}  // namespace param_ledger
