// Computes what one device holds of each row: the name, the shape and the number of copies on that device.

#include <algorithm>
#include <cstring>

#include "core/builder/row_names.hpp"
#include "core/devices/division.hpp"
#include "core/devices/layer_runs.hpp"

namespace param_ledger {

/// A row that is being reduced to one device's share.
class Division::LocalTensor {
 public:
  LocalTensor(const Division& division, const DividedRow& of)
      : division_(division),
        pool_(division.model_.pool),
        of_(of),
        name_(of.row->name),
        shape_(of.row->shape.begin(), of.row->shape.end()),
        repeats_(of.row->repeats.begin(), of.row->repeats.end()) {}

  /// Keeps the share of the device at this position within a stage.
  void divide(std::uint64_t place) {
    const int dimension = of_.divided_dimension();
    if (of_.padded) shape_[0] = of_.padded;
    if (dimension >= 0)
      divide_dimension(shape_[static_cast<std::size_t>(dimension)], place);
    else if (of_.style == Style::grouped_gemm)
      keep_experts(place);
  }

  /// Keeps only the layers of one pipeline stage.
  void keep_layers(std::uint64_t stage) {
    if (repeats_.empty() || size_of(of_.layers) <= 1) return;
    const auto [first, end] = division_.layers_of(stage);
    const std::vector<Run> here = cut(of_.layers, first, end);
    repeats_.front() = number_of(here);
    respell(first_index(name_), here);
  }

  [[nodiscard]] LocalRow finish() const {
    LocalRow out{&of_, *of_.row};
    Row& row = out.row;
    const std::span<char> kept(pool_.room<char>(name_.size() + 1), name_.size() + 1);
    std::copy(name_.begin(), name_.end(), kept.begin());
    kept.back() = '\0';
    row.name = {kept.data(), name_.size()};
    row.shape = pool_.keep(std::span<const Expr>(shape_));
    row.repeats = pool_.keep(std::span<const Expr>(repeats_));
    row.elements = pool_.literal(1);
    for (const Expr e : shape_) row.elements = row.elements * e;
    row.total = row.elements;
    for (const Expr e : repeats_) row.total = row.total * e;
    row.active = row.total;
    return out;
  }

 private:
  void divide_dimension(Expr& size, std::uint64_t place) const {
    const Expr by = division_.divisor(of_), two = pool_.literal(2);
    size = of_.is_packed_pair() ? two * division_.share(floor_divide(size, two), by, place) : division_.share(size, by, place);
  }

  /// Keeps only the device's experts, if each expert is a separate tensor.
  void keep_experts(std::uint64_t place) {
    const auto devices = static_cast<std::uint64_t>(division_.sizes_.expert);
    const std::uint64_t each = static_cast<std::uint64_t>(repeats_.back().decide()) / devices, at = place % devices;
    repeats_.back() = floor_divide(repeats_.back(), division_.expert_);
    const Run run{at * each, (at + 1) * each - 1};
    respell(last_index(name_), std::span(&run, 1));
  }

  /// The number of layers in `here`: a formula if the row is in all layers of the model, otherwise a literal.
  [[nodiscard]] Expr number_of(const std::vector<Run>& here) const {
    const Count n = size_of(here);
    const bool are_of_all = division_.layers_ && of_.layers.size() == 1 && size_of(of_.layers) == division_.n_layers_;
    if (!are_of_all) return pool_.literal(n);
    const Expr each = floor_divide(division_.layers_, division_.pipeline_), one = pool_.literal(1);
    if (n == each.decide()) return each;
    return division_.engine_ == Engine::vllm ? each + one : division_.layers_ - (division_.pipeline_ - one) * each;
  }

  /// Replaces an index in the tensor's name.
  void respell(std::string_view index, std::span<const Run> runs) {
    name_.replace(static_cast<std::size_t>(index.data() - name_.data()), index.size(), spelling(runs));
  }

  const Division& division_;
  Pool& pool_;
  const DividedRow& of_;
  std::string name_;
  std::vector<Expr> shape_, repeats_;
};

/// The part of a dimension that torch's distribute_tensor puts on a device. The first devices get equal shares, rounded up; the next one
/// gets what remains, and any others get nothing.
Expr Division::share(Expr whole, Expr by, std::uint64_t place) const {
  const Count n = whole.decide(), parts = by.decide(), each = (n + parts - 1) / parts;
  if (n % parts == 0) return floor_divide(whole, by);
  const Count at = place % parts;
  if (at < n / each) return ceil_divide(whole, by);
  if (at > n / each || n % each == 0) return model_.pool.literal(0);
  return whole - model_.pool.literal(at) * ceil_divide(whole, by);
}

LocalRow Division::local_row(const DividedRow& row, const RankKind& kind) const {
  LocalTensor tensor(*this, row);
  tensor.divide(kind.place);
  if (row.place == Place::layers && sizes_.pipeline > 1) tensor.keep_layers(kind.stage);
  return tensor.finish();
}

std::vector<LocalRow> Division::held_by(const RankKind& kind) const {
  std::vector<LocalRow> out;
  for (const DividedRow& row : rows_) {
    if (!is_held(row, kind.stage)) continue;
    const LocalRow local = local_row(row, kind);
    if (local.row.total.decide() > 0 || row.row->total.decide() == 0) out.push_back(local);
  }
  return out;
}

}  // namespace param_ledger
