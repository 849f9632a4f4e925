// Tests configurations of Falcon's first revisions, which use other class and field names. transformers does not contain their code, but
// the layers are those of `falcon`.

#include "tests/support/oracle.hpp"

namespace param_ledger::test {

namespace {

Json falcon(std::initializer_list<std::pair<std::string_view, std::string_view>> fields) { return answer_to(config_of("falcon", fields)); }

/// Checks that a model of a first revision has the same tensors as its counterpart of type `falcon`.
void check_same(const Json& first_revision, const Json& today) {
  REQUIRE(first_revision.at("ok") == true);
  REQUIRE(today.at("ok") == true);
  CHECK(differences(tensors_of(today), tensors_of(first_revision)).empty());
}

}  // namespace

TEST_CASE("RefinedWeb is Falcon's new decoder architecture", "[falcon]") {
  check_same(answer_to(config_of("RefinedWeb", {{"hidden_size", "64"}, {"n_layer", "2"}, {"n_head", "8"}, {"n_head_kv", "2"}})),
             falcon({{"hidden_size", "64"},
                     {"num_hidden_layers", "2"},
                     {"num_attention_heads", "8"},
                     {"num_kv_heads", "2"},
                     {"new_decoder_architecture", "true"}}));
}

TEST_CASE("RefinedWebModel is Falcon with multi-query or multi-head attention", "[falcon]") {
  check_same(answer_to(config_of("RefinedWebModel")), falcon({}));
  check_same(answer_to(config_of("RefinedWebModel", {{"multi_query", "false"}, {"parallel_attn", "false"}, {"bias", "true"}})),
             falcon({{"multi_query", "false"}, {"parallel_attn", "false"}, {"bias", "true"}}));
}

TEST_CASE("Falcon-RW-1B by hand", "[falcon]") {
  // 50,304 · 2,048 + 24 · (qkv 2,048 · 6,144 + 6,144, dense 2,048² + 2,048, up and down 2 · 2,048 · 8,192 + 8,192 + 2,048, two norms 4 ·
  // 2,048) + 2 · 2,048
  CHECK(parameters("RefinedWebModel", {{"hidden_size", "2048"},
                                       {"n_layer", "24"},
                                       {"n_head", "32"},
                                       {"vocab_size", "50304"},
                                       {"multi_query", "false"},
                                       {"parallel_attn", "false"},
                                       {"bias", "true"}}) == "1311625216");
}

}  // namespace param_ledger::test
