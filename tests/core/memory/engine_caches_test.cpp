// Tests the cache sizes of inference engines against the engines' own logs and calculations by hand.

#include "core/memory/engine_caches.hpp"

#include "core/api/report.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// The cache that an engine allocates for a model; null if the answer does not list the engine.
Json kept(const std::string& config, const std::string& options, const std::string& engine) {
  const Json answer = parsed(memory(config, "{" + options + "}"));
  for (const Json& cache : answer.at("cache").at("engines"))
    if (cache.at("engine") == engine) return cache;
  return {};
}

std::string published(const std::string& name) {
  for (const Json& model : json_of("models.json"))
    if (model.at("name") == name) return model.at("config").dump();
  return {};
}

std::string bytes(const Json& cache, const char* what) { return cache.at(what).at("bytes").get<std::string>(); }

constexpr Count mebibyte = Count{1} << 20U;

}  // namespace

TEST_CASE("llama.cpp keeps cells of keys and values, and recurrent states for each sequence", "[engine_caches]") {
  // lmstudio-bug-tracker#1862, Qwen3.6 27B, which has the dimensions of Qwen3.5 27B: 16,384 MiB for 262,144 cells, and 598.50 MiB for 4
  // states
  const std::string qwen = published("Qwen/Qwen3.5-27B");
  const Json four = kept(qwen, R"("tokens":65536,"batch":4)", "llama.cpp");
  CHECK(bytes(four, "keys") == digits(8192 * mebibyte));
  CHECK(bytes(four, "values") == digits(8192 * mebibyte));
  CHECK(bytes(four, "states") == digits(mebibyte * 5985 / 10));
  // In each of 48 layers, the states are 3 × 10,240 convolution inputs and 48 heads of 128 × 128, in 32 bits.
  static_assert(Count{4} * 48 * (3 * 10'240 + 48 * 128 * 128) == 156'893'184);
  CHECK(bytes(kept(qwen, R"("tokens":262144)", "llama.cpp"), "states") == "156893184");
  // ggml-org/llama.cpp#11200, Qwen2.5 32B: 2,176 MiB of keys and of values in Q8_0 for 32,768 cells
  const Json eight = kept(published("Qwen/Qwen2.5-32B"), R"("tokens":32768,"cache":"float8")", "llama.cpp");
  CHECK(eight.at("type") == "Q8_0");
  CHECK(bytes(eight, "keys") == digits(2176 * mebibyte));
  CHECK(bytes(eight, "values") == digits(2176 * mebibyte));
  CHECK(bytes(eight, "total") == digits(4352 * mebibyte));
  for (const char* none : {"states", "block", "devices"}) CHECK_FALSE(eight.contains(none));
}

TEST_CASE("SGLang's log gives keys and values of a rank in GiB", "[engine_caches]") {
  // vllm-project/vllm#21348, Qwen3 235B A22B on 4 devices: 367,404 tokens, "K size: 8.23 GB, V size: 8.23 GB"
  const Json rank = kept(published("Qwen/Qwen3-235B-A22B"), R"("tokens":367404,"devices":4)", "SGLang");
  static_assert(Count{94} * 1 * 128 * 2 * 367'404 == 8'841'209'856);
  CHECK(bytes(rank, "keys") == "8841209856");
  CHECK(rank.at("keys").at("gib") == "8.23");
  CHECK(rank.at("values") == rank.at("keys"));
  CHECK(rank.at("devices") == "4");
}

TEST_CASE("vLLM keeps whole blocks, which are longer if a layer has states", "[engine_caches]") {
  // vllm-project/vllm#34076: the cache of Qwen3-Coder 30B A3B takes 24.0 GiB for 262,144 tokens. That model has the dimensions of Qwen3 30B
  // A3B.
  const std::string coder =
      R"({"model_type":"qwen3_moe","num_hidden_layers":48,"num_attention_heads":32,"num_key_value_heads":4,"head_dim":128})";
  const Json whole = kept(coder, R"("tokens":262144)", "vLLM");
  CHECK(whole.at("total").at("gib") == "24.0");
  CHECK(whole.at("block") == "16");
  // A seventeenth token opens a second block.
  CHECK(bytes(kept(coder, R"("tokens":17)", "vLLM"), "total") == digits(Count{48} * 2 * 4 * 128 * 2 * 32));
  CHECK(bytes(kept(coder, R"("tokens":17,"batch":3,"devices":2)", "vLLM"), "total") == digits(Count{3} * 48 * 2 * 2 * 128 * 2 * 32));
  // vLLM's logs for Qwen3.5 27B and its successors say "Setting attention block size to 784 tokens" and "Padding mamba page size by 0.13%".
  // With 8-bit keys and values, a block has 1,568 tokens.
  const std::string qwen = published("Qwen/Qwen3.5-27B");
  constexpr Count states = 2 * 3 * 10'240 + 4 * 48 * 128 * 128, page = Count{784} * 2 * 4 * 256 * 2;
  static_assert(states == 3'207'168 && page == 3'211'264 && (page - states) * 10'000 / states == 12);
  const Json hybrid = kept(qwen, R"("tokens":785)", "vLLM");
  CHECK(hybrid.at("block") == "784");
  CHECK(bytes(hybrid, "states") == digits(48 * page));
  CHECK(bytes(hybrid, "keys") == digits(16 * page));  // keys take half of each of the two blocks
  CHECK(kept(qwen, R"("cache":"float8")", "vLLM").at("block") == "1568");
  // vLLM's block size is 2,096 tokens for Qwen3.6 35B A3B with an 8-bit KV cache. That model has the dimensions of Qwen3.5 35B A3B.
  const std::string mixture = published("Qwen/Qwen3.5-35B-A3B");
  CHECK(kept(mixture, R"("cache":"float8")", "vLLM").at("block") == "2096");
  // Two devices halve the heads of attention and the states alike, so the block size stays equal.
  CHECK(kept(mixture, R"("devices":2)", "vLLM").at("block") == kept(mixture, "", "vLLM").at("block"));
}

TEST_CASE("vLLM's groups of layers are known if layers with states are a multiple of the others", "[engine_caches]") {
  const auto reason = [](const Json& layers, const Json& more, const std::string& options) {
    Json config = {{"model_type", "qwen3_next"}, {"mamba_ssm_dtype", "float32"}, {"layer_types", layers}, {"num_key_value_heads", 4}};
    config["num_hidden_layers"] = layers.size();
    config.update(more);
    return kept(config.dump(), options, "vLLM").value("reason", "");
  };
  const char *const states = "linear_attention", *const keys = "full_attention";
  CHECK(reason({states, keys, states, keys}, Json::object(), "").empty());
  CHECK(reason({states, keys, states, keys, states, states}, Json::object(), "").empty());
  CHECK(reason({states, keys, states, keys, states}, Json::object(), "").starts_with("Its groups of layers are known only if"));
  CHECK(reason({keys, states, keys}, Json::object(), "").starts_with("Its groups of layers are known only if"));
  // Four devices divide four heads of states, but not six. They divide a convolution of 2 + 2 + 4 channels, but not one of 1 + 1 + 4.
  const auto sizes = [](int value_heads, int key_size) {
    return Json{{"linear_num_key_heads", 1},
                {"linear_num_value_heads", value_heads},
                {"linear_key_head_dim", key_size},
                {"linear_value_head_dim", 1}};
  };
  const std::string divided = R"("devices":4)", uneven = "The recurrent states cannot be divided evenly among the devices.";
  CHECK(reason({states, keys}, sizes(4, 2), divided).empty());
  CHECK(reason({states, keys}, sizes(4, 1), divided) == uneven);
  CHECK(reason({states, keys}, sizes(6, 1), divided) == uneven);  // 1 + 1 + 6 channels
}

TEST_CASE("a cache without a log of the engine is not known", "[engine_caches]") {
  const auto reason = [](const std::string& config, const std::string& options, const char* engine) {
    return kept(config, options, engine).value("reason", "");
  };
  const std::string llama = R"({"model_type":"llama"})", qwen = published("Qwen/Qwen3.5-27B");
  CHECK(reason(llama, R"("tokens":1000)", "llama.cpp").find("multiple of 256") != std::string::npos);
  CHECK(reason(llama, R"("cache":"float32")", "llama.cpp").find("32-bit") != std::string::npos);
  CHECK(reason(llama, R"("devices":3)", "SGLang").find("divide") != std::string::npos);
  CHECK(reason(llama, R"("cache":"float8")", "SGLang").find("16-bit") != std::string::npos);
  CHECK(reason(qwen, "", "SGLang").find("Recurrent states") != std::string::npos);
  CHECK(reason(llama, R"("cache":"float32")", "vLLM").find("32-bit") != std::string::npos);
  CHECK(reason(llama, R"("devices":3)", "vLLM").find("divide") != std::string::npos);
  CHECK(reason(R"({"model_type":"qwen3_next"})", "", "vLLM").find("mamba_ssm_dtype") != std::string::npos);
  CHECK(reason(qwen, R"("devices":4)", "vLLM").empty());
  CHECK(reason(qwen, R"("devices":3)", "vLLM").find("key-value heads") != std::string::npos);
  for (const char* engine : {"llama.cpp", "SGLang", "vLLM"}) {
    CHECK(reason(R"({"model_type":"deepseek_v3"})", "", engine).find("Latent attention") != std::string::npos);
    CHECK(reason(R"({"model_type":"gemma2"})", "", engine).find("Sliding windows") != std::string::npos);
    CHECK(reason(R"({"model_type":"mamba"})", "", engine).find("not been compared") != std::string::npos);
    CHECK(reason(R"({"model_type":"jamba"})", "", engine).find("not been compared") != std::string::npos);
    CHECK(reason(R"({"model_type":"t5"})", "", engine).find("encoder") != std::string::npos);
    CHECK(reason(llama, "", engine).empty());
  }
}

}  // namespace param_ledger::test
