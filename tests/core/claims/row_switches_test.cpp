#include "core/claims/row_switches.hpp"

#include "core/json/json.hpp"
#include "tests/support/catch.hpp"

namespace param_ledger::test {

namespace {

/// 340 = 2 × (48 attention + 72 feed-forward + 8 norms) + 4 final norm + 40 embedding + 40 head
constexpr std::string_view llama = R"({"model_type": "llama", "hidden_size": 4, "num_hidden_layers": 2, "num_attention_heads": 2,
  "num_key_value_heads": 1, "intermediate_size": 6, "vocab_size": 10})";

/// 804 = 2 × (48 attention + 16 router + 4 × 72 experts + 8 norms) + 4 final norm + 40 embedding + 40 head
constexpr std::string_view mixtral = R"({"model_type": "mixtral", "hidden_size": 4, "num_hidden_layers": 2, "num_attention_heads": 2,
  "num_key_value_heads": 1, "intermediate_size": 6, "vocab_size": 10, "num_local_experts": 4, "num_experts_per_tok": 2})";

Count sum(std::string_view config, const Scope& scope, std::uint32_t switches = 0, const Subset& subset = {}) {
  const Document document(config);
  return RowTallies(Model(document.root()), subset).sum(scope, switches);
}

Scope without(Places places) { return {.places = static_cast<Places>(all_places & ~places)}; }

constexpr Places embedding = place(Part::embedding), head = place(Part::output_head);

}  // namespace

TEST_CASE("a scope covers the parameters in some places", "[claim]") {
  CHECK(sum(llama, {}) == 340);
  CHECK(sum(llama, without(head)) == 300);
  CHECK(sum(llama, without(embedding | head)) == 260);
  CHECK(sum(llama, {.places = embedding}) == 40);
  CHECK(sum(llama, {.places = place(Part::feed_forward)}) == 2 * 72);
  CHECK(sum(mixtral, {.active = true}) == 804 - 2 * 2 * 72);
}

TEST_CASE("each switch removes its rows from the sum, and together they remove each row once", "[claim]") {
  using enum RowSwitch::Name;
  CHECK(sum(llama, {}, bit(final_norm)) == 336);
  CHECK(sum(llama, {}, bit(norms)) == 320);
  CHECK(sum(llama, {}, bit(norms) | bit(final_norm)) == 320);
  CHECK(sum(llama, {}, bit(biases)) == 340);
  CHECK(sum(llama, {}, bit(two_matrices)) == 340 - 2 * 24);
  CHECK(sum(llama, without(embedding), bit(two_matrices)) == 300 - 2 * 24);
  CHECK(sum(llama, {.places = embedding}, bit(norms)) == 40);
}

TEST_CASE("the final norm is a norm after the layers, with its bias", "[claim]") {
  constexpr std::uint32_t final_norm = bit(RowSwitch::final_norm);
  constexpr std::string_view gpt2 = R"({"model_type": "gpt2", "n_embd": 4, "n_head": 2, "n_layer": 2, "vocab_size": 10})";
  CHECK(sum(gpt2, {}) - sum(gpt2, {}, final_norm) == 2 * 4);
  // BERT's only norm outside its layers belongs to the embeddings.
  constexpr std::string_view bert = R"({"model_type": "bert", "architectures": ["BertModel"]})";
  CHECK(sum(bert, {}) == sum(bert, {}, final_norm));
  // The switch for the final norm removes only one norm. In T5, the encoder and the decoder have one of 512 each, and the decoder's is
  // removed.
  constexpr std::string_view t5 = R"({"model_type": "t5"})";
  CHECK(sum(t5, {}) - sum(t5, {}, final_norm) == 512);
}

TEST_CASE("experts are counted as active, or as a single one", "[claim]") {
  using enum RowSwitch::Name;
  CHECK(sum(mixtral, {}, bit(experts_once)) == 804 - 2 * 3 * 72);
  CHECK(sum(mixtral, {}, bit(router)) == 804 - 2 * 16);
  CHECK(sum(mixtral, {.active = true}, bit(router)) == 804 - 2 * 2 * 72 - 2 * 16);
}

TEST_CASE("scopes and switches may include tensors that are not parameters", "[claim]") {
  using enum RowSwitch::Name;
  const std::string tied = std::string(llama.substr(0, llama.size() - 1)) + R"(, "tie_word_embeddings": true})";
  CHECK(sum(tied, {}) == 300);
  CHECK(sum(tied, {}, bit(tied_head)) == 340);
  CHECK(sum(tied, without(head), bit(tied_head)) == 300);
  // The routers of DeepSeek-V3 have 58 × 256 score corrections. Its prediction layer has 13,463,426,304 parameters, and its files store
  // 41,540,496 scales.
  const std::string_view deepseek = R"({"model_type": "deepseek_v3", "num_nextn_predict_layers": 1,
    "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}})";
  CHECK(sum(deepseek, {.buffers = true}) - sum(deepseek, {}) == 58 * 256);
  CHECK(sum(deepseek, {.buffers = true, .published = true}) == 684'531'386'000);
  CHECK(sum(deepseek, {}, bit(scales)) - sum(deepseek, {}) == 41'540'496);
}

TEST_CASE("a sum may cover some tensors, and one copy of each", "[claim]") {
  CHECK(sum(llama, {}, 0, {{"q_proj", "k_proj"}}) == 2 * (16 + 8));
  CHECK(sum(llama, {}, 0, {{"q_proj", "k_proj"}, true}) == 16 + 8);
}

TEST_CASE("rows that are counted differently are listed with their share", "[claim]") {
  const Document document(mixtral);
  const Model model(document.root());
  const std::vector<RowShare> rows = rows_of(model, {}, bit(RowSwitch::final_norm) | bit(RowSwitch::router));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].name.ends_with("gate.weight"));
  CHECK((rows[0].counted == 0 && rows[0].usual == 2 * 16));
  CHECK(rows[1].name == "model.norm.weight");
  CHECK((rows[1].counted == 0 && rows[1].usual == 4));
  const std::vector<RowShare> of_scope = rows_of(model, without(head), 0);
  REQUIRE(of_scope.size() == 1);
  CHECK(of_scope[0].name == "lm_head.weight");
}

}  // namespace param_ledger::test
