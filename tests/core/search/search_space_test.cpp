#include "core/search/search_space.hpp"

#include <array>

#include "core/json/json_text.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// A search space, together with the text that it refers to.
struct Given {
  std::string text;
  Document document;
  Space space;
  explicit Given(const Json& request) : text(request.dump()), document(text), space(document.root()["config"], document.root()) {}
};

std::string fault(const Json& request) {
  return error_of([&] { Given{request}; }).field;
}

const Json config = {{"model_type", "llama"}, {"text_config", {{"hidden_size", 64}}}};

}  // namespace

TEST_CASE("values are an ascending list or range", "[search_space]") {
  const Document list(R"({"values": [8, 2, 2, 5]})"), range(R"({"from": 10, "to": 31, "step": 10})");
  const Values listed(list.root(), "x"), ranged(range.root(), "x");
  REQUIRE(listed.size() == 3);
  CHECK((listed[0] == 2 && listed[1] == 5 && listed[2] == 8));
  REQUIRE(ranged.size() == 3);
  CHECK((ranged[0] == 10 && ranged[2] == 30));
  for (const auto& [value, place] : {std::pair<std::uint64_t, std::size_t>{0, 0}, {10, 0}, {11, 1}, {20, 1}, {30, 2}, {31, 3}, {99, 3}})
    CHECK(ranged.first_from(value) == place);
  for (const auto& [value, place] : {std::pair<std::uint64_t, std::size_t>{2, 0}, {3, 1}, {8, 2}, {9, 3}})
    CHECK(listed.first_from(value) == place);
}

