// DAB-DETR: like Conditional DETR, with boxes as queries.
// Source: transformers, models/dab_detr.

#include "core/config/ignored_fields.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/detection.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_attention_heads", "encoder_attention_heads"}, {"num_hidden_layers", "encoder_layers"}};

/// Records the slope of PReLU if `learned`. The other supported activations have no parameters.
void slope(Builder& b, bool learned) {
  if (learned) b.part(Part::feed_forward, [&] { b.parameter("activation_fn.weight", {b.pool().literal(1)}); });
}

void decoder_layer(Builder& b, const Stack& m, bool learned) {
  const Expr d = m.hidden;
  require_multiple(d, m.heads);
  require_positive(d);
  b.scope(Part::attention, "self_attn", [&] {
    for (const Text name : {"self_attn_query_content_proj", "self_attn_query_pos_proj", "self_attn_key_content_proj",
                            "self_attn_key_pos_proj", "self_attn_value_proj", "self_attn.output_proj"})
      linear(b, name, d, d, true);
    layer_norm(b, "self_attn_layer_norm", d);
  });
  b.owned_by(Owner::cross, [&] {
    b.scope(Part::attention, "cross_attn", [&] {
      for (const Text name : {"cross_attn_query_content_proj", "cross_attn_key_content_proj", "cross_attn_key_pos_proj",
                              "cross_attn_value_proj", "cross_attn_query_pos_sine_proj", "cross_attn.output_proj"})
        linear(b, name, d, d, true);
    });
  });
  layer_norm(b, "cross_attn.cross_attn_layer_norm", d);
  b.scope("mlp", [&] {
    mlp(b, "", d, m.inner, true, "fc1", "fc2");
    slope(b, learned);
    layer_norm(b, "final_layer_norm", d);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 256), queries = c.integer("num_queries", 300), coordinates = c.integer("query_dim", 4);
  const Stack encoder = encoder_fields(c, d, {6, 2048, 8}), decoder = decoder_fields(c, d, {6, 2048, 8});
  const Expr patterns = c.integer("num_patterns", 0), two = c.literal(2);
  const bool everywhere = c.flag("keep_query_pos", false), normed = c.flag("normalize_before", false);
  const std::string_view activation = c.text("activation_function", "prelu");
  const bool learned = activation == "prelu";
  if (!learned) refuse_learned(c, "activation_function", activation);
  if (coordinates.decide() != 4) c.refuse(ErrorCode::out_of_range, "query_dim", "must be 4.");
  const std::vector<Expr> seen = detector_backbone(c, b, "backbone.conv_encoder.model", "backbone.conv_encoder.model._backbone");
  b.part(Part::embedding, [&] {
    table(b, "query_refpoint_embeddings", queries, coordinates);
    b.part(Part::adapter, [&] { conv2d(b, "input_projection", seen.back(), d, 1); });
    if (patterns.decide() > 0) table(b, "patterns", patterns, d);
  });
  b.scope("encoder", [&] {
    stack_layers(b, encoder);
    b.repeat("layers", all(encoder.n_layers), [&] { slope(b, learned); });
    b.part(Part::attention, [&] { mlp_head(b, "query_scale", d, d, d, 2); });
    if (normed) layer_norm(b, "norm", d);
  });
  b.scope("decoder", [&] {
    b.repeat("layers", all(decoder.n_layers), [&] { decoder_layer(b, decoder, learned); });
    const auto positions = [&] { b.owned_by(Owner::cross, [&] { linear(b, "cross_attn.cross_attn_query_pos_proj", d, d, true); }); };
    b.part(Part::attention, [&] {
      if (everywhere) b.repeat("layers", all(decoder.n_layers), positions);
      if (!everywhere && decoder.n_layers.decide() > 0) b.repeat("layers", only(0), positions);
      mlp_head(b, "query_scale", d, d, d, 2);
      mlp_head(b, "ref_point_head", 2 * d, d, d, 2);
      mlp_head(b, "ref_anchor_head", d, d, two, 2);
    });
    layer_norm(b, "layernorm", d);
  });
  return {.hidden = d};
}

/// Records the heads. The box head is also a module of the decoder, where it has another name.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::object_detection) return;
  if (!c.flag("tie_word_embeddings", true)) c.refuse(ErrorCode::unsupported, "tie_word_embeddings", "must be true here.");
  const Expr d = m.hidden, labels = num_labels(c);
  const Expr widths[] = {d, d, c.literal(4)};
  b.part(Part::output_head, [&] {
    linear(b, "class_embed", d, labels, true);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string weight = concat({"layers.", digits(i), ".weight"}), bias = concat({"layers.", digits(i), ".bias"});
      b.tied(concat({"model.decoder.bbox_embed.", weight}),
             b.parameter(concat({"bbox_predictor.", weight}), {widths[i], d}, StorageKind::matrix));
      b.tied(concat({"model.decoder.bbox_embed.", bias}), b.parameter(concat({"bbox_predictor.", bias}), {widths[i]}));
    }
  });
}

}  // namespace

extern const Family dab_detr{
    .model_type = "dab-detr",
    .summary = "Object detection: Conditional DETR with dynamic anchor boxes as queries.",
    .classes = {"DabDetr", heads::base | heads::objects, "model"},
    .aliases = aliases,
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
