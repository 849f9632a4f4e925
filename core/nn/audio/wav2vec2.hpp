#pragma once

#include "core/builder/family.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// wav2vec 2.0 and the speech encoders after it: convolutions over the waveform, positions by a convolution, a transformer's layers.

/// What a type says of its own; as it stands it is wav2vec 2.0's.
struct Wav2Vec2Type {
  bool all_normed = false;         ///< each convolution has a norm, whatever feat_extract_norm says: there is no such field
  bool stacked_positions = false;  ///< several convolutions without weight norm give positions (data2vec)
  bool attention_adapters = true;  ///< adapter_attn_dim counts, where do_stable_layer_norm is set
  bool adapter = true;             ///< add_adapter puts convolutions after the layers
  bool always_masked = false;      ///< the token for what is hidden is there even if nothing ever is
  bool hubert = false;             ///< feat_proj_layer_norm and conv_pos_batch_norm
  bool relative = false;           ///< gated biases of relative positions (WavLM)
};

/// What a type says of its convolutions over the waveform.
struct Waveform {
  bool all_normed = false;  ///< as Wav2Vec2Type has it
  bool squeezed = false;    ///< SEW's lists where there are none: between wider convolutions narrow ones
  Text name = "feature_extractor";
};
/// The convolutions over the waveform. Reads conv_dim, conv_kernel, conv_stride and conv_bias; records `conv_layers.0.conv` …, with
/// norms where feat_extract_norm says so, or all of them. Returns the width of the last. Refuses lists of unlike length.
Expr waveform_convolutions(Config c, Builder& b, const Waveform& type);
/// Positions by a convolution in groups under weight norm, its lengths along the kernel: `conv`. Source: fairseq.
void positional_convolution(Builder& b, Expr hidden, Expr kernel, Expr groups, WeightNorm kind = WeightNorm::parametrized);
/// Reads output_hidden_size, num_adapter_layers and adapter_kernel_size where add_adapter is set; records `adapter.layers.0.conv` ….
/// Returns the width that it gives.
Expr convolution_adapter(Config c, Builder& b, Expr hidden);
/// True where mask_time_prob or mask_feature_prob is above 0: then there is a `masked_spec_embed`.
bool masks_spectrum(Config c);

/// Reads and records all of it.
BackboneOutput wav2vec2_backbone(Config c, Builder& b, const Wav2Vec2Type& type);

/// The heads of these types, which but CTC's read the width before an adapter: `lm_head` (CTC), `projector` and `classifier`, x-vectors.
/// Reads vocab_size, num_labels, classifier_proj_size, use_weighted_layer_sum, tdnn_dim, tdnn_kernel and xvector_output_dim as they want
/// it.
void speech_head(Config c, Builder& b, const BackboneOutput& m);
/// What a type says of its heads.
struct SpeechHeads {
  Default vocabulary = 32;
  std::uint64_t projection = 256;  ///< the default of classifier_proj_size
};
void speech_head(Config c, Builder& b, const BackboneOutput& m, const SpeechHeads& type);
/// `quantizer`: codevectors in groups, and what chooses among them. Reads num_codevector_groups, num_codevectors_per_group and
/// codevector_dim; returns the last.
Expr gumbel_quantizer(Config c, Builder& b, Expr width);
/// The head that tells which of the quantized features belongs where some are hidden: `quantizer`, project_hid, project_q. Reads
/// proj_codevector_dim, too.
void pretraining_head(Config c, Builder& b);

template <const Wav2Vec2Type& type>
BackboneOutput wav2vec2_of_type(Config c, Builder& b) {
  return wav2vec2_backbone(c, b, type);
}

}  // namespace param_ledger
