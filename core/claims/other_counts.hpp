#pragma once

#include <string>
#include <vector>

#include "core/claims/row_switches.hpp"
#include "core/claims/taken.hpp"
#include "core/json/json.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// A count that somebody may state although it is not one of the model's totals, for example with weights packed by a loader or in
/// quantized files, with an adapter, or with a small head on top.
struct OtherCount {
  std::vector<Taken> taken;  ///< the items that lead from the total parameter count to the sum
  std::string proof = {};    ///< the equation for the sum, if the one that `taken` gives would be misleading
  Count sum = 0;
  Count high = 0;     ///< upper bound; above `sum` if the exact contents of the files are not known
  unsigned cost = 1;  ///< how uncommon the explanation is: see core/claims/conventions.hpp
  /// The fewest digits of a number that is compared with this count, because fewer could match by chance. 0: only integers given in full
  /// are compared.
  unsigned least_digits = 4;
  bool trainable = false;  ///< counts only trainable parameters
  std::vector<RowShare> rows = {};
};

/// The counts that loaders report and that 4-bit files contain, and the number of parameters that a 4-bit loader leaves trainable. An
/// element holds two 4-bit weights in a byte, four in a 16-bit number or eight in a 32-bit word; scales may be counted as well. Uses the
/// quantization method that the configuration names; if it names none, all common ones.
std::vector<OtherCount> packed_counts(const Model& model, Json root);

/// A LoRA adapter as peft adds it: its target modules, and the parameters that it trains at rank 1.
struct UnitAdapter {
  std::string modules;  ///< the target modules in words, such as "q_proj and v_proj"
  Count each;           ///< parameters trained at rank 1
  unsigned usual;       ///< 0 if these target modules are a usual choice
};
std::vector<UnitAdapter> unit_adapters(const Model& model);

/// A stated number of trainable parameters, and what explains it, usually an adapter.
struct TrainedNumber {
  Count count = 0;
  std::string label = {};
};

/// The LoRA ranks that people choose, the most common ones first.
extern const Count adapter_ranks[17];
constexpr std::size_t usual_ranks = 5;
/// Describes an adapter: "LoRA of rank 16 on q_proj and v_proj". `rank` is a position in `adapter_ranks`.
std::string label_of(const UnitAdapter& adapter, std::size_t rank);

/// The number of parameters, including tensors that only the published files contain; 0 if the files are quantized.
Count published_count(const Model& model, Json root);

/// The counts of a model with a value head, as trl adds it, with a reward head without bias, or with the dense modules of
/// sentence-transformers.
std::vector<OtherCount> small_heads(const Model& model);

}  // namespace param_ledger
