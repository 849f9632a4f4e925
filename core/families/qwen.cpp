// The first Qwen: like Llama, with a fused query, key and value projection with biases, and most of GPT-2's tensor names.

#include "core/nn/text/attention.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

/// The field names of the first revision of Qwen-7B.
constexpr Alias first_names[] = {{"n_embd", "hidden_size"},
                                 {"n_head", "num_attention_heads"},
                                 {"n_layer", "num_hidden_layers"},
                                 {"ffn_hidden_size", "intermediate_size"}};

constexpr Architecture classes[] = {{"QWenLMHeadModel", Head::causal_lm, "transformer"}, {"QWenModel", Head::none, ""}};

BackboneOutput backbone(Config c, Builder& b) {
  for (const Text other : {"visual", "audio"})
    if (c.has(other)) c.refuse(ErrorCode::unsupported, other, "describes a second model, which is not counted.");
  const DecoderSizes s = decoder_sizes(c, {4096, 22016, 32, 151936, 32});
  const Expr d = s.d, f = s.f, n_layers = s.n_layers, vocab = s.vocab, n = s.n;
  // The first revision of Qwen-7B padded its vocabulary to padded_vocab_size. Qwen-72B also has this field but does not use it.
  if (const Json padded = c.peek("padded_vocab_size"); padded && !(padded.is(Json::Type::integer) && padded.magnitude() == vocab.decide()))
    c.refuse(ErrorCode::unsupported, "padded_vocab_size",
             "differs from vocab_size. That occurs only in the first revision of Qwen-7B, which is not counted.");
  c.ignore("padded_vocab_size", "It equals vocab_size.");
  const Expr h = c.integer("kv_channels", 128), inner = floor_divide(f, c.literal(2));
  const bool bias = !c.flag("no_bias", true);
  const Tensor table = embedding(b, "wte", vocab, d, TensorRole::token_embedding);
  b.repeat("h", all(n_layers), [&] {
    require_equal(n * h, d);
    rms_norm(b, "ln_1", d);
    attention(b, "attn", {.hidden = d, .heads = n, .qkv_bias = true, .output_bias = bias, .fused = "c_attn", .o = "c_proj"});
    rms_norm(b, "ln_2", d);
    b.scope(Part::feed_forward, "mlp", [&] {
      linear(b, "w1", d, inner, bias, TensorRole::up);
      linear(b, "w2", d, inner, bias, TensorRole::gate);
      linear(b, "c_proj", inner, d, bias, TensorRole::down);
    });
  });
  rms_norm(b, "ln_f", d);
  return {.hidden = d, .embedding = table};
}

}  // namespace

extern const Family qwen{
    .model_type = "qwen",
    .summary = "The first Qwen: like Llama, with a fused QKV projection with biases.",
    .classes = {.listed = classes},
    .aliases = first_names,
    .backbone = backbone,
    .own_code = true,
};

}  // namespace param_ledger
