#pragma once

#include "core/builder/family.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// What models that hear share: Whisper's encoder under the names of many types, and text models beside it.

/// A type's defaults of num_mel_bins, the width, depth, heads, width of the feed-forward block and max_source_positions.
struct WhisperDefaults {
  std::uint64_t bins, hidden, layers, heads, inner, positions = 1500;
};
/// Whisper's encoder with the fields named as its own (d_model, encoder_layers, …), and as those of text models are (hidden_size, …).
BackboneOutput whisper_tower(Config c, Builder& b, const WhisperDefaults& defaults);
BackboneOutput renamed_whisper_tower(Config c, Builder& b, const WhisperDefaults& defaults);
/// The other spellings of these fields, one way and the other.
inline constexpr Alias whisper_tower_aliases[] = {{"num_hidden_layers", "encoder_layers"},
                                                  {"hidden_size", "d_model"},
                                                  {"num_attention_heads", "encoder_attention_heads"},
                                                  {"intermediate_size", "encoder_ffn_dim"}};
inline constexpr Alias renamed_whisper_tower_aliases[] = {{"d_model", "hidden_size"},
                                                          {"encoder_layers", "num_hidden_layers"},
                                                          {"encoder_attention_heads", "num_attention_heads"},
                                                          {"encoder_ffn_dim", "intermediate_size"}};

/// `conv1`, `conv2`: two convolutions of width 3 over the spectrogram.
void audio_convolutions(Builder& b, Expr bins, Expr hidden);

/// An encoder of spectrograms as Qwen's from 2.5-Omni on: sinusoids in the place of a table of positions.
struct QwenAudio {
  Expr bins, hidden, layers, heads, inner;
};
/// Reads num_mel_bins, d_model, encoder_layers, encoder_attention_heads, encoder_ffn_dim. Refuses an odd width: sinusoids come in pairs.
QwenAudio qwen_audio_fields(Config c, const WhisperDefaults& defaults);
/// Records `layers.[0-31].self_attn.q_proj` … and `ln_post`.
void qwen_audio_layers(Builder& b, const QwenAudio& m, bool key_bias);
/// Three convolutions that halve time and frequency, downsample_hidden_size wide, and `conv_out`; then the layers. Source: qwen3_asr.
QwenAudio qwen3_audio(Config c, Builder& b, const WhisperDefaults& defaults);

/// Puts the head under the text model's name, as old files have it; it is never tied where the type's code says nothing of it.
BackboneOutput untied(Builder& b, BackboneOutput m);

}  // namespace param_ledger
