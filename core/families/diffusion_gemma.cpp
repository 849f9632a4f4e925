// DiffusionGemma: an encoder and a decoder, by default with the weights of the same Gemma 4, which always has experts. The encoder reads
// text and images. The decoder attends to the encoder's keys and values, denoises a block of tokens, and conditions on its last result.
// Source: transformers, models/diffusion_gemma.

#include <string>

#include "core/nn/nested.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

extern const Family diffusion_gemma_text;  // defined in gemma4_text.cpp

namespace {

/// Records the encoder's text model as tied to the decoder. `first`: the decoder's first row. transformers does not tie biases.
void tied_encoder(Builder& b, std::size_t first) {
  const std::size_t end = b.rows().size(), decoder = b.prefix().size() + std::string_view("decoder.").size();
  b.scope("encoder.language_model", [&] {
    for (std::size_t i = first; i < end; ++i) {
      const Row row = b.rows()[i];
      const std::string name(row.name.substr(decoder));
      if (std::string_view(name).ends_with(".bias"))
        b.like(row, name, row.shape, row.storage);
      else
        b.tied_like(row, name);
    }
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  Config text = c.section("text_config"), vision = c.section("vision_config");
  const bool tied = c.flag("tie_word_embeddings", true);
  const Expr d_tower = nested_tower(vision, b, Tower::vision, "encoder.vision_tower", {"gemma4_vision"}).hidden;
  const Expr d_vision = vision.integer("output_proj_dims", attribute.or_else(d_tower));

  const std::size_t first = b.rows().size();
  BackboneOutput out = nested(text, b, "decoder", diffusion_gemma_text);
  const Expr d = out.hidden, f = text.integer("intermediate_size", 9216), n_layers = text.integer("num_hidden_layers", 30);
  if (!tied) {
    nested(text, b, "encoder.language_model", diffusion_gemma_text);
  } else {
    if (is_zero(n_layers))
      text.refuse(ErrorCode::out_of_range, "num_hidden_layers", "must be at least 1, unless tie_word_embeddings is false.");
    tied_encoder(b, first);
  }
  b.tower(Tower::projector, "encoder.embed_vision", [&] { linear(b, "embedding_projection", d_vision, d); });
  b.scope("decoder.self_conditioning", [&] {
    rms_norm(b, "pre_norm", d);
    gated_mlp(b, "", d, f);
  });
  out.tie_by_default = true;
  return out;
}

constexpr Architecture classes[] = {
    {"DiffusionGemmaForBlockDiffusion", Head::conditional_generation, "model"},
    {"DiffusionGemmaModel", Head::none, ""},
};

}  // namespace

extern const Family diffusion_gemma{
    .model_type = "diffusion_gemma",
    .summary = "Generates blocks of text by diffusion, with the weights of one Gemma 4 as encoder and decoder.",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
