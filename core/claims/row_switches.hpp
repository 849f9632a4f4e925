#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/model.hpp"

namespace param_ledger {

/// What people leave out of a count, or count again: rows of the tensor table, whatever the model.
struct RowSwitch {
  /// In this order they are tried and offered.
  enum Name : unsigned { tied_head, final_norm, norms, biases, positions, prediction_layers, scales, router, two_matrices, experts_once };
  std::string_view id, label;
  unsigned cost;               ///< how plain it is, as core/claims/conventions.hpp has it
  bool configuration = false;  ///< said like another configuration, not like rows in or out
};
constexpr unsigned row_switch_count = RowSwitch::experts_once + 1;
/// By their names.
extern const RowSwitch row_switches[row_switch_count];

/// A set of switches is an integer with their bits.
constexpr std::uint32_t bit(unsigned s) { return std::uint32_t{1} << s; }

/// Where a row sits, as a bit: its part, but for what belongs to embeddings and is no table.
using Places = std::uint16_t;
template <class Of>
constexpr Places place(const Of& of) {
  return static_cast<Places>(1U << answer_part(of));
}
constexpr Places beside_tables = 1U << answer_part_count;
constexpr Places all_places = (1U << (answer_part_count + 1)) - 1;

/// What is counted before any switch: the parameters in these places, and what else.
struct Scope {
  Places places = all_places;
  bool active = false;      ///< of experts those that a token is routed to
  bool buffers = false;     ///< buffers, too
  bool published = false;   ///< what published files hold beside the model, too
  bool predicting = false;  ///< prediction layers that only some of those files hold, too
};

/// What a sum over rows is taken of: all of them, or those whose names hold one of these texts; all copies or one of each.
struct Subset {
  std::vector<std::string_view> names = {};
  bool one_copy = false;
};

/// How scopes and switches see one row.
struct Membership {
  enum Counted : std::uint8_t { parameter, buffer, published, beside };
  Places place = 0;
  Counted counted = beside;  ///< without any switch; `beside`: by none
  bool fused_gate = false;   ///< half of it is the third matrix
  std::uint32_t out = 0;     ///< switches that leave it out
  std::uint32_t in = 0;      ///< switches that count it
  friend bool operator==(const Membership&, const Membership&) = default;
};

/// The rows of a model, those together that no scope and no switch tells apart.
class RowTallies {
 public:
  explicit RowTallies(const Model& model, const Subset& subset = {});
  /// What the model holds in that scope under a set of switches.
  [[nodiscard]] Count sum(const Scope& scope, std::uint32_t switches = 0) const;

 private:
  struct Group {
    Membership membership;
    Count total, active, once;
  };
  std::vector<Group> groups_;
};

/// How a row is counted, for the table: what of it is in the sum.
struct RowShare {
  std::string name;
  Count counted;
  Count usual;  ///< what the parameters count of it
};
/// The rows that this scope and these switches count otherwise.
std::vector<RowShare> rows_of(const Model& model, const Scope& scope, std::uint32_t switches);

}  // namespace param_ledger
