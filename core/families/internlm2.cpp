// InternLM2: like Llama, with different tensor names and a fused query, key and value projection. Source: the code published with
// InternLM2. transformers has no model type for it.

#include "core/nn/text/decoders.hpp"
#include "core/nn/text/reward_heads.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 11008, 32, 103168, 32});
  const Expr d = s.d, n_kv = c.integer("num_key_value_heads", s.n), h = c.integer("head_dim", floor_divide(d, s.n));
  const bool bias = c.flag("bias", true);
  require_equal(s.n * h, d);
  const Tensor table = embedding(b, "tok_embeddings", s.vocab, d, TensorRole::token_embedding);
  b.repeat("layers", all(s.n_layers), [&] {
    rms_norm(b, "attention_norm", d);
    attention(
        b, "attention",
        {.hidden = d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias, .fused = "wqkv", .o = "wo"});
    rms_norm(b, "ffn_norm", d);
    b.scope(Part::feed_forward, "feed_forward", [&] {
      linear(b, "w1", d, s.f, false, TensorRole::gate);
      linear(b, "w3", d, s.f, false, TensorRole::up);
      linear(b, "w2", s.f, d, false, TensorRole::down);
    });
  });
  rms_norm(b, "norm", d);
  return {.hidden = d, .embedding = table, .language_model = "output"};
}

constexpr Architecture reward_classes[] = {{"InternLM2ForRewardModel", Head::other, "model"}};

}  // namespace

extern const Family internlm2{
    .model_type = "internlm2",
    .summary = "Like Llama, with a fused grouped-query QKV projection.",
    .classes = {"InternLM2", heads::decoder | heads::sequence, "model", {}, reward_classes},
    .backbone = backbone,
    .head = value_head,
    .own_code = true,
};

}  // namespace param_ledger
