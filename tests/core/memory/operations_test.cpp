#include "core/memory/operations.hpp"

#include <tuple>

#include "core/api/report.hpp"
#include "tests/support/oracle.hpp"

namespace param_ledger::test {

namespace {

const Json llama_2_7b = {{"model_type", "llama"}};

Json gpt_oss(int layers, int experts) {
  return {{"model_type", "gpt_oss"},   {"num_hidden_layers", layers}, {"num_local_experts", experts}, {"hidden_size", 2880},
          {"intermediate_size", 2880}, {"num_attention_heads", 64},   {"num_key_value_heads", 8},     {"head_dim", 64},
          {"vocab_size", 201088},      {"sliding_window", 128},       {"num_experts_per_tok", 4}};
}

Json ask(const Json& config, const Json& request) { return parsed(operations(config.dump(), request.dump())); }

/// A member of one convention in the answer; empty if the answer lacks the convention or the member.
std::string member(const Json& answer, const std::string& id, const char* name) {
  for (const Json& c : answer.at("conventions"))
    if (c.at("id") == id) return c.value(name, "");
  return {};
}

}  // namespace

TEST_CASE("maxtext's TFLOPs of Llama 2 7B, with attention in full and causal", "[operations]") {
  // github.com/AI-Hypercomputer/maxtext/pull/1988: 1721.22 and 1510.11 TFLOPs for 4 sequences of 8,192 tokens
  const Json answer = ask(llama_2_7b, {{"tokens", 8192}, {"batch", 4}});
  CHECK(member(answer, "training_full", "total") == "1721216733806592");
  CHECK(member(answer, "training_causal", "total") == "1510110501273600");
  CHECK(member(answer, "training_windowed", "total") == "");
  CHECK(member(ask(gpt_oss(2, 4), {{"tokens", 4096}}), "training_windowed", "total") != "");
  // A window that is as long as the context leaves nothing out.
  CHECK(member(ask(gpt_oss(2, 4), {{"tokens", 128}}), "training_windowed", "total") == "");
  CHECK(member(ask(gpt_oss(2, 4), {{"tokens", 129}}), "training_windowed", "total") != "");
  // The two numbers differ by half of the attention: 3 passes of 2 × 32 layers × 2 × 4,096 × 8,192² × 4 sequences ÷ 2.
  static_assert(Count{1721216733806592} - Count{1510110501273600} == Count{3} * 32 * 2 * 4096 * 8192 * 8192 * 4);
}

TEST_CASE("a pass with sliding windows leaves out the pairs outside of them", "[operations]") {
  // One of two layers has a window of 128 tokens. Each of the 64 heads has keys and values of 64, so in that layer each of 4,096 tokens has
  // 4,096 − 128 fewer pairs, of 64 × (64 + 64) multiply-adds each.
  const Json answer = ask(gpt_oss(2, 4), {{"tokens", 4096}});
  const auto total_of = [&](const std::string& id) { return Count(std::stoull(member(answer, id, "total"))); };
  constexpr Count less = Count{2} * 64 * (64 + 64) * 4096 * (4096 - 128);
  CHECK(bool(total_of("forward_full") - total_of("forward_windowed") == less));
  CHECK(bool(total_of("training_full") - total_of("training_windowed") == 3 * less));
  CHECK(bool(3 * total_of("forward_full") == total_of("training_full")));
}

TEST_CASE("torchtitan's operations per token of gpt-oss", "[operations]") {
  // github.com/pytorch/torchtitan/pull/4300: 6 × 5,132,849,472 + 12 × 64 × 64 × 18 × (4,096 + 128). Half of the 36 layers have a
  // sliding window of 128 tokens.
  const Json large = ask(gpt_oss(36, 128), {{"tokens", 4096}});
  CHECK(member(large, "palm_windowed", "per_token") == "34534221696");
  static_assert(Count{6} * 5'132'849'472 + Count{12} * 64 * 64 * 18 * (4096 + 128) == 34'534'221'696);
  // Without any sliding window, it would be 38.0 billion.
  CHECK(member(large, "palm", "per_token") == "38044854144");
  static_assert(Count{6} * 5'132'849'472 + Count{12} * 36 * 64 * 64 * 4096 == 38'044'854'144);
  const Json small = ask(gpt_oss(24, 32), {{"tokens", 4096}});
  CHECK(member(small, "palm", "per_token") == "26481681792");
  static_assert(Count{6} * 3'608'307'264 + Count{12} * 24 * 64 * 64 * 4096 == 26'481'681'792);
  CHECK(member(small, "six_n_non_embedding", "per_token") == "21649843584");
}

TEST_CASE("CS336's forward pass of GPT-2 XL", "[operations]") {
  const Json config = {{"model_type", "generic"},   {"hidden_size", 1600},       {"num_hidden_layers", 48},
                       {"num_attention_heads", 25}, {"intermediate_size", 6400}, {"gated_mlp", true},
                       {"norm", "rms_norm"},        {"vocab_size", 50257},       {"tie_word_embeddings", false}};
  CHECK(member(ask(config, {{"tokens", 1024}}), "forward_full", "total") == "4513336524800");
}

TEST_CASE("the scaling book's layers: 18·B·T·D·F, 24·B·T·D·N·H and 12·B·T²·N·H", "[operations]") {
  // jax-ml.github.io/scaling-book/transformers: Llama 2 13B's dimensions, with three F·D matrices and one key-value head per query head.
  const Count l = 40, d = 5120, f = 13824, v = 32000, t = 4096;
  const Json config = {
      {"model_type", "llama"}, {"hidden_size", 5120}, {"num_hidden_layers", 40}, {"num_attention_heads", 40}, {"intermediate_size", 13824}};
  const Count wanted = l * (18 * t * d * f + 24 * t * d * d + 12 * t * t * d) + 6 * t * d * v;
  CHECK(member(ask(config, {{"tokens", 4096}}), "training_full", "total") == digits(wanted));
}

TEST_CASE("2·N and 6·N with and without tables, and recomputation", "[operations]") {
  const Json answer = ask(llama_2_7b, {{"tokens", 1000}});
  CHECK(member(answer, "two_n", "per_token") == digits(Count{2} * 6'738'415'616));
  CHECK(member(answer, "six_n", "total") == digits(Count{6} * 6'738'415'616 * 1000));
  CHECK(member(answer, "six_n_non_embedding", "per_token") == digits(Count{6} * (6'738'415'616 - 131'072'000)));
  // With recomputation, training takes as many operations as four forward passes. Without, it takes three.
  const Count forward = Count(std::stoull(member(answer, "forward_full", "total")));
  CHECK(member(answer, "training_full", "total") == digits(3 * forward));
  CHECK(member(answer, "training_recomputed", "total") == digits(4 * forward));
  CHECK(member(answer, "palm_windowed", "total").empty());  // no windows
}

TEST_CASE("the multiplications that MLA repeats for each cached token are not part of a forward pass", "[operations]") {
  const Json config = {{"model_type", "deepseek_v3"}, {"num_hidden_layers", 1}, {"first_k_dense_replace", 1}};
  const auto forward = [&](int tokens) { return std::stoull(member(ask(config, {{"tokens", tokens}}), "forward_full", "total")); };
  // The only summand that is not linear in T is 2·A·T². Each of the 128 heads has keys of 192 and values of 128.
  CHECK(forward(200) - 2 * forward(100) == 2 * 128 * (192 + 128) * (200 * 200 - 2 * 100 * 100));
}

TEST_CASE("formulas and their numbers are written out", "[operations]") {
  // Llama 2 7B without its table of 32,000 × 4,096 and its 65 norms multiplies 6,607,077,376 weights. 32 layers of 32 heads have keys and
  // values of 128.
  static_assert(6'738'415'616 - 32'000 * 4096 - 65 * 4096 == 6'607'077'376);
  static_assert(32 * 32 * (128 + 128) == 262'144);
  const Json answer = ask(llama_2_7b, {{"tokens", 1000}});
  const auto written = [&](const char* id) { return member(answer, id, "formula") + " = " + member(answer, id, "substitution"); };
  CHECK(written("forward_full") == "2·M·T + 2·A·T² = 2 × 6,607,077,376 × 1,000 + 2 × 262,144 × 1,000²");
  CHECK(written("forward_causal") == "2·M·T + A·T² = 2 × 6,607,077,376 × 1,000 + 262,144 × 1,000²");
  CHECK(written("training_full") == "6·M·T + 6·A·T² = 6 × 6,607,077,376 × 1,000 + 6 × 262,144 × 1,000²");
  CHECK(written("training_causal") == "6·M·T + 3·A·T² = 6 × 6,607,077,376 × 1,000 + 3 × 262,144 × 1,000²");
  CHECK(written("training_recomputed") == "8·M·T + 8·A·T² = 8 × 6,607,077,376 × 1,000 + 8 × 262,144 × 1,000²");
  CHECK(written("two_n") == "2·N·T = 2 × 6,738,415,616 × 1,000");
  CHECK(written("six_n_non_embedding") == "6·N·T = 6 × 6,607,343,616 × 1,000");
  // 6·A·T operations of attention for each token.
  CHECK(written("palm") == "(6·N + 12·L·h·q·T)·T = (6 × 6,607,343,616 + 1,572,864,000) × 1,000");
  CHECK(member(ask(llama_2_7b, {{"tokens", 1000}, {"batch", 3}}), "two_n", "substitution") == "3 × (2 × 6,738,415,616 × 1,000)");
  // Each of two layers of gpt-oss has 64 heads of 64, and one of them has a window of 128 tokens.
  const Json windowed = ask(gpt_oss(2, 4), {{"tokens", 1000}});
  CHECK(member(windowed, "forward_windowed", "formula") == "2·M·T + 2·T·W");
  CHECK(member(windowed, "training_windowed", "substitution").ends_with(" × 1,000 + 6 × 1,000 × 9,240,576"));
  static_assert(64 * (64 + 64) * (1000 + 128) == 9'240'576);
}

TEST_CASE("operations that a prompt needs once are a term of their own", "[operations]") {
  // Whisper large-v3-turbo: each of 4 decoder layers computes keys and values of 1,500 encoder positions with two matrices of 1,280 ×
  // 1,280.
  static_assert(Count{4} * 2 * 1280 * 1280 * 1500 == 19'660'800'000);
  const Json whisper = {{"model_type", "whisper"},
                        {"architectures", {"WhisperForConditionalGeneration"}},
                        {"d_model", 1280},
                        {"decoder_attention_heads", 20},
                        {"decoder_ffn_dim", 5120},
                        {"decoder_layers", 4},
                        {"encoder_attention_heads", 20},
                        {"encoder_ffn_dim", 5120},
                        {"encoder_layers", 32},
                        {"num_mel_bins", 128},
                        {"vocab_size", 51866}};
  const Json answer = ask(whisper, {{"tokens", 100}});
  for (const auto& [id, formula, times] :
       std::vector<std::tuple<std::string, std::string, std::string>>{{"forward_full", "2·M·T + 2·A·T² + 2·E", "2"},
                                                                      {"forward_causal", "2·M·T + A·T² + 2·E", "2"},
                                                                      {"training_full", "6·M·T + 6·A·T² + 6·E", "6"},
                                                                      {"training_causal", "6·M·T + 3·A·T² + 6·E", "6"},
                                                                      {"training_recomputed", "8·M·T + 8·A·T² + 8·E", "8"}}) {
    CHECK(member(answer, id, "formula") == formula);
    CHECK(member(answer, id, "substitution").ends_with("² + " + times + " × 19,660,800,000"));
    CHECK(member(answer, id, "per_token").empty());
  }
  CHECK_FALSE(member(answer, "two_n", "per_token").empty());
}

TEST_CASE("if some operations are unknown, only the rules of thumb are left", "[operations]") {
  const Json known = ask(llama_2_7b, {{"tokens", 100}}), unknown = ask({{"model_type", "llama4_text"}}, {{"tokens", 100}});
  CHECK_FALSE(known.contains("unknown"));
  CHECK_FALSE(unknown.at("unknown").get<std::string>().empty());
  std::string ids;
  for (const Json& c : unknown.at("conventions")) ids += c.at("id").get<std::string>() + ' ';
  CHECK(ids == "two_n two_n_non_embedding six_n six_n_non_embedding ");
}

TEST_CASE("a tied head is multiplied and counts for PaLM's utilization", "[operations]") {
  // nanoGPT's estimate_mfu: N without position embeddings, 124,439,808 − 786,432, and 12·L·H·Q·T
  const Json answer = ask({{"model_type", "gpt2"}}, {{"tokens", 1024}});
  CHECK(member(answer, "palm", "per_token") == digits(Count{6} * 123'653'376 + Count{12} * 12 * 12 * 64 * 1024));
}

TEST_CASE("utilization follows from tokens per second, devices and a peak", "[operations]") {
  // 34,534,221,696 × 250,000 ÷ (64 × 989.5e12) = 13.633… %
  const Json request = {{"tokens", 4096}, {"tokens_per_second", "250000"}, {"devices", 64}, {"peak", "989.5"}};
  const Json answer = ask(gpt_oss(36, 128), request);
  CHECK(member(answer, "palm_windowed", "utilization") == "13.63");
  CHECK(member(answer, "palm", "utilization") == "15.02");
  // 2 × 6,738,415,616 × 1,021 ÷ 1,000 × 10^12 = 1.37598… %, and with 1,020 tokens 1.37464… %
  const auto rounded = [](const char* rate) {
    return member(ask(llama_2_7b, {{"tokens_per_second", rate}, {"peak", "1000"}}), "two_n", "utilization");
  };
  CHECK(rounded("1021") == "1.38");
  CHECK(rounded("1020") == "1.37");
  CHECK(rounded("10") == "0.01");
  const auto refused = [&](const Json& asked) { return ask(llama_2_7b, asked).at("error").at("field").get<std::string>(); };
  CHECK(refused({{"tokens_per_second", "250000"}}) == "peak");
  CHECK(refused({{"peak", "989"}}) == "tokens_per_second");
  CHECK(refused({{"peak", "fast"}, {"tokens_per_second", "1"}}) == "peak");
  CHECK(refused({{"peak", "0"}, {"tokens_per_second", "1"}}) == "peak");
  CHECK(refused({{"tokens", 0}}) == "tokens");
}

TEST_CASE("a prompt and its source may have a single token", "[operations]") {
  for (const char* field : {"tokens", "source", "batch"}) {
    CHECK(ask(llama_2_7b, {{field, 1}}).at("ok") == true);
    CHECK(ask(llama_2_7b, {{field, 0}}).at("error").at("field") == field);
  }
}

}  // namespace param_ledger::test
