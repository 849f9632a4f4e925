#include "core/api/report.hpp"

#include <algorithm>

#include "core/registry/registry.hpp"
#include "core/support/text.hpp"
#include "tests/support/oracle.hpp"

namespace param_ledger::test {

namespace {

std::string keys(const Json& object) {
  std::string out;
  for (const auto& item : object.items()) out += item.key() + ' ';
  return out;
}

const std::string hostile = "<img src=x onerror=alert(1)>\"\\\n\x01 é \xf0\x9f\xa6\x99";

/// The text as a JSON string.
std::string quoted(const std::string& text) { return Json(text).dump(); }

}  // namespace

TEST_CASE("an answer has the form of web/core/raw.ts", "[report]") {
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
    for (Json row : lines[line]) {
      if (row.at(0) != name) continue;
      if (line == 1) {  // a tensor's part and role are numbers
        row.at(2) = answer_part_name(row.at(2).get<std::size_t>());
        row.at(3) = spelling(static_cast<StorageKind>(row.at(3).get<int>()));
      }
      return row.dump();
    }
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

TEST_CASE("the totals alone equal those of the full answer", "[report]") {
  for (const char* type : {"llama", "deepseek_v3", "t5"}) {
    const Json all = answer_to(config_of(type)), sums = parsed(totals(config_of(type)));
    CHECK(keys(sums) == "ok model_type architecture totals ");
    CHECK(sums.at("totals") == all.at("totals"));
  }
  CHECK(parsed(totals("{")).at("error").at("code") == "malformed_json");
}

TEST_CASE("a refusal has the form of web/core/raw.ts", "[report]") {
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

TEST_CASE("a likely typo in a key gives a warning", "[report]") {
  const Json answer = answer_to(config_of("llama", {{"hiden_size", "2048"}}));
  CHECK(total(answer) == "6738415616");
  CHECK(answer.at("notes").at(0).at("level") == "warning");
  CHECK(answer.at("notes").at(0).at("field") == "hiden_size");
  CHECK(answer.at("notes").at(0).at("message").get<std::string>().find("hidden_size") != std::string::npos);
  // n_group is a field of other model types, so Llama ignores it without reporting a typo.
  CHECK(answer_to(config_of("llama", {{"architectures", R"(["LlamaModel"])"}, {"hidden_size", "4096"}, {"n_group", "8"}}))
            .at("notes")
            .empty());
}

namespace {

/// Whether the answer has a warning about `field` whose message contains `text`.
bool warned(const Json& answer, std::string_view field, std::string_view text) {
  for (const Json& note : answer.at("notes"))
    if (note.at("level") == "warning" && note.value("field", "") == field && holds(note.at("message").get<std::string>(), text))
      return true;
  return false;
}
bool warned(const Json& answer) {
  const Json& notes = answer.at("notes");
  return std::any_of(notes.begin(), notes.end(), [](const Json& note) { return note.at("level") == "warning"; });
}

}  // namespace

TEST_CASE("another type's name for a dimension gives a warning", "[report]") {
  const Json gpt = answer_to(config_of("llama", {{"n_layer", "2"}, {"n_embd", "64"}, {"n_ctx", "128"}}));
  CHECK(total(gpt) == "6738415616");
  CHECK(warned(gpt, "n_layer", "num_hidden_layers. That field is not given; its value is 32 by default"));
  CHECK(warned(gpt, "n_embd", "hidden_size. That field is not given; its value is 4,096 by default"));
  CHECK(warned(answer_to(config_of("llama", {{"dim", "64"}, {"n_layers", "2"}})), "dim", "hidden_size"));
  CHECK(warned(answer_to(config_of("gpt2", {{"num_key_value_heads", "2"}, {"d_ff", "100"}})), "d_ff", "n_inner"));
  CHECK(warned(answer_to(config_of("llama", {{"num_kv_heads", "8"}})), "num_kv_heads", "32, derived from other fields"));
  CHECK(warned(answer_to(config_of("mixtral", {{"n_routed_experts", "64"}})), "n_routed_experts", "num_local_experts"));
  CHECK(warned(answer_to(R"({"model_type": "gemma3", "text_config": {"n_embd": 64}})"), "text_config.n_embd", "text_config.hidden_size"));
}

TEST_CASE("no warning if the dimension is also given or has the same value", "[report]") {
  CHECK_FALSE(
      warned(answer_to(config_of("llama", {{"hidden_size", "64"}, {"n_embd", "128"}, {"num_attention_heads", "8"}, {"num_heads", "4"}}))));
  CHECK_FALSE(warned(answer_to(config_of("llama", {{"num_hidden_layers", "32"}, {"n_embd", "4096"}, {"kv_channels", "128"}}))));
  CHECK_FALSE(warned(
      answer_to(config_of("llama", {{"num_hidden_layers", "32"}, {"n_embd", "null"}, {"vision_config", R"({"hidden_size": 64})"}}))));
  CHECK_FALSE(warned(answer_to(config_of(
      "llama", {{"num_hidden_layers", "32"}, {"conv_kernel_size", "4"}, {"num_experts", "8"}}))));  // Llama has no convolutions or experts
}

TEST_CASE("a note says that a model has its own code", "[report]") {
  const auto with = [](std::string_view type, std::string_view architecture, std::string_view map) {
    return answer_to(config_of(type, {{"architectures", architecture}, {"auto_map", map}}));
  };
  const Json own =
      with("llama", R"(["LlamaForCausalLM"])", R"({"AutoConfig": "c.C", "AutoModelForCausalLM": "modeling_llama.LlamaForCausalLM"})");
  CHECK(own.at("notes").at(0).at("field") == "auto_map");
  CHECK_FALSE(warned(own));
  CHECK_FALSE(warned(with("llama", R"(["LlamaModel"])", R"({"AutoTokenizer": ["t.T", null]})")));
  CHECK(warned(with("llama", R"(["LlamaModel"])", R"({"AutoModel": "x.Y"})"), "auto_map", "no class LlamaModel"));
  CHECK(warned(with("llama", R"(["LlamaModel"])", R"({"AutoModel": "someone/theirs--x.LlamaModel"})"), "auto_map", "another repository"));
  // jina-embeddings-v3: XLM-R with adapters.
  CHECK(warned(with("xlm-roberta", R"(["XLMRobertaModel"])",
                    R"({"AutoConfig": "jinaai/xlm-roberta-flash-implementation--configuration_xlm_roberta.XLMRobertaFlashConfig",
                        "AutoModel": "jinaai/xlm-roberta-flash-implementation--modeling_lora.XLMRobertaLoRA"})"),
               "auto_map", "may be a different model"));
  // transformers lacks this class. It is counted as the model's own code builds it, so there is no warning.
  CHECK_FALSE(warned(with("qwen", R"(["QWenLMHeadModel"])", R"({"AutoModelForCausalLM": "Qwen/Qwen-7B--modeling_qwen.QWenLMHeadModel"})")));
  CHECK(warned(with("qwen", R"(["QWenLMHeadModel"])", R"({"AutoModelForCausalLM": "modeling_other.OtherForCausalLM"})"), "auto_map",
               "known code of this model type"));
  CHECK_FALSE(warned(answer_to(config_of("mpt", {{"architectures", R"(["MPTForCausalLM"])"},
                                                 {"no_bias", "true"},
                                                 {"attn_config", R"({"alibi": true})"},
                                                 {"auto_map", R"({"AutoModelForCausalLM": "modeling_mpt.MPTForCausalLM"})"}}))));
}

TEST_CASE("lists in an answer are bounded", "[report]") {
  std::string config = R"({"model_type": "llama")";
  for (int i = 0; i < 3000; ++i) config += ",\"k" + std::to_string(i) + "\":1,\"k" + std::to_string(i) + "\":2";
  const Json answer = answer_to(config + "}");
  CHECK(answer.at("fields").size() < 300);
  CHECK(answer.at("notes").size() < 50);
  CHECK(answer.dump().find("3,000") != std::string::npos);
}

TEST_CASE("a field has the source of its value", "[report]") {
  const Json answer =
      answer_to(config_of("gpt2", {{"hidden_size", "48"}, {"n_inner", "100"}, {"n_head", "6"}, {"activation", "\"gelu\""}}));
  const Json& first = answer.at("fields").at(0);
  CHECK(first.at("name") == "n_embd");
  CHECK(first.at("given_as") == "hidden_size");
  CHECK(first.at("value") == 48);
  CHECK_FALSE(row(answer, "fields", "n_head").contains("source"));  // given in the configuration
  CHECK(row(answer, "fields", "n_layer").at("source") == "default");
  const Json derived = row(answer_to(config_of("gpt2")), "fields", "n_inner");
  CHECK(derived.at("source") == "derived");
  CHECK(derived.at("math").get<std::string>().substr(0, 6) == "*2 =4 ");
  CHECK(row(answer, "fields", "activation").at("source") == "ignored");
}

TEST_CASE("totals add up as defined", "[report]") {
  const Json totals = answer_to(config_of("deepseek_v3")).at("totals");
  // The embedding and the head have 129,280 rows of 7,168 each. There are buffers of 256 elements in 58 layers.
  CHECK(totals.at("embedding") == "926679040");
  CHECK(totals.at("output_head") == "926679040");
  CHECK(totals.at("non_embedding") == "669173046272");
  CHECK(totals.at("buffers") == "14848");
  CHECK(totals.at("stored") == "671026419200");
  // Per layer, 248 of 256 experts are inactive, each with three matrices of 7,168 × 2,048; 58 layers have experts.
  CHECK(totals.at("active") == "37552282624");
  CHECK(totals.at("active_non_embedding") == "36625603584");
}

TEST_CASE("the totals alone include warnings, but no other notes", "[report]") {
  const std::string config = R"({"model_type": "llama", "intermediate_size": 64, "n_layer": 2, "hidden_sise": 64, "use_cache": true})";
  const Json sums = parsed(totals(config)), notes = answer_to(config).at("notes");
  Json warnings = Json::array();
  for (const Json& note : notes)
    if (note.at("level") == "warning") warnings.push_back(note);
  CHECK(warnings.size() == 2);
  CHECK(sums.at("warnings") == warnings);
  CHECK_FALSE(parsed(totals(config_of("llama"))).contains("warnings"));
}

TEST_CASE("hostile text is returned unchanged, as text", "[report]") {
  const std::string text = quoted(hostile);
  const Json ignored = answer_to(config_of("llama", {{"x", text}}));
  CHECK(row(ignored, "fields", "x").at("value") == hostile);
  const Json named = answer_to("{\"model_type\": \"llama\", " + text + ": 1, " + text + ": 2}");
  CHECK(row(named, "fields", hostile).at("value") == 2);
  CHECK(named.at("notes").at(0).at("field") == hostile);
  CHECK(answer_to("{\"model_type\": " + text + "}").at("error").at("message").get<std::string>().find(hostile) != std::string::npos);
}

TEST_CASE("every answer is JSON in UTF-8, and a refusal is short", "[report]") {
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

TEST_CASE("the size of an answer does not depend on the number of layers or experts", "[report]") {
  const auto answers = [](std::string_view model_type, std::string_view field, std::string_view large) {
    const std::string few = config_of(model_type, {{field, "32"}}), lots = config_of(model_type, {{field, large}});
    const std::string some = count(few), many = count(lots);
    CAPTURE(model_type, field);
    REQUIRE(answer_to(lots).at("ok") == true);
    CHECK(answer_to(few).at("tensors").size() == answer_to(lots).at("tensors").size());
    // The answers differ only in their numbers, which become a few digits longer.
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
