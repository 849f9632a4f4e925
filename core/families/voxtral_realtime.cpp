// Voxtral Realtime: a causal spectrogram encoder with layers like Llama's, and a text model in which the input of each feed-forward block
// is scaled depending on the transcription delay. Source: transformers, models/voxtral_realtime.

#include "core/builder/blocks.hpp"
#include "core/nn/audio/audio.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias encoder_aliases[] = {{"d_model", "hidden_size"},
                                     {"encoder_layers", "num_hidden_layers"},
                                     {"encoder_attention_heads", "num_attention_heads"},
                                     {"encoder_ffn_dim", "intermediate_size"},
                                     {"num_key_value_heads", "num_attention_heads"}};

BackboneOutput encoder(Config c, Builder& b) {
  const Expr bins = c.integer("num_mel_bins", 128), d = c.integer("hidden_size", 1280), f = c.integer("intermediate_size", 5120);
  const Expr n_layers = c.integer("num_hidden_layers", 32), n = c.integer("num_attention_heads", 32, 1);
  const Expr h = c.integer("head_dim", fixed_not_zero(64).or_else(floor_divide(d, n)));
  b.scope("embedder", [&] { audio_convolutions(b, bins, d); });
  b.repeat("layers", all(n_layers), [&] {
    attention(b, "self_attn", {.hidden = d, .heads = n, .head_dim = h, .qkv_bias = true, .key_bias = false, .output_bias = true});
    rms_norm(b, "self_attn_layer_norm", d);
    b.scope(Part::feed_forward, "mlp", [&] {
      linear(b, "gate_proj", d, f, false, TensorRole::gate);
      linear(b, "up_proj", d, f, false, TensorRole::up);
      linear(b, "down_proj", f, d, true, TensorRole::down);
    });
    rms_norm(b, "final_layer_norm", d);
  });
  rms_norm(b, "norm", d);
  return {.hidden = d};
}

/// Records the two linear layers that compute a scale from the transcription delay. Their inner width is a constant in transformers.
void delay_norm(Builder& b, const LlamaDecoder& m) {
  const Expr d = m.attention.hidden, rank = b.pool().literal(32);
  b.scope(Part::norm, "ada_rms_norm", [&] {
    const InBlock block(b, {Mechanism::adaptive_norm});
    linear(b, "linear1", d, rank);
    linear(b, "linear2", rank, d);
  });
}

constexpr Default head_dim = [] {
  Default out = fixed_not_null(128);
  out.sentinel = Default::Sentinel::zero;
  return out;
}();
constexpr LlamaType text_type{
    .sizes = {3072, 9216, 26, 131072, 32}, .kv_heads = fixed_not_null(8), .head_dim = head_dim, .layout = {.more = delay_norm}};
extern const Family voxtral_realtime_text{
    .model_type = "voxtral_realtime_text",
    .backbone = of_type<text_type>,
};

BackboneOutput backbone(Config c, Builder& b) {
  Config text = c.section("text_config");
  const BackboneOutput tower = nested_tower(c.section("audio_config"), b, Tower::audio, "audio_tower", {"voxtral_realtime_encoder"});
  const Expr joined = tower.hidden * c.integer("downsample_factor", 4);
  require_type(text, "voxtral_realtime_text");
  BackboneOutput out = nested(text, b, "language_model.model", voxtral_realtime_text);
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    linear(b, "linear_1", joined, out.hidden);
    linear(b, "linear_2", out.hidden, out.hidden);
  });
  out.language_model = "language_model.lm_head";
  out.tie_by_default = true;
  return out;
}

constexpr Architecture encoder_classes[] = {{"VoxtralRealtimeEncoder", Head::none, ""}};

}  // namespace

extern const Family voxtral_realtime{
    .model_type = "voxtral_realtime",
    .summary = "Streaming speech recognition: a causal audio encoder and a language model.",
    .classes = {"VoxtralRealtime", heads::conditional | heads::base, ""},
    .backbone = backbone,
};
extern const Family voxtral_realtime_encoder{
    .model_type = "voxtral_realtime_encoder",
    .summary = "Causal audio encoder of Voxtral Realtime.",
    .classes = {.listed = encoder_classes},
    .aliases = encoder_aliases,
    .backbone = encoder,
};

}  // namespace param_ledger
