#include "core/nn/text/gpt.hpp"

#include "core/nn/layers.hpp"

namespace param_ledger {

GptSizes gpt_sizes(Config c, const GptDefaults& defaults) {
  const Expr d = c.integer("n_embd", defaults.hidden), n_layers = c.integer("n_layer", defaults.layers);
  const Expr n = c.integer("n_head", defaults.heads, 1);
  return {d, n_layers, n, c.integer("vocab_size", defaults.vocabulary)};
}

void sequence_summary(Config c, Builder& b, Text name, Expr hidden, Expr labels, const SummaryDefaults& defaults) {
  static constexpr std::string_view types[] = {"last", "first", "mean", "cls_index"};
  static_cast<void>(c.text("summary_type", defaults.type, types));
  if (!c.flag("summary_use_proj", true)) return;
  const bool to_labels = c.flag("summary_proj_to_labels", defaults.projects_to_labels) && !is_zero(labels);
  b.scope(name, [&] { linear(b, "summary", hidden, to_labels ? labels : hidden, true); });
}

void answer_span(Builder& b, Expr hidden) {
  const Expr one = b.pool().literal(1);
  linear(b, "start_logits.dense", hidden, one, true);
  for (const Text name : {"end_logits", "answer_class"})
    b.scope(name, [&] {
      const bool end = name == "end_logits";
      linear(b, "dense_0", 2 * hidden, hidden, true);
      if (end) layer_norm(b, "LayerNorm", hidden);
      linear(b, "dense_1", hidden, one, end);
    });
}

}  // namespace param_ledger
