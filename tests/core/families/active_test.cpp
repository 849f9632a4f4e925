// Tests the matrices and parameters that one token uses against those that transformers uses or, for types that it lacks, against counts by
// hand.

#include <map>

#include "core/api/report.hpp"
#include "tests/support/oracle.hpp"

namespace param_ledger::test {

namespace {

bool is_tower(const std::string& part) { return part == "vision" || part == "audio" || part == "projector"; }

/// The number of elements in the matrices that a text token is multiplied with, outside of towers. A tied matrix counts once for each of
/// its names, except for tied names of embedding tables.
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

std::map<std::string, std::string> configs_by_id() {
  std::map<std::string, std::string> out;
  for (const Case& c : oracle_cases()) out.emplace(c.id, c.config);
  return out;
}

std::string type_of(const std::string& id) { return id.substr(0, id.find('/')); }

}  // namespace

// `matrices`: the multiply-adds of one token with weight matrices, without those of attention scores, recurrent states and convolutions.
// PyTorch counted them in transformers' own forward pass of each type's default. `beside`: the difference from using each matrix once, by
// reason. It is negative if a matrix is not used or is counted as another operation.
TEST_CASE("a token uses the same matrices as in transformers", "[families]") {
  const std::map<std::string, std::string> configs = configs_by_id();
  std::size_t compared = 0;
  for (const Json& row : json_of("active.json")) {
    if (!row.contains("matrices")) continue;
    ++compared;
    const auto id = row.at("id").get<std::string>();
    CAPTURE(id);
    std::int64_t expected = row.at("matrices").get<std::int64_t>();
    const Json beside = row.value("beside", Json::object());
    for (const auto& [why, elements] : beside.items()) expected -= elements.get<std::int64_t>();
    CHECK(matrices_met(answer_to(configs.at(id))) == expected);
  }
  CHECK(compared >= 155);
}

// `active`: all parameters except those of experts that the token is not routed to, counted in transformers' own forward pass or by hand.
TEST_CASE("a token uses the same parameters as in transformers", "[families]") {
  const std::map<std::string, std::string> configs = configs_by_id();
  std::map<std::string, int> compared;
  for (const Json& row : json_of("active.json")) {
    if (!row.contains("active")) continue;
    const auto id = row.at("id").get<std::string>();
    CAPTURE(id);
    const Json answer = parsed(totals(row.contains("config") ? row.at("config").dump() : configs.at(id)));
    CHECK(total(answer, "active") == row.at("active").dump());
    ++compared[type_of(id)];
  }
  for (const auto& [type, times] : compared) {
    CAPTURE(type);
    if (type != "llava") CHECK(times >= 4);  // a llava model may contain any text model
  }
  for (const auto& [id, config] : configs) {
    const Json answer = parsed(totals(config));
    if (!answer.at("ok").get<bool>() || compared.count(type_of(id)) != 0) continue;
    CAPTURE(id);
    CHECK(total(answer, "active") == total(answer));
  }
}

}  // namespace param_ledger::test
