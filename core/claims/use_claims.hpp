#pragma once

#include <string>
#include <vector>

#include "core/claims/claim_text.hpp"
#include "core/claims/conventions.hpp"
#include "core/claims/other_counts.hpp"

namespace param_ledger {

/// What a claim about use agrees with, the most plausible first, or why it cannot be judged.
struct UseFound {
  std::vector<Explanation> agreeing;
  std::optional<Explanation> nearest;
  std::string missing;  ///< what the text would have to say to be judged
};

/// Bytes of keys and values, per token or for a number of tokens.
UseFound cache_claim(Json root, const Claim& claim);
/// Bytes of recurrent states, which do not grow with the number of tokens.
UseFound states_claim(Json root, const Claim& claim);
/// Operations of a forward or training pass, per token or for a number of tokens.
UseFound operations_claim(Json root, const Claim& claim);
/// "8x7B": the parameters of the experts, and of the model with one expert in each layer.
UseFound experts_claim(const Model& model, const Claim& claim);
/// A trainable share in percent, of a model that a loader counts as one of `bases`. `trained`: what another number of the text says that is
/// trained, if one does.
UseFound share_claim(const std::vector<Count>& bases, const std::vector<UnitAdapter>& adapters, const Claim& claim,
                     const TrainedNumber& trained);

}  // namespace param_ledger
