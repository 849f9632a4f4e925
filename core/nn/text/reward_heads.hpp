#pragma once

#include "core/nn/heads.hpp"

namespace param_ledger {

/// The head of a reward model, from the class's name; for other classes a decoder's head. …ForRewardModel: two layers to one value;
/// …ForProcessRewardModel: two layers to two values. Source: vLLM, models/qwen2_rm.py; SGLang, models/qwen3_rm.py.
void reward_head(Config c, Builder& b, const BackboneOutput& m);
/// The head of InternLM2's reward model: `v_head`, one layer to one value, without bias. Source: vLLM, models/internlm2.py; SGLang,
/// models/internlm2_reward.py.
void value_head(Config c, Builder& b, const BackboneOutput& m);

}  // namespace param_ledger
