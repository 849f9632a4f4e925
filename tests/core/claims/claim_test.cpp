#include "core/claims/claim.hpp"

#include <algorithm>

#include "core/api/report.hpp"
#include "tests/support/oracle.hpp"

namespace param_ledger::test {

namespace {

/// Checks a claim. Returns the answer with the members of its first claim merged into it, as the JavaScript package does.
Json ask(const Json& config, const std::string& claim) {
  Json out = parsed(check(config.dump(), claim));
  if (out.contains("claims")) out.update(Json(out.at("claims").at(0)));
  return out;
}

std::vector<std::string> switches_of(const Json& explanation) {
  std::vector<std::string> out;
  for (const Json& s : explanation.at("switches")) out.push_back(s.at("id").get<std::string>());
  std::sort(out.begin(), out.end());
  return out;
}

/// The claims in tests/data/claims.json. A claim without a configuration gets the one of its model, from claims.json or models.json.
std::vector<Json> claims() {
  const Json data = json_of("claims.json"), models = json_of("models.json");
  std::vector<Json> out;
  for (Json claim : data.at("claims")) {
    if (!claim.contains("config") && data.at("configs").contains(claim.at("model").get<std::string>()))
      claim["config"] = data.at("configs").at(claim.at("model").get<std::string>());
    if (!claim.contains("config"))
      for (const Json& model : models)
        if (model.at("name") == claim.at("model")) claim["config"] = model.at("config");
    REQUIRE(claim.contains("config"));
    out.push_back(std::move(claim));
  }
  return out;
}

/// The claims in tests/data/field_claims.json with their configurations.
std::vector<Json> field_claims() {
  const Json data = json_of("field_claims.json"), models = json_of("models.json"), rest = json_of("models_rest.json");
  std::vector<Json> out;
  for (Json claim : data.at("claims")) {
    const auto name = claim.value("model", "");
    if (data.at("configs").contains(name)) claim["config"] = data.at("configs").at(name);
    for (const Json* const list : {&models, &rest})
      for (const Json& model : *list)
        if (!claim.contains("config") && model.at("name") == name) claim["config"] = model.at("config");
    REQUIRE(claim.contains("config"));
    out.push_back(std::move(claim));
  }
  return out;
}

/// What is wrong with the verdict on a number; empty if it is right.
std::string fault_of(const Json& judged, const Json& wanted) {
  const auto verdict = judged.at("verdict").get<std::string>(), expected = wanted.at("verdict").get<std::string>();
  const auto sentence = judged.at("sentence").get<std::string>();
  const bool unexplained = expected == "unexplained" && verdict == "nearest";
  if (verdict != expected && !unexplained) return verdict + ": " + sentence;
  if (wanted.contains("says") && sentence.find(wanted.at("says").get<std::string>()) == std::string::npos) return sentence;
  if (wanted.contains("switches") && switches_of(judged.at("agreeing").at(0)) != wanted.at("switches").get<std::vector<std::string>>())
    return sentence;
  return {};
}

Json of_type(const char* type) { return {{"model_type", type}}; }

const Json llama = {{"model_type", "llama"}};
const Json llama_2_70b = {{"model_type", "llama"},     {"hidden_size", 8192},        {"num_hidden_layers", 80},
                          {"num_attention_heads", 64}, {"intermediate_size", 28672}, {"num_key_value_heads", 8}};

}  // namespace

TEST_CASE("claims of model cards and papers get the right convention", "[claim]") {
  std::size_t parameters = 0, unexplained = 0, bytes = 0;
  for (const Json& claim : claims()) {
    const auto text = claim.at("claim").get<std::string>();
    INFO(text << " of " << claim.value("model", "") << ", " << claim.at("source").get<std::string>());
    const Json answer = ask(claim.at("config"), text);
    REQUIRE(answer.at("ok") == true);
    INFO(answer.at("sentence").get<std::string>());
    const Json& agreeing = answer.at("agreeing");
    if (!claim.value("explained", true)) {
      CHECK((answer.at("verdict") == "unexplained" || answer.at("verdict") == "nearest"));
      CHECK(agreeing.empty());
      ++unexplained;
      continue;
    }
    REQUIRE_FALSE(agreeing.empty());
    const bool exact = answer.at("claim").at("low") == answer.at("claim").at("high") && answer.at("claim").at("unit") == "parameters";
    CHECK(answer.at("verdict") == (exact ? "exact" : "agrees"));
    ++(answer.at("claim").at("unit") == "bytes" ? bytes : parameters);
    for (const char* member : {"reading", "stored"})
      if (claim.contains(member)) CHECK(agreeing.at(0).value(member, "") == claim.at(member).get<std::string>());
    if (!claim.contains("switches")) continue;
    auto wanted = claim.at("switches").get<std::vector<std::string>>();
    std::sort(wanted.begin(), wanted.end());
    // The expected explanation must be among those with the lowest cost. If all parameters are expected, without any switch, that
    // explanation must come first.
    if (wanted.empty()) CHECK(agreeing.at(0).at("switches").empty());
    bool found = false;
    for (const Json& e : agreeing) found = found || (e.at("cost") == agreeing.at(0).at("cost") && switches_of(e) == wanted);
    CHECK(found);
  }
  CHECK(parameters == 229);
  CHECK(unexplained == 48);
  CHECK(bytes == 22);
}

TEST_CASE("claims of cards, papers and issues are judged with the right reason, at least nine of ten", "[claim]") {
  std::size_t right = 0, missed = 0;
  for (const Json& claim : field_claims()) {
    const auto text = claim.at("text").get<std::string>();
    INFO(text << ", " << claim.at("source").get<std::string>());
    const Json answer = parsed(check(claim.at("config").dump(), text));
    REQUIRE(answer.at("ok") == true);
    const Json &judged = answer.at("claims"), &wanted = claim.at("numbers");
    REQUIRE(judged.size() == wanted.size());
    std::string fault;
    for (std::size_t i = 0; i < wanted.size() && fault.empty(); ++i) fault = fault_of(judged.at(i), wanted.at(i));
    if (claim.value("missed", false)) {
      CHECK_FALSE(fault.empty());
      ++missed;
    } else {
      CHECK(fault == "");
      ++right;
    }
  }
  CHECK(right + missed == 60);
  CHECK(missed * 10 <= right + missed);
}

TEST_CASE("a sum adds up to its result", "[claim]") {
  for (const Json& claim : claims()) {
    const Json answer = ask(claim.at("config"), claim.at("claim").get<std::string>());
    std::vector<Json> all(answer.at("agreeing").begin(), answer.at("agreeing").end());
    if (answer.contains("nearest")) all.push_back(answer.at("nearest"));
    for (const Json& e : all) {
      INFO(e.dump());
      // The explanation's sum must be the total of the changed model, corrected for the rows that are counted differently.
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
      // The changes of the explanation's steps must add up to the same sum.
      Signed steps = std::stoll(answer.at("parameters").get<std::string>());
      for (const Json& s : e.at("switches")) {
        const long long change = std::stoll(s.at("change").get<std::string>());
        CHECK(change > 0);
        steps += s.at("added") == true ? change : -change;
      }
      CHECK(static_cast<long long>(steps) == std::stoll(e.at("sum").get<std::string>()));
      CHECK(e.at("switches").size() <= 3);
      // The sum and the difference must add up to the claimed number; for a claim in bytes, both are in bytes. Rounded claims and files
      // whose header size is unknown are skipped.
      if (e.contains("stored") || answer.at("claim").at("low") != answer.at("claim").at("high")) continue;
      const bool bytes = e.contains("bytes");
      CHECK(std::stoll(e.at(bytes ? "bytes" : "sum").get<std::string>()) + std::stoll(e.at("difference").get<std::string>()) ==
            std::stoll(answer.at("claim").at("low").get<std::string>()));
    }
  }
}

TEST_CASE("the verdict is a sentence with the sum", "[claim]") {
  CHECK(ask(llama, "6,738,411,520").at("sentence") == "6,738,411,520 = all parameters 6,738,415,616 − final norm 4,096");
  CHECK(ask(llama, "6738415616").at("sentence") == "6,738,415,616 = all parameters");
  CHECK(ask(llama, "7B").at("sentence") == "7B agrees with 6,738,415,616 = all parameters");
  CHECK(ask(llama, "13.5 GB in fp16").at("sentence") ==
        "13.5 GB in fp16 agrees with 13,476,831,232 bytes = 2 bytes × 6,738,415,616 = all parameters");
  CHECK(ask(llama_2_70b, "78,109,736,960").at("sentence") ==
        "78,109,736,960 = all parameters 68,976,648,192 + as if with 64 key-value heads 9,395,240,960 − output head 262,144,000 − final "
        "norm 8,192");
  // A vocabulary padded by 256 tokens adds 2 × 4,096 × 256 parameters.
  CHECK(ask(llama, "6,740,512,768").at("sentence") ==
        "6,740,512,768 = all parameters 6,738,415,616 + as if with a vocabulary padded to 32,256: 2,097,152");
  // A named total counts as one step of an explanation.
  const Json deepseek = {{"model_type", "deepseek_v3"},
                         {"num_nextn_predict_layers", 1},
                         {"quantization_config", {{"quant_method", "fp8"}, {"weight_block_size", {128, 128}}}}};
  CHECK(ask(deepseek, "685B").at("sentence") ==
        "685B agrees with 684,531,386,000 = all parameters 671,026,404,352 + rest of the published files 13,504,981,648");
  CHECK(ask(llama, "6.73B").at("sentence") == "6.73B, read as cut off, agrees with 6,738,415,616 = all parameters");
  CHECK(ask(llama, "14 GB in fp16").at("sentence") ==
        "14 GB in fp16, read by the name, 7 billion, agrees with 14,000,000,000 bytes = 2 bytes × 7 billion");
  CHECK(ask(llama, "4.08 GB in Q4_K_M").at("sentence") == "4.08 GB in Q4_K_M agrees with 4,080,263,168 bytes = a file in Q4_K_M");
}

TEST_CASE("the remainder has a sign, and a distant total is not the nearest", "[claim]") {
  const Json more = ask(llama, "6738415617"), less = ask(llama, "6738415600");
  CHECK(more.at("verdict") == "nearest");
  CHECK(more.at("sentence") == "No convention gives 6738415617. The nearest is 6,738,415,616 = all parameters: +1 remains.");
  CHECK(more.at("nearest").at("difference") == "1");
  CHECK(less.at("sentence") == "No convention gives 6738415600. The nearest is 6,738,415,616 = all parameters: −16 remain.");
  CHECK(less.at("nearest").at("difference") == "-16");
  // The nearest explanation is shown if it differs by less than 2 %, but not if it differs by nearly 10 %.
  const Json near = ask(llama, "6.85B"), far = ask(llama, "7.4B");
  CHECK(near.at("sentence") == "No convention explains 6.85B. The nearest is 6,738,415,616 = all parameters; +111,584,384 remain.");
  CHECK(far.at("sentence") == "No convention explains 7.4B.");
  CHECK_FALSE(far.contains("nearest"));
  CHECK(ask(llama, "205B").at("sentence") == "No convention explains 205B.");
}

TEST_CASE("known history is given with its source and is not an explanation", "[claim]") {
  const Json answer = ask(of_type("gpt2"), "117M");
  CHECK(answer.at("verdict") == "unexplained");
  CHECK(answer.at("agreeing").empty());
  CHECK(answer.at("known").at("model") == "GPT-2");
  CHECK(answer.at("known").at("source").get<std::string>().find("github.com/openai/gpt-2") != std::string::npos);
  CHECK(answer.at("sentence").get<std::string>().find("wrong") != std::string::npos);
  CHECK_FALSE(ask(of_type("gpt2"), "124M").contains("known"));
  CHECK_FALSE(ask(llama, "117M").contains("known"));
}

TEST_CASE("words around a number determine what it is compared with", "[claim]") {
  const Json mixtral = of_type("mixtral");
  const auto explained = [](const Json& config, const char* claim) { return !ask(config, claim).at("agreeing").empty(); };
  CHECK(explained(mixtral, "12.9B active"));
  CHECK_FALSE(explained(mixtral, "46.7B active"));
  CHECK(explained(mixtral, "46.7B in total"));
  // The number is that of the embeddings, 32,000 × 4,096. A number called "embeddings" cannot be that of all parameters.
  CHECK(explained(mixtral, "embeddings 131M"));
  CHECK_FALSE(explained(mixtral, "embeddings 46.7B"));
  CHECK(explained(mixtral, "46.6B without embeddings"));
  CHECK(explained(mixtral, "46.6B w/o embeddings"));
  CHECK_FALSE(explained(mixtral, "vision 131M"));
  // 32 × 8 experts have 3 × 4,096 × 14,336 parameters each. A number with so few digits is explained by the experts only if the claim names
  // them.
  CHECK(explained(mixtral, "experts 45.1B"));
  CHECK_FALSE(explained(mixtral, "45.1B"));
  CHECK(explained(mixtral, "45,097,156,608"));
  // Llama has no experts, so all of its parameters are active. ViT has no vocabulary, so all of its parameters belong to vision.
  CHECK(explained(llama, "6.74B active"));
  CHECK(explained({{"model_type", "vit"}, {"architectures", {"ViTModel"}}}, "ViT-B/16: 86M"));
  // The claim gives the number of the excluded embeddings, 32,000 × 4,096, not of the remaining parameters.
  CHECK(explained(llama, "excluding the 0.13B embeddings"));
}

TEST_CASE("switches without effect are not offered", "[claim]") {
  const auto offered = [](const Json& config) {
    std::string out;
    const Json answer = ask(config, "1");
    for (const Json& s : answer.at("offered")) out += s.at("id").get<std::string>() + ' ';
    return out;
  };
  CHECK(
      offered(llama) ==
      "non_embedding without_head without_embeddings embedding output_head embedding_and_head final_norm norms as_if_tied attention_alone "
      "feed_forward_alone norms_alone two_matrices padded_vocabulary padded_vocabulary ");
  const std::string gpt2 = offered(of_type("gpt2"));
  for (const char* id : {"without_embeddings ", "tied_head ", "biases ", "positions ", "as_if_untied ", "padded_vocabulary "})
    CHECK(gpt2.find(id) != std::string::npos);
  for (const char* id : {"active", "router", "no_grouped_queries", "two_matrices", "stored", "scales", "layer", "without_head", "vision"})
    CHECK(gpt2.find(id) == std::string::npos);
  const std::string mixtral = offered(of_type("mixtral"));
  for (const char* id : {"active ", "router ", "no_grouped_queries ", "experts_once "}) CHECK(mixtral.find(id) != std::string::npos);
}

TEST_CASE("switches for experts and gates remove what they name", "[claim]") {
  const auto sum_with = [](const Json& config, const std::string& id, const std::string& claim) {
    const Json answer = ask(config, claim);
    for (const Json& e : answer.at("agreeing"))
      if (switches_of(e) == std::vector<std::string>{id}) return e.at("sum").get<std::string>();
    return std::string("none");
  };
  // Mixtral with one of its 8 experts in each of 32 layers. An expert has 3 × 4,096 × 14,336 parameters: 46,702,792,704 − 7 × 32 ×
  // 176,160,768.
  CHECK(sum_with(of_type("mixtral"), "experts_once", "7,242,780,672") == "7242780672");
  // Llama without one matrix of 4,096 × 11,008 in each of 32 layers.
  CHECK(sum_with(llama, "two_matrices", "5,295,575,040") == "5295575040");
  // Phi-3 fuses gate and up. Without one half of that matrix, 3,072 × 8,192, in each of 32 layers: 3,821,079,552 − 805,306,368.
  CHECK(sum_with(of_type("phi3"), "two_matrices", "3,015,773,184") == "3015773184");
}

TEST_CASE("few digits explain little", "[claim]") {
  // If combinations of three switches were tried for numbers with so few digits, hundreds of such numbers would be explained.
  CHECK(ask(llama, "6.59B").at("verdict") == "unexplained");
  for (const auto& [claim, most] : std::vector<std::pair<const char*, int>>{{"6.6B", 1}, {"6.61B", 1}, {"6.607B", 2}}) {
    const Json answer = ask(llama, claim);
    CHECK_FALSE(answer.at("agreeing").empty());
    for (const Json& e : answer.at("agreeing")) CHECK(e.at("cost").get<int>() <= most);
  }
}

TEST_CASE("GB may mean powers of 1,024 for any number", "[claim]") {
  // 6,738,415,616 parameters of 16 bits are 12.551 GiB, which is 12,852.5 MiB
  for (const char* claim : {"12.55 GB in fp16", "12,853 MB in fp16", "0.01226 TB in fp16"}) {
    const Json answer = ask(llama, claim);
    INFO(answer.at("sentence").get<std::string>());
    REQUIRE(answer.at("verdict") == "agrees");
    CHECK(answer.at("agreeing").at(0).at("reading") == "in powers of 1,024");
    CHECK(answer.at("agreeing").at(0).at("switches").empty());
  }
}

TEST_CASE("a claim that cannot be parsed is refused", "[claim]") {
  const auto error = [](std::string_view config, std::string_view claim) { return parsed(check(config, claim)).at("error"); };
  CHECK(error(R"({"model_type": "llama"})", "lots").at("field") == "claim");
  CHECK(error(R"({"model_type": "llama"})", "").at("field") == "claim");
  CHECK(error(R"({"model_type": "nothing"})", "7B").at("code") == "unknown_architecture");
  CHECK(error("[]", "7B").at("code") == "wrong_type");
  CHECK(error("{\n  ,", "7B").at("line") == 2);
}

}  // namespace param_ledger::test
