#include "core/inputs/printed/row_folding.hpp"

#include <algorithm>

#include "core/expr/index_set.hpp"
#include "core/support/count.hpp"
#include "core/support/hash_index.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

bool alike(const ListedRow& a, const ListedRow& b) {
  return a.shape == b.shape && a.kind == b.kind && a.adapter == b.adapter && a.trainable == b.trainable;
}
bool alike(const PrintedPlace& a, const PrintedPlace& b) {
  return a.type == b.type && a.hollow == b.hollow && a.empty == b.empty && a.weight_said == b.weight_said && a.bias_said == b.bias_said &&
         a.adapter == b.adapter;
}

/// Hashes a row's shape. The result is combined with a hash of the name, because rows whose names differ only in an index may have
/// different shapes.
std::uint32_t kind_of(const ListedRow& row) {
  std::uint32_t out = 0;
  for (const std::uint64_t dim : row.shape) out = mixed(out, dim);
  return out;
}
std::uint32_t kind_of(const PrintedPlace& place) { return hash_of(place.type); }

constexpr std::size_t most_indices = 4;

/// The positions of the indices in a name, up to a maximum number.
struct Indices {
  struct Piece {
    std::size_t from, size;
  };
  Piece pieces[most_indices];
  std::size_t count = 0;

  explicit Indices(std::string_view name) {
    for (std::size_t begin = 0; count < most_indices;) {
      const std::size_t end = std::min(name.find('.', begin), name.size());
      if (const std::size_t index = index_begin(name.substr(begin, end - begin)); index != std::string_view::npos)
        pieces[count++] = {begin + index, end - begin - index};
      if (end == name.size()) return;
      begin = end + 1;
    }
  }
};

/// Sorts runs of indices and joins adjacent ones.
std::vector<Run> joined(std::vector<Run> runs) {
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
  std::vector<Run> out;
  for (const Run& run : runs) {
    if (!out.empty() && out.back().last + 1 == run.first)
      out.back().last = run.last;
    else
      out.push_back(run);
  }
  return out;
}

/// Merges items that are alike and whose names differ only in the index at `level`.
template <class Item>
void fold_index(std::vector<Item>& items, std::size_t level) {
  struct Merged {
    std::vector<Run> runs;  // the indices that were merged; empty if the name has no index at this level
    std::size_t from, size;
  };
  std::vector<Item> kept;
  std::vector<Merged> merged;
  HashIndex index;
  for (Item& item : items) {
    const std::string_view name = item.name;
    const Indices indices(name);
    if (level >= indices.count) {
      merged.push_back({{}, name.size(), 0});
      kept.push_back(std::move(item));
      continue;
    }
    const auto [from, size] = indices.pieces[level];
    const std::string_view piece = name.substr(from, size), before = name.substr(0, from), after = name.substr(from + size);
    const std::size_t at = index.find_or_add(mixed(mixed(hash_of(before), hash_of(after)), kind_of(item)), kept.size(), [&](std::size_t i) {
      const std::string_view other = kept[i].name;
      return other.substr(0, merged[i].from) == before && other.substr(merged[i].from + merged[i].size) == after && alike(kept[i], item);
    });
    std::vector<Run> runs = spelled(piece);
    if (at == kept.size()) {
      merged.push_back({std::move(runs), from, size});
      kept.push_back(std::move(item));
      continue;
    }
    merged[at].runs.insert(merged[at].runs.end(), runs.begin(), runs.end());
    kept[at].copies = add(kept[at].copies, item.copies);
  }
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (merged[i].runs.size() > 1) kept[i].name.replace(merged[i].from, merged[i].size, spelling(joined(std::move(merged[i].runs))));
  items = std::move(kept);
}

template <class Item>
void fold_all(std::vector<Item>& items) {
  std::size_t levels = 0;
  for (const Item& item : items) levels = std::max(levels, Indices(item.name).count);
  while (levels-- > 0) fold_index(items, levels);
}

}  // namespace

void fold(std::vector<ListedRow>& rows) { fold_all(rows); }
void fold(std::vector<PrintedPlace>& places) { fold_all(places); }

}  // namespace param_ledger
