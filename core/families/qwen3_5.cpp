// Qwen3.5 as published, one configuration for vision and text: here the classes that take its text model alone.
// Source: transformers, models/qwen3_5, qwen3_5_moe.

#include "core/families.hpp"
#include "core/heads.hpp"
#include "core/nested.hpp"

namespace param_ledger {

namespace {

template <const Family& text>
Backbone text_alone(Config c, Builder& b) {
  return nested(c.section("text_config"), b, "", text);
}

void text_head(Config c, Builder& b, const Backbone& m) { decoder_head(c.section("text_config"), b, m); }

}  // namespace

const Family qwen3_5{"qwen3_5", "Qwen3.5: vision and text.", {"Qwen3_5", heads::causal_lm}, {}, text_alone<qwen3_5_text>, text_head};
const Family qwen3_5_moe{
    "qwen3_5_moe", "Qwen3.5 with experts: vision and text.", {"Qwen3_5Moe", heads::causal_lm}, {}, text_alone<qwen3_5_moe_text>, text_head};

}  // namespace param_ledger
