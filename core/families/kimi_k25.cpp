// Kimi K2.5 and Kimi-VL: a vision transformer and a DeepSeek-V3 as text model. Neighbouring patches are merged and projected to the text
// model. Files of a model with a head have the tower's published names. When transformers saves Kimi K2.5, it renames the text model's
// layers along with the tower's. Source: transformers, models/kimi_k25, conversion_mapping.py; for Kimi-VL vLLM, models/kimi_vl.py and
// moonvit.py.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

extern const Family deepseek_v3;  // defined in deepseek_v3.cpp

namespace {

/// The vision tower's module names. They differ between files of the tower alone, of the bare model, of the model with a head and of
/// Kimi-VL.
struct TowerNames {
  Text layers = "layers", proj = "attn.proj", norm1 = "norm1", norm2 = "norm2", up = "fc1", down = "fc2";
  bool fused = false;  ///< whether query, key and value projections are fused
  Text encoder = {};   ///< module that contains the layers; empty: none
  Text patches = {};   ///< module that contains the patch embedding; empty: none
  Text positions = "patch_embed.pos_emb.position_embeddings";
};
/// The fields that have other names in published configurations, with transformers' names.
constexpr Alias published_names[] = {{"vt_hidden_size", "hidden_size"},
                                     {"vt_intermediate_size", "intermediate_size"},
                                     {"vt_num_hidden_layers", "num_hidden_layers"},
                                     {"vt_num_attention_heads", "num_attention_heads"},
                                     {"init_pos_emb_height", "pos_emb_height"},
                                     {"init_pos_emb_width", "pos_emb_width"}};

constexpr TowerNames alone{}, bare{.layers = "blocks", .fused = true};
constexpr TowerNames whole{"blocks", "wo", "norm0", "norm1", "fc0", "fc1", true, "encoder", "encoder", "patch_embed.pos_emb.weight"};
constexpr TowerNames of_vl{"blocks", "wo", "norm0", "norm1", "fc0", "fc1", true, "encoder", "", "patch_embed.pos_emb.weight"};

BackboneOutput tower(Config c, Builder& b, const TowerNames& names) {
  const VisionLayers m = vision_fields(c, {1152, 4304, 27, 16},
                                       {.attention = {.even_share = false,
                                                      .qkv_bias = true,
                                                      .output_bias = true,
                                                      .fused = names.fused ? "wqkv" : "",
                                                      .q = "attn.q_proj",
                                                      .k = "attn.k_proj",
                                                      .v = "attn.v_proj",
                                                      .o = names.proj},
                                        .layers = names.layers,
                                        .attention_name = "",
                                        .norm1 = names.norm1,
                                        .norm2 = names.norm2,
                                        .up = names.up,
                                        .down = names.down});
  const Expr d = m.attention.hidden, patch = c.integer("patch_size", 14);
  const Count pairs = 2 * m.attention.heads.decide();
  if (names.fused && m.n_layers.decide() > 0 && d.decide() % pairs != 0)
    c.refuse(ErrorCode::not_divisible, "hidden_size",
             "must be a multiple of twice num_attention_heads: files store queries and keys in pairs.", Refused::unwritable);
  const Expr height = c.integer("pos_emb_height", 64), width = c.integer("pos_emb_width", 64);
  b.part(Part::embedding, [&] {
    b.scope(names.patches, [&] { patch_embedding(b, "patch_embed.proj", c.literal(3), d, patch); });
    b.parameter(names.positions, {height, width, d}, StorageKind::table);
  });
  b.scope(names.encoder, [&] {
    vision_layers(b, m);
    layer_norm(b, "final_layernorm", d);
  });
  return {.hidden = d};
}

BackboneOutput vision_backbone(Config c, Builder& b) { return tower(c, b, alone); }

BackboneOutput backbone(Config c, Builder& b) {
  const bool is_bare = b.architecture().head == Head::none;
  // The published class reads fields under other names, which transformers does not know.
  const bool published = b.architecture().name == "KimiK25ForConditionalGeneration";
  Config vision = published ? c.section("vision_config").with(published_names) : c.section("vision_config");
  Config text = c.section("text_config");
  vision.consume("model_type");
  const std::vector<Expr> merge = vision.dimensions("merge_kernel_size", {2, 2});
  if (merge.size() < 2) vision.refuse(ErrorCode::wrong_type, "merge_kernel_size", "must contain a height and a width.");
  const Expr normed = published ? vision.integer("mm_hidden_size", 1152) : c.integer("projection_hidden_size", 1152);
  BackboneOutput images, out;
  b.tower(Tower::vision, "vision_tower", [&] { images = tower(vision, b, is_bare ? bare : whole); });
  const Json type = text.peek("model_type");
  if (!type.is(Json::Type::string) || type.string() != "kimi_k2") require_type(text, "deepseek_v3");
  b.renaming_layers("blocks", [&] { out = nested(text, b, is_bare ? "language_model" : "language_model.model", deepseek_v3); });
  if (published) require_equal(normed, images.hidden);
  const Expr joined = merge[0] * merge[1] * images.hidden;
  b.tower(Tower::projector, "", [&] {
    layer_norm(b, is_bare ? "mm_projector.pre_norm" : "model.mm_projector.pre_norm", normed);
    linear(b, is_bare ? "mm_projector.in_proj" : "mm_projector.proj.0", joined, joined, true);
    linear(b, is_bare ? "mm_projector.out_proj" : "mm_projector.proj.2", joined, out.hidden, true);
  });
  out.language_model = "language_model.lm_head";
  out.tie_by_default = true;
  return out;
}

constexpr Alias vl_names[] = {{"init_pos_emb_height", "pos_emb_height"}, {"init_pos_emb_width", "pos_emb_width"}};

/// Records Kimi-VL. The publisher's code and transformers have different defaults for the text model, so the fields of the text model that
/// are listed here are required.
BackboneOutput vl_backbone(Config c, Builder& b) {
  Config vision = c.section("vision_config").with(vl_names), text = c.section("text_config");
  vision.consume("model_type");
  for (const Text field : {"vocab_size", "hidden_size", "intermediate_size", "moe_intermediate_size", "num_hidden_layers",
                           "num_attention_heads", "n_routed_experts", "n_shared_experts", "first_k_dense_replace", "num_experts_per_tok",
                           "q_lora_rank", "kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim"})
    if (!text.has(field)) text.refuse(ErrorCode::missing_field, field, "must be given: published files of Kimi-VL give it.");
  const std::vector<Expr> merge = vision.dimensions("merge_kernel_size", {2, 2});
  if (merge.size() < 2) vision.refuse(ErrorCode::wrong_type, "merge_kernel_size", "must contain a height and a width.");
  require_type(text, "deepseek_v3");
  BackboneOutput images;
  b.tower(Tower::vision, "vision_tower", [&] { images = tower(vision, b, of_vl); });
  const BackboneOutput out = nested(text, b, "language_model.model", deepseek_v3);
  const Expr joined = merge[0] * merge[1] * images.hidden;
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    layer_norm(b, "pre_norm", images.hidden);
    linear(b, "linear_1", joined, joined, true);
    linear(b, "linear_2", joined, out.hidden, true);
  });
  return out;
}
void vl_head(Config c, Builder& b, const BackboneOutput& m) { nested_language_model_head(c.section("text_config"), b, m); }

constexpr Architecture vl_classes[] = {{"KimiVLForConditionalGeneration", Head::conditional_generation, ""}};
constexpr Architecture published_classes[] = {{"KimiK25ForConditionalGeneration", Head::conditional_generation, ""}};
constexpr Architecture vision_classes[] = {{"Kimi_K25VisionModel", Head::none, ""}};

}  // namespace

extern const Family kimi_k25{
    .model_type = "kimi_k25",
    .summary = "Vision-language model: Kimi K2 with a vision encoder for images and video.",
    .classes = {"Kimi_K25", heads::conditional | heads::base, "", {}, published_classes},
    .backbone = backbone,
};
extern const Family kimi_vl{
    .model_type = "kimi_vl",
    .summary = "Kimi-VL with its original code: a DeepSeek-V3 mixture of experts with a vision encoder.",
    .classes = {.listed = vl_classes},
    .backbone = vl_backbone,
    .head = vl_head,
    .own_code = true,
};
extern const Family kimi_k25_vision{
    .model_type = "kimi_k25_vision",
    .summary = "Vision encoder of Kimi K2.5.",
    .classes = {.listed = vision_classes},
    .backbone = vision_backbone,
};

}  // namespace param_ledger
