#include "core/claims/known_claims.hpp"

#include <algorithm>
#include <iterator>

namespace param_ledger {

namespace {

constexpr std::string_view gpt_2_wrong =
    "OpenAI's paper and first post on GPT-2 say so; OpenAI wrote later that these counts were wrong, due to an error.";
constexpr std::string_view gpt_2_paper =
    "OpenAI's paper on GPT-2 says so in table 2. All its counts are too small; OpenAI wrote later that they were wrong, due to an error.";
constexpr std::string_view gpt_2_source =
    "github.com/openai/gpt-2, README.md; Language Models are Unsupervised Multitask Learners, table 2";
constexpr std::string_view gpt_2_files =
    "The file on Hugging Face has this size because it also stores the causal masks of attention, which are not parameters.";
constexpr std::string_view gpt_2_file = "huggingface.co/openai-community/gpt2, model.safetensors, in 32 bits";
constexpr std::string_view xlm_r = "The paper on XLM-R says so. Its models have more: 278,043,648 and 559,890,432 without a head.";
constexpr std::string_view xlm_r_source = "arXiv:1911.02116, section 3";

constexpr std::string_view qwen =
    "The model card of Qwen2.5-32B says so. It is the count of Qwen1.5-32B, which has a feed-forward dimension of 27,392 instead of "
    "27,648: 32,512,218,112, and 30,955,082,752 without embeddings and output head.";
constexpr std::string_view qwen_source = "huggingface.co/Qwen/Qwen2.5-32B and Qwen/Qwen1.5-32B, README.md and config.json";
constexpr std::string_view qwen_72b =
    "The model card of Qwen2.5-72B gives this number of non-embedding parameters. Without embeddings and output head, the model has "
    "70,214,787,072.";
constexpr std::string_view gpt_j =
    "GPT-J's model card says so. It is the sum over the eight devices that trained it: each of them held its own copy of the norms, the "
    "feed-forward output biases and the embedding's bias.";
constexpr std::string_view glm =
    "The paper on GLM-4.5 includes the prediction layer and leaves out embeddings and output heads: 355,234,006,336 of the 358,337,791,296 "
    "elements in its files.";

constexpr std::string_view embedding_gemma =
    "The model card of EmbeddingGemma says so. It includes the two dense modules after the encoder, from 768 to 3,072 dimensions and back. "
    "Together with them, the model has 307,581,696 parameters.";

constexpr KnownClaim all[] = {
    {"GPT-2", 124'439'808, 117'000'000, false, gpt_2_wrong, gpt_2_source},
    {"GPT-2 Medium", 354'823'168, 345'000'000, false, gpt_2_wrong, gpt_2_source},
    {"GPT-2 Large", 774'030'080, 762'000'000, false, gpt_2_paper, gpt_2_source},
    {"GPT-2 XL", 1'557'611'200, 1'542'000'000, false, gpt_2_paper, gpt_2_source},
    // The claim adds 12 attention masks of 1,024 × 1,024 to the 124,439,808 parameters.
    {"GPT-2", 124'439'808, 137'022'720, false, gpt_2_files, gpt_2_file},
    {"GPT-2", 124'439'808, 548'090'880, true, gpt_2_files, gpt_2_file},
    {"Qwen2.5-32B", 32'763'876'352, 32'500'000'000, false, qwen, qwen_source},
    {"Qwen2.5-32B", 32'763'876'352, 31'000'000'000, false, qwen, qwen_source},
    {"Qwen2.5-72B", 72'706'203'648, 70'000'000'000, false, qwen_72b, "huggingface.co/Qwen/Qwen2.5-72B, README.md"},
    // The claim counts 7 · (28 · 3 + 2) + 8 vectors of 4,096 numbers more than the model has.
    {"GPT-J 6B", 6'050'882'784, 6'053'381'344, false, gpt_j,
     "huggingface.co/EleutherAI/gpt-j-6b, README.md; github.com/kingoflolz/mesh-transformer-jax, mesh_transformer/layers.py"},
    {"GLM-4.5", 352'797'814'784, 355'000'000'000, false, glm, "arXiv:2508.06471, table 1"},
    {"EmbeddingGemma", 302'863'104, 308'000'000, false, embedding_gemma, "huggingface.co/google/embeddinggemma-300m, README.md"},
    {"XLM-R Base", 278'295'186, 270'000'000, false, xlm_r, xlm_r_source},
    {"XLM-R Base", 278'043'648, 270'000'000, false, xlm_r, xlm_r_source},
    {"XLM-R Large", 560'142'482, 550'000'000, false, xlm_r, xlm_r_source},
    {"XLM-R Large", 559'890'432, 550'000'000, false, xlm_r, xlm_r_source},
};

}  // namespace

const KnownClaim* known_claim(Count parameters, const Quantity& claim) {
  const auto* const found = std::find_if(std::begin(all), std::end(all), [&](const KnownClaim& known) {
    return known.parameters == parameters && known.bytes == claim.bytes && claim.low <= known.claimed && known.claimed <= claim.high;
  });
  return found == std::end(all) ? nullptr : found;
}

}  // namespace param_ledger
