// EuroBERT, UltraBERT and ESM C: encoders with layers like Llama's.
// Source: transformers, models/eurobert, ultrabert, esmc.

#include "core/nn/heads.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType eurobert_type{.sizes = {768, 3072, 12, 128256, 12}, .switches = both_biases, .divisible = true};
constexpr LlamaType ultrabert_type{.sizes = {4096, 11008, 32, 32000, 32}, .switches = both_biases, .divisible = true};
constexpr LlamaType esmc_type{
    .sizes = {2560, 6912, 80, 64, 40}, .switches = both_biases, .divisible = true, .layout = {.norm = Norm::layer}};

/// Records ESM C. Layer norms precede its blocks, and norms without bias extend over all query heads and over all key heads.
BackboneOutput esmc_backbone(Config c, Builder& b) {
  LlamaDecoder m = llama_type_fields(c, esmc_type);
  if (m.attention.kv_heads.decide() != m.attention.heads.decide())
    c.refuse(ErrorCode::inconsistent, "num_key_value_heads", "must equal num_attention_heads.");
  m.more = [](Builder& layer, const LlamaDecoder& its) {
    for (const Text name : {"self_attn.q_norm", "self_attn.k_norm"}) unbiased_layer_norm(layer, name, its.attention.hidden);
  };
  return decoder(b, m.vocabulary, m.attention.hidden, [&] { llama_layers(b, m); });
}

void eurobert_head(Config c, Builder& b, const BackboneOutput& m) {
  const Head head = b.architecture().head;
  if (head == Head::masked_lm) {
    BackboneOutput biased = m;
    biased.language_model_bias = c.flag("mlp_bias", false);
    return language_model_head(c, b, biased);
  }
  b.part(Part::output_head, [&] {
    if (head == Head::sequence_classification) linear(b, "dense", m.hidden, m.hidden, true);
    if (head != Head::none) linear(b, "classifier", m.hidden, num_labels(c), true);
  });
}

/// Records UltraBERT's head. For masked language modelling it has a layer of width prediction_head_size before the prediction.
void ultrabert_head(Config c, Builder& b, const BackboneOutput& m) {
  const Head head = b.architecture().head;
  if (head == Head::masked_lm) {
    const Expr narrow = c.integer("prediction_head_size", 768);
    b.scope(Part::output_head, "head", [&] {
      linear(b, "linear1", m.hidden, narrow);
      linear(b, "linear2", narrow, m.hidden);
    });
    BackboneOutput named = m;
    named.language_model = "cls";
    return language_model_head(c, b, named);
  }
  if (head == Head::question_answering) return decoder_head(c, b, m);
  if (head == Head::none) return;
  b.part(Part::output_head, [&] { linear(b, "classifier", m.hidden, num_labels(c), true); });
}

void esmc_head(Config c, Builder& b, const BackboneOutput& m) {
  b.part(Part::output_head, [&] {
    switch (b.architecture().head) {
      case Head::masked_lm:
        b.scope("lm_head", [&] {
          linear(b, "dense", m.hidden, m.hidden, true);
          layer_norm(b, "layer_norm", m.hidden);
          linear(b, "decoder", m.hidden, b.row(m.embedding).shape.front(), true);
        });
        break;
      case Head::sequence_classification: two_layer_classifier(b, "classifier", m.hidden, num_labels(c)); break;
      default: decoder_head(c, b, m);
    }
  });
}

constexpr unsigned no_spans = heads::base | heads::masked | heads::sequence | heads::token;

}  // namespace

extern const Family esmc{
    .model_type = "esmc",
    .summary = "Protein language model: Llama layers with LayerNorm.",
    .classes = {"Esmc", no_spans, "esmc"},
    .backbone = esmc_backbone,
    .head = esmc_head,
};
extern const Family eurobert{
    .model_type = "eurobert",
    .summary = "Multilingual bidirectional encoder with Llama layers.",
    .classes = {"EuroBert", no_spans},
    .backbone = of_type<eurobert_type>,
    .head = eurobert_head,
};
extern const Family ultrabert{
    .model_type = "ultrabert",
    .summary = "Bidirectional encoder with Llama layers, mostly with sliding-window attention.",
    .classes = {"Ultrabert", no_spans | heads::question, "ultrabert"},
    .backbone = of_type<ultrabert_type>,
    .head = ultrabert_head,
};

}  // namespace param_ledger
