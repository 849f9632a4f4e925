#include "core/memory/compute.hpp"

#include <algorithm>
#include <iterator>

#include "core/builder/row_names.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Attention to another model's output, which is not there while text alone goes on.
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
    out.matrices = add(out.matrices, row.active.value());
    if (row.in_text(Part::output_head)) out.head = add(out.head, row.active.value());
  }
  out.matrices = add(out.matrices, inference.again) - inference.spared;
  const Count tokens = inference.tokens.value();
  out.states = inference.states;
  out.prompt_once = inference.once;
  for (const PairRow& row : inference.pairs) {
    Count width = row.width.value();
    for (const Expr e : row.repeats) width = multiply(width, e.value());
    if (!row.next_only) out.prompt_pairs = add(out.prompt_pairs, multiply(width, multiply(tokens, tokens)));
    const Count kept = row.extent.at(tokens);
    out.next_pairs = add(out.next_pairs, multiply(width, row.next_only ? kept : kept + 1));
  }
  if (inference.chunks) out.left_out.emplace_back("What a prompt's recurrence takes more in chunks than token by token, as it is counted.");
  if (towers) out.left_out.emplace_back("Images and sound: their towers, and what brings their outputs among the tokens.");
  if (crossing) out.left_out.emplace_back("Attention to an encoder's output: text alone goes on without it.");
  return out;
}

}  // namespace param_ledger
