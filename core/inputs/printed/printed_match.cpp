#include "core/inputs/printed/printed_match.hpp"

#include <algorithm>
#include <utility>

#include "core/support/count.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

bool is_compared(const Row& row) { return row.kind == Kind::parameter || row.kind == Kind::tied || row.kind == Kind::buffer; }

bool same_shape(const ListedRow& listed, const std::vector<Row>& rows, std::size_t expected, const std::vector<std::size_t>& joined) {
  const Row& row = rows[expected];
  if (row.kind == Kind::tied) return true;  // print() shows the module's own sizes, even if its weight is shared with another module
  if (listed.kind == ListedKind::packed) return listed.numbers == row.elements.peek();
  if (listed.shape.size() != row.shape.size()) return false;
  for (std::size_t i = 0; i < row.shape.size(); ++i) {
    Count wanted = row.shape[i].peek();
    if (i == 0)
      for (const std::size_t other : joined) wanted = add(wanted, rows[other].shape.front().peek());
    if (listed.shape[i] != wanted) return false;
  }
  return true;
}

/// The penalties for each way in which a printed tensor or module contradicts the model. A different shape is penalised less than a missing
/// tensor.
constexpr std::uint64_t of_other_shape = 2, of_nothing = 3, of_place = 2;
std::uint64_t contradiction(std::uint64_t weight, Count tensors, Count of) {
  constexpr std::uint64_t row = 1000;
  const Count share = of != 0 && tensors < of ? tensors * (row - 1) / of : row - 1;
  return weight * row + static_cast<std::uint64_t>(share);
}

}  // namespace

PrintedMatcher::PrintedMatcher(const PrintedModel& printed, std::string_view prefix, std::string_view model_type)
    : printed_(printed), prefix_(prefix), table_(module_renames(model_type)) {
  forget();
}

/// Rebuilds the index of printed names, and clears the cache and the list of renamed modules. Call it after changing how names are
/// compared.
void PrintedMatcher::forget() {
  names_ = std::make_unique<PrintedNames>(printed_, prefix_, bare_);
  renames_.clear();
  known_.clear();
  known_index_ = StringIndex();
}

PrintedMatcher::Known& PrintedMatcher::known(std::string_view stored) {
  const std::size_t at = known_index_.intern(stored, known_.size(), [&](std::size_t i) -> std::string_view { return known_[i].stored; });
  if (at < known_.size()) return known_[at];
  SplitName name = bare_ ? SplitName(stripped(stored, true)) : SplitName(stored);
  if (!table_.empty()) name.text = renamed(table_, std::move(name.text));
  for (const auto& [from, to] : renames_)
    if (name.text.starts_with(from) && (name.text.size() == from.size() || name.text[from.size()] == '.'))
      name.text.replace(0, from.size(), to);
  Known& out = known_.emplace_back(Known{std::string(stored), std::move(name), 0, none, none, {}});
  const std::string_view text = out.name.text;
  out.size = size_of(out.name);
  out.group = names_->find(text);
  if (!out.name.indices.empty()) out.list = names_->find(module_of(text.substr(0, text.find(SplitName::mark))));
  for (std::string_view module = module_of(text);; module = module_of(module)) {
    if (const std::size_t g = names_->find(module); g != none)
      for (const std::size_t place : names_->groups()[g].places)
        if (names_->must_hold(names_->places()[place])) out.explains.push_back(place);
    if (module.empty()) return out;
  }
}

bool PrintedMatcher::placed(Known& known, Count tensors) {
  if (tensors != known.size) return names_->may_hold(known.name, tensors);
  if (known.placed < 0) known.placed = names_->may_hold(known.name, tensors) ? 1 : 0;
  return known.placed != 0;
}

