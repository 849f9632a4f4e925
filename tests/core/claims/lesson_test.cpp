#include "core/claims/lesson.hpp"

#include "core/api/report.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

const Json llama = {
    {"model_type", "llama"},    {"hidden_size", 4096},        {"num_hidden_layers", 32}, {"num_attention_heads", 32},
    {"num_key_value_heads", 8}, {"intermediate_size", 14336}, {"vocab_size", 128256},    {"architectures", {"LlamaForCausalLM"}}};

Json with_screen(const Json& screen) { return {{"title", "one"}, {"model", llama}, {"screens", {screen}}}; }

const Json keys = with_screen({{"says", "{n_kv} heads"},
                               {"asks", "k_proj?"},
                               {"number",
                                {{"expression", "n_kv * h * d"},
                                 {"tensors", {"k_proj"}},
                                 {"each", true},
                                 {"wrong", {{{"value", "h * d"}, {"says", "one of {n_kv}"}}}}}}});

Json shown(const Json& lesson_json) { return parsed(lesson(lesson_json.dump(), "{}")); }

Json judged(const Json& lesson_json, const Json& answer) {
  return parsed(lesson(lesson_json.dump(), Json{{"screen", 0}, {"answer", answer}}.dump()));
}

std::string verdict(const Json& lesson_json, const Json& answer) {
  const Json out = judged(lesson_json, answer);
  REQUIRE(out.at("ok") == true);
  return out.at("verdict").get<std::string>() + ": " + out.value("sentence", "");
}

}  // namespace

TEST_CASE("a number is read as people write it", "[lesson]") {
  // k_proj: 8 · 128 · 4096 = 4,194,304 = 2^22
  for (const char* text : {"4194304", "4,194,304", "4.19M", "4.2M", "2^22", "1024*4096", "8 x 128 x 4096", "n_kv·h·d", "4.194 million"})
    CHECK(verdict(keys, text) == "right: ");
  CHECK(verdict(keys, "4.1943M").starts_with("right"));
  CHECK(verdict(keys, "a lot").starts_with("unreadable"));
  CHECK(verdict(keys, "8 / 3").starts_with("unreadable"));
  CHECK(verdict(keys, "4M") == "unreadable: One digit could stand for too many numbers. Write at least two digits.");
}

TEST_CASE("a lesson needs no model if each screen has its own", "[lesson]") {
  Json own = keys;
  own["screens"][0]["model"] = keys.at("model");
  own.erase("model");
  CHECK(verdict(own, "4194304") == "right: ");
  own["screens"][0].erase("model");
  CHECK(shown(own).at("error").at("field") == "screens[0].model");
}

TEST_CASE("a wrong number has a diagnosis", "[lesson]") {
  CHECK(verdict(keys, "524288") == "wrong: one of 8");
  CHECK(verdict(keys, "16777216") == "convention: This is the number with 32 key-value heads. The model has 4,194,304.");
  CHECK(verdict(keys, "58720256") == "wrong: This is the size of one mlp.gate_proj.weight, which is not what was asked.");
  CHECK(verdict(keys, "4.19B").starts_with("unit"));
  CHECK(verdict(keys, "4194305") == "wrong: One digit differs.");
  CHECK(verdict(keys, "5000001") == "wrong: This is too large by 805,697.");
}

TEST_CASE("a factor that is missing or too many is named by at most three fields that have its value", "[lesson]") {
  Json four = with_screen({{"says", "a width"}, {"asks", "f?"}, {"number", {{"expression", "intermediate_size"}}}});
  four["model"]["hidden_size"] = 3072;
  for (const char* field : {"num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim"}) four["model"][field] = 24;
  const auto named = [&](const char* text) {
    const std::string said = verdict(four, text);
    const std::string ending = said.substr(said.find("In this model"));
    CHECK(std::count(ending.begin(), ending.end(), ',') == 1);  // three items in a sentence have one comma: a, b and c
    return said.substr(0, said.find(" In this model"));
  };
  CHECK(named("344064") == "wrong: This is 24 times too large.");  // 24 · 14,336
  four["screens"][0]["number"]["expression"] = "24 * intermediate_size";
  CHECK(named("14336") == "wrong: This is 24 times too small.");
}

