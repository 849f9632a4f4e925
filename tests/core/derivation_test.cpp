#include "core/derivation.hpp"

#include <map>
#include <set>

#include "tests/oracle.hpp"

namespace param_ledger::test {

namespace {

Json derived(std::string_view config) { return parsed(derive(config)); }

Json judged(const Json& derivation) { return parsed(article(Json{{"article", derivation.at("article")}}.dump())); }

/// What the judge of articles has against a derivation; empty where every step is right and the total is the model's.
std::string objections(const Json& derivation) {
  const Json judgement = judged(derivation);
  if (judgement.at("ok") == false) return judgement.dump();
  std::string out;
  const auto look = [&](const Json& step, const Json& judged_step) {
    if (judged_step.at("verdict") != "right") out += step.dump() + ' ' + judged_step.dump() + '\n';
  };
  const Json& steps = derivation.at("article").at("steps");
  for (std::size_t i = 0; i < steps.size(); ++i) look(steps[i], judgement.at("steps")[i]);
  look(derivation.at("article").at("total"), judgement.at("total"));
  if (judgement.at("total").value("value", "") != judgement.value("model", "none")) out += "another total than the model's";
  return out;
}

/// A config of a case may hold Infinity, which is no JSON.
std::string total_of(const Json& derivation) {
  std::string out;
  for (const char c : derivation.at("article").at("total").at("prints").get<std::string>())
    if (c != ',') out += c;
  return out;
}

}  // namespace

TEST_CASE("the judge of articles finds every derivation right", "[derivation]") {
  std::size_t known = 0;
  for (const Case& wanted : oracle_cases()) {
    CAPTURE(wanted.id, wanted.config);
    const Json derivation = derived(wanted.config);
    if (derivation.at("ok") == false) {
      CHECK(derivation == answer_to(wanted.config));
      continue;
    }
    ++known;
    CHECK(total_of(derivation) == wanted.parameters);
    CHECK(objections(derivation) == "");
  }
  CHECK(known > 1300);
}

TEST_CASE("published models are derived to the last digit", "[derivation]") {
  for (const Json& model : json_of("models.json")) {
    CAPTURE(model.at("name").get<std::string>());
    const Json derivation = derived(model.at("config").dump());
    REQUIRE(derivation.at("ok") == true);
    CHECK(objections(derivation) == "");
    if (model.value("total", "parameters") == "parameters") CHECK(total_of(derivation) == model.at("parameters").dump());
  }
}

}  // namespace param_ledger::test
