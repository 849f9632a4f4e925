#include "core/search/recording.hpp"

#include <algorithm>

#include "core/json/json_text.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

struct Recorded {
  std::string text;
  Document document;
  Space space;
  Recording at;
  Recorded(const Json& request, const Space::Point& point, Sought wanted = {})
      : text(request.dump()), document(text), space(document.root()["config"], document.root()), at(space, point, wanted) {}

  /// The model's total at another point of the search space, computed with the recorded formula.
  [[nodiscard]] std::uint64_t total(const Space::Point& point) const {
    std::vector<std::uint64_t> variables, values;
    space.fill(point, variables);
    at.tape.evaluate(variables, values, at.tape.size());
    return values[at.total];
  }
  /// Whether all conditions of the recording hold at a point.
  [[nodiscard]] bool holds_at(const Space::Point& point) const {
    std::vector<std::uint64_t> variables, values;
    space.fill(point, variables);
    at.tape.evaluate(variables, values, at.tape.size());
    return std::all_of(at.conditions.begin(), at.conditions.end(),
                       [&](const Recording::Condition& c) { return truth_of(c, values, values) == Truth::yes; });
  }
};

Json request(const Json& config, const std::vector<std::pair<std::string, std::vector<std::uint64_t>>>& fields) {
  Json vary = Json::array();
  for (const auto& [field, values] : fields) vary.push_back({{"field", field}, {"values", values}});
  return {{"config", config}, {"vary", vary}};
}

}  // namespace

