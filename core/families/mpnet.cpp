// MPNet: like RoBERTa, without segment types, and with relative position biases that all layers share. Source: transformers, models/mpnet.

#include "core/nn/text/encoder.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{.sizes = {768, 3072, 12, 30527, 12},
                        .token_types = {},
                        .norms = {.attention = "LayerNorm"},
                        .predictions = {.module = "lm_head", .dense = "dense", .norm = "layer_norm"},
                        .dense_classifier = true,
                        .scaled_by_head_dim = false,
                        .decodes = false,
                        .attention = {"attn.q", "attn.k", "attn.v", "attn.o"},
                        .more = [](Config c, Builder& b, const BertSizes& s) {
                          const Expr buckets = c.integer("relative_attention_num_buckets", 32);
                          b.part(Part::attention, [&] { table(b, "encoder.relative_attention_bias", buckets, s.n); });
                        }};

}  // namespace

extern const Family mpnet =
    bert_family<type>("mpnet", "Like RoBERTa, with a relative position bias.", {"MPNet", heads::encoder & ~heads::causal_lm, "mpnet"});

}  // namespace param_ledger
