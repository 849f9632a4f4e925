#include "core/search/search.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "core/api/report.hpp"
#include "tests/support/searches.hpp"
#include "tests/support/spaces.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// The distances from the target of a space's nearest points, found by counting every configuration.
std::vector<std::uint64_t> brute_force(
    const Json& config, std::uint64_t target, const Ranges& fields, std::size_t most,
    bool (*fits)(const Json&) = [](const Json&) { return true; }) {
  std::vector<std::uint64_t> out;
  std::vector<std::size_t> at(fields.size());
  for (;;) {
    Json changed = config;
    for (std::size_t i = 0; i < fields.size(); ++i) changed[Json::json_pointer("/" + fields[i].first)] = fields[i].second[at[i]];
    const Json answer = parsed(totals(changed.dump()));
    if (answer.at("ok") == true && fits(changed)) {
      const std::uint64_t total = std::stoull(answer.at("totals").at("parameters").get<std::string>());
      out.push_back(total < target ? target - total : total - target);
    }
    std::size_t i = 0;
    while (i < fields.size() && ++at[i] == fields[i].second.size()) at[i++] = 0;
    if (i == fields.size()) break;
  }
  std::sort(out.begin(), out.end());
  if (out.size() > most) out.resize(most);
  return out;
}

std::vector<std::uint64_t> distances(const Json& answer) {
  std::vector<std::uint64_t> out;
  for (const Json& found : answer.at("found")) {
    auto difference = found.at("difference").get<std::string>();
    if (difference.front() == '-') difference.erase(0, 1);
    out.push_back(std::stoull(difference));
  }
  return out;
}

void check_against_brute_force(const Json& config, const std::string& target, std::uint64_t number, const Ranges& fields) {
  constexpr std::size_t most = 12;
  INFO(config.dump());
  Json request = space(config, target, fields, most);
  request["uneven"] = true;
  const Json answer = find(request);
  INFO(answer.dump());
  REQUIRE(answer.at("ok") == true);
  CHECK(answer.at("done") == true);
  CHECK(answer.at("exact") == true);
  CHECK(distances(answer) == brute_force(config, number, fields, most));
}

}  // namespace

TEST_CASE("a search gives the same results as brute force", "[search]") {
  check_against_brute_force({{"model_type", "llama"}, {"vocab_size", 32000}}, "1.1B", 1'100'000'000,
                            {{"num_hidden_layers", range(10, 40, 3)},
                             {"hidden_size", range(1024, 3072, 256)},
                             {"intermediate_size", range(2048, 8192, 1024)},
                             {"num_attention_heads", {8, 16, 32}}});
  check_against_brute_force(
      {{"model_type", "generic"}, {"position_embedding", "learned"}}, "500M", 500'000'000,
      {{"num_hidden_layers", range(4, 32, 2)}, {"hidden_size", range(512, 2048, 128)}, {"num_attention_heads", {4, 6, 8}}});
  check_against_brute_force({{"model_type", "gpt2"}}, "350M", 350'000'000,
                            {{"n_layer", range(6, 48, 3)}, {"n_embd", range(256, 1600, 64)}, {"vocab_size", {50257, 50304}}});
  // The number of layers decides which layers have experts, so one formula cannot cover all depths.
  check_against_brute_force(
      {{"model_type", "qwen3_moe"}, {"decoder_sparse_step", 2}}, "3B", 3'000'000'000,
      {{"num_hidden_layers", range(8, 24, 1)}, {"num_experts", range(8, 64, 8)}, {"hidden_size", range(512, 1536, 256)}});
  check_against_brute_force(
      {{"model_type", "deepseek_v3"}, {"n_group", 1}, {"topk_group", 1}}, "20B", 20'000'000'000,
      {{"num_hidden_layers", range(4, 30, 3)}, {"n_routed_experts", range(16, 128, 16)}, {"moe_intermediate_size", range(512, 2048, 512)}});
  check_against_brute_force({{"model_type", "mamba2"}, {"num_heads", 64}, {"head_dim", 64}}, "800M", 800'000'000,
                            {{"num_hidden_layers", range(8, 64, 4)}, {"hidden_size", range(1024, 2048, 256)}, {"state_size", {64, 128}}});
}

