#include "core/model/final_norms.hpp"

#include <set>

#include "core/model/model.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// The modules that are recognised as final norms.
std::set<std::string> finals(std::string_view config) {
  const Document document(config);
  const Model model(document.root());
  const std::vector<Row>& rows = model.builder.rows();
  const std::vector<bool> final = final_norms(rows);
  std::set<std::string> out;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (final[i]) out.insert(std::string(std::string_view(rows[i].name).substr(0, std::string_view(rows[i].name).rfind('.'))));
  return out;
}

}  // namespace

TEST_CASE("a final norm follows the layers beside or inside its module", "[final_norms]") {
  CHECK(finals(R"({"model_type": "llama"})") == std::set<std::string>{"model.norm"});
  CHECK(finals(R"({"model_type": "gpt2"})") == std::set<std::string>{"transformer.ln_f"});
  // The norm next to DeBERTa's layers normalizes the table of relative positions, not the output.
  CHECK(finals(R"({"model_type": "deberta-v2", "relative_attention": true, "norm_rel_ebd": "layer_norm"})").empty());
  CHECK(finals(R"({"model_type": "t5"})") == std::set<std::string>{"decoder.final_layer_norm", "encoder.final_layer_norm"});
  CHECK(finals(R"({"model_type": "gemma3"})") == std::set<std::string>{"language_model.model.norm", "vision_tower.post_layernorm"});
  // BERT is post-norm, so its last norm belongs to the last layer.
  CHECK(finals(R"({"model_type": "bert"})").empty());
}

TEST_CASE("norms before layers or between stages are not final", "[final_norms]") {
  // The norm after the embeddings of BART's decoder is recorded after the encoder's layers, but it is not a final norm.
  CHECK(finals(R"({"model_type": "bart", "architectures": ["BartForConditionalGeneration"]})").empty());
  CHECK(finals(R"({"model_type": "convnext"})") == std::set<std::string>{"layernorm"});
  CHECK(finals(R"({"model_type": "swin"})") == std::set<std::string>{"layernorm"});
  // The model's other norm, `layernorm1`, is between the spatial and the temporal layers.
  CHECK(finals(R"({"model_type": "videoprism_vision_model"})") == std::set<std::string>{"layernorm2"});
  // The norms of speaker activities, a presence token and the detector's queries are not final norms.
  CHECK(finals(R"({"model_type": "nemotron3_5_transcribe_audio"})").count("speaker_norm") == 0);
  CHECK(finals(R"({"model_type": "sam3"})").count("detector_model.detr_decoder.presence_layer_norm") == 0);
  CHECK(finals(R"({"model_type": "grounding-dino"})").count("enc_output_norm") == 0);
  // The norms after the convolutions of a stem, and those around Granite Docling's connector.
  CHECK(finals(R"({"model_type": "dinat"})") == std::set<std::string>{"layernorm"});
  CHECK(finals(R"({"model_type": "sew"})").empty());
  CHECK(finals(R"({"model_type": "granite_docling_vision"})") == std::set<std::string>{"post_layernorm"});
  // The norm of OWLv2's detection head is outside both towers.
  CHECK(finals(R"({"model_type": "owlv2", "architectures": ["Owlv2ForObjectDetection"]})") ==
        std::set<std::string>{"owlv2.text_model.final_layer_norm", "owlv2.vision_model.post_layernorm"});
  // The last norm of SeamlessM4T's speech encoder follows the layers of the encoder and those of the adapter.
  CHECK(finals(R"({"model_type": "seamless_m4t"})").count("speech_encoder.inner_layer_norm") == 1);
  // By default, the norm of Wav2Vec2's encoder comes before the layers.
  CHECK(finals(R"({"model_type": "wav2vec2"})").empty());
}

}  // namespace param_ledger::test
