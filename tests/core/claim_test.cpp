#include "core/claim.hpp"

#include <algorithm>

#include "core/report.hpp"
#include "tests/oracle.hpp"

namespace param_ledger::test {

namespace {

Json ask(const Json& config, const std::string& claim) { return parsed(check(Json{{"config", config}, {"claim", claim}}.dump())); }

std::vector<std::string> switches_of(const Json& explanation) {
  std::vector<std::string> out;
  for (const Json& s : explanation.at("switches")) out.push_back(s.at("id").get<std::string>());
  std::sort(out.begin(), out.end());
  return out;
}

/// The claims of tests/data/claims.json, each with its configuration.
std::vector<Json> claims() {
  const Json models = json_of("models.json");
  std::vector<Json> out;
  for (Json claim : json_of("claims.json")) {
    if (!claim.contains("config"))
      for (const Json& model : models)
        if (model.at("name") == claim.at("model")) claim["config"] = model.at("config");
    REQUIRE(claim.contains("config"));
    out.push_back(std::move(claim));
  }
  return out;
}

Json of_type(const char* type) { return {{"model_type", type}}; }

const Json llama = {{"model_type", "llama"}};
const Json llama_2_70b = {{"model_type", "llama"},     {"hidden_size", 8192},        {"num_hidden_layers", 80},
                          {"num_attention_heads", 64}, {"intermediate_size", 28672}, {"num_key_value_heads", 8}};

}  // namespace

TEST_CASE("claims of cards and papers get the convention that they were counted by", "[claim]") {
  std::size_t known = 0, unexplained = 0, bytes = 0;
  for (const Json& claim : claims()) {
    const auto text = claim.at("claim").get<std::string>();
    INFO(text << " of " << claim.value("source", ""));
    const Json answer = ask(claim.at("config"), text);
    REQUIRE(answer.at("ok") == true);
    INFO(answer.at("sentence").get<std::string>());
    if (claim.contains("verdict")) {
      CHECK(answer.at("verdict") == claim.at("verdict"));
      CHECK(answer.at("agreeing").empty());
      ++unexplained;
      continue;
    }
    const bool exact = answer.at("claim").at("low") == answer.at("claim").at("high") && answer.at("claim").at("unit") == "parameters";
    CHECK(answer.at("verdict") == (exact ? "exact" : "agrees"));
    // Among the plainest.
    auto wanted = claim.at("switches").get<std::vector<std::string>>();
    std::sort(wanted.begin(), wanted.end());
    bool found = false;
    for (const Json& e : answer.at("agreeing"))
      found = found || (e.at("cost") == answer.at("agreeing").at(0).at("cost") && switches_of(e) == wanted);
    CHECK(found);
    ++(answer.at("claim").at("unit") == "bytes" ? bytes : known);
  }
  CHECK(known == 50);
  CHECK(unexplained == 20);
  CHECK(bytes == 10);
}

TEST_CASE("a sum proves itself", "[claim]") {
  for (const Json& claim : claims()) {
    const Json answer = ask(claim.at("config"), claim.at("claim").get<std::string>());
    std::vector<Json> all(answer.at("agreeing").begin(), answer.at("agreeing").end());
    all.push_back(answer.at("nearest"));
    for (const Json& e : all) {
      INFO(e.dump());
      // The rows say the same as the sum: what the changed model counts, with the rows that are counted otherwise.
      Json config = claim.at("config");
      const Json changed = e.value("changed", Json::object());
      for (const auto& change : changed.items()) {
        std::string path = "/" + change.key();
        std::replace(path.begin(), path.end(), '.', '/');
        config[Json::json_pointer(path)] = change.value();
      }
      __extension__ typedef __int128 Signed;
      Signed sum = std::stoll(answer_to(config.dump()).at("totals").at("parameters").get<std::string>());
      for (const Json& row : e.at("rows"))
        sum += std::stoll(row.at("counted").get<std::string>()) - std::stoll(row.at("usual").get<std::string>());
      CHECK(static_cast<long long>(sum) == std::stoll(e.at("sum").get<std::string>()));
      // And so do the steps.
      Signed steps = std::stoll(answer.at("parameters").get<std::string>());
      for (const Json& s : e.at("switches")) {
        const long long change = std::stoll(s.at("change").get<std::string>());
        CHECK(change > 0);
        steps += s.at("added") == true ? change : -change;
      }
      CHECK(static_cast<long long>(steps) == std::stoll(e.at("sum").get<std::string>()));
      CHECK(e.at("switches").size() <= 3);
    }
  }
}

TEST_CASE("the verdict is a sentence with its sum", "[claim]") {
  CHECK(ask(llama, "6,738,411,520").at("sentence") == "6,738,411,520 = all parameters 6,738,415,616 − final norm 4,096");
  CHECK(ask(llama, "6738415616").at("sentence") == "6,738,415,616 = all parameters");
  CHECK(ask(llama, "7B").at("sentence") == "7B agrees with 6,738,415,616 = all parameters");
  CHECK(ask(llama, "13.5 GB in fp16").at("sentence") ==
        "13.5 GB in fp16 agrees with 13,476,831,232 bytes = 2 bytes × 6,738,415,616 = all parameters");
  CHECK(ask(llama_2_70b, "78,109,736,960").at("sentence") ==
        "78,109,736,960 = all parameters 68,976,648,192 + as if with 64 key-value heads 9,395,240,960 − output head 262,144,000 − final "
        "norm 8,192");
  // 2 × 4,096 × 256 more
  CHECK(ask(llama, "6,740,512,768").at("sentence") ==
        "6,740,512,768 = all parameters 6,738,415,616 + as if with a vocabulary padded to 32,256: 2,097,152");
  CHECK(ask(llama, "6738415617").at("sentence") ==
        "No convention gives 6738415617. The nearest is 6,738,415,616 = all parameters: 1 remain.");
}

TEST_CASE("no switch that changes nothing is offered", "[claim]") {
  const auto offered = [](const Json& config) {
    std::string out;
    const Json answer = ask(config, "1");
    for (const Json& s : answer.at("offered")) out += s.at("id").get<std::string>() + ' ';
    return out;
  };
  CHECK(offered(llama) ==
        "output_head embeddings final_norm norms as_if_tied two_matrices padded_vocabulary padded_vocabulary one_layer_more "
        "one_layer_fewer ");
  const std::string gpt2 = offered(of_type("gpt2"));
  for (const char* id : {"embeddings ", "tied_head ", "biases ", "positions ", "as_if_untied ", "padded_vocabulary "})
    CHECK(gpt2.find(id) != std::string::npos);
  for (const char* id : {"active_only", "router", "no_grouped_queries", "two_matrices", "buffers", "scales"})
    CHECK(gpt2.find(id) == std::string::npos);
  const std::string mixtral = offered(of_type("mixtral"));
  for (const char* id : {"active_only ", "router ", "no_grouped_queries ", "experts_once "}) CHECK(mixtral.find(id) != std::string::npos);
}

TEST_CASE("experts once and the gate are what they say", "[claim]") {
  const auto sum_with = [](const Json& config, const std::string& id, const std::string& claim) {
    const Json answer = ask(config, claim);
    for (const Json& e : answer.at("agreeing"))
      if (switches_of(e) == std::vector<std::string>{id}) return e.at("sum").get<std::string>();
    return std::string("none");
  };
  // Mixtral: 32 layers of 8 experts of 3 × 4,096 × 14,336; 46,702,792,704 − 7 × 32 × 176,160,768
  CHECK(sum_with(of_type("mixtral"), "experts_once", "7,242,780,672") == "7242780672");
  // Llama: 32 layers of 4,096 × 11,008
  CHECK(sum_with(llama, "two_matrices", "5,295,575,040") == "5295575040");
  // Phi-3 has gate and up in one: 32 layers of 3,072 × 8,192 of 3,821,079,552
  CHECK(sum_with(of_type("phi3"), "two_matrices", "3,015,773,184") == "3015773184");
}

TEST_CASE("few digits explain little", "[claim]") {
  // Any three switches would reach hundreds of numbers.
  CHECK(ask(llama, "6.59B").at("verdict") == "unexplained");
  for (const auto& [claim, most] : std::vector<std::pair<const char*, int>>{{"6.6B", 2}, {"6.61B", 3}, {"6.607B", 4}}) {
    const Json answer = ask(llama, claim);
    CHECK_FALSE(answer.at("agreeing").empty());
    for (const Json& e : answer.at("agreeing")) CHECK(e.at("cost").get<int>() <= most);
  }
  // Numbers beside the model's, none of which is explained by chance.
  std::uint64_t random = 1, explained = 0;
  for (int i = 0; i < 100; ++i) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    explained += ask(llama_2_70b, std::to_string(60'000'000'000 + random % 20'000'000'000)).at("agreeing").empty() ? 0U : 1U;
  }
  CHECK(explained == 0);
}

