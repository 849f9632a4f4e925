#include "core/report.hpp"

#include "core/registry.hpp"
#include "tests/oracle.hpp"

namespace param_ledger::test {

namespace {

std::string keys(const Json& object) {
  std::string out;
  for (const auto& item : object.items()) out += item.key() + ' ';
  return out;
}

const std::string hostile = "<img src=x onerror=alert(1)>\"\\\n\x01 é \xf0\x9f\xa6\x99";

/// That text as JSON.
std::string quoted(const std::string& text) { return Json(text).dump(); }

}  // namespace

TEST_CASE("an answer has the shape of web/lib/raw.ts", "[report]") {
  const std::string config = config_of("mixtral", {{"tie_word_embeddings", "true"}, {"rope", R"({"theta": 1})"}, {"auto_map", "{}"}});
  std::istringstream in(count(config));
  std::vector<Json> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(parsed(line));
  CAPTURE(lines.front().dump());
  REQUIRE(lines.size() == 7);
  CHECK(keys(lines[0]) == "ok model_type architecture totals parts formula ");
  CHECK(keys(lines[0].at("totals")) ==
        "parameters buffers stored published embedding output_head non_embedding active active_non_embedding ");
  CHECK(keys(lines[0].at("parts").at(0)) == "part parameters buffers ");
  CHECK(keys(lines[0].at("formula")) == "math value ");
  const auto named = [&](std::size_t line, const char* name) {
    for (const Json& row : lines[line])
      if (row.at(0) == name) return row.dump();
    return std::string();
  };
  CHECK(named(1, "model.norm.weight") == R"(["model.norm.weight",[4096],"norm","vector","4096","1"])");
  CHECK(named(1, "model.layers.[0-31].input_layernorm.weight") ==
        R"(["model.layers.[0-31].input_layernorm.weight",[4096],"norm","vector","131072","*2 1 2","32","4096"])");
  CHECK(named(1, "model.layers.[0-31].block_sparse_moe.experts.[0-7].w1.weight") ==
        R"(["model.layers.[0-31].block_sparse_moe.experts.[0-7].w1.weight",[14336,4096],"feed_forward","matrix","15032385536","*4 )"
        R"(6 1 2 5","256","58720256","3758096384"])");
  CHECK(named(1, "lm_head.weight") ==
        R"(["lm_head.weight",[32000,4096],"output_head","table","131072000","*2 0 1",null,null,null,"tied","model.embed_tokens.weight"])");
  CHECK(keys(lines[2].at(0)) == "name value source default ");
  CHECK(named(3, "rope.theta") == R"(["rope.theta",1])");
  CHECK(named(3, "auto_map") == R"(["auto_map",{},1])");
  CHECK(named(4, "hidden_size") == R"(["hidden_size","d","4096"])");
  CHECK(lines[5].size() == 2);
  CHECK(keys(lines[6].at(0)) == "level field message ");
}

TEST_CASE("sums alone are those of the whole answer", "[report]") {
  for (const char* type : {"llama", "deepseek_v3", "t5"}) {
    const Json all = answer_to(config_of(type)), sums = parsed(totals(config_of(type)));
    CHECK(keys(sums) == "ok model_type architecture totals ");
    CHECK(sums.at("totals") == all.at("totals"));
  }
  CHECK(parsed(totals("{")).at("error").at("code") == "malformed_json");
}

TEST_CASE("a refusal has the shape of web/lib/raw.ts", "[report]") {
  CHECK(keys(answer_to("{").at("error")) == "code field message line column ");
  CHECK(keys(answer_to(R"({"model_type": "mistrall"})").at("error")) == "code field message nearest ");
  CHECK(keys(answer_to(R"({"model_type": "llama", "hidden_size": -1})").at("error")) == "code field message ");
}

TEST_CASE("formulas are numbered over the answer's symbols", "[report]") {
  const Json answer = answer_to(config_of("mamba", {{"hidden_size", "40"}}));
  const auto name = [&](std::size_t i) { return answer.at("symbols").at(i).at("name").get<std::string>(); };
  const auto math = row(answer, "tensors", "backbone.embeddings.weight").at("math").get<std::string>();
  REQUIRE(math.substr(0, 3) == "*2 ");
  const std::size_t space = math.find(' ', 3);
  CHECK(name(std::stoul(math.substr(3, space - 3))) == "vocab_size");
  CHECK(name(std::stoul(math.substr(space + 1))) == "hidden_size");
}

TEST_CASE("a key that nearly spells a field is told with it", "[report]") {
  const Json answer = answer_to(config_of("llama", {{"hiden_size", "2048"}}));
  CHECK(total(answer) == "6738415616");
  CHECK(answer.at("notes").at(0).at("level") == "warning");
  CHECK(answer.at("notes").at(0).at("field") == "hiden_size");
  CHECK(answer.at("notes").at(0).at("message").get<std::string>().find("hidden_size") != std::string::npos);
  // A field of other types is none.
  CHECK(answer_to(config_of("llama", {{"architectures", R"(["LlamaModel"])"}, {"n_group", "8"}})).at("notes").empty());
}

TEST_CASE("a model with code of its own says so", "[report]") {
  const Json answer = answer_to(config_of("llama", {{"architectures", R"(["LlamaModel"])"}, {"auto_map", R"({"AutoModel": "x.Y"})"}}));
  CHECK(answer.at("notes").at(0).at("field") == "auto_map");
}

