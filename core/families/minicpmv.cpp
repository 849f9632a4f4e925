// MiniCPM-V 2 to 4.5 as the publisher's code builds it: SigLIP's vision transformer, a resampler with learned queries that attend to the
// patches, and a language model whose type depends on the version. The fields of the language model are at the top level. Source:
// modeling_minicpmv.py and resampler.py as published with MiniCPM-V 2, Llama3-V 2.5 and V 2.6; for 4 and 4.5, SGLang, minicpmv.py.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"
#include "core/support/decimal.hpp"

namespace param_ledger {

extern const Family llama, minicpm, qwen2, qwen3;  // defined in llama.cpp

namespace {

struct Version {
  std::string_view word;
  const Family* language_model;
  bool timm = false;                 ///< whether timm builds the vision tower and the resampler's positions are parameters
  std::uint64_t default_patch = 16;  ///< default of vision_config.patch_size
};
constexpr Version versions[] = {{"2.0", &minicpm, true}, {"2.5", &llama, false, 32}, {"2.6", &qwen2}, {"4.0", &llama}, {"4.5", &qwen3}};

/// The version of MiniCPM-V. Configurations of 2.0 and 2.5 do not give it. They are distinguished by their hidden size, as in vLLM.
const Version& version_of(Config c) {
  const Json said = c.peek("version");
  c.consume("version");
  if (!said || said.is_null()) return equal(c.integer("hidden_size", required(2304)), 2304) ? versions[0] : versions[1];
  const bool word = said.is(Json::Type::string), number = said.is(Json::Type::number) || said.is(Json::Type::integer);
  for (const Version& v : versions)
    if (word ? said.string() == v.word : number && said.number() == decimal(v.word)) return v;
  c.refuse(ErrorCode::unsupported, "version", "must be 2.0, 2.5, 2.6, 4.0 or 4.5: no other version of MiniCPM-V is counted.");
}

/// The number of layers that are built: without the last one if drop_vision_last_layer is true.
Expr built(Config c, Expr n_layers) {
  if (!c.flag("drop_vision_last_layer", true)) return n_layers;
  require_positive(n_layers);
  return n_layers - 1;
}

/// Records SigLIP's vision tower. Returns its width.
Expr siglip(Config c, Builder& b, std::uint64_t default_patch) {
  Config vision = c.section("vision_config");
  vision.consume("model_type");
  const bool given = is_given(c, "vision_config");
  VisionLayers m = vision_fields(vision, given ? VisionDefaults{768, 3072, 12, 12} : VisionDefaults{1152, 4304, 27, 16});
  const Image image = image_fields(vision, given ? 224 : 980, given ? default_patch : 14);
  const Expr d = m.attention.hidden;
  m.n_layers = built(c, m.n_layers);
  b.scope(Part::embedding, "embeddings", [&] {
    patch_embedding(b, "patch_embedding", image.channels, d, image.patch);
    embedding(b, "position_embedding", image.patches(), d, TensorRole::position_embedding);
  });
  b.scope("encoder", [&] { vision_layers(b, m); });
  layer_norm(b, "post_layernorm", d);
  return d;
}

/// Records the vision tower of version 2.0. The configuration gives only its name, not its sizes.
Expr timm_siglip(Config c, Builder& b) {
  static constexpr std::string_view named[] = {"vit_so400m_patch14_siglip_384.webli"};
  static_cast<void>(c.text("vision_encoder", "vit_so400m_patch14_siglip_384.webli", named));
  const Expr d = c.literal(1152);
  VisionLayers m{.attention = {.hidden = d, .heads = c.literal(16), .qkv_bias = true, .output_bias = true, .fused = "qkv", .o = "proj"},
                 .inner = c.literal(4304),
                 .n_layers = built(c, c.literal(27)),
                 .layers = "blocks",
                 .attention_name = "attn",
                 .norm1 = "norm1",
                 .norm2 = "norm2"};
  b.part(Part::embedding, [&] {
    tokens(b, "pos_embed", 27 * 27, d);
    patch_embedding(b, "patch_embed.proj", c.literal(3), d, 14);
  });
  vision_layers(b, m);
  layer_norm(b, "norm", d);
  return d;
}

/// Records the resampler: learned queries that attend to the patches.
void resampler(Config c, Builder& b, Expr seen, Expr d, bool positions) {
  const Expr n_queries = c.integer("query_num", 64), n = floor_divide(d, c.literal(128));
  require_positive(n, Refused::no_heads);
  require_multiple(d, n);
  if (positions) {
    const InBlock block(b, {Mechanism::sinusoidal_positions});
    b.parameter("pos_embed", {n_queries, d}, StorageKind::table);
  }
  b.parameter("query", {n_queries, d}, StorageKind::table);
  b.parameter("proj", {d, d}, StorageKind::matrix);
  if (!equal(seen, d)) linear(b, "kv_proj", seen, d);
  multihead_attention(b, "attn", d);
  for (const Text name : {"ln_q", "ln_kv", "ln_post"}) layer_norm(b, name, d);
}

BackboneOutput backbone(Config c, Builder& b) {
  const Version& version = version_of(c);
  BackboneOutput out = nested(c, b, "llm.model", *version.language_model);
  Expr seen;
  b.tower(Tower::vision, "vpm", [&] { seen = version.timm ? timm_siglip(c, b) : siglip(c, b, version.default_patch); });
  b.tower(Tower::projector, "resampler", [&] { resampler(c, b, seen, out.hidden, version.timm); });
  out.language_model = "llm.lm_head";
  return out;
}

constexpr Architecture classes[] = {{"MiniCPMV", Head::conditional_generation, ""}};

}  // namespace

extern const Family minicpmv{
    .model_type = "minicpmv",
    .summary = "MiniCPM-V with its publisher's code: MiniCPM, Llama or Qwen with a vision transformer and a resampler.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = language_model_head,
    .own_code = true,
};

}  // namespace param_ledger
