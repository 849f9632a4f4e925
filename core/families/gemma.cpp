// Gemma: like Llama, with a head that is tied by default and a head dimension that is independent of the hidden size. Gemma 2 adds norms
// after attention and feed-forward, and Gemma 3 also has QK-Norm. VaultGemma has neither. Source: transformers, models/gemma, gemma2,
// gemma3, vaultgemma.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr Attention scaled_by_scalar{.scaled_by_head_dim = false};  // scores are scaled by query_pre_attn_scalar, not by the head dimension
constexpr LlamaType gemma_type{.sizes = {3072, 24576, 28, 256000, 16},
                               .kv_heads = fixed(16),
                               .head_dim = fixed(256),
                               .switches = attention_bias,
                               .layout = {.tied = true}};
constexpr LlamaType gemma2_type{.sizes = {2304, 9216, 26, 256000, 8},
                                .kv_heads = fixed(4),
                                .head_dim = fixed(256),
                                .switches = attention_bias,
                                .divisible = true,
                                .layout = {.attention = scaled_by_scalar, .norms = sandwich_norms, .tied = true}};
constexpr LlamaType gemma3_type{
    .sizes = {2304, 9216, 26, 262208, 8},
    .kv_heads = fixed(4),
    .head_dim = fixed(256),
    .switches = attention_bias,
    .divisible = true,
    .layout = {.attention = {.head_norms = QkNorm::per_head, .scaled_by_head_dim = false}, .norms = sandwich_norms, .tied = true}};
constexpr LlamaType vaultgemma_type{
    .sizes = {2304, 9216, 26, 256000, 8},
    .kv_heads = fixed(4),
    .head_dim = fixed(256),
    .switches = attention_bias,
    .divisible = true,
    .layout = {.attention = scaled_by_scalar, .norms = {.before_feed_forward = "pre_feedforward_layernorm"}, .tied = true}};

constexpr Architecture gemma3_classes[] = {
    {"Gemma3ForCausalLM", Head::causal_lm, "model"},
    {"Gemma3TextModel", Head::none, ""},
    {"Gemma3TextForSequenceClassification", Head::sequence_classification, "model"},
};

}  // namespace

extern const Family gemma{
    .model_type = "gemma",
    .summary = "Like Llama, with a separate head_dim and tied embeddings.",
    .classes = {"Gemma", heads::decoder | heads::sequence | heads::token},
    .backbone = of_type<gemma_type>,
    .cache = caches::all_tokens,
};
extern const Family gemma2{
    .model_type = "gemma2",
    .summary = "Like Gemma, with pre- and post-norms and alternating sliding-window attention.",
    .classes = {"Gemma2", heads::decoder | heads::sequence | heads::token},
    .backbone = of_type<gemma2_type>,
    .cache = caches::every(4096, 2),
};
extern const Family gemma3_text{
    .model_type = "gemma3_text",
    .summary = "Like Gemma 2, with QK-Norm and mostly sliding-window attention.",
    .classes = {.listed = gemma3_classes},
    .backbone = of_type<gemma3_type>,
    .cache = caches::every(4096, 6, "sliding_window_pattern"),
};
extern const Family vaultgemma{
    .model_type = "vaultgemma",
    .summary = "Like Gemma 2, with pre-norm only; trained with differential privacy.",
    .classes = {"VaultGemma", heads::decoder},
    .backbone = of_type<vaultgemma_type>,
    .cache = caches::every(4096, 2),
};

}  // namespace param_ledger
