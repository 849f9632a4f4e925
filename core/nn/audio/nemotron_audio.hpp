#pragma once

#include "core/builder/family.hpp"

namespace param_ledger {

// The audio encoders of Nemotron 3 and 3.5. Source: transformers, models/nemotron3_diarization, nemotron3_5_transcribe.

/// The defaults and features in which the audio encoders of these model types differ.
struct NemotronAudioType {
  std::uint64_t hidden, inner, layers, heads;
  bool head_norms = false;
  bool spectrogram = true;  ///< whether the input is a spectrogram; otherwise it consists of hidden states that are upsampled
};
constexpr NemotronAudioType diarization_audio{512, 2048, 31, 8}, asr_audio{1280, 5120, 32, 10, true},
    word_timing_audio{1280, 640, 2, 16, true, false};

/// The names of the encoder's modules, in transformers or in NeMo.
struct NemotronAudioNames {
  Text projection = "embedder.projection", first_norm = "input_layer_norm", last_norm = "layer_norm";
  Text attention = "self_attn", output = "o_proj", norm1 = "layer_norm1", norm2 = "layer_norm2";
  Text mlp = "mlp", up = "fc1", down = "fc2";
  Text fused = {};               ///< the name of the fused query, key and value matrix; empty if there is none
  Text transformer = {};         ///< the name of the module that contains the layers
  Text upsampler = "upsampler";  ///< the module that upsamples the hidden states
};
constexpr NemotronAudioNames nemo_audio{"pre_encode.proj", "embed_norm", "final_norm", "attn",  "out_proj", "norm1",
                                        "norm2",           "ffn",        "net.0",      "net.3", "w_qkv"};

/// Records an encoder: a projection of stacked spectrogram frames, or a transposed convolution that upsamples hidden states, and a
/// transformer with RoPE. Throws if the heads do not divide the width.
BackboneOutput nemotron_audio(Config c, Builder& b, const NemotronAudioType& type, const NemotronAudioNames& names = {});

/// The names of modules in a speaker diarization model: the encoder, a projection to another width, a convolution that restores the
/// original frame rate, and the head. `silence` names a parameter.
struct DiarizationNames {
  Text audio_tower = "audio_tower", projection = "proj", upsampler = "upsampler.conv";
  Text dense = "classifier.dense", speakers = "classifier.out_proj", silence = "silence_embeds";
  NemotronAudioNames audio = {};
};
BackboneOutput diarization(Config c, Builder& b, const DiarizationNames& names = {});
/// Records the diarization head, which predicts for each frame which speakers are active, and the embedding of silence.
void diarization_head(Config c, Builder& b, const BackboneOutput& m, const DiarizationNames& names);

}  // namespace param_ledger
