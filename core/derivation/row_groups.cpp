#include "core/derivation/row_groups.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "core/builder/row_names.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// With more kinds of layers than this, steps for all of them would be too long to read.
constexpr std::size_t most_kinds = 64;

/// The list of layers that a row belongs to, and the layers of that list that it covers.
struct Place {
  std::string_view list;
  std::string_view layers;  ///< which layers of the list, written as in the row's name: "[0-31]"
  std::size_t repeat = 0;   ///< the position of the list among the row's repeats; the number of repeats if it is not one of them
};

/// The position of the row's repeat whose count is `layers`; the number of repeats if there is none.
std::size_t repeat_of(const Row& row, Count layers) {
  std::size_t i = 0;
  while (i < row.repeats.size() && row.repeats[i].peek() != layers) ++i;
  return i;
}

/// The place that follows from the row alone: the list of its outermost repeat. None if the row is not repeated over the layers of a list.
std::optional<Place> place_of(const Row& row) {
  if (row.repeats.empty()) return {};
  if (const std::size_t at = row.repeated_at; at > 0 && row.name[at - 1] == '.')
    return Place{row.name.substr(0, at - 1), row.name.substr(at, row.name.find('.', at) - at), 0};
  std::size_t indices = 0;
  std::optional<Place> first, first_of_many;
  any_index(row.name, [&](std::string_view list, std::string_view word) {
    ++indices;
    if (!first) first = Place{list, word, 0};
    if (!first_of_many && word[0] == '[') first_of_many = Place{list, word, 0};
    return false;
  });
  // Modules outside of the layers may be numbered as well. An index range is always a repeat, but a single index may be the number of such
  // a module.
  std::optional<Place> out = indices > row.repeats.size() && first_of_many ? first_of_many : first;
  if (!out) return out;
  out->repeat = repeat_of(row, size_of(spelled(out->layers)));
  if (out->repeat == row.repeats.size()) return {};
  return out;
}

/// The row's place in a list to which other rows belong. Unlike `place_of`, this also finds the layer of a tensor that exists in only one
/// layer.
std::optional<Place> place_in(const Row& row, const std::map<std::string_view, std::size_t>& lists) {
  std::optional<Place> out;
  any_index(row.name, [&](std::string_view list, std::string_view word) {
    if (lists.find(list) == lists.end()) return false;
    const Count layers = size_of(spelled(word));
    const std::size_t repeat = repeat_of(row, layers);
    if (repeat == row.repeats.size() && layers != 1) return false;
    out = Place{list, word, repeat};
    return true;
  });
  return out;
}

struct Placed {
  Member member;
  std::string_view word;
  std::vector<Run> layers;
  Expr count;  ///< empty: one fixed layer
};

Placed placed(const Row& row, const Place& place) {
  const bool counted = place.repeat < row.repeats.size();
  Placed out{{&row, row.repeats.first(place.repeat), {}}, place.layers, spelled(place.layers), {}};
  if (counted) {
    out.member.inner = row.repeats.subspan(place.repeat + 1);
    out.count = row.repeats[place.repeat];
  }
  return out;
}

/// The expression that formulas use for the number of these layers: the repeat of a row that is in exactly these layers. Empty if there is
/// no such row.
Expr named_count(std::span<const Run> layers, const std::vector<Placed>& rows) {
  for (const Placed& p : rows)
    if (p.count && same_runs(p.layers, layers)) return p.count;
  return {};
}

/// Gives each kind an expression for its number of layers: the repeat of a row that is in exactly these layers, or the literal 1 for a
/// single layer. If exactly one kind then has none and some row is in all layers, its expression is the number of all layers minus the
/// numbers of the other kinds. Otherwise the kinds without an expression get literals.
void name_counts(Pool& pool, const std::vector<Placed>& rows, std::vector<LayerKind>& kinds) {
  Count sum = 0;
  std::size_t unnamed = 0;
  for (LayerKind& kind : kinds) {
    kind.count = named_count(kind.layers, rows);
    const Count layers = size_of(kind.layers);
    if (!kind.count && layers == 1) kind.count = pool.literal(1);
    sum += layers;
    if (!kind.count) ++unnamed;
  }
  Expr all;
  for (const Placed& p : rows)
    if (p.count && p.count.peek() == sum) all = p.count;
  for (LayerKind& kind : kinds) {
    if (kind.count) continue;
    kind.count = pool.literal(size_of(kind.layers));
    if (unnamed != 1 || !all) continue;
    Expr rest = all;
    for (const LayerKind& other : kinds)
      if (&other != &kind) rest = rest - other.count;
    kind.count = rest;
  }
}

