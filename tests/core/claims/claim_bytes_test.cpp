#include "core/claims/claim_bytes.hpp"

#include <algorithm>

#include "core/api/report.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// Checks a claim. Returns the answer with the members of its first claim merged into it, as the JavaScript package does.
Json ask(const Json& config, const std::string& claim) {
  Json out = parsed(check(config.dump(), claim));
  if (out.contains("claims")) out.update(Json(out.at("claims").at(0)));
  return out;
}

/// The files that tests/data/files.jsonl describes.
std::vector<Json> files() {
  std::vector<Json> out;
  const std::string text = text_of("files.jsonl");
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) out.push_back(parsed(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
  return out;
}

/// A size in bytes as file listings show it: "4.92 GB".
std::string gigabytes(std::uint64_t bytes) {
  const std::uint64_t hundredths = (bytes + 5'000'000) / 10'000'000;
  const std::string fraction = std::to_string(hundredths % 100);
  return std::to_string(hundredths / 100) + '.' + (fraction.size() < 2 ? "0" : "") + fraction + " GB";
}

std::string first(const Json& answer, const char* member) {
  return answer.at("agreeing").empty() ? "" : answer.at("agreeing").at(0).value(member, "");
}

const Json llama = {{"model_type", "llama"}};

}  // namespace

TEST_CASE("sizes of published files are explained by their contents", "[claim]") {
  std::size_t shards = 0, ggufs = 0;
  for (const Json& file : files()) {
    INFO(file.at("model").get<std::string>());
    if (file.contains("total_size") && !file.contains("holds")) {
      const auto size = file.at("total_size").get<std::uint64_t>();
      const Json answer = ask(file.at("config"), gigabytes(size));
      INFO(answer.dump());
      CHECK_FALSE(answer.at("agreeing").empty());
      ++shards;
    }
    if (!file.contains("gguf")) continue;
    for (const auto& [format, size] : file.at("gguf").items()) {
      if (format == "Q4_0") continue;  // current Q4_0 files store some matrices with more bits
      const std::string text = gigabytes(size.get<std::uint64_t>());
      INFO(format << ", " << text);
      CHECK(first(ask(file.at("config"), text + " in " + format), "stored") == "a file in " + format);
      ++ggufs;
    }
  }
  CHECK(shards > 15);
  CHECK(ggufs > 30);
}

TEST_CASE("the size in a model's name times the bytes of a number", "[claim]") {
  for (const auto& [claim, reading] : std::vector<std::pair<const char*, const char*>>{{"14 GB in fp16", "by the name, 7 billion"},
                                                                                       {"14 GB", "by the name, 7 billion"},
                                                                                       {"28 GB", "by the name, 7 billion"},
                                                                                       {"3.5 GB in int4", "by the name, 7 billion"},
                                                                                       {"13.4 GB in fp16", "by the name, 6.7 billion"}}) {
    const Json answer = ask(llama, claim);
    INFO(answer.dump());
    CHECK(first(answer, "reading") == reading);
  }
  // 8 billion parameters of 2 bytes would take 16 GB, but "8B" is not a reading of 6.7 billion parameters.
  CHECK(ask(llama, "16 GB in fp16").at("agreeing").empty());
}

TEST_CASE("the answer says where the number type is from, and without one two are tried", "[claim]") {
  const auto from = [](const Json& config, const char* claim) { return ask(config, claim).at("claim").at("dtype_from"); };
  CHECK(from(llama, "13.5 GB in fp16") == "claim");
  CHECK(from(llama, "13.5 GB") == "default");
  const Json said = {{"model_type", "llama"}, {"torch_dtype", "float16"}};
  CHECK(from(said, "13.5 GB") == "config");
  CHECK(ask(llama, "4.08 GB in Q4_K_M").at("claim").at("dtype") == "Q4_K_M");
  // 4 bytes × 6,738,415,616
  CHECK_FALSE(ask(llama, "26.95 GB").at("agreeing").empty());
  CHECK(ask(said, "26.95 GB").at("agreeing").empty());
}

TEST_CASE("published files explain only bytes of their own width", "[claim]") {
  const Json eight = {{"model_type", "deepseek_v3"},
                      {"torch_dtype", "bfloat16"},
                      {"num_nextn_predict_layers", 1},
                      {"quantization_config", {{"quant_method", "fp8"}, {"weight_block_size", {128, 128}}, {"fmt", "e4m3"}}}};
  const Json weights = parsed(memory(eight.dump(), "{}")).at("weights");
  const auto files = weights.at("files").at("bytes").get<std::string>(), loaded = weights.at("loaded").at("bytes").get<std::string>();
  CHECK(first(ask(eight, files + " bytes"), "stored") == "the files as published, in float8");
  CHECK(first(ask(eight, files + " bytes in fp8"), "stored") == "the files as published, in float8");
  CHECK(first(ask(eight, loaded + " bytes"), "stored") == "the files as published, in float8, except prediction layers");
  CHECK(ask(eight, files + " bytes in fp16").at("agreeing").empty());
}

TEST_CASE("the header of a GGUF file has at most 64 bytes for a token and 64 KiB for the rest", "[claim]") {
  // Llama has 32,000 tokens. A network of convolutions has none.
  for (const auto& [type, most] :
       std::vector<std::pair<const char*, std::uint64_t>>{{"llama", 32'000 * 64 + 65'536}, {"convnext", 65'536}}) {
    const Json config = {{"model_type", type}};
    const Json weights = parsed(memory(config.dump(), R"({"weights": "Q8_0"})")).at("weights");
    const std::uint64_t bytes = std::stoull(weights.at("loaded").at("bytes").get<std::string>());
    const auto stored = [&](std::uint64_t claimed) { return first(ask(config, std::to_string(claimed) + " bytes in Q8_0"), "stored"); };
    INFO(type);
    CHECK(stored(bytes - 1).empty());
    CHECK(stored(bytes) == "a file in Q8_0");
    CHECK(stored(bytes + most) == "a file in Q8_0");
    CHECK(stored(bytes + most + 1).empty());
  }
}

TEST_CASE("an unknown format is refused", "[claim]") {
  const Json error = ask(llama, "3 GB in Q9_Z").at("error");
  CHECK(error.at("field") == "claim");
  CHECK(error.at("code") == "out_of_range");
}

}  // namespace param_ledger::test