/// The number of modules at each repeat level of a row, from everything printed under the row's name; empty if it cannot be determined.
/// `others`: the names of all rows of the model; null if no other row has this name.
std::vector<Count> PrintedMatcher::counts_of(const Row& row, const Known& name, const std::vector<Known*>* others) const {
  const PrintedNames::Group& alike = names_->groups()[name.group];
  const std::vector<RunList>& indices = name.name.indices;
  // If the row's name has more indices than the row has repeats, an index that is a single number is not a repeat.
  std::vector<std::size_t> repeated, fixed;
  const bool every = row.repeats.size() == indices.size();
  for (std::size_t level = 0; level < indices.size(); ++level) (every || size_of(indices[level]) != 1 ? repeated : fixed).push_back(level);
  std::vector<Count> out;
  if (repeated.size() != row.repeats.size()) return out;
  if (others == nullptr) {
    if (!alike.counts.empty())
      for (const std::size_t level : repeated) out.push_back(alike.counts[level]);
    return out;
  }
  const auto is_there = [&](const SplitName& other) {
    return std::all_of(fixed.begin(), fixed.end(),
                       [&](std::size_t level) { return contains(other.indices[level], indices[level].front().first); });
  };
  if (fixed.empty() || std::count_if(others->begin(), others->end(), [&](const Known* other) {
                         return other != nullptr && other->group == name.group && is_there(other->name);
                       }) != 1)
    return out;
  for (const std::size_t level : repeated) {
    RunList all;
    for (const std::size_t i : alike.rows) {
      const SplitName& printed = names_->rows()[i].name;
      if (!is_there(printed)) continue;
      all = united(std::move(all), printed.indices[level]);
    }
    if (all.empty()) return {};
    out.push_back(size_of(all));
  }
  return out;
}

PrintedMatcher::Joined PrintedMatcher::join(const std::vector<Row>& expected) {
  const std::vector<PrintedNames::Group>& groups = names_->groups();
  Joined out{std::vector<Known*>(expected.size()), std::vector<std::vector<std::size_t>>(expected.size()),
             std::vector<std::uint32_t>(groups.size())};
  for (std::size_t e = 0; e < expected.size(); ++e) {
    if (!is_compared(expected[e])) continue;
    Known* const name = &known(expected[e].name);
    if (name->group != none && out.of_group[name->group] > 0 && !groups[name->group].rows.empty()) {
      const auto end = out.names.begin() + static_cast<std::ptrdiff_t>(e);
      const auto first =
          std::find_if(out.names.begin(), end, [&](const Known* other) { return other != nullptr && same_name(other->name, name->name); });
      if (first != end) {
        out.with[static_cast<std::size_t>(first - out.names.begin())].push_back(e);
        continue;
      }
    }
    if (name->group != none) ++out.of_group[name->group];
    out.names[e] = name;
  }
  return out;
}

PrintedMatch PrintedMatcher::match_as_named(const Model& model) {
  PrintedMatch out;
  const std::vector<Row>& expected = model.builder.rows();
  const Joined joined = join(expected);
  std::vector<Count> left;  // for each printed row, how many of its tensors no row of the model has matched yet
  for (const PrintedNames::Named& row : names_->rows()) left.push_back(names_->row(row).copies);
  std::uint64_t pairs = 0;
  for (std::size_t e = 0; e < expected.size(); ++e) {
    if (joined.names[e] == nullptr) continue;
    Known& name = *joined.names[e];
    Count wanted = name.size;
    if (name.group != none) {
      const bool has_others = joined.of_group[name.group] > 1;
      const std::vector<Count> counts = counts_of(expected[e], name, has_others ? &joined.names : nullptr);
      for (const std::size_t i : names_->groups()[name.group].rows) {
        constexpr std::uint64_t most_pairs = 20'000'000;
        if (++pairs > most_pairs) throw Error{ErrorCode::too_large, "", "There are too many tensors with the same name to compare."};
        const PrintedNames::Named& row = names_->rows()[i];
        const Count both = std::min(common(name.name, row.name, name.name.indices.size()), left[i]);
        if (both == 0 && has_others) continue;  // the printed tensors belong to another row of the model
        const ListedRow& listed = names_->row(row);
        const bool same = both == 0 || same_shape(listed, expected, e, joined.with[e]);
        if (!same) out.wrong += contradiction(of_other_shape, both, listed.copies);
        out.pairs.push_back({row.at, e, same, both, joined.with[e], counts});
        left[i] -= both;
        wanted -= std::min(wanted, both);
      }
    }
    if (wanted == 0 || expected[e].kind == Kind::buffer) continue;
    out.hidden.push_back({e, wanted, placed(name, wanted)});
    if (!out.hidden.back().placed) out.wrong += contradiction(of_nothing, wanted, name.size);
  }
  for (std::size_t i = 0; i < left.size(); ++i) {
    const PrintedNames::Named& row = names_->rows()[i];
    if (left[i] == 0 || names_->row(row).kind == ListedKind::scale) continue;
    out.unexpected.emplace_back(row.at, left[i]);
    out.wrong += contradiction(of_nothing, left[i], names_->row(row).copies);
  }
  match_places(joined.names, out);
  match_lists(model, joined.names, out);
  return out;
}

