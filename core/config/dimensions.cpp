#include "core/config/dimensions.hpp"

#include <algorithm>
#include <vector>

#include "core/support/hash_index.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr Dimension unknown{"", "", Group::other, ""};

struct Spellings {
  std::vector<Spelling> list;
  StringIndex index{4096};

  Spellings() {
    list.reserve(dimensions().size() * 3 / 2);
    for (const Dimension& d : dimensions())
      for (std::string_view rest = d.spellings; !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        list.push_back({rest.substr(0, end), &d});
        static_cast<void>(index.intern(list.back().field, list.size() - 1, [&](std::size_t i) { return list[i].field; }));
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
  }
};

/// All spellings and a hash index of them, built on first use. Sorting the list instead took four times as long.
const Spellings& known() {
  static const Spellings all;
  return all;
}

}  // namespace

std::string_view spelling(Group group) {
  static constexpr std::string_view names[] = {"vocabulary",  "size",   "attention", "feed_forward", "experts",
                                               "state_space", "layers", "head",      "other"};
  return names[static_cast<std::size_t>(group)];
}

std::span<const Spelling> spellings() { return known().list; }

const Dimension& dimension(std::string_view field) {
  const std::vector<Spelling>& all = known().list;
  const std::size_t place = known().index.find(field, all.size(), [&](std::size_t i) { return all[i].field; });
  return place < all.size() ? *all[place].dimension : unknown;
}

std::uint16_t dimension_order(const Dimension& dimension) {
  const std::span<const Dimension> all = dimensions();
  return static_cast<std::uint16_t>(&dimension == &unknown ? all.size() : static_cast<std::size_t>(&dimension - all.data()));
}

}  // namespace param_ledger