TEST_CASE("a search names the fields for whose values one formula does not hold", "[search]") {
  const Ranges fields = {{"hidden_size", range(512, 1536, 256)}, {"num_hidden_layers", range(8, 24, 1)}, {"num_experts", {8, 16}}};
  CHECK(find(space({{"model_type", "qwen3_moe"}}, "3B", fields, 5)).at("through") == Json::array());
  // Every second layer has experts, so the number of layers decides how many do.
  CHECK(find(space({{"model_type", "qwen3_moe"}, {"decoder_sparse_step", 2}}, "3B", fields, 5)).at("through") == Json{"num_hidden_layers"});
}

TEST_CASE("a total may fall along a field", "[search]") {
  // Each indicator token replaces an output of the vision tower's head: 8 weights there, and a weight and a bias in the norm after it.
  Json ovis = {{"model_type", "ovis2"}, {"vision_config", {{"hidden_size", 8}, {"num_attention_heads", 2}}}};
  ovis["vision_config"]["num_visual_indicator_tokens"] = 30;
  const std::string target = parsed(totals(ovis.dump())).at("totals").at("parameters").get<std::string>();
  const Json answer = find(space(ovis, target, {{"vision_config.num_visual_indicator_tokens", range(1, 60, 1)}}, 5));
  CHECK(answer.at("through") == Json::array());
  CHECK(answer.at("exact") == true);
  CHECK(distances(answer) == std::vector<std::uint64_t>{0, 10, 10, 20, 20});
  CHECK(answer.at("found").at(1).at("fields").at("vision_config.num_visual_indicator_tokens") == 29);
  CHECK(answer.at("found").at(1).at("difference") == "10");
}

TEST_CASE("a search along a field skips the values that a demand excludes", "[search]") {
  // The outputs of Ovis's head are the 40 visual tokens without the indicators, so more than 40 indicators are refused.
  const Json ovis = {{"model_type", "ovis2"}, {"vision_config", {{"hidden_size", 8}, {"num_attention_heads", 2}, {"vocab_size", 40}}}};
  const Json answer = find(space(ovis, "1B", {{"vision_config.num_visual_indicator_tokens", range(0, 59, 1)}}, 60));
  CHECK(answer.at("exact") == true);
  CHECK(answer.at("found").size() == 41);
  CHECK(answer.at("refused") == "0");
}

TEST_CASE("neighbouring values that are too large for a double are told apart", "[search]") {
  // Two tables of 4 × 8, and for each layer four matrices of 8 × 8, three of 8 × f and two norms. A norm follows.
  const Json llama = {{"model_type", "llama"}, {"hidden_size", 8}, {"vocab_size", 4}, {"num_attention_heads", 2}};
  constexpr std::uint64_t large = std::uint64_t{1} << 53U, layer = 4 * 64 + 2 * 8;
  const auto total = [](std::uint64_t inner, std::uint64_t layers) { return 64 + layers * (layer + 24 * inner) + 8; };
  const std::uint64_t target = total(large, 1);
  const Json answer =
      find(space(llama, std::to_string(target), {{"num_hidden_layers", {1, 2, 3}}, {"intermediate_size", {large - 1, large}}}, 6));
  REQUIRE(answer.at("ok") == true);
  CHECK(distances(answer) == std::vector<std::uint64_t>{0, 24, total(large - 1, 2) - target, total(large, 2) - target,
                                                        total(large - 1, 3) - target, total(large, 3) - target});
}

TEST_CASE("totals above 64 bits are found, too", "[search]") {
  // Two tables of 4 × 4,096, 100 layers of four matrices of 4,096 × 4,096, three of 4,096 × f and two norms, and a norm.
  const Json llama = {{"model_type", "llama"}, {"num_hidden_layers", 100}, {"vocab_size", 4}, {"num_attention_heads", 32}};
  std::vector<std::uint64_t> inner;
  for (unsigned power = 40; power <= 48; ++power) inner.push_back(std::uint64_t{1} << power);
  const auto total = [](std::uint64_t f) { return Count{4096} * (8 + Count{100} * (4 * 4096 + Count{3} * f + 2) + 1); };
  REQUIRE(bool(total(inner.back()) >> 64U != 0));
  const Json answer = find(space(llama, digits(total(inner[0])), {{"intermediate_size", inner}}, 20));
  REQUIRE(answer.at("ok") == true);
  CHECK(answer.at("exact") == true);
  CHECK(answer.at("through") == Json::array());
  REQUIRE(answer.at("found").size() == inner.size());
  for (std::size_t i = 0; i < inner.size(); ++i) CHECK(answer.at("found").at(i).at("total") == digits(total(inner[i])));
}

