#pragma once

#include "core/builder/family.hpp"

namespace param_ledger {

// What Nemotron 3 hears with. Source: transformers, models/nemotron3_diarization, nemotron3_5_transcribe.

/// What a type of these says of its own.
struct HearingType {
  std::uint64_t hidden, inner, layers, heads;
  bool head_norms = false;
  bool spectrogram = true;  ///< it hears; else it reads states, made more frequent
};
constexpr HearingType diarization_hearing{512, 2048, 31, 8}, asr_hearing{1280, 5120, 32, 10, true},
    words_hearing{1280, 640, 2, 16, true, false};

/// What its modules are called: as transformers does, or as NeMo does.
struct HearingNames {
  Text projection = "embedder.projection", first_norm = "input_layer_norm", last_norm = "layer_norm";
  Text attention = "self_attn", output = "o_proj", norm1 = "layer_norm1", norm2 = "layer_norm2";
  Text mlp = "mlp", up = "fc1", down = "fc2";
  Text fused = {};               ///< of queries, keys and values as one matrix, where they are
  Text transformer = {};         ///< the module around the layers
  Text upsampler = "upsampler";  ///< what makes states more frequent, beside it
};
constexpr HearingNames nemo_hearing{"pre_encode.proj", "embed_norm", "final_norm", "attn",  "out_proj", "norm1",
                                    "norm2",           "ffn",        "net.0",      "net.3", "w_qkv"};

/// Frames of a spectrogram stacked, and a transformer with rotary positions. Refuses heads that do not share the width out.
BackboneOutput hearing(Config c, Builder& b, const HearingType& type, const HearingNames& names = {});

/// Who speaks when: what hears under `audio_tower`, then what brings it to a narrower width, at the rate before the stacking.
struct DiarizationNames {
  Text audio_tower = "audio_tower", projection = "proj", upsampler = "upsampler.conv";
  Text dense = "classifier.dense", speakers = "classifier.out_proj", silence = "silence_embeds";
  HearingNames hearing = {};
};
BackboneOutput diarization(Config c, Builder& b, const DiarizationNames& names = {});
/// Its head: which of the speakers.
void diarization_head(Config c, Builder& b, const BackboneOutput& m, const DiarizationNames& names);

}  // namespace param_ledger
