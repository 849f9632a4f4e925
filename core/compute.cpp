#include "core/compute.hpp"

#include <algorithm>
#include <iterator>

#include "core/family.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

bool of_language(Part part) { return part != Part::vision && part != Part::audio && part != Part::projector; }

/// Attention to another model's output, which is not there while text alone goes on.
bool crosses(std::string_view name) {
  return holds(name, ".encoder_attn.") || holds(name, ".crossattention.") || holds(name, ".cross_attn.");
}

bool is_matrix(const Row& row) {
  if (row.kind == Kind::tied && row.part == Part::output_head && row.shape.size() == 2) return true;
  return row.role == Role::matrix && (row.kind == Kind::parameter || row.kind == Kind::tied);
}

}  // namespace

Compute compute_of(const Builder& b, const Inference& inference, const Family& family) {
  Compute out;
  if (!family.uncomputed.empty()) out.unknown = std::string(family.uncomputed);
  if (!inference.unknown.empty()) out.unknown = inference.unknown;
  bool convolutions = false, crossing = false;
  for (const Row& row : b.rows()) {
    if (!of_language(row.part) || row.kind == Kind::published || row.kind == Kind::possible) continue;
    convolutions = convolutions || row.role == Role::kernel;
    if (!is_matrix(row)) continue;
    if (crosses(row.name)) {
      crossing = true;
      continue;
    }
    out.matrices = add(out.matrices, row.active.value());
    if (row.part == Part::output_head) out.head = add(out.head, row.active.value());
  }
  const Count tokens = inference.tokens.value();
  for (const PairRow& row : inference.pairs) {
    Count width = row.width.value();
    for (const Expr e : row.repeats) width = multiply(width, e.value());
    if (!row.next_only) out.prompt_pairs = add(out.prompt_pairs, multiply(width, multiply(tokens, tokens)));
    const Count kept = row.extent.at(tokens);
    out.next_pairs = add(out.next_pairs, multiply(width, row.next_only ? kept : kept + 1));
  }
  if (inference.recurs) out.left_out.emplace_back("The recurrence itself, which is no product of matrices.");
  if (convolutions) out.left_out.emplace_back("Convolutions along the text.");
  if (crossing) out.left_out.emplace_back("Attention to an encoder's output: text alone goes on without it.");
  return out;
}

}  // namespace param_ledger
