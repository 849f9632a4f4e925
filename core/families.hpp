#pragma once

#include "core/family.hpp"

// Every family, one line each, alphabetical: the table of contents of families/ and the only place that a new one is added to.
// (No self-registration: linkers drop objects that nothing refers to.)
#define PARAM_LEDGER_FAMILIES(X) \
  X(bert)                        \
  X(cwm)                         \
  X(deepseek_v3)                 \
  X(ernie4_5)                    \
  X(falcon)                      \
  X(gemma)                       \
  X(gemma3_text)                 \
  X(gemma3n_text)                \
  X(generic)                     \
  X(gpt2)                        \
  X(gpt_neox)                    \
  X(gpt_oss)                     \
  X(granite)                     \
  X(granitemoehybrid)            \
  X(internlm3)                   \
  X(iquestcoder)                 \
  X(llama)                       \
  X(mamba)                       \
  X(mamba2)                      \
  X(ministral)                   \
  X(ministral3)                  \
  X(mistral)                     \
  X(mixtral)                     \
  X(nemotron_h)                  \
  X(qwen2)                       \
  X(qwen3)                       \
  X(qwen3_moe)                   \
  X(refined_web)                 \
  X(refined_web_model)           \
  X(smollm3)                     \
  X(t5)                          \
  X(zamba2)
namespace param_ledger {

#define PARAM_LEDGER_DECLARE(name) extern const Family name;
PARAM_LEDGER_FAMILIES(PARAM_LEDGER_DECLARE)
#undef PARAM_LEDGER_DECLARE

}  // namespace param_ledger
