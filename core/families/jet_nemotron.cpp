// NVIDIA's Jet-Nemotron: Qwen2's layers, some of them with linear attention (JetBlock) instead of attention. JetBlock combines the gated
// delta rule with a convolution of the values. A small network generates the convolution's kernel from the input. Source:
// modeling_jet_nemotron.py, jet_block.py and dynamic_conv.py as published in NVlabs/Jet-Nemotron; arXiv 2508.15884.

#include <cmath>

#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view kinds_of_layers[] = {"attn", "swa", "jet"};

/// expand_v × `channels`, rounded down. Throws if the product decreases by more than a hundred-thousandth of itself.
Expr expanded(Config jet, Expr channels, Text product, Text symbol) {
  const double exact = jet.number("expand_v", 2.0) * static_cast<double>(channels.decide());
  if (exact - std::floor(exact) > 1e-5 * exact)
    jet.refuse(ErrorCode::inconsistent, "expand_v", "must give whole numbers of channels for one head and for all heads.");
  return jet.scaled("expand_v", 2.0, channels, product, symbol);
}

void jet_block(Config jet, Builder& b, Expr d) {
  const Expr n = jet.integer("num_heads", 6), h = jet.integer("head_dim", 256), kernel = jet.integer("conv_size", 4);
  const Expr reduction = jet.integer("dconv_generator_reduction", 8, 1);
  const Expr keys = n * h, values = expanded(jet, keys, "value_dim", "d_v"), head = expanded(jet, h, "head_v_dim", "h_v");
  const Expr narrow = floor_divide(values, reduction);
  b.scope(Part::state_space, "self_attn", [&] {
    linear(b, "q_proj", d, keys);
    linear(b, "k_proj", d, keys);
    linear(b, "v_proj", d, values);
    linear(b, "b_proj", d, n);
    linear(b, "a_proj", d, n);
    b.parameter("A_log", {n});
    b.parameter("dt_bias", {n});
    linear(b, "dynamic_conv1d.kernel_generator.w1", d, narrow);
    linear(b, "dynamic_conv1d.kernel_generator.w2", narrow, values * kernel, true);
    linear(b, "g_proj", d, values);
    rms_norm(b, "o_norm", head);
    linear(b, "o_proj", values, d);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {1536, 8960, 28, 151936, 12});
  const Attention a{.hidden = s.d,
                    .heads = s.n,
                    .kv_heads = c.integer("num_key_value_heads", fixed_not_null(2).or_else(s.n)),
                    .head_dim = c.integer("head_dim", attribute.or_else(floor_divide(s.d, s.n))),
                    .even_share = false,
                    .qkv_bias = true};
  const auto kinds = layer_kinds(c, "layer_types", s.n_layers, kinds_of_layers, [](std::size_t) { return "attn"; });
  const Split linear_attention =
      split(c, s.n_layers, "num_jet_layers", "L_j", "Layers with linear attention.", [&](std::size_t i) { return kinds[i] == "jet"; });
  Config jet = c.section("efficient_attention_config").section("jet");
  BackboneOutput out = decoder(b, s.vocab, s.d, [&] {
    b.repeat("layers", linear_attention.in, [&] {
      if (!is_given(c.section("efficient_attention_config"), "jet"))
        c.refuse(ErrorCode::missing_field, "efficient_attention_config", "must describe the layers of kind \"jet\" under the key \"jet\".");
      jet_block(jet, b, s.d);
    });
    b.repeat("layers", linear_attention.out, [&] { attention(b, "self_attn", a); });
    b.repeat("layers", all(s.n_layers), [&] {
      rms_norm(b, "input_layernorm", s.d);
      rms_norm(b, "post_attention_layernorm", s.d);
      gated_mlp(b, "mlp", s.d, s.f);
    });
  });
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family jet_nemotron{
    .model_type = "jet_nemotron",
    .summary = "Like Qwen2, with linear attention (JetBlock) in most layers.",
    .classes = {"JetNemotron", heads::decoder},
    .backbone = backbone,
    .own_code = true,
};

}  // namespace param_ledger
