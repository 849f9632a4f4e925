#include "core/dimensions.hpp"

#include <algorithm>
#include <vector>

#include "core/hash_index.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

constexpr Dimension unknown{"", "", Group::other, ""};

std::vector<Spelling> all_spellings() {
  std::vector<Spelling> all;
  all.reserve(dimensions().size() * 3 / 2);
  for (const Dimension& d : dimensions()) {
    for (std::string_view rest = d.spellings; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      all.push_back({rest.substr(0, end), &d});
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return all;
}

}  // namespace

std::string_view spelling(Group group) {
  static constexpr std::string_view names[] = {"vocabulary",  "size",   "attention", "feed_forward", "experts",
                                               "state_space", "layers", "head",      "other"};
  return names[static_cast<std::size_t>(group)];
}

std::span<const Spelling> spellings() {
  static const std::vector<Spelling> all = all_spellings();
  return all;
}

namespace {

HashIndex indexed_spellings() {
  HashIndex out(4096);
  const std::span<const Spelling> all = spellings();
  for (std::size_t i = 0; i < all.size(); ++i)
    static_cast<void>(out.find_or_add(hash_of(all[i].field), i, [&](std::size_t j) { return all[j].field == all[i].field; }));
  return out;
}

}  // namespace

const Dimension& dimension(std::string_view field) {
  // By a hash: sought by halves among so many, fields took a tenth of a count.
  static const HashIndex index = indexed_spellings();
  const std::span<const Spelling> all = spellings();
  const std::size_t place = index.find(hash_of(field), all.size(), [&](std::size_t i) { return all[i].field == field; });
  return place < all.size() ? *all[place].dimension : unknown;
}

std::uint16_t dimension_order(const Dimension& dimension) {
  const std::span<const Dimension> all = dimensions();
  return static_cast<std::uint16_t>(&dimension == &unknown ? all.size() : static_cast<std::size_t>(&dimension - all.data()));
}

}  // namespace param_ledger
