#include "core/derivation/derivation.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "tests/support/oracle.hpp"

namespace param_ledger::test {

namespace {

Json derived(std::string_view config) { return parsed(derive(config)); }

Json judged(const Json& derivation) { return parsed(article(derivation.at("article").dump())); }

/// The errors that the article check finds in a derivation; empty if every step is right and the total is the model's.
std::string objections(const Json& derivation) {
  const Json judgement = judged(derivation);
  if (judgement.at("ok") == false) return judgement.dump();
  std::string out;
  const auto look = [&](const Json& step, const Json& judged_step) {
    if (judged_step.at("verdict") != "right") out += step.dump() + ' ' + judged_step.dump() + '\n';
  };
  const Json& steps = derivation.at("article").at("steps");
  for (std::size_t i = 0; i < steps.size(); ++i) look(steps[i], judgement.at("steps")[i]);
  look(derivation.at("article").at("total"), judgement.at("total"));
  if (judgement.at("total").value("value", "") != judgement.value("model", "none")) out += "another total than the model's";
  return out;
}

std::string plain(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ','), text.end());
  return text;
}

std::string total_of(const Json& derivation) { return plain(derivation.at("article").at("total").at("prints").get<std::string>()); }

/// The other errors in the steps of a derivation: lines that do not add up to their step's value, tensors that no step counts, and too many
/// steps for the number of distinct layers and parts.
std::string shortcomings(const Json& derivation, const Json& answer) {
  std::set<std::string> told, kinds;
  std::set<std::pair<std::string, std::string>> parts;  // the module path of a layer, and a part in it
  std::size_t steps = 0;
  std::string out;
  for (const Json& section : derivation.at("sections"))
    for (const Json& step : section.at("steps")) {
      ++steps;
      const auto kind = step.at("kind").get<std::string>();
      std::uint64_t sum = 0;
      for (const Json& line : step.value("lines", Json::array())) {
        told.insert(line.at(0).get<std::string>());
        sum += std::stoull(line.at(5).get<std::string>());
      }
      if (step.contains("lines") && kind != "tied" && std::to_string(sum) != step.at("value").get<std::string>())
        out += "lines do not give " + step.dump();
    }
  for (const Json& row : answer.at("tensors")) {
    const auto name = row.at("name").get<std::string>();
    if (row.value("kind", "parameter") != "possible" && told.count(name) == 0) out += name + " is in no step\n";
    // The number of distinct layers and parts limits the number of steps. A layer is identified by the name up to its last index, because
    // layers may be nested in stages.
    std::size_t end = 0;
    for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
      if (std::string_view("[0123456789").find(name[dot + 1]) != std::string_view::npos) end = name.find('.', dot + 1);
    kinds.insert(name.substr(0, end));
    parts.insert({name.substr(0, end), row.at("part").get<std::string>()});
  }
  // Each part may have four steps. Each kind of layer may have a sum and a product. The rest is for the sums of sections, of all
  // parameters, of the active ones and of the files.
  if (steps > 4 * parts.size() + 2 * kinds.size() + 8)
    out += std::to_string(steps) + " steps for " + std::to_string(parts.size()) + " parts";
  return out;
}

/// The attention steps that name the wrong mechanism. A step must be called multi-head attention if and only if its keys are as
/// wide as its queries.
std::string misnamed_heads(const Json& derivation) {
  std::string out;
  for (const Json& section : derivation.at("sections"))
    for (const Json& step : section.at("steps")) {
      const std::string mechanism = step.value("mechanism", "");
      if (mechanism != "multi_head_attention" && mechanism != "grouped_query_attention" && mechanism != "multi_query_attention") continue;
      std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> sides;  // output and input dimensions by the tensor's role
      for (const Json& line : step.value("lines", Json::array())) {
        const Json& shape = line.at(1);
        if (shape.size() < 2) continue;
        const std::size_t first = line.size() > 8 ? 1 : 0;
        sides[line.at(4).get<std::string>()] = {shape[first].get<std::uint64_t>(), shape[1 - first].get<std::uint64_t>()};
      }
      const auto of = [&](const char* task) { return sides[task]; };
      const std::uint64_t queries = of("query").first, keys = of("key").first, fused = of("query, key and value").first;
      const bool alike = fused > 0 ? fused == 3 * of("output").second : queries == keys;
      if ((fused == 0 || of("output").second == 0) && (queries == 0 || keys == 0)) continue;
      if (alike != (mechanism == "multi_head_attention")) out += step.dump() + '\n';
    }
  return out;
}

}  // namespace

