// IEIT's Yuan 2.0: like Llama, with two convolutions along the sequence before the query and key projections (localized filtering), unless
// these share one matrix (use_shareqk). Source: yuan_hf_model.py and configuration_yuan.py as published in IEIT-Yuan/Yuan-2.0; arXiv
// 2311.15786.

#include "core/builder/blocks.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2048, 8192, 24, 135040, 32});
  const Expr d = s.d, half = floor_divide(d, c.literal(2));
  const bool shared = c.flag("use_shareqk", false);
  BackboneOutput out = decoder(b, s.vocab, d, [&] {
    b.repeat("layers", all(s.n_layers), [&] {
      require_multiple(d, s.n);
      rms_norm(b, "input_layernorm", d);
      b.scope(Part::attention, "self_attn", [&] {
        const InBlock block(b, {.mechanism = Mechanism::attention, .heads = s.n, .kv_heads = s.n});
        if (shared) {
          linear(b, "qk_proj", d, d);
          b.parameter("qk_weight", {c.literal(2), d});
          b.parameter("qk_bias", {c.literal(2), d});
        } else {
          conv2d(b, "lf_gate.conv1", d, half, Kernel(2, 1));
          conv2d(b, "lf_gate.conv2", half, d, Kernel(2, 1));
          rms_norm(b, "lf_gate.output_layernorm", d);
          linear(b, "q_proj", d, d, false, TensorRole::query);
          linear(b, "k_proj", d, d, false, TensorRole::key);
        }
        linear(b, "v_proj", d, d, false, TensorRole::value);
        linear(b, "o_proj", d, d, false, TensorRole::output);
      });
      rms_norm(b, "post_attention_layernorm", d);
      gated_mlp(b, "mlp", d, s.f);
    });
  });
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family yuan{
    .model_type = "yuan",
    .summary = "Yuan 2.0: like Llama, with convolutions before queries and keys (localized filtering).",
    .classes = {"Yuan", heads::decoder | heads::sequence},
    .backbone = backbone,
    .own_code = true,
};

}  // namespace param_ledger
