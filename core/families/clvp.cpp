// CLVP: a GPT-like decoder generates candidate speech sequences. Encoders for text and speech rank the candidates by how well they match
// the text. Source: transformers, models/clvp.

#include "core/builder/family.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

void encoder(Config c, Builder& b, Text name) {
  c.consume("model_type");
  const Expr vocab = c.integer("vocab_size", 256), d = c.integer("hidden_size", 768), f = c.integer("intermediate_size", 1536);
  const Expr n_layers = c.integer("num_hidden_layers", 20), n = c.integer("num_attention_heads", 12, 1);
  const Expr shared = c.integer("projection_dim", 768);
  const bool rotary = c.flag("use_rotary_embedding", true), bias = c.flag("use_attention_bias", false);
  if (c.has("summary_use_proj")) c.refuse(ErrorCode::unsupported, "summary_use_proj", "is not a field of this encoder.");
  b.scope(name, [&] {
    embedding(b, "token_embedding", vocab, d, TensorRole::token_embedding);
    if (rotary) {
      // RoPE rotates half of projection_dim ÷ heads, but at least 32 dimensions. There is one frequency for every two of these.
      constexpr Count least = 32;
      const Expr share = floor_divide(shared, 2 * n);
      const Expr angles = share.decide() > least ? ceil_divide(share, c.literal(2)) : c.literal(least / 2);
      b.part(Part::attention, [&] { b.buffer("rotary_pos_emb.inv_freq", {angles}); });
    }
    b.repeat("layers", all(n_layers), [&] {
      attention(b, "self_attn", {.hidden = d, .heads = n, .qkv_bias = bias, .output_bias = true, .o = "out_proj"});
      fused_gated_mlp(b, "mlp", d, f, true, "fc1.proj", "fc2");
      rms_norm(b, "input_rmsnorm", d);
      rms_norm(b, "post_attention_rmsnorm", d);
    });
    layer_norm(b, "final_layer_norm", d);
    b.tower(Tower::projector, "", [&] { linear(b, "projection", d, shared); });
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  Config text = c.section("text_config"), spoken = c.section("decoder_config");
  spoken.consume("model_type");
  const Expr vocab = spoken.integer("vocab_size", 8194), positions = spoken.integer("max_position_embeddings", 608);
  const Expr text_positions = spoken.integer("max_text_tokens", 404), d = spoken.integer("hidden_size", 1024);
  const Expr n_layers = spoken.integer("num_hidden_layers", 30), n = spoken.integer("num_attention_heads", 16, 1);
  const Expr f = spoken.integer("n_inner", 4 * d), n_mel = spoken.integer("num_mel_attn_blocks", 6);
  const Expr bands = spoken.integer("feature_size", 80);
  const bool bias = spoken.flag("use_attention_bias", true);
  require_multiple(d, c.literal(4));  // otherwise transformers finds no valid number of groups for group norm
  const Attention a{.hidden = d, .heads = n, .qkv_bias = bias, .output_bias = true, .o = "out_proj"};
  encoder(text, b, "text_encoder_model");
  b.tower(Tower::audio, "", [&] { encoder(c.section("speech_config"), b, "speech_encoder_model"); });
  b.tower(Tower::audio, "conditioning_encoder", [&] {
    embedding(b, "text_token_embedding", text.integer("vocab_size", 256), d);
    embedding(b, "text_position_embedding", text_positions, d);
    b.part(Part::convolution, [&] { conv1d(b, "mel_conv", bands, d, 1); });
    b.repeat("group_norms", all(n_mel), [&] { group_norm(b, "", d); });
    b.repeat("mel_attn_blocks", all(n_mel), [&] { attention(b, "", a); });
  });
  b.scope("speech_decoder_model.model.decoder", [&] {
    embedding(b, "input_embeds_layer", vocab, d);
    embedding(b, "position_embeds_layer", positions, d);
    b.repeat("layers", all(n_layers), [&] {
      layer_norm(b, "input_layernorm", d);
      attention(b, "attn", a);
      layer_norm(b, "post_attention_layernorm", d);
      b.scope(Part::feed_forward, "mlp", [&] {
        conv1d_linear(b, "c_fc", d, f, TensorRole::up);
        conv1d_linear(b, "c_proj", f, d, TensorRole::down);
      });
    });
    layer_norm(b, "layer_norm", d);
  });
  layer_norm(b, "speech_decoder_model.final_norm", d);
  b.part(Part::output_head, [&] { linear(b, "speech_decoder_model.lm_head", d, vocab, true, TensorRole::head); });
  b.tower(Tower::projector, "", [&] { b.parameter("logit_scale", {}); });
  return {.hidden = d};
}

void nothing(Config /*c*/, Builder& /*b*/, const BackboneOutput& /*m*/) {}

constexpr Architecture classes[] = {{"ClvpModelForConditionalGeneration", Head::conditional_generation, ""}};

}  // namespace

extern const Family clvp{
    .model_type = "clvp",
    .summary = "Text-to-speech (Tortoise): a GPT-2 decoder and speech-text contrastive encoders.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = nothing,
};

}  // namespace param_ledger
