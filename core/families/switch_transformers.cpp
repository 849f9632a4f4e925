// Switch Transformers: like T5, with a mixture of experts in some layers of encoder and decoder; each token uses one expert.
// Source: transformers, models/switch_transformers.

#include "core/nn/heads.hpp"
#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/encoder_decoder.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/text/t5.hpp"

namespace param_ledger {

namespace {

struct Experts {
  Expr count;
  bool router_bias;
};

/// Reads n for a stack in which every n-th layer has a mixture of experts. By default, n is `n_layers` ÷ `n_sparse`, rounded down, or
/// `n_layers` if `n_sparse` is 0.
Expr step_of(Config c, Text field, Expr n_layers, Expr n_sparse) {
  return c.integer(field, n_sparse.decide() > 0 ? floor_divide(n_layers, n_sparse) : n_layers);
}

void stack(Config c, Builder& b, const T5Stack& s, const Experts& experts, Expr step, Text name, Text symbol) {
  t5_attention(b, s);
  const Count every = step.decide(), index = s.cross_attention ? 2 : 1;
  const Split which = split(c, s.n_layers, name, symbol, "Layers with a mixture of experts.",
                            [&](std::size_t i) { return every > 0 && (i % every == 1 || every == 1); });
  b.repeat("block", which.out, [&] { t5_sublayer(b, s, index, [&] { mlp(b, "mlp", s.hidden, s.inner, false, "wi", "wo"); }); });
  b.repeat("block", which.in, [&] {
    t5_sublayer(b, s, index, [&] {
      b.scope(Part::router, "mlp.router",
              [&] { linear(b, "classifier", s.hidden, experts.count, experts.router_bias, TensorRole::router); });
      b.scope("mlp", [&] { named_experts(b, experts.count, 1, [&] { mlp(b, "", s.hidden, s.inner, false, "wi", "wo"); }); });
    });
  });
  rms_norm(b, "final_layer_norm", s.hidden);
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 32128), d = c.integer("d_model", 768), f = c.integer("d_ff", 2048);
  const Expr n_in = c.integer("num_layers", 12), n_out = c.integer("num_decoder_layers", fixed_not_null(12).or_else(n_in));
  const Expr sparse_in = c.integer("num_sparse_encoder_layers", 3), sparse_out = c.integer("num_sparse_decoder_layers", 3);
  const Expr step_in = step_of(c, "encoder_sparse_step", n_in, sparse_in), step_out = step_of(c, "decoder_sparse_step", n_out, sparse_out);
  T5Stack s{.hidden = d,
            .inner = f,
            .heads = c.integer("num_heads", 12),
            .head_dim = c.integer("d_kv", 64),
            .buckets = c.integer("relative_attention_num_buckets", 32),
            .n_layers = n_in};
  const Experts experts{c.integer("num_experts", 8), c.flag("router_bias", false)};
  const bool tied = c.flag("tie_word_embeddings", true), encodes = b.architecture().head == Head::encoder;
  if (encodes && c.flag("is_decoder", false)) c.refuse(ErrorCode::inconsistent, "is_decoder", "must be false for this class.");
  const Tensor words = embedding(b, "shared", vocab, d, TensorRole::token_embedding);
  b.scope("encoder", [&] {
    stack_table(b, words, tied);
    stack(c, b, s, experts, step_in, "num_encoder_layers_with_experts", "L_s");
  });
  if (encodes) return {.hidden = d};
  s.n_layers = n_out;
  s.cross_attention = true;
  b.scope("decoder", [&] {
    stack_table(b, words, tied);
    stack(c, b, s, experts, step_out, "num_decoder_layers_with_experts", "L_t");
  });
  return {.hidden = d, .embedding = words, .tie_by_default = true};
}

constexpr Architecture encoder[] = {{"SwitchTransformersEncoderModel", Head::encoder, ""}};

}  // namespace

extern const Family switch_transformers{
    .model_type = "switch_transformers",
    .summary = "Like T5, with a mixture of experts in some layers.",
    .classes = {"SwitchTransformers", heads::conditional | heads::base, "", {}, encoder},
    .aliases = t5_aliases_without_head,
    .backbone = backbone,
};

}  // namespace param_ledger
