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

namespace param_ledger {

// Why somebody has another number. It is read in one way (core/claims/claim_readings.hpp), of one total that has a name
// (core/claims/claim_totals.hpp), perhaps with rows left out or counted again (core/claims/row_switches.hpp) or of another configuration
// (core/claims/reconfigurations.hpp): up to three of these together. What comes first is what people do most often.
//
// What an explanation costs:
//   0  a total by its name, whichever: all parameters, the active ones, the published files, without embeddings, the text model, a tower
//   1  another class of the configuration, a tied head counted again
//   2  norms, the final norm, biases, positions left out; prediction layers or scales counted, too; the head tied or not
//   3  the router left out, no grouped queries, two matrices in the feed-forward, another vocabulary, head_dim as the share of the width;
//      attention, experts, routers or norms alone, where the claim does not name them
//   4  experts counted once
// and 1 for each of these after the first; a total other than all parameters and the active ones counts as one of them.
// How the number is read adds nothing where it is rounded to the nearest. Nothing either where all parameters, the active ones, those of
// the files, a tower or a table alone, or a total that the claim names are cut off, rounded up or round; of other totals that is not
// tried. Rounded up is at most a twentieth, and parameters only in one digit or two; cut off are all parameters in three digits, other
// totals in two, none in four. With switches only a round number is tried, for 1. GB in powers of 1,024 are 1. In bytes the size that a
// model is named by adds nothing, a type of numbers that nobody says 1, a format of GGUF that is not named 1, but Q4_K_M nothing.
//
// Among equals: all parameters to the nearest; all parameters cut off and other totals to the nearest; the rest. What is off by more than
// a twentieth, a round number by more than a fiftieth, comes a step later. Then by the order of the totals, by distance, by fewer changed
// fields.
//
// A number explains only as much as its digits say: up to 4 digits allow a cost of 1, 5 digits 4, 6 digits 6, two together; an
// integer in full allows anything, three together. A switch counts only where the number would be another one without it.
// tests/tools/chance.cpp measures how often chance explains a number.

/// The same in a few lines, for readers.
std::string_view ranking();

/// One thing that an explanation takes.
struct Taken {
  enum Kind : std::uint8_t { total, configuration, rows };
  std::string_view id;  ///< "final_norm"
  std::string label;    ///< "final norm", "64 key-value heads"
  Kind kind;
  bool added;    ///< it makes the sum larger
  Count change;  ///< by so much, after those before it
};

/// One way to a sum.
struct Explanation {
  std::vector<Taken> taken;  ///< configurations first, then the total, then rows
  std::vector<Edit> edits;   ///< of the configuration
  Scope scope = {};
  std::uint32_t switches = 0;
  Count sum = 0;            ///< parameters
  Count value = 0;          ///< the same in the claim's unit
  Count distance = 0;       ///< of the value from the number as written
  bool above = false;       ///< the value is larger
  unsigned bits = 0;        ///< of one parameter, where bytes are so many parameters
  std::string stored = {};  ///< how else the model fills the bytes: "a file in Q4_K_M"
  unsigned cost = 0;
  unsigned rank = 0;         ///< among those of the same cost
  std::size_t order = 0;     ///< of its total
  std::string reading = {};  ///< how the number is read, where that is not as written
};

enum class Verdict : std::uint8_t {
  exact,       ///< that integer, to the last parameter
  agrees,      ///< within the digits as written
  nearest,     ///< no convention, but a total by its name or with one switch is within a ten-thousandth
  unexplained  ///< no convention
};
std::string_view spelling(Verdict verdict);

/// Another value of a field that somebody took for granted.
struct Assumption {
  std::string label;  ///< "a vocab_size of 50,000"
  Edit edit;
};

/// The sums of a model under all conventions: made once, asked about any number of claims.
class Conventions {
 public:
  /// Throws Error where the configuration itself can't be counted. Counts the model anew for each other configuration: at most 48
  /// times, fewer for large ones.
  explicit Conventions(Json root, Subset subset = {}, std::vector<Assumption> assumptions = {});

  struct Found {
    Verdict verdict;
    std::vector<Explanation> agreeing;  ///< plainest first
    std::optional<Explanation>
        nearest;  ///< of the totals by their names, within a few hundredths; with one switch, within a ten-thousandth
  };
  /// `ways`: of a number in bytes, how the model may fill them.
  [[nodiscard]] Found explain(const Quantity& claim, const ByteWays& ways = {}) const;

  /// The sum of the model as it is.
  [[nodiscard]] Count sum() const { return variants_.front().sums.front().front(); }

  struct Offered {
    std::string_view id;
    std::string label;
    Taken::Kind kind;
    unsigned cost;
  };
  /// The totals and switches that change something in this model.
  [[nodiscard]] std::vector<Offered> offered() const;

 private:
  struct Variant {
    std::vector<std::size_t> changes;      ///< places in changes_; none: the model itself
    std::vector<std::vector<Count>> sums;  ///< of each total, for the first of sets_; none where it is no total of its own here
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
  std::vector<std::uint32_t> sets_;     ///< of row switches, up to three of those that change something; smaller ones first
  std::array<std::size_t, 4> up_to_{};  ///< how many of them have so many switches at most
  std::vector<Variant> variants_;
  std::uint16_t said_of_all_ = 0;
};

/// "6,738,411,520 = all parameters 6,738,415,616 − final norm 4,096"
std::string sum_text(const Explanation& explanation);

}  // namespace param_ledger
