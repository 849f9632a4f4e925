// Qwen3-Omni: the thinker reads audio, images and text and writes text. The other parts are missing if enable_audio_output is false. The
// talker, a mixture of experts, generates the first code of each audio frame, and a small decoder generates the other codes. A transformer
// and a convolutional network convert the codes to a waveform.
// Source: transformers, models/qwen3_omni_moe.

#include "core/nn/audio/codec.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

extern const Family qwen3_omni_moe_thinker;

namespace {

constexpr Alias text_aliases[] = {{"num_experts", "num_local_experts"}};

/// Records a projection from the thinker's width to the talker's, for the thinker's token embeddings or hidden states.
void resized(Builder& b, Text name, Expr in, Expr inner, Expr out) {
  b.scope(name, [&] {
    linear(b, "linear_fc1", in, inner, true);
    linear(b, "linear_fc2", inner, out, true);
  });
}

/// Records the decoder that predicts the second and later codes of a frame, one after another. Each of these codes has an embedding table
/// and a head.
void code_predictor(Config c, Builder& b) {
  c.consume("model_type");
  const DecoderSizes s = decoder_sizes(c, {1024, 3072, 5, 2048, 16});
  const Attention a = attention_fields(c, s, fixed_not_null(8), fixed(128), {.head_norms = QkNorm::per_head});
  if (c.flag("tie_word_embeddings", false))
    c.refuse(ErrorCode::inconsistent, "tie_word_embeddings", "must be false: the code predictor has no table to tie its heads to.");
  const Expr others = c.integer("num_code_groups", 32, 1) - 1;
  b.scope("model", [&] {
    b.repeat("codec_embedding", all(others), [&] { embedding(b, "", s.vocab, s.d, TensorRole::token_embedding); });
    llama_layers(b, {.attention = a, .inner = s.f, .n_layers = s.n_layers});
    rms_norm(b, "norm", s.d);
  });
  b.part(Part::output_head, [&] { b.repeat("lm_head", all(others), [&] { linear(b, "", s.d, s.vocab, false, TensorRole::head); }); });
}

void talker(Config c, Builder& b) {
  Config text = c.section("text_config").with(text_aliases);
  text.consume("model_type");
  c.consume("spatial_merge_size");
  const DecoderSizes s = decoder_sizes(text, {1024, 2048, 20, 3072, 16});
  const Attention a = attention_fields(text, s, fixed(2), attribute, {.head_norms = QkNorm::per_head});
  Mixture m = mixture_fields(text, s.d, {.count = 128, .active = 8, .inner = 384, .count_field = "num_local_experts"},
                             {.shared_name = "shared_expert", .shared_gate = "shared_expert_gate"});
  m.shared = text.integer("shared_expert_intermediate_size", required(768));
  const Expr thought = c.integer("thinker_hidden_size", 2048);
  const bool tied = c.flag("tie_word_embeddings", false);
  Tensor codes;
  b.scope("model", [&] {
    codes = embedding(b, "codec_embedding", s.vocab, s.d, TensorRole::token_embedding);
    b.repeat("layers", all(s.n_layers), [&] {
      rms_norm(b, "input_layernorm", s.d);
      attention(b, "self_attn", a);
      rms_norm(b, "post_attention_layernorm", s.d);
      mixture(b, "mlp", m);
    });
    rms_norm(b, "norm", s.d);
  });
  b.tower(Tower::projector, "", [&] {
    resized(b, "text_projection", thought, s.f, s.d);
    resized(b, "hidden_projection", thought, s.f, s.d);
  });
  b.scope(Part::output_head, "codec_head", [&] {
    if (tied)
      b.tied("weight", codes);
    else
      linear(b, "", s.d, s.vocab, false, TensorRole::head);
  });
  b.scope("code_predictor", [&] { code_predictor(c.section("code_predictor_config"), b); });
}

/// Records a block that upsamples the sequence by the factor `rate` and changes the number of channels from `in` to `out`.
void enlarging_block(Builder& b, const std::string& name, Expr in, Expr out, Expr rate) {
  b.scope(name, [&] {
    snake_with_beta(b, "0", in);
    transposed_conv1d(b, "1.conv", in, out, 2 * rate);
    for (const Text unit : {"2", "3", "4"})
      b.scope(unit, [&] {
        snake_with_beta(b, "act1", out);
        conv1d(b, "conv1.conv", out, out, 7);
        snake_with_beta(b, "act2", out);
        conv1d(b, "conv2.conv", out, out, 1);
      });
  });
}

void code2wav(Config c, Builder& b) {
  const Expr codes = c.integer("codebook_size", 2048), d = c.integer("hidden_size", 1024), n = c.integer("num_attention_heads", 16, 1);
  const Expr n_kv = c.integer("num_key_value_heads", 16), h = c.integer("head_dim", attribute.or_else(floor_divide(d, n)));
  const Expr f = c.integer("intermediate_size", 3072), n_layers = c.integer("num_hidden_layers", 8);
  const Expr quantizers = c.integer("num_quantizers", 16), first = c.integer("decoder_dim", 1536);
  const bool bias = c.flag("attention_bias", false);
  const std::vector<Expr> rates = c.dimensions("upsample_rates", {8, 5, 4, 3}), ratios = c.dimensions("upsampling_ratios", {2, 2});
  embedding(b, "code_embedding", codes * quantizers, d);
  b.scope("pre_transformer", [&] {
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      attention(b, "self_attn", {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias});
      rms_norm(b, "post_attention_layernorm", d);
      gated_mlp(b, "mlp", d, f);
      b.part(Part::attention, [&] { layer_scale(b, "self_attn_layer_scale.scale", d); });
      b.part(Part::feed_forward, [&] { layer_scale(b, "mlp_layer_scale.scale", d); });
    });
    rms_norm(b, "norm", d);
  });
  b.part(Part::convolution, [&] {
    for (std::size_t i = 0; i < ratios.size(); ++i)
      b.scope(concat({"upsample.", digits(i)}), [&] {
        transposed_conv1d(b, "0.conv", d, d, ratios[i]);
        b.scope("1", [&] {
          depthwise_conv1d(b, "dwconv.conv", d, 7, true);
          layer_norm(b, "norm", d);
          linear(b, "pwconv1", d, 4 * d, true);
          linear(b, "pwconv2", 4 * d, d, true);
          layer_scale(b, "gamma", d);
        });
      });
    conv1d(b, "decoder.0.conv", d, first, 7);
    for (std::size_t i = 0; i < rates.size(); ++i)
      enlarging_block(b, concat({"decoder.", digits(i + 1), ".block"}), divided_by_power_of_two(first, i),
                      divided_by_power_of_two(first, i + 1), rates[i]);
    const Expr last = divided_by_power_of_two(first, rates.size());
    snake_with_beta(b, concat({"decoder.", digits(rates.size() + 1)}), last);
    conv1d(b, concat({"decoder.", digits(rates.size() + 2), ".conv"}), last, c.literal(1), 7);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const BackboneOutput out =
      nested_with_head(c.section("thinker_config"), b, "thinker", qwen3_omni_moe_thinker, Head::conditional_generation);
  if (!c.flag("enable_audio_output", true)) return out;
  b.tower(Tower::audio, "talker", [&] { talker(c.section("talker_config"), b); });
  b.tower(Tower::audio, "code2wav", [&] { code2wav(c.section("code2wav_config"), b); });
  return out;
}

constexpr Architecture classes[] = {{"Qwen3OmniMoeForConditionalGeneration", Head::none, ""}};

}  // namespace

extern const Family qwen3_omni_moe{
    .model_type = "qwen3_omni_moe",
    .summary = "Multimodal input, text and speech output: Qwen3-MoE thinker, talker and audio decoder.",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
