// Draft models of Gemma 4: a small Gemma 4 whose input is projected from the target model's embedding of a token and its last hidden state,
// and whose output is also projected back. By default, its layers attend to the target model's keys and values.
// Source: transformers, models/gemma4_assistant, gemma4_unified_assistant.

#include "core/builder/blocks.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/nested.hpp"

namespace param_ledger {

extern const Family gemma4_assistant_text, gemma4_unified_assistant_text;  // defined in gemma4_text.cpp

namespace {

BackboneOutput draft_model(Config c, Builder& b, const Family& text_model, std::uint64_t target_width) {
  const Expr d_target = c.integer("backbone_hidden_size", target_width);
  const bool ordered = c.flag("use_ordered_embeddings", false);
  const Expr n_centroids = c.integer("num_centroids", 2048);
  Config text = c.section("text_config");
  require_type(text, text_model.model_type);
  BackboneOutput out = nested(text, b, "model", text_model);
  b.part(Part::adapter, [&] {
    linear(b, "pre_projection", 2 * d_target, out.hidden);
    linear(b, "post_projection", out.hidden, d_target);
  });
  if (ordered) {
    // The head computes the logits of only those tokens whose centroids score highest.
    if (is_zero(n_centroids)) c.refuse(ErrorCode::out_of_range, "num_centroids", "must be at least 1 if use_ordered_embeddings is true.");
    b.scope(Part::output_head, "masked_embedding", [&] {
      linear(b, "centroids", out.hidden, n_centroids);
      b.buffer("token_ordering", {b.row(out.embedding).shape.front()});
    });
  }
  out.tie_by_default = true;
  return out;
}

BackboneOutput backbone(Config c, Builder& b) { return draft_model(c, b, gemma4_assistant_text, 1536); }
BackboneOutput unified_backbone(Config c, Builder& b) { return draft_model(c, b, gemma4_unified_assistant_text, 3840); }

}  // namespace

extern const Family gemma4_assistant{
    .model_type = "gemma4_assistant",
    .summary = "Draft model of Gemma 4, which reads the keys and values of its target model.",
    .classes = {"Gemma4Assistant", heads::causal_lm, ""},
    .backbone = backbone,
};
extern const Family gemma4_unified_assistant{
    .model_type = "gemma4_unified_assistant",
    .summary = "Draft model of the unified Gemma 4, which reads the keys and values of its target model.",
    .classes = {"Gemma4UnifiedAssistant", heads::causal_lm, ""},
    .backbone = unified_backbone,
};

}  // namespace param_ledger
