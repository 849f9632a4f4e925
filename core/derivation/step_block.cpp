#include "core/derivation/step_block.hpp"

#include <algorithm>

namespace param_ledger {

namespace {

bool is_norm(Mechanism m) {
  return m == Mechanism::rms_norm || m == Mechanism::unbiased_layer_norm || m == Mechanism::layer_norm || m == Mechanism::batch_norm ||
         m == Mechanism::group_norm || m == Mechanism::response_norm;
}

/// The mechanism of rows without a recorded block, according to their roles.
Mechanism by_roles(std::span<const StepLine> lines) {
  bool gate = false, up = false, down = false, output = false;
  for (const StepLine& line : lines) {
    const TensorRole role = line.row->role;
    gate = gate || role == TensorRole::gate || role == TensorRole::gate_and_up;
    up = up || role == TensorRole::up;
    down = down || role == TensorRole::down;
    output = output || role == TensorRole::output;
  }
  const bool feed_forward = lines.front().row->part == Part::feed_forward && down;
  if (feed_forward && gate) return Mechanism::gated_feed_forward;
  if (feed_forward && up) return Mechanism::feed_forward;
  return lines.front().row->part == Part::attention && output ? Mechanism::attention : Mechanism::unspecified;
}

/// Whether a block with the mechanism `outer` is a variant of the block inside it and replaces it.
bool replaces(Mechanism outer, Mechanism inner) {
  switch (inner) {
    case Mechanism::attention: return outer == Mechanism::gated_attention || outer == Mechanism::mixed_attention;
    case Mechanism::latent_attention: return outer == Mechanism::gated_latent_attention;
    case Mechanism::rms_norm: return outer == Mechanism::gated_rms_norm;
    default: return false;
  }
}

std::string_view attention_kind(Expr heads, Expr kv_heads) {
  if (!heads || !kv_heads) return "attention";
  if (heads.peek() == kv_heads.peek()) return "multi_head_attention";
  return kv_heads.peek() == 1 ? "multi_query_attention" : "grouped_query_attention";
}

}  // namespace

Count active_experts(const Row& row) {
  if (!row.experts || row.total.peek() == 0) return 0;
  const Count of_all = multiply(row.active.peek(), row.experts.peek());
  return of_all % row.total.peek() == 0 ? of_all / row.total.peek() : 0;
}

StepBlock describe_block(std::span<const StepLine> lines, const std::function<const Block*(const Row&)>& block_of) {
  StepBlock out;
  const Row& first = *lines.front().row;
  const Block* block = nullptr;
  bool mixed = false;
  for (const StepLine& line : lines) {
    const Block* const own = block_of(*line.row);
    if (own == nullptr || (is_norm(own->mechanism) && line.row->part != Part::norm)) continue;
    if (block != nullptr && (block->mechanism != own->mechanism || block->heads != own->heads || block->kv_heads != own->kv_heads))
      mixed = true;
    if (block == nullptr || own->kv_heads) block = own;
  }
  const auto same = [&](auto of) {
    return std::all_of(lines.begin(), lines.end(), [&](const StepLine& l) { return of(*l.row) == of(first); });
  };
  if (same([](const Row& row) { return row.owner; })) out.owner = first.owner;
  if (same([](const Row& row) { return row.experts; })) out.experts = first.experts;
  if (same(active_experts)) out.active = active_experts(first);
  if (mixed) return out;
  const Mechanism mechanism = block == nullptr ? by_roles(lines) : block->mechanism;
  if (block != nullptr) {
    out.heads = block->heads;
    out.kv_heads = block->kv_heads;
    if (block->experts) {
      out.experts = block->experts;
      out.active = block->active ? std::min(block->active.peek(), block->experts.peek()) : 0;
    }
  }
  out.mechanism = mechanism == Mechanism::attention ? attention_kind(out.heads, out.kv_heads) : spelling(mechanism);
  return out;
}

const Block* innermost(const std::vector<const Block*>& blocks) {
  const Block* out = nullptr;
  for (const Block* const block : blocks) {
    if (block->mechanism == Mechanism::masked_prediction) return block;  // the norm inside masked prediction belongs to that block
    if (block->mechanism == Mechanism::unspecified) continue;
    // A prediction layer does not replace the block inside it.
    if (out != nullptr && block->mechanism == Mechanism::prediction_layer) continue;
    if (out == nullptr || replaces(block->mechanism, out->mechanism)) out = block;
  }
  return out;
}

}  // namespace param_ledger