TEST_CASE("lists in an answer are bounded", "[report]") {
  std::string config = R"({"model_type": "llama")";
  for (int i = 0; i < 3000; ++i) config += ",\"k" + std::to_string(i) + "\":1,\"k" + std::to_string(i) + "\":2";
  const Json answer = answer_to(config + "}");
  CHECK(answer.at("fields").size() < 300);
  CHECK(answer.at("notes").size() < 50);
  CHECK(answer.dump().find("3,000") != std::string::npos);
}

TEST_CASE("a field says where its value came from", "[report]") {
  const Json answer =
      answer_to(config_of("gpt2", {{"hidden_size", "48"}, {"n_inner", "100"}, {"n_head", "6"}, {"activation", "\"gelu\""}}));
  const Json& first = answer.at("fields").at(0);
  CHECK(first.at("name") == "n_embd");
  CHECK(first.at("given_as") == "hidden_size");
  CHECK(first.at("value") == 48);
  CHECK_FALSE(row(answer, "fields", "n_head").contains("source"));  // given
  CHECK(row(answer, "fields", "n_layer").at("source") == "default");
  const Json derived = row(answer_to(config_of("gpt2")), "fields", "n_inner");
  CHECK(derived.at("source") == "derived");
  CHECK(derived.at("math").get<std::string>().substr(0, 6) == "*2 =4 ");
  CHECK(row(answer, "fields", "activation").at("source") == "ignored");
}

TEST_CASE("totals add up by what they are defined as", "[report]") {
  const Json totals = answer_to(config_of("deepseek_v3")).at("totals");
  // 129,280 tokens of width 7,168, once for the embedding and once for the head; a buffer of 256 in each of 58 layers.
  CHECK(totals.at("embedding") == "926679040");
  CHECK(totals.at("output_head") == "926679040");
  CHECK(totals.at("non_embedding") == "669173046272");
  CHECK(totals.at("buffers") == "14848");
  CHECK(totals.at("stored") == "671026419200");
  // All but the 248 of 256 experts, each three matrices of 7,168 × 2,048, that a token is not routed to in each of 58 layers.
  CHECK(totals.at("active") == "37552282624");
  CHECK(totals.at("active_non_embedding") == "36625603584");
}

TEST_CASE("hostile text comes out as it went in, and only as text", "[report]") {
  const std::string text = quoted(hostile);
  const Json ignored = answer_to(config_of("llama", {{"x", text}}));
  CHECK(row(ignored, "fields", "x").at("value") == hostile);
  const Json named = answer_to("{\"model_type\": \"llama\", " + text + ": 1, " + text + ": 2}");
  CHECK(row(named, "fields", hostile).at("value") == 2);
  CHECK(named.at("notes").at(0).at("field") == hostile);
  CHECK(answer_to("{\"model_type\": " + text + "}").at("error").at("message").get<std::string>().find(hostile) != std::string::npos);
}

TEST_CASE("whatever comes in, the answer is JSON in UTF-8, and short for a refusal", "[report]") {
  const std::string half = "\xf0\x9f\xa6";
  for (const std::string& text :
       {half, "{\"a\": \"" + half + "\"}", "{\"a\": " + half + "}", "{\"model_type\": \"" + std::string(97, 'a') + "\xf0\x9f\xa6\x99\"}",
        "{\"a\": \"" + std::string(1'000'000, 'x'), "{\"a\": " + std::string(1'000'000, '1') + "}",
        config_of("llama", {{"hidden_size", quoted(std::string(1'000'000, 'x'))}})}) {
    const std::string answer = count(text);
    CAPTURE(answer.substr(0, 200));
    CHECK(Json::accept(answer));
    CHECK(answer.size() < 1000);
  }
}

TEST_CASE("an answer does not grow with depth or experts", "[report]") {
  const auto answers = [](std::string_view model_type, std::string_view field, std::string_view large) {
    const std::string few = config_of(model_type, {{field, "32"}}), lots = config_of(model_type, {{field, large}});
    const std::string some = count(few), many = count(lots);
    CAPTURE(model_type, field);
    REQUIRE(answer_to(lots).at("ok") == true);
    CHECK(answer_to(few).at("tensors").size() == answer_to(lots).at("tensors").size());
    // Only the digits of the larger numbers: a few more in each of the numbers of a row.
    CHECK(many.size() < some.size() * 3 / 2);
  };
  answers("llama", "num_hidden_layers", "1000000000");
  answers("mamba", "num_hidden_layers", "1000000000");
  answers("deepseek_v3", "num_hidden_layers", "1000000000");
  answers("deepseek_v3", "n_routed_experts", "1000000000");
  answers("qwen3_moe", "num_experts", "1000000000");
  answers("t5", "num_layers", "1000000000");
}

TEST_CASE("the catalog lists every family with its classes", "[report]") {
  const Json catalog = parsed(param_ledger::catalog());
  REQUIRE(catalog.at("families").size() == families().size());
  for (std::size_t i = 0; i < families().size(); ++i) {
    const Json& listed = catalog.at("families")[i];
    CHECK(listed.at("model_type") == families()[i]->model_type);
    CHECK(listed.at("architectures").size() == architectures(*families()[i]).size());
    CHECK(listed.at("summary") == families()[i]->summary);
    CHECK(listed.value("own_code", false) == families()[i]->own_code);
  }
}

}  // namespace param_ledger::test
