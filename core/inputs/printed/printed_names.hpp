#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/printed/printed_model.hpp"
#include "core/inputs/tensors/split_name.hpp"
#include "core/support/hash_index.hpp"

namespace param_ledger {

/// Removes wrappers' modules from a name. `bare`: also the modules that contain a model, which differ between releases of transformers.
std::string stripped(std::string_view name, bool bare);

/// The positions of a printed model's names, without indices. The arguments of the constructor must outlive the object.
class PrintedNames {
 public:
  static constexpr std::size_t none = ~std::size_t{0};

  /// A row or a place: its number, and its name after the prefix.
  struct Named {
    std::size_t at;
    SplitName name;
  };
  /// Everything printed under one name; also for modules that only contain others.
  struct Group {
    std::string text;
    std::size_t parent;                     ///< none for the outermost one
    std::vector<std::size_t> rows, places;  ///< positions in rows() and places()
    std::vector<Count> counts;              ///< of rows: how many at each index, if they form a complete box
    std::uint64_t length = 0;               ///< of a list of modules
  };
  /// A list of modules: its name and its length.
  struct List {
    std::string name;  ///< a copy, because names are created during iteration
    std::uint64_t length;
  };

  /// For everything under `prefix`, without adapters.
  PrintedNames(const PrintedModel& printed, std::string_view prefix, bool bare);

  [[nodiscard]] const std::vector<Named>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<Named>& places() const { return places_; }
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  [[nodiscard]] const ListedRow& row(const Named& named) const { return printed_.rows[named.at]; }
  [[nodiscard]] const PrintedPlace& place(const Named& named) const { return printed_.places[named.at]; }
  /// The group with that name, or none.
  [[nodiscard]] std::size_t find(std::string_view text) const;

  /// Whether that many tensors of a name that was not printed may be in printed modules.
  [[nodiscard]] bool may_hold(const SplitName& name, Count tensors) const;
  /// Whether a module shows nothing although it must have parameters: its class is neither an empty one nor a norm, some of which have
  /// none.
  [[nodiscard]] bool must_hold(const Named& place) const;

  [[nodiscard]] std::vector<List> lists() const;
  /// Whether a name is inside the modules of a list.
  [[nodiscard]] static bool is_in(std::string_view list, const SplitName& name);
  /// The modules of a list, grouped by identical contents. Empty if the list is too long.
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> alike_in(const List& list) const;
  /// The index sets that occur in print, up to a limit.
  [[nodiscard]] std::vector<RunList> index_sets() const;
  /// The classes of modules, each once.
  [[nodiscard]] std::vector<std::string_view> types() const;

 private:
  std::size_t group(std::string_view text);
  void enlist(const SplitName& name);
  void count_rows(Group& group) const;

  const PrintedModel& printed_;
  std::vector<Named> rows_, places_;
  std::vector<Group> groups_;
  StringIndex index_;
};

}  // namespace param_ledger
