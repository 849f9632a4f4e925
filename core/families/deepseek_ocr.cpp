// DeepSeek-OCR, DeepSeek-OCR-2 and Unlimited-OCR: SAM's vision tower with two downsampling convolutions, a second encoder that reads its
// output, and a language model with experts like DeepSeek-V2. Files keep the tensor names of the published code, which transformers renames
// when it loads them. The towers of the published code have fixed sizes. Source: transformers, models/deepseek_ocr2, models/unlimited_ocr,
// conversion_mapping.py; modeling_deepseekocr.py, modeling_deepseekocr2.py and deepencoder.py as published in deepseek-ai/DeepSeek-OCR and
// deepseek-ai/DeepSeek-OCR-2.

#include "core/nn/nested.hpp"
#include "core/nn/text/deepseek.hpp"
#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/vision/sam.hpp"

namespace param_ledger {

namespace {

constexpr SamNames sam_names{"patch_embed.proj", "blocks", "norm1", "norm2", {"0", "1", "2", "3"}};

/// Records SAM's tower and the two downsampling convolutions.
void sam_model(Builder& b, const SamTower& sam, Expr between, Expr out) {
  b.tower(Tower::vision, "sam_model", [&] {
    sam_tower(b, sam);
    b.tower(Tower::projector, "", [&] {
      conv2d(b, "net_2", sam.out, between, 3, false);
      conv2d(b, "net_3", between, out, 3, false);
    });
  });
}

/// Reads the sizes of SAM's tower, and records the tower and the two downsampling convolutions. `second`: as in DeepSeek-OCR-2. Returns the
/// number of output channels.
Expr sam_section(Config c, Builder& b, bool second) {
  c.consume("model_type");
  const SamTower sam = sam_fields(c, second, sam_names);
  const std::uint64_t out = second ? 896 : 1024;
  const bool by_default = second && c.peek("downsample_channels").is_null();
  if (by_default) c.consume("downsample_channels");
  const std::vector<Expr> widths =
      by_default ? std::vector<Expr>{c.literal(512), c.literal(out)} : c.dimensions("downsample_channels", {512, out});
  if (widths.size() < 2) c.refuse(ErrorCode::inconsistent, "downsample_channels", "must contain the channels of two convolutions.");
  sam_model(b, sam, widths[0], widths[1]);
  return widths.back();
}

/// Records the tower of SAM's base model, as the published code builds it, and the two downsampling convolutions. `out`: the number of
/// output channels.
void sam_base(Config c, Builder& b, std::uint64_t out) {
  const auto n = [&](std::uint64_t value) { return c.literal(value); };
  SamTower sam{.names = sam_names, .bias = true, .absolute = true, .relative = true};
  sam.hidden = n(768);
  sam.inner = n(3072);
  sam.n_layers = sam.heads = n(12);
  sam.out = n(256);
  sam.image = {n(3), n(1024), n(16)};
  sam.window = n(14);
  sam.layers = split(c, sam.n_layers, "num_global_attention_layers", "L_g", "Layers with global attention.",
                     [](std::size_t i) { return i % 3 == 2; });
  sam_model(b, sam, n(512), n(out));
}

/// Records CLIP's embeddings and layers, which read SAM's output. The patch embedding is recorded only if `patches`, because only files of
/// DeepSeek-OCR contain it.
void clip_layers(Builder& b, VisionLayers m, const Image& image, bool patches) {
  m.attention.fused = "qkv_proj";
  const Expr d = m.attention.hidden;
  b.tower(Tower::vision, "vision_model", [&] {
    b.scope(Part::embedding, "embeddings", [&] {
      b.parameter("class_embedding", {d});
      if (patches) patch_embedding(b, "patch_embedding", image.channels, d, image.patch, false);
      embedding(b, "position_embedding", image.patches() + 1, d, TensorRole::position_embedding);
    });
    layer_norm(b, "pre_layrnorm", d);
    b.scope("transformer", [&] { vision_layers(b, m); });
  });
}

/// Records a Qwen2 without its embedding table, which reads SAM's output and learned queries for two resolutions.
void qwen2_encoder(Builder& b, const LlamaDecoder& m) {
  const Expr d = m.attention.hidden;
  b.tower(Tower::vision, "qwen2_model", [&] {
    b.scope("model.model", [&] {
      llama_layers(b, m);
      rms_norm(b, "norm", d);
    });
    b.part(Part::embedding, [&] {
      table(b, "query_768", b.pool().literal(144), d);
      table(b, "query_1024", b.pool().literal(256), d);
    });
  });
}

void projector(Builder& b, Expr in, Expr out, bool newline) {
  b.tower(Tower::projector, "", [&] {
    linear(b, "projector.layers", in, out, true);
    if (newline) b.parameter("image_newline", {out});
    b.parameter("view_seperator", {out});  // misspelled in the files
  });
}

constexpr Alias text_aliases[] = {{"num_experts", "n_routed_experts"}};

/// The layers that mlp_layer_types marks as sparse. The list must be given if there are layers. As in transformers, it may have more
/// entries than there are layers.
Split listed_layers(Config c, Expr n_layers) {
  static constexpr std::string_view kinds[] = {"sparse", "dense"};
  const auto given = c.words("mlp_layer_types", kinds);
  if (!given && n_layers.decide() > 0)
    c.refuse(ErrorCode::missing_field, "mlp_layer_types", "must be given: a list with \"dense\" or \"sparse\" for each layer.");
  if (given && given->size() < n_layers.decide()) c.require_length("mlp_layer_types", given->size(), n_layers);
  return sparse_layers_of(c, n_layers, given.value_or(std::vector<std::string_view>{}));
}

/// Records the language model. `listed`: mlp_layer_types must be given; otherwise, if it is missing, the first first_k_dense_replace layers
/// are dense.
BackboneOutput text(Config c, Builder& b, const DecoderDefaults& sizes, Default kv_heads, const MixtureFields& experts, bool listed) {
  const DecoderSizes s = decoder_sizes(c, sizes);
  const Expr n_kv = c.integer("num_key_value_heads", kv_heads.or_else(s.n), 1);
  const bool bias = c.flag("attention_bias", false), mlp_bias = c.flag("mlp_bias", false);
  const Mixture m = mixture_fields(c, s.d, experts, {.shared_bias = mlp_bias});
  const Split layers = listed ? listed_layers(c, s.n_layers)
                              : listed_sparse_layers(c, s.n_layers, c.integer("first_k_dense_replace", attribute.or_else(c.literal(1))));
  require_multiple(s.d, s.n);
  return sparse_decoder(b, {s, {.layers = layers, .mixture = m, .dense = s.f, .dense_bias = mlp_bias}},
                        {.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .qkv_bias = bias, .output_bias = bias});
}

BackboneOutput unlimited_text(Config c, Builder& b) {
  return text(c, b, {1280, 6848, 12, 129280, 10}, fixed_not_null(10), {.count = 64, .active = 6, .inner = 896, .shared = 2}, false);
}
BackboneOutput ocr2_text(Config c, Builder& b) {
  return text(c, b, {4096, 11008, 32, 102400, 32}, {}, {.count = 64, .inner = 1407, .shared = 2}, true);
}
constexpr Family unlimited_text_model{.aliases = text_aliases, .backbone = unlimited_text};
constexpr Family ocr2_text_model{.aliases = text_aliases, .backbone = ocr2_text};

BackboneOutput unlimited(Config c, Builder& b) {
  Config vision = c.section("vision_config");
  vision.consume("model_type");
  const Expr fine = sam_section(vision.section("sam_config"), b, false);
  Config coarse = vision.section("encoder_config");
  coarse.consume("model_type");
  const VisionLayers m = vision_fields(coarse, {1024, 4096, 24, 16});
  const Image image{{}, coarse.integer("image_size", 224), coarse.integer("patch_size", 14)};
  require_multiple(m.attention.hidden, m.attention.heads);
  clip_layers(b, m, image, false);
  const bool old = !is_given(c, "text_config") && is_given(c, "language_config");
  const BackboneOutput out = nested(c.section(old ? "language_config" : "text_config"), b, "", unlimited_text_model);
  projector(b, fine + m.attention.hidden, out.hidden, true);
  return out;
}

BackboneOutput ocr2(Config c, Builder& b) {
  Config vision = c.section("vision_config");
  vision.consume("model_type");
  sam_section(vision.section("sam_config"), b, true);
  Config its = vision.section("encoder_config");
  its.consume("model_type");
  LlamaDecoder encoder = llama_fields(its, {4096, 22016, 32, 151936, 32});
  Attention& a = encoder.attention;
  a.kv_heads = its.integer("num_key_value_heads", fixed_not_null(32).or_else(a.heads), 1);
  a.head_dim = its.integer("head_dim", attribute.or_else(floor_divide(a.hidden, a.heads)));
  a.qkv_bias = true;
  qwen2_encoder(b, encoder);
  const BackboneOutput out = nested(c.section("text_config"), b, "", ocr2_text_model);
  projector(b, a.hidden, out.hidden, false);
  return out;
}

/// Records the language model of a published configuration. It gives the fields at the top level and repeats them in language_config.
BackboneOutput published_text(Config c, Builder& b) {
  for (const Text section : {"vision_config", "projector_config"}) c.ignore(section, "the published code builds towers of fixed sizes.");
  c.ignore("language_config", "the published code reads these fields from the top level.");
  return deepseek_v2_as_published(c, b);
}

BackboneOutput published(Config c, Builder& b) {
  const auto n = [&](std::uint64_t value) { return c.literal(value); };
  const BackboneOutput out = published_text(c, b);
  sam_base(c, b, 1024);
  VisionLayers m;
  m.attention.hidden = n(1024);
  m.attention.heads = n(16);
  m.inner = n(4096);
  m.n_layers = n(24);
  clip_layers(b, m, {n(3), n(224), n(14)}, true);
  projector(b, n(2048), n(1280), true);
  return out;
}

BackboneOutput published_2(Config c, Builder& b) {
  const auto n = [&](std::uint64_t value) { return c.literal(value); };
  const BackboneOutput out = published_text(c, b);
  sam_base(c, b, 896);
  qwen2_encoder(b, {.attention = {.hidden = n(896), .heads = n(14), .kv_heads = n(2), .head_dim = n(64), .qkv_bias = true},
                    .inner = n(4864),
                    .n_layers = n(24)});
  projector(b, n(896), n(1280), false);
  return out;
}

constexpr Architecture published_classes[] = {{"DeepseekOCRForCausalLM", Head::causal_lm, "model"}};
constexpr Architecture published_2_classes[] = {{"DeepseekOCR2ForCausalLM", Head::causal_lm, "model"}};

}  // namespace

extern const Family deepseek_ocr{
    .model_type = "DeepseekOCR",
    .summary = "DeepSeek-OCR as published: a mixture-of-experts language model with SAM's ViT and CLIP's layers.",
    .classes = {.listed = published_classes},
    .backbone = published,
    .own_code = true,
};
extern const Family deepseek_ocr2{
    .model_type = "deepseek_ocr2",
    .summary = "DeepSeek-OCR-2: a mixture-of-experts language model with SAM's ViT and a Qwen2 that reads its output.",
    .classes = {"DeepseekOcr2", heads::conditional | heads::base},
    .backbone = ocr2,
};
extern const Family deepseek_ocr2_published{
    .model_type = "DeepseekOCR2",
    .summary = "DeepSeek-OCR-2 as published.",
    .classes = {.listed = published_2_classes},
    .backbone = published_2,
    .own_code = true,
};
extern const Family unlimited_ocr{
    .model_type = "unlimited_ocr",
    .summary = "Document OCR: a mixture-of-experts language model with SAM's ViT and CLIP's layers.",
    .classes = {"UnlimitedOcr", heads::conditional | heads::base},
    .backbone = unlimited,
};

}  // namespace param_ledger
