#include "core/compare/roles.hpp"

#include <map>

#include "core/json/json_text.hpp"
#include "core/model/model.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// The roles of a model's tensors, by name.
std::map<std::string, std::string> roles(std::string_view config) {
  const Document document(config);
  const Model model(document);
  const std::vector<Row>& rows = model.builder.rows();
  const std::vector<std::string> all = roles_of(model);
  std::map<std::string, std::string> out;
  for (std::size_t i = 0; i < rows.size(); ++i) out[std::string(rows[i].name)] = all[i];
  return out;
}

}  // namespace

TEST_CASE("roles do not depend on a type's names", "[roles]") {
  auto llama = roles(R"({"model_type": "llama"})"), internlm = roles(R"({"model_type": "internlm2"})");
  CHECK(llama.at("model.layers.[0-31].self_attn.o_proj.weight") == "output");
  CHECK(llama.at("model.layers.[0-31].mlp.down_proj.weight") == "down");
  CHECK(internlm.at("model.layers.[0-31].attention.wqkv.weight") == "query, key and value");
  CHECK(internlm.at("model.layers.[0-31].attention.wo.weight") == "output");
  CHECK(internlm.at("model.layers.[0-31].feed_forward.w2.weight") == "down");
  CHECK(internlm.at("model.tok_embeddings.weight") == llama.at("model.embed_tokens.weight"));
}

TEST_CASE("a gated block distinguishes gate and up", "[roles]") {
  // In Qwen 1's code the activation is applied to w2, and w1 is the factor. In EXAONE and CPM-Ant it is applied to the first matrix.
  auto qwen = roles(R"({"model_type": "qwen"})");
  CHECK(qwen.at("transformer.h.[0-31].mlp.w2.weight") == "gate");
  CHECK(qwen.at("transformer.h.[0-31].mlp.w1.weight") == "up");
  CHECK(qwen.at("transformer.h.[0-31].mlp.c_proj.weight") == "down");
  auto exaone = roles(R"({"model_type": "exaone"})");
  CHECK(exaone.at("transformer.h.[0-31].mlp.c_fc_0.weight") == "gate");
  CHECK(exaone.at("transformer.h.[0-31].mlp.c_fc_1.weight") == "up");
  CHECK(exaone.at("transformer.h.[0-31].mlp.c_proj.weight") == "down");
  auto cpm_ant = roles(R"({"model_type": "cpmant"})");
  CHECK(cpm_ant.at("cpmant.encoder.layers.[0-47].ffn.ffn.w_in.w_0.weight") == "gate");
  CHECK(cpm_ant.at("cpmant.encoder.layers.[0-47].ffn.ffn.w_out.weight") == "down");
}

TEST_CASE("a norm that is listed after its block may precede it", "[roles]") {
  const auto place = [](std::string_view config) { return roles(config).at("model.decoder.layers.[0-11].self_attn_layer_norm.weight"); };
  // Whisper and mBART are pre-norm and BART is post-norm, although the norms in their layers have equal names and positions.
  CHECK(roles(R"({"model_type": "whisper"})").at("model.decoder.layers.[0-3].self_attn_layer_norm.weight") == "norm before attention");
  CHECK(place(R"({"model_type": "mbart"})") == "norm before attention");
  CHECK(place(R"({"model_type": "bart"})") == "norm after attention");
  // The norms of MusicGen's decoder have roles, although the model also contains a text encoder and an audio codec.
  CHECK(roles(R"({"model_type": "musicgen"})").at("decoder.model.decoder.layers.[0-23].self_attn_layer_norm.weight") ==
        "norm before attention");
  // In OPT, the field do_layer_norm_before decides whether the norm comes before attention.
  CHECK(place(R"({"model_type": "opt"})") == "norm before attention");
  CHECK(place(R"({"model_type": "opt", "do_layer_norm_before": false})") == "norm after attention");
  // The code that builds BERT's layers records where their norms are applied. Megatron-BERT is pre-norm.
  const auto bert = roles(R"({"model_type": "bert"})");
  CHECK(bert.at("bert.embeddings.LayerNorm.weight") == "embedding norm");
  CHECK(bert.at("bert.encoder.layer.[0-11].attention.output.LayerNorm.weight") == "norm after attention");
  CHECK(bert.at("bert.encoder.layer.[0-11].output.LayerNorm.bias") == "norm after feed-forward bias");
  CHECK(roles(R"({"model_type": "megatron-bert"})").at("bert.encoder.layer.[0-23].ln.weight") == "norm before feed-forward");
  // Where CTRL applies its norms has not been verified, so they have no role.
  CHECK(roles(R"({"model_type": "ctrl"})").at("transformer.h.[0-47].layernorm1.weight").empty());
}

