#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/printed/printed_model.hpp"
#include "core/inputs/tensors/split_name.hpp"
#include "core/support/hash_index.hpp"

namespace param_ledger {

/// Removes the modules `base_layer` and `original_module` of peft's wrappers from a name. `bare`: also removes modules that contain the
/// backbone, such as `model` and `transformer`, because they differ between releases of transformers.
std::string stripped(std::string_view name, bool bare);

/// An index of a printed model's rows and places by their names, ignoring the indices in them. The arguments of the constructor must
/// outlive the object.
class PrintedNames {
 public:
  static constexpr std::size_t none = ~std::size_t{0};

  /// A printed row or module: its position in the printed model, and its name after the prefix.
  struct Named {
    std::size_t at;
    SplitName name;
  };
  /// Everything printed under one name. Modules that only contain other modules have a group, too.
  struct Group {
    std::string text;
    std::size_t parent;                     ///< index of the parent group; `none` for the outermost group
    std::vector<std::size_t> rows, places;  ///< positions in rows() and in places()
    /// The number of distinct indices at each level of the name, if the rows contain all combinations of them; otherwise empty.
    std::vector<Count> counts;
    std::uint64_t length = 0;  ///< the number of modules, for a list of modules
  };
  struct List {
    std::string name;  ///< a copy, because a view would become invalid when groups are added
    std::uint64_t length;
  };

  /// Indexes everything printed under `prefix`, except adapters.
  PrintedNames(const PrintedModel& printed, std::string_view prefix, bool bare);

  [[nodiscard]] const std::vector<Named>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<Named>& places() const { return places_; }
  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  [[nodiscard]] const ListedRow& row(const Named& named) const { return printed_.rows[named.at]; }
  [[nodiscard]] const PrintedPlace& place(const Named& named) const { return printed_.places[named.at]; }
  /// The index of the group with this name, or `none`.
  [[nodiscard]] std::size_t find(std::string_view text) const;

  /// Whether printed modules may hide this many tensors with a name that is not printed.
  [[nodiscard]] bool may_hold(const SplitName& name, Count tensors) const;
  /// Whether a module must have parameters that the text does not show. This is false for classes that usually have none, and for norms,
  /// because some norms have none.
  [[nodiscard]] bool must_hold(const Named& named) const;

  [[nodiscard]] std::vector<List> lists() const;
  /// Whether a name is inside one of the modules of a list.
  [[nodiscard]] static bool is_in(std::string_view list, const SplitName& name);
  /// The indices of a list's modules, grouped by identical contents. Empty if the list is too long.
  [[nodiscard]] std::vector<std::vector<std::uint64_t>> alike_in(const List& list) const;
  /// The distinct sets of layer indices in printed names, up to a maximum number.
  [[nodiscard]] std::vector<RunList> index_sets() const;
  /// The distinct classes of modules that may have parameters, up to a maximum number.
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
