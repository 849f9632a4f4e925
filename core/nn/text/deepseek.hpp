#pragma once

#include "core/builder/family.hpp"

namespace param_ledger {

/// Records the DeepSeek-V2 inside DeepSeek-VL2, DeepSeek-OCR and models based on them: a decoder with or without latent attention
/// (use_mla), and with experts if n_routed_experts is given. Source: modeling_deepseek.py in deepseek-ai/DeepSeek-VL2,
/// modeling_deepseekv2.py in deepseek-ai/DeepSeek-OCR.
BackboneOutput deepseek_v2_as_published(Config c, Builder& b);

}  // namespace param_ledger
