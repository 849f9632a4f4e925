// Mask2Former, OneFormer and MaskFormer: what a backbone sees is joined into one picture of features, and queries each tell of a mask.
// Source: transformers, models/mask2former, oneformer, maskformer.

#include <algorithm>
#include <cmath>

#include "core/blocks/detection.hpp"
#include "core/blocks/feed_forward.hpp"
#include "core/blocks/swin.hpp"
#include "core/heads.hpp"
#include "core/nested.hpp"

namespace param_ledger {

extern const Family maskformer_swin;

namespace {

constexpr Alias aliases[] = {{"hidden_size", "hidden_dim"}, {"num_hidden_layers", "decoder_layers"}};
constexpr Alias maskformer_aliases[] = {{"hidden_size", "mask_feature_size"}};

/// The Swins that are meant where there is no backbone_config.
constexpr SwinType deep{.third = 18, .given_from = 1}, usual{.given_from = 1};
constexpr SwinType wide{.kept_index = true, .position_of_class = true, .width = 128, .heads = 4, .third = 18, .window = 12, .side = 384};
template <const SwinType& type>
constexpr Family swin_with{.model_type = "swin", .aliases = swin_aliases, .backbone = swin_of_type<type>};

/// A convolution without bias and a norm of 32 groups.
void grouped(Builder& b, Text name, Expr in, Expr out, int kernel, bool bias = false) {
  require_multiple(out, b.pool().literal(32));
  b.scope(name, [&] {
    conv2d(b, "0", in, out, kernel, bias);
    layer_norm(b, "1", out);
  });
}

/// How many levels are finer than those that pass layers: log2 of their least stride over common_stride, of `count`.
std::size_t finer_levels(Config c, Text strides, std::size_t count) {
  const std::vector<std::int64_t> given = c.integers(strides, {4, 8, 16, 32});
  const std::int64_t common = static_cast<std::int64_t>(static_cast<std::uint64_t>(c.integer("common_stride", 4, 1).value()));
  if (given.empty()) c.refuse(ErrorCode::out_of_range, strides, "must be at least 1 entry long.", Refused::list_length);
  const std::int64_t least =
      *std::min_element(given.end() - std::min<std::ptrdiff_t>(3, static_cast<std::ptrdiff_t>(given.size())), given.end());
  if (least < 1) c.refuse(ErrorCode::out_of_range, strides, "must hold numbers of at least 1.");
  const double levels = std::trunc(std::log2(static_cast<double>(least)) - std::log2(static_cast<double>(common)));
  // As Python's slices count: a negative number leaves so many out.
  const double end = levels < 0 ? static_cast<double>(count) + levels : levels;
  return static_cast<std::size_t>(std::max(0.0, std::min(end, static_cast<double>(count))));
}

struct PixelDecoder {
  Expr d, masks;
  Text strides;
};

/// Three levels pass layers of deformable attention, finer ones are joined with them.
void pixel_decoder(Config c, Builder& b, const std::vector<Expr>& seen, const PixelDecoder& m) {
  const Expr d = m.d, heads = c.integer("num_attention_heads", 8), three = c.literal(3), four = c.literal(4);
  const Expr n_layers = c.integer("encoder_layers", 6), inner = c.integer("encoder_feedforward_dim", 1024);
  b.scope("pixel_level_module.decoder", [&] {
    b.part(Part::embedding, [&] {
      b.parameter("level_embed", {three, d}, Role::table);
      for (std::size_t i = 0; i < std::min<std::size_t>(3, seen.size()); ++i)
        grouped(b, concat({"input_projections.", digits(i)}), seen[seen.size() - 1 - i], d, 1, true);
    });
    b.repeat("encoder.layers", all(n_layers), [&] {
      deformable_attention(b, "self_attn", {d, heads, three, four});
      layer_norm(b, "self_attn_layer_norm", d);
      mlp(b, "", d, inner, true, "fc1", "fc2");
      layer_norm(b, "final_layer_norm", d);
    });
    b.part(Part::convolution, [&] {
      for (std::size_t i = 0; i < finer_levels(c, m.strides, seen.size()); ++i) {
        grouped(b, concat({"adapter_", digits(i + 1)}), seen[i], d, 1);
        grouped(b, concat({"layer_", digits(i + 1)}), d, d, 3);
      }
      conv2d(b, "mask_projection", d, m.masks, 1);
    });
  });
}

/// Matrices, each inside a block with its activation: `name.0.0` …
void block_head(Builder& b, Text name, Expr in, Expr inner, Expr out, std::size_t n_layers) {
  b.scope(name, [&] {
    for (std::size_t i = 0; i < n_layers; ++i)
      linear(b, concat({digits(i), ".0"}), i == 0 ? in : inner, i + 1 == n_layers ? out : inner, true);
  });
}

/// decoder_layers, of which the last one only reads what there is.
IndexSet layers_but_one(Config c) {
  return between(c.literal(1), c.integer("decoder_layers", 10)).empty() ? IndexSet{} : all(c.integer("decoder_layers", 10) - 1);
}

Attention named_attention(Expr d, Expr heads) {
  return {.hidden = d, .heads = heads, .qkv_bias = true, .output_bias = true, .o = "out_proj"};
}

Backbone mask2former_backbone(Config c, Builder& b) {
  const Expr seen_width = c.integer("feature_size", 256), masks = c.integer("mask_feature_size", 256), d = c.integer("hidden_dim", 256);
  const Expr heads = c.integer("num_attention_heads", 8), inner = c.integer("dim_feedforward", 2048),
             queries = c.integer("num_queries", 100);
  const bool projects = c.flag("enforce_input_projection", false) || seen_width.value() != d.value();
  const std::vector<Expr> seen = taken_backbone(c, b, "pixel_level_module.encoder", swin_with<deep>, 1);
  pixel_decoder(c, b, seen, {seen_width, masks, "feature_strides"});
  b.scope("transformer_module", [&] {
    b.part(Part::embedding, [&] {
      table(b, "queries_embedder", queries, d);
      table(b, "queries_features", queries, d);
      table(b, "level_embed", c.literal(3), d);
      if (projects) b.repeat("input_projections", all(c.literal(3)), [&] { conv2d(b, "", seen_width, d, 1); });
    });
    b.repeat("decoder.layers", layers_but_one(c), [&] {
      attention(b, "self_attn", named_attention(d, heads));
      layer_norm(b, "self_attn_layer_norm", d);
      multihead_attention(b, "cross_attn", d);
      layer_norm(b, "cross_attn_layer_norm", d);
      mlp(b, "", d, inner, true, "fc1", "fc2");
      layer_norm(b, "final_layer_norm", d);
    });
    layer_norm(b, "decoder.layernorm", d);
    b.part(Part::output_head, [&] { block_head(b, "decoder.mask_predictor.mask_embedder", d, d, masks, 3); });
  });
  return {.hidden = d};
}

/// `class_predictor`, with one label more for none, and what weighs the labels in training.
void class_head(Config c, Builder& b, const Backbone& m) {
  const Head head = b.architecture().head;
  if (head == Head::none) return;
  const Expr labels = num_labels(c) + 1;
  b.part(Part::output_head, [&] {
    linear(b, "class_predictor", m.hidden, labels, true);
    if (head == Head::other) block_head(b, "mask_embedder", m.hidden, m.hidden, c.integer("mask_feature_size", 256), 3);
    b.buffer("criterion.empty_weight", {labels});
  });
}

/// The text model of OneFormer's training, whose heads are 64 wide.
void text_mapper(Config c, Builder& b, Expr d) {
  const Expr width = c.integer("text_encoder_width", 256), places = c.integer("text_encoder_context_length", 77);
  const Expr n_layers = c.integer("text_encoder_num_layers", 6), vocab = c.integer("text_encoder_vocab_size", 49408);
  const Expr depth = c.integer("text_encoder_proj_layers", 2, 1), prompts = c.integer("text_encoder_n_ctx", 16);
  const Expr heads = floor_divide(width, c.literal(64));
  require_listable(depth);
  b.scope("text_mapper", [&] {
    b.part(Part::embedding, [&] {
      b.parameter("text_encoder.positional_embedding", {places, width}, Role::table);
      table(b, "text_encoder.token_embedding", vocab, width);
      if (prompts.value() > 0) table(b, "prompt_ctx", prompts, width);
    });
    b.repeat("text_encoder.transformer.layers", all(n_layers), [&] {
      require_positive(heads);
      require_multiple(width, heads);
      multihead_attention(b, "self_attn", width);
      mlp(b, "mlp", width, 4 * width, true, "fc1", "fc2");
      for (const Text norm : {"layer_norm1", "layer_norm2"}) layer_norm(b, norm, width);
    });
    layer_norm(b, "text_encoder.ln_final", width);
    b.part(Part::projector, [&] { block_head(b, "text_projector.layers", width, d, d, static_cast<std::size_t>(depth.value())); });
  });
}

Backbone oneformer_backbone(Config c, Builder& b) {
  const Expr seen_width = c.integer("conv_dim", 256), masks = c.integer("mask_dim", 256), d = c.integer("hidden_dim", 256);
  const Expr heads = c.integer("num_attention_heads", 8), inner = c.integer("dim_feedforward", 2048),
             queries = c.integer("num_queries", 150);
  const Expr first = c.integer("query_dec_layers", 2), task = c.integer("task_seq_len", 77), labels = num_labels(c);
  const std::vector<Expr> seen = taken_backbone(c, b, "pixel_level_module.encoder", swin_with<usual>, 1);
  pixel_decoder(c, b, seen, {seen_width, masks, "strides"});
  b.scope("transformer_module", [&] {
    b.part(Part::embedding, [&] {
      table(b, "queries_embedder", queries, d);
      table(b, "level_embed", c.literal(3), d);
      conv2d(b, "decoder.query_input_projection", seen_width, d, 1);
    });
    b.repeat("decoder.query_transformer.decoder.layers", all(first), [&] {
      for (const Text name : {"self_attn", "multihead_attn"}) multihead_attention(b, name, d);
      for (const Text norm : {"norm1", "norm2", "norm3"}) layer_norm(b, norm, d);
      mlp(b, "", d, inner, true, "linear1", "linear2");
    });
    layer_norm(b, "decoder.query_transformer.decoder.norm", d);
    b.repeat("decoder.layers", layers_but_one(c), [&] {
      multihead_attention(b, "cross_attn.multihead_attn", d);
      attention(b, "self_attn.self_attn", named_attention(d, heads));
      mlp(b, "ffn", d, inner, true, "linear1", "linear2");
      for (const Text norm : {"cross_attn.norm", "self_attn.norm", "ffn.norm"}) layer_norm(b, norm, d);
    });
    layer_norm(b, "decoder.decoder_norm", d);
    b.part(Part::output_head, [&] {
      linear(b, "decoder.class_embed", d, labels + 1, true);
      block_head(b, "decoder.mask_embed.layers", d, d, masks, 3);
    });
  });
  b.part(Part::embedding, [&] { block_head(b, "task_encoder.task_mlp.layers", task, d, d, 2); });
  if (c.flag("is_training", false)) text_mapper(c, b, d);
  return {.hidden = d};
}

void oneformer_head(Config c, Builder& b, const Backbone& /*m*/) {
  if (b.architecture().head == Head::none) return;
  const Json temperature = c.peek("contrastive_temperature");
  b.scope(Part::output_head, "criterion", [&] {
    if (!temperature.is_null()) b.parameter("logit_scale", {});
    b.buffer("empty_weight", {num_labels(c) + 1});
  });
}

/// Swin with a norm for each of four stages, or another backbone.
std::vector<Expr> maskformer_encoder(Config c, Builder& b) {
  constexpr Text name = "pixel_level_module.encoder";
  refuse_fetched(c);
  Config section = c.section("backbone_config");
  const Json type = section.peek("model_type");
  const bool said = is_given(c, "backbone_config");
  if (type.is(Json::Type::string) && type.string() == "resnet") return taken_backbone(c, b, name, swin_with<usual>, 1);
  if (type.is(Json::Type::string) && type.string() != "swin")
    section.refuse(ErrorCode::unsupported, "model_type", "must be \"swin\" or \"resnet\" here.");
  for (const Text unread : {"out_features", "out_indices"}) section.consume(unread);
  const Backbone out = nested(section, b, concat({name, ".model"}), said ? maskformer_swin : swin_with<wide>);
  std::vector<Expr> widths{out.stages.begin() + 1, out.stages.end()};
  constexpr std::size_t stages = 4;
  if (widths.size() < stages) section.refuse(ErrorCode::out_of_range, "depths", "must have at least 4 entries here.", Refused::list_length);
  widths.resize(stages);
  for (std::size_t i = 0; i < stages; ++i) layer_norm(b, concat({name, ".hidden_states_norms.", digits(i)}), widths[i]);
  return widths;
}

constexpr Alias detr_aliases[] = {
    {"hidden_size", "d_model"}, {"num_attention_heads", "encoder_attention_heads"}, {"num_hidden_layers", "encoder_layers"}};

Backbone maskformer_backbone(Config c, Builder& b) {
  const Expr joined = c.integer("fpn_feature_size", 256), masks = c.integer("mask_feature_size", 256);
  Config decoder = c.section("decoder_config").with(detr_aliases);
  const Json type = decoder.peek("model_type");
  if (type.is(Json::Type::string) && type.string() != "detr")
    decoder.refuse(ErrorCode::unsupported, "model_type", "must be \"detr\" here.");
  decoder.consume("model_type");
  const Expr d = decoder.integer("d_model", 256), queries = decoder.integer("num_queries", 100);
  Stack layers = decoder_fields(decoder, d, {6, 2048, 8});
  layers.even_share = false;
  const std::vector<Expr> seen = maskformer_encoder(c, b);
  b.scope(Part::convolution, "pixel_level_module.decoder", [&] {
    grouped(b, "fpn.stem", seen.back(), joined, 3);
    for (std::size_t i = 0; i + 1 < seen.size(); ++i)
      b.scope(concat({"fpn.layers.", digits(i)}), [&] {
        grouped(b, "proj", seen[seen.size() - 2 - i], joined, 1);
        grouped(b, "block", joined, joined, 3);
      });
    conv2d(b, "mask_projection", joined, masks, 3);
  });
  b.scope("transformer_module", [&] {
    b.part(Part::embedding, [&] {
      table(b, "queries_embedder", queries, d);
      if (seen.back().value() != d.value()) conv2d(b, "input_projection", seen.back(), d, 1);
    });
    b.scope("decoder", [&] {
      stack_layers(b, layers);
      layer_norm(b, "layernorm", d);
    });
  });
  return {.hidden = d};
}

constexpr Architecture instances[] = {{"MaskFormerForInstanceSegmentation", Head::other, "model"}};

}  // namespace

extern const Family mask2former{
    .model_type = "mask2former",
    .summary = "Queries that each tell of a mask, attending within it.",
    .classes = {"Mask2Former", heads::base | heads::segments, "model"},
    .aliases = aliases,
    .backbone = mask2former_backbone,
    .head = class_head,
};
extern const Family maskformer{
    .model_type = "maskformer",
    .summary = "Queries that each tell of a mask.",
    .classes = {"MaskFormer", heads::base, "model", {}, instances},
    .aliases = maskformer_aliases,
    .backbone = maskformer_backbone,
    .head = class_head,
};
extern const Family oneformer{
    .model_type = "oneformer",
    .summary = "As Mask2Former, told in words what to segment.",
    .classes = {"OneFormer", heads::base | heads::segments, "model"},
    .aliases = aliases,
    .backbone = oneformer_backbone,
    .head = oneformer_head,
};

}  // namespace param_ledger
