#pragma once

#include "core/builder/family.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// Functions shared by several audio models: Whisper's encoder under two sets of field names, its two convolutions, Qwen's audio encoders,
// and heads that are never tied.

/// A model type's defaults for num_mel_bins, width, depth, heads, feed-forward width and max_source_positions.
struct WhisperDefaults {
  std::uint64_t bins, hidden, layers, heads, inner, positions = 1500;
};
/// Records Whisper's encoder. `whisper_tower` reads Whisper's field names (d_model, encoder_layers, …), `renamed_whisper_tower` those of
/// text models (hidden_size, …).
BackboneOutput whisper_tower(Config c, Builder& b, const WhisperDefaults& defaults);
BackboneOutput renamed_whisper_tower(Config c, Builder& b, const WhisperDefaults& defaults);
/// The aliases that translate between the two sets of field names, in both directions.
inline constexpr Alias whisper_tower_aliases[] = {{"num_hidden_layers", "encoder_layers"},
                                                  {"hidden_size", "d_model"},
                                                  {"num_attention_heads", "encoder_attention_heads"},
                                                  {"intermediate_size", "encoder_ffn_dim"}};
inline constexpr Alias renamed_whisper_tower_aliases[] = {{"d_model", "hidden_size"},
                                                          {"encoder_layers", "num_hidden_layers"},
                                                          {"encoder_attention_heads", "num_attention_heads"},
                                                          {"encoder_ffn_dim", "intermediate_size"}};

/// Records `conv1` and `conv2`, two convolutions over the spectrogram with kernel size 3.
void audio_convolutions(Builder& b, Expr bins, Expr hidden);

/// The sizes of Qwen's audio encoder since Qwen2.5-Omni. It encodes a spectrogram, and has sinusoidal positions instead of a position
/// table.
struct QwenAudio {
  Expr bins, hidden, layers, heads, inner;
};
/// Reads num_mel_bins, d_model, encoder_layers, encoder_attention_heads and encoder_ffn_dim. Throws if the width is odd, because sines and
/// cosines come in pairs.
QwenAudio qwen_audio_fields(Config c, const WhisperDefaults& defaults);
/// Records the transformer layers, e.g. `layers.[0-31].self_attn.q_proj`, and the final norm `ln_post`.
void qwen_audio_layers(Builder& b, const QwenAudio& m, bool key_bias);
/// Records three convolutions with downsample_hidden_size channels, each of which halves the time and frequency axes, then `conv_out` and
/// the transformer layers. Source: transformers, models/qwen3_asr.
QwenAudio qwen3_audio(Config c, Builder& b, const WhisperDefaults& defaults);

/// Returns `m` with a head that is called `language_model.lm_head`, as in old files, and is not tied, even if tie_word_embeddings is true.
/// For model types whose head transformers never ties.
BackboneOutput never_tied(Builder& b, BackboneOutput m);

}  // namespace param_ledger
