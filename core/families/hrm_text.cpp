// HRM: a slow stack of layers (H) and a fast one (L). H_cycles and L_cycles determine how often every token passes through each stack. The
// layers have gated attention, fused projections, and norms without weights. Source: transformers, models/hrm_text; names as in
// conversion_mapping.py, which fuses weights but not biases.

#include "core/builder/inference.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {1536, 4096, 16, 151808, 12});
  const Expr d = s.d, stack_layers = c.integer("num_layers_per_stack", s.n_layers), width = s.n * c.integer("head_dim", 128);
  const bool attention_bias = c.flag("attention_bias", false), mlp_bias = c.flag("mlp_bias", false);
  require_multiple(d, s.n);

  const Tensor table = embedding(b, "embed_tokens", s.vocab, d, TensorRole::token_embedding);
  b.part(Part::embedding, [&] {
    const InBlock block(b, {Mechanism::fixed_values});
    b.parameter("z_L_init", {d});
  });
  for (const Text stack : {"L_module.layers", "H_module.layers"}) {
    b.repeat(stack, all(stack_layers), [&] {
      require_positive(width);
      b.part(Part::attention, [&] {
        const InBlock block(b, {.mechanism = Mechanism::attention, .heads = s.n, .kv_heads = s.n});
        linear(b, "attn.gqkv_proj", d, 4 * width);
        linear(b, "attn.o_proj", width, d, attention_bias, TensorRole::output);
        if (!attention_bias) return;
        for (const Text name : {"gate_proj", "q_proj", "k_proj", "v_proj"})
          b.scope("self_attn", [&] { b.scope(name, [&] { b.parameter("bias", {width}); }); });
      });
      b.scope(Part::feed_forward, "mlp", [&] {
        linear(b, "gate_up_proj", d, 2 * s.f, false, TensorRole::gate_and_up);
        linear(b, "down_proj", s.f, d, mlp_bias, TensorRole::down);
        if (!mlp_bias) return;
        for (const Text name : {"gate_proj.bias", "up_proj.bias"}) b.parameter(name, {s.f});
      });
    });
  }
  if (b.inference() != nullptr) {
    // In each pass, a stack caches separate keys and values.
    const Expr slow = c.integer("H_cycles", 2), fast = c.integer("L_cycles", 3);
    b.repeat("layers", all(stack_layers * (slow * (fast + 1))), [&] { record_attention(b, {s.n, s.n, c.integer("head_dim", 128)}); });
  }
  return {.hidden = d, .embedding = table};
}

}  // namespace

extern const Family hrm_text{
    .model_type = "hrm_text",
    .summary = "Hierarchical reasoning model: a slow and a fast stack of layers, applied recurrently.",
    .classes = {"HrmText", heads::decoder},
    .backbone = backbone,
    .cache = caches::all_tokens,
    .uncomputed = "Tokens pass through the layers several times.",
};

}  // namespace param_ledger
