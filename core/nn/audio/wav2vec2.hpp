#pragma once

#include "core/builder/family.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

// wav2vec 2.0 and later speech encoders: convolutions over the waveform, one or more positional convolutions, and transformer layers.

/// How a model type differs from wav2vec 2.0. The defaults are wav2vec 2.0's.
struct Wav2Vec2Type {
  bool all_normed = false;         ///< every convolution has a norm, so there is no field feat_extract_norm
  bool stacked_positions = false;  ///< positions come from several convolutions without weight norm (data2vec)
  bool attention_adapters = true;  ///< the type has adapter_attn_dim, which is used if do_stable_layer_norm is true
  bool adapter = true;             ///< the type has add_adapter, which adds convolutions after the layers
  bool always_masked = false;      ///< whether the mask token exists even if nothing is masked
  bool hubert = false;             ///< the type has the fields feat_proj_layer_norm and conv_pos_batch_norm
  bool relative = false;           ///< attention has gated relative position biases (WavLM)
};

/// How the waveform convolutions of a model type differ from wav2vec 2.0's.
struct Waveform {
  bool all_normed = false;  ///< whether every convolution has a norm: see Wav2Vec2Type::all_normed
  bool squeezed = false;    ///< whether conv_dim, conv_kernel and conv_stride have SEW's defaults, which include convolutions with kernel
                            ///< size 1
  Text name = "feature_extractor";
};
/// Records the convolutions over the waveform, `conv_layers.0.conv` …, and their norms: those that feat_extract_norm selects or, if
/// `all_normed`, one for each convolution. Reads conv_dim, conv_kernel, conv_stride and conv_bias. Throws if the lists are empty or differ
/// in length, or if num_feat_extract_layers is not their length. Returns the last convolution's number of channels.
Expr waveform_convolutions(Config c, Builder& b, const Waveform& type);
/// Records `conv`, a grouped convolution that encodes positions. Its weight norm, unless `kind` is none, has one magnitude for each element
/// along the kernel's length. Source: fairseq.
void positional_convolution(Builder& b, Expr hidden, Expr kernel, Expr groups, WeightNorm kind = WeightNorm::parametrized);
/// If add_adapter is true, records the convolutions under `adapter.layers` and, if the output width differs from `hidden`, `adapter.proj`
/// and its norm. Reads output_hidden_size, num_adapter_layers and adapter_kernel_size. Returns the output width, which is `hidden` without
/// an adapter.
Expr convolution_adapter(Config c, Builder& b, Expr hidden);
/// Whether mask_time_prob or mask_feature_prob is above 0, so that `masked_spec_embed` exists.
bool has_masked_spec_embed(Config c);

/// Records a model with wav2vec 2.0's structure, without its head.
BackboneOutput wav2vec2_backbone(Config c, Builder& b, const Wav2Vec2Type& type);

/// Records the head of the counted class, if any: `lm_head` for CTC, `projector` and `classifier` for sequences, only `classifier` for
/// frames, or the x-vector layers. All except the CTC head also have layer_weights if use_weighted_layer_sum is true. If there is an
/// adapter, the CTC head is as wide as the adapter's output, the x-vector head is as wide as its input, and transformers cannot build the
/// other two heads. Reads vocab_size, num_labels, classifier_proj_size, use_weighted_layer_sum, tdnn_dim, tdnn_kernel and
/// xvector_output_dim as needed.
void speech_head(Config c, Builder& b, const BackboneOutput& m);
/// A model type's settings for its heads.
struct SpeechHeads {
  Default vocabulary = 32;
  std::uint64_t projection = 256;  ///< the default of classifier_proj_size
};
void speech_head(Config c, Builder& b, const BackboneOutput& m, const SpeechHeads& type);
/// Records `quantizer`: groups of codevectors and the projection that selects among them. Reads num_codevector_groups,
/// num_codevectors_per_group and codevector_dim. Returns codevector_dim.
Expr gumbel_quantizer(Config c, Builder& b, Expr width);
/// Records the pretraining head, which identifies the quantized features of masked positions: `quantizer`, project_hid, project_q. Also
/// reads proj_codevector_dim.
void pretraining_head(Config c, Builder& b);

template <const Wav2Vec2Type& type>
BackboneOutput wav2vec2_of_type(Config c, Builder& b) {
  return wav2vec2_backbone(c, b, type);
}

}  // namespace param_ledger
