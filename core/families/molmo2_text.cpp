// Molmo 2's text model: as Qwen3 or OLMo 2, under names of its own, with the table of tokens in two halves.
// Source: transformers, models/molmo2.

#include "core/decoders.hpp"

namespace param_ledger {

namespace {

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 12288, 36, 151936, 32});
  const Expr n_kv = c.integer("num_key_value_heads", 8), h = c.integer("head_dim", 128), more = c.integer("additional_vocab_size", 128);
  static constexpr std::string_view kinds[] = {"qwen3", "olmo"};
  const bool per_head = c.text("qk_norm_type", "qwen3", kinds) == "qwen3", bias = c.flag("attention_bias", false);
  const Expr rows = s.vocab + more, half = floor_divide(rows, c.literal(2));
  // transformers writes the one table as two of nearly the same size.
  b.scope(Part::embedding, "wte", [&] {
    b.parameter("embedding", {rows.value() % 2 == 0 ? half : ceil_divide(rows, c.literal(2)), s.d}, Role::table);
    b.parameter("new_embedding", {half, s.d}, Role::table);
  });
  b.repeat("layers", all(s.n_layers), [&] {
    rms_norm(b, "attn_norm", s.d);
    attention(b, "self_attn",
              {.hidden = s.d,
               .heads = s.n,
               .kv_heads = n_kv,
               .head_dim = h,
               .qkv_bias = bias,
               .head_norms = per_head ? HeadNorms::per_head : HeadNorms::whole,
               .fused = "att_proj",
               .o = "attn_out"});
    rms_norm(b, "ff_norm", s.d);
    fused_gated_mlp(b, "mlp", s.d, s.f, false, "ff_proj", "ff_out");
  });
  rms_norm(b, "norm", s.d);
  return {.hidden = s.d};
}

constexpr Alias aliases[] = {{"qkv_bias", "attention_bias"}};
constexpr Architecture classes[] = {{"Molmo2TextModel", Head::none, ""}};

}  // namespace

extern const Family molmo2_text{
    .model_type = "molmo2_text",
    .summary = "The text model of Molmo 2: as Qwen3 or OLMo 2.",
    .classes = {.listed = classes},
    .aliases = aliases,
    .backbone = backbone,
};

}  // namespace param_ledger