TEST_CASE("the article check finds no error in any derivation", "[derivation]") {
  std::size_t known = 0;
  for (const Case& wanted : oracle_cases()) {
    CAPTURE(wanted.id, wanted.config);
    const Json derivation = derived(wanted.config);
    if (derivation.at("ok") == false) {
      CHECK(derivation == answer_to(wanted.config));
      continue;
    }
    CHECK(total_of(derivation) == wanted.parameters);
    // The article check takes most of the test's time, so the checks below run only on the default configuration of each class.
    if (wanted.id.find("/default") == std::string::npos) continue;
    ++known;
    CHECK(objections(derivation) == "");
    CHECK(misnamed_heads(derivation) == "");
    CHECK(shortcomings(derivation, answer_to(wanted.config)) == "");
  }
  CHECK(known > 1250);
}

TEST_CASE("derivations of published models give exact totals", "[derivation]") {
  for (const Json& model : json_of("models.json")) {
    CAPTURE(model.at("name").get<std::string>());
    const Json derivation = derived(model.at("config").dump());
    REQUIRE(derivation.at("ok") == true);
    CHECK(objections(derivation) == "");
    CHECK(misnamed_heads(derivation) == "");
    CHECK(shortcomings(derivation, answer_to(model.at("config").dump())) == "");
    if (model.value("total", "parameters") == "parameters") CHECK(total_of(derivation) == model.at("parameters").dump());
  }
}

TEST_CASE("cross-attention, deformable and self-attention have steps of their own", "[derivation]") {
  /// Lists the tensors of all steps for which `is_asked` returns true.
  const auto names = [](const std::string& config, const auto& is_asked) {
    std::set<std::string> out;
    const Json derivation = derived(config);
    for (const Json& section : derivation.at("sections"))
      for (const Json& step : section.at("steps"))
        if (is_asked(step))
          for (const Json& line : step.value("lines", Json::array())) out.insert(line.at(0).get<std::string>());
    return out;
  };
  const auto is_cross = [](const Json& step) { return step.value("owner", "") == "cross"; };
  for (const std::string& name : names(R"({"model_type": "blip_2_qformer"})", is_cross))
    CHECK(name.find("crossattention") != std::string::npos);
  for (const char* type : {"conditional_detr", "dab-detr", "mask2former", "sam", "perceiver", "rt_detr"}) {
    CAPTURE(type);
    CHECK_FALSE(names(concat({R"({"model_type": ")", type, "\"}"}), is_cross).empty());
  }
  const auto is_deformable = [](const Json& step) { return step.value("mechanism", "") == "deformable_attention"; };
  const std::set<std::string> deformable = names(R"({"model_type": "rt_detr"})", is_deformable);
  CHECK(deformable.size() == 8);
  for (const std::string& name : deformable) CHECK(name.find("encoder_attn") != std::string::npos);
}

TEST_CASE("a first matrix of twice the inner dimension has a gate", "[derivation]") {
  for (const char* type : {"moshi", "kyutai_speech_to_text", "moonshine"}) {
    CAPTURE(type);
    const Json derivation = derived(concat({R"({"model_type": ")", type, "\"}"}));
    std::string found;
    for (const Json& section : derivation.at("sections"))
      for (const Json& step : section.at("steps"))
        if (step.value("part", "") == "feed_forward")
          found = step.at("mechanism").get<std::string>();  // the last one counts, since Moonshine's encoder has no gate and comes first
    CHECK(found == "gated_feed_forward");
  }
}

TEST_CASE("shared experts are not called feed-forward blocks", "[derivation]") {
  const Json derivation = derived(R"({"model_type": "nemotron_h"})");
  std::size_t found = 0;
  for (const Json& step : derivation.at("sections").at(0).at("steps"))
    for (const Json& line : step.value("lines", Json::array()))
      if (line.at(0).get<std::string>().find("shared_experts") != std::string::npos) {
        CHECK(step.at("owner") == "shared_expert");
        ++found;
      }
  CHECK(found == 2);
}

TEST_CASE("the formulas of a stage of two layers are those of a deeper one", "[derivation]") {
  const auto lines = [](const char* depths) {
    std::vector<std::string> out;
    const Json derivation = derived(config_of("hiera", {{"depths", depths}}));
    for (const Json& step : derivation.at("article").at("steps")) out.push_back(step.at("expression").get<std::string>());
    return out;
  };
  CHECK(lines("[2,3,16,3]") == lines("[5,3,16,3]"));
  CHECK(lines("[2,2,2,2]") == lines("[2,3,16,3]"));
}

TEST_CASE("an LSTM among convolutions has a step of its own", "[derivation]") {
  // Encoder and decoder have two layers each: 4 · 512 · (512 + 512) weights and 8 · 512 biases per layer.
  const Json derivation = derived(R"({"model_type": "encodec"})");
  std::string found;
  for (const Json& step : derivation.at("sections").at(0).at("steps"))
    if (step.value("mechanism", "") == "lstm") found += step.at("value").get<std::string>() + ' ';
  CHECK(found == std::to_string(4 * (4 * 512 * 1024 + 8 * 512)) + ' ');
}

}  // namespace param_ledger::test
