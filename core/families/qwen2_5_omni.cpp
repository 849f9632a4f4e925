// Qwen2.5-Omni and Qwen3-Omni's thinker: audio and vision encoders and a text model, together called the thinker. Unless
// enable_audio_output is false, Qwen2.5-Omni also has a second decoder for speech tokens (the talker) and a model that generates audio from
// them. Source: transformers, models/qwen2_5_omni, qwen3_omni_moe.

#include "core/nn/audio/audio.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/vision/qwen_vision.hpp"

namespace param_ledger {

extern const Family qwen2_5_omni_thinker, qwen2_5_omni_token2wav;

namespace {

constexpr WhisperDefaults audio_sizes{128, 1280, 32, 20, 5120};

void hear(Config c, Builder& b) {
  const QwenAudio m = qwen_audio_fields(c, audio_sizes);
  const Expr out = c.integer("output_dim", 3584);
  audio_convolutions(b, m.bins, m.hidden);
  embedding(b, "audio_bos_eos_token", c.literal(2), out);
  qwen_audio_layers(b, m, false);
  b.tower(Tower::projector, "", [&] { linear(b, "proj", m.hidden, out, true); });
}

/// Records Qwen2.5-Omni's vision encoder. It is like Qwen2.5-VL's, with separate query, key and value projections.
void see(Config c, Builder& b) {
  QwenVision m = qwen_vision_fields(c, "hidden_size", {3584, 32, 14});
  Attention& a = m.layers.attention;
  a.fused = {};
  a.q = "q", a.k = "k", a.v = "v";
  m.layers.inner = c.integer("intermediate_size", 3420);
  m.layers.norm = Norm::rms;
  m.layers.gated = true;
  const Expr out = c.integer("out_hidden_size", 3584);
  qwen_vision_layers(b, m, false);
  b.tower(Tower::projector, "merger", [&] {
    rms_norm(b, "ln_q", a.hidden);
    linear(b, "mlp.0", m.merged, m.merged, true);
    linear(b, "mlp.2", m.merged, out, true);
  });
}

constexpr LlamaType text_type{.sizes = {3584, 18944, 28, 152064, 28},
                              .kv_heads = fixed_not_null(4),
                              .head_dim = attribute,
                              .layout = {.attention = {.qkv_bias = true}}};
constexpr Family text_model{
    .backbone = of_type<text_type>,
};

void hear_3(Config c, Builder& b) {
  const QwenAudio m = qwen3_audio(c, b, audio_sizes);
  const Expr out = c.integer("output_dim", 3584);
  b.tower(Tower::projector, "", [&] {
    linear(b, "proj1", m.hidden, m.hidden, true);
    linear(b, "proj2", m.hidden, out, true);
  });
}

/// Records Qwen3-Omni's vision encoder. It is like Qwen3-VL's, with different names for the mergers.
void see_3(Config c, Builder& b) {
  QwenVision m = qwen_vision_fields(c, "hidden_size", {1152, 27, 16});
  const Expr d = m.layers.attention.hidden;
  m.layers.inner = c.integer("intermediate_size", 4304);
  const Expr out = c.integer("out_hidden_size", 3584), positions = c.integer("num_position_embeddings", 2304);
  if (c.peek("deepstack_visual_indexes").is_null())
    c.refuse(ErrorCode::wrong_type, "deepstack_visual_indexes", "must be a list of integers.");
  const std::size_t taken = c.integers("deepstack_visual_indexes", {8, 16, 24}).size();
  const Expr n_taken = c.count("num_deepstack_layers", "L_ds", "Vision layers whose outputs the text model also reads (DeepStack).", taken);
  const auto merger = [&](Expr normed) {
    b.tower(Tower::projector, "", [&] {
      layer_norm(b, "ln_q", normed);
      linear(b, "mlp.0", m.merged, m.merged, true);
      linear(b, "mlp.2", m.merged, out, true);
    });
  };
  qwen_vision_layers(b, m, true, positions);
  b.scope("merger", [&] { merger(d); });
  b.repeat("merger_list", all(n_taken), [&] { merger(m.merged); });
}

BackboneOutput moe_text(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 18944, 28, 3584, 28});
  const Attention a = attention_fields(c, s, fixed(4), attribute, {.head_norms = QkNorm::per_head});
  const Mixture m = mixture_fields(c, s.d, {.count = 128, .active = 8, .inner = 768, .count_field = "num_experts"});
  return sparse_decoder(b, {s, {.layers = sparse_layers(c, s.n_layers), .mixture = m, .dense = s.f}}, a);
}
constexpr Family moe_text_model{
    .backbone = moe_text,
};

