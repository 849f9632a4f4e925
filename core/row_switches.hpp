#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model.hpp"

namespace param_ledger {

/// What people leave out of a count, or count again: rows of the tensor table, whatever the model.
struct RowSwitch {
  /// In this order they are tried and offered.
  enum Name : unsigned {
    output_head,
    embeddings,
    active_only,
    tied_head,
    final_norm,
    norms,
    biases,
    positions,
    buffers,
    prediction_layers,
    scales,
    router,
    two_matrices,
    experts_once
  };
  std::string_view id, label;
  unsigned cost;               ///< how plain it is, as core/claim.hpp has it
  bool configuration = false;  ///< said like another configuration, not like rows in or out
};
constexpr unsigned row_switch_count = RowSwitch::experts_once + 1;
/// By their names.
extern const RowSwitch row_switches[row_switch_count];

/// A set of switches is an integer with their bits.
constexpr std::uint32_t bit(unsigned s) { return std::uint32_t{1} << s; }

/// What a sum over rows is taken of: all of them, or those whose names hold one of these texts; all copies or one of each.
struct Subset {
  std::vector<std::string_view> names = {};
  bool one_copy = false;
};

/// What a model holds under each of these sets of switches.
std::vector<Count> row_sums(const Model& model, const Subset& subset, const std::vector<std::uint32_t>& sets);

/// How a set of switches counts a row, for the table: what of it is in the sum.
struct RowShare {
  std::string name;
  Count counted;
  Count usual;  ///< what the parameters count of it
};
/// The rows that these switches count otherwise.
std::vector<RowShare> rows_of(const Model& model, std::uint32_t switches);

}  // namespace param_ledger
