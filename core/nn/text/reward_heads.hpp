#pragma once

#include "core/nn/heads.hpp"

namespace param_ledger {

/// Records the head of a reward model, which the class's name determines; for other classes, the head of a decoder. …ForRewardModel: two
/// layers that give one value; …ForProcessRewardModel: two layers that give two values. Source: vLLM, models/qwen2_rm.py; SGLang,
/// models/qwen3_rm.py.
void reward_head(Config c, Builder& b, const BackboneOutput& m);
/// Records the head of InternLM2's reward model, `v_head`: one layer that gives one value, without bias. Source: vLLM, models/internlm2.py;
/// SGLang, models/internlm2_reward.py.
void value_head(Config c, Builder& b, const BackboneOutput& m);

}  // namespace param_ledger
