// Caches as engines keep them, from their logs.

#include "core/memory/engine_caches.hpp"

#include "core/api/report.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// What one engine keeps of the model in a file of models.
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
  // lmstudio-bug-tracker#1862, Qwen3.6 27B with the sizes of Qwen3.5 27B: 16,384 MiB for 262,144 cells, and 598.50 MiB for 4 states
  const std::string qwen = published("Qwen/Qwen3.5-27B");
  const Json four = kept(qwen, R"("tokens":65536,"batch":4)", "llama.cpp");
  CHECK(bytes(four, "keys") == digits(8192 * mebibyte));
  CHECK(bytes(four, "values") == digits(8192 * mebibyte));
  CHECK(bytes(four, "states") == digits(mebibyte * 5985 / 10));
  // 48 layers of 3 × 10,240 convolution inputs and 48 heads of 128 × 128, in 32 bits
  static_assert(Count{4} * 48 * (3 * 10'240 + 48 * 128 * 128) == 156'893'184);
  CHECK(bytes(kept(qwen, R"("tokens":262144)", "llama.cpp"), "states") == "156893184");
  // ggml-org/llama.cpp#11200, Qwen2.5 32B: 2,176 MiB of keys and of values in Q8_0 for 32,768 cells
  const Json eight = kept(published("Qwen/Qwen2.5-32B"), R"("tokens":32768,"cache":"float8")", "llama.cpp");
  CHECK(eight.at("type") == "Q8_0");
  CHECK(bytes(eight, "keys") == digits(2176 * mebibyte));
  CHECK(bytes(eight, "values") == digits(2176 * mebibyte));
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

TEST_CASE("a cache without a log of the engine is not known", "[engine_caches]") {
  const auto reason = [](const std::string& config, const std::string& options, const char* engine) {
    return kept(config, options, engine).value("reason", "");
  };
  const std::string llama = R"({"model_type":"llama"})", qwen = published("Qwen/Qwen3.5-27B");
  CHECK(reason(llama, R"("tokens":1000)", "llama.cpp").find("multiple of 256") != std::string::npos);
  CHECK(reason(llama, R"("cache":"float32")", "llama.cpp").find("32 bits") != std::string::npos);
  CHECK(reason(llama, R"("devices":3)", "SGLang").find("divide") != std::string::npos);
  CHECK(reason(llama, R"("cache":"float8")", "SGLang").find("16 bits") != std::string::npos);
  CHECK(reason(qwen, "", "SGLang").find("Recurrent states") != std::string::npos);
  for (const char* engine : {"llama.cpp", "SGLang"}) {
    CHECK(reason(R"({"model_type":"deepseek_v3"})", "", engine).find("Latent attention") != std::string::npos);
    CHECK(reason(R"({"model_type":"gemma2"})", "", engine).find("Sliding windows") != std::string::npos);
    CHECK(reason(R"({"model_type":"mamba"})", "", engine).find("is not compared") != std::string::npos);
    CHECK(reason(R"({"model_type":"jamba"})", "", engine).find("is not compared") != std::string::npos);
    CHECK(reason(R"({"model_type":"t5"})", "", engine).find("encoder") != std::string::npos);
    CHECK(reason(llama, "", engine).empty());
  }
}

}  // namespace param_ledger::test