/// Finds printed modules that must contain parameters for which the model has no tensors. A range of modules is reported even if the model
/// lacks parameters for only one of them.
void PrintedMatcher::match_places(const std::vector<Known*>& known, PrintedMatch& out) const {
  struct Covered {
    std::size_t place;
    std::string_view name;
    Count modules;
  };
  std::vector<Covered> covered;
  std::vector<bool> whole(names_->places().size());
  for (const Known* const row : known) {
    if (row == nullptr) continue;
    for (const std::size_t place : row->explains) {
      if (whole[place]) continue;
      const PrintedNames::Named& named = names_->places()[place];
      auto found =
          std::find_if(covered.begin(), covered.end(), [&](const Covered& c) { return c.place == place && c.name == row->name.text; });
      if (found == covered.end()) found = covered.insert(found, {place, row->name.text, 0});
      found->modules = add(found->modules, common(row->name, named.name, named.name.indices.size()));
      whole[place] = found->modules >= names_->place(named).copies;
    }
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (whole[i] || !names_->must_hold(names_->places()[i])) continue;
    out.unexplained.push_back(names_->places()[i].at);
    out.wrong += contradiction(of_place, 1, 1);
  }
}

/// For each list of modules, finds the rows of the model that have a tensor in the list's last module.
void PrintedMatcher::match_lists(const Model& model, const std::vector<Known*>& known, PrintedMatch& out) const {
  std::vector<std::uint64_t> longest(names_->groups().size());
  for (const bool measured : {false, true})
    for (std::size_t e = 0; e < known.size(); ++e) {
      if (known[e] == nullptr || known[e]->list == none || model.builder.rows()[e].repeats.empty()) continue;
      const std::uint64_t length = known[e]->name.indices.front().back().last + 1;
      std::uint64_t& most = longest[known[e]->list];
      if (!measured)
        most = std::max(most, length);
      else if (length == most)
        out.lists.push_back({e, length, names_->groups()[known[e]->list].length});
    }
}

/// Looks for a module that is printed under another name. If a module of the model is missing, and exactly one printed module at the same
/// place is unknown to the model, assumes that they are the same module.
bool PrintedMatcher::rename(const Model& model, const PrintedMatch& match) {
  const std::vector<PrintedNames::Group>& groups = names_->groups();
  std::vector<bool> taken(groups.size());
  for (const Row& row : model.builder.rows()) {
    if (!is_compared(row)) continue;
    for (std::string_view module = known(row.name).name.text;; module = module_of(module)) {
      if (const std::size_t g = names_->find(module); g != none) taken[g] = true;
      if (module.empty()) break;
    }
  }
  // A printed module that is already paired with a missing module may be paired with further ones. Classes without parameters are never
  // paired.
  for (const auto& [from, to] : renames_) taken[names_->find(to)] = false;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const std::size_t i : groups[g].places)
      if (names_->place(names_->places()[i]).empty) taken[g] = true;
  for (const PrintedMatch::Hidden& h : match.hidden) {
    if (h.placed) continue;
    const std::string_view text = known(model.builder.rows()[h.expected].name).name.text;
    std::string_view missing = text, around = module_of(missing);
    while (names_->find(around) == none) {
      missing = around;
      around = module_of(around);
    }
    if (missing.size() == text.size()) continue;  // the module itself is printed, and lacks only this tensor or some of its tensors
    const std::size_t parent = names_->find(around);
    std::size_t stranger = none, strangers = 0;
    const auto marks = [](std::string_view name) { return std::count(name.begin(), name.end(), SplitName::mark); };
    for (std::size_t g = 1; g < groups.size(); ++g)  // skip names that have another number of indices than the missing one
      if (groups[g].parent == parent && !taken[g] && marks(groups[g].text) == marks(missing)) {
        stranger = g;
        ++strangers;
      }
    if (strangers != 1) continue;
    renames_.emplace_back(missing, groups[stranger].text);
    return true;
  }
  return false;
}