TEST_CASE("choices and fields are judged by what the core counts", "[lesson]") {
  Json choices = with_screen({{"says", "which"},
                              {"asks", "which"},
                              {"choices",
                               {{{"says", "theta"}, {"right", "theta ≠ parameters"}, {"because", "angles are computed"}},
                                {{"says", "heads"}, {"right", "heads ≠ parameters"}, {"because", "they share"}}}}});
  choices["names"] = {{"theta", {{"with", {{"rope_theta", 10000}}}}}, {"heads", {{"with", {{"num_key_value_heads", "= n"}}}}}};
  CHECK(verdict(choices, {1}) == "right: they share");
  CHECK(verdict(choices, {0}) == "wrong: angles are computed");
  Json fewer = choices;
  fewer["names"]["heads"]["with"]["num_key_value_heads"] = 4;  // fewer key-value heads change the number of parameters, too
  CHECK(verdict(fewer, {1}) == "right: they share");
  CHECK(verdict(choices, Json::array()).starts_with("unreadable"));
  // There are two choices: 0 and 1.
  CHECK(judged(choices, {2}).at("error").at("message") == "Screen 1: The answer must be a list of the positions of choices.");
  choices["screens"][0]["several"] = true;
  choices["screens"][0]["choices"][0]["because"] = "theta is computed";
  CHECK(verdict(choices, {0}) == "wrong: theta is computed heads: they share");

  Json sets = with_screen({{"says", "set"},
                           {"asks", "set"},
                           {"sets", {{"field", "vocab_size"}, {"target", "mistral"}, {"value", "V - (parameters - mistral) / (2 * d)"}}}});
  Json mistral = llama;
  mistral["vocab_size"] = 32000;
  sets["names"] = {{"mistral", {{"model", mistral}}}};
  CHECK(shown(sets).at("screens").at(0).at("sets").at("value") == "32000");
  CHECK(verdict(sets, "32000") == "right: ");
  // One more token costs two rows of 4,096.
  CHECK(verdict(sets, "32,001").ends_with("8,192 too many."));
}

TEST_CASE("a setting that misses the target is diagnosed", "[lesson]") {
  // Each token of the vocabulary has two rows of 4,096.
  Json sets = with_screen({{"says", "set"},
                           {"asks", "set"},
                           {"sets",
                            {{"field", "vocab_size"},
                             {"target", "parameters"},
                             {"value", "V"},
                             {"wrong", {{{"value", "V - 2"}, {"says", "two fewer than {V}"}}, {{"value", "V"}, {"says", "never"}}}}}}});
  CHECK(verdict(sets, "128256") == "right: ");
  CHECK(verdict(sets, "128254") == "wrong: two fewer than 128,256");
  CHECK(verdict(sets, "128255").ends_with("8,192 too few."));
  CHECK(verdict(sets, "many").starts_with("unreadable: "));
  sets["screens"][0]["sets"]["field"] = "num_attention_heads";
  CHECK(verdict(sets, "0") == "wrong: num_attention_heads must be at least 1, not 0.");
}

TEST_CASE("several choices are right only together", "[lesson]") {
  Json choices = with_screen({{"says", "which"},
                              {"asks", "which"},
                              {"several", true},
                              {"choices",
                               {{{"says", "q"}, {"right", true}, {"because", "it is a matrix"}},
                                {{"says", "norm"}, {"right", false}, {"because", "it is a vector"}},
                                {{"says", "k"}, {"right", true}, {"because", "k is one, too"}}}}});
  CHECK(verdict(choices, {0, 2}) == "right: ");
  CHECK(verdict(choices, {0}) == "wrong: k is one, too");
  CHECK(verdict(choices, {0, 1, 2}) == "wrong: norm: it is a vector");
  CHECK(verdict(choices, {1}) == "wrong: q: it is a matrix norm: it is a vector k is one, too");
  choices["screens"][0]["several"] = false;
  CHECK(verdict(choices, {0}) == "right: it is a matrix");
  CHECK(verdict(choices, {0, 1}) == "wrong: it is a vector");
}

TEST_CASE("a rounded answer needs as many digits as its meaning", "[lesson]") {
  // Eight key-value heads have 8 · 128 · 4,096 = 4,194,304 parameters in a key projection.
  CHECK(verdict(keys, "4.1M") == "right: Cut off instead of rounded: it is 4,194,304.");
  CHECK(verdict(keys, "4194304 bytes") == "unreadable: This is a number of bytes. The answer has no unit.");
  CHECK(verdict(keys, "58.7M") == "wrong: This is the size of one mlp.gate_proj.weight, which is not what was asked.");
  CHECK(verdict(keys, "134217728") == "wrong: This is the size of all self_attn.k_proj.weight, which is not what was asked.");
  CHECK(verdict(keys, "59M").starts_with("wrong: This is too large by "));  // with two digits, another tensor's size may match by chance
  CHECK(verdict(keys, "x") == "unreadable: “x” cannot be read as a number. Write it as 16,777,216, 16.8M, 2^24 or 4096*4096.");
  // A number below ten has only one digit.
  Json heads = keys;
  heads["screens"][0]["number"]["expression"] = "n_kv";
  CHECK(verdict(heads, "8") == "right: ");
  CHECK(verdict(heads, "2 X 4") == "right: ");
}

