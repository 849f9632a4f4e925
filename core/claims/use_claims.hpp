#pragma once

#include <string>
#include <vector>

#include "core/claims/claim_text.hpp"
#include "core/claims/conventions.hpp"
#include "core/claims/other_counts.hpp"

namespace param_ledger {

/// The judgement of a claim about inference, training or the number of experts: the computed values that agree with it, the most plausible
/// first, or why it cannot be judged.
struct UseFound {
  std::vector<Explanation> agreeing;
  std::optional<Explanation> nearest;
  std::string missing;  ///< why the claim cannot be judged, or what the text would have to add
};

/// Judges the size in bytes of a cache, per token or for a number of tokens. The latter may include recurrent states.
UseFound cache_claim(Json root, const Claim& claim);
/// Judges a number of bytes of recurrent states, which do not grow with the number of tokens.
UseFound states_claim(Json root, const Claim& claim);
/// Judges the operations of a forward or training pass, per token or for a number of tokens.
UseFound operations_claim(Json root, const Claim& claim);
/// Judges "8x7B": the number of experts in a layer, and the parameters of the model with one expert in each layer.
UseFound experts_claim(const Model& model, const Claim& claim);
/// Judges a trainable share in percent. `bases`: the model's parameter count, followed by other counts of the base model, such as those of
/// 4-bit loaders. `trained`: the number of trainable parameters stated in the same text; 0 if there is none.
UseFound share_claim(const std::vector<Count>& bases, const std::vector<UnitAdapter>& adapters, const Claim& claim,
                     const TrainedNumber& trained);

}  // namespace param_ledger
