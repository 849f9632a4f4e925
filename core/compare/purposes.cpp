#include "core/compare/purposes.hpp"

#include <algorithm>

namespace param_ledger {

namespace {

bool is_bias(const Row& row) { return row.name.ends_with("bias") && row.storage == StorageKind::vector; }

Purpose purpose_of_tower(Tower tower) {
  switch (tower) {
    case Tower::vision: return Purpose::vision;
    case Tower::audio: return Purpose::audio;
    default: return Purpose::projector;
  }
}

bool is_latent(TensorRole role) {
  return role == TensorRole::query_down || role == TensorRole::query_up || role == TensorRole::key_value_down ||
         role == TensorRole::key_value_up;
}

/// The purpose of a tensor according to its storage and its part, for a tensor whose role does not decide.
Purpose purpose_of_part(const Row& row) {
  if (row.storage == StorageKind::kernel) return Purpose::convolution;
  switch (row.part) {
    case Part::embedding: return row.storage == StorageKind::table ? Purpose::embedding : Purpose::other_embeddings;
    case Part::attention:
      if (row.storage == StorageKind::table) return Purpose::positions;  // relative position biases
      return row.storage == StorageKind::matrix ? Purpose::attention : Purpose::other;
    case Part::feed_forward: return row.storage == StorageKind::matrix ? Purpose::feed_forward : Purpose::other;
    case Part::projection: return Purpose::projections;
    default: return Purpose::other;
  }
}

bool is_position_block(Mechanism mechanism) {
  return mechanism == Mechanism::relative_position_bias || mechanism == Mechanism::sinusoidal_positions;
}

/// The purpose of a tensor, by the first rule that applies: its tower comes first, its storage last. `other` if no rule applies.
Purpose purpose_of(const Row& row, const std::vector<const Block*>& blocks, bool whole_encoder) {
  const auto stands_in = [&](auto is) {
    return std::any_of(blocks.begin(), blocks.end(), [&](const Block* block) { return is(block->mechanism); });
  };
  if (row.in_tower()) return purpose_of_tower(row.tower);
  if (whole_encoder && row.owner == Owner::encoder) return Purpose::encoder;
  if (stands_in(is_position_block)) return Purpose::positions;
  if (row.part == Part::norm) return Purpose::norms;
  if (row.role == TensorRole::query_norm || row.role == TensorRole::key_norm) return Purpose::query_key_norms;
  if (stands_in([](Mechanism m) { return m == Mechanism::sparse_indexer; })) return Purpose::indexer;
  if (row.part == Part::router) return Purpose::router;
  if (row.part == Part::output_head) return Purpose::head;
  if (row.owner == Owner::shared_expert || row.role == TensorRole::shared_expert_gate) return Purpose::shared_experts;
  if (row.part == Part::state_space) return Purpose::state_space;
  if (row.part == Part::convolution) return Purpose::convolution;
  if (row.part == Part::adapter) return Purpose::adapter;
  if (row.experts) return Purpose::experts;
  if (is_bias(row)) return Purpose::biases;
  if (row.owner == Owner::cross) return Purpose::cross_attention;
  if (row.part == Part::attention && (is_latent(row.role) || stands_in([](Mechanism m) { return m == Mechanism::latent_attention; })))
    return Purpose::latent_attention;
  switch (row.role) {
    case TensorRole::token_embedding: return Purpose::embedding;
    case TensorRole::position_embedding: return Purpose::positions;
    case TensorRole::segment_embedding: return Purpose::segments;
    case TensorRole::query:
    case TensorRole::key:
    case TensorRole::value:
    case TensorRole::query_key_value:
    case TensorRole::output: return Purpose::attention;
    case TensorRole::attention_gate: return Purpose::attention_gate;
    case TensorRole::gate: return Purpose::gate;
    case TensorRole::up:
    case TensorRole::down:
    case TensorRole::gate_and_up: return Purpose::feed_forward;
    default: return purpose_of_part(row);
  }
}

/// The parameters that grouped queries save in a key, value or fused projection, compared with one key-value head per query head. 0 if
/// nothing is saved, or if it cannot be computed from the numbers of heads.
Count saved_by_grouping(const Row& row, const std::vector<const Block*>& blocks) {
  const bool fused = row.role == TensorRole::query_key_value;
  if (!fused && row.role != TensorRole::key && row.role != TensorRole::value) return 0;
  const auto block = std::find_if(blocks.begin(), blocks.end(), [](const Block* b) { return b->heads && b->kv_heads; });
  if (block == blocks.end()) return 0;
  const Count heads = (*block)->heads.peek(), kv_heads = (*block)->kv_heads.peek();
  if (kv_heads == 0 || kv_heads >= heads) return 0;
  const Count total = row.total.peek(), groups = fused ? add(heads, multiply(2, kv_heads)) : kv_heads;
  if (total % groups != 0) return 0;
  return multiply(total / groups, multiply(fused ? 2 : 1, heads - kv_heads));
}

}  // namespace

std::string_view spelling(Purpose purpose) {
  static constexpr std::string_view names[] = {"embedding",
                                               "positions",
                                               "segments",
                                               "attention",
                                               "attention_gate",
                                               "latent_attention",
                                               "cross_attention",
                                               "state_space",
                                               "feed_forward",
                                               "gate",
                                               "experts",
                                               "shared_experts",
                                               "router",
                                               "norms",
                                               "query_key_norms",
                                               "biases",
                                               "convolution",
                                               "indexer",
                                               "other_embeddings",
                                               "projections",
                                               "adapter",
                                               "head",
                                               "encoder",
                                               "vision",
                                               "audio",
                                               "projector",
                                               "other",
                                               "grouped_queries"};
  static_assert(std::size(names) == purpose_count);
  return names[static_cast<std::size_t>(purpose)];
}

bool has_encoder(const std::vector<Row>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.owner == Owner::encoder; });
}

Purposes purposes_of(const std::vector<Row>& rows, const Inference& inference, bool whole_encoder) {
  Purposes out;
  const auto count = [&](Purpose purpose, Count parameters) {
    Count& sum = out.parameters[static_cast<std::size_t>(purpose)];
    sum = add(sum, parameters);
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    if (row.kind != Kind::parameter) continue;
    const std::vector<const Block*> blocks = blocks_around(inference.blocks, i);
    const Purpose purpose = purpose_of(row, blocks, whole_encoder);
    Count parameters = row.total.peek();
    if (purpose == Purpose::other) out.others.push_back(row.name);
    if (purpose == Purpose::attention) {
      const Count saved = saved_by_grouping(row, blocks);
      count(Purpose::grouped_queries, saved);
      parameters = add(parameters, saved);
      const bool gated =
          std::any_of(blocks.begin(), blocks.end(), [](const Block* b) { return b->mechanism == Mechanism::gated_attention; });
      if (gated && row.role == TensorRole::query) {
        count(Purpose::attention_gate, parameters / 2);
        parameters -= parameters / 2;
      }
    }
    if (purpose == Purpose::feed_forward && row.role == TensorRole::gate_and_up) {
      count(Purpose::gate, parameters / 2);
      parameters -= parameters / 2;
    }
    count(purpose, parameters);
  }
  return out;
}

}  // namespace param_ledger
