// Conditional DETR: like DETR, but in the decoder queries and keys have separate projections for their content and their position. Source:
// transformers, models/conditional_detr.

#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/detection.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {
    {"hidden_size", "d_model"}, {"num_attention_heads", "encoder_attention_heads"}, {"num_hidden_layers", "encoder_layers"}};

void decoder_layer(Builder& b, const Stack& m) {
  const Expr d = m.hidden;
  require_positive(floor_divide(d, m.heads));  // the head dimension must not be 0, because scores are divided by its square root
  b.part(Part::attention, [&] {
    for (const Text name : {"sa_qcontent_proj", "sa_qpos_proj", "sa_kcontent_proj", "sa_kpos_proj", "sa_v_proj", "self_attn.out_proj"})
      linear(b, name, d, d, true);
    b.owned_by(Owner::cross, [&] {
      for (const Text name :
           {"ca_qcontent_proj", "ca_kcontent_proj", "ca_kpos_proj", "ca_v_proj", "ca_qpos_sine_proj", "encoder_attn.out_proj"})
        linear(b, name, d, d, true);
    });
  });
  layer_norm(b, "self_attn_layer_norm", d);
  layer_norm(b, "encoder_attn_layer_norm", d);
  mlp(b, "", d, m.inner, true, "fc1", "fc2");
  layer_norm(b, "final_layer_norm", d);
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("d_model", 256), queries = c.integer("num_queries", 300), two = c.literal(2);
  Stack encoder = encoder_fields(c, d, {6, 2048, 8});
  const Stack decoder = decoder_fields(c, d, {6, 2048, 8});
  encoder.even_share = false;
  const std::vector<Expr> seen = detector_backbone(c, b, "backbone.conv_encoder.model", "backbone.conv_encoder.model");
  learned_image_positions(c, b, "position_embedding", d);
  b.part(Part::embedding, [&] {
    b.part(Part::adapter, [&] { conv2d(b, "input_projection", seen.back(), d, 1); });
    table(b, "query_position_embeddings", queries, d);
  });
  b.scope("encoder", [&] { stack_layers(b, encoder); });
  b.scope("decoder", [&] {
    b.repeat("layers", all(decoder.n_layers), [&] { decoder_layer(b, decoder); });
    b.part(Part::attention, [&] {
      if (decoder.n_layers.decide() > 0) linear(b, "layers.0.ca_qpos_proj", d, d, true);  // only the first layer has this projection
      mlp_head(b, "query_scale", d, d, d, 2);
      mlp_head(b, "ref_point_head", d, d, two, 2);
    });
    layer_norm(b, "layernorm", d);
  });
  return {.hidden = d};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::object_detection) detection_head(c, b, m.hidden, false);
}

}  // namespace

extern const Family conditional_detr{
    .model_type = "conditional_detr",
    .summary = "Object detection: DETR with conditional cross-attention for faster convergence.",
    .classes = {"ConditionalDetr", heads::base | heads::objects, "model"},
    .aliases = aliases,
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
