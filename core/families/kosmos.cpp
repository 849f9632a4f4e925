// Kosmos-2: BART's decoder with additional norms inside self-attention and feed-forward, CLIP's vision transformer, and learned queries
// that connect them. Kosmos-2.5 has no norm inside attention, and its vision layers are like Pix2Struct's. Source: transformers,
// models/kosmos2, kosmos2_5.

#include "core/nn/heads.hpp"
#include "core/nn/vision/clip.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_attention_heads", "attention_heads"}, {"hidden_size", "embed_dim"}, {"num_hidden_layers", "layers"}};

/// The defaults and options that differ between Kosmos-2 and Kosmos-2.5.
struct KosmosType {
  std::uint64_t vocabulary, hidden, layers, inner, heads, queries;
  bool second = false;  ///< whether it is Kosmos-2.5: segment embeddings, no norm inside attention, a different vision model
};
constexpr KosmosType kosmos_2_type{65037, 2048, 24, 8192, 32, 64};
constexpr KosmosType kosmos_2_5_type{108481, 1536, 24, 6144, 16, 2048, true};

struct TextModel {
  Expr hidden;
  Attention attention;
  Tensor words;
};

TextModel text_model(Config c, Builder& b, const KosmosType& type) {
  c.consume("model_type");
  const Expr d = c.integer("embed_dim", type.hidden), f = c.integer("ffn_dim", type.inner), n_layers = c.integer("layers", type.layers);
  const Expr vocab = c.integer("vocab_size", type.vocabulary), n = c.integer("attention_heads", type.heads, 1);
  const bool cross = !type.second && c.flag("add_cross_attention", false);
  const Attention self{.hidden = d, .heads = n, .qkv_bias = true, .output_bias = true, .o = "out_proj"};
  Attention crossing = self;
  crossing.is_cross_attention = true;
  Tensor words;
  b.scope("text_model.model", [&] {
    words = embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
    if (type.second) embedding(b, "segment_emb", c.literal(2), d);
    b.repeat("layers", all(n_layers), [&] {
      attention(b, "self_attn", self);
      if (!type.second) layer_norm(b, "self_attn.inner_attn_ln", d);
      layer_norm(b, "self_attn_layer_norm", d);
      if (cross) {
        attention(b, "encoder_attn", crossing);
        layer_norm(b, "encoder_attn_layer_norm", d);
      }
      mlp(b, "ffn", d, f, true, "fc1", "fc2");
      layer_norm(b, "ffn.ffn_layernorm", f);
      layer_norm(b, "final_layer_norm", d);
    });
    layer_norm(b, "layer_norm", d);
  });
  return {d, crossing, words};
}

/// Records the vision transformer of Kosmos-2.5, which is like Pix2Struct's. Returns its width.
Expr patch_reader(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 1536), patch = c.integer("patch_embed_hidden_size", 768),
             f = c.integer("intermediate_size", 3968);
  const Expr n_layers = c.integer("num_hidden_layers", 18), n = c.integer("num_attention_heads", 24), h = c.integer("head_dim", 64);
  const Expr rows = c.integer("max_num_patches", 4096);
  b.scope(Part::embedding, "embeddings", [&] {
    linear(b, "patch_projection", patch, d, true);
    table(b, "row_embedder", rows, d);
    table(b, "column_embedder", rows, d);
  });
  b.repeat("encoder.layer", all(n_layers), [&] {
    attention(b, "attention", {.hidden = d, .heads = n, .head_dim = h, .q = "query", .k = "key", .v = "value", .o = "output"});
    gated_mlp(b, "mlp", d, f, false, {"wi_0", "wi_1", "wo"});
    rms_norm(b, "pre_mlp_layer_norm", d);
    rms_norm(b, "pre_attention_layer_norm", d);
  });
  rms_norm(b, "layernorm", d);
  return d;
}

template <const KosmosType& type>
BackboneOutput backbone(Config c, Builder& b) {
  static constexpr ClipType tower{.vision = {1024, 4096, 24, 16, 224, 14}};
  Config vision = c.section("vision_config");
  vision.consume("model_type");
  Expr seen;
  b.tower(Tower::vision, type.second ? "vision_model" : "vision_model.model",
          [&] { seen = type.second ? patch_reader(vision, b) : clip_tower(vision, b, tower).hidden; });
  const TextModel text = text_model(c.section("text_config").with(aliases), b, type);
  const Expr queries = c.integer("latent_query_num", type.queries);
  b.tower(Tower::projector, "image_to_text_projection", [&] {
    b.parameter("latent_query", {queries, text.hidden}, StorageKind::table);
    linear(b, "dense", seen, text.hidden, true);
    attention(b, "x_attn", text.attention);
  });
  return {.hidden = text.hidden, .embedding = text.words, .language_model = "text_model.lm_head"};
}

/// Records the head. Kosmos-2's is tied if tie_word_embeddings is true at the top level or in text_config. For Kosmos-2.5 only text_config
/// matters.
template <const KosmosType& type>
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::none) return;
  const bool tied = c.section("text_config").with(aliases).flag("tie_word_embeddings", true);
  if (type.second) c.ignore("tie_word_embeddings", "The value in text_config is used.");
  language_model_head(b, m, tied || (!type.second && c.flag("tie_word_embeddings", true)));
}

constexpr unsigned classes = heads::conditional | heads::base;

}  // namespace

extern const Family kosmos_2{
    .model_type = "kosmos-2",
    .summary = "Grounded vision-language model: a causal decoder with CLIP's ViT and learned image queries.",
    .classes = {"Kosmos2", classes, ""},
    .backbone = backbone<kosmos_2_type>,
    .head = head<kosmos_2_type>,
};
extern const Family kosmos_2_5{
    .model_type = "kosmos-2.5",
    .summary = "Document OCR: like Kosmos-2, with a Pix2Struct-style vision encoder.",
    .classes = {"Kosmos2_5", classes, ""},
    .backbone = backbone<kosmos_2_5_type>,
    .head = head<kosmos_2_5_type>,
};

}  // namespace param_ledger
