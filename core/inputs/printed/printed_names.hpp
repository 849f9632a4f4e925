#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/printed/printed_model.hpp"
#include "core/inputs/tensors/split_name.hpp"
#include "core/support/hash_index.hpp"

namespace param_ledger {

/// A name without wrapped layers' own; `bare`: nor the modules that hold a model, which releases of transformers nest differently.
std::string stripped(std::string_view name, bool bare);

/// Where each name of a printed model's part stands, but for indices. What it is made of must outlive it.
class PrintedNames {
 public:
  static constexpr std::size_t none = ~std::size_t{0};

  /// A row or a place: its number there, and its name under the prefix.
  struct Named {
    std::size_t at;
    SplitName name;
  };
  /// What was printed under one name; also for the modules that only hold others.
  struct Group {
    std::string text;
    std::size_t parent;                     ///< none for the outermost
    std::vector<std::size_t> rows, places;  ///< numbers of rows() and places()
    std::vector<Count> counts;              ///< of rows: how many at each index, where they are a whole box
    std::uint64_t length = 0;               ///< of a list of modules: how many
  };
  /// A list of modules, by its name, and how many are in it.
  struct List {
    std::string name;  ///< its own, as names are made anew while lists are gone through
    std::uint64_t length;
  };

  /// Of what stands under `prefix`, without adapters.
  PrintedNames(const PrintedModel& printed, std::string_view prefix, bool bare);

  [[nodiscard]] const std::vector<Named>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<Named>& places() const { return places_; }
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  [[nodiscard]] const ListedRow& row(const Named& named) const { return printed_.rows[named.at]; }
  [[nodiscard]] const PrintedPlace& place(const Named& named) const { return printed_.places[named.at]; }
  /// The group of that name, or none.
  [[nodiscard]] std::size_t find(std::string_view text) const;

  /// Whether tensors of that name, which were not printed, may be in modules that were: so many of them.
  [[nodiscard]] bool may_hold(const SplitName& name, Count tensors) const;
  /// Whether a module shows nothing, and is neither of a class that holds nothing nor a norm, of which some do.
  [[nodiscard]] bool must_hold(const Named& place) const;

  [[nodiscard]] std::vector<List> lists() const;
  /// Whether a name is that of something in the modules of a list.
  [[nodiscard]] static bool is_in(std::string_view list, const SplitName& name);
  /// Modules of a list that are alike: the same is printed in each. None where the list is too long.
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> alike_in(const List& list) const;
  /// Index sets in which anything is printed, the first few.
  [[nodiscard]] std::vector<RunList> index_sets() const;
  /// Classes of modules, each once.
  [[nodiscard]] std::vector<std::string_view> types() const;

 private:
  std::size_t group(std::string_view text);
  void enlist(const SplitName& name);
  void count_rows(Group& group) const;

  const PrintedModel& printed_;
  std::vector<Named> rows_, places_;
  std::vector<Group> groups_;
  HashIndex index_;
};

}  // namespace param_ledger