TEST_CASE("rounded divisions are rounded at every point", "[search]") {
  // time_step_rank is a sixteenth of the width, rounded up.
  check_against_brute_force({{"model_type", "mamba"}}, "150M", 150'000'000,
                            {{"num_hidden_layers", range(12, 36, 2)}, {"hidden_size", range(500, 1100, 7)}});
  // The number of rows of the embedding table is rounded up to a multiple of a fixed number.
  check_against_brute_force({{"model_type", "phi-msft"}, {"n_head", 8}, {"n_embd", 512}}, "90M", 90'000'000,
                            {{"vocab_size", range(50000, 51000, 37)}, {"n_layer", range(4, 24, 1)}});
  // Meta's rule for the inner dimension: two thirds of 4 × `dim`, rounded down, and then rounded up to a multiple.
  check_against_brute_force({{"n_heads", 8}, {"n_layers", 16}, {"vocab_size", 32000}, {"norm_eps", 1e-5}}, "800M", 800'000'000,
                            {{"dim", range(1024, 3072, 64)}, {"multiple_of", {64, 96, 256, 1000}}, {"n_layers", range(8, 32, 4)}});
  check_against_brute_force(
      {{"model_type", "lfm2"}}, "1B", 1'000'000'000,
      {{"hidden_size", range(1024, 2048, 128)}, {"intermediate_size", range(4096, 9000, 173)}, {"num_hidden_layers", range(8, 20, 4)}});
  // `mistral` and `qwen2` accept a hidden size that is not a multiple of the number of heads, but `llama` does not.
  for (const char* type : {"mistral", "qwen2", "llama"})
    check_against_brute_force(
        {{"model_type", type}, {"num_key_value_heads", 4}}, "7B", 7'000'000'000,
        {{"hidden_size", range(3072, 5120, 100)}, {"num_attention_heads", {20, 24, 28, 32}}, {"num_hidden_layers", range(20, 40, 5)}});
}

TEST_CASE("refused configurations do not hide valid ones", "[search]") {
  const Json answer = find({{"config", {{"model_type", "gemma3n_text"}}},
                            {"target", "8000000000"},
                            {"vary",
                             {{{"field", "num_hidden_layers"}, {"from", 10}, {"to", 60}},
                              {{"field", "hidden_size"}, {"from", 512}, {"to", 4096}, {"step", 256}}}}});
  INFO(answer.dump());
  CHECK(answer.at("done") == true);
  CHECK(answer.at("exact") == true);
  CHECK(answer.at("found").at(0).at("difference") == "12123856");
}

TEST_CASE("configurations whose count overflows are refused and not found", "[search]") {
  // A tensor has at most 2^61 - 1 elements: too few for tables of 32,000 × 2^53 and for matrices of 2^53 × 4,096.
  constexpr std::uint64_t huge = std::uint64_t{1} << 53U;
  const Json answer =
      find(space({{"model_type", "llama"}}, "7B",
                 {{"hidden_size", {4096, huge}}, {"intermediate_size", {11008, huge}}, {"num_hidden_layers", {32, 40}}}, 8));
  CHECK(answer.at("done") == true);
  CHECK(answer.at("found").size() == 2);
  for (const Json& found : answer.at("found")) {
    CHECK(found.at("fields").at("hidden_size") == 4096);
    CHECK(found.at("fields").at("intermediate_size") == 11008);
  }
}

