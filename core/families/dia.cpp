// Dia: a text encoder, and a decoder that generates num_channels channels of audio codes at once.
// Source: transformers, models/dia.

#include "core/builder/family.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

/// The sizes of Dia's encoder or decoder.
struct DiaStack {
  Attention attention;
  Expr inner, n_layers;
};
DiaStack stack_fields(Config c, std::uint64_t layers, std::uint64_t hidden, std::uint64_t inner, std::uint64_t kv_heads) {
  c.consume("model_type");
  const Expr n_layers = c.integer("num_hidden_layers", layers), d = c.integer("hidden_size", hidden),
             f = c.integer("intermediate_size", inner), n = c.integer("num_attention_heads", 16, 1);
  const Expr n_kv = c.integer("num_key_value_heads", fixed_not_zero(kv_heads).or_else(n)), h = c.integer("head_dim", 128);
  return {
      .attention = {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .even_share = false, .scaled_by_head_dim = false},
      .inner = f,
      .n_layers = n_layers,
  };
}

void encoder(Config c, Builder& b) {
  const DiaStack m = stack_fields(c, 12, 1024, 4096, 16);
  const Expr d = m.attention.hidden, vocab = c.integer("vocab_size", 256);
  b.scope("encoder", [&] {
    embedding(b, "embedding", vocab, d, TensorRole::token_embedding);
    b.repeat("layers", all(m.n_layers), [&] {
      rms_norm(b, "pre_sa_norm", d);
      attention(b, "self_attention", m.attention);
      rms_norm(b, "post_sa_norm", d);
      fused_gated_mlp(b, "mlp", d, m.inner);
    });
    rms_norm(b, "norm", d);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  Config text = c.section("encoder_config"), sound = c.section("decoder_config");
  const DiaStack m = stack_fields(sound, 18, 2048, 8192, 4);
  const Expr d = m.attention.hidden, vocab = sound.integer("vocab_size", 1028), channels = sound.integer("num_channels", 9);
  Attention cross = m.attention;
  cross.heads = sound.integer("cross_num_attention_heads", 16, 1);
  cross.kv_heads = sound.integer("cross_num_key_value_heads", 16, 1);
  cross.head_dim = sound.integer("cross_head_dim", 128);
  cross.memory = sound.integer("cross_hidden_size", 1024);
  cross.is_cross_attention = true;
  const Json delays = c.peek("delay_pattern");
  constexpr Count usual_delays = 9;
  if (channels.decide() != (delays && !delays.is_null() ? delays.size() : usual_delays))
    c.refuse(ErrorCode::inconsistent, "delay_pattern", "must have an entry for each of decoder_config.num_channels.");
  c.consume("delay_pattern");

  encoder(text, b);
  b.scope("decoder", [&] {
    embedding(b, "embeddings.embed", vocab * channels, d, TensorRole::token_embedding);
    b.repeat("layers", all(m.n_layers), [&] {
      attention(b, "self_attention", m.attention);
      attention(b, "cross_attention", cross);
      for (const Text name : {"pre_sa_norm", "pre_ca_norm", "pre_mlp_norm"}) rms_norm(b, name, d);
      fused_gated_mlp(b, "mlp", d, m.inner);
    });
    rms_norm(b, "norm", d);
  });
  return {.hidden = d, .vocabulary = channels * vocab};
}

void head(Config /*c*/, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::conditional_generation)
    b.part(Part::output_head, [&] { linear(b, "logits_dense", m.hidden, m.vocabulary); });
}

}  // namespace

extern const Family dia{
    .model_type = "dia",
    .summary = "Text-to-speech for dialogue: a text encoder and a decoder that generates DAC audio codes.",
    .classes = {"Dia", heads::conditional | heads::base},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
