#include "core/inputs/printed_match.hpp"

#include <algorithm>

#include "core/count.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

bool is_compared(const Row& row) { return row.kind == Kind::parameter || row.kind == Kind::tied || row.kind == Kind::buffer; }

bool same_shape(const ListedRow& listed, const Row& expected) {
  if (listed.kind == ListedKind::packed) return listed.numbers == expected.elements.value();
  return std::equal(listed.shape.begin(), listed.shape.end(), expected.shape.begin(), expected.shape.end(),
                    [](std::uint64_t a, Expr b) { return a == b.value(); });
}

std::string_view module_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : name.substr(0, dot);
}

std::size_t indices_in(std::string_view text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), SplitName::mark)); }

Count size_of(const SplitName& name, std::size_t from = 0) {
  Count out = 1;
  for (std::size_t i = from; i < name.indices.size(); ++i) out = multiply(out, size_of(name.indices[i]));
  return out;
}

/// What a row of that many tensors is worth where so many of them contradict the text. Another shape is nearer than nothing at all.
std::uint64_t contradiction(std::uint64_t weight, Count tensors, Count of) {
  constexpr std::uint64_t row = 1000;
  const Count share = of != 0 && tensors < of ? tensors * (row - 1) / of : row - 1;
  return weight * row + static_cast<std::uint64_t>(share);
}

/// A name without wrapped layers' own; `bare`: nor the modules that hold a model, which releases of transformers nest differently.
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

}  // namespace

PrintedNames::PrintedNames(const std::vector<ListedRow>& rows, const std::vector<PrintedPlace>& places, std::string_view prefix)
    : list_(rows), place_list_(places), prefix_(prefix) {
  prepare();
}

void PrintedNames::prepare() {
  rows_.clear();
  places_.clear();
  groups_.clear();
  index_ = HashIndex();
  renames_.clear();
  group("");
  const auto is_under = [&](std::string_view name) {
    return name.starts_with(prefix_) || (name.size() + 1 == prefix_.size() && prefix_.starts_with(name));
  };
  const auto split = [&](std::string_view name) { return SplitName(stripped(name.substr(std::min(prefix_.size(), name.size())), bare_)); };
  for (std::size_t i = 0; i < list_.size(); ++i) {
    if (list_[i].adapter || !is_under(list_[i].name)) continue;
    rows_.push_back({i, split(list_[i].name)});
    groups_[group(rows_.back().name.text)].rows.push_back(rows_.size() - 1);
    enlist(rows_.back().name);
  }
  for (std::size_t i = 0; i < place_list_.size(); ++i) {
    if (place_list_[i].adapter || !is_under(place_list_[i].name)) continue;
    places_.push_back({i, split(place_list_[i].name)});
    groups_[group(places_.back().name.text)].places.push_back(places_.size() - 1);
    enlist(places_.back().name);
  }
  for (Group& g : groups_) count_rows(g);
}

std::size_t PrintedNames::find(std::string_view text) const {
  return index_.find(hash_of(text), none, [&](std::size_t i) { return groups_[i].text == text; });
}

/// The group of that name, made with those around it where there is none.
std::size_t PrintedNames::group(std::string_view text) {
  const std::size_t at = index_.find_or_add(hash_of(text), groups_.size(), [&](std::size_t i) { return groups_[i].text == text; });
  if (at < groups_.size()) return at;
  groups_.push_back({std::string(text), none, {}, {}, {}, 0});
  if (!text.empty()) groups_[at].parent = group(module_of(groups_[at].text));
  return at;
}

/// Notes how long the list is at whose place the first index stands.
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
      const RunList& runs = rows_[row].name.indices[level];
      const RunList more = g.rows.size() > 1 ? remaining(runs, all) : runs;
      all.insert(all.end(), more.begin(), more.end());
      constexpr std::size_t most_runs = 10'000;
      if (all.size() > most_runs) return g.counts.clear();
    }
    g.counts.push_back(size_of(all));
    product = multiply(product, g.counts.back());
  }
  for (const std::size_t row : g.rows) sum = add(sum, size_of(rows_[row].name));
  if (sum != product) g.counts.clear();
}

