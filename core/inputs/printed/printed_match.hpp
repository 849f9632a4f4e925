#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/inputs/printed/printed_names.hpp"
#include "core/inputs/tensors/tensor_comparison.hpp"
#include "core/model/model.hpp"
#include "core/model/module_renames.hpp"
#include "core/support/hash_index.hpp"

namespace param_ledger {

/// What a printed model shows beside what a configuration's model has.
struct PrintedMatch {
  /// A row that was printed and a row of the model of the same name, whatever their shapes.
  struct Pair {
    std::size_t listed;
    std::size_t expected;
    bool same;                        ///< in shape, too, at `tensors` indices
    Count tensors;                    ///< at which both are
    std::vector<std::size_t> joined;  ///< more rows of the model, which are printed in one with it: their first dimensions add up
    std::vector<Count> counts;        ///< of all printed under that name, how many at each repeat; empty where that can't be said
  };
  /// A list of modules: `layers`.
  struct List {
    std::size_t expected;   ///< a row of the model that reaches its end
    std::uint64_t length;   ///< in the model
    std::uint64_t printed;  ///< in the text
  };
  /// A row of the model, or some of its tensors, that the text does not show.
  struct Hidden {
    std::size_t expected;
    Count tensors;
    bool placed;  ///< in modules that may hold parameters unseen; else the model is not that of the text
  };
  std::vector<Pair> pairs;
  std::vector<List> lists;
  std::vector<std::pair<std::size_t, Count>> unexpected;  ///< rows that were printed and are none of the model's, and how many tensors
  std::vector<Hidden> hidden;
  std::vector<std::size_t> unexplained;  ///< places that should hold something, of which the model has nothing

  /// How much contradicts the text, by rows, and among rows by tensors: 0 where the text may be that of the model.
  std::uint64_t wrong = 0;
};

/// Compares a printed model with those of many configurations of one type. What it is made of must outlive it.
class PrintedMatcher {
 public:
  /// What stands under `prefix` in print is compared.
  PrintedMatcher(const PrintedModel& printed, std::string_view prefix, std::string_view model_type);

  /// Modules that are named otherwise in print than in files are found by what is beside them, and remembered for the next model.
  PrintedMatch match(const Model& model);
  /// How much of what is printed in one module of a list contradicts the rows that a model has anywhere in that list.
  std::size_t wrong_at(const PrintedNames::List& list, std::uint64_t index, const Model& model);

  [[nodiscard]] const PrintedNames& names() const { return *names_; }

 private:
  static constexpr std::size_t none = PrintedNames::none;

  /// What the name of a model's row is in print: found once for all models.
  struct Known {
    std::string stored;  ///< the row's name
    SplitName name;
    Count size;                         ///< tensors of that name
    std::size_t group;                  ///< what is printed under it, or none
    std::size_t list;                   ///< the list that it stands in, or none
    std::vector<std::size_t> explains;  ///< places in or around which it is, that must hold something
    mutable std::int8_t placed = -1;    ///< whether all of it may be unseen; -1: not asked
  };

  const Known& known(std::string_view stored);
  bool placed(const Known& known, Count tensors);
  void forget();
  PrintedMatch match_as_named(const Model& model);
  [[nodiscard]] std::vector<Count> counts_of(const Row& row, const Known& name, const std::vector<const Known*>* others) const;
  void match_lists(const Model& model, const std::vector<const Known*>& known, PrintedMatch& out) const;
  void match_places(const std::vector<const Known*>& known, PrintedMatch& out) const;
  bool rename(const Model& model, const PrintedMatch& match);

  const PrintedModel& printed_;
  std::string prefix_;
  std::unique_ptr<PrintedNames> names_;
  bool bare_ = false;   ///< names are compared without the modules that hold a model
  bool tried_ = false;  ///< whether they are was decided
  int renamings_ = 0;   ///< how often a name was looked for
  std::vector<const ModuleRename*> table_;
  std::vector<std::pair<std::string, std::string>> renames_;  ///< found: of the model's modules, to those printed
  std::deque<Known> known_;
  HashIndex known_index_;
};

/// What differs, for the answer: what is `missing` may be hidden.
Comparison comparison_of(const PrintedMatch& match, const std::vector<ListedRow>& rows, const Model& model);

}  // namespace param_ledger
