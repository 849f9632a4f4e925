#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/claims/claim_bytes.hpp"
#include "core/claims/claim_readings.hpp"
#include "core/claims/claim_totals.hpp"
#include "core/claims/reconfigurations.hpp"
#include "core/claims/row_switches.hpp"
#include "core/claims/taken.hpp"

namespace param_ledger {

// Explains why somebody states a different number. An explanation consists of a reading (core/claims/claim_readings.hpp), a named total
// (core/claims/claim_totals.hpp), and up to three row switches (core/claims/row_switches.hpp) or changes of the configuration
// (core/claims/reconfigurations.hpp). The most common explanations come first.
//
// The cost of an explanation:
//   1  another class of the configuration, a tied head counted again
//   2  without norms, the final norm, biases or positions; with prediction layers or scales; the head tied or untied
// 3  without the router, without grouped queries, two feed-forward matrices, another vocabulary, head_dim = hidden ÷ heads;
//      only attention, experts, routers or norms, if the claim does not name them
//   4  experts counted once
// and 1 for each further item; a total other than all and the active parameters counts as an item.
// Rounding to the nearest costs nothing. All parameters, the active ones, those in the files, a single tower or table, and a total that the
// claim names may also be cut off, rounded up or round, at no cost; this is not tried for other totals. Rounding up is limited to a
// twentieth, and to one or two digits for parameters. All parameters are cut off to at most three digits, other totals to at most two. With
// switches, only a round number is tried, at a cost of 1. GB in powers of 1,024 cost 1. For bytes, the size in the model's name costs
// nothing, an unnamed number type 1, and an unnamed GGUF format 1, except Q4_K_M.
//
// Ties are broken as follows: all parameters rounded to the nearest come first, then all parameters cut off and other totals rounded to the
// nearest, then the rest. A value that is off by more than a twentieth, or more than a fiftieth for a round number, comes a step later.
// Then the order of totals, the distance, and fewer changed fields decide.
//
// A number's digits limit what may explain it: up to 4 digits allow a cost of 1, 5 digits 4, 6 digits 6, with two items; an integer in full
// allows any cost and three items. A switch counts only if it changes the number. tests/tools/chance.cpp measures how often a random number
// is explained.

/// This ranking in three sentences, for readers.
std::string_view ranking();

/// One explanation of a number.
struct Explanation {
  std::vector<Taken> taken;  ///< changes of the configuration first, then the total, then rows
  std::vector<Edit> edits;   ///< of the configuration
  Scope scope = {};
  std::uint32_t switches = 0;
  Count sum = 0;            ///< in parameters
  Count value = 0;          ///< in the claim's unit
  Count distance = 0;       ///< between the value and the number as written
  bool above = false;       ///< the value is larger
  unsigned bits = 0;        ///< per parameter, if bytes are parameters times a width
  std::string stored = {};  ///< how else the bytes are computed: "a file in Q4_K_M"
  unsigned cost = 0;
  unsigned rank = 0;                ///< among explanations of the same cost
  std::size_t order = 0;            ///< of its total
  std::string reading = {};         ///< the reading, if it is not as written
  std::string proof = {};           ///< what the sum is, if its steps from all parameters would mislead
  std::vector<RowShare> rows = {};  ///< set if it is counted in another way; empty: by `scope` and `switches`
};

enum class Verdict : std::uint8_t {
  exact,       ///< exactly that integer
  agrees,      ///< within the digits as written
  nearest,     ///< not explained, but a named total, or one with a switch, is within a ten-thousandth
  unexplained  ///< not explained
};
std::string_view spelling(Verdict verdict);

/// An alternative value of a field that somebody may have assumed.
struct Assumption {
  std::string label;  ///< "a vocab_size of 50,000"
  Edit edit;
};

/// The sums of a model under all conventions. Built once for any number of claims.
class Conventions {
 public:
  /// Throws Error if the configuration cannot be counted. Counts at most 48 other configurations, fewer for large models.
  explicit Conventions(Json root, Subset subset = {}, std::vector<Assumption> assumptions = {});

  struct Found {
    Verdict verdict;
    std::vector<Explanation> agreeing;   ///< the most plausible first
    std::optional<Explanation> nearest;  ///< named totals within a few hundredths, and within a ten-thousandth with one switch
  };
  /// `ways`: for a claim in bytes, how the model may be stored.
  [[nodiscard]] Found explain(const Quantity& claim, const ByteWays& ways = {}) const;

  /// The sum of the model as it is.
  [[nodiscard]] Count sum() const { return variants_.front().sums.front().front(); }

  struct Offered {
    std::string_view id;
    std::string label;
    Taken::Kind kind;
    unsigned cost;
  };
  /// The totals and switches that have an effect in this model.
  [[nodiscard]] std::vector<Offered> offered() const;

 private:
  struct Variant {
    std::vector<std::size_t> changes;      ///< positions in changes_; empty: the model itself
    std::vector<std::vector<Count>> sums;  ///< of each total, for the first of sets_; empty if it is not a distinct total here
  };
  struct Matches;

  [[nodiscard]] std::size_t sets_of(std::size_t n_changes, std::size_t total) const;
  [[nodiscard]] Variant variant(const RowTallies& rows, std::vector<std::size_t> changes) const;
  void collect_sets(const RowTallies& rows);
  void try_changes(Json root, std::size_t left);
  bool try_variant(Json root, std::vector<std::size_t> changes);
  [[nodiscard]] const Variant* find(const std::vector<std::size_t>& changes) const;
  [[nodiscard]] Explanation explanation(const Variant& variant, std::size_t total, std::size_t set) const;
  [[nodiscard]] bool minimal(const Variant& variant, std::size_t total, std::size_t set, Count low, Count high) const;

  Subset subset_;
  std::vector<Reconfiguration> changes_;
  std::vector<std::uint32_t> sets_;     ///< sets of up to three row switches that have an effect; smaller sets first
  std::array<std::size_t, 4> up_to_{};  ///< how many of them have at most that many switches
  std::vector<Variant> variants_;
  std::uint16_t said_of_all_ = 0;
};

/// "6,738,411,520 = all parameters 6,738,415,616 − final norm 4,096"
std::string sum_text(const Explanation& explanation);

/// "with 64 key-value heads, without the final norm"
std::string conditions_text(const Explanation& explanation);

}  // namespace param_ledger
