#include "core/support/hash_index.hpp"

#include <string>
#include <vector>

#include "tests/support/catch.hpp"

namespace param_ledger::test {

TEST_CASE("a hash index finds what stands in the list, also under one hash", "[hash_index]") {
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

TEST_CASE("a hash index tells what it lacks", "[hash_index]") {
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

}  // namespace param_ledger::test
