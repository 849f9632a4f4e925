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

// Explains why a stated number differs from a model's parameter count. An explanation consists of a reading
// (core/claims/claim_readings.hpp) and up to three items: a named total (core/claims/claim_totals.hpp), row switches
// (core/claims/row_switches.hpp) and changes of the configuration (core/claims/reconfigurations.hpp). The most common explanations come
// first.
//
// Each item of an explanation has a cost:
//   1  another class of the configuration, a tied head counted again, only the tensors that the published files add
//   2  without norms, the final norm, biases or positions; with prediction layers or scales; the head tied or untied
//   3  without the router, without grouped queries, two feed-forward matrices, another vocabulary, head_dim = hidden ÷ heads,
//      a field's value in a worked article; only attention, feed-forward blocks, routers or norms, if the claim does not name them
//   4  experts counted once
// Every item after the first adds 1. For this purpose, all parameters and the active ones are not items.
//
// Rounding to the nearest costs nothing. All parameters, the active ones, those in the files, a tower or the embeddings (each with or
// without the projector), and a total that the claim names may also be stated cut off, rounded up or as a round number, at no cost, except
// that a round number costs 2 if the total differs from it by more than a fiftieth. These readings are not tried for other totals. Rounding
// up is limited to a twentieth, and to one or two digits for parameters. Parameters are cut off to at most three digits, or to two for
// totals that are neither all parameters nor named by the claim. With row switches or configuration changes, the number may be read as a
// round one at a cost of 1, but not as cut off or rounded up, unless the only change is another class. GB in powers of 1,024 cost 1. For
// bytes, the size in the model's name costs nothing. A number type other than the claim's, the configuration's or the default costs 1, and
// so does an unnamed GGUF format except Q4_K_M.
//
// Ties are broken as follows: all parameters rounded to the nearest come first, then all parameters read otherwise and other totals rounded
// to the nearest, then the rest. A value that is off by more than a twentieth, or more than a fiftieth for a round number, ranks one step
// lower. Remaining ties are decided by the order of totals, then by the distance, then by the number of changed fields.
//
// The number of digits limits what may explain a number. Three digits of parameters allow only a cost of 0, other numbers with up to four
// digits a cost of 1, five digits a cost of 4, and more digits a cost of 6, each with two items. An integer of six or more digits that is
// given in full allows any cost and three items. A switch counts only if it changes the number. tests/tools/chance.cpp measures how often a
// random number is explained.

/// The ranking of explanations in a few sentences for users.
std::string_view ranking();

/// An explanation of a stated number: the changes of the configuration, the total and the row switches that lead to it.
struct Explanation {
  std::vector<Taken> taken;  ///< the items of the explanation: changes of the configuration first, then the total, then row switches
  std::vector<Edit> edits;   ///< the changes of the configuration
  Scope scope = {};
  std::uint32_t switches = 0;
  Count sum = 0;            ///< the explained total, in parameters
  Count value = 0;          ///< the explained total, in the claim's unit
  Count distance = 0;       ///< the difference between the value and the number as written
  bool above = false;       ///< the value is larger than the number
  unsigned bits = 0;        ///< bits per parameter, if the bytes are parameters times a width
  std::string stored = {};  ///< how else the bytes are computed: "a file in Q4_K_M"
  unsigned cost = 0;
  unsigned rank = 0;                ///< the order among explanations of the same cost
  std::size_t order = 0;            ///< the position of the explanation's total in the order of totals
  std::string reading = {};         ///< how the number is read, such as "as cut off"; empty if it is read as written
  std::string proof = {};           ///< the equation for the sum, if the one that `taken` gives would be misleading
  std::vector<RowShare> rows = {};  ///< the rows that are counted differently; empty: those that `scope` and `switches` change
};

enum class Verdict : std::uint8_t {
  exact,       ///< an explanation gives exactly the stated integer
  agrees,      ///< an explanation gives a value that the number may stand for, if it is read as rounded, cut off or otherwise inexact, or
               ///< counts bytes
  nearest,     ///< no explanation, but a named total, the size of the files, or the parameter count with a single change is within a
               ///< ten-thousandth
  unexplained  ///< no explanation, and none of these is within a ten-thousandth
};
std::string_view spelling(Verdict verdict);

/// An alternative value of a field that somebody may have assumed.
struct Assumption {
  std::string label;  ///< the assumption in words, such as "50,000 for vocab_size"
  Edit edit;
};

/// The sums of a model under all conventions. Built once for any number of claims.
class Conventions {
 public:
  /// Throws Error if the configuration cannot be counted. Counts at most 48 other configurations, fewer for large models.
  explicit Conventions(Json root, Subset subset = {}, std::vector<Assumption> assumptions = {});

  struct Found {
    Verdict verdict;
    std::vector<Explanation> agreeing;  ///< the most plausible first
    /// The nearest total or file size within about 3 %, or the count with one change within a ten-thousandth.
    std::optional<Explanation> nearest;
  };
  /// Finds the explanations of a number. `ways`: for a claim in bytes, how the model may be stored.
  [[nodiscard]] Found explain(const Quantity& claim, const ByteWays& ways = {}) const;

  /// The total parameter count of the unchanged model.
  [[nodiscard]] Count sum() const { return variants_.front().sums.front().front(); }

  struct Offered {
    std::string_view id;
    std::string label;
    Taken::Kind kind;
    unsigned cost;
  };
  /// The totals, row switches and changes of the configuration that have an effect in this model.
  [[nodiscard]] std::vector<Offered> offered() const;

 private:
  struct Variant {
    std::vector<std::size_t> changes;      ///< positions in changes_; empty: the model itself
    std::vector<std::vector<Count>> sums;  ///< for each total, its sums with the first switch sets in sets_; empty if the total does not
                                           ///< differ from simpler ones in this model
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
  std::array<std::size_t, 4> up_to_{};  ///< up_to_[n]: how many of sets_ have at most n switches
  std::vector<Variant> variants_;
  std::uint16_t said_of_all_ = 0;
};

/// The sum of an explanation as an equation: "6,738,411,520 = all parameters 6,738,415,616 − final norm 4,096".
std::string sum_text(const Explanation& explanation);

/// The items of an explanation as a phrase: "with 64 key-value heads, without the final norm".
std::string conditions_text(const Explanation& explanation);

}  // namespace param_ledger
