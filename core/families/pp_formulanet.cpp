// PP-FormulaNet: SAM's vision tower, and a BART-like decoder that writes the formula in an image.
// Source: transformers, models/pp_formulanet.

#include "core/nn/text/encoder_decoder.hpp"
#include "core/nn/vision/sam.hpp"

namespace param_ledger {

namespace {

constexpr Alias text_aliases[] = {
    {"num_attention_heads", "encoder_attention_heads"}, {"hidden_size", "d_model"}, {"num_hidden_layers", "encoder_layers"}};

void encoder(Config c, Builder& b) {
  c.consume("model_type");
  b.tower(Tower::vision, "encoder", [&] { sam_vision(c, b, false, 512); });
  const Expr in = c.integer("post_conv_in_channels", 256), middle = c.integer("post_conv_mid_channels", 512),
             out = c.integer("post_conv_out_channels", 1024), d = c.integer("decoder_hidden_size", 512);
  b.tower(Tower::projector, "encoder.multi_modal_projector", [&] {
    conv2d(b, "conv1", in, middle, 3, false);
    conv2d(b, "conv2", middle, out, 3, false);
    linear(b, "linear_1", out, out, true);
    linear(b, "linear_2", out, d, true);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  Config text = c.section("text_config").with(text_aliases);
  text.consume("model_type");
  const Expr vocab = text.integer("vocab_size", 50000), d = text.integer("d_model", 512),
             positions = text.integer("max_position_embeddings", 2560);
  const Stack layers = decoder_fields(text, d, {8, 2048, 16});
  encoder(c.section("vision_config"), b);
  Tensor words;
  b.scope("decoder", [&] {
    words = embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
    embedding(b, "embed_positions", positions + 2, d, TensorRole::position_embedding);
    norm(b, Norm::layer, "layernorm_embedding", d, TensorRole::embedding_norm);
    stack_layers(b, layers);
    layer_norm(b, "layer_norm", d);
  });
  return {.hidden = d, .embedding = words, .vocabulary = vocab};
}

/// Records the head, which is never tied.
void head(Config /*c*/, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::none)
    b.part(Part::output_head, [&] { linear(b, "lm_head", m.hidden, m.vocabulary, false, TensorRole::head); });
}

}  // namespace

extern const Family pp_formulanet{
    .model_type = "pp_formulanet",
    .summary = "Formula recognition (image to LaTeX): SAM's ViT and BART's decoder.",
    .classes = {"PPFormulaNet", heads::conditional | heads::base, "model"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
