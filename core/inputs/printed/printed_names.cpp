#include "core/inputs/printed/printed_names.hpp"

#include <algorithm>
#include <utility>

#include "core/support/count.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

std::size_t indices_in(std::string_view text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), SplitName::mark)); }

}  // namespace

std::string stripped(std::string_view name, bool bare) {
  std::string out;
  for (std::size_t begin = 0; begin < name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string_view piece = name.substr(begin, end - begin);
    const bool holds_model = bare && (piece == "model" || piece == "language_model" || piece == "transformer");
    if (!holds_model && piece != "base_layer" && piece != "original_module") out.append(out.empty() ? "" : ".").append(piece);
    begin = end + 1;
  }
  return out;
}

PrintedNames::PrintedNames(const PrintedModel& printed, std::string_view prefix, bool bare) : printed_(printed) {
  group("");
  const auto add = [&](const auto& list, std::vector<Named>& to, auto of_group) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string_view name = list[i].name;
      // The name of the module at `prefix` itself has no final dot.
      const bool under = name.starts_with(prefix) || (name.size() + 1 == prefix.size() && prefix.starts_with(name));
      if (list[i].adapter || !under) continue;
      to.push_back({i, SplitName(stripped(name.substr(std::min(prefix.size(), name.size())), bare))});
      (groups_[group(to.back().name.text)].*of_group).push_back(to.size() - 1);
      enlist(to.back().name);
    }
  };
  add(printed.rows, rows_, &Group::rows);
  add(printed.places, places_, &Group::places);
  for (Group& g : groups_) count_rows(g);
}

std::size_t PrintedNames::find(std::string_view text) const {
  return index_.find(text, none, [&](std::size_t i) -> std::string_view { return groups_[i].text; });
}

/// The index of the group with this name. Adds the group and its parents if they do not exist.
std::size_t PrintedNames::group(std::string_view text) {
  const std::size_t at = index_.intern(text, groups_.size(), [&](std::size_t i) -> std::string_view { return groups_[i].text; });
  if (at < groups_.size()) return at;
  groups_.push_back({std::string(text), none, {}, {}, {}, 0});
  if (!text.empty()) {
    const std::size_t parent = group(module_of(text));
    groups_[at].parent = parent;
  }
  return at;
}

/// Updates the length of the outermost list that contains a name.
void PrintedNames::enlist(const SplitName& name) {
  if (name.indices.empty()) return;
  Group& list = groups_[group(module_of(std::string_view(name.text).substr(0, name.text.find(SplitName::mark))))];
  for (const Run& run : name.indices.front()) list.length = std::max(list.length, run.last + 1);
}

void PrintedNames::count_rows(Group& g) const {
  if (g.rows.empty()) return;
  const std::size_t levels = rows_[g.rows.front()].name.indices.size();
  Count product = 1, sum = 0;
  for (std::size_t level = 0; level < levels; ++level) {
    RunList all;
    for (const std::size_t row : g.rows) {
      all = united(std::move(all), rows_[row].name.indices[level]);
      constexpr std::size_t most_runs = 2000;
      if (all.size() > most_runs) return g.counts.clear();
    }
    g.counts.push_back(size_of(all));
    product = multiply(product, g.counts.back());
  }
  for (const std::size_t row : g.rows) sum = add(sum, size_of(rows_[row].name));
  if (sum != product) g.counts.clear();
}

bool PrintedNames::may_hold(const SplitName& name, Count tensors) const {
  const std::string_view last = std::string_view(name.text).substr(name.text.rfind('.') + 1);
  Count covered = 0;
  bool own = true;
  for (std::string_view module = module_of(name.text);; module = module_of(module), own = false) {
    if (const std::size_t at = find(module); at != none) {
      const std::size_t levels = indices_in(module);
      for (const std::size_t i : groups_[at].places) {
        const PrintedPlace& place = printed_.places[places_[i].at];
        if (own ? (last == "weight" && place.weight_said) || (last == "bias" && place.bias_said) : !place.hollow) continue;
        covered = add(covered, multiply(common(name, places_[i].name, levels), size_of(name, levels)));
      }
    }
    if (covered >= tensors) return true;
    if (module.empty()) return false;
  }
}

bool PrintedNames::must_hold(const Named& named) const {
  const PrintedPlace& place = printed_.places[named.at];
  return place.hollow && !place.empty && !holds(place.type, "Norm");
}

std::vector<PrintedNames::List> PrintedNames::lists() const {
  std::vector<List> out;
  for (const Group& g : groups_)
    if (g.length != 0) out.push_back({g.text, g.length});
  return out;
}

bool PrintedNames::is_in(std::string_view list, const SplitName& name) {
  const std::string_view text = name.text;
  return text.size() > list.size() + 1 && text.starts_with(list) && text[list.size()] == '.' && text[list.size() + 1] == SplitName::mark;
}

std::vector<std::vector<std::uint64_t>> PrintedNames::alike_in(const List& list) const {
  constexpr std::uint64_t longest = 2000;
  std::vector<std::vector<std::uint64_t>> out;
  if (list.length > longest) return out;
  std::vector<std::uint32_t> printed(static_cast<std::size_t>(list.length));
  std::uint32_t number = 0;
  for (const auto* named : {&rows_, &places_})
    for (const Named& one : *named) {
      ++number;
      if (!is_in(list.name, one.name)) continue;
      for (const Run& run : one.name.indices.front())
        for (std::uint64_t i = run.first; i <= run.last; ++i)
          printed[static_cast<std::size_t>(i)] = mixed(printed[static_cast<std::size_t>(i)], number);
    }
  std::vector<std::uint32_t> kinds;
  for (std::size_t i = 0; i < printed.size(); ++i) {
    const auto found = std::find(kinds.begin(), kinds.end(), printed[i]);
    const auto at = static_cast<std::size_t>(found - kinds.begin());
    if (found == kinds.end()) {
      kinds.push_back(printed[i]);
      out.emplace_back();
    }
    out[at].push_back(i);
  }
  return out;
}

std::vector<RunList> PrintedNames::index_sets() const {
  std::vector<RunList> out;
  constexpr std::size_t most = 32;
  for (const auto* list : {&rows_, &places_})
    for (const Named& one : *list) {
      if (one.name.indices.empty() || one.name.indices.front().empty() || out.size() == most) continue;
      const RunList& runs = one.name.indices.front();
      if (std::none_of(out.begin(), out.end(), [&](const RunList& other) { return same_runs(runs, other); })) out.push_back(runs);
    }
  return out;
}

std::vector<std::string_view> PrintedNames::types() const {
  std::vector<std::string_view> out;
  constexpr std::size_t most = 64;
  for (const Named& one : places_) {
    const std::string_view type = printed_.places[one.at].type;
    if (out.size() < most && std::find(out.begin(), out.end(), type) == out.end()) out.push_back(type);
  }
  return out;
}

}  // namespace param_ledger
