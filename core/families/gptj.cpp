// GPT-J and CodeGen: attention and feed-forward run in parallel after one norm; RoPE; a head with a bias. CodeGen has a fused query, key
// and value projection. Source: transformers, models/gptj, codegen.

#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/text/gpt.hpp"

namespace param_ledger {

namespace {

BackboneOutput record(Config c, Builder& b, Text fused) {
  const GptSizes s = gpt_sizes(c, {4096, 28, 16, 50400});
  const Expr f = c.integer("n_inner", taken_late(4 * s.d));
  const Tensor table = embedding(b, "wte", s.vocab, s.d, TensorRole::token_embedding);
  b.repeat("h", all(s.n_layers), [&] {
    layer_norm(b, "ln_1", s.d);
    attention(b, "attn", {.hidden = s.d, .heads = s.n, .scaled_by_head_dim = false, .fused = fused, .o = "out_proj"});
    mlp(b, "mlp", s.d, f, true, "fc_in", "fc_out");
  });
  layer_norm(b, "ln_f", s.d);
  return {.hidden = s.d, .embedding = table, .language_model_bias = true};
}

BackboneOutput gptj_backbone(Config c, Builder& b) { return record(c, b, ""); }
BackboneOutput codegen_backbone(Config c, Builder& b) { return record(c, b, "qkv_proj"); }

/// Records the head. For question answering it has num_labels outputs.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::question_answering)
    b.part(Part::output_head, [&] { linear(b, "qa_outputs", m.hidden, num_labels(c), true); });
  else
    decoder_head(c, b, m);
}

}  // namespace

extern const Family codegen{
    .model_type = "codegen",
    .summary = "Like GPT-J, with a fused QKV projection.",
    .classes = {"CodeGen", heads::decoder, "transformer"},
    .aliases = gpt_aliases,
    .backbone = codegen_backbone,
    .cache = caches::all_tokens,
};
extern const Family gptj{
    .model_type = "gptj",
    .summary = "Parallel attention and MLP with a shared norm; output head with a bias.",
    .classes = {"GPTJ", heads::decoder | heads::sequence | heads::question, "transformer"},
    .aliases = gpt_aliases,
    .backbone = gptj_backbone,
    .head = head,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