TEST_CASE("a search counts configurations by the formula of their own decisions", "[search]") {
  // The first three layers are dense. A model of one or two layers has only such layers.
  const Ranges layers = {{"num_hidden_layers", range(1, 12, 1)}};
  const Json config = {{"model_type", "deepseek_v3"}, {"first_k_dense_replace", 3}};
  const Json answer = find(space(config, "3B", layers, 12));
  CHECK(answer.at("exact") == true);
  CHECK(distances(answer) == brute_force(config, 3'000'000'000, layers, 12));
}

TEST_CASE("after a refused configuration, a valid one is found in a few tries", "[search]") {
  // Only 16 of these numbers of heads divides the width. The one in the middle, 9, is tried first.
  const Json answer =
      find(space({{"model_type", "gpt2"}, {"n_embd", 768}}, "100M", {{"n_head", {5, 7, 9, 11, 16}}, {"n_layer", {1, 2}}}, 5));
  CHECK(answer.at("found").size() == 2);
  CHECK(answer.at("refused") == "1");
  // A try meets the demand with a probability of a fifth, so 100 tries fail with a probability of 0.8^100, about 2 × 10^-10.
  CHECK(std::stoull(answer.at("evaluations").get<std::string>()) < 100 + 50);
}

TEST_CASE("random spaces of all model types give exact results", "[search]") {
  std::mt19937_64 random(18);
  const std::vector<Json> configs = known_configs();
  REQUIRE(configs.size() > 1000);
  int compared = 0;
  for (int i = 0; i < 40; ++i) {
    const SmallSpace space = random_space(configs[random() % configs.size()], random);
    if (space.points.empty()) continue;
    ++compared;
    INFO(space.request.dump());
    CHECK(wrong_with(space).empty());
  }
  CHECK(compared > 30);
}

TEST_CASE("heads that do not divide the width are skipped unless requested", "[search]") {
  const Ranges fields = {{"num_attention_heads", {6, 8, 12}}, {"num_key_value_heads", {4, 8}}, {"hidden_size", {96, 100}}};
  Json request = space({{"model_type", "mistral"}}, "1B", fields, 50);
  // Of the 12 shapes, (8, 4), (8, 8) and (12, 4) have key-value heads that divide the heads. A width of 96 is divisible by 8 and by 12, a
  // width of 100 by neither.
  const Json even = find(request);
  CHECK(even.at("found").size() == 3);
  for (const Json& found : even.at("found")) CHECK(found.at("fields").at("hidden_size") == 96);
  request["uneven"] = true;
  CHECK(find(request).at("found").size() == 12);
  // The configuration itself fixes heads that do not divide evenly, so every point is skipped. The error must say so.
  Json fixed = space({{"model_type", "mistral"}, {"num_attention_heads", 6}, {"num_key_value_heads", 4}, {"hidden_size", 96}}, "1B",
                     {{"num_hidden_layers", {1, 2}}}, 5);
  CHECK(find(fixed).at("error").at("field") == "uneven");
  fixed["uneven"] = true;
  CHECK(find(fixed).at("found").size() == 2);
  // With an explicit head dimension, it does not matter that 100 is not divisible by 8 heads.
  const Json derived =
      space({{"model_type", "mistral"}, {"num_attention_heads", 8}, {"hidden_size", 100}}, "1B", {{"head_dim", {12, 16}}}, 5);
  CHECK(find(derived).at("found").size() == 2);
}

TEST_CASE("a search reports all points when done, and its progress before that", "[search]") {
  Json vary = Json::array();
  for (const char* field : {"num_hidden_layers", "hidden_size", "intermediate_size", "vocab_size", "num_attention_heads", "head_dim"})
    vary.push_back({{"field", field}, {"from", 1}, {"to", 999'999}});
  Json request = {{"config", {{"model_type", "llama"}}}, {"target", "123456789123456789"}, {"vary", vary}, {"budget", 50'000}};
  const Json answer = find(request);
  REQUIRE(answer.at("ok") == true);
  CHECK(answer.at("points") == "999994000014999980000014999994000001");  // 999,999^6
  CHECK(answer.at("exact") == answer.at("done"));
  for (const char* field : {"num_key_value_heads", "max_position_embeddings"})
    request["vary"].push_back({{"field", field}, {"from", 1}, {"to", 999'999}});
  CHECK(find(request).at("error").at("code") == "too_large");
}

TEST_CASE("the first seed's configuration is near the upper ends of its ranges", "[search]") {
  const Json answer = find({{"config", {{"model_type", "generic"}, {"position_embedding", "learned"}, {"vocab_size", 32000}}},
                            {"target", "405B"},
                            {"vary",
                             {{{"field", "num_hidden_layers"}, {"from", 60}, {"to", 100}, {"step", 10}},
                              {{"field", "hidden_size"}, {"from", 8192}, {"to", 24576}, {"step", 2048}}}},
                            {"tied", {{{"field", "num_attention_heads"}, {"of", "hidden_size"}, {"times", "1/160"}}}}});
  INFO(answer.dump());
  REQUIRE(answer.at("ok") == true);
  CHECK(answer.at("found").at(0).at("total") == "403350487040");
  CHECK(answer.at("found").at(0).at("fields").at("num_attention_heads") == 128);
}

TEST_CASE("results are ordered by distance and then by position, with at most 200 of them", "[search]") {
  // Without layers, a llama has two tables of 4,096 numbers per token and a norm of 4,096. The number of heads does not change that.
  const Json llama = {{"model_type", "llama"}, {"num_hidden_layers", 0}};
  const Json answer = find(space(llama, "45056", {{"num_attention_heads", {4, 8, 16}}, {"vocab_size", {4, 5, 6}}}, 20));
  REQUIRE(answer.at("ok") == true);
  REQUIRE(answer.at("found").size() == 9);
  const Json& found = answer.at("found");
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(found.at(i).at("difference") == "0");  // 11 × 4,096
    CHECK(found.at(i).at("fields") == Json{{"num_attention_heads", 4 << i}, {"vocab_size", 5}});
  }
  CHECK(found.at(3).at("difference") == "-8192");
  CHECK(found.at(3).at("fields") == Json{{"num_attention_heads", 4}, {"vocab_size", 4}});
  CHECK(found.at(4).at("difference") == "8192");
  CHECK(found.at(4).at("fields") == Json{{"num_attention_heads", 4}, {"vocab_size", 6}});
  CHECK(find(space(llama, "45056", {{"vocab_size", range(1, 300, 1)}}, 1000)).at("found").size() == 200);
}

TEST_CASE("only a search for active parameters needs the number of experts per token", "[search]") {
  const Json deepseek = {{"model_type", "deepseek"}, {"n_routed_experts", 8}};
  Json request = space(deepseek, "1B", {{"num_hidden_layers", {1, 2}}}, 5);
  CHECK(find(request).at("found").size() == 2);
  request["total"] = "active";
  const std::string refusal = find(request).at("error").at("message").get<std::string>();
  CHECK(refusal.find("num_experts_per_tok must give the number of experts per token") != std::string::npos);
  request["config"]["num_experts_per_tok"] = 2;
  CHECK(find(request).at("found").size() == 2);
}

TEST_CASE("tied fields and limits restrict a space", "[search]") {
  const Json answer = find({{"config", {{"model_type", "llama"}}},
                            {"target", "7B"},
                            {"vary",
                             {{{"field", "num_hidden_layers"}, {"from", 8}, {"to", 64}},
                              {{"field", "hidden_size"}, {"from", 1024}, {"to", 8192}, {"step", 128}}}},
                            {"tied",
                             {{{"field", "intermediate_size"}, {"of", "hidden_size"}, {"times", "8/3"}, {"multiple", 256}},
                              {{"field", "num_attention_heads"}, {"of", "hidden_size"}, {"times", "1/128"}},
                              {{"field", "num_key_value_heads"}, {"of", "num_attention_heads"}, {"times", "1"}}}},
                            {"limits", {{{"field", "hidden_size"}, {"over", "num_hidden_layers"}, {"least", "100"}, {"most", "150"}}}},
                            {"most", 50}});
  REQUIRE(answer.at("ok") == true);
  CHECK(answer.at("exact") == true);
  REQUIRE(answer.at("found").size() == 50);
  for (const Json& found : answer.at("found")) {
    const auto field = [&](const char* name) { return found.at("fields").at(name).get<std::uint64_t>(); };
    const std::uint64_t d = field("hidden_size"), n_layers = field("num_hidden_layers"), f = field("intermediate_size");
    CHECK(d >= 100 * n_layers);
    CHECK(d <= 150 * n_layers);
    CHECK(f == (8 * d + 767) / 768 * 256);
    CHECK(field("num_attention_heads") == d / 128);
  }
  // The original Llama 7B is 4,096 wide and has 32 layers; the rule gives 11,008.
  const bool own =
      std::any_of(answer.at("found").begin(), answer.at("found").end(), [](const Json& f) { return f.at("total") == "6738415616"; });
  CHECK(own);
}

TEST_CASE("values that must divide another number are found one by one", "[search]") {
  // The number of heads does not change the total of GPT-2, but must divide its width.
  const Json answer = find(space({{"model_type", "gpt2"}, {"n_embd", 60}, {"n_layer", 1}}, "1M", {{"n_head", range(1, 70, 1)}}, 100));
  REQUIRE(answer.at("ok") == true);
  CHECK(answer.at("exact") == true);
  std::vector<std::uint64_t> found;
  for (const Json& one : answer.at("found")) found.push_back(one.at("fields").at("n_head").get<std::uint64_t>());
  CHECK(found == std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60});
}

TEST_CASE("a limit may hold for some values, not hold for larger ones, and hold again", "[search]") {
  // The number of experts per token does not change the total. It is a 28th of the vocabulary, rounded up.
  const Json mixtral = {{"model_type", "mixtral"},  {"num_hidden_layers", 1},   {"hidden_size", 8},       {"intermediate_size", 8},
                        {"num_attention_heads", 2}, {"num_key_value_heads", 2}, {"num_local_experts", 8}, {"num_experts_per_tok", 1}};
  const auto found = [&](const Json& limit) {
    const Json answer = find({{"config", mixtral},
                              {"target", "1000"},
                              {"vary", {{{"field", "vocab_size"}, {"from", 1}, {"to", 100}}}},
                              {"tied", {{{"field", "num_experts_per_tok"}, {"of", "vocab_size"}, {"times", "1/28"}, {"multiple", 1}}}},
                              {"limits", {limit}},
                              {"most", 200}});
    REQUIRE(answer.at("ok") == true);
    CHECK(answer.at("exact") == true);
    std::set<std::uint64_t> out;
    for (const Json& one : answer.at("found")) out.insert(one.at("fields").at("vocab_size").get<std::uint64_t>());
    return out;
  };
  std::set<std::uint64_t> at_least;
  for (std::uint64_t v = 1; v <= 100; ++v)
    if (v >= 24 * ((v + 27) / 28)) at_least.insert(v);
  CHECK(at_least.size() == 5 + 9 + 13 + 5);  // 24 to 28, 48 to 56, 72 to 84, and 96 to 100
  CHECK(found({{"field", "vocab_size"}, {"over", "num_experts_per_tok"}, {"least", 24}}) == at_least);
  CHECK(found({{"field", "num_experts_per_tok"}, {"over", "vocab_size"}, {"most", "1/24"}}) == at_least);
}

TEST_CASE("ten million points need a fiftieth as many evaluations", "[search]") {
  const Json request = {{"config", {{"model_type", "llama"}, {"vocab_size", 128256}}},
                        {"target", "405B"},
                        {"vary",
                         {{{"field", "num_hidden_layers"}, {"from", 60}, {"to", 130}},
                          {{"field", "hidden_size"}, {"from", 8192}, {"to", 24576}, {"step", 256}},
                          {{"field", "num_attention_heads"}, {"values", {64, 96, 128}}},
                          {{"field", "num_key_value_heads"}, {"values", {8, 16}}},
                          {{"field", "intermediate_size"}, {"from", 16384}, {"to", 65536}, {"step", 128}}}},
                        {"limits", {{{"field", "hidden_size"}, {"over", "num_attention_heads"}, {"least", 64}, {"most", 256}}}}};
  const Json answer = find(request);
  const double points = std::stod(answer.at("points").get<std::string>()),
               evaluations = std::stod(answer.at("evaluations").get<std::string>());
  CHECK(points > 1e7);
  CHECK(evaluations * 50 < points);
  CHECK(answer.at("found").size() == 20);
}

TEST_CASE("the half of a space that is nearer to the target is searched first", "[search]") {
  // The first results are then near the target, so that few of the 52 million configurations are counted.
  for (const char* target : {"20M", "1B"}) {
    const Json answer = find(space(
        {{"model_type", "llama"}, {"num_attention_heads", 1}, {"num_key_value_heads", 1}, {"vocab_size", 1000}}, target,
        {{"num_hidden_layers", range(1, 200, 1)}, {"hidden_size", range(16, 4096, 16)}, {"intermediate_size", range(16, 16384, 16)}}, 5));
    CHECK(answer.at("points") == std::to_string(200 * 256 * 1024));
    CHECK(answer.at("exact") == true);
    CHECK(std::stoull(answer.at("counted").get<std::string>()) < 300);
  }
}

}  // namespace param_ledger::test
