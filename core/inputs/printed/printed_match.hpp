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

/// The comparison of a printed model with a configuration's model.
struct PrintedMatch {
  /// A printed row and the model's row of the same name, whatever their shapes.
  struct Pair {
    std::size_t listed;
    std::size_t expected;
    bool same;                        ///< the shapes also match, at `tensors` indices
    Count tensors;                    ///< number of indices that both have
    std::vector<std::size_t> joined;  ///< other rows of the model that are fused with it in print: their first dimensions add up
    std::vector<Count> counts;        ///< tensors printed under that name, per repeat; empty if unclear
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
    bool placed;  ///< inside modules that may hide parameters; otherwise the model does not match the text
  };
  std::vector<Pair> pairs;
  std::vector<List> lists;
  std::vector<std::pair<std::size_t, Count>> unexpected;  ///< printed rows that the model does not have, and their number of tensors
  std::vector<Hidden> hidden;
  std::vector<std::size_t> unexplained;  ///< places that should have parameters, but for which the model has none

  /// The amount of contradiction, by rows and then by tensors: 0 if the model may be that of the text.
  std::uint64_t wrong = 0;
};

/// Compares a printed model with many configurations of one type. The arguments of the constructor must outlive the object.
class PrintedMatcher {
 public:
  /// Compares what is printed under `prefix`.
  PrintedMatcher(const PrintedModel& printed, std::string_view prefix, std::string_view model_type);

  /// Finds modules with different names in print and in files by their neighbours, and remembers them for the next model.
  PrintedMatch match(const Model& model);
  /// How much of what is printed in one module of a list contradicts the model's rows anywhere in that list.
  std::size_t wrong_at(const PrintedNames::List& list, std::uint64_t index, const Model& model);

  [[nodiscard]] const PrintedNames& names() const { return *names_; }

 private:
  static constexpr std::size_t none = PrintedNames::none;

  /// The printed name of a model's row, cached across models.
  struct Known {
    std::string stored;  ///< the row's name
    SplitName name;
    Count size;                         ///< tensors of that name
    std::size_t group;                  ///< the printed group, or none
    std::size_t list;                   ///< the list that contains it, or none
    std::vector<std::size_t> explains;  ///< places that must have parameters and that contain it or are in it
    std::int8_t placed = -1;            ///< whether all of it may be hidden; -1: not determined
  };

  Known& known(std::string_view stored);
  bool placed(Known& known, Count tensors);
  void forget();
  /// The model's rows as they are compared: some are printed as one.
  struct Joined {
    std::vector<Known*> names;                   ///< by the model's row; null: not compared, or joined with an earlier row
    std::vector<std::vector<std::size_t>> with;  ///< by the model's row: later rows of the same name
    std::vector<std::uint32_t> of_group;         ///< by printed group: how many of the model's names fall into it
  };
  Joined join(const std::vector<Row>& expected);
  PrintedMatch match_as_named(const Model& model);
  [[nodiscard]] std::vector<Count> counts_of(const Row& row, const Known& name, const std::vector<Known*>* others) const;
  void match_lists(const Model& model, const std::vector<Known*>& known, PrintedMatch& out) const;
  void match_places(const std::vector<Known*>& known, PrintedMatch& out) const;
  bool rename(const Model& model, const PrintedMatch& match);

  const PrintedModel& printed_;
  std::string prefix_;
  std::unique_ptr<PrintedNames> names_;
  bool bare_ = false;   ///< compares names without the modules that contain a model
  bool tried_ = false;  ///< `bare_` was determined
  int renamings_ = 0;   ///< number of searches for a name
  std::vector<const ModuleRename*> table_;
  std::vector<std::pair<std::string, std::string>> renames_;  ///< from the model's modules to printed ones
  std::deque<Known> known_;
  StringIndex known_index_;
};

/// The differences, for the answer. Some `missing` ones may only be hidden.
Comparison comparison_of(const PrintedMatch& match, const std::vector<ListedRow>& rows, const Model& model);

}  // namespace param_ledger
