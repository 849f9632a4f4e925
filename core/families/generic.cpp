// The textbook transformer, each part a switch: what articles and courses compute by hand, to compare with.
// Not a model of transformers; its field names are theirs where there are any.

#include "core/blocks.hpp"
#include "core/families.hpp"
#include "core/heads.hpp"
#include "core/layers.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"GenericForCausalLM", Head::causal_lm, "model"},
    {"GenericModel", Head::none, ""},
};

void norm_of_kind(Builder& b, std::string_view kind, std::string_view name, Expr d) {
  if (kind == "rms_norm") rms_norm(b, name, d);
  if (kind == "layer_norm") layer_norm(b, name, d);
}

void record(Config& c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), n_layers = c.integer("num_hidden_layers", 32);
  const Expr vocab = c.integer("vocab_size", 32000);
  const std::string position = c.text("position_embedding", "none", {"none", "learned"});
  const Expr n_positions = c.integer("max_position_embeddings", 2048);
  const Expr n = c.integer("num_attention_heads", 32, 1), n_kv = c.integer("num_key_value_heads", n),
             h = c.integer("head_dim", floor_divide(d, n));
  const bool attention_bias = c.flag("attention_bias", false);
  const bool gated = c.flag("gated_mlp", false);
  const Expr f = c.integer("intermediate_size", 4 * d);
  const bool mlp_bias = c.flag("mlp_bias", false);
  const std::string norm = c.text("norm", "none", {"none", "rms_norm", "layer_norm"});
  const bool final_norm = c.flag("final_norm", true) && norm != "none";
  // Where head_dim is given the heads need not share the hidden size out.
  if (h.name().definition) require_multiple("hidden_size", d, n);

  b.scope(b.architecture().backbone, [&] {
    embedding(b, "embed_tokens", vocab, d);
    if (position == "learned") embedding(b, "embed_positions", n_positions, d);
    b.repeat("layers", all(n_layers), [&] {
      norm_of_kind(b, norm, "input_layernorm", d);
      attention(b, "self_attn",
                {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = attention_bias, .output_bias = attention_bias});
      norm_of_kind(b, norm, "post_attention_layernorm", d);
      if (gated)
        gated_mlp(b, "mlp", d, f, mlp_bias);
      else
        mlp(b, "mlp", d, f, mlp_bias);
    });
    if (final_norm) norm_of_kind(b, norm, "norm", d);
  });
  decoder_head(c, b, {.hidden = d, .vocabulary = vocab, .tie_by_default = true});
}

}  // namespace

const Family generic{"generic", "The textbook transformer, each part a switch: for articles and courses.", classes, {}, record};

}  // namespace param_ledger
