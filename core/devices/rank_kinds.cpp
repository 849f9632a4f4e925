// Finds groups of devices that hold equally large shares of every tensor.

#include <algorithm>

#include "core/builder/row_names.hpp"
#include "core/devices/division.hpp"
#include "core/devices/layer_runs.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

namespace {

/// Positions in a pipeline stage whose devices hold equally large shares of every tensor.
struct AlikePlaces {
  /// Which class of equally large shares the positions belong to, in tensor parallelism and in expert parallelism.
  std::ptrdiff_t tensor, expert;
  std::vector<Run> places;
};

/// Pipeline stages with equally many layers of each kind. The first and the last stage are not grouped with others.
struct AlikeStages {
  std::vector<Run> stages;
  bool first, last;
  std::vector<Count> layers;  ///< how many layers a stage has from each set in `sets_of_layers`
};

/// The class that contains a position. `starts` has the first position of each class.
std::ptrdiff_t class_of(const std::vector<std::uint64_t>& starts, std::uint64_t place) {
  return std::upper_bound(starts.begin(), starts.end(), place) - starts.begin() - 1;
}

std::vector<AlikePlaces> places_alike(const Sizes& sizes, const std::vector<std::uint64_t>& tensor_classes,
                                      const std::vector<std::uint64_t>& expert_classes) {
  const auto across = static_cast<std::uint64_t>(sizes.across());
  if (tensor_classes.size() == 1 && expert_classes.size() == 1) return {{0, 0, {{0, across - 1}}}};
  std::vector<AlikePlaces> out;
  for (std::uint64_t place = 0; place < across; ++place) {
    const std::ptrdiff_t t = class_of(tensor_classes, place % static_cast<std::uint64_t>(sizes.tensor));
    const std::ptrdiff_t e = class_of(expert_classes, place % static_cast<std::uint64_t>(sizes.expert));
    auto found = std::find_if(out.begin(), out.end(), [&](const AlikePlaces& a) { return a.tensor == t && a.expert == e; });
    if (found == out.end()) found = out.insert(out.end(), {t, e, {}});
    append(found->places, {place, place});
  }
  return out;
}

/// The distinct sets of layers in which tensors repeat, such as all layers, or only those with experts.
std::vector<const std::vector<Run>*> sets_of_layers(const std::vector<DividedRow>& rows) {
  std::vector<const std::vector<Run>*> out;
  for (const DividedRow& row : rows)
    if (row.place == Place::layers && std::none_of(out.begin(), out.end(), [&](const auto* set) { return same_runs(*set, row.layers); }))
      out.push_back(&row.layers);
  return out;
}

std::vector<AlikeStages> stages_alike(const Division& division) {
  const std::vector<const std::vector<Run>*> sets = sets_of_layers(division.rows());
  const auto n = static_cast<std::uint64_t>(division.sizes().pipeline);
  std::vector<AlikeStages> out;
  for (std::uint64_t stage = 0; stage < n; ++stage) {
    AlikeStages its{{}, stage == 0, stage + 1 == n, {}};
    const auto [first, end] = division.layers_of(stage);
    for (const auto* const set : sets) its.layers.push_back(size_of(cut(*set, first, end)));
    auto found = std::find_if(out.begin(), out.end(),
                              [&](const AlikeStages& s) { return s.first == its.first && s.last == its.last && s.layers == its.layers; });
    if (found == out.end()) found = out.insert(out.end(), std::move(its));
    append(found->stages, {stage, stage});
  }
  return out;
}

RankKind kind_of(const AlikeStages& stages, const AlikePlaces& places, std::uint64_t across) {
  RankKind out{{}, stages.stages, 0, stages.stages.front().first, places.places.front().first};
  for (const Run& run : stages.stages)
    for (std::uint64_t stage = run.first; stage <= run.last; ++stage)
      for (const Run& at : places.places) append(out.ranks, {stage * across + at.first, stage * across + at.last});
  out.count = size_of(out.ranks);
  return out;
}

}  // namespace

/// The positions at which shares change in size, beginning with 0, among the devices of tensor parallelism or of expert parallelism.
std::vector<std::uint64_t> Division::classes(bool by_expert) const {
  std::vector<std::uint64_t> out{0};
  const Count parts = by_expert ? sizes_.expert : sizes_.tensor;
  for (const DividedRow& row : rows_) {
    const int dimension = row.divided_dimension();
    if (row.by_expert != by_expert || dimension < 0 || row.style == Style::grouped_gemm || row.heads) continue;
    const Count size = row.padded_size(dimension).decide(), n = row.is_packed_pair() ? size / 2 : size;
    if (n == 0 || n % parts == 0) continue;
    // First come devices with a full share, then one with the rest if there is one, then devices with nothing.
    const Count each = (n + parts - 1) / parts, rest = n / each, nothing = n % each == 0 ? rest : rest + 1;
    for (const Count from : {rest, nothing})
      if (from < parts) out.push_back(static_cast<std::uint64_t>(from));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void Division::find_kinds() {
  const std::vector<AlikePlaces> places = places_alike(sizes_, classes(false), classes(true));
  for (const AlikeStages& stages : stages_alike(*this))
    for (const AlikePlaces& its : places) kinds_.push_back(kind_of(stages, its, static_cast<std::uint64_t>(sizes_.across())));
}

RankKind Division::of_rank(Count rank) const {
  for (const RankKind& kind : kinds_)
    if (contains(kind.ranks, static_cast<std::uint64_t>(rank))) {
      RankKind out = kind;
      out.stage = static_cast<std::uint64_t>(rank / sizes_.across());
      out.place = static_cast<std::uint64_t>(rank % sizes_.across());
      return out;
    }
  throw Error{ErrorCode::out_of_range, "rank",
              concat({"rank must be a whole number from 0 to ", digits(sizes_.devices() - 1), ", as there are ", digits(sizes_.devices()),
                      " devices."})};
}

}  // namespace param_ledger
