#include "core/support/hash_index.hpp"

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/support/catch.hpp"

namespace param_ledger::test {

TEST_CASE("a hash index finds entries, also with equal hashes", "[hash_index]") {
  for (const std::uint32_t hashes : {1U, 7U, 0xffff'ffffU}) {
    HashIndex index;
    std::vector<std::uint32_t> list;
    const auto place_of = [&](std::uint32_t entry) {
      const std::size_t place = index.find_or_add(entry % hashes, list.size(), [&](std::size_t known) { return list[known] == entry; });
      if (place == list.size()) list.push_back(entry);
      return place;
    };
    for (std::uint32_t i = 0; i < 2000; ++i) REQUIRE(place_of(3 * i) == i);
    for (std::uint32_t i = 0; i < 2000; ++i) REQUIRE(place_of(3 * i) == i);
    CHECK(list.size() == 2000);
  }
}

TEST_CASE("a hash index reports a missing entry", "[hash_index]") {
  HashIndex index;
  const auto any = [](std::size_t) { return true; };
  CHECK(index.find(1, 99, any) == 99);
  index.find_or_add(1, 0, any);
  CHECK(index.find(1, 99, any) == 0);
  CHECK(index.find(2, 99, any) == 99);
  CHECK(index.find(1, 99, [](std::size_t) { return false; }) == 99);
}

TEST_CASE("a text's hash depends on each byte and on their order", "[hash_index]") {
  CHECK(hash_of("ab") != hash_of("ba"));
  CHECK(hash_of("a") != hash_of("a_"));
  CHECK(hash_of("hidden_size") == hash_of(std::string("hidden_size")));
}

TEST_CASE("a mixed hash depends on each value and on their order", "[hash_index]") {
  CHECK(mixed(mixed(0, 1), 2) != mixed(mixed(0, 2), 1));
  CHECK(mixed(0, 1) != mixed(1, 1));
  CHECK(mixed(0, 1) != mixed(0, std::uint64_t{1} << 32U));
}

namespace {

/// Fowler, Noll and Vo's 32-bit hash (FNV), for which collisions are easy to construct.
std::uint32_t fnv(std::string_view text, std::uint32_t hash = 2166136261) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  return hash;
}

/// 2^`blocks` names with equal FNV hashes. For each block there are two pieces that lead to the same state.
std::vector<std::string> names_of_one_fnv_hash(int blocks) {
  std::vector<std::string> names{""};
  std::uint32_t state = fnv("");
  for (int i = 0; i < blocks; ++i) {
    std::unordered_map<std::uint32_t, std::string> seen;
    for (std::uint32_t k = 0;; ++k) {
      std::string piece = std::to_string(k) + '.';
      const std::uint32_t next = fnv(piece, state);
      const auto [known, is_new] = seen.emplace(next, piece);
      if (is_new) continue;
      std::vector<std::string> longer;
      for (const std::string& name : names) {
        longer.push_back(name + known->second);
        longer.push_back(name + piece);
      }
      names = std::move(longer);
      state = next;
      break;
    }
  }
  return names;
}

}  // namespace

TEST_CASE("names made to collide under a simple hash do not collide", "[hash_index]") {
  const std::vector<std::string> names = names_of_one_fnv_hash(8);
  REQUIRE(names.size() == 256);
  std::set<std::uint32_t> hashes;
  for (const std::string& name : names) {
    REQUIRE(fnv(name) == fnv(names[0]));
    hashes.insert(hash_of(name));
  }
  CHECK(hashes.size() == names.size());
}

TEST_CASE("a string index keeps a name once and reports a missing one", "[hash_index]") {
  StringIndex index;
  std::vector<std::string> list;
  const auto name_of = [&](std::size_t i) -> std::string_view { return list[i]; };
  const auto intern = [&](std::string_view name) {
    const std::size_t place = index.intern(name, list.size(), name_of);
    if (place == list.size()) list.emplace_back(name);
    return place;
  };
  CHECK(index.find("a", 99, name_of) == 99);
  CHECK(intern("a") == 0);
  CHECK(intern("b") == 1);
  CHECK(intern("a") == 0);
  CHECK(index.find("b", 99, name_of) == 1);
  CHECK(index.find("", 99, name_of) == 99);
}

}  // namespace param_ledger::test
