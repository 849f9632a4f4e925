#include "core/nn/vision/sam3.hpp"

#include "core/nn/nested.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/sam.hpp"
#include "core/nn/vision/width_multipliers.hpp"

namespace param_ledger {

void sam3_neck(Config c, Builder& b, Text name, Expr in) {
  const Expr d = c.integer("fpn_hidden_size", 256), half = floor_divide(in, c.literal(2)), quarter = floor_divide(in, c.literal(4));
  const std::vector<double> usual{4, 2, 1, 0.5};
  const std::vector<double> factors = c.peek("scale_factors").is_null() ? usual : numbers(c, "scale_factors", usual);
  b.tower(Tower::projector, name, [&] {
    for (std::size_t i = 0; i < factors.size(); ++i)
      b.scope(concat({"fpn_layers.", digits(i)}), [&] {
        const double f = factors[i];
        if (f != 4 && f != 2 && f != 1 && f != 0.5)
          c.refuse(ErrorCode::out_of_range, "scale_factors", "must contain only 4.0, 2.0, 1.0 and 0.5.");
        if (f >= 2) transposed_conv2d(b, "scale_layers.0", in, half, 2);
        if (f == 4) transposed_conv2d(b, "scale_layers.2", half, quarter, 2);
        conv2d(b, "proj1", f == 4 ? quarter : f == 2 ? half : in, d, 1);
        conv2d(b, "proj2", d, d, 3);
      });
  });
}

void sam3_vision(Config c, Builder& b, const Family& transformer, Text tower, Text neck) {
  Config section = c.section("backbone_config");
  require_type(section, transformer.model_type);
  const Expr d = nested(section, b, tower, transformer).hidden;
  sam3_neck(c, b, neck, d);
}

namespace {

constexpr Alias stack_aliases[] = {{"num_hidden_layers", "num_layers"}};

void attention(Builder& b, Text name, Expr d, Expr heads) { sam_attention(b, name, d, d, d, heads, Sam::second); }

/// Records an MLP with two or three matrices: `layer1` …
void head(Builder& b, Text name, Expr in, Expr inner, Expr out, std::size_t n_layers) {
  b.scope(name, [&] {
    linear(b, "layer1", in, inner, true);
    linear(b, "layer2", inner, n_layers == 2 ? out : inner, true);
    if (n_layers == 3) linear(b, "layer3", inner, out, true);
  });
}

/// Records encoder layers with self-attention and cross-attention.
void encoder_layers(Builder& b, Text name, Expr d, Expr n_layers, Expr heads, Expr inner) {
  b.repeat(name, all(n_layers), [&] {
    attention(b, "self_attn", d, heads);
    b.owned_by(Owner::cross, [&] { attention(b, "cross_attn", d, heads); });
    mlp(b, "mlp", d, inner, true, "fc1", "fc2");
    for (const Text norm : {"layer_norm1", "layer_norm2", "layer_norm3"}) layer_norm(b, norm, d);
  });
}

struct StackSizes {
  Expr d, n_layers, heads, inner;
};
StackSizes stack_sizes(Config c, std::uint64_t layers) {
  const Expr d = c.integer("hidden_size", 256), n_layers = c.integer("num_layers", layers);
  return {d, n_layers, c.integer("num_attention_heads", 8), c.integer("intermediate_size", 2048)};
}

void geometry_encoder(Config c, Builder& b) {
  const StackSizes s = stack_sizes(c, 3);
  const Expr d = s.d, roi = c.integer("roi_size", 7);
  b.scope("geometry_encoder", [&] {
    b.part(Part::embedding, [&] {
      table(b, "label_embed", c.literal(2), d);
      table(b, "cls_embed", c.literal(1), d);
      linear(b, "boxes_direct_project", c.literal(4), d, true);
      conv2d(b, "boxes_pool_project", d, d, roi);
      linear(b, "boxes_pos_enc_project", d + 2, d, true);
      linear(b, "final_proj", d, d, true);
    });
    for (const Text norm : {"vision_layer_norm", "prompt_layer_norm", "output_layer_norm"}) layer_norm(b, norm, d);
    encoder_layers(b, "layers", d, s.n_layers, s.heads, s.inner);
  });
}

void detr_decoder(Config c, Builder& b) {
  const StackSizes s = stack_sizes(c, 6);
  const Expr d = s.d, queries = c.integer("num_queries", 200), one = c.literal(1), two = c.literal(2), four = c.literal(4);
  b.scope("detr_decoder", [&] {
    b.part(Part::embedding, [&] {
      table(b, "query_embed", queries, d);
      table(b, "reference_points", queries, four);
      table(b, "presence_token", one, d);
      head(b, "ref_point_head", 2 * d, d, d, 2);
    });
    b.repeat("layers", all(s.n_layers), [&] {
      for (const Text name : {"self_attn", "text_cross_attn", "vision_cross_attn"}) {
        b.owned_by(name == "self_attn" ? Owner::itself : Owner::cross, [&] { attention(b, name, d, s.heads); });
        layer_norm(b, concat({name, "_layer_norm"}), d);
      }
      mlp(b, "mlp", d, s.inner, true, "fc1", "fc2");
      layer_norm(b, "mlp_layer_norm", d);
    });
    b.part(Part::attention, [&] {
      for (const Text name : {"box_rpb_embed_x", "box_rpb_embed_y"}) head(b, name, two, d, s.heads, 2);
    });
    for (const Text norm : {"output_layer_norm", "presence_layer_norm"}) layer_norm(b, norm, d);
    b.part(Part::output_head, [&] {
      head(b, "box_head", d, d, four, 3);
      head(b, "presence_head", d, d, one, 3);
    });
  });
  b.scope(Part::output_head, "dot_product_scoring", [&] {
    head(b, "text_mlp", d, s.inner, d, 2);
    layer_norm(b, "text_mlp_out_norm", d);
    linear(b, "text_proj", d, d, true);
    linear(b, "query_proj", d, d, true);
  });
}

void mask_decoder(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 256), stages = c.integer("num_upsampling_stages", 3), heads = c.integer("num_attention_heads", 8);
  b.scope(Part::output_head, "mask_decoder", [&] {
    b.repeat("pixel_decoder.conv_layers", all(stages), [&] { conv2d(b, "", d, d, 3); });
    b.repeat("pixel_decoder.norms", all(stages), [&] {
      require_multiple(d, b.pool().literal(8));
      group_norm(b, "", d);
    });
    b.repeat("mask_embedder.layers", all(c.literal(3)), [&] { linear(b, "", d, d, true); });
    conv2d(b, "instance_projection", d, d, 1);
    conv2d(b, "semantic_projection", d, c.literal(1), 1);
    b.owned_by(Owner::cross, [&] { attention(b, "prompt_cross_attn", d, heads); });
    layer_norm(b, "prompt_cross_attn_norm", d);
  });
}

}  // namespace

void sam3_detector(Config c, Builder& b, const Family& vision, Expr (*text)(Config c, Builder& b)) {
  const Json inside = c.peek("detector_config");
  if (inside && !inside.is_null()) c.refuse(ErrorCode::unsupported, "detector_config", "belongs to another type. Paste it separately.");
  Config seen = c.section("vision_config");
  for (const Text part : {"geometry_encoder_config", "detr_encoder_config", "detr_decoder_config", "mask_decoder_config"})
    c.section(part).consume("model_type");
  require_type(seen, vision.model_type);
  b.tower(Tower::vision, "vision_encoder", [&] { vision.backbone(seen, b); });
  const Expr width = text(c, b);
  const StackSizes encoder = stack_sizes(c.section("detr_encoder_config").with(stack_aliases), 6);
  b.tower(Tower::projector, "", [&] { linear(b, "text_projection", width, encoder.d, true); });
  geometry_encoder(c.section("geometry_encoder_config"), b);
  encoder_layers(b, "detr_encoder.layers", encoder.d, encoder.n_layers, encoder.heads, encoder.inner);
  detr_decoder(c.section("detr_decoder_config").with(stack_aliases), b);
  mask_decoder(c.section("mask_decoder_config"), b);
}

}  // namespace param_ledger
