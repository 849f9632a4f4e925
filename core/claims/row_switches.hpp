#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/model.hpp"

namespace param_ledger {

/// A group of rows of the tensor table that people exclude from a count or count additionally.
struct RowSwitch {
  /// In the order in which they are tried and offered.
  enum Name : unsigned { tied_head, final_norm, norms, biases, positions, prediction_layers, scales, router, two_matrices, experts_once };
  std::string_view id, label;
  unsigned cost;               ///< see core/claims/conventions.hpp
  bool configuration = false;  ///< worded like a change of the configuration
};
constexpr unsigned row_switch_count = RowSwitch::experts_once + 1;
/// Indexed by Name.
extern const RowSwitch row_switches[row_switch_count];

/// A set of switches is an integer with one bit per switch.
constexpr std::uint32_t bit(unsigned s) { return std::uint32_t{1} << s; }

/// A row's location as a bit: its part, except for embedding tensors that are not tables.
using Places = std::uint16_t;
template <class Of>
constexpr Places place(const Of& of) {
  return static_cast<Places>(1U << answer_part(of));
}
constexpr Places beside_tables = 1U << answer_part_count;
constexpr Places all_places = (1U << (answer_part_count + 1)) - 1;

/// What is counted without switches: the parameters in these places, and more.
struct Scope {
  Places places = all_places;
  bool active = false;      ///< only active experts
  bool buffers = false;     ///< with buffers
  bool published = false;   ///< with what published files add
  bool predicting = false;  ///< with prediction layers that only some files have
  bool beside = false;      ///< only what published files add
};

/// The rows that a sum covers: all, or those with one of these texts in their names; all copies or one of each.
struct Subset {
  std::vector<std::string_view> names = {};
  bool one_copy = false;
};
/// The parameters in the rows with one of the names.
Count sum_of(const Model& model, const Subset& subset);

/// How a row relates to scopes and switches.
struct Membership {
  enum Counted : std::uint8_t { parameter, buffer, published, beside };
  Places place = 0;
  Counted counted = beside;  ///< without switches; `beside`: not counted
  bool fused_gate = false;   ///< half of it is the gate
  std::uint32_t out = 0;     ///< switches that exclude it
  std::uint32_t in = 0;      ///< switches that include it
  friend bool operator==(const Membership&, const Membership&) = default;
};

/// The rows of a model, merged if no scope and no switch distinguishes them.
class RowTallies {
 public:
  explicit RowTallies(const Model& model, const Subset& subset = {});
  /// The sum in that scope with a set of switches.
  [[nodiscard]] Count sum(const Scope& scope, std::uint32_t switches = 0) const;

 private:
  struct Group {
    Membership membership;
    Count total, active, once;
  };
  std::vector<Group> groups_;
};

/// How much of a row is in the sum, for the table.
struct RowShare {
  std::string name;
  Count counted;
  Count usual;  ///< what all parameters include of it
};
/// The rows that this scope and these switches count differently.
std::vector<RowShare> rows_of(const Model& model, const Scope& scope, std::uint32_t switches);

}  // namespace param_ledger
