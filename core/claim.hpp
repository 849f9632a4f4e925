#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/edit.hpp"
#include "core/json.hpp"
#include "core/model.hpp"
#include "core/quantity.hpp"
#include "core/row_switches.hpp"

namespace param_ledger {

// Why somebody counts another number: conventions are switches, of rows (left out or counted again) and of configurations
// (the model as it is not). A claim is explained by up to three of them together.
//
// Plainness is what it takes to say an explanation, and ranks those that agree:
//   1  the head left out, the embeddings left out, active parameters only, a tied head counted again
//   2  norms, the final norm, biases, positions left out; buffers, prediction layers, scales counted too; the head tied or not
//   3  the router left out, no grouped queries, two matrices in the feed-forward, a padded or unpadded vocabulary, head_dim as
//      the share of the width; another reading of the number (a round one, GB for GiB)
//   4  a layer more or fewer, experts counted once
// and 1 for each switch after the first (of active parameters others are left out as of all, so those alone add nothing). Among equals the
// nearest to the number as written comes first, then fewer changes of the configuration, then the order above.
//
// A number explains only as much as its digits say: 1 or 2 digits allow 2 of this and two switches, 3 digits 3, 4 digits 4, 5 digits 6, and
// six or more three switches of any kind. A switch counts only where it changes the sum.

/// What each plainness is, in one line for readers.
std::string_view ranking();

/// One switch that an explanation takes.
struct Taken {
  std::string_view id;  ///< "final_norm"
  std::string label;    ///< "final norm", "64 key-value heads"
  bool configuration;   ///< another configuration, not rows in or out
  bool added;           ///< it makes the sum larger
  Count change;         ///< by so much, after the switches before it
};

/// One way to a sum.
struct Explanation {
  std::vector<Taken> taken;  ///< configurations first
  std::vector<Edit> edits;   ///< of the configuration
  std::uint32_t rows = 0;    ///< the switches of rows, as a set
  Count sum = 0;
  Count distance = 0;  ///< of the sum from the number as written
  unsigned cost = 0;
  std::string_view reading;  ///< how the number is read, where that is not as written
};

enum class Verdict : std::uint8_t {
  exact,       ///< that integer, to the last parameter
  agrees,      ///< within the digits as written
  nearest,     ///< no convention, but one sum is within a ten-thousandth
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
    Explanation nearest;                ///< of those with one switch at most
  };
  /// `bits` of one parameter, for a number in bytes.
  [[nodiscard]] Found explain(const Quantity& claim, unsigned bits) const;

  /// The sum of the model as it is.
  [[nodiscard]] Count sum() const { return variants_.front().sums.front(); }

  struct Offered {
    std::string_view id;
    std::string label;
    bool configuration;
    unsigned cost;
  };
  /// The switches that change something in this model.
  [[nodiscard]] std::vector<Offered> offered() const;

 private:
  struct Reconfigured {
    std::string_view id;
    std::string label;
    unsigned cost;
    unsigned group;  ///< of one group only one at a time
    std::vector<Edit> edits;
  };
  struct Variant {
    std::vector<std::size_t> changes;  ///< places in reconfigured_; none: the model itself
    std::vector<Count> sums;           ///< one for each set of switches in sets_
  };

  void collect_changes(const Model& model);
  bool try_variant(Json root, std::vector<std::size_t> changes);
  [[nodiscard]] const Variant* find(const std::vector<std::size_t>& changes) const;
  [[nodiscard]] Explanation explanation(const Variant& variant, std::size_t set) const;
  [[nodiscard]] bool minimal(const Variant& variant, std::size_t set) const;

  Subset subset_;
  std::vector<Reconfigured> reconfigured_;
  std::vector<std::uint32_t> sets_;  ///< sets of row switches, up to three of those that change something
  std::vector<Variant> variants_;
};

/// "6,738,411,520 = all parameters 6,738,415,616 − final norm 4,096"
std::string sum_text(const Explanation& explanation);

/// The answer to {"config": {…}, "claim": "6.74B"}; its form is Check in web/lib/types.ts.
std::string check_answer(Json request);

}  // namespace param_ledger