TEST_CASE("norms get their roles from neighbouring modules", "[roles]") {
  auto llama = roles(R"({"model_type": "llama"})");
  CHECK(llama.at("model.layers.[0-31].input_layernorm.weight") == "norm before attention");
  CHECK(llama.at("model.layers.[0-31].post_attention_layernorm.weight") == "norm before feed-forward");
  CHECK(llama.at("model.norm.weight") == "last norm");
  // With sandwich norms, `post_attention_layernorm` is applied to the attention's output, unlike in Llama.
  auto gemma = roles(R"({"model_type": "gemma2"})");
  CHECK(gemma.at("model.layers.[0-25].post_attention_layernorm.weight") == "norm after attention");
  CHECK(gemma.at("model.layers.[0-25].pre_feedforward_layernorm.weight") == "norm before feed-forward");
  CHECK(gemma.at("model.layers.[0-25].post_feedforward_layernorm.weight") == "norm after feed-forward");
  // OLMo 2 normalises a block's output, not its input.
  auto olmo = roles(R"({"model_type": "olmo2"})");
  CHECK(olmo.at("model.layers.[0-31].post_attention_layernorm.weight") == "norm after attention");
  CHECK(olmo.at("model.layers.[0-31].self_attn.q_norm.weight") == "query norm");
}

TEST_CASE("experts, encoders and cross-attention have their own roles", "[roles]") {
  auto qwen = roles(R"({"model_type": "qwen2_moe"})");
  CHECK(qwen.at("model.layers.[0-23].mlp.experts.[0-59].gate_proj.weight") == "expert gate");
  CHECK(qwen.at("model.layers.[0-23].mlp.shared_expert.gate_proj.weight") == "shared expert gate");
  CHECK(qwen.at("model.layers.[0-23].mlp.gate.weight") == "router");
  auto bart = roles(R"({"model_type": "bart", "architectures": ["BartModel"]})");
  CHECK(bart.at("encoder.layers.[0-11].self_attn.q_proj.bias") == "encoder query bias");
  CHECK(bart.at("decoder.layers.[0-11].encoder_attn.q_proj.weight") == "cross query");
  CHECK(bart.at("decoder.layers.[0-11].self_attn.q_proj.weight") == "query");
}

TEST_CASE("MLA, attention gates and routers have roles whatever their names", "[roles]") {
  auto deepseek = roles(R"({"model_type": "deepseek_v3"})"), own = roles(R"({"model_type": "mistral_large4_text"})");
  CHECK(deepseek.at("model.layers.[0-60].self_attn.q_a_proj.weight") == "query down");
  CHECK(deepseek.at("model.layers.[0-60].self_attn.q_b_proj.weight") == "query up");
  CHECK(deepseek.at("model.layers.[0-60].self_attn.kv_a_proj_with_mqa.weight") == "key and value down");
  CHECK(deepseek.at("model.layers.[0-60].self_attn.kv_b_proj.weight") == "key and value up");
  const auto role_of_suffix = [](const std::map<std::string, std::string>& all, std::string_view suffix) {
    for (const auto& [name, role] : all)
      if (std::string_view(name).ends_with(suffix)) return role;
    return std::string("no such tensor");
  };
  CHECK(role_of_suffix(own, "wkv_a_with_mqa.weight") == "key and value down");
  CHECK(role_of_suffix(own, "attention.wkv_b.weight") == "key and value up");
  CHECK(role_of_suffix(roles(R"({"model_type": "afmoe"})"), "self_attn.gate_proj.weight") == "attention gate");
  CHECK(role_of_suffix(roles(R"({"model_type": "laguna"})"), "self_attn.g_proj.weight") == "attention gate");
  CHECK(role_of_suffix(roles(R"({"model_type": "qwen2_moe"})"), "mlp.shared_expert_gate.weight") == "gate of the shared expert");
  CHECK(role_of_suffix(roles(R"({"model_type": "zaya"})"), "router_mlp.out_proj.weight") == "router");
  CHECK(role_of_suffix(roles(R"({"model_type": "inkling_text"})"), "shared_experts.down_proj") == "shared expert down");
}

TEST_CASE("towers and unspecified tensors have no roles", "[roles]") {
  for (const auto& [name, role] : roles(R"({"model_type": "llava"})"))
    if (name.find("vision_tower") != std::string::npos || name.find("projector") != std::string::npos) CHECK(role.empty());
}

}  // namespace param_ledger::test
