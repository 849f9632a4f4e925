// An encoder, by default ModernBERT, and a decoder. The decoder's layers are like ModernBERT's, with RMSNorm and with cross-attention.
// Source: modeling.py and configuration.py as published in PruhaNLP/ModernMT-en-ru.

#include "core/nn/nested.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"EncoderDecoderModel", Head::conditional_generation, ""}};

BackboneOutput backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 50370), d = c.integer("hidden_size", 384), n = c.integer("num_attention_heads", 6, 1);
  const Expr f = c.integer("intermediate_size", 576), n_layers = c.integer("decoder_num_layers", 6);
  c.ignore("num_hidden_layers", "decoder_num_layers is used instead.");
  Config encoder = c.section("encoder_config");
  if (!is_given(encoder, "model_type")) c.refuse(ErrorCode::missing_field, "encoder_config", "must be a configuration with a model_type.");
  nested_auto(encoder, b, "encoder", "modernbert");
  const Tensor table = embedding(b, "decoder_embed", vocab, d, TensorRole::token_embedding);
  rms_norm(b, "decoder_embed_norm", d);
  b.repeat("decoder_layers", all(n_layers), [&] {
    require_positive(n);
    rms_norm(b, "attn_norm", d);
    b.scope(Part::attention, "self_attn", [&] {
      linear(b, "Wqkv", d, 3 * d, false, TensorRole::query_key_value);
      linear(b, "Wo", d, d, false, TensorRole::output);
    });
    rms_norm(b, "cross_attn_norm", d);
    b.owned_by(Owner::cross, [&] {
      b.scope(Part::attention, "cross_attn", [&] {
        linear(b, "Wq", d, d, false, TensorRole::query);
        linear(b, "Wkv", d, 2 * d);
        linear(b, "Wo", d, d, false, TensorRole::output);
      });
    });
    rms_norm(b, "mlp_norm", d);
    fused_gated_mlp(b, "mlp", d, f, false, "Wi", "Wo");
  });
  rms_norm(b, "decoder_final_norm", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true};
}

}  // namespace

extern const Family modernbert_enc_dec{
    .model_type = "modernbert_enc_dec",
    .summary = "Encoder-decoder: ModernBERT with a decoder.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .own_code = true,
};

}  // namespace param_ledger
