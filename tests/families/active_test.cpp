// What one token uses, against what transformers multiplies for it.

#include <map>

#include "tests/oracle.hpp"

namespace param_ledger::test {

namespace {

bool is_tower(const std::string& part) { return part == "vision" || part == "audio" || part == "projector"; }

/// The elements of the matrices that a token of text meets: a tied matrix once more for each of its names, since each is multiplied.
std::int64_t matrices_met(const Json& answer) {
  std::uint64_t sum = 0;
  for (const Json& row : answer.at("tensors")) {
    const auto kind = row.value("kind", "parameter"), part = row.at("part").get<std::string>(), role = row.at("role").get<std::string>();
    if (is_tower(part)) continue;
    const bool tied = kind == "tied" && row.at("shape").size() == 2 && part != "embedding";
    if (!tied && (kind != "parameter" || role != "matrix")) continue;
    sum += std::stoull(row.value("active", row.at("total").get<std::string>()));
  }
  return static_cast<std::int64_t>(sum);
}

}  // namespace

// `matrices`: the multiplications of one token by matrices of weights, counted by torch in transformers' own forward pass over the
// defaults of each type; without products of attention, of states, and convolutions. `beside`: what that holds beyond each matrix met
// once, or lacks, and why.
TEST_CASE("a token uses the matrices that transformers multiplies for it", "[families]") {
  std::map<std::string, std::string> configs;
  for (const Case& c : oracle_cases()) configs.emplace(c.id, c.config);
  const Json measured = json_of("active.json");
  REQUIRE(measured.size() >= 155);
  for (const Json& row : measured) {
    const auto id = row.at("id").get<std::string>();
    CAPTURE(id);
    std::int64_t expected = row.at("matrices").get<std::int64_t>();
    const Json beside = row.value("beside", Json::object());
    for (const auto& [why, elements] : beside.items()) expected -= elements.get<std::int64_t>();
    CHECK(matrices_met(answer_to(configs.at(id))) == expected);
  }
}

}  // namespace param_ledger::test
