#include <random>

#include "tests/support/oracle.hpp"

namespace param_ledger::test {

namespace {

Json compared(std::initializer_list<std::string_view> configs) { return parsed(compare({configs.begin(), configs.size()})); }

/// Parses decimal digits with an optional sign. The sums of real models fit into 64 bits.
std::int64_t integer(const Json& text) { return std::stoll(text.get<std::string>()); }

/// The sum of the differences between one model and the first, over one list of the answer: `tensors`, `parts` or `totals`.
std::int64_t differences(const Json& answer, std::string_view list, std::size_t model) {
  std::int64_t sum = 0;
  for (const Json& entry : answer.at(list)) sum += integer(entry.at("differences").at(model));
  return sum;
}

/// The fields that a cause changes, by their names in the second model, and the resulting difference: "vocab_size +788529152".
std::string told(const Json& cause) {
  std::string out;
  for (const Json& field : cause.at("fields")) out += field.at(1).at("name").get<std::string>() + ' ';
  if (cause.contains("architecture")) out += "architectures ";
  if (cause.contains("rest")) out += "rest ";
  return out + cause.at("difference").get<std::string>();
}

std::vector<std::string> all_told(const Json& causes) {
  std::vector<std::string> out;
  for (const Json& cause : causes) out.push_back(told(cause));
  return out;
}

/// The row of a comparison that contains a tensor with this name, in any of the models.
Json tensor(const Json& answer, std::string_view name) {
  for (const Json& entry : answer.at("tensors"))
    for (const Json& cell : entry.at("cells"))
      if (!cell.is_null() && cell.at(0).at("name") == name) return entry;
  return {};
}

const std::string llama_2 = config_of("llama");
const std::string llama_3 = config_of("llama", {{"vocab_size", "128256"}, {"num_key_value_heads", "8"}, {"intermediate_size", "14336"}});

}  // namespace

TEST_CASE("Llama 2 7B and Llama 3 8B differ by three causes that add up", "[compare]") {
  const Json answer = compared({llama_2, llama_3});
  // In the second model, two tables of width 4,096 have 96,256 more rows. In each of 32 layers, 2 matrices have 3,072 fewer rows, and 3
  // matrices are 3,328 wider.
  CHECK(all_told(answer.at("causes").at(1)) ==
        std::vector<std::string>{"vocab_size +788529152", "num_key_value_heads -805306368", "intermediate_size +1308622848"});
  CHECK(answer.at("causes").at(1).back().at("after") == "8030261248");
  CHECK(answer.at("causes").at(0).is_null());
  CHECK(row(answer, "totals", "parameters").at("values") == Json({"6738415616", "8030261248"}));
  CHECK(row(answer, "totals", "parameters").at("differences") == Json({"0", "+1291845632"}));
  CHECK(answer.at("fields").size() == 3);
}

TEST_CASE("tensors are matched by name without indices", "[compare]") {
  const Json answer = compared({llama_2, llama_3});
  CHECK(answer.at("tensors").size() == 12);
  const Json key = tensor(answer, "model.layers.[0-31].self_attn.k_proj.weight");
  CHECK(key.at("status") == "shape");
  CHECK(key.at("role") == "key");
  CHECK(key.at("cells").at(0).at(0).at("shape") == Json({4096, 4096}));
  CHECK(key.at("cells").at(1).at(0).at("shape") == Json({1024, 4096}));
  CHECK(key.at("values") == Json({"536870912", "134217728"}));
  CHECK(key.at("differences") == Json({"0", "-402653184"}));
  CHECK(tensor(answer, "model.layers.[0-31].self_attn.q_proj.weight").at("status") == "same");
  CHECK(differences(answer, "tensors", 1) == 1'291'845'632);
  CHECK(differences(answer, "parts", 1) == 1'291'845'632);

  const Json deeper = compared({llama_2, config_of("llama", {{"num_hidden_layers", "33"}, {"tie_word_embeddings", "true"}})});
  CHECK(tensor(deeper, "model.layers.[0-32].mlp.up_proj.weight").at("status") == "count");
  CHECK(tensor(deeper, "lm_head.weight").at("status") == "kind");
  CHECK(tensor(deeper, "lm_head.weight").at("values") == Json({"131072000", "0"}));
}

TEST_CASE("tensors of different model types are matched by role", "[compare]") {
  const Json answer = compared({config_of("gpt2"), llama_2, config_of("bert"), config_of("mixtral")});
  const auto names = [&](std::string_view name) {
    std::vector<std::string> out;
    const Json found = tensor(answer, name);
    for (const Json& cell : found.at("cells")) out.push_back(cell.is_null() ? "" : cell.at(0).at("name").get<std::string>());
    return out;
  };
  CHECK(names("transformer.h.[0-11].mlp.c_fc.weight") ==
        std::vector<std::string>{"transformer.h.[0-11].mlp.c_fc.weight", "model.layers.[0-31].mlp.up_proj.weight",
                                 "bert.encoder.layer.[0-11].intermediate.dense.weight", ""});
  CHECK(names("model.layers.[0-31].self_attn.q_proj.weight") ==
        std::vector<std::string>{"", "model.layers.[0-31].self_attn.q_proj.weight", "bert.encoder.layer.[0-11].attention.self.query.weight",
                                 "model.layers.[0-31].self_attn.q_proj.weight"});
  CHECK(names("transformer.h.[0-11].ln_2.weight").at(1) == "model.layers.[0-31].post_attention_layernorm.weight");
  CHECK(names("transformer.wte.weight").at(2) == "bert.embeddings.word_embeddings.weight");
  CHECK(tensor(answer, "transformer.h.[0-11].attn.c_attn.weight").at("status") == "only");
  for (std::size_t i = 1; i < 4; ++i)
    CHECK(differences(answer, "tensors", i) == integer(row(answer, "totals", "parameters").at("differences").at(i)));
}

TEST_CASE("fields with the same symbol are matched", "[compare]") {
  const Json answer = compared({config_of("gpt2"), llama_2});
  const Json& first = answer.at("fields").at(0).at("cells");
  CHECK(first.at(0).at("name") == "n_embd");
  CHECK(first.at(1).at("name") == "hidden_size");
  const std::vector<std::string> causes = all_told(answer.at("causes").at(1));
  CHECK(causes.front().substr(0, 11) == "vocab_size ");
  CHECK(causes.back().substr(0, 5) == "rest ");
}

TEST_CASE("a long list is summarized by its number of entries, also a default one", "[compare]") {
  const Json answer = compared({config_of("zamba2"), llama_2});
  const Json& fields = answer.at("fields");
  bool found = false;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Json& cell = fields.at(i).at("cells").at(0);
    if (cell.is_null() || cell.at("name") != "layers_block_type") continue;
    CHECK(cell.at("value") == "54 entries");
    found = true;
  }
  CHECK(found);
}

TEST_CASE("a change that gives no valid model is combined with the next", "[compare]") {
  // A width of 60 is divisible by 4 heads but not by 32, so width and heads must change together. Otherwise fields change in the order
  // width, depth, heads.
  const std::string small = config_of("llama", {{"hidden_size", "64"}, {"num_attention_heads", "32"}, {"num_hidden_layers", "2"}}),
                    odd = config_of("llama", {{"hidden_size", "60"}, {"num_attention_heads", "4"}, {"num_hidden_layers", "3"}});
  const Json causes = compared({small, odd}).at("causes").at(1);
  REQUIRE(causes.size() == 1);
  CHECK(told(causes.at(0)).find("hidden_size num_hidden_layers num_attention_heads ") == 0);
}

TEST_CASE("a field that only the second model reads is changed together with its cause", "[compare]") {
  const auto config = [](const std::string& more) {
    return R"({"model_type": "generic", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 100,
               "intermediate_size": 128)" +
           more + "}";
  };
  // Each layer gets a router of 4 × 64. Instead of 2 matrices of 64 × 128 there are 4 × 2 matrices of 64 × 32, which have as many elements.
  const Json causes = compared({config(""), config(R"(, "num_experts": 4, "moe_intermediate_size": 32)")}).at("causes").at(1);
  REQUIRE(causes.size() == 1);
  const Json& fields = causes.at(0).at("fields");
  REQUIRE(fields.size() == 2);
  CHECK(fields.at(0).at(0).is_null());
  CHECK(told(causes.at(0)) == "moe_intermediate_size num_experts +512");
}

TEST_CASE("a refused configuration has its error in its place", "[compare]") {
  const Json answer = compared({R"({"model_type": "nothing"})", llama_2, R"({"model_type": "llama", "hidden_size": -1})", llama_3});
  CHECK(answer.at("models").at(0).at("error").at("code") == "unknown_architecture");
  CHECK(answer.at("models").at(2).at("error").at("field") == "hidden_size");
  CHECK(answer.at("base") == 1);
  CHECK(row(answer, "totals", "parameters").at("values") == Json({nullptr, "6738415616", nullptr, "8030261248"}));
  CHECK(all_told(answer.at("causes").at(3)).size() == 3);
  CHECK(answer.at("causes").at(2).is_null());
  const Json none = compared({"1", "null"});
  CHECK(none.at("ok") == true);
  CHECK_FALSE(none.contains("totals"));
}

TEST_CASE("two to four configurations are compared", "[compare]") {
  for (const Json& answer : {compared({}), compared({llama_2}), compared({"1", "2", "3", "4", "5"})})
    CHECK(answer.at("error").at("field") == "configs");
  const Json answer = compared({llama_2, "{\n  ,", "{}, {}"});
  CHECK(answer.at("base") == 0);
  CHECK(answer.at("models").at(1).at("error").at("line") == 2);
  CHECK(answer.at("models").at(2).at("error").at("code") == "malformed_json");
}

TEST_CASE("a class is a separate cause", "[compare]") {
  const Json answer = compared(
      {config_of("llama", {{"architectures", "[\"LlamaForCausalLM\"]"}}), config_of("llama", {{"architectures", "[\"LlamaModel\"]"}})});
  CHECK(all_told(answer.at("causes").at(1)) == std::vector<std::string>{"architectures -131072000"});
}

TEST_CASE("causes, parts and tensors add up to the difference for any pair", "[compare]") {
  const std::vector<Case>& cases = oracle_cases();
  std::mt19937 random(20261121);
  const auto any = [&]() -> const Case& { return cases[random() % cases.size()]; };
  std::size_t alike = 0, switched = 0;
  for (int i = 0; i < 300; ++i) {
    const Case& a = any();
    // In every other pair, the second case follows the first in the list, so both usually have the same model type.
    const Case& b = i % 2 == 0 ? any() : cases[std::min(cases.size() - 1, static_cast<std::size_t>(&a - cases.data()) + 1)];
    CAPTURE(a.id, b.id);
    const Json answer = compared({a.config, b.config});
    if (!answer.at("models").at(0).at("ok") || !answer.at("models").at(1).at("ok")) continue;
    const Json totals = row(answer, "totals", "parameters");
    CHECK(totals.at("values") == Json({a.parameters, b.parameters}));
    const std::int64_t difference = integer(totals.at("differences").at(1));
    CHECK(difference == integer(totals.at("values").at(1)) - integer(totals.at("values").at(0)));
    std::int64_t caused = 0;
    for (const Json& cause : answer.at("causes").at(1)) caused += integer(cause.at("difference"));
    CHECK(caused == difference);
    CHECK(differences(answer, "tensors", 1) == difference);
    CHECK(differences(answer, "parts", 1) == difference);
    if (answer.at("models").at(0).at("model_type") != answer.at("models").at(1).at("model_type")) continue;
    // If the model types are equal, changes of fields nearly always explain the whole difference.
    ++alike;
    if (answer.at("causes").at(1).empty() || !answer.at("causes").at(1).back().contains("rest")) ++switched;
  }
  CHECK(alike > 50);
  CHECK(switched * 20 > alike * 19);
}

}  // namespace param_ledger::test