TEST_CASE("a range begins at 1, has steps of 1 and ends where it begins, unless it says otherwise", "[search_space]") {
  const auto range = [](const char* text) {
    const Document document(text);
    const Values values(document.root(), "x");
    return std::array<std::uint64_t, 3>{values.size(), values[0], values[values.size() - 1]};
  };
  CHECK(range(R"({"to": 3})") == std::array<std::uint64_t, 3>{3, 1, 3});
  CHECK(range(R"({"from": 5})") == std::array<std::uint64_t, 3>{1, 5, 5});
  CHECK(range(R"({"from": 5, "to": 9})") == std::array<std::uint64_t, 3>{5, 5, 9});
  CHECK(range(R"({"from": 0, "to": 999999})") == std::array<std::uint64_t, 3>{1'000'000, 0, 999'999});
}

TEST_CASE("a point sets its fields and those tied to them", "[search_space]") {
  const Given given(
      {{"config", config},
       {"vary", {{{"field", "text_config.hidden_size"}, {"values", {100, 200}}}, {{"field", "layers"}, {"from", 1}, {"to", 4}}}},
       {"tied",
        {{{"field", "inner"}, {"of", "text_config.hidden_size"}, {"times", "8/3"}, {"multiple", 256}},
         {{"field", "twice"}, {"of", "inner"}, {"times", 2}},
         {{"field", "decimal"}, {"of", "layers"}, {"times", "2.5"}}}}});
  Space::Point point{};
  point[0] = 1;
  point[1] = 3;
  const Json there = Json::parse(given.space.config_of(point));
  CHECK(there.at("text_config").at("hidden_size") == 200);
  CHECK(there.at("layers") == 4);
  CHECK(there.at("inner") == 768);  // 533 1/3, rounded up to 768
  CHECK(there.at("twice") == 1536);
  CHECK(there.at("decimal") == 10);
  CHECK(there.at("model_type") == "llama");
}

TEST_CASE("a tied field needs no rounding to be a whole multiple of another", "[search_space]") {
  const auto tied = [](const Json& tie) {
    Json with = {{"field", "b"}, {"of", "a"}};
    with.update(tie);
    const Given given({{"config", config}, {"vary", {{{"field", "a"}, {"values", {6}}}}}, {"tied", {with}}});
    return Json::parse(given.space.config_of({})).at("b");
  };
  CHECK(tied({{"times", 4}}) == 24);
  CHECK(tied({{"times", "4"}}) == 24);
  CHECK(tied({{"times", "1/3"}}) == 2);
  CHECK(tied({{"times", ".5"}}) == 3);
  CHECK(tied({{"times", "2.50"}}) == 15);
  CHECK(tied({{"times", 1}, {"multiple", 4}}) == 8);
  CHECK(tied({{"times", 1}, {"multiple", 6}}) == 6);
}

TEST_CASE("a limit compares exact ratios", "[search_space]") {
  const Given given(
      {{"config", config},
       {"vary", {{{"field", "a"}, {"values", {1}}}}},
       {"limits", {{{"field", "a"}, {"over", "b"}, {"least", "1/3"}, {"most", "0.5"}}, {{"field", "a"}, {"over", "b"}, {"least", 2}}}}});
  const Space::Limit &both = given.space.limits[0], &one = given.space.limits[1];
  CHECK(both.reached(1, 3));
  CHECK_FALSE(both.reached(1'000'000'000, 3'000'000'001));
  CHECK_FALSE(both.exceeded(1, 2));
  CHECK(both.exceeded(500'000'001, 1'000'000'001));
  CHECK(one.reached(2, 1));
  CHECK_FALSE(one.exceeded(~std::uint64_t{0}, 1));
}

TEST_CASE("an error in a space names the field", "[search_space]") {
  const Json vary = {{{"field", "a"}, {"from", 1}, {"to", 4}}};
  CHECK(fault({{"config", config}}) == "vary");
  CHECK(fault({{"config", config}, {"vary", Json::array()}}) == "vary");
  CHECK(fault({{"config", config}, {"vary", {{{"field", ""}, {"from", 1}}}}}) == "vary");
  CHECK(fault({{"config", config}, {"vary", {{{"field", "a"}, {"values", Json::array()}}}}}) == "a");
  CHECK(fault({{"config", config}, {"vary", {{{"field", "a"}, {"values", {-1}}}}}}) == "a");
  CHECK(fault({{"config", config}, {"vary", {{{"field", "a"}, {"from", 0}, {"to", 1'000'000}}}}}) ==
        "a");  // 1,000,001 values: one too many
  // Values must not exceed 2^53, because JavaScript's numbers are exact integers only up to there.
  constexpr std::uint64_t largest = std::uint64_t{1} << 53U;
  CHECK_NOTHROW(Given({{"config", config}, {"vary", {{{"field", "a"}, {"values", {largest}}}}}}));
  CHECK(fault({{"config", config}, {"vary", {{{"field", "a"}, {"values", {largest + 1}}}}}}) == "a");
  const Json twice = {{"field", "b"}, {"of", "a"}, {"times", 2}};
  CHECK(fault({{"config", config}, {"vary", vary}, {"tied", {twice, twice}}}) == "b");
  CHECK(fault({{"config", config}, {"vary", vary}, {"tied", {{{"field", "b"}, {"of", "c"}, {"times", 2}}}}}) == "c");
  CHECK(fault({{"config", config}, {"vary", vary}, {"tied", {{{"field", "a"}, {"of", "a"}, {"times", 2}}}}}) == "a");
  const auto tied = [&](const char* ratio) {
    return Json{{"config", config}, {"vary", vary}, {"tied", {{{"field", "b"}, {"of", "a"}, {"times", ratio}}}}};
  };
  for (const char* ratio : {"", "x", "1/", "/2", "0", "1/0", "1/2/3", "1.2.3", "-1"}) CHECK(fault(tied(ratio)) == "b");
  // The numbers in a ratio are at most 10^12, so a decimal has at most twelve digits after its point.
  for (const char* ratio : {"1000000000000", "1/1000000000000", "0.000000000001"}) CHECK_NOTHROW(Given(tied(ratio)));
  for (const char* ratio : {"1000000000001", "1/1000000000001", "0.0000000000001"}) CHECK(fault(tied(ratio)) == "b");
  Json many = Json::array();
  for (char c = 'a'; c < 'l'; ++c) many.push_back({{"field", std::string(1, c)}, {"values", {1}}});
  CHECK(fault({{"config", config}, {"vary", many}}) == "vary");
}

}  // namespace param_ledger::test
