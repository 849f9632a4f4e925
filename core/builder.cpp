#include "core/builder.hpp"

namespace param_ledger {

namespace {

/// torch sizes a tensor's storage in bytes, in 63 bits; at four bytes an element this is where it stops.
constexpr Count most_elements = (Count{1} << 61U) - 1;

/// The largest dimension of an expression that has a name: the one to look at where the whole is too large.
Expr largest_named(Expr e) {
  if (e.op() == Op::name) return e;
  if (e.op() == Op::literal) return {};
  const Expr left = largest_named(e.left()), right = largest_named(e.right());
  return !right || (left && left.value() >= right.value()) ? left : right;
}

[[noreturn]] void too_many_elements(const Row& row) {
  const Expr largest = largest_named(row.elements);
  throw Error{ErrorCode::overflow, largest ? largest.name().name : "",
              row.name + " would have " + grouped_digits(row.elements.value()) + " elements (" + write(row.elements) +
                  "), more than a tensor can hold."};
}

}  // namespace

std::string_view spelling(Part part) {
  static constexpr std::string_view names[part_count] = {"embedding", "attention", "state_space", "feed_forward",
                                                         "router",    "adapter",   "norm",        "output_head"};
  return names[static_cast<std::size_t>(part)];
}

std::string_view spelling(Kind kind) {
  static constexpr std::string_view names[] = {"parameter", "buffer", "tied"};
  return names[static_cast<std::size_t>(kind)];
}

Builder::Mark Builder::enter(std::string_view name) {
  const Mark mark{prefix_.size(), owner_prefix_.size(), repeats_.size(), tied_};
  if (!name.empty()) {
    prefix_.append(name) += '.';
    owner_prefix_.append(name) += '.';
  }
  return mark;
}

Builder::Mark Builder::enter_repeat(std::string_view name, const IndexSet& indices, Expr active) {
  const Mark mark = enter(name);
  const std::string index = spelling(indices) + '.';
  prefix_ += index;
  owner_prefix_ += index;
  if (indices.count) repeats_.push_back({indices.count, active});
  return mark;
}

Builder::Mark Builder::enter_tied(std::string_view name, const IndexSet& indices, std::uint64_t owner) {
  const Mark mark = enter(name);
  prefix_ += spelling(indices) + '.';
  owner_prefix_ += std::to_string(owner) + '.';
  if (indices.count) repeats_.push_back({indices.count, indices.count});
  tied_ = true;
  return mark;
}

void Builder::leave(const Mark& mark) {
  prefix_.resize(mark.name_length);
  owner_prefix_.resize(mark.owner_length);
  repeats_.resize(mark.repeats);
  tied_ = mark.tied;
}

void Builder::record(std::string_view name, std::initializer_list<Expr> shape, Kind kind, std::string_view target, Expr active) {
  Row& row = rows_.emplace_back();
  row.name = prefix_ + std::string(name);
  row.shape = shape;
  row.kind = tied_ ? Kind::tied : kind;
  row.part = part_;
  row.tied_to = tied_ ? owner_prefix_ + std::string(name) : std::string(target);
  row.elements = pool_.literal(1);
  for (const Expr e : shape) row.elements = row.elements * e;
  if (row.elements.value() > most_elements) too_many_elements(row);
  row.total = row.elements;
  row.active = row.elements;
  if (active) {
    // The first dimension is the experts; the active ones stand in its place.
    row.active = active.value() < shape.begin()->value() ? active : *shape.begin();
    for (const Expr* e = shape.begin() + 1; e != shape.end(); ++e) row.active = row.active * *e;
  }
  for (const Repeat& repeat : repeats_) {
    row.repeats.push_back(repeat.count);
    row.total = row.total * repeat.count;
    row.active = row.active * repeat.active;
  }
}

}  // namespace param_ledger