TEST_CASE("a recording's formula gives the counts of other configurations", "[recording]") {
  // The original Llama 7B and 13B. The totals are those of the published files.
  const Recorded r(request({{"model_type", "llama"}}, {{"num_hidden_layers", {32, 40}},
                                                       {"hidden_size", {4096, 5120}},
                                                       {"intermediate_size", {11008, 13824}},
                                                       {"num_attention_heads", {32, 40}}}),
                   {});
  REQUIRE(r.at.counted);
  CHECK(bool(r.at.total_here == 6'738'415'616));
  CHECK(r.total({0, 0, 0, 0}) == 6'738'415'616);
  CHECK(r.total({1, 1, 1, 1}) == 13'015'864'320);
  CHECK(r.holds_at({1, 1, 1, 1}));
  CHECK(r.at.looked_at == 0);
  CHECK(r.at.missing.empty());
}

TEST_CASE("a decision that varies becomes a condition", "[recording]") {
  // The first three layers are dense, so a model with at most three layers has no experts.
  const Json vary = request({{"model_type", "deepseek_v3"}, {"n_group", 1}, {"topk_group", 1}}, {{"num_hidden_layers", {2, 3, 4}}});
  const Recorded r(vary, {2});
  REQUIRE(r.at.counted);
  CHECK(r.holds_at({2}));
  CHECK_FALSE((r.holds_at({0}) && r.total({0}) == r.total({2})));
}

TEST_CASE("a refusal records the demand that was not met", "[recording]") {
  const Recorded r(request({{"model_type", "gpt2"}}, {{"n_embd", {768, 770}}, {"n_head", {12}}}), {1, 0});
  CHECK_FALSE(r.at.counted);
  REQUIRE(r.at.unmet != Recording::none);
  const Recording::Condition& c = r.at.conditions[r.at.unmet];
  CHECK(c.demanded);
  CHECK(c.relation == Relation::multiple);
  CHECK_FALSE(r.holds_at({1, 0}));
  CHECK(r.at.refusal.find("must be a multiple of") != std::string::npos);
}

TEST_CASE("a field may have to meet two demands", "[recording]") {
  // The width of wav2vec 2.0 must be a multiple of its 12 heads and of the 16 groups of its position convolution.
  const Recorded r(request({{"model_type", "wav2vec2"}, {"num_hidden_layers", 1}}, {{"hidden_size", {12, 16, 24, 48, 96}}}), {3});
  REQUIRE(r.at.counted);
  CHECK(r.holds_at({3}));
  CHECK(r.holds_at({4}));
  for (const unsigned place : {0U, 1U, 2U}) CHECK_FALSE(r.holds_at({place}));
}

TEST_CASE("a field that the model does not read is named", "[recording]") {
  const Recorded r(request({{"model_type", "gpt2"}}, {{"num_experts", {1, 2}}}), {});
  CHECK(r.at.missing == "num_experts");
  CHECK_FALSE(r.at.lacks_limit);
}

TEST_CASE("heads that do not divide the width are not accepted, whether or not they vary", "[recording]") {
  const Json config = {{"model_type", "mistral"}, {"num_attention_heads", 6}, {"num_key_value_heads", 4}, {"hidden_size", 96}};
  const Recorded fixed(request(config, {{"num_hidden_layers", {1, 2}}}), {});
  const auto never = [](const Recording::Condition& c) { return c.relation == Relation::multiple; };
  CHECK(std::any_of(fixed.at.wished.begin(), fixed.at.wished.end(), never));
  CHECK(Recorded(request(config, {{"num_hidden_layers", {1, 2}}}), {}, {false, true}).at.wished.empty());
}

TEST_CASE("the formula of an accepted configuration divides the width evenly among the heads", "[recording]") {
  const Json config = {{"model_type", "mistral"}, {"num_hidden_layers", 1}, {"num_key_value_heads", 4}};
  const Json even = request(config, {{"hidden_size", {64}}, {"num_attention_heads", {4, 8}}});
  const auto bounds = [](const Recorded& r) {
    std::vector<std::uint64_t> least, most, low, high;
    r.space.fill({0, 0}, least);
    r.space.fill({0, 1}, most);
    r.at.tape.bound(least, most, low, high, r.at.tape.size());
    return std::pair(low[r.at.total], high[r.at.total]);
  };
  const auto accepted = bounds(Recorded(even, {})), any = bounds(Recorded(even, {}, {false, true}));
  // The query and output projections have 64 × n × (64 ÷ n) weights each. If the division need not be exact, the bounds of n × ⌊64 ÷ n⌋
  // are 4 × 8 and 8 × 16. Otherwise it is 64.
  CHECK(accepted.first - any.first == 2 * 64 * (64 - 4 * 8));
  CHECK(any.second - accepted.second == 2 * 64 * (8 * 16 - 64));
}

TEST_CASE("a tied field is rounded up to its multiple, and divided evenly without one", "[recording]") {
  const auto tied = [](const char* times, int multiple) {
    Json json = request({{"model_type", "llama"}}, {{"vocab_size", {33, 34}}});
    json["tied"] = {{{"field", "intermediate_size"}, {"of", "vocab_size"}, {"times", times}, {"multiple", multiple}}};
    return json;
  };
  // One more inner dimension adds 4,096 parameters to each of three matrices in 32 layers.
  constexpr std::uint64_t width = std::uint64_t{3} * 32 * 4096;
  const Recorded even(tied("1", 2), {}), one(tied("1", 1), {});
  CHECK(even.total({0}) - one.total({0}) == width);  // 34 instead of 33
  CHECK(even.total({1}) == one.total({1}));
  CHECK(bool(even.at.total_here == even.total({0})));
  // Half of 33 is 17 if it may be rounded up.
  const Recorded half(tied("1/2", 1), {});
  CHECK(half.at.even.empty());
  CHECK(half.total({0}) == one.total({0}) - 16 * width);
  CHECK(Recorded(tied("1/2", 0), {1}).at.even.size() == 1);
}

TEST_CASE("a search goes along the field with the most values in which nothing turns twice", "[recording]") {
  const Json mixtral = {{"model_type", "mixtral"},  {"num_hidden_layers", 1},   {"hidden_size", 8},       {"intermediate_size", 8},
                        {"num_attention_heads", 2}, {"num_key_value_heads", 2}, {"num_local_experts", 8}, {"num_experts_per_tok", 1}};
  const auto line = [&](const Json& limits) {
    Json given = request(mixtral, {{"num_hidden_layers", {1, 2}}, {"vocab_size", {10, 20, 30}}, {"hidden_size", {8, 16, 24, 32}}});
    // The number of experts per token does not change the total.
    given["tied"] = {{{"field", "num_experts_per_tok"}, {"of", "vocab_size"}, {"times", "1/28"}, {"multiple", 1}}};
    given["limits"] = limits;
    const Recorded r(given, {});
    REQUIRE(r.at.counted);
    return r.at.line;
  };
  CHECK(line(Json::array()) == 1);  // the total is quadratic in the hidden size
  CHECK(line({{{"field", "vocab_size"}, {"over", "hidden_size"}, {"least", 1}}}) == 1);
  // A ratio to a rounded number rises and falls along the vocabulary, so only the two numbers of layers are left.
  CHECK(line({{{"field", "vocab_size"}, {"over", "num_experts_per_tok"}, {"least", 24}}}) == 0);
  CHECK(line({{{"field", "num_experts_per_tok"}, {"over", "vocab_size"}, {"most", "1/24"}}}) == 0);
}

TEST_CASE("a search goes along the first of several fields with the most values", "[recording]") {
  // The total is linear in the vocabulary, in the number of layers and in the width of the feed-forward block.
  const auto line = [](std::vector<std::uint64_t> vocab_size, std::vector<std::uint64_t> layers, std::vector<std::uint64_t> width) {
    const Recorded r(
        request({{"model_type", "llama"}},
                {{"vocab_size", std::move(vocab_size)}, {"num_hidden_layers", std::move(layers)}, {"intermediate_size", std::move(width)}}),
        {});
    REQUIRE(r.at.counted);
    return r.at.line;
  };
  CHECK(line({10, 20, 30}, {1, 2}, {8, 16}) == 0);
  CHECK(line({10, 20}, {1, 2, 3}, {8}) == 1);
  CHECK(line({10}, {1, 2}, {8, 16}) == 1);
  CHECK(line({10, 20}, {1}, {8, 16, 24}) == 2);
  CHECK(line({10}, {1}, {8}) == -1);
}

TEST_CASE("bounds decide whether a relation holds in all or in none of a box", "[recording]") {
  const auto truth = [](Relation relation, bool holds, std::uint64_t low_a, std::uint64_t high_a, std::uint64_t low_b,
                        std::uint64_t high_b) {
    const std::vector<Tape::Value> low = {low_a, low_b}, high = {high_a, high_b};
    return truth_of(Recording::Condition{relation, 0, 1, holds, false}, low, high);
  };
  CHECK(truth(Relation::less, true, 1, 3, 4, 9) == Truth::yes);
  CHECK(truth(Relation::less, false, 1, 3, 4, 9) == Truth::no);
  CHECK(truth(Relation::less, true, 4, 9, 1, 4) == Truth::no);
  CHECK(truth(Relation::less, true, 1, 4, 4, 9) == Truth::open);
  CHECK(truth(Relation::equal, true, 5, 5, 5, 5) == Truth::yes);
  CHECK(truth(Relation::equal, true, 1, 4, 5, 9) == Truth::no);
  CHECK(truth(Relation::equal, true, 1, 5, 5, 9) == Truth::open);
  CHECK(truth(Relation::multiple, true, 12, 12, 4, 4) == Truth::yes);
  CHECK(truth(Relation::multiple, true, 13, 13, 4, 4) == Truth::no);
  CHECK(truth(Relation::multiple, true, 12, 12, 0, 0) == Truth::no);
  CHECK(truth(Relation::multiple, true, 12, 13, 4, 4) == Truth::open);
  // `Tape::largest` stands for any value of at least that size, so whether two such values are equal is unknown.
  CHECK(truth(Relation::less, true, Tape::largest, Tape::largest, 1, 1) == Truth::no);
  CHECK(truth(Relation::equal, true, Tape::largest, Tape::largest, Tape::largest, Tape::largest) == Truth::open);
  const Space::Limit limit{"a", "b", 64, 1, 256, 1};
  const Recording::Ratio ratio{0, 1, &limit};
  const auto within = [&](std::uint64_t low_a, std::uint64_t high_a) {
    return truth_of(ratio, std::vector<Tape::Value>{low_a, 8}, std::vector<Tape::Value>{high_a, 8});
  };
  CHECK(within(512, 2048) == Truth::yes);
  CHECK(within(100, 511) == Truth::no);
  CHECK(within(2049, 9999) == Truth::no);
  CHECK(within(511, 512) == Truth::open);
  CHECK(within(2048, 2049) == Truth::open);
}

}  // namespace param_ledger::test