TEST_CASE("a screen's number enters the ledger under a name", "[lesson]") {
  Json lesson_json = keys;
  lesson_json["screens"][0]["books"] = {{"name", "one_key"}, {"says", "keys of {n_kv} heads"}};
  lesson_json["screens"].push_back({{"says", "a layer"},
                                    {"asks", "both?"},
                                    {"number", {{"expression", "2 * one_key"}}},
                                    {"books", {{"name", "both"}, {"says", "keys and values"}, {"expression", "one_key + one_key"}}}});
  const Json screens = shown(lesson_json).at("screens");
  CHECK(screens.at(0).at("books") == Json{{"says", "keys of 8 heads"}, {"value", "4194304"}});
  CHECK(screens.at(1).at("number").at("value") == "8388608");
  CHECK(screens.at(1).at("books").at("value") == "8388608");
  const auto at_screen = [&](int screen) {
    return parsed(lesson(lesson_json.dump(), Json{{"screen", screen}, {"answer", "8388608"}}.dump()));
  };
  CHECK(at_screen(1).at("verdict") == "right");
  CHECK(at_screen(2).at("error").at("message") == "The lesson has only 2 screens.");
  lesson_json["screens"][0].erase("number");
  lesson_json["screens"][0]["choices"] = {{{"says", "a"}, {"right", true}, {"because", "b"}}};
  CHECK(shown(lesson_json).at("error").at("field") == "screens[0].books.expression");
}

TEST_CASE("a screen has exactly one question", "[lesson]") {
  for (const char* second : {"choices", "sets"}) {
    Json two = keys;
    two["screens"][0][second] = Json::array();
    CHECK(shown(two).at("error").at("field") == "screens[0].number");
  }
  Json none = keys;
  none["screens"][0].erase("number");
  CHECK(shown(none).at("error").at("message") == "Screen 1: A screen must have one question: a number, choices or sets.");
  CHECK(judged(none, "1").at("error").at("field") == "screens[0].number");
}

TEST_CASE("what does not parse names the screen and the key", "[lesson]") {
  const auto error = [](const Json& lesson_json) {
    const Json out = shown(lesson_json);
    REQUIRE(out.at("ok") == false);
    return out.at("error").at("field").get<std::string>();
  };
  Json lesson_json = keys;
  lesson_json["screens"][0]["number"]["expression"] = "n_kv * nonsense";
  CHECK(error(lesson_json) == "screens[0].number.expression");
  CHECK(shown(lesson_json).at("error").at("message").get<std::string>().starts_with("Screen 1: "));
  lesson_json = keys;
  lesson_json["screens"][0]["reveal"] = "x";
  CHECK(error(lesson_json) == "screens[0].reveal");
  lesson_json = keys;
  lesson_json["screens"][0]["says"] = "{d";
  CHECK(error(lesson_json) == "screens[0].says");
  lesson_json = keys;
  lesson_json["screens"][0].erase("asks");
  CHECK(error(lesson_json) == "screens[0].asks");
  lesson_json = keys;
  lesson_json["screens"][0]["number"]["wrong"][0]["value"] = 4;
  CHECK(error(lesson_json) == "screens[0].number.wrong[0].value");
  lesson_json = keys;
  lesson_json["screens"][0]["turns"] = {{"field", "hidden_size"}, {"values", {4096, "=n_kv * nonsense"}}};
  CHECK(error(lesson_json) == "screens[0].turns.values[1]");
  lesson_json = keys;
  lesson_json["screens"][0]["lit"] = Json::array({7});
  CHECK(error(lesson_json) == "screens[0].lit[0]");
  lesson_json["screens"][0]["lit"] = Json::array({"k_proj", 7});
  CHECK(error(lesson_json) == "screens[0].lit[1]");
  lesson_json = keys;
  lesson_json["names"]["k"]["tensors"] = Json::array({7});
  CHECK(error(lesson_json) == "names.k.tensors[0]");
  lesson_json["names"]["k"]["tensors"] = Json::array({"k_proj", ""});
  CHECK(error(lesson_json) == "names.k.tensors[1]");
  lesson_json = keys;
  lesson_json["model"]["hidden_size"] = "wide";
  CHECK(error(lesson_json) == "hidden_size");
  CHECK(error({{"title", "none"}, {"screens", Json::array()}}) == "screens");
}

TEST_CASE("a format of a number that does not exist is quoted in part", "[lesson]") {
  const auto refusal_of = [](const std::string& how) {
    Json lesson_json = keys;
    lesson_json["screens"][0]["says"] = "{d|" + how + "}";
    const Json error = shown(lesson_json).at("error");
    CHECK(error.at("field") == "screens[0].says");
    return error.at("message").get<std::string>();
  };
  const std::string formats = "” is not one of |short, |percent, |times and |worked.", figures = "12345678901234567890";
  CHECK(refusal_of("long") == "Screen 1: “|long" + formats);
  CHECK(refusal_of(figures) == "Screen 1: “|" + figures + formats);
  CHECK(refusal_of(figures + "1") == "Screen 1: “|" + figures + formats);
}

}  // namespace param_ledger::test
