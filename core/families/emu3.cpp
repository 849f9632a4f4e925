// Emu3: the text model is Llama; its vocabulary holds the codes of images, too.
// Source: transformers, models/emu3.

#include "core/decoders.hpp"
#include "core/heads.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"Emu3ForCausalLM", Head::causal_lm, "model"}, {"Emu3TextModel", Head::none, ""}};

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

Backbone backbone(Config c, Builder& b) { return llama_type(text(c), b, type); }

void head(Config c, Builder& b, const Backbone& m) { decoder_head(text(c), b, m); }

}  // namespace

extern const Family emu3{
    .model_type = "emu3",
    .summary = "The text model of Emu3: Llama over text and codes of images.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