SplitName PrintedNames::model_name(const Row& row) const {
  SplitName name = bare_ ? SplitName(stripped(row.name, true)) : SplitName(row.name);
  for (const auto& [from, to] : renames_)
    if (name.text.starts_with(from) && (name.text.size() == from.size() || name.text[from.size()] == '.'))
      name.text.replace(0, from.size(), to);
  return name;
}

/// Whether tensors of that name, which were not printed, may be in modules that were.
bool PrintedNames::placed(const SplitName& name, Count tensors) const {
  const std::string_view last = std::string_view(name.text).substr(name.text.rfind('.') + 1);
  Count covered = 0;
  bool own = true;
  for (std::string_view module = module_of(name.text);; module = module_of(module), own = false) {
    if (const std::size_t at = find(module); at != none) {
      const std::size_t levels = indices_in(module);
      for (const std::size_t i : groups_[at].places) {
        const PrintedPlace& place = place_list_[places_[i].at];
        if (own ? (last == "weight" && place.weight_said) || (last == "bias" && place.bias_said) : !place.hollow) continue;
        covered = add(covered, multiply(common(name, places_[i].name, levels), size_of(name, levels)));
      }
    }
    if (covered >= tensors) return true;
    if (module.empty()) return false;
  }
}

/// Whether the model has tensors in all modules of that place.
bool PrintedNames::explained(const Named& place, const Model& model, const std::vector<SplitName>& names) const {
  const std::string_view module = place.name.text;
  struct Covered {
    std::string_view name;
    Count modules;
  };
  std::vector<Covered> by;
  for (std::size_t e = 0; e < names.size(); ++e) {
    const std::string_view text = names[e].text;
    const bool inside = module.empty() || (text.starts_with(module) && text.size() > module.size() && text[module.size()] == '.');
    if (!inside || !is_compared(model.builder.rows()[e])) continue;
    auto found = std::find_if(by.begin(), by.end(), [&](const Covered& c) { return c.name == text; });
    if (found == by.end()) found = by.insert(found, {text, 0});
    found->modules = add(found->modules, common(names[e], place.name, place.name.indices.size()));
    if (found->modules >= place_list_[place.at].copies) return true;
  }
  return false;
}

