// Emu3: the text model is Llama; its vocabulary holds the codes of images, too, which a model beside it makes and paints.
// Source: transformers, models/emu3.

#include "core/nn/heads.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/nn/vision/emu3_vq.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"Emu3ForCausalLM", Head::causal_lm, "model"},
                                    {"Emu3TextModel", Head::none, ""},
                                    {"Emu3ForConditionalGeneration", Head::conditional_generation, ""},
                                    {"Emu3Model", Head::other, ""}};

constexpr LlamaType type{
    .sizes = {4096, 14336, 32, 184622, 32}, .kv_heads = fixed(8), .head_dim = attribute, .switches = [](Config c, LlamaDecoder& m) {
      m.attention.qkv_bias = m.attention.output_bias = c.flag("attention_bias", false, Null::allowed);
      m.mlp_bias = c.flag("mlp_bias", false, Null::allowed);
    }};

Config text(Config c) {
  Config section = c.section("text_config");
  section.consume("model_type");
  return section;
}

/// Whether there is a model of images beside the text model.
bool sees(const Builder& b) { return b.architecture().head == Head::conditional_generation || b.architecture().head == Head::other; }

BackboneOutput backbone(Config c, Builder& b) {
  if (!sees(b)) return llama_type(text(c), b, type);
  BackboneOutput out;
  b.scope("text_model.model", [&] { out = llama_type(text(c), b, type); });
  b.tower(Tower::vision, "vqmodel", [&] { emu3_vq_model(c.section("vq_config"), b); });
  out.language_model = "text_model.lm_head";
  return out;
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (!sees(b)) return decoder_head(text(c), b, m);
  if (b.architecture().head == Head::conditional_generation) language_model_head(b, m, c.flag("tie_word_embeddings", false));
}

constexpr Architecture text_classes[] = {{"Emu3ForCausalLM", Head::causal_lm, "model"}, {"Emu3TextModel", Head::none, ""}};

}  // namespace

extern const Family emu3{
    .model_type = "emu3",
    .summary = "Llama over text and codes of images, and what makes these.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
    .cache = caches::all_tokens,
};

/// The text model by itself.
extern const Family emu3_text_model{
    .model_type = "emu3_text_model",
    .summary = "The text model of Emu3: Llama over text and codes of images.",
    .classes = {.listed = text_classes},
    .backbone = [](Config c, Builder& b) { return llama_type(c, b, type); },
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