PrintedMatch PrintedMatcher::match(const Model& model) {
  PrintedMatch best = match_as_named(model);
  if (!tried_) {
    tried_ = true;
    if (!best.unexpected.empty()) {
      bare_ = true;
      forget();
      PrintedMatch other = match_as_named(model);
      if (other.unexpected.size() < best.unexpected.size()) {
        best = std::move(other);
      } else {
        bare_ = false;
        forget();
      }
    }
  }
  constexpr int most_renamings = 16;
  while (best.wrong > 0 && renamings_++ < most_renamings && rename(model, best)) {
    const std::vector<std::pair<std::string, std::string>> now = renames_;
    forget();
    renames_ = now;
    PrintedMatch other = match_as_named(model);
    if (other.wrong >= best.wrong) {
      forget();
      renames_.assign(now.begin(), now.end() - 1);
      break;
    }
    best = std::move(other);
  }
  return best;
}

std::size_t PrintedMatcher::wrong_at(const PrintedNames::List& list, std::uint64_t index, const Model& model) {
  std::size_t wrong = 0;
  std::vector<bool> found(names_->rows().size());
  for (const Row& row : model.builder.rows()) {
    if (!is_compared(row) || row.kind == Kind::buffer) continue;
    const Known& its = known(row.name);
    if (!PrintedNames::is_in(list.name, its.name)) continue;
    bool shown = false;
    if (its.group != none)
      for (const std::size_t i : names_->groups()[its.group].rows)
        if (contains(names_->rows()[i].name.indices.front(), index)) shown = found[i] = true;
    if (shown) continue;
    SplitName name = its.name;
    name.indices.front() = {{index, index}};
    if (!names_->may_hold(name, size_of(name))) ++wrong;
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const SplitName& name = names_->rows()[i].name;
    if (!found[i] && PrintedNames::is_in(list.name, name) && contains(name.indices.front(), index)) ++wrong;
  }
  return wrong;
}

Comparison comparison_of(const PrintedMatch& match, const std::vector<ListedRow>& rows, const Model& model) {
  Comparison out;
  const auto shape_of = [](const Row& row) {
    std::vector<std::uint64_t> shape;
    for (const Expr dim : row.shape) shape.push_back(static_cast<std::uint64_t>(dim.peek()));
    return shape;
  };
  for (const PrintedMatch::Pair& pair : match.pairs) {
    if (pair.tensors == 0) continue;
    const ListedRow& listed = rows[pair.listed];
    const Row& expected = model.builder.rows()[pair.expected];
    if (pair.same) {
      out.matched_tensors = add(out.matched_tensors, pair.tensors);
      out.matched_elements = add(out.matched_elements, multiply(pair.tensors, listed.numbers));
    } else {
      out.other_shape.push_back(difference(listed.name, listed.shape, pair.tensors, listed.elements));
      out.other_shape.back().expected = shape_of(expected);
    }
    if (expected.kind == Kind::tied) out.tied_stored.push_back(difference(listed.name, listed.shape, pair.tensors, listed.numbers));
  }
  for (const auto& [at, tensors] : match.unexpected) {
    out.unexpected.push_back(difference(rows[at].name, rows[at].shape, tensors, rows[at].elements));
    out.unexpected_elements = add(out.unexpected_elements, out.unexpected.back().elements);
  }
  for (const PrintedMatch::Hidden& hidden : match.hidden) {
    const Row& row = model.builder.rows()[hidden.expected];
    if (row.kind != Kind::parameter) continue;
    out.missing.push_back(difference(std::string(row.name), shape_of(row), hidden.tensors, row.elements.peek()));
    out.missing_elements = add(out.missing_elements, out.missing.back().elements);
  }
  return out;
}

}  // namespace param_ledger
