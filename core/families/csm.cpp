// CSM: a Llama that reads text and audio codes and predicts the first code of each time step, a second decoder that generates the other
// codes, and a codec. Source: transformers, models/csm.

#include "core/nn/nested.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"codebook_size", "vocab_size"}};
constexpr LlamaType main_type{.sizes = {2048, 8192, 16, 2051, 32}, .kv_heads = fixed_not_null(8), .switches = both_biases};
constexpr LlamaType depth_type{.sizes = {1024, 8192, 4, 2051, 8}, .kv_heads = fixed_not_null(2), .switches = both_biases};

/// Records the second decoder, which generates all codes of a time step except the first. Returns the embedding table of the codes.
Tensor depth_decoder(Config c, Builder& b) {
  c.consume("model_type");
  if (const Json tied = c.peek("tie_word_embeddings"); tied.is(Json::Type::boolean) && tied.boolean())
    c.refuse(ErrorCode::unsupported, "tie_word_embeddings", "must be false.");
  const LlamaDecoder m = llama_type_fields(c, depth_type);
  const Expr d = m.attention.hidden, n_codebooks = c.integer("num_codebooks", 32, 1), width = c.integer("backbone_hidden_size", 2048);
  Tensor codes;
  b.scope("depth_decoder", [&] {
    b.scope("model", [&] {
      codes = embedding(b, "embed_tokens", n_codebooks * m.vocabulary, width, TensorRole::token_embedding);
      llama_layers(b, m);
      rms_norm(b, "norm", d);
      b.tower(Tower::projector, "", [&] { linear(b, "inputs_embeds_projector", width, d); });
    });
    b.part(Part::output_head, [&] { b.parameter("codebooks_head.weight", {n_codebooks - 1, d, m.vocabulary}, StorageKind::matrix); });
  });
  return codes;
}

BackboneOutput backbone(Config c, Builder& b) {
  const LlamaDecoder m = llama_type_fields(c, main_type);
  const Expr d = m.attention.hidden, words = c.integer("text_vocab_size", 128256), n_codebooks = c.integer("num_codebooks", 32);
  const bool tied = c.flag("tie_codebooks_embeddings", true, Null::allowed);
  b.part(Part::output_head, [&] { linear(b, "lm_head", d, m.vocabulary, false, TensorRole::head); });
  embedding(b, "embed_text_tokens", words, d);
  b.scope("backbone_model", [&] {
    llama_layers(b, m);
    rms_norm(b, "norm", d);
  });
  const Tensor codes = depth_decoder(c.section("depth_decoder_config").with(aliases), b);
  b.scope("backbone_model.embed_tokens", [&] {
    if (tied)
      b.part(Part::embedding, [&] { b.tied("embed_audio_tokens.weight", codes); });
    else
      embedding(b, "embed_audio_tokens", n_codebooks * m.vocabulary, d);
  });
  b.tower(Tower::audio, "codec_model", [&] { nested_auto(c.section("codec_config"), b, "", "mimi"); });
  return {.hidden = d};
}

void nothing(Config /*c*/, Builder& /*b*/, const BackboneOutput& /*m*/) {}

constexpr Architecture classes[] = {{"CsmForConditionalGeneration", Head::conditional_generation, ""}};

}  // namespace

extern const Family csm{
    .model_type = "csm",
    .summary = "Conversational text-to-speech: a Llama backbone and depth decoder, with the Mimi codec.",
    .classes = {.listed = classes},
    .aliases = aliases,
    .backbone = backbone,
    .head = nothing,
};

}  // namespace param_ledger
