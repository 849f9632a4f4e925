#include "core/known_claims.hpp"

#include <algorithm>
#include <iterator>

namespace param_ledger {

namespace {

constexpr std::string_view gpt_2_wrong =
    "OpenAI's paper and first post on GPT-2 say so; OpenAI wrote later that these counts were wrong, due to an error.";
constexpr std::string_view gpt_2_paper =
    "OpenAI's paper on GPT-2 says so, in table 2, all of whose counts are too small; OpenAI wrote later that they were wrong, due to an "
    "error.";
constexpr std::string_view gpt_2_source =
    "github.com/openai/gpt-2, README.md; Language Models are Unsupervised Multitask Learners, table 2";
constexpr std::string_view gpt_2_files =
    "The file on Hugging Face holds so many elements: the causal masks of attention, which are no parameters, are stored with them.";
constexpr std::string_view gpt_2_file = "huggingface.co/openai-community/gpt2, model.safetensors, in 32 bits";
constexpr std::string_view xlm_r = "The paper on XLM-R says so. Its models have more: 278,043,648 and 559,890,432 without a head.";
constexpr std::string_view xlm_r_source = "arXiv:1911.02116, section 3";

constexpr KnownClaim all[] = {
    {"GPT-2", 124'439'808, 117'000'000, false, gpt_2_wrong, gpt_2_source},
    {"GPT-2 Medium", 354'823'168, 345'000'000, false, gpt_2_wrong, gpt_2_source},
    {"GPT-2 Large", 774'030'080, 762'000'000, false, gpt_2_paper, gpt_2_source},
    {"GPT-2 XL", 1'557'611'200, 1'542'000'000, false, gpt_2_paper, gpt_2_source},
    // 124,439,808 and 12 masks of 1,024 × 1,024
    {"GPT-2", 124'439'808, 137'022'720, false, gpt_2_files, gpt_2_file},
    {"GPT-2", 124'439'808, 548'090'880, true, gpt_2_files, gpt_2_file},
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
