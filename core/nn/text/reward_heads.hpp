#pragma once

#include "core/nn/heads.hpp"

namespace param_ledger {

/// The head of a reward model, as the class's name says it; of other classes a decoder's.
/// …ForRewardModel: two layers to one number; …ForProcessRewardModel: to two. Source: vLLM, models/qwen2_rm.py; SGLang, models/qwen3_rm.py.
void reward_head(Config c, Builder& b, const BackboneOutput& m);
/// The same with one layer without a bias, `v_head`. Source: vLLM, models/internlm2.py; SGLang, models/internlm2_reward.py.
void value_head(Config c, Builder& b, const BackboneOutput& m);

}  // namespace param_ledger
