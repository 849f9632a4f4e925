// Phi 1 and 2 as built by the code published with them: like transformers' phi, with a fused query, key and value projection, the final
// norm inside the head, and a vocabulary size that is rounded up. Older files of Phi 1 and 1.5 store the model as one sequence of modules:
// embeddings, layers and head have consecutive indices. Source: modeling_phi.py and configuration_phi.py as published with phi-2 in 2023;
// modeling_mixformer_sequential.py as published with phi-1_5.

#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/text/gpt.hpp"

namespace param_ledger {

namespace {

constexpr Architecture sequential_classes[] = {{"MixFormerSequentialForCausalLM", Head::causal_lm, ""}};
constexpr Architecture classes[] = {{"PhiForCausalLM", Head::causal_lm, "transformer"}, {"PhiModel", Head::none, ""}};

/// Records the embedding table under the name `wte`, and the layers in the list `layers` at the positions that `indices` returns.
BackboneOutput record(Config c, Builder& b, Text wte, Text layers, IndexSet (*indices)(Expr n_layers)) {
  const GptSizes s = gpt_sizes(c, {1024, 20, 16, 50304});
  const Expr f = c.integer("n_inner", taken_late(4 * s.d)), n_kv = c.integer("n_head_kv", taken_late(s.n));
  const Expr multiple = c.integer("pad_vocab_size_multiple", 64, 1);
  const Tensor table = embedding(b, wte, ceil_divide(s.vocab, multiple) * multiple, s.d, TensorRole::token_embedding);
  b.repeat(layers, indices(s.n_layers), [&] {
    require_positive(f);
    require_multiple(s.n, n_kv);
    layer_norm(b, "ln", s.d);
    attention(b, "mixer",
              {.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .qkv_bias = true, .output_bias = true, .fused = "Wqkv", .o = "out_proj"});
    mlp(b, "mlp", s.d, f, true, "fc1", "fc2");
  });
  return {.hidden = s.d, .embedding = table, .language_model = "lm_head.linear", .language_model_bias = true};
}

BackboneOutput backbone(Config c, Builder& b) { return record(c, b, "embd.wte", "h", all); }

BackboneOutput sequential_backbone(Config c, Builder& b) {
  const auto after_table = [](Expr n) { return is_zero(n) ? IndexSet{} : of_runs({{1, static_cast<std::uint64_t>(n.decide())}}, n); };
  BackboneOutput out = record(c, b, "layers.0.wte", "layers", after_table);
  out.language_model = "linear";
  return out;
}
void sequential_head(Config c, Builder& b, const BackboneOutput& m) {
  const Expr n_layers = c.integer("n_layer", 20);
  b.repeat("layers", between(n_layers + 1, n_layers + 2), [&] {
    layer_norm(b, "ln", m.hidden);
    language_model_head(c, b, m);
  });
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::causal_lm) layer_norm(b, "lm_head.ln", m.hidden);
  decoder_head(c, b, m);
}

}  // namespace

extern const Family mixformer_sequential{
    .model_type = "mixformer-sequential",
    .summary = "Phi-1 and Phi-1.5 with the code first published for them.",
    .classes = {.listed = sequential_classes},
    .aliases = gpt_aliases,
    .backbone = sequential_backbone,
    .head = sequential_head,
    .own_code = true,
};
extern const Family phi_msft{
    .model_type = "phi-msft",
    .summary = "Phi-1 and Phi-2 with their original code.",
    .classes = {.listed = classes},
    .aliases = gpt_aliases,
    .backbone = backbone,
    .head = head,
    .own_code = true,
};

}  // namespace param_ledger