PrintedMatch PrintedNames::match_as_named(const Model& model) const {
  PrintedMatch out;
  const std::vector<Row>& expected = model.builder.rows();
  std::vector<SplitName> names;
  std::vector<std::uint64_t> longest(groups_.size());
  std::vector<std::uint32_t> of_group(groups_.size());
  for (const Row& row : expected) {
    names.push_back(is_compared(row) ? model_name(row) : SplitName(""));
    if (!is_compared(row)) continue;
    if (const std::size_t g = find(names.back().text); g != none) ++of_group[g];
  }
  std::vector<Count> left;
  for (const Named& row : rows_) left.push_back(list_[row.at].copies);
  std::uint64_t pairs = 0;
  for (std::size_t e = 0; e < expected.size(); ++e) {
    if (!is_compared(expected[e])) continue;
    const SplitName& name = names[e];
    Count wanted = size_of(name);
    if (const std::size_t g = find(name.text); g != none) {
      const Group& alike = groups_[g];
      const bool counted = of_group[g] == 1 && !alike.counts.empty() && expected[e].repeats.size() <= alike.counts.size();
      for (const std::size_t i : alike.rows) {
        constexpr std::uint64_t most_pairs = 20'000'000;
        if (++pairs > most_pairs) throw Error{ErrorCode::too_large, "", "There are too many tensors of one name to compare."};
        const Count both = std::min(common(name, rows_[i].name, name.indices.size()), left[i]);
        // Another of the model's rows of that name is meant.
        if (both == 0 && of_group[g] > 1) continue;
        const bool same = same_shape(list_[rows_[i].at], expected[e]);
        PrintedMatch::Pair pair{rows_[i].at, e, same, both, {}};
        if (counted) {
          // A fixed index is no repeat.
          const bool every = expected[e].repeats.size() == name.indices.size();
          for (std::size_t level = 0; level < name.indices.size(); ++level)
            if (every || size_of(name.indices[level]) != 1) pair.counts.push_back(alike.counts[level]);
          if (pair.counts.size() != expected[e].repeats.size()) pair.counts.clear();
        }
        // Equations come from all of that name; what differs is only where both are.
        if (both == 0) pair.same = true;
        if (!pair.same) out.wrong += contradiction(2, both, list_[rows_[i].at].copies);
        out.pairs.push_back(std::move(pair));
        left[i] -= both;
        wanted -= std::min(wanted, both);
      }
    }
    if (wanted == 0 || expected[e].kind == Kind::buffer) continue;
    out.hidden.push_back({e, wanted, placed(name, wanted)});
    if (!out.hidden.back().placed) out.wrong += contradiction(3, wanted, size_of(name));
  }
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (left[i] != 0 && list_[rows_[i].at].kind != ListedKind::scale) {
      out.unexpected.emplace_back(rows_[i].at, left[i]);
      out.wrong += contradiction(3, left[i], list_[rows_[i].at].copies);
    }
  for (const Named& place : places_)
    if (place_list_[place.at].hollow && !place_list_[place.at].empty && !explained(place, model, names)) {
      out.unexplained.push_back(place.at);
      out.wrong += contradiction(2, 1, 1);
    }
  // Lists, by the rows of the model that reach their ends.
  const auto list_of = [&](std::size_t e) {
    return is_compared(expected[e]) && !names[e].indices.empty() && !expected[e].repeats.empty()
               ? find(module_of(std::string_view(names[e].text).substr(0, names[e].text.find(SplitName::mark))))
               : none;
  };
  for (const bool second : {false, true})
    for (std::size_t e = 0; e < expected.size(); ++e) {
      const std::size_t g = list_of(e);
      if (g == none) continue;
      const std::uint64_t length = names[e].indices.front().back().last + 1;
      if (!second)
        longest[g] = std::max(longest[g], length);
      else if (length == longest[g])
        out.lists.push_back({e, length, groups_[g].length});
    }
  return out;
}

/// Finds a module of the model that is printed under another name: where one that was printed is none of the model's.
bool PrintedNames::rename(const Model& model, const PrintedMatch& match) {
  std::vector<bool> of_model(groups_.size());
  for (const Row& row : model.builder.rows()) {
    if (!is_compared(row)) continue;
    const SplitName name = model_name(row);
    for (std::string_view module = name.text;; module = module_of(module)) {
      if (const std::size_t g = find(module); g != none) of_model[g] = true;
      if (module.empty()) break;
    }
  }
  for (const PrintedMatch::Hidden& h : match.hidden) {
    if (h.placed) continue;
    const SplitName name = model_name(model.builder.rows()[h.expected]);
    std::string_view missing = name.text, around = module_of(missing);
    while (find(around) == none) {
      missing = around;
      around = module_of(around);
    }
    if (missing.size() == name.text.size()) continue;  // a tensor, and no module
    const std::size_t parent = find(around);
    std::size_t stranger = none;
    const auto is_target = [&](const std::string& text) {
      return std::any_of(renames_.begin(), renames_.end(), [&](const auto& r) { return r.second == text; });
    };
    const auto holds_nothing = [&](const Group& g) {
      return std::any_of(g.places.begin(), g.places.end(), [&](std::size_t i) { return place_list_[places_[i].at].empty; });
    };
    for (std::size_t g = 0; g < groups_.size(); ++g)
      if (groups_[g].parent == parent && g != parent && !holds_nothing(groups_[g]) && (!of_model[g] || is_target(groups_[g].text))) {
        if (stranger != none) return false;
        stranger = g;
      }
    if (stranger == none) continue;
    renames_.emplace_back(missing, groups_[stranger].text);
    return true;
  }
  return false;
}