TEST_CASE("GB may be meant in powers of 1,024, whatever the number before it", "[claim]") {
  // 6,738,415,616 parameters of 16 bits are 12.551 GiB, which is 12,852.5 MiB
  for (const char* claim : {"12.55 GB in fp16", "12,853 MB in fp16", "0.01226 TB in fp16"}) {
    const Json answer = ask(llama, claim);
    INFO(answer.at("sentence").get<std::string>());
    REQUIRE(answer.at("verdict") == "agrees");
    CHECK(answer.at("agreeing").at(0).at("reading") == "in powers of 1,024");
    CHECK(answer.at("agreeing").at(0).at("switches").empty());
  }
}

TEST_CASE("a claim that can't be read is refused", "[claim]") {
  const auto error = [](const std::string& request) { return parsed(check(request)).at("error"); };
  CHECK(error(R"({"config": {"model_type": "llama"}, "claim": "lots"})").at("field") == "claim");
  CHECK(error(R"({"config": {"model_type": "llama"}})").at("field") == "claim");
  CHECK(error(R"({"config": {"model_type": "llama"}, "claim": 7})").at("code") == "wrong_type");
  CHECK(error(R"({"config": {"model_type": "nothing"}, "claim": "7B"})").at("code") == "unknown_architecture");
  CHECK(error(R"({"claim": "7B"})").at("code") == "wrong_type");
  CHECK(error("[]").at("code") == "wrong_type");
}

}  // namespace param_ledger::test
