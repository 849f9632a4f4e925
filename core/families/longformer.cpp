// Longformer and other models for long texts: BERT or RoBERTa with attention that is sparse or approximated.
// Source: transformers, models/longformer, mra, nystromformer, yoso.

#include "core/nn/heads.hpp"
#include "core/nn/text/encoder.hpp"

namespace param_ledger {

namespace {

// `sizes` lists hidden_size, intermediate_size, num_hidden_layers, vocab_size and num_attention_heads.

/// Records Longformer's separate projections for tokens with global attention. If attention_window is a list, it must have an entry per
/// layer, although no tensor depends on it.
void global_attention(Config c, Builder& b, const BertSizes& s) {
  c.require_length_of("attention_window", s.n_layers);
  b.repeat("encoder.layer", all(s.n_layers), [&] {
    b.scope(Part::attention, "attention.self", [&] {
      for (const Text name : {"query_global", "key_global", "value_global"}) linear(b, name, s.d, s.d, true);
    });
  });
}

constexpr BertType longformer_type{.sizes = {768, 3072, 12, 30522, 12},
                                   .predictions = {.module = "lm_head", .dense = "dense", .norm = "layer_norm"},
                                   .dense_classifier = true,
                                   .scaled_by_head_dim = false,
                                   .decodes = false,
                                   .more = global_attention};

/// Adds the settings that MRA, Nyströmformer and YOSO have in common.
constexpr BertType sparse(BertType m) {
  m.pooler = Pooler::none;
  m.dense_classifier = m.two_spans = m.dense_choice = true;
  m.scaled_by_head_dim = m.decodes = false;
  m.positions_kept_free = 2;
  return m;
}

constexpr BertType mra_type =
    sparse({.sizes = {768, 3072, 12, 50265, 12}, .token_types = 1, .more = [](Config c, Builder& b, const BertSizes& s) {
              b.part(Part::embedding, [&] { b.buffer("embeddings.position_ids", {c.literal(1), s.positions - 2}); });
            }});

/// Records a convolution over the sequence, with one filter per head, in parallel to attention.
void head_convolution(Builder& b, const BertSizes& s, Expr kernel) {
  b.repeat("encoder.layer", all(s.n_layers), [&] {
    b.scope(Part::attention, "attention.self", [&] { depthwise_conv2d(b, "conv", s.n, {kernel, 1}, false); });
  });
}

constexpr BertType nystromformer_type =
    sparse({.sizes = {768, 3072, 12, 30000, 12}, .positions = 510, .more = [](Config c, Builder& b, const BertSizes& s) {
              head_convolution(b, s, c.integer("conv_kernel_size", 65));
            }});

constexpr BertType yoso_type =
    sparse({.sizes = {768, 3072, 12, 50265, 12}, .positions = 4096, .token_types = 1, .more = [](Config c, Builder& b, const BertSizes& s) {
              if (const auto kernel = c.optional_integer("conv_window")) head_convolution(b, s, *kernel);
            }});

constexpr unsigned no_causal = heads::encoder & ~heads::causal_lm;

}  // namespace

extern const Family longformer = bert_family<longformer_type>("longformer", "Like RoBERTa, with sliding-window and global attention.",
                                                              {"Longformer", no_causal, "longformer"});
extern const Family mra = bert_family<mra_type>("mra", "Like BERT, with multi-resolution attention.", {"Mra", no_causal, "mra"});
extern const Family nystromformer = bert_family<nystromformer_type>("nystromformer", "Like BERT, with Nyström-approximated attention.",
                                                                    {"Nystromformer", no_causal, "nystromformer"});
extern const Family yoso =
    bert_family<yoso_type>("yoso", "Like BERT, with attention approximated by Bernoulli sampling (LSH).", {"Yoso", no_causal, "yoso"});

}  // namespace param_ledger
