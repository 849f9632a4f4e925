#include "core/builder/builder.hpp"

#include <algorithm>
#include <utility>

#include "core/expr/formula.hpp"
#include "core/expr/walk.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The largest number of elements of a tensor, at four bytes per element: torch holds a tensor's size in bytes in 63 bits.
constexpr Count most_elements = (Count{1} << 61U) - 1;

/// Limits for the number of rows and, approximately, for the bytes of their names. They leave room for models with hundreds of layers that
/// all differ.
constexpr std::size_t most_rows = 10'000, most_names = 10'000'000;

/// The number of experts that a token uses: all if `active` is unknown or larger.
Expr used_of(Expr experts, Expr active) { return active && less(active, experts) ? active : experts; }

[[noreturn]] void too_many_elements(std::string_view name, Expr elements) {
  const Expr largest = largest_named(elements);
  throw Error{
      ErrorCode::overflow, largest ? largest.name().name : "",
      concat({name, " would have ", grouped_digits(elements.peek()), " elements (", write(elements), "), more than a tensor can hold."})};
}

/// The part of a tensor in a tower if no scope inside the tower sets one: it follows from how the tensor is used.
Part part_in_tower(StorageKind storage) {
  switch (storage) {
    case StorageKind::kernel: return Part::convolution;
    case StorageKind::table: return Part::embedding;
    default: return Part::projection;
  }
}

}  // namespace

std::string_view answer_part_name(std::size_t answer_part) {
  static constexpr std::string_view names[answer_part_count + 1] = {"vision",    "audio",       "projector",    "embedding", "convolution",
                                                                    "attention", "state_space", "feed_forward", "router",    "adapter",
                                                                    "norm",      "output_head", "projection"};
  return names[answer_part];
}
std::string_view spelling(Tower tower) { return tower == Tower::none ? "text" : answer_part_name(answer_part(tower)); }
std::string_view spelling(Part part) { return answer_part_name(answer_part(part)); }

