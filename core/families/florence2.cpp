// Florence-2: BART or a similar text model, with DaViT, a vision transformer in which windowed attention and channel attention alternate.
// Source: transformers, models/florence2; old field names from the code that Microsoft published with the models.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/vision.hpp"
#include "core/nn/vision/width_multipliers.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"dim_embed", "embed_dim"}};

/// The sizes of DaViT's stages.
struct Davit {
  Expr channels;
  std::vector<Expr> widths, heads, depths, patches, inner;
  std::vector<bool> norm_first;
  bool qkv_bias;
};

Davit fields(Config c) {
  Davit m{.channels = c.integer("in_channels", 3), .widths = c.dimensions("embed_dim", {128, 256, 512, 1024})};
  const std::size_t count = m.widths.size();
  if (count == 0) c.refuse(ErrorCode::out_of_range, "embed_dim", "must have an entry for each stage.", Refused::list_length);
  const auto each = [&](Text name, std::initializer_list<std::uint64_t> fallback, bool exactly) {
    std::vector<Expr> out = c.dimensions(name, fallback);
    if (out.size() < count || (exactly && out.size() != count))
      c.refuse(ErrorCode::inconsistent, name, "must have as many entries as embed_dim.", Refused::list_length);
    return out;
  };
  m.heads = each("num_heads", {4, 8, 16, 32}, true);
  each("num_groups", {4, 8, 16, 32}, true);
  m.depths = each("depths", {1, 1, 9, 1}, false);
  m.patches = each("patch_size", {7, 3, 3, 3}, false);
  m.norm_first = switches(c, "patch_prenorm", {false, true, true, true});
  if (m.norm_first.size() < count)
    c.refuse(ErrorCode::inconsistent, "patch_prenorm", "must have as many entries as embed_dim.", Refused::list_length);
  m.qkv_bias = c.flag("qkv_bias", true);
  for (std::size_t i = 0; i < count; ++i) {
    m.inner.push_back(stage_inner_width(c, i, m.widths[i], 4.0));
  }
  return m;
}

/// Records a spatial or channel block of DaViT: a convolution for positions, attention, another convolution and a feed-forward block.
void block(Builder& b, Text name, Text attends, const Davit& m, std::size_t stage) {
  const Expr d = m.widths[stage];
  b.scope(name, [&] {
    b.part(Part::convolution, [&] { depthwise_conv2d(b, "conv1", d, 3); });
    layer_norm(b, "norm1", d);
    b.scope(Part::attention, attends, [&] {
      linear(b, "qkv", d, 3 * d, m.qkv_bias, TensorRole::query_key_value);
      linear(b, "proj", d, d, true, TensorRole::output);
    });
    b.part(Part::convolution, [&] { depthwise_conv2d(b, "conv2", d, 3); });
    layer_norm(b, "norm2", d);
    mlp(b, "ffn", d, m.inner[stage], true, "fc1", "fc2");
  });
}

void record(Builder& b, const Davit& m) {
  for (std::size_t i = 0; i < m.widths.size(); ++i) {
    const Expr in = i == 0 ? m.channels : m.widths[i - 1];
    b.scope(concat({"convs.", digits(i)}), [&] {
      b.part(Part::convolution, [&] { conv2d(b, "conv", in, m.widths[i], m.patches[i]); });
      layer_norm(b, "norm", m.norm_first[i] ? in : m.widths[i]);
    });
    b.repeat(concat({"blocks.", digits(i)}), all(m.depths[i]), [&] {
      require_positive(m.heads[i]);
      require_positive(floor_divide(m.widths[i], m.heads[i]));
      block(b, "spatial_block", "window_attn", m, i);
      block(b, "channel_block", "channel_attn", m, i);
    });
  }
}

/// Reads the number `name`. In configurations of Microsoft's code it is called `old` and is inside the object `object`.
Expr number_in(Config c, Text object, Text old, Text name, std::uint64_t fallback) {
  const Json given = c.peek(object);
  return given.is(Json::Type::object) && !c.has(name) ? c.section(object).integer(old, fallback) : c.integer(name, fallback);
}

BackboneOutput backbone(Config c, Builder& b) {
  Config vision = c.section("vision_config").with(aliases), text = c.section("text_config");
  vision.consume("model_type");
  const Davit m = fields(vision);
  const Expr seen = m.widths.back(), half = floor_divide(seen, c.literal(2)), width = vision.integer("projection_dim", 1024);
  const Expr rows = number_in(vision, "image_pos_embed", "max_pos_embeddings", "max_position_embeddings", 50);
  const Expr frames = number_in(vision, "visual_temporal_embedding", "max_temporal_embeddings", "max_temporal_embeddings", 100);
  b.tower(Tower::vision, "vision_tower", [&] { record(b, m); });
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    linear(b, "image_projection", seen, width);
    layer_norm(b, "image_proj_norm", width);
    table(b, "image_position_embed.row_embeddings", rows, half);
    table(b, "image_position_embed.column_embeddings", rows, seen - half);
    b.buffer("visual_temporal_embed.pos_idx_to_embed", {frames, seen});
  });
  const Json type = text.peek("model_type");
  if (type.is(Json::Type::string) && type.string() == "florence2_language")
    text.refuse(ErrorCode::unsupported, "model_type", "must be \"bart\".");
  const BackboneOutput out = nested_auto(text, b, "language_model", "bart");
  constexpr std::string_view shared = "shared.weight";
  const std::string_view found = out.embedding ? std::string_view(b.row(out.embedding).name) : std::string_view{};
  if (found.size() < shared.size() || found.substr(found.size() - shared.size()) != shared)
    text.refuse(ErrorCode::unsupported, "model_type", "is not a text model that can be combined with this vision model.");
  if (vision.has("image_pos_embed")) {
    b.note("vision_config.embed_dim",
           "Counted as built by the code published with the models. transformers ignores these names and builds the sizes of "
           "Florence-2-base.");
    b.beside(Kind::published, "The code published with the models has a head bias that is always 0.", [&] {
      const Expr vocab = b.row(out.embedding).shape.front();
      b.part(Part::output_head, [&] { b.buffer("language_model.final_logits_bias", {c.literal(1), vocab}); });
    });
  }
  return out;
}

/// Records the head. Only tie_word_embeddings at the top level determines whether it is tied.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::none) language_model_head(b, m, c.flag("tie_word_embeddings", true));
}

}  // namespace

extern const Family florence2{
    .model_type = "florence2",
    .summary = "Vision foundation model for captioning, detection and segmentation: DaViT and BART.",
    .classes = {"Florence2", heads::conditional | heads::base},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
