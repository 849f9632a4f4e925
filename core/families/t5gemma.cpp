// T5Gemma: an encoder and a decoder with Gemma 2's layers. T5Gemma 2 has Gemma 3's layers and SigLIP's vision tower, and its decoder
// attends to its own tokens and to the encoder's output in one attention block. Source: transformers, models/t5gemma, t5gemma2.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

constexpr LayerNorms norms{"pre_self_attn_layernorm", "post_self_attn_layernorm", "pre_feedforward_layernorm",
                           "post_feedforward_layernorm"};
constexpr LlamaType gemma2_type{.sizes = {2304, 9216, 26, 256000, 8},
                                .kv_heads = fixed(4),
                                .head_dim = fixed(256),
                                .switches = attention_bias,
                                .divisible = true,
                                .layout = {.attention = {.scaled_by_head_dim = false}, .norms = norms}};
constexpr LlamaType gemma3_type{.sizes = {2304, 9216, 26, 262208, 8},
                                .kv_heads = fixed(4),
                                .head_dim = fixed(256),
                                .switches = attention_bias,
                                .divisible = true,
                                .layout = {.attention = {.head_norms = QkNorm::per_head, .scaled_by_head_dim = false}, .norms = norms}};

/// Records cross-attention in each layer, with its norms.
void cross_attention(Builder& b, const LlamaDecoder& m, Expr memory) {
  Attention a = m.attention;
  a.memory = memory;
  a.is_cross_attention = true;
  b.repeat("layers", all(m.n_layers), [&] {
    attention(b, "cross_attn", a);
    rms_norm(b, "pre_cross_attn_layernorm", a.hidden);
    rms_norm(b, "post_cross_attn_layernorm", a.hidden);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Head head = b.architecture().head;
  const bool asked = c.flag("is_encoder_decoder", true), whole = asked || head == Head::conditional_generation;
  if (asked && head == Head::encoder) c.refuse(ErrorCode::inconsistent, "is_encoder_decoder", "must be false for this class.");
  if (!whole && head == Head::none) c.refuse(ErrorCode::inconsistent, "is_encoder_decoder", "must be true.");
  const LlamaDecoder encoder = llama_type_fields(c.section("encoder"), gemma2_type);
  BackboneOutput out;
  b.scope("encoder", [&] { b.owned_by(Owner::encoder, [&] { out = llama_decoder(b, encoder); }); });
  const LlamaDecoder m = llama_type_fields(c.section("decoder"), gemma2_type);
  if (!whole) return out;
  b.scope("decoder", [&] {
    out = llama_decoder(b, m);
    cross_attention(b, m, encoder.attention.hidden);
  });
  return out;
}

/// The token embedding table and the end-of-image embedding. Encoder and decoder share them unless tie_word_embeddings is false.
struct Tables {
  Tensor words, image_end;
};
void tied_tables(Builder& b, const Tables& to) {
  b.scope(Part::embedding, "embed_tokens", [&] {
    b.tied("weight", to.words);
    b.tied("eoi_embedding", to.image_end);
  });
}
Tables tables(Builder& b, const LlamaDecoder& m) {
  const Tensor words = embedding(b, "embed_tokens", m.vocabulary, m.attention.hidden, TensorRole::token_embedding);
  Tables out{.words = words};
  b.part(Part::embedding, [&] { out.image_end = b.parameter("embed_tokens.eoi_embedding", {m.attention.hidden}); });
  return out;
}

BackboneOutput backbone_2(Config c, Builder& b) {
  Config encoder_section = c.section("encoder");
  require_type(encoder_section, "t5gemma2_encoder");  // the names in files depend on this type
  const LlamaDecoder encoder = llama_type_fields(encoder_section.section("text_config"), gemma3_type);
  const LlamaDecoder decoder = llama_type_fields(c.section("decoder"), gemma3_type);
  const Expr d = encoder.attention.hidden;
  require_equal(d, decoder.attention.hidden);
  require_equal(encoder.vocabulary, decoder.vocabulary);
  if (!c.flag("is_encoder_decoder", true)) c.refuse(ErrorCode::inconsistent, "is_encoder_decoder", "must be true.");
  const bool tied = c.flag("tie_word_embeddings", true);
  Tables shared;
  b.scope("encoder", [&] {
    b.owned_by(Owner::encoder, [&] {
      shared = tables(b, encoder);
      llama_layers(b, encoder);
      rms_norm(b, "norm", d);
    });
    const BackboneOutput tower = vision_tower(encoder_section.section("vision_config"), b, "vision_tower", {"siglip_vision_model"});
    b.tower(Tower::projector, "multi_modal_projector", [&] {
      b.parameter("mm_input_projection_weight", {tower.hidden, d}, StorageKind::matrix);
      rms_norm(b, "mm_soft_emb_norm", tower.hidden);
    });
  });
  b.scope("decoder", [&] {
    if (tied)
      tied_tables(b, shared);
    else
      tables(b, decoder);
    llama_layers(b, decoder);
    rms_norm(b, "norm", d);
  });
  return {.hidden = d, .embedding = shared.words};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  const Head kind = b.architecture().head;
  if (kind == Head::none || kind == Head::encoder) return;
  if (kind != Head::conditional_generation)
    return b.part(Part::output_head, [&] { linear(b, "score.out_proj", m.hidden, num_labels(c), true); });
  BackboneOutput named = m;
  named.language_model = "lm_head.out_proj";
  named.tie_by_default = true;
  language_model_head(c, b, named);
}

constexpr Architecture encoder_class[] = {{"T5GemmaEncoderModel", Head::encoder, ""}};
constexpr unsigned classes = heads::conditional | heads::base | heads::sequence | heads::token;

}  // namespace

extern const Family t5gemma{
    .model_type = "t5gemma",
    .summary = "Encoder-decoder with Gemma 2 layers.",
    .classes = {.prefix = "T5Gemma", .heads = classes, .listed = encoder_class},
    .backbone = backbone,
    .head = head,
};
extern const Family t5gemma2{
    .model_type = "t5gemma2",
    .summary = "Vision-language encoder-decoder: Gemma 3 layers with SigLIP.",
    .classes = {"T5Gemma2", classes},
    .backbone = backbone_2,
    .head = head,
};

}  // namespace param_ledger