/// Records the thinker. In files of the model with a head, the text model's tensors are named as in a model without towers. Throws for
/// Qwen3-Omni if text_config has a model_type other than qwen3_omni_moe_text, because the type determines the names of the experts.
template <void (*audio)(Config c, Builder& b), void (*vision)(Config c, Builder& b), const Family& text>
BackboneOutput thinker(Config c, Builder& b) {
  if (&text == &moe_text_model) require_type(c.section("text_config"), "qwen3_omni_moe_text");
  b.tower(Tower::audio, "audio_tower", [&] {
    c.section("audio_config").consume("model_type");
    audio(c.section("audio_config").with(whisper_tower_aliases), b);
  });
  b.tower(Tower::vision, "visual", [&] { vision(c.section("vision_config").with(qwen_vision_aliases), b); });
  BackboneOutput out = nested(c.section("text_config"), b, b.architecture().head == Head::none ? "language_model" : "model", text);
  out.tie_by_default = false;
  return out;
}

/// Records Qwen2.5-Omni's talker. Its inputs have the width embedding_size and are projected to the talker's width.
void talker(Config c, Builder& b) {
  c.consume("model_type");
  const DecoderSizes s = decoder_sizes(c, {3584, 18944, 28, 8448, 28});
  const Expr n_kv = c.integer("num_key_value_heads", 4), h = c.integer("head_dim", 128), d_in = c.integer("embedding_size", 3584);
  b.tower(Tower::projector, "", [&] { linear(b, "thinker_to_talker_proj", d_in, s.d, true); });
  b.scope("model", [&] {
    embedding(b, "embed_tokens", s.vocab, d_in, TensorRole::token_embedding);
    llama_layers(b, {.attention = {.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = true},
                     .inner = s.f,
                     .n_layers = s.n_layers});
    rms_norm(b, "norm", s.d);
  });
  b.part(Part::output_head, [&] { linear(b, "codec_head", s.d, s.vocab); });
}

BackboneOutput backbone(Config c, Builder& b) {
  const BackboneOutput out =
      nested_with_head(c.section("thinker_config"), b, "thinker", qwen2_5_omni_thinker, Head::conditional_generation);
  if (c.flag("enable_audio_output", true)) {
    b.tower(Tower::audio, "talker", [&] { talker(c.section("talker_config"), b); });
    b.tower(Tower::audio, "token2wav", [&] { nested(c.section("token2wav_config"), b, "", qwen2_5_omni_token2wav); });
  }
  return out;
}

void no_head(Config /*c*/, Builder& /*b*/, const BackboneOutput& /*m*/) {}

constexpr Architecture classes[] = {{"Qwen2_5OmniForConditionalGeneration", Head::conditional_generation, ""}};

}  // namespace

extern const Family qwen2_5_omni{
    .model_type = "qwen2_5_omni",
    .summary = "Multimodal input, text and speech output: thinker, talker and audio decoder.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = no_head,
};
extern const Family qwen2_5_omni_thinker{
    .model_type = "qwen2_5_omni_thinker",
    .summary = "Thinker of Qwen2.5-Omni: Qwen2.5 with vision and audio encoders.",
    .classes = {"Qwen2_5OmniThinker", heads::conditional | heads::base, ""},
    .backbone = thinker<hear, see, text_model>,
};
extern const Family qwen3_omni_moe_thinker{
    .model_type = "qwen3_omni_moe_thinker",
    .summary = "Thinker of Qwen3-Omni: Qwen3-MoE with vision and audio encoders.",
    .classes = {"Qwen3OmniMoeThinker", heads::conditional | heads::base, ""},
    .backbone = thinker<hear_3, see_3, moe_text_model>,
};

}  // namespace param_ledger
