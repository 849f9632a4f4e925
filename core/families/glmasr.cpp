// GLM-ASR: a Whisper-like spectrogram encoder with RoPE. Its frames are concatenated in groups and projected to the text model, a Llama.
// Source: transformers, models/glmasr.

#include "core/nn/audio/audio.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr std::uint64_t inner_by_default = 5120;

BackboneOutput encoder(Config c, Builder& b) {
  const Expr bins = c.integer("num_mel_bins", 128), d = c.integer("hidden_size", 1280),
             f = c.integer("intermediate_size", inner_by_default);
  const Expr n_layers = c.integer("num_hidden_layers", 32), n = c.integer("num_attention_heads", 20, 1);
  const Expr n_kv = c.integer("num_key_value_heads", n), h = c.integer("head_dim", attribute.or_else(floor_divide(d, n)));
  audio_convolutions(b, bins, d);
  b.repeat("layers", all(n_layers), [&] {
    layer_norm(b, "input_layernorm", d);
    attention(b, "self_attn",
              {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = true, .key_bias = false, .output_bias = true});
    layer_norm(b, "post_attention_layernorm", d);
    mlp(b, "mlp", d, f, true, "fc1", "fc2");
  });
  layer_norm(b, "norm", d);
  return {.hidden = d};
}

/// GLM-ASR's Llama: these defaults apply whether or not text_config is given.
constexpr LlamaType text_type{
    .sizes = {2048, 6144, 28, 59264, 16}, .kv_heads = fixed_not_null(4), .switches = both_biases, .divisible = true};
extern const Family glmasr_llama{
    .model_type = "llama",
    .backbone = of_type<text_type>,
    .cache = caches::all_tokens,
};

BackboneOutput backbone(Config c, Builder& b) {
  Config audio = c.section("audio_config"), text = c.section("text_config");
  nested_tower(audio, b, Tower::audio, "audio_tower", {"glmasr_encoder"});
  // transformers gives the encoder's output the width intermediate_size by concatenating frames, four with the default sizes.
  const Expr joined = audio.integer("intermediate_size", inner_by_default);
  require_type(text, "llama");
  BackboneOutput out = nested(text, b, "language_model.model", glmasr_llama);
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    linear(b, "linear_1", joined, 2 * out.hidden, true);
    linear(b, "linear_2", 2 * out.hidden, out.hidden, true);
  });
  out.language_model = "language_model.lm_head";
  out.tie_by_default = true;
  return out;
}

constexpr Architecture encoder_classes[] = {{"GlmAsrEncoder", Head::none, ""}};

}  // namespace

extern const Family glmasr{
    .model_type = "glmasr",
    .summary = "Speech recognition: Whisper's encoder with RoPE in front of Llama.",
    .classes = {"GlmAsr", heads::conditional | heads::base, ""},
    .backbone = backbone,
};
extern const Family glmasr_encoder{
    .model_type = "glmasr_encoder",
    .summary = "Audio encoder of GLM-ASR: like Whisper's, with RoPE.",
    .classes = {.listed = encoder_classes},
    .backbone = encoder,
};

}  // namespace param_ledger
