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
  /// A printed row and the model's row with the same name. Their shapes may differ.
  struct Pair {
    std::size_t listed;
    std::size_t expected;
    bool same;      ///< whether the shapes of the two rows match
    Count tensors;  ///< number of tensors that both rows have
    /// Other rows of the model that are printed fused with this row, so that their first dimensions add up.
    std::vector<std::size_t> joined;
    std::vector<Count> counts;  ///< the number of printed modules at each repeat level of the row; empty if it cannot be determined
  };
  /// A list of modules, such as `layers`, in the model and in the printed text.
  struct List {
    std::size_t expected;   ///< a row of the model with a tensor in the list's last module
    std::uint64_t length;   ///< the list's length in the model
    std::uint64_t printed;  ///< the list's length in the text
  };
  /// A row of the model that the text does not show, or shows only for some of its tensors.
  struct Hidden {
    std::size_t expected;
    Count tensors;
    bool placed;  ///< whether the row is inside modules that may hide parameters; if not, the model does not match the text
  };
  std::vector<Pair> pairs;
  std::vector<List> lists;
  std::vector<std::pair<std::size_t, Count>> unexpected;  ///< printed rows that the model does not have, and how many of their tensors
  std::vector<Hidden> hidden;
  std::vector<std::size_t> unexplained;  ///< positions of printed modules that must have parameters, but for which the model has no tensors

  /// How much the model contradicts the text, 0 meaning not at all. The number of rows counts more than the number of tensors.
  std::uint64_t wrong = 0;
};

/// Compares a printed model with many configurations of one type. The arguments of the constructor must outlive the object.
class PrintedMatcher {
 public:
  /// Compares only those modules whose path begins with `prefix`.
  PrintedMatcher(const PrintedModel& printed, std::string_view prefix, std::string_view model_type);

  /// Compares a model with the printed text. If a module is printed under another name than in checkpoints, the modules around it show
  /// which names correspond. These pairs of names are used for later models, too.
  PrintedMatch match(const Model& model);
  /// The number of contradictions between the module at `index` of a printed list and the model's rows in that list, whatever their
  /// indices.
  std::size_t wrong_at(const PrintedNames::List& list, std::uint64_t index, const Model& model);

  [[nodiscard]] const PrintedNames& names() const { return *names_; }

 private:
  static constexpr std::size_t none = PrintedNames::none;

  /// The name under which a row of the model may be printed, cached across models.
  struct Known {
    std::string stored;  ///< the row's name in checkpoints
    SplitName name;
    Count size;                         ///< number of tensors that have this name
    std::size_t group;                  ///< the group of printed rows with this name, or `none`
    std::size_t list;                   ///< the group of the outermost list that contains the row, or `none`
    std::vector<std::size_t> explains;  ///< printed modules that must have parameters and that contain the row
    std::int8_t placed = -1;            ///< whether printed modules may hide all its tensors; -1: not determined yet
  };

  Known& known(std::string_view stored);
  bool placed(Known& known, Count tensors);
  void forget();
  /// The model's rows, grouped for the comparison because some of them are printed as one row.
  struct Joined {
    std::vector<Known*> names;  ///< one for each row of the model; null if the row is not compared, or was joined with an earlier row
    std::vector<std::vector<std::size_t>> with;  ///< for each row of the model, the later rows with the same printed name
    std::vector<std::uint32_t> of_group;         ///< for each printed group, how many of the model's names belong to it
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
  bool bare_ = false;   ///< whether names are compared without the modules that contain the backbone, such as `model` and `transformer`
  bool tried_ = false;  ///< whether the value of `bare_` has been determined
  int renamings_ = 0;   ///< how often renamed modules have been searched for
  std::vector<const ModuleRename*> table_;
  std::vector<std::pair<std::string, std::string>> renames_;  ///< pairs of a module's name in the model and its name in the text
  std::deque<Known> known_;
  StringIndex known_index_;
};

/// The comparison of the printed text with a model, as the answer lists it. The tensors in `missing` may merely be hidden by the text.
Comparison comparison_of(const PrintedMatch& match, const std::vector<ListedRow>& rows, const Model& model);

}  // namespace param_ledger