std::string_view spelling(Kind kind) {
  static constexpr std::string_view names[] = {"parameter", "buffer", "tied", "published", "possible"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view spelling(StorageKind storage) {
  static constexpr std::string_view names[] = {"matrix", "table", "kernel", "vector"};
  return names[static_cast<std::size_t>(storage)];
}

void Builder::enter(Text name) {
  outer_.push_back(now_);
  outer_.back().name_length = prefix_.size();
  outer_.back().owner_length = owner_prefix_.size();
  outer_.back().repeats = repeats_.size();
  if (name.empty()) return;
  prefix_.append(name) += '.';
  owner_prefix_.append(name) += '.';
}

void Builder::enter(Part part, Text name) {
  enter(name);
  now_.part = part;
  now_.has_part = true;
}

void Builder::enter_default(Part part, Text name) {
  enter(name);
  if (now_.has_part) return;
  now_.part = part;
  now_.has_part = true;
}

void Builder::enter(TensorRole role, Text name) {
  enter(name);
  if (role != TensorRole::unspecified) now_.role = role;
}

void Builder::enter(Owner owner) {
  enter(Text{});
  if (owner != Owner::itself) now_.owner = owner;
}

void Builder::enter(Tower tower, Text name) {
  enter(name);
  if (now_.tower == Tower::none) now_.tower = tower;
  now_.has_part = false;
}

bool Builder::enter_repeat(Text name, const IndexSet& indices) {
  if (indices.empty()) return false;
  enter(name == "layers" && !now_.layers.empty() ? now_.layers : name);
  const std::string index = spelling(indices) + '.';
  for (std::string* const prefix : {&prefix_, &owner_prefix_}) {
    if (prefix->ends_with("_.")) prefix->pop_back();
    *prefix += index;
  }
  if (indices.count) repeats_.push_back({indices.count, indices.count, false, prefix_.size() - index.size()});
  return true;
}

bool Builder::enter_experts(Text name, const IndexSet& experts, Expr active) {
  if (!enter_repeat(name, experts)) return false;
  repeats_.back().active = used_of(experts.count, active);
  repeats_.back().experts = true;
  return true;
}

void Builder::enter_tied(Text name, const IndexSet& indices, std::uint64_t owner) {
  enter(name);
  const std::size_t at = prefix_.size();
  prefix_ += spelling(indices) + '.';
  owner_prefix_ += digits(owner) + '.';
  if (indices.count) repeats_.push_back({indices.count, indices.count, false, at});
  now_.tied = true;
}

void Builder::enter_beside(Kind kind, Text reason) {
  enter(Text{});
  now_.kind = kind;
  now_.reason = reason;
}

void Builder::enter_frozen() {
  enter(Text{});
  now_.frozen = true;
}

void Builder::enter_renaming(Text name) {
  enter(Text{});
  now_.layers = name;
}

void Builder::leave() {
  now_ = outer_.back();
  outer_.pop_back();
  prefix_.resize(now_.name_length);
  owner_prefix_.resize(now_.owner_length);
  repeats_.resize(now_.repeats);
}

std::vector<Expr> Builder::repeats() const {
  std::vector<Expr> out;
  for (const Repeat& repeat : repeats_) out.push_back(repeat.count);
  return out;
}

Tensor Builder::parameter(Text name, std::initializer_list<Expr> shape, StorageKind storage) {
  return record(name, {shape.begin(), shape.size()}, Kind::parameter, storage);
}

Tensor Builder::expert_parameter(Text name, std::initializer_list<Expr> shape, const Stacked& stacked, StorageKind storage) {
  return record(name, {shape.begin(), shape.size()}, Kind::parameter, storage, &stacked);
}

Tensor Builder::buffer(Text name, std::initializer_list<Expr> shape) {
  return record(name, {shape.begin(), shape.size()}, Kind::buffer, StorageKind::vector);
}

const Row& Builder::row(Tensor tensor) const {
  if (!tensor)
    throw Error{ErrorCode::unsupported, "",
                "A nested model lacks the embedding table that this model needs. Use another model_type in that section."};
  return rows_[tensor.row_ - 1];
}

void Builder::tied(Text name, Tensor target) { tied(name, target, row(target).name); }

void Builder::tied(Text name, Tensor target, std::string_view target_name) {
  const Tensor tensor = record(name, {}, Kind::tied, row(target).storage);
  Row& to = rows_[tensor.row_ - 1];
  const Row& from = row(target);
  to.shape = from.shape;
  to.tied_to = kept({target_name});
  to.elements = to.total = to.active = from.elements;
  for (const Expr count : to.repeats) to.total = to.active = to.total * count;
}

void Builder::enter_like(const Row& row) {
  enter(row.part, {});
  if (now_.tower == Tower::none) now_.tower = row.tower;
}

void Builder::tied_like(const Row& other, Text name) {
  const Row from = other;  // a copy, because recording a row may reallocate the list of rows
  enter_like(from);
  now_.role = from.role;
  now_.owner = from.owner;
  for (const Expr count : from.repeats) repeats_.push_back({count, count, false, 0});
  const Tensor out = record(name, from.shape, from.kind == Kind::buffer ? Kind::buffer : Kind::tied, from.storage);
  if (from.kind != Kind::buffer) rows_[out.row_ - 1].tied_to = from.tied_to.empty() ? from.name : from.tied_to;
  leave();
}

Tensor Builder::like(const Row& other, Text name, std::span<const Expr> shape, StorageKind storage, std::size_t dropped) {
  enter_like(other);
  for (std::size_t i = dropped; i < other.repeats.size(); ++i) repeats_.push_back({other.repeats[i], other.repeats[i], false, 0});
  if (storage == other.storage) {
    now_.role = other.role;
    now_.owner = other.owner;
  }
  const Tensor out = record(name, shape, Kind::parameter, storage);
  leave();
  return out;
}

std::string_view Builder::kept(std::initializer_list<std::string_view> pieces) const {
  std::size_t size = 0;
  for (const std::string_view piece : pieces) size += piece.size();
  char* const text = pool_.room<char>(size + 1);
  char* end = text;
  for (const std::string_view piece : pieces) end = std::copy(piece.begin(), piece.end(), end);
  *end = '\0';
  return {text, size};
}

Tensor Builder::record(Text name, std::span<const Expr> shape, Kind kind, StorageKind storage, const Stacked* stacked) {
  if (now_.tower == Tower::none && (!now_.has_part || now_.part == Part::projection))
    throw Error{ErrorCode::internal, "", concat({prefix_, name, " is not inside a part of the model."})};
  std::string_view scope = prefix_;
  if (name.empty() && !scope.empty()) scope.remove_suffix(1);  // without a name, the tensor is called like its scope
  const std::string_view full_name = kept({scope, name});
  if (rows_.size() == most_rows || rows_.size() * full_name.size() > most_names)
    throw Error{ErrorCode::too_large, "", "This model has too many distinct tensors, or its lists of layers are too long."};
  constexpr std::size_t usual_rows = 32;
  if (rows_.empty()) rows_.reserve(usual_rows);
  Row& row = rows_.emplace_back();
  row.name = full_name;
  if (now_.tied) row.tied_to = kept({owner_prefix_, name});
  row.shape = pool_.keep(shape);
  row.kind = now_.tied ? Kind::tied : now_.kind != Kind::parameter ? now_.kind : kind;
  row.tower = now_.tower;
  row.part = now_.has_part ? now_.part : part_in_tower(storage);
  row.storage = storage;
  row.role = now_.role;
  row.owner = now_.owner;
  row.reason = now_.reason;
  row.elements = pool_.literal(1);
  for (const Expr e : row.shape) row.elements = row.elements * e;
  if (row.elements.peek() > most_elements) too_many_elements(row.name, row.elements);
  row.total = row.elements;
  row.active = row.elements;
  if (stacked != nullptr) {
    // For the active elements, the rows of the active experts replace the first dimension.
    row.experts = stacked->experts;
    row.active = used_of(row.experts, stacked->active);
    if (stacked->rows) row.active = row.active * stacked->rows;
    for (std::size_t i = 1; i < row.shape.size(); ++i) row.active = row.active * row.shape[i];
  }
  Expr of_layer = row.elements;
  Expr* const repeats = pool_.room<Expr>(repeats_.size());
  row.repeats = {repeats, repeats_.size()};
  if (!repeats_.empty()) row.repeated_at = repeats_.front().at;
  for (std::size_t i = 0; i < repeats_.size(); ++i) {
    const Repeat& repeat = repeats_[i];
    if (repeat.experts) {
      row.experts = repeat.count;
      of_layer = of_layer * repeat.count;
    }
    repeats[i] = repeat.count;
    row.total = row.total * repeat.count;
    row.active = row.active * repeat.active;
  }
  // In most types transformers holds all experts of a layer in one tensor. It may contain both the gate and the up projection, so the
  // experts of one projection may have at most half of `most_elements`.
  if (of_layer.peek() > most_elements / 2 && of_layer != row.elements) too_many_elements(row.name, of_layer);
  return Tensor(rows_.size() - 1);
}

}  // namespace param_ledger
