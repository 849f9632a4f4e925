// ConvBERT: like ELECTRA, but attention heads produce only half of each attention block's output. Dynamic convolutions, which compute a
// kernel for each token, produce the other half.
// Source: transformers, models/convbert.

#include "core/builder/inference.hpp"
#include "core/nn/text/encoder.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{.sizes = {768, 3072, 12, 30522, 12},
                        .factor = {"embedding_size", 768},
                        .predictions = {"", "generator_predictions.dense", "generator_predictions.LayerNorm", "generator_lm_head", false},
                        .pooler = Pooler::none,
                        .dense_classifier = true};

/// Records attention and a dynamic convolution, each of which produces one half of the output.
void attention_and_convolution(Builder& b, Text name, Expr d, Expr heads, Expr kernel) {
  const Expr h = floor_divide(floor_divide(d, heads), b.pool().literal(2)), width = heads * h;
  b.scope(Part::attention, name, [&] {
    const InBlock block(b, {.mechanism = Mechanism::mixed_attention, .heads = heads, .kv_heads = heads});
    b.scope("self", [&] {
      linear(b, "query", d, width, true, TensorRole::query);
      linear(b, "key", d, width, true, TensorRole::key);
      linear(b, "value", d, width, true, TensorRole::value);
      linear(b, "conv_out_layer", d, width, true);
      linear(b, "conv_kernel_layer", width, heads * kernel, true);
      b.scope(Part::convolution, "key_conv_attn_layer", [&] {
        const InBlock kernels(b, {Mechanism::span_convolution});
        depthwise_conv1d(b, "depthwise", d, kernel, false);
        conv1d(b, "pointwise", d, width, 1, false);
        b.parameter("bias", {width, b.pool().literal(1)});
      });
    });
    linear(b, "output.dense", d, d, true, TensorRole::output);
    layer_norm(b, "output.LayerNorm", d);
    record_attention(b, {heads, heads, h});
  });
}

/// Records a linear layer or, if there are several groups, a block-diagonal one: `weight` [groups, in ÷ groups, out ÷ groups].
void grouped_linear(Builder& b, Text name, Expr in, Expr out, Expr groups) {
  if (groups.decide() == 1) return linear(b, name, in, out, true);
  b.scope(name, [&] {
    b.parameter("weight", {groups, floor_divide(in, groups), floor_divide(out, groups)}, StorageKind::matrix);
    b.parameter("bias", {out});
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const BertSizes s = bert_sizes(c, type);
  const Expr ratio = c.integer("head_ratio", 2), kernel = c.integer("conv_kernel_size", 9), groups = c.integer("num_groups", 1);
  if (b.architecture().head == Head::multiple_choice && c.has("summary_use_proj"))
    c.refuse(ErrorCode::unsupported, "summary_use_proj", "may add a projection that is not counted.");
  const Tensor words = bert_embeddings(b, s, type);
  b.repeat("encoder.layer", all(s.n_layers), [&] {
    Expr heads = floor_divide(s.n, ratio);
    if (heads.decide() == 0) heads = c.literal(1);
    require_multiple(s.d, heads);
    attention_and_convolution(b, "attention", s.d, heads, kernel);
    if (s.cross_attention) attention_and_convolution(b, "crossattention", s.d, heads, kernel);
    b.part(Part::feed_forward, [&] {
      grouped_linear(b, "intermediate.dense", s.d, s.f, groups);
      grouped_linear(b, "output.dense", s.f, s.d, groups);
    });
    layer_norm(b, "output.LayerNorm", s.d);
  });
  return {.hidden = s.d, .embedding = words, .tie_by_default = true};
}

}  // namespace

extern const Family convbert{
    .model_type = "convbert",
    .summary = "Like ELECTRA, with span-based dynamic convolutions alongside attention.",
    .classes = {"ConvBert", heads::encoder & ~heads::causal_lm, "convbert"},
    .backbone = backbone,
    .head = bert_head_of_type<type>,
};

}  // namespace param_ledger
