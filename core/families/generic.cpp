// The textbook transformer, each part a switch: what articles and courses compute by hand, to compare with.
// Not a model of transformers; its field names are theirs where there are any.

#include "core/decoders.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view positions[] = {"none", "learned"};
constexpr std::string_view norms[] = {"none", "rms_norm", "layer_norm"};

Backbone backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), n_layers = c.integer("num_hidden_layers", 32);
  const Expr vocab = c.integer("vocab_size", 32000);
  const bool learned_positions = c.text("position_embedding", "none", positions) == "learned";
  const Expr n_positions = c.integer("max_position_embeddings", 2048);
  const Expr n = c.integer("num_attention_heads", 32, 1), n_kv = c.integer("num_key_value_heads", n),
             h = c.integer("head_dim", floor_divide(d, n));
  const bool attention_bias = c.flag("attention_bias", false);
  const bool gated = c.flag("gated_mlp", false);
  const Expr f = c.integer("intermediate_size", 4 * d);
  const bool mlp_bias = c.flag("mlp_bias", false);
  const std::string_view norm_name = c.text("norm", "none", norms);
  const Norm kind = norm_name == "rms_norm" ? Norm::rms : norm_name == "layer_norm" ? Norm::layer : Norm::none;
  const bool final_norm = c.flag("final_norm", true);
  // Where head_dim is given the heads need not share the hidden size out.
  if (h.name().definition) require_multiple(d, n);

  const Tensor table = embedding(b, "embed_tokens", vocab, d, Does::token_embedding);
  if (learned_positions) embedding(b, "embed_positions", n_positions, d, Does::position_embedding);
  b.repeat("layers", all(n_layers), [&] {
    norm(b, kind, "input_layernorm", d);
    attention(b, "self_attn",
              {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = attention_bias, .output_bias = attention_bias});
    norm(b, kind, "post_attention_layernorm", d);
    if (gated)
      gated_mlp(b, "mlp", d, f, mlp_bias);
    else
      mlp(b, "mlp", d, f, mlp_bias);
  });
  if (final_norm) norm(b, kind, "norm", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true};
}

}  // namespace

extern const Family generic{
    .model_type = "generic",
    .summary = "The textbook transformer, each part a switch: for articles and courses.",
    .classes = {"Generic", heads::decoder},
    .backbone = backbone,
};

}  // namespace param_ledger
