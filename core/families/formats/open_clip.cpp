// open_clip's configurations: CLIP with open_clip's own text and image transformers. ResNets are refused, and so are towers that the
// configuration only names (timm's, or text models on the Hugging Face Hub). Source: mlfoundations/open_clip, model.py, transformer.py and
// factory.py.

#include "core/builder/family.hpp"
#include "core/nn/layers.hpp"
#include "core/registry/publisher_formats.hpp"

namespace param_ledger {

namespace {

constexpr Text harmless[] = {"quick_gelu", "preprocess_cfg", "output_tokens"};
constexpr Text harmless_vision[] = {"patch_dropout", "pool_type",         "final_ln_after_pool", "output_tokens",        "act_kwargs",
                                    "norm_kwargs",   "attn_pooler_heads", "pos_embed_type",      "timm_model_pretrained"};
constexpr Text harmless_text[] = {"hf_tokenizer_name",   "tokenizer_mode", "tokenizer_kwargs", "pad_id",     "eos_id",     "no_causal_mask",
                                  "final_ln_after_pool", "pool_type",      "output_tokens",    "act_kwargs", "norm_kwargs"};

/// Throws for options that change the tensors of the layers in a way that is not counted here.
void refuse_custom(Config c) {
  for (const Text field : {"qk_norm", "scaled_cosine_attn", "scale_heads", "scale_attn_inner", "scale_attn", "scale_fc"})
    if (c.flag(field, false)) c.refuse(ErrorCode::unsupported, field, "changes the layers in a way that is not counted.");
  if (is_given(c, "block_type") && c.text("block_type", "default") != "default")
    c.refuse(ErrorCode::unsupported, "block_type", "must be \"default\": no other block is counted.");
  for (const auto& [key, _] : c.peek("norm_kwargs").members())
    if (key != "eps") c.refuse(ErrorCode::unsupported, "norm_kwargs", "changes the norms in a way that is not counted.");
}

struct Layers {
  Expr width, inner, n_layers, heads;
  bool scaled;
};

void layers(Builder& b, const Layers& m) {
  b.repeat("transformer.resblocks", all(m.n_layers), [&] {
    require_positive(m.heads, Refused::no_heads);
    require_multiple(m.width, m.heads);
    layer_norm(b, "ln_1", m.width);
    b.part(Part::attention, [&] {
      multihead_attention(b, "attn", m.width);
      if (m.scaled) layer_scale(b, "ls_1.gamma", m.width);
    });
    layer_norm(b, "ln_2", m.width);
    b.part(Part::feed_forward, [&] {
      linear(b, "mlp.c_fc", m.width, m.inner, true, TensorRole::up);
      linear(b, "mlp.c_proj", m.inner, m.width, true, TensorRole::down);
      if (m.scaled) layer_scale(b, "ls_2.gamma", m.width);
    });
  });
}

bool has_scales(Config c) {
  c.consume("ls_init_value");
  return is_given(c, "ls_init_value");
}

void vision(Config c, Builder& b, Expr shared) {
  if (is_given(c, "timm_model_name"))
    c.refuse(ErrorCode::unsupported, "timm_model_name",
             "names a timm model but does not give its sizes. Use the config.json of the same model in transformers.");
  if (c.peek("layers").is(Json::Type::list))
    c.refuse(ErrorCode::unsupported, "layers", "lists a ResNet's stages, which are not counted here.");
  refuse_custom(c);
  const Expr d = c.integer("width", 768), n_layers = c.integer("layers", 12);
  const Layers m{d, c.scaled("mlp_ratio", 4.0, d, "mlp_width", "f"), n_layers, floor_divide(d, c.integer("head_width", fixed(64), 1)),
                 has_scales(c)};
  const Sides image = c.sides("image_size", 224), patch = c.sides("patch_size", 16);
  const bool plain = c.flag("no_ln_pre", false);
  if (c.peek("attentional_pool").is(Json::Type::string))
    c.refuse(ErrorCode::unsupported, "attentional_pool", "must be true or false: models with two poolers are not counted.");
  const bool pools = c.flag("attentional_pool", false);
  const Expr n_queries = c.integer("attn_pooler_queries", 256);
  refuse_unknown_keys(c, harmless_vision);
  b.part(Part::embedding, [&] {
    patch_embedding(b, "conv1", c.literal(3), d, patch, false);
    b.parameter("class_embedding", {d});
    b.parameter("positional_embedding", {floor_divide(image.height, patch.height) * floor_divide(image.width, patch.width) + 1, d},
                StorageKind::table);
  });
  if (!plain) layer_norm(b, "ln_pre", d);
  layers(b, m);
  if (pools)
    b.scope(Part::attention, "attn_pool", [&] {
      b.parameter("query", {n_queries, shared}, StorageKind::table);
      if (equal(shared, d)) {
        multihead_attention(b, "attn", shared);
      } else {
        b.parameter("attn.q_proj_weight", {shared, shared}, StorageKind::matrix);
        for (const Text name : {"attn.k_proj_weight", "attn.v_proj_weight"}) b.parameter(name, {shared, d}, StorageKind::matrix);
        b.parameter("attn.in_proj_bias", {3 * shared});
        linear(b, "attn.out_proj", shared, shared, true);
      }
      layer_norm(b, "ln_q", shared);
      layer_norm(b, "ln_k", d);
    });
  const Expr pooled = pools ? shared : d;
  layer_norm(b, "ln_post", pooled);
  b.tower(Tower::vision, "", [&] { b.parameter("proj", {pooled, shared}, StorageKind::matrix); });
}

/// Records the text tower. `apart`: whether the class has the text tower as a submodule, which custom_text selects. With embed_cls, only
/// this class has an embedding for a class token, which is appended to the text.
void text(Config c, Builder& b, Expr shared, bool apart) {
  if (is_given(c, "hf_model_name"))
    c.refuse(ErrorCode::unsupported, "hf_model_name", "names a text model on the Hub but does not give its sizes.");
  refuse_custom(c);
  const Expr d = c.integer("width", 512), n_layers = c.integer("layers", 12), heads = c.integer("heads", 8);
  const Layers m{d, c.scaled("mlp_ratio", 4.0, d, "mlp_width", "f"), n_layers, heads, has_scales(c)};
  const Expr vocab = c.integer("vocab_size", 49408), length = c.integer("context_length", 77);
  const bool ends = c.flag("embed_cls", false), bias = c.flag("proj_bias", false);
  const std::string_view projection = c.text("proj_type", "linear");
  refuse_unknown_keys(c, harmless_text);
  embedding(b, "token_embedding", vocab, d, TensorRole::token_embedding);
  b.part(Part::embedding, [&] {
    if (ends && apart) b.parameter("cls_emb", {d});
    b.parameter("positional_embedding", {ends ? length + 1 : length, d}, StorageKind::table);
  });
  layers(b, m);
  layer_norm(b, "ln_final", d);
  b.tower(Tower::projector, "", [&] {
    if (projection == "none") return;
    if (bias)
      linear(b, "text_projection", d, shared, true);
    else
      b.parameter("text_projection", {d, shared}, StorageKind::matrix);
  });
}

BackboneOutput model(Config c, Builder& b) {
  for (const Text other : {"multimodal_cfg", "audio_cfg"})
    if (c.has(other)) c.refuse(ErrorCode::unsupported, other, "describes a further model, which is not counted.");
  const Expr shared = c.integer("embed_dim", required(512));
  const bool apart = c.flag("custom_text", false);
  c.consume("init_logit_bias"), c.consume("init_logit_scale"), c.consume("nonscalar_logit_scale");
  const bool listed = c.flag("nonscalar_logit_scale", false);
  Config seen = c.section("vision_cfg"), read = c.section("text_cfg");
  b.scope(apart ? "text" : "", [&] { text(read, b, shared, apart); });
  b.tower(Tower::vision, "visual", [&] { vision(seen, b, shared); });
  b.tower(Tower::projector, "", [&] {
    for (const Text name : {Text("logit_scale"), Text("logit_bias")}) {
      if (name == std::string_view("logit_bias") && !is_given(c, "init_logit_bias")) continue;
      if (listed)
        b.parameter(name, {c.literal(1)});
      else
        b.parameter(name, {});
    }
  });
  return {.hidden = shared};
}

BackboneOutput backbone(Config c, Builder& b) {
  const BackboneOutput out = model(c, b);
  refuse_unknown_keys(c, harmless);
  return out;
}
/// Records a model whose file on the Hub has the configuration in model_cfg, next to settings for image preprocessing.
BackboneOutput of_file(Config c, Builder& b) {
  const BackboneOutput out = model(c.section("model_cfg"), b);
  refuse_unknown_keys(c.section("model_cfg"), harmless);
  refuse_unknown_keys(c, harmless);
  return out;
}
void no_head(Config /*c*/, Builder& /*b*/, const BackboneOutput& /*m*/) {}

constexpr Text keys[] = {"embed_dim", "vision_cfg", "text_cfg"}, file_keys[] = {"model_cfg", "preprocess_cfg"};
constexpr Architecture classes[] = {{"CLIP", Head::other, ""}};

}  // namespace

extern const Family open_clip{
    .model_type = "open_clip",
    .summary = "CLIP, from an OpenCLIP configuration.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = no_head,
    .own_code = true,
    .format_keys = {.all = keys, .fallback = true},
};
extern const Family open_clip_file{
    .model_type = "open_clip_file",
    .summary = "CLIP, from an open_clip_config.json on the Hugging Face Hub.",
    .classes = {.listed = classes},
    .backbone = of_file,
    .head = no_head,
    .own_code = true,
    .format_keys = {.all = file_keys, .fallback = true},
};

}  // namespace param_ledger
