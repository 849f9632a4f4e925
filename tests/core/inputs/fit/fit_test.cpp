#include <sstream>

#include "tests/support/prints.hpp"
#include "tests/support/reading.hpp"

namespace param_ledger::test {

namespace {

/// A model that transformers printed (tests/data/printed.py), with the number of its parameters.
struct Printed {
  Json line;
  std::string text;
  std::string parameters;

  explicit Printed(const std::string& json)
      : line(parsed(json)),
        text(unpacked(line.at("text").get<std::string>(), line.value("blocks", Json::array()))),
        parameters(std::to_string(line.at("parameters").get<std::uint64_t>())) {}

  [[nodiscard]] std::string id() const { return line.at("id").get<std::string>(); }
  /// The configuration that the model was built from, with the class of the print.
  [[nodiscard]] Json config(const Json& published) const {
    Json out = line.value("config", Json());
    for (const Json& model : published)
      if (line.contains("model") && model.at("name") == line.at("model")) out = model.at("config");
    out["architectures"] = Json::array({line.at("architecture")});
    return out;
  }
};

std::vector<Printed> all_printed() {
  std::vector<Printed> out;
  std::istringstream lines(text_of("printed_models.jsonl.gz"));
  for (std::string line; std::getline(lines, line);) out.emplace_back(line);
  return out;
}

Printed printed(const std::string& id) {
  for (Printed& one : all_printed())
    if (one.id() == id) return std::move(one);
  throw std::runtime_error("no " + id + " in printed_models.jsonl.gz");
}

/// The fields whose values a printed model does not show, with the assumed values: "num_local_experts=128 …".
std::string open_in(const Json& reading) {
  std::string out;
  for (const Json& open : reading.at("recognised").at("open"))
    out.append(out.empty() ? "" : " ").append(open.at("field").get<std::string>()).append("=").append(open.at("assumed").dump());
  return out;
}

}  // namespace

TEST_CASE("every printed transformers model is counted exactly, at once or with the fields asked for", "[inputs]") {
  const Json published = json_of("models.json");
  std::size_t at_once = 0, models = 0;
  for (const Printed& one : all_printed()) {
    ++models;
    CAPTURE(one.id());
    Json fields = Json::object(), values;
    bool exact = false;
    for (int round = 0; round < 3 && !exact; ++round) {
      const Json reading = printed_reading(one.text, fields);
      CAPTURE(fields.dump(), problems_of(reading), reading.at("totals").dump());
      REQUIRE(reading.contains("recognised"));
      CHECK(reading.at("recognised").at("agrees") == true);
      const Json& totals = reading.at("totals");
      if (one.line.contains("trainable")) CHECK(total(reading, "trainable") == one.line.at("trainable").dump());
      // The count is given only if it is certain. If the text does not show whether the head is tied, two counts are given.
      if (totals.contains("parameters")) {
        CHECK((totals.at("parameters") == one.parameters || totals.value("if_tied", "") == one.parameters));
        CHECK(reading.at("partial") == false);
        if (totals.contains("if_tied"))
          CHECK(one.parameters == totals.at(one.line.at("tied") == 0 ? "parameters" : "if_tied").get<std::string>());
        exact = true;
        at_once += round == 0 ? 1 : 0;
        continue;
      }
      CHECK(reading.at("partial") == true);
      if (values.is_null()) {
        const Json counted = answer_to(one.config(published).dump());
        REQUIRE(counted.at("ok") == true);
        values = Json::object();
        for (const Json& field : counted.at("fields")) values[field.at("name").get<std::string>()] = field.value("value", Json());
      }
      for (const Json& open : reading.at("recognised").at("open")) {
        const auto name = open.at("field").get<std::string>();
        REQUIRE(values.contains(name));
        fields[name] = values.at(name);
      }
    }
    CHECK(exact);
  }
  CHECK(models >= 90);
  CHECK(at_once >= 60);
}

TEST_CASE("stacked experts are not in the total until their number is given", "[inputs]") {
  const Printed oss = printed("openai/gpt-oss-20b");
  const Json reading = printed_reading(oss.text);
  CHECK_FALSE(reading.at("totals").contains("parameters"));
  CHECK(total(reading, "shown") ==
        "1795609920");  // 2·201088·2880 + 24·(2880·(4096+512+512) + 4096·2880 + 4096+512+512 + 2880 + 2·2880) + 2880
  CHECK(open_in(reading) == "num_attention_heads=64 num_local_experts=128 intermediate_size=2880 tie_word_embeddings=false");
  const Json experts = reading.at("recognised").at("open").at(1).at("tensors");
  CHECK(std::find(experts.begin(), experts.end(), "model.layers.[0-23].mlp.experts.down_proj") != experts.end());
  const Json known = {{"num_attention_heads", 64}, {"num_local_experts", 32}, {"intermediate_size", 2880}};
  const Json exact = printed_reading(oss.text, known);
  CHECK(total(exact) == "20914757184");
  CHECK(total(exact, "if_tied") == std::to_string(20914757184 - 201088 * 2880));
  CHECK(open_in(exact) == "tie_word_embeddings=false");
  Json all = known;
  all["tie_word_embeddings"] = false;
  const Json whole = printed_reading(oss.text, all);
  CHECK(total(whole) == "20914757184");
  CHECK_FALSE(whole.at("totals").contains("if_tied"));
  CHECK(row(whole, "tensors", "model.layers.[0-23].mlp.experts.gate_up_proj").at("taken") == true);
}

TEST_CASE("a hidden width follows from the fields that the text determines", "[inputs]") {
  // Qwen3_5RMSNormGated() has the width of a value head: 6,144 columns in 48 heads.
  const Json reading = printed_reading(printed("Qwen/Qwen3.5-27B").text);
  CHECK(total(reading) == "27356728560");
  bool found = false;
  for (const Json& row : reading.at("tensors")) {
    const auto name = row.at("name").get<std::string>();
    if (!name.ends_with("linear_attn.norm.weight")) continue;
    found = true;
    CHECK(row.at("shape") == Json::array({128}));
    CHECK(row.at("taken") == true);
  }
  CHECK(found);
}

TEST_CASE("repeated prints of a block are counted once", "[inputs]") {
  const Printed zamba = printed("Zamba2 1.2B");
  const Json reading = printed_reading(zamba.text, {{"tie_word_embeddings", true}});
  CHECK(total(reading) == zamba.parameters);
  CHECK(std::stoull(total(reading, "shown")) > zamba.line.at("parameters").get<std::uint64_t>());
}

TEST_CASE("a given field that contradicts the text gives no total", "[inputs]") {
  const std::string text = printed("Qwen/Qwen3-0.6B").text;
  for (const Json& fields : {Json({{"hidden_size", 2048}}), Json({{"num_hidden_layers", 3}}), Json({{"vocab_size", "many"}})}) {
    CAPTURE(fields.dump());
    const Json reading = printed_reading(text, fields);
    CHECK_FALSE(reading.at("totals").contains("parameters"));
    CHECK(reading.at("partial") == true);
  }
}

TEST_CASE("lists per layer are inferred from the layers", "[inputs]") {
  const Json lfm = printed_reading(printed("LiquidAI/LFM2-1.2B").text).at("recognised");
  const std::string conv = "conv", full = "full_attention";
  // The layer types in the published config.json.
  CHECK(lfm.at("config").at("layer_types") ==
        Json({conv, conv, full, conv, conv, full, conv, conv, full, conv, full, conv, full, conv, full, conv}));
  const Json neo = printed_reading(printed("EleutherAI/gpt-neo-125m").text).at("recognised");
  CHECK(neo.at("config").at("attention_types") == parsed(R"([[["global", "local"], 6]])"));
}

TEST_CASE("a model inside a custom module is recognised, but gives no total", "[inputs]") {
  const std::string text = printed("Qwen/Qwen3-0.6B").text;
  const Json wrapped = printed_reading("MyWrapper(\n(inner): " + text + ")\n");
  CHECK(wrapped.at("recognised").at("model_type") == "qwen3");
  CHECK_FALSE(wrapped.at("totals").contains("parameters"));
  CHECK(problems_of(wrapped).find("(MyWrapper) does not show its parameters") != std::string::npos);
  const Json parallel = printed_reading("DistributedDataParallel(\n(module): " + text + ")\n");
  CHECK(total(parallel, "if_tied") == "596049920");
}

}  // namespace param_ledger::test
