// Higgs Audio 2: a Llama whose layers have separate feed-forward blocks and norms for audio. Source: transformers, models/higgs_audio_v2.

#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType text_type{.sizes = {3072, 8192, 28, 128256, 24},
                              .kv_heads = fixed(8),
                              .head_dim = fixed_not_null(128),
                              .switches = both_biases,
                              .divisible = true,
                              .layout = {.more = [](Builder& b, const LlamaDecoder& m) {
                                const Expr d = m.attention.hidden;
                                gated_mlp(b, "audio_mlp", d, m.inner, m.mlp_bias);
                                rms_norm(b, "audio_input_layernorm", d);
                                rms_norm(b, "audio_post_attention_layernorm", d);
                              }}};

BackboneOutput backbone(Config c, Builder& b) {
  const LlamaDecoder m = llama_type_fields(c, text_type);
  const Expr n_codebooks = c.integer("num_codebooks", 8), size = c.integer("codebook_size", 1024);
  BackboneOutput out = llama_decoder(b, m);
  embedding(b, "embed_audio_tokens.embed_audio_tokens", n_codebooks * size, out.hidden);
  out.vocabulary = n_codebooks * size;
  return out;
}

/// Records the head, which predicts only audio codes.
void head(Config /*c*/, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::conditional_generation)
    b.part(Part::output_head, [&] { linear(b, "audio_lm_head", m.hidden, m.vocabulary); });
}

}  // namespace

extern const Family higgs_audio_v2{
    .model_type = "higgs_audio_v2",
    .summary = "Text-to-speech and audio generation: Llama with separate audio MLPs and norms.",
    .classes = {"HiggsAudioV2", heads::conditional | heads::base},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
