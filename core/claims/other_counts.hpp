#pragma once

#include <string>
#include <vector>

#include "core/claims/row_switches.hpp"
#include "core/claims/taken.hpp"
#include "core/json/json.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// A count that is not a sum of the model's rows: numbers packed by a loader or in files, an adapter, a small head on top.
struct OtherCount {
  std::vector<Taken> taken;  ///< from all parameters to the sum
  std::string proof = {};    ///< what the sum is, if the steps from all parameters would mislead
  Count sum = 0;
  Count high = 0;             ///< upper bound; above `sum` if files hold a little that is not known
  unsigned cost = 1;          ///< see core/claims/conventions.hpp
  unsigned least_digits = 4;  ///< with fewer digits a match may be chance; 0: only an integer in full counts
  bool trainable = false;     ///< what is trained, or stays trainable
  std::vector<RowShare> rows = {};
};

/// What loaders and low-bit files count: two 4-bit numbers as one byte, or eight as one 32-bit word, with or without scales. Uses the
/// configuration's method if it names one; else the usual ones.
std::vector<OtherCount> packed_counts(const Model& model, Json root);

/// A LoRA adapter as peft adds it: its modules and what one rank trains.
struct UnitAdapter {
  std::string modules;  ///< "q_proj and v_proj"
  Count each;           ///< trained per rank
  unsigned usual;       ///< 0: any of the usual choices
};
std::vector<UnitAdapter> unit_adapters(const Model& model);

/// A number of trained parameters, and the adapter that explains it.
struct TrainedNumber {
  Count count = 0;
  std::string label = {};
};

/// The ranks that people choose, the usual ones first.
extern const Count adapter_ranks[17];
constexpr std::size_t usual_ranks = 5;
/// "LoRA of rank 16 on q_proj and v_proj": an adapter with one of the ranks.
std::string label_of(const UnitAdapter& adapter, std::size_t rank);

/// All parameters in the published files, unless they are quantized.
Count published_count(const Model& model, Json root);

/// A reward or value head on top of the model, as trl adds them, or the dense modules of sentence-transformers after an encoder.
std::vector<OtherCount> small_heads(const Model& model);

}  // namespace param_ledger
