#pragma once

#include "core/nn/heads.hpp"

namespace param_ledger {

/// Records the head of a reward model, which is recognised by the class name: two layers that give one value for …ForRewardModel, or two
/// values for …ForProcessRewardModel. For other classes, records the usual head of a decoder. Source: vLLM, models/qwen2_rm.py; SGLang,
/// models/qwen3_rm.py.
void reward_head(Config c, Builder& b, const BackboneOutput& m);
/// Records the head of InternLM2's reward model, `v_head`: one layer that gives one value, without bias. Source: vLLM, models/internlm2.py;
/// SGLang, models/internlm2_reward.py.
void value_head(Config c, Builder& b, const BackboneOutput& m);

}  // namespace param_ledger
