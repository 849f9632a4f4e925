#include "core/builder.hpp"

#include <utility>

#include "core/error.hpp"
#include "core/formula.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

/// torch sizes a tensor's storage in bytes, in 63 bits; at four bytes an element this is where it stops.
constexpr Count most_elements = (Count{1} << 61U) - 1;

/// Distinct tensors, and bytes of their names, roughly. Models have some hundreds at most, where no two layers are alike.
constexpr std::size_t most_rows = 10'000, most_names = 10'000'000;

/// The largest dimension of an expression that has a name: the one to look at where the whole is too large.
Expr largest_named(Expr e) {
  if (e.op() == Op::name) return e;
  if (e.op() == Op::literal) return {};
  const Expr left = largest_named(e.left()), right = largest_named(e.right());
  return !right || (left && left.value() >= right.value()) ? left : right;
}

[[noreturn]] void too_many_elements(Text name, Expr elements) {
  const Expr largest = largest_named(elements);
  throw Error{
      ErrorCode::overflow, largest ? largest.name().name : "",
      concat({name, " would have ", grouped_digits(elements.value()), " elements (", write(elements), "), more than a tensor can hold."})};
}

}  // namespace

std::string_view spelling(Part part) {
  static constexpr std::string_view names[part_count] = {"vision",       "audio",  "projector", "embedding", "attention",  "state_space",
                                                         "feed_forward", "router", "adapter",   "norm",      "output_head"};
  return names[static_cast<std::size_t>(part)];
}

std::string_view spelling(Kind kind) {
  static constexpr std::string_view names[] = {"parameter", "buffer", "tied", "published", "possible"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view spelling(Role role) {
  static constexpr std::string_view names[] = {"matrix", "table", "kernel", "vector"};
  return names[static_cast<std::size_t>(role)];
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
  if (now_.tower) return;
  now_.part = part;
  now_.has_part = true;
}

void Builder::enter_tower(Part part, Text name) {
  enter(part, name);
  now_.tower = true;
}

bool Builder::enter_repeat(Text name, const IndexSet& indices) {
  if (indices.empty()) return false;
  enter(name);
  const std::string index = spelling(indices) + '.';
  prefix_ += index;
  owner_prefix_ += index;
  if (indices.count) repeats_.push_back({indices.count, indices.count, false});
  return true;
}

bool Builder::enter_experts(Text name, Expr experts, Expr active) {
  if (!enter_repeat(name, all(experts))) return false;
  repeats_.back().active = active.value() < experts.value() ? active : experts;
  repeats_.back().experts = true;
  return true;
}

void Builder::enter_tied(Text name, const IndexSet& indices, std::uint64_t owner) {
  enter(name);
  prefix_ += spelling(indices) + '.';
  owner_prefix_ += digits(owner) + '.';
  if (indices.count) repeats_.push_back({indices.count, indices.count, false});
  now_.tied = true;
}

void Builder::enter_beside(Kind kind, Text reason) {
  enter({});
  now_.kind = kind;
  now_.reason = reason;
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

Tensor Builder::parameter(Text name, std::initializer_list<Expr> shape, Role role) {
  return record(name, shape, Kind::parameter, role, {});
}

Tensor Builder::expert_parameter(Text name, std::initializer_list<Expr> shape, Expr active, Role role) {
  return record(name, shape, Kind::parameter, role, active);
}

Tensor Builder::buffer(Text name, std::initializer_list<Expr> shape) { return record(name, shape, Kind::buffer, Role::vector, {}); }

void Builder::tied(Text name, Tensor target) { tied(name, target, row(target).name); }

void Builder::tied(Text name, Tensor target, std::string target_name) {
  const Tensor tensor = record(name, {}, Kind::tied, row(target).role, {});
  Row& to = rows_[tensor.row_ - 1];
  const Row& from = row(target);
  to.shape = from.shape;
  to.tied_to = std::move(target_name);
  to.elements = to.total = to.active = from.elements;
  for (const Expr count : to.repeats) to.total = to.active = to.total * count;
}

Tensor Builder::like(const Row& other, Text name, std::vector<Expr> shape, Role role, std::size_t dropped) {
  enter(other.part, {});
  for (std::size_t i = dropped; i < other.repeats.size(); ++i) repeats_.push_back({other.repeats[i], other.repeats[i], false});
  const Tensor out = record(name, std::move(shape), Kind::parameter, role, {});
  leave();
  return out;
}

Tensor Builder::record(Text name, std::vector<Expr> shape, Kind kind, Role role, Expr active) {
  if (!now_.has_part) throw Error{ErrorCode::internal, "", concat({prefix_, name, " belongs to no part of the model."})};
  // Before the rows move: the name may be another row's.
  std::string full_name = concat({prefix_, name}), owner = now_.tied ? concat({owner_prefix_, name}) : "";
  if (name.empty() && !prefix_.empty()) full_name.pop_back();  // the scope itself is the tensor
  if (rows_.size() == most_rows || rows_.size() * full_name.size() > most_names)
    throw Error{ErrorCode::too_large, "", "This model would have more distinct tensors, or longer lists of layers, than any model has."};
  Row& row = rows_.emplace_back();
  row.name = std::move(full_name);
  row.tied_to = std::move(owner);
  row.shape = std::move(shape);
  row.kind = now_.tied ? Kind::tied : now_.kind != Kind::parameter ? now_.kind : kind;
  row.part = now_.part;
  row.role = role;
  row.reason = now_.reason;
  row.elements = pool_.literal(1);
  for (const Expr e : row.shape) row.elements = row.elements * e;
  if (row.elements.value() > most_elements) too_many_elements(row.name, row.elements);
  row.total = row.elements;
  row.active = row.elements;
  if (active) {
    // The first dimension is the experts; the active ones stand in its place.
    row.active = active.value() < row.shape.front().value() ? active : row.shape.front();
    for (std::size_t i = 1; i < row.shape.size(); ++i) row.active = row.active * row.shape[i];
  }
  // transformers builds the experts of a layer as one tensor, gate and up projections together.
  Expr stacked = row.elements;
  row.repeats.reserve(repeats_.size());
  for (const Repeat& repeat : repeats_) {
    if (repeat.experts) stacked = stacked * repeat.count;
    row.repeats.push_back(repeat.count);
    row.total = row.total * repeat.count;
    row.active = row.active * repeat.active;
  }
  if (stacked.value() > most_elements / 2 && stacked != row.elements) too_many_elements(row.name, stacked);
  return Tensor(rows_.size() - 1);
}

}  // namespace param_ledger
