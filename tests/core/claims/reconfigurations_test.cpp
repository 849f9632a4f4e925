#include "core/claims/reconfigurations.hpp"

#include "tests/support/catch.hpp"

namespace param_ledger::test {

namespace {

/// The labels of all reconfigurations, or of those with the given id.
std::string offered(std::string_view config, std::string_view id = "") {
  const Document document(config);
  std::string out;
  for (const Reconfiguration& r : reconfigurations(Model(document.root())))
    if (id.empty() || r.id == id) out += (out.empty() ? "" : ", ") + r.label;
  return out;
}

}  // namespace

TEST_CASE("another class is offered only if people mean it by the model", "[claim]") {
  CHECK(offered(R"({"model_type": "llama"})", "other_class") == "the class LlamaModel");
  CHECK(offered(R"({"model_type": "bert", "architectures": ["BertForMaskedLM"]})", "other_class").find("the class BertModel") !=
        std::string::npos);
  CHECK(offered(R"({"model_type": "bert"})", "other_class").find("Classification") == std::string::npos);
}

TEST_CASE("grouped queries, head dimension and tying are changed only if the model has them", "[claim]") {
  CHECK(offered(R"({"model_type": "llama"})", "no_grouped_queries").empty());
  CHECK(offered(R"({"model_type": "llama", "num_key_value_heads": 8})", "no_grouped_queries") == "32 key-value heads");
  CHECK(offered(R"({"model_type": "llama", "head_dim": 64})", "head_dim_as_share") == "heads of 128");
  CHECK(offered(R"({"model_type": "llama"})", "as_if_tied") == "a tied head");
  CHECK(offered(R"({"model_type": "gpt2"})", "as_if_untied") == "an untied head");
  // FastVLM also reads tie_word_embeddings in text_config, but a tied head must be offered only once.
  CHECK(offered(R"({"model_type": "fast_vlm", "tie_word_embeddings": false, "text_config": {"tie_word_embeddings": false}})",
                "as_if_tied") == "a tied head");
}

TEST_CASE("a vocabulary is padded or without padding", "[claim]") {
  CHECK(offered(R"({"model_type": "llama"})", "padded_vocabulary") == "a vocabulary padded to 32,256, a vocabulary padded to 32,768");
  CHECK(offered(R"({"model_type": "gemma", "vocab_size": 256000})", "padded_vocabulary") == "a vocabulary padded to 256,128");
  CHECK(offered(R"({"model_type": "gpt_neox", "vocab_size": 50304})", "unpadded_vocabulary") ==
        "an unpadded vocabulary of 50,257, an unpadded vocabulary of 50,254, an unpadded vocabulary of 50,277, an unpadded vocabulary of "
        "50,280, an unpadded vocabulary of 50,295");
}

TEST_CASE("a different number of layers is not a convention", "[claim]") {
  CHECK(offered(R"({"model_type": "llama"})").find("layer") == std::string::npos);
}

}  // namespace param_ledger::test
