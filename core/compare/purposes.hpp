#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/builder/inference.hpp"

namespace param_ledger {

/// The purposes of parameters, in groups that apply across model types. A comparison lists first the purposes for which the parameters
/// increase and then those for which they decrease, both in this order.
enum class Purpose : std::uint8_t {
  embedding,
  positions,
  segments,
  attention,  ///< the matrices of attention, as if each query head had its own keys and values
  attention_gate,
  latent_attention,
  cross_attention,
  state_space,
  feed_forward,  ///< matrices of feed-forward blocks other than gates and experts
  gate,
  experts,
  shared_experts,
  router,
  norms,
  query_key_norms,
  biases,
  convolution,
  indexer,
  other_embeddings,  ///< tensors of the embedding that are neither lookup tables nor convolutions, such as class tokens
  projections,
  adapter,
  head,
  encoder,  ///< all parameters of the encoder, if only one of the two models has an encoder
  vision,
  audio,
  projector,
  other,            ///< tensors that no other purpose describes
  grouped_queries,  ///< the parameters saved by sharing keys and values among query heads: subtracted, not added
};
constexpr std::size_t purpose_count = static_cast<std::size_t>(Purpose::grouped_queries) + 1;
std::string_view spelling(Purpose purpose);

/// A model's parameters by purpose. They add up to the total parameter count, with `grouped_queries` subtracted.
struct Purposes {
  std::array<Count, purpose_count> parameters{};
  std::vector<std::string_view> others;  ///< the names of the tensors in `other`
};

bool has_encoder(const std::vector<Row>& rows);

/// Adds up a model's parameters by purpose. `whole_encoder` puts all parameters of an encoder into one group.
Purposes purposes_of(const std::vector<Row>& rows, const Inference& inference, bool whole_encoder);

}  // namespace param_ledger
