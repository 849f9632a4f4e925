#include "core/claims/remainders.hpp"

#include <algorithm>
#include <vector>

#include "core/builder/row_names.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr Count most_times = 64;

/// All norms of one width: how many there are, and whether they have biases.
struct Norms {
  Count width = 0, count = 0;
  bool biased = false;
};

std::vector<Norms> norms_of(const std::vector<Row>& rows) {
  std::vector<Norms> out;
  for (const Row& row : rows) {
    if (row.part != Part::norm || row.kind != Kind::parameter || row.shape.size() != 1) continue;
    const Count width = row.shape[0].peek();
    auto of_width = std::find_if(out.begin(), out.end(), [&](const Norms& n) { return n.width == width; });
    if (of_width == out.end()) of_width = out.insert(out.end(), Norms{width});
    if (row.name.ends_with("bias"))
      of_width->biased = true;
    else if (width > 0)
      of_width->count = add(of_width->count, row.total.peek() / width);
  }
  return out;
}

std::string plural_of(Count n, std::string_view one, std::string_view many) {
  return n == 1 ? std::string(one) : concat({grouped_digits(n), " ", many});
}

/// The only size that divides the remainder with a quotient of at most `most`; nothing if there are several such sizes.
std::optional<Remainder> multiple_of(const std::vector<std::pair<Count, std::string>>& sizes, Count rest, Count most) {
  std::optional<Remainder> out;
  for (const auto& [size, what] : sizes) {
    if (size < 2 || rest % size != 0 || rest / size > most) continue;
    if (out && out->each != size) return std::nullopt;
    if (!out) out = Remainder{rest / size, size, what};
  }
  return out;
}

}  // namespace

std::optional<Remainder> factored(const Model& model, Count rest, bool more) {
  if (rest == 0) return std::nullopt;
  const std::vector<Row>& rows = model.builder.rows();
  const std::vector<Norms> norms = norms_of(rows);
  if (more)
    for (const Norms& n : norms)
      if (!n.biased && multiply(n.count, n.width) == rest)
        return Remainder{n.count, n.width, concat({"the biases of ", plural_of(n.count, "its norm", "norms")})};
  std::vector<std::pair<Count, std::string>> whole, tables, tensors;
  for (const Norms& n : norms)
    if (n.biased) whole.emplace_back(2 * n.width, "");
  if (const std::optional<Remainder> one = multiple_of(whole, rest, 1))
    return Remainder{2, one->each / 2, "the weight and the bias of a norm"};
  for (const Row& row : rows) {
    if (row.kind != Kind::parameter) continue;
    std::pair<Count, std::string> size{row.elements.peek(), std::string(without_weight(row.name))};
    (row.storage == StorageKind::table && row.shape.size() == 2 ? tables : tensors).push_back(std::move(size));
  }
  constexpr Count most_tables = 2;
  if (std::optional<Remainder> table = multiple_of(tables, rest, most_tables)) return table;
  return multiple_of(tensors, rest, most_times);
}

}  // namespace param_ledger
