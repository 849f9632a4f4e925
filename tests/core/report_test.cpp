#include "core/report.hpp"

#include "core/registry.hpp"
#include "tests/evaluator.hpp"
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

TEST_CASE("an answer has the shape of web/types.d.ts", "[report]") {
  const Json answer = answer_to(config_of("llama", {{"tie_word_embeddings", "true"}, {"rope", R"({"theta": 1})"}}));
  CHECK(keys(answer) == "ok model_type architecture architectures totals definitions parts tensors fields formula symbols notes ");
  CHECK(keys(answer.at("totals")) == "parameters buffers stored embedding output_head non_embedding active ");
  CHECK(keys(answer.at("definitions")) == keys(answer.at("totals")));
  CHECK(keys(answer.at("parts").at(0)) == "part parameters buffers ");
  CHECK(keys(row(answer, "tensors", "model.norm.weight")) == "name shape kind copies elements total active part math ");
  CHECK(row(answer, "tensors", "lm_head.weight").at("tied_to") == "model.embed_tokens.weight");
  CHECK(keys(row(answer, "fields", "hidden_size")) == "name value source type default meaning group symbol ");
  CHECK(keys(row(answer, "fields", "rope.theta")) == "name value source reason ");
  CHECK(keys(answer.at("formula")) == "math value ");
  CHECK(keys(row(answer, "symbols", "hidden_size")) == "name symbol value meaning field ");
  CHECK(keys(answer.at("notes").at(0)) == "level field message ");
}

TEST_CASE("a refusal has the shape of web/types.d.ts", "[report]") {
  CHECK(keys(answer_to("{").at("error")) == "code field message line column ");
  CHECK(keys(answer_to(R"({"model_type": "lama"})").at("error")) == "code field message nearest ");
  CHECK(keys(answer_to(R"({"model_type": "llama", "hidden_size": -1})").at("error")) == "code field message ");
}

TEST_CASE("formulas name names by their place among the symbols, first used first", "[report]") {
  const Json answer = answer_to(config_of("mamba", {{"hidden_size", "40"}}));
  CHECK(row(answer, "tensors", "backbone.embeddings.weight").at("math") == "*2 0 1");
  CHECK(answer.at("symbols").at(0).at("name") == "vocab_size");
  CHECK(answer.at("symbols").at(1).at("name") == "hidden_size");
  // A name that only a definition uses comes after all others.
  const Json attention = answer_to(config_of("llama", {}));
  CHECK(shown(attention, row(attention, "symbols", "head_dim"), "name") == "hidden_size ÷ num_attention_heads");
}

TEST_CASE("a field says where its value came from", "[report]") {
  const Json answer = answer_to(config_of("gpt2", {{"hidden_size", "48"}, {"n_embd", "24"}, {"n_head", "6"}, {"activation", "\"gelu\""}}));
  const Json& first = answer.at("fields").at(0);
  CHECK(first.at("name") == "n_embd");
  CHECK(first.at("given_as") == "hidden_size");
  CHECK(first.at("value") == 48);
  CHECK(row(answer, "fields", "n_head").at("source") == "given");
  CHECK(row(answer, "fields", "n_layer").at("source") == "default");
  CHECK(row(answer, "fields", "n_inner").at("source") == "derived");
  CHECK(shown(answer, row(answer, "fields", "n_inner"), "name") == "4·n_embd");
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
    const std::string some = count(config_of(model_type, {{field, "32"}})), many = count(config_of(model_type, {{field, large}}));
    CAPTURE(model_type, field);
    CHECK(answer_to(config_of(model_type, {{field, large}})).at("ok") == true);
    CHECK(Json::parse(some).at("tensors").size() == Json::parse(many).at("tensors").size());
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
  const Json catalog = Json::parse(param_ledger::catalog());
  REQUIRE(catalog.at("families").size() == families().size());
  for (std::size_t i = 0; i < families().size(); ++i) {
    const Json& listed = catalog.at("families")[i];
    CHECK(listed.at("model_type") == families()[i]->model_type);
    CHECK(listed.at("architectures").size() == families()[i]->architectures.size());
    CHECK(listed.at("summary") == families()[i]->summary);
  }
}

}  // namespace param_ledger::test
