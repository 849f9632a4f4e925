#include "core/claims/other_counts.hpp"

#include "core/api/report.hpp"
#include "tests/support/oracle.hpp"

namespace param_ledger::test {

namespace {

const Json llama = {{"model_type", "llama"}};

Json claims_of(const Json& config, const std::string& text) { return parsed(check(config.dump(), text)).at("claims"); }

/// The switches in the first explanation of each claimed number: "bitsandbytes_4bit adapter; …".
std::string reasons(const Json& config, const std::string& text) {
  std::string out;
  for (const Json& judged : claims_of(config, text)) {
    if (!out.empty()) out += "; ";
    if (judged.at("agreeing").empty()) {
      out += "none";
      continue;
    }
    std::string ids;
    for (const Json& s : judged.at("agreeing").at(0).at("switches")) ids += (ids.empty() ? "" : " ") + s.at("id").get<std::string>();
    out += ids.empty() ? "all" : ids;
  }
  return out;
}

std::string sentence(const Json& config, const std::string& text) {
  return claims_of(config, text).at(0).at("sentence").get<std::string>();
}

}  // namespace

TEST_CASE("a 4-bit loader counts two numbers as one byte", "[claim]") {
  // bitsandbytes#834: 6,738,415,616 minus half of the linear layers' 6,476,005,376
  static_assert(Count{6'738'415'616} - 6'476'005'376 / 2 == 3'500'412'928);
  CHECK(reasons(llama, "3,500,412,928") == "bitsandbytes_4bit");
  CHECK(sentence(llama, "3,540,389,888") ==
        "3,540,389,888 = all parameters 6,738,415,616 − linear layers counted as bytes of two 4-bit numbers (bitsandbytes) 3,238,002,688 "
        "+ LoRA of rank 16 on all linear layers 39,976,960");
  // In a model loaded with 4-bit weights, only the two tables and the norms are trainable.
  CHECK(reasons(llama, "262,410,240 trainable") == "unpacked");
  CHECK(reasons(llama, "3,500,412,929") == "none");
}

TEST_CASE("a 4-bit loader may count four numbers as one of 16 bits", "[claim]") {
  // NVIDIA-NeMo/Automodel#1290: 8,030,261,248 − ¾ of 6,979,321,856, and LoRA of rank 16 on all linear layers and the head
  static_assert(Count{8'030'261'248} - Count{6'979'321'856} / 4 * 3 + 41'943'040 + 16 * (4096 + 128'256) == 2'839'830'528);
  Json llama_3 = {{"model_type", "llama"}, {"intermediate_size", 14336}, {"num_key_value_heads", 8}, {"vocab_size", 128256}};
  CHECK(reasons(llama_3, "44,060,672 trainable; 2,839,830,528 in total; 1.55 % trainable") ==
        "base adapter; bitsandbytes_4bit_in_16 adapter; all");
  // A number in full needs no word such as "trainable". A rounded one does.
  CHECK(reasons(llama_3, "44,060,672") == "base adapter");
  CHECK(reasons(llama_3, "44M") == "none");
  // The model's own parameters are taken off the total, and the adapter's are added.
  const Json steps = claims_of(llama_3, "44,060,672 trainable").at(0).at("agreeing").at(0).at("switches");
  CHECK(steps.at(0).at("added") == false);
  CHECK(steps.at(0).at("change") == "8030261248");
  CHECK(steps.at(1).at("added") == true);
  CHECK(steps.at(1).at("change") == "44060672");
  llama_3["quantization_config"] = {{"quant_method", "bitsandbytes"}, {"load_in_4bit", true}, {"bnb_4bit_quant_storage", "bfloat16"}};
  CHECK(reasons(llama_3, "2,795,769,856") == "bitsandbytes_4bit_in_16");
  CHECK(reasons(llama_3, "4,540,600,320") == "none");
}

TEST_CASE("low-bit files store words and scales", "[claim]") {
  // GPTQ for Llama 2 7B, calculated by hand: 32-bit words that pack eight weights each, scales and zero points per group of 128 weights,
  // and the group index of each input.
  const Count linear = 6'476'005'376, groups = linear / 128, zeros = groups / 8, inputs = Count{32} * (4 * 4096 + 2 * 4096 + 11008);
  CHECK(reasons(llama, digits(6'738'415'616 - linear + linear / 8 + groups + zeros + inputs)) == "gptq_4bit");
  CHECK(reasons(llama, digits(6'738'415'616 - linear + linear / 8 + groups + zeros)) == "awq_4bit");
  // MLX also packs tables, and stores a scale and a bias for every 64 weights.
  const Count packed = linear + Count{2} * 32000 * 4096;
  CHECK(reasons(llama, digits(6'738'415'616 - packed + packed / 8 + packed / 32)) == "mlx_4bit");
  // NVFP4: bytes that pack two weights each, a scale for every 16 weights, and two more scales for each of 7 matrices in 32 layers.
  CHECK(reasons(llama, digits(6'738'415'616 - linear + linear / 2 + linear / 16 + Count{2} * 7 * 32)) == "nvfp4");
  // The gate and up projections of stacked experts are separate matrices in NVFP4 files: six matrices for two experts.
  const Json experts = {{"model_type", "qwen3_vl_moe_text"},
                        {"hidden_size", 128},
                        {"moe_intermediate_size", 256},
                        {"num_experts", 2},
                        {"num_hidden_layers", 1},
                        {"num_attention_heads", 2},
                        {"num_key_value_heads", 2},
                        {"head_dim", 64},
                        {"vocab_size", 64},
                        {"num_experts_per_tok", 1}};
  const Count matrices = Count{4} * 128 * 128 + Count{2} * 3 * 128 * 256, router = 2 * 128, rest = 64 * 128 + 3 * 128 + 2 * 64;
  CHECK(reasons(experts, digits(matrices + router + rest)) == "all");
  CHECK(reasons(experts, digits(matrices / 2 + matrices / 16 + Count{2} * (4 + 6) + router + rest)) == "nvfp4");
  // If the configuration names a quantization method, only that method is considered.
  Json awq = llama;
  awq["quantization_config"] = {{"quant_method", "awq"}, {"bits", 4}, {"group_size", 128}};
  CHECK(reasons(awq, "1.13B") == "awq_4bit");
  CHECK(reasons(awq, digits(6'738'415'616 - linear + linear / 8 + groups + zeros + inputs)) == "none");
  CHECK(reasons(llama, "1.13B") == "none");
  CHECK(reasons(llama, "1.13B, GPTQ") == "gptq_4bit");
}

TEST_CASE("peft's line of trainable parameters is explained as a whole", "[claim]") {
  // r = 8 on q_proj and v_proj: 32 layers of 2 × 8 × (4,096 + 4,096)
  static_assert(Count{32} * 2 * 8 * 8192 == 4'194'304);
  CHECK(reasons(llama, "trainable params: 4,194,304 || all params: 6,742,609,920 || trainable%: 0.06220594176090199") ==
        "base adapter; adapter; all");
  CHECK(sentence(llama, "4,194,304 trainable") == "4,194,304 = LoRA of rank 8 on q_proj and v_proj");
  CHECK(sentence(llama, "0.5932 % trainable").find("LoRA of rank 16 on all linear layers, which trains 39,976,960 of 6,778,392,576") !=
        std::string::npos);
  // A percentage alone is explained only with a common rank: rank 256 would train 639,631,360 of 7,378,046,976.
  CHECK(claims_of(llama, "8.6694 % trainable").at(0).at("agreeing").empty());
  CHECK(claims_of(llama, "639,631,360 trainable, 8.6694 % trainable").at(1).at("agreeing").size() == 1);
  CHECK(reasons(llama, "4,194,305 trainable") == "none");
  // A rounded number of trainable parameters may be that of all parameters, but not that of all except one embedding table.
  CHECK(reasons(llama, "6.74B trainable") == "all");
  CHECK(reasons(llama, "6.61B trainable") == "none");
}

TEST_CASE("an adapter on fused or separate projections is named by the modules that exist", "[claim]") {
  // Rank 16 on query_key_value adds as many parameters as rank 32 on dense alone: 30 layers of 16 × (4,096 + 12,288).
  const Json bloom = {{"model_type", "bloom"}, {"hidden_size", 4096}, {"n_layer", 30}, {"n_head", 32}, {"vocab_size", 250880}};
  CHECK(sentence(bloom, "7,864,320 trainable") == "7,864,320 = LoRA of rank 16 on query_key_value");
  // The adapter that explains the trainable parameters must explain the other numbers in the text, too.
  const Json line = claims_of(bloom, "trainable params: 7,864,320 || all params: 7,076,880,384 || trainable%: 0.1111");
  for (const Json& judged : line)
    CHECK(judged.at("sentence").get<std::string>().find("LoRA of rank 16 on query_key_value") != std::string::npos);
}

TEST_CASE("dense modules of sentence-transformers are totals of their own", "[claim]") {
  // LaBSE has a dense module from 768 to 768 with a bias. EmbeddingGemma has one from 768 to 3,072 and one back.
  const Json labse = {{"model_type", "bert"}, {"architectures", {"BertModel"}}, {"vocab_size", 501153}};
  CHECK(reasons(labse, digits(Count{470'926'848} + 768 * 769)) == "dense_modules");
  CHECK(reasons(labse, digits(Count{470'926'848} + 2 * 768 * 3072)) == "dense_modules");
  CHECK(reasons(labse, digits(Count{470'926'848} + 768 * 770)) == "none");
  CHECK(reasons(llama, digits(Count{6'738'415'616} + 4096 * 4097)) == "none");
}

TEST_CASE("what is trained may be a named part if it is an integer in full", "[claim]") {
  // The EAGLE-3 head for Qwen3 4B, without its copy of the embedding table of 151,936 × 2,560.
  const Json eagle = {{"model_type", "llama"},    {"architectures", {"LlamaForCausalLMEagle3"}},
                      {"hidden_size", 2560},      {"intermediate_size", 9728},
                      {"num_hidden_layers", 1},   {"num_attention_heads", 32},
                      {"num_key_value_heads", 8}, {"head_dim", 128},
                      {"vocab_size", 151936},     {"draft_vocab_size", 32000}};
  CHECK(reasons(eagle, "218,245,120 trainable") == "without_embeddings");
  CHECK(reasons(eagle, "218M trainable") == "none");
}

TEST_CASE("value and reward heads are totals of their own", "[claim]") {
  CHECK(reasons(llama, digits(Count{6'738'415'616} + 4097)) == "value_head");
  CHECK(reasons(llama, digits(Count{6'738'415'616} - 131'072'000 + 4096)) == "without_head reward_head");
}

TEST_CASE("the nearest total is reported, not the first that is near", "[claim]") {
  // The total is 6,738,415,616, and the total without the output head is 131,072,000 lower.
  const Json judged = claims_of(llama, "6,607,343,617").at(0);
  CHECK(judged.at("verdict") == "nearest");
  CHECK(judged.at("nearest").at("sum") == "6607343616");
  CHECK(judged.at("nearest").at("difference") == "1");
}

TEST_CASE("an exact remainder is factored, unless two factorizations are possible", "[claim]") {
  // mamba#48: with LayerNorm instead of RMSNorm, mamba_ssm's model has 33 more biases of 2,560.
  const Json mamba = {{"model_type", "mamba"}, {"hidden_size", 2560},   {"num_hidden_layers", 32},
                      {"vocab_size", 50432},   {"state_size", 16},      {"expand", 2},
                      {"conv_kernel", 4},      {"time_step_rank", 160}, {"intermediate_size", 5120}};
  const Json judged = claims_of(mamba, "1,449,006,080").at(0);
  CHECK(judged.at("verdict") == "nearest");
  CHECK(judged.at("agreeing").empty());
  CHECK(judged.at("remainder").at("times") == "33");
  CHECK(judged.at("remainder").at("each") == "2560");
  CHECK(judged.at("sentence").get<std::string>().ends_with("84,480 = 33 × 2,560, as the biases of 33 norms."));
  // The difference is a prime number, so no factors can explain it.
  CHECK_FALSE(claims_of(mamba, "1,448,921,607").at(0).contains("remainder"));
  // The difference between a rounded number and a total is not exact, so it is not factored.
  CHECK_FALSE(claims_of(mamba, "1.46B").at(0).contains("remainder"));
}

TEST_CASE("a convention that gives the number as written comes before a round number", "[claim]") {
  const Json bloom = {{"model_type", "bloom"}, {"hidden_size", 14336}, {"n_layer", 70}, {"n_head", 112}, {"vocab_size", 250682}};
  CHECK(reasons(bloom, "180B") == "tied_head");
  CHECK(reasons(bloom, "176B") == "all");
}

TEST_CASE("the contents of published files are a total", "[claim]") {
  const Json deepseek = {{"model_type", "deepseek_v3"},
                         {"num_nextn_predict_layers", 1},
                         {"quantization_config", {{"quant_method", "fp8"}, {"weight_block_size", {128, 128}}}}};
  CHECK(reasons(deepseek, "671B total, 37B activated, 14B MTP") == "all; active_non_embedding; beside");
}

TEST_CASE("caches, operations and sizes of mixtures are judged by their conventions", "[claim]") {
  const Json llama_3 = {{"model_type", "llama"}, {"intermediate_size", 14336}, {"num_key_value_heads", 8}, {"vocab_size", 128256}};
  // 32 layers × 8 heads × 128 × 2 × 2 bytes
  CHECK(sentence(llama_3, "131,072 bytes per token").find("131,072 bytes = keys and values of a token, in 16 bits") != std::string::npos);
  CHECK(sentence(llama_3, "128 KiB per token").find("agrees with 131,072 bytes") != std::string::npos);
  CHECK(claims_of(llama_3, "KV cache of 131,072 bytes for 1 token").at(0).at("claim").at("tokens") == "1");
  CHECK_FALSE(claims_of(llama_3, "8.03B").at(0).at("claim").contains("tokens"));
  CHECK(sentence(llama_3, "16 GiB of KV cache at 128k context").find("17,179,869,184 bytes = the cache of 131,072 tokens") !=
        std::string::npos);
  CHECK(claims_of(llama_3, "140,000 bytes per token").at(0).at("agreeing").empty());
  // "128k" may mean 128,000 tokens, and "GB" may mean 1,024³ bytes.
  CHECK(sentence(llama_3, "KV cache for 128k tokens 15.62 GB").find("the cache of 128,000 tokens") != std::string::npos);
  // Q8_0 stores 32 values in 34 bytes.
  CHECK(sentence(llama_3, "KV cache 4.25 GiB at 65,536 tokens in Q8_0").find("4,563,402,752 bytes") != std::string::npos);
  // Inference engines store caches differently: vLLM allocates whole blocks, here of 16 tokens, and llama.cpp's recurrent states keep one
  // convolution input less than transformers does.
  CHECK(sentence(llama_3, "KV cache of 2,097,152 bytes for 9 tokens").find("in vLLM, 16 bits, blocks of 16 tokens") != std::string::npos);
  CHECK(claims_of(llama_3, "KV cache of 2,097,152 bytes for 9 tokens").at(0).at("agreeing").at(0).at("cost") == 2);
  const Json delta = {{"model_type", "qwen3_next"}};
  // transformers keeps 32 heads of 128 × 128 in 32 bits and four inputs of a convolution with 8,192 channels in 16 bits, in 36 layers.
  static_assert(25'165'824 + 36 * (32 * 128 * 128 * 4 + 4 * 8192 * 2) == 103'022'592);
  CHECK(sentence(delta, "KV cache of 103,022,592 bytes at 1,024 tokens").find("= the cache of 1,024 tokens, in 16 bits") !=
        std::string::npos);
  CHECK(sentence(delta, "KV cache of 25,165,824 bytes at 1,024 tokens").find(", without recurrent states") != std::string::npos);
  CHECK(sentence(delta, "recurrent state cache of 79,036,416 bytes at 1,024 tokens")
            .find("recurrent states of 1,024 tokens in llama.cpp, f16") != std::string::npos);
  CHECK(sentence(delta, "79,036,416 bytes of state").ends_with("79,036,416 bytes = the recurrent states in llama.cpp"));
  CHECK(sentence(delta, "150.75 MiB for 2 recurrent states")
            .ends_with("158,072,832 bytes = the recurrent states of 2 sequences in llama.cpp"));
  CHECK(sentence(llama_3, "20 MiB of recurrent states").ends_with("is not judged. This model has no recurrent states."));
  CHECK(sentence(llama_3, "70.27 TFLOPs for 4,096 tokens").find("70,274,254,897,152 operations") != std::string::npos);
  CHECK(sentence(llama_3, "70.27 TFLOPs").find("Say for how many tokens") != std::string::npos);
  CHECK(sentence(llama_3, "MFU 41 %").find("See operations") != std::string::npos);
  const Json mixtral = {{"model_type", "mixtral"}};
  CHECK(sentence(mixtral, "8x7B").find("8 experts in each layer; with one of them the model has 7,242,780,672 parameters") !=
        std::string::npos);
  CHECK(sentence(mixtral, "16x7B").find("has 8 experts, not 16") != std::string::npos);
  CHECK(sentence(llama_3, "8x7B").find("no mixture of experts") != std::string::npos);
}

TEST_CASE("numbers that contradict each other are named", "[claim]") {
  const Json answer = parsed(check(llama.dump(), "7B total and 70B total"));
  CHECK(answer.at("contradiction") == "\"7B total\" and \"70B total\" contradict each other.");
  CHECK_FALSE(parsed(check(llama.dump(), "7B total, 6.7B total")).contains("contradiction"));
}

}  // namespace param_ledger::test
