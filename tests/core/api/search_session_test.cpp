#include <string>

#include "core/api/report.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/support.hpp"

// Tests searches in steps, and invalid requests. The results are tested in tests/core/search/.

namespace param_ledger::test {

TEST_CASE("a search continues where it stopped", "[search]") {
  Json request =
      space({{"model_type", "llama"}}, "3B", {{"num_hidden_layers", range(10, 60, 1)}, {"hidden_size", range(1024, 4096, 128)}}, 5);
  request["tied"] = {{{"field", "num_attention_heads"}, {"of", "hidden_size"}, {"times", "1/128"}},
                     {{"field", "num_key_value_heads"}, {"of", "num_attention_heads"}, {"times", "1"}}};
  const Json whole = find(request);
  request["budget"] = 20;
  SearchSession session;
  Json answer = find(request, session);
  CHECK(answer.at("done") == false);
  int steps = 1, percent = 0;
  for (; answer.at("done") == false && steps < 1000; ++steps) {
    CHECK(answer.at("percent").get<int>() >= percent);
    percent = answer.at("percent").get<int>();
    answer = parsed(session.step(R"({"budget": 20})"));
  }
  CHECK(steps > 2);
  CHECK(answer == whole);
}

TEST_CASE("a search has passed no points after its first step", "[search]") {
  for (const std::uint64_t most_layers : {4U, 400U}) {
    const Json request = space({{"model_type", "llama"}, {"num_attention_heads", 1}}, "3B",
                               {{"num_hidden_layers", range(1, most_layers, 1)}, {"hidden_size", range(64, 320, 64)}}, 5);
    SearchSession session;
    Json begun = request;
    begun["budget"] = 1;
    CHECK(find(begun, session).at("percent") == 0);
  }
}

TEST_CASE("a search with the largest budget ends", "[search]") {
  Json request =
      space({{"model_type", "llama"}}, "3B", {{"num_hidden_layers", range(10, 60, 1)}, {"hidden_size", range(1024, 4096, 128)}}, 5);
  request["uneven"] = true;
  request["budget"] = 20;
  SearchSession session;
  CHECK(find(request, session).at("done") == false);
  CHECK(parsed(session.step(R"({"budget": 18446744073709551615})")).at("done") == true);
}

TEST_CASE("sessions are independent", "[search]") {
  const Json request = space({{"model_type", "llama"}}, "3B", {{"num_hidden_layers", range(10, 60, 1)}}, 5);
  SearchSession begun, other;
  CHECK(find(request, begun).at("ok") == true);
  CHECK(parsed(begun.step("{}")).at("ok") == true);
  CHECK(parsed(other.step("{}")).at("error").at("code") == "missing_field");
}

TEST_CASE("an invalid search request is refused", "[search]") {
  const Json llama = {{"model_type", "llama"}};
  const auto error = [&](Json request) {
    if (!request.contains("config")) request["config"] = llama;
    const Json answer = find(request);
    REQUIRE(answer.at("ok") == false);
    return answer.at("error").at("field").get<std::string>();
  };
  const Json layers = {{{"field", "num_hidden_layers"}, {"from", 1}, {"to", 4}}};
  CHECK(error({{"target", "7B"}}) == "vary");
  CHECK(error({{"target", "7 GB"}, {"vary", layers}}) == "target");
  // The target is at most 2^62 - 1.
  CHECK(error({{"target", "4611686018427387904"}, {"vary", layers}}) == "target");
  CHECK(find({{"config", {{"model_type", "llama"}}}, {"target", "4611686018427387903"}, {"vary", layers}}).at("ok") == true);
  CHECK(error({{"target", "0"}, {"vary", layers}}) == "target");
  for (const Json& most : {Json("5"), Json(-5), Json(2.5), Json(nullptr), Json(true)})
    CHECK(error({{"target", "7B"}, {"vary", layers}, {"most", most}}) == "most");
  CHECK(error({{"vary", layers}}) == "target");
  CHECK(error({{"target", "7B"}, {"vary", {{{"field", "num_hidden_layers"}, {"from", 4}, {"to", 1}}}}}) == "num_hidden_layers");
  CHECK(error({{"target", "7B"}, {"vary", {{{"field", "num_hidden_layers"}, {"from", 1}, {"to", 4}, {"step", 0}}}}}) ==
        "num_hidden_layers");
  CHECK(error({{"target", "7B"}, {"vary", {{{"field", "num_hidden_layers"}, {"from", 0}, {"to", 4'000'000'000}}}}}) == "num_hidden_layers");
  CHECK(error({{"target", "7B"}, {"vary", {{{"field", "no_such_field"}, {"from", 1}, {"to", 4}}}}}) == "no_such_field");
  CHECK(error({{"target", "7B"}, {"vary", {layers[0], layers[0]}}}) == "num_hidden_layers");
  CHECK(error({{"target", "7B"}, {"vary", layers}, {"tied", {{{"field", "intermediate_size"}, {"of", "hidden_size"}, {"times", 4}}}}}) ==
        "hidden_size");
  CHECK(error({{"target", "7B"},
               {"vary", layers},
               {"limits", {{{"field", "hidden_size"}, {"over", "num_hidden_layers"}, {"least", "1/0"}}}}}) == "hidden_size");
  CHECK(error({{"target", "7B"}, {"vary", layers}, {"config", {{"model_type", "nothing"}}}}) == "vary");
  SearchSession session;
  CHECK(parsed(session.begin("[", "{}")).at("error").at("code") == "malformed_json");
  CHECK(parsed(session.begin("{}", "[")).at("error").at("code") == "malformed_json");
  CHECK(error({{"config", 7}, {"target", "7B"}, {"vary", layers}}) == "");
  CHECK(error({{"config", {{"model_type", "llama"}, {"hidden_size", "x"}}}, {"target", "7B"}, {"vary", layers}}) == "hidden_size");
  CHECK(parsed(session.step("{}")).at("ok") == false);
}

}  // namespace param_ledger::test
