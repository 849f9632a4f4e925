#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/hash_index.hpp"
#include "core/inputs/check.hpp"
#include "core/inputs/printed_model.hpp"
#include "core/inputs/split_name.hpp"
#include "core/model.hpp"

namespace param_ledger {

/// What a printed model shows beside what a configuration's model has.
struct PrintedMatch {
  /// A row that was printed and a row of the model of the same name, whatever their shapes.
  struct Pair {
    std::size_t listed;
    std::size_t expected;
    bool same;                  ///< in shape, too, at `tensors` indices
    Count tensors;              ///< at which both are
    std::vector<Count> counts;  ///< of all rows printed under that name, how many there are at each repeat; empty where that can't be said
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
  std::vector<std::size_t> unexplained;  ///< places that show nothing, though they should hold something, of which the model has nothing

  /// How much contradicts the text, by rows, and among rows by tensors: 0 where the text may be that of the model.
  std::uint64_t wrong = 0;
};

/// A printed model's names, prepared to be compared with those of many models. What it is made of must outlive it.
class PrintedNames {
 public:
  /// Of what stands under `prefix`, without adapters.
  PrintedNames(const std::vector<ListedRow>& rows, const std::vector<PrintedPlace>& places, std::string_view prefix);

  /// Modules that are named otherwise in print than in files are found by what is beside them, and remembered for the next model.
  PrintedMatch match(const Model& model);

  /// How many rows are compared.
  [[nodiscard]] std::size_t size() const { return rows_.size(); }
  /// A list of modules in print, by its name, and how many are in it.
  struct List {
    std::string_view name;
    std::uint64_t length;
  };
  [[nodiscard]] std::vector<List> lists() const;
  /// Modules of a list that are alike: the same is printed in each.
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> alike_in(const List& list) const;
  /// How much of what is printed in one module of a list contradicts the rows that a model has anywhere in that list.
  [[nodiscard]] std::size_t wrong_at(const List& list, std::uint64_t index, const Model& model) const;
  /// Index sets in which rows of a list are printed, each once; that of all rows is left out.
  [[nodiscard]] std::vector<RunList> index_sets() const;
  /// Classes of modules, each once.
  [[nodiscard]] std::vector<std::string_view> types() const;

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  struct Named {
    std::size_t at;  ///< in the list
    SplitName name;
  };
  /// What was printed under one name, but for indices; also of the modules that only hold others.
  struct Group {
    std::string text;
    std::size_t parent;                     ///< none for the outermost
    std::vector<std::size_t> rows, places;  ///< of rows_, places_
    std::vector<Count> counts;              ///< of rows: how many at each index, where they are a whole box
    std::uint64_t length = 0;               ///< of a list of modules: how many
  };

  void prepare();
  std::size_t group(std::string_view text);
  [[nodiscard]] std::size_t find(std::string_view text) const;
  void enlist(const SplitName& name);
  void count_rows(Group& group) const;
  [[nodiscard]] SplitName model_name(const Row& row) const;
  [[nodiscard]] PrintedMatch match_as_named(const Model& model) const;
  [[nodiscard]] bool placed(const SplitName& name, Count tensors) const;
  [[nodiscard]] bool explained(const Named& place, const Model& model, const std::vector<SplitName>& names) const;
  bool rename(const Model& model, const PrintedMatch& match);

  const std::vector<ListedRow>& list_;
  const std::vector<PrintedPlace>& place_list_;
  std::string prefix_;
  bool bare_ = false;   ///< names are compared without the modules that hold a model
  bool tried_ = false;  ///< whether they are was decided
  std::vector<Named> rows_, places_;
  std::vector<Group> groups_;
  HashIndex index_;
  std::vector<std::pair<std::string, std::string>> renames_;  ///< of the model's modules, to those printed
};

/// What differs, for the answer: what is `missing` may be hidden.
Comparison comparison_of(const PrintedMatch& match, const std::vector<ListedRow>& rows, const Model& model);

}  // namespace param_ledger
