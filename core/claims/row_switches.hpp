#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/model.hpp"

namespace param_ledger {

/// A group of tensors that people leave out of a count or add to it.
struct RowSwitch {
  /// The switches in the order in which they are tried and listed to users.
  enum Name : unsigned { tied_head, final_norm, norms, biases, positions, prediction_layers, scales, router, two_matrices, experts_once };
  std::string_view id, label;
  unsigned cost;               ///< how uncommon the explanation is: see core/claims/conventions.hpp
  bool configuration = false;  ///< whether answers list the switch as a change of the configuration
};
constexpr unsigned row_switch_count = RowSwitch::experts_once + 1;
/// All switches, indexed by Name.
extern const RowSwitch row_switches[row_switch_count];

/// The bit of a switch. A set of switches is an integer with one bit per switch.
constexpr std::uint32_t bit(unsigned s) { return std::uint32_t{1} << s; }

/// A set of parts of the model, with a bit for each value of `answer_part`. Embedding tensors that are not tables have a bit of their own.
using Places = std::uint16_t;
template <class Of>
constexpr Places place(const Of& of) {
  return static_cast<Places>(1U << answer_part(of));
}
constexpr Places beside_tables = 1U << answer_part_count;
constexpr Places all_places = (1U << (answer_part_count + 1)) - 1;

/// What is counted before any switch applies: the parameters in `places`, extended or restricted by the flags below.
struct Scope {
  Places places = all_places;
  bool active = false;      ///< counts only the experts that a token uses
  bool buffers = false;     ///< counts buffers, too
  bool published = false;   ///< counts the tensors that only the published files contain, too
  bool predicting = false;  ///< also counts prediction layers that are stored in all or in some published files
  bool beside = false;      ///< counts only the tensors that only the published files contain
};

/// The rows that a sum covers: all rows, or those whose names contain one of `names`. Counts all copies of a tensor, or only one.
struct Subset {
  std::vector<std::string_view> names = {};
  bool one_copy = false;
};
/// The number of parameters in tensors whose names contain one of the subset's names; 0 if the subset has no names.
Count sum_of(const Model& model, const Subset& subset);

/// Which scopes and switches include or exclude a row.
struct Membership {
  enum Counted : std::uint8_t { parameter, buffer, published, beside };
  Places place = 0;
  Counted counted = beside;  ///< how the row is counted without switches; `beside`: not at all
  bool fused_gate = false;   ///< half of the row is the gate of a gated feed-forward block
  std::uint32_t out = 0;     ///< bits of the switches that exclude the row
  std::uint32_t in = 0;      ///< bits of the switches that include the row
  friend bool operator==(const Membership&, const Membership&) = default;
};

/// The rows of a model, merged into groups that no scope and no switch distinguishes.
class RowTallies {
 public:
  explicit RowTallies(const Model& model, const Subset& subset = {});
  /// The sum of the rows in a scope with a set of switches applied.
  [[nodiscard]] Count sum(const Scope& scope, std::uint32_t switches = 0) const;

 private:
  struct Group {
    Membership membership;
    Count total, active, once;
  };
  std::vector<Group> groups_;
};

/// How much of a row a sum includes.
struct RowShare {
  std::string name;
  Count counted;
  Count usual;  ///< how much of the row the total parameter count includes
};
/// The rows that are counted differently with this scope and these switches than in the total parameter count.
std::vector<RowShare> rows_of(const Model& model, const Scope& scope, std::uint32_t switches);

}  // namespace param_ledger
