// Bark: three transformers, one after another, convert text to semantic tokens, those to coarse audio codes, and those to fine audio codes,
// which a codec decodes. Source: transformers, models/bark.

#include "core/nn/nested.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_attention_heads", "num_heads"},
                             {"num_hidden_layers", "num_layers"},
                             {"vocab_size", "input_vocab_size"},
                             {"window_size", "block_size"}};

/// Records the position table, layers like GPT-2's and the final norm. Causal models also store an attention mask in each layer, and their
/// norms have no biases if the field bias is false.
void layers(Config c, Builder& b, Expr positions, bool causal) {
  const Expr d = c.integer("hidden_size", 768), n_layers = c.integer("num_layers", 12), n = c.integer("num_heads", 12, 1);
  const bool bias = c.flag("bias", true);
  const Norm kind = bias || !causal ? Norm::layer : Norm::unbiased;
  const Expr one = c.literal(1);
  embedding(b, "position_embeds_layer", positions, d);
  b.repeat("layers", all(n_layers), [&] {
    norm(b, kind, "layernorm_1", d);
    attention(b, "attn",
              {.hidden = d,
               .heads = n,
               .qkv_bias = bias,
               .output_bias = bias,
               .scaled_by_head_dim = false,
               .fused = "att_proj",
               .o = "out_proj"});
    if (causal) b.part(Part::attention, [&] { b.buffer("attn.bias", {one, one, positions, positions}); });
    norm(b, kind, "layernorm_2", d);
    mlp(b, "mlp", d, 4 * d, bias, "in_proj", "out_proj");
  });
  norm(b, kind, "layernorm_final", d);
}

void causal_model(Config c, Builder& b, Text name) {
  c.consume("model_type");
  const Expr vocab = c.integer("input_vocab_size", 10048), vocab_out = c.integer("output_vocab_size", 10048);
  const Expr d = c.integer("hidden_size", 768), positions = c.integer("block_size", 1024);
  b.scope(name, [&] {
    embedding(b, "input_embeds_layer", vocab, d);
    layers(c, b, positions, true);
    b.part(Part::output_head, [&] { linear(b, "lm_head", d, vocab_out, false, TensorRole::head); });
  });
}

/// Records the model that predicts the codes of all codebooks except the first n_codes_given. Each codebook has an embedding table. By
/// default, output head i is tied to table i + 1.
void fine_model(Config c, Builder& b) {
  c.consume("model_type");
  const Expr vocab = c.integer("input_vocab_size", 10048), vocab_out = c.integer("output_vocab_size", 10048);
  const Expr d = c.integer("hidden_size", 768), positions = c.integer("block_size", 1024);
  const Expr n_codes = c.integer("n_codes_total", 8), n_given = c.integer("n_codes_given", 1);
  const bool tied = c.flag("tie_word_embeddings", true);
  require_listable(n_codes);
  if (tied && n_given.decide() == 0)
    c.refuse(ErrorCode::out_of_range, "n_codes_given", "must be at least 1: output head i is tied to embedding table i + 1.");
  b.scope("fine_acoustics", [&] {
    Tensor words;
    b.repeat("input_embeds_layers", all(n_codes), [&] { words = embedding(b, "", vocab, d); });
    layers(c, b, positions, false);
    if (n_given.decide() >= n_codes.decide()) return;
    b.part(Part::output_head, [&] {
      if (!tied) return b.repeat("lm_heads", all(n_codes - n_given), [&] { linear(b, "", d, vocab_out); });
      for (Count i = 0; i < n_codes.decide() - n_given.decide(); ++i)
        b.tied(concat({"lm_heads.", digits(i), ".weight"}), words, concat({b.prefix(), "input_embeds_layers.", digits(i + 1), ".weight"}));
    });
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  causal_model(c.section("semantic_config").with(aliases), b, "semantic");
  causal_model(c.section("coarse_acoustics_config").with(aliases), b, "coarse_acoustics");
  fine_model(c.section("fine_acoustics_config").with(aliases), b);
  b.tower(Tower::audio, "codec_model", [&] { nested_auto(c.section("codec_config"), b, "", "encodec"); });
  return {};
}

constexpr Architecture classes[] = {{"BarkModel", Head::none, ""}};

}  // namespace

extern const Family bark{
    .model_type = "bark",
    .summary = "Text-to-speech and audio generation: three transformers and a neural audio codec.",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