/// Makes one kind for each distinct set of layers that share a row. A layer may be in several kinds.
void by_rows(Pool& pool, const std::vector<Placed>& rows, RowGroup& out) {
  std::map<std::string_view, std::size_t> known;
  for (const Placed& p : rows) {
    const auto [at, fresh] = known.emplace(p.word, out.kinds.size());
    if (fresh) out.kinds.push_back({p.layers, p.count ? p.count : pool.literal(1), {}});
    out.kinds[at->second].members.push_back(p.member);
  }
}

/// Makes one kind for each set of rows that a layer has. Returns false if there are too many kinds, or too many
/// ranges of layers to find them.
bool by_layers(Pool& pool, const std::vector<Placed>& rows, RowGroup& out) {
  std::vector<std::uint64_t> bounds;
  for (const Placed& p : rows)
    for (const Run& run : p.layers) {
      bounds.push_back(run.first);
      bounds.push_back(run.last + 1);
    }
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  constexpr std::size_t most_bounds = 1000;
  if (bounds.size() > most_bounds) return false;
  std::map<std::vector<std::size_t>, std::size_t> known;
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i + 1 < bounds.size(); ++i) {
    own.clear();
    for (std::size_t r = 0; r < rows.size(); ++r)
      if (contains(rows[r].layers, bounds[i])) own.push_back(r);
    if (own.empty()) continue;
    const auto [at, fresh] = known.emplace(own, out.kinds.size());
    if (fresh) {
      if (out.kinds.size() == most_kinds) return false;
      LayerKind& kind = out.kinds.emplace_back();
      for (const std::size_t r : own) kind.members.push_back(rows[r].member);
    }
    std::vector<Run>& layers = out.kinds[at->second].layers;
    if (!layers.empty() && layers.back().last + 1 == bounds[i])
      layers.back().last = bounds[i + 1] - 1;
    else
      layers.push_back({bounds[i], bounds[i + 1] - 1});
  }
  name_counts(pool, rows, out.kinds);
  return true;
}

bool has_index(std::string_view name) {
  return any_index(name, [](std::string_view, std::string_view) { return true; });
}

/// Drops lists inside numbered modules (`stages.0.layers`) if there are more than eight. Such lists are usually stages with only
/// a few layers each.
void drop_small_lists(std::map<std::string_view, std::size_t>& lists, std::vector<std::optional<Place>>& places) {
  constexpr std::ptrdiff_t most_stages = 8;
  if (std::count_if(lists.begin(), lists.end(), [](const auto& list) { return has_index(list.first); }) <= most_stages) return;
  for (auto list = lists.begin(); list != lists.end();) list = has_index(list->first) ? lists.erase(list) : std::next(list);
  for (std::optional<Place>& place : places)
    if (place && lists.find(place->list) == lists.end()) place.reset();
}

}  // namespace

std::vector<RowGroup> grouped(Pool& pool, std::span<const Row* const> rows) {
  std::map<std::string_view, std::size_t> lists;  // for each list, its position in `list_rows`
  std::vector<std::vector<Placed>> list_rows;
  std::vector<std::optional<Place>> places;
  for (const Row* row : rows) {
    places.push_back(place_of(*row));
    if (places.back() && lists.emplace(places.back()->list, list_rows.size()).second) list_rows.emplace_back();
  }
  drop_small_lists(lists, places);
  std::vector<RowGroup> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::optional<Place> inside = lists.empty() ? std::nullopt : place_in(*rows[i], lists);
    const std::optional<Place>& place = inside ? inside : places[i];
    if (!place) {
      if (out.empty() || !out.back().list.empty()) out.emplace_back();
      out.back().rows.push_back(rows[i]);
      continue;
    }
    const std::size_t list = lists.find(place->list)->second;
    if (list_rows[list].empty()) out.emplace_back().list = place->list;
    list_rows[list].push_back(placed(*rows[i], *place));
  }
  for (RowGroup& group : out) {
    if (group.list.empty()) continue;
    const std::vector<Placed>& own = list_rows[lists.find(group.list)->second];
    if (by_layers(pool, own, group)) continue;
    group.kinds.clear();
    group.overlapping = true;
    by_rows(pool, own, group);
  }
  return out;
}

}  // namespace param_ledger
