#include "core/memory/compute.hpp"

#include <algorithm>
#include <iterator>

#include "core/builder/row_names.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Whether a tensor belongs to cross-attention. A model that reads no source tokens does not use it if its input is text alone.
bool is_cross_attention(std::string_view name) {
  return holds(name, ".encoder_attn.") || holds(name, ".crossattention.") || holds(name, ".cross_attn.");
}

}  // namespace

Compute compute_of(const Builder& b, const Inference& inference) {
  Compute out;
  if (!inference.uncomputed.empty()) out.unknown = std::string(inference.uncomputed);
  if (!inference.unknown.empty()) out.unknown = inference.unknown;
  bool crossing = false, towers = false;
  for (const Row& row : b.rows()) {
    if (row.kind == Kind::published || row.kind == Kind::possible || !is_multiplied(row)) continue;
    if (row.in_tower()) {
      towers = true;
      continue;
    }
    if (is_cross_attention(row.name) && !inference.reads_source) {
      crossing = true;
      continue;
    }
    out.matrices = add(out.matrices, row.active.peek());
    if (row.in_text(Part::output_head)) out.head = add(out.head, row.active.peek());
  }
  out.matrices = add(out.matrices, inference.extra_macs_per_token) - inference.skipped_macs;
  const Count tokens = inference.tokens.peek();
  out.states = inference.state_macs_per_token;
  out.prompt_once = inference.macs_per_prompt;
  for (const PairRow& row : inference.pairs) {
    Count width = row.width.peek();
    for (const Expr e : row.repeats) width = multiply(width, e.peek());
    if (!row.next_only) out.prompt_pairs = add(out.prompt_pairs, multiply(width, multiply(tokens, tokens)));
    const Count kept = row.extent.at(tokens);
    out.next_pairs = add(out.next_pairs, multiply(width, row.next_only ? kept : kept + 1));
  }
  if (inference.chunks)
    out.left_out.emplace_back(
        "The additional operations of processing a prompt's recurrence in chunks. The recurrence is counted token by token.");
  if (towers) out.left_out.emplace_back("Images and audio: their encoders, and merging their outputs with the text tokens.");
  if (crossing) out.left_out.emplace_back("Attention to an encoder's output, which text alone does not use.");
  return out;
}

}  // namespace param_ledger
