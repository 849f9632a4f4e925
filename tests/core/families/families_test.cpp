// Compares tensors with those that transformers builds, totals with published models and with seeds.json, and each formula with its number.
// Also tests which configurations are refused.

#include <set>
#include <sstream>

#include "core/registry/registry.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/evaluator.hpp"
#include "tests/support/oracle.hpp"

namespace param_ledger::test {

namespace {

/// The number of elements in rows of these kinds with a name that contains one of `words`. Each of the words must occur in some name.
std::uint64_t elements_of(const Json& answer, const Json& words, const std::set<std::string>& kinds) {
  std::uint64_t sum = 0;
  for (const Json& word : words) {
    bool found = false;
    for (const Json& row : answer.at("tensors")) {
      if (kinds.count(row.value("kind", "parameter")) == 0 ||
          row.at("name").get<std::string>().find(word.get<std::string>()) == std::string::npos)
        continue;
      found = true;
      sum += std::stoull(row.at("total").get<std::string>());
    }
    CHECK(found);
  }
  return sum;
}

}  // namespace

TEST_CASE("families build what transformers builds, or refuse for a stated reason", "[families]") {
  const Json exceptions = json_of("exceptions.json");
  std::size_t refused = 0;
  REQUIRE(oracle_cases().size() > 1300);
  for (const Case& wanted : oracle_cases()) {
    CAPTURE(wanted.id, wanted.config);
    const Json answer = answer_to(wanted.config);
    if (exceptions.contains(wanted.id)) {
      ++refused;
      REQUIRE(answer.at("ok") == false);
      CHECK(answer.at("error").value("kind", "") == exceptions.at(wanted.id).get<std::string>());
      continue;
    }
    CHECK(total(answer) == wanted.parameters);
    if (!answer.at("ok").get<bool>()) continue;
    CHECK(total(answer, "buffers") == wanted.buffers);
    CHECK(differences(wanted.tensors, tensors_of(answer)).empty());
  }
  CHECK(refused == exceptions.size());
}

TEST_CASE("published models are counted exactly", "[families]") {
  std::size_t known = 0;
  for (const char* file : {"models.json", "models_rest.json"})
    for (const Json& model : json_of(file)) {
      CAPTURE(model.at("name").get<std::string>());
      CHECK(total(answer_to(model.at("config").dump()), model.value("total", "parameters")) == model.at("parameters").dump());
      ++known;
    }
  CHECK(known >= 395);
}

// `stored`: the number of elements in the model's published files. `held`: rows that only some published files contain, including this
// model's. `copied`: tied tensors that its files store nevertheless. `left_out`: tensors that the source of `stored` did not count.
TEST_CASE("contents of published files are exact", "[families]") {
  std::size_t known = 0;
  for (const char* file : {"models.json", "models_rest.json"})
    for (const Json& model : json_of(file)) {
      if (!model.contains("stored")) continue;
      ++known;
      CAPTURE(model.at("name").get<std::string>());
      const Json answer = answer_to(model.at("config").dump());
      REQUIRE(answer.at("ok") == true);
      const std::uint64_t held = elements_of(answer, model.value("held", Json::array()), {"possible"});
      const std::uint64_t copied = elements_of(answer, model.value("copied", Json::array()), {"tied"});
      const std::uint64_t left_out = elements_of(answer, model.value("left_out", Json::array()), {"parameter", "buffer", "published"});
      CHECK(std::stoull(total(answer, "published")) + held + copied == model.at("stored").get<std::uint64_t>() + left_out);
    }
  CHECK(known >= 54);
}

TEST_CASE("the numbers in the seeds are exact", "[families]") {
  const Json seeds = json_of("seeds.json");
  REQUIRE(seeds.size() >= 19);
  for (const Json& seed : seeds) {
    CAPTURE(seed.at("seed").get<std::string>(), seed.at("what").get<std::string>());
    CHECK(total(answer_to(seed.at("config").dump()), seed.at("total").get<std::string>()) == seed.at("value").get<std::string>());
  }
}

// Configurations that were once counted wrongly, each with the number of parameters that transformers builds or the error that it raises.
TEST_CASE("cases that are easily miscounted are right or refused", "[families]") {
  std::size_t known = 0;
  std::istringstream lines(text_of("wrong_or_raising.jsonl"));
  for (std::string text; std::getline(lines, text); ++known) {
    const Line line = line_of(text);
    CAPTURE(line.config, line.rest.dump());
    const Json answer = answer_to(line.config);
    if (answer.at("ok") == true) CHECK(total(answer) == (line.rest.contains("parameters") ? line.rest.at("parameters").dump() : "none"));
  }
  CHECK(known >= 114);
}

TEST_CASE("invalid configurations are refused with their position", "[families]") {
  for (const Json& wanted : json_of("refusals.json")) {
    CAPTURE(wanted.at("what").get<std::string>());
    const Json answer = answer_to(wanted.at("text").get<std::string>());
    CHECK(answer.at("ok") == false);
    if (answer.at("ok").get<bool>()) continue;
    const Json& error = answer.at("error");
    CHECK(error.at("code") == wanted.at("code"));
    CHECK(error.at("field") == wanted.at("field"));
    const auto message = error.at("message").get<std::string>();
    CAPTURE(message);
    CHECK(message.find(wanted.at("message").get<std::string>()) != std::string::npos);
    for (const char* place : {"line", "column"}) CHECK(error.value(place, 0) == wanted.value(place, 0));
    if (wanted.contains("nearest")) CHECK(error.at("nearest").at(0) == wanted.at("nearest"));
  }
}

TEST_CASE("unusual but valid configurations are counted", "[families]") {
  for (const Json& wanted : json_of("accepted.json")) {
    CAPTURE(wanted.at("what").get<std::string>());
    const Json answer = answer_to(wanted.at("text").get<std::string>());
    CHECK(total(answer) == wanted.at("parameters").get<std::string>());
    if (!answer.at("ok").get<bool>()) continue;
    std::string notes;
    for (const Json& note : answer.at("notes")) notes += note.at("level").get<std::string>() + ' ' + note.value("field", "") + '\n';
    std::string expected;
    if (wanted.contains("note"))
      expected = wanted.at("note").at("level").get<std::string>() + ' ' + wanted.at("note").at("field").get<std::string>() + '\n';
    CAPTURE(notes);
    CHECK(expected.empty() == notes.empty());
    CHECK(notes.find(expected) != std::string::npos);
  }
}

TEST_CASE("every family has test data", "[families]") {
  std::set<std::string> held;
  for (const Case& wanted : oracle_cases()) held.insert(wanted.id.substr(0, wanted.id.rfind('/')));
  for (const Case& wanted : cases_of(text_of("own_code.jsonl"))) held.insert(wanted.id.substr(0, wanted.id.rfind('/')));
  for (const char* file : {"models.json", "seeds.json"}) {
    for (const Json& given : json_of(file)) {
      const Json& config = given.at("config");
      held.insert(answer_to(config.dump()).at("model_type").get<std::string>() + '/' +
                  answer_to(config.dump()).at("architecture").get<std::string>());
    }
  }
  for (const Family* family : families()) {
    bool any = false;
    for (const NamedArchitecture& a : architectures(*family)) any = any || held.count(std::string(family->model_type) + '/' + a.name) > 0;
    CAPTURE(family->model_type.c_str());
    CHECK(any);
  }
}

namespace {

std::string value_of(const Json& holder, const std::vector<Count>& values) {
  try {
    return digits(evaluate(read_formula(holder.at("math").get_ref<const std::string&>()), values));
  } catch (const std::runtime_error& e) {
    return e.what();
  }
}

void check_formulas(const Json& answer) {
  std::vector<Count> values;
  for (const std::string& value : labels_of(answer, "value")) values.push_back(number_of(value));
  // Names and symbols must be unique; otherwise the page's legend would be ambiguous.
  for (const char* key : {"name", "symbol"}) {
    const std::vector<std::string> labels = labels_of(answer, key);
    CHECK(std::set<std::string>(labels.begin(), labels.end()).size() == labels.size());
  }
  for (const Json& tensor : answer.at("tensors")) {
    CAPTURE(tensor.at("name").get<std::string>());
    CHECK(value_of(tensor, values) == tensor.at("total").get<std::string>());
  }
  for (const Json& symbol : answer.at("symbols"))
    if (symbol.contains("math")) CHECK(value_of(symbol, values) == symbol.at("value").get<std::string>());
  for (const Json& field : answer.at("fields"))
    if (field.contains("math")) CHECK(value_of(field, values) == field.at("value").dump());
  const Json& closed = answer.at("formula");
  CHECK(closed.at("value") == answer.at("totals").at("parameters"));
  CHECK(value_of(closed, values) == closed.at("value").get<std::string>());
}

}  // namespace

TEST_CASE("every written formula evaluates to its number", "[families]") {
  for (const Case& wanted : oracle_cases()) {
    CAPTURE(wanted.id);
    const Json answer = answer_to(wanted.config);
    if (answer.at("ok").get<bool>()) check_formulas(answer);  // refusals are tested above
  }
  for (const char* file : {"models.json", "seeds.json"})
    for (const Json& given : json_of(file)) check_formulas(answer_to(given.at("config").dump()));
}

}  // namespace param_ledger::test