PrintedMatch PrintedNames::match(const Model& model) {
  PrintedMatch best = match_as_named(model);
  if (!tried_) {
    // Releases of transformers nest models differently.
    tried_ = true;
    if (best.wrong > 0) {
      bare_ = true;
      prepare();
      PrintedMatch other = match_as_named(model);
      if (other.unexpected.size() < best.unexpected.size()) {
        best = std::move(other);
      } else {
        bare_ = false;
        prepare();
      }
    }
  }
  constexpr std::size_t most_renames = 4;
  while (best.wrong > 0 && renames_.size() < most_renames && rename(model, best)) {
    PrintedMatch other = match_as_named(model);
    if (other.wrong >= best.wrong) {
      renames_.pop_back();
      break;
    }
    best = std::move(other);
  }
  return best;
}

std::vector<PrintedNames::List> PrintedNames::lists() const {
  std::vector<List> out;
  for (const Group& g : groups_)
    if (g.length != 0) out.push_back({g.text, g.length});
  return out;
}

namespace {

/// Whether a name is that of something in the modules of a list.
bool is_in(std::string_view list, const SplitName& name) {
  const std::string_view text = name.text;
  return text.size() > list.size() + 1 && text.starts_with(list) && text[list.size()] == '.' && text[list.size() + 1] == SplitName::mark;
}

}  // namespace

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

std::size_t PrintedNames::wrong_at(const List& list, std::uint64_t index, const Model& model) const {
  std::size_t wrong = 0;
  std::vector<std::uint8_t> known(rows_.size());
  for (const Row& row : model.builder.rows()) {
    if (!is_compared(row) || row.kind == Kind::buffer) continue;
    SplitName name = model_name(row);
    if (!is_in(list.name, name)) continue;
    name.indices.front() = {{index, index}};
    bool shown = false;
    if (const std::size_t g = find(name.text); g != none)
      for (const std::size_t i : groups_[g].rows)
        if (contains(rows_[i].name.indices.front(), index)) shown = known[i] = true;
    if (!shown && !placed(name, size_of(name))) ++wrong;
  }
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (!known[i] && is_in(list.name, rows_[i].name) && contains(rows_[i].name.indices.front(), index)) ++wrong;
  return wrong;
}

std::vector<RunList> PrintedNames::index_sets() const {
  std::vector<RunList> out;
  constexpr std::size_t most = 32;
  for (const auto* list : {&rows_, &places_})
    for (const Named& one : *list) {
      if (one.name.indices.empty() || out.size() == most) continue;
      const RunList& runs = one.name.indices.front();
      const auto same = [&](const RunList& other) {
        return std::equal(runs.begin(), runs.end(), other.begin(), other.end(),
                          [](const Run& a, const Run& b) { return a.first == b.first && a.last == b.last; });
      };
      if (std::none_of(out.begin(), out.end(), same)) out.push_back(runs);
    }
  return out;
}

std::vector<std::string_view> PrintedNames::types() const {
  std::vector<std::string_view> out;
  for (const Named& one : places_) {
    const std::string_view type = place_list_[one.at].type;
    if (std::find(out.begin(), out.end(), type) == out.end()) out.push_back(type);
  }
  return out;
}

Comparison comparison_of(const PrintedMatch& match, const std::vector<ListedRow>& rows, const Model& model) {
  Comparison out;
  const auto shape_of = [](const Row& row) {
    std::vector<std::uint64_t> shape;
    for (const Expr dim : row.shape) shape.push_back(static_cast<std::uint64_t>(dim.value()));
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
    out.missing.push_back(difference(std::string(row.name), shape_of(row), hidden.tensors, row.elements.value()));
    out.missing_elements = add(out.missing_elements, out.missing.back().elements);
  }
  return out;
}

}  // namespace param_ledger
