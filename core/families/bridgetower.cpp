// BridgeTower: RoBERTa and CLIP's vision transformer, each followed by cross-attention layers. Before each cross-attention layer except the
// first, a bridge layer combines the hidden states with the output of one of the last layers of RoBERTa or of the vision transformer.
// Source: transformers, models/bridgetower.

#include "core/nn/nested.hpp"
#include "core/nn/text/encoder.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

constexpr BertType words{.sizes = {768, 3072, 12, 50265, 12}, .positions = 514, .token_types = 1};

Expr vision(Config c, Builder& b) {
  c.consume("model_type");
  const Expr d = c.integer("hidden_size", 768), n_layers = c.integer("num_hidden_layers", 12);
  const Image image = image_fields(c, 288, 16);
  const bool fewer = c.flag("remove_last_layer", false), shared = c.flag("share_layernorm", true);
  b.scope(Part::embedding, "embeddings", [&] {
    b.parameter("class_embedding", {d});
    patch_embedding(b, "patch_embedding", image.channels, d, image.patch, false);
    embedding(b, "position_embedding", image.patches() + 1, d, TensorRole::position_embedding);
  });
  layer_norm(b, "ln_pre", d);
  b.repeat("transformer.resblocks", fewer && n_layers.decide() > 0 ? all(n_layers - 1) : all(n_layers), [&] {
    require_multiple(d, floor_divide(d, c.literal(64)));
    b.scope(Part::attention, "attn", [&] { multihead_attention(b, "", d); });
    layer_norm(b, "ln_1", d);
    mlp(b, "mlp", d, 4 * d, true, "c_fc", "c_proj");
    layer_norm(b, "ln_2", d);
  });
  layer_norm(b, "ln_post", d);
  if (!shared) b.repeat("ln_separate", all(n_layers), [&] { layer_norm(b, "", d); });
  return d;
}

/// Records BERT's layers with cross-attention, even if the text model's configuration does not ask for it.
void crossing_layers(Builder& b, Text name, const BertSizes& s, Expr count) {
  BertSizes crossing = s;
  crossing.cross_attention = true;
  crossing.n_layers = count;
  bert_layers_in(b, name, crossing, words);
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 768), n_cross = c.integer("num_hidden_layers", 6);
  const bool one_transform = c.flag("share_cross_modal_transformer_layers", true), one_link = c.flag("share_link_tower_layers", false);
  static constexpr std::string_view links[] = {"add", "scaled_add", "interpolate"};
  const std::string_view link = c.text("link_tower_type", "add", links);
  Config text = c.section("text_config");
  text.consume("model_type");
  Expr seen;
  b.tower(Tower::vision, "vision_model.visual", [&] { seen = vision(c.section("vision_config"), b); });
  const BertSizes s = bert_sizes(text, words);
  Tensor table;
  b.scope("text_model", [&] {
    table = bert_embeddings(b, s, words);
    bert_layers(b, s, words);
    pooler(b, "pooler.dense", s.d);
  });
  embedding(b, "token_type_embeddings", c.literal(2), d, TensorRole::segment_embedding);
  crossing_layers(b, "cross_modal_image_layers", s, n_cross);
  crossing_layers(b, "cross_modal_text_layers", s, n_cross);
  const auto transform = [&](Text name, Expr from) {
    b.tower(Tower::projector, "", [&] {
      if (one_transform) return linear(b, name, from, d, true);
      b.repeat(name, all(n_cross), [&] { linear(b, "", from, d, true); });
    });
  };
  transform("cross_modal_text_transform", s.d);
  transform("cross_modal_image_transform", seen);
  const auto bridge = [&] {
    if (link == "scaled_add") b.tower(Tower::projector, "", [&] { b.parameter("scaled_factor", {}); });
    if (link == "interpolate") b.tower(Tower::projector, "", [&] { b.parameter("beta", {}); });
    layer_norm(b, "LayerNorm", d);
  };
  for (const Text name : {"cross_modal_text_link_tower", "cross_modal_image_link_tower"}) {
    if (one_link)
      b.scope(name, bridge);
    else if (n_cross.decide() > 0)
      b.repeat(name, all(n_cross - 1), bridge);
  }
  for (const Text name : {"cross_modal_image_pooler.dense", "cross_modal_text_pooler.dense"})
    b.part(Part::output_head, [&] { linear(b, name, d, d, true); });
  layer_norm(b, "cross_modal_text_layernorm", d);
  layer_norm(b, "cross_modal_image_layernorm", d);
  return {.hidden = d, .embedding = table};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  const Expr d = m.hidden;
  b.part(Part::output_head, [&] {
    if (b.architecture().head == Head::other) linear(b, "itm_score.fc", 2 * d, c.literal(2), true);
    if (b.architecture().head == Head::encoder) {
      const Expr shared = c.integer("contrastive_hidden_size", required(512));
      linear(b, "itc_text_head.fc", d, shared, true);
      linear(b, "itc_image_head.fc", d, shared, true);
      linear(b, "itc_cross_modal_head.fc", 2 * d, shared, true);
      b.parameter("logit_scale", {});
    }
    if (b.architecture().head != Head::masked_lm) return;
    const Expr vocab = b.row(m.embedding).shape.front();
    b.scope("mlm_score", [&] {
      b.parameter("bias", {vocab});
      linear(b, "transform.dense", d, d, true);
      layer_norm(b, "transform.LayerNorm", d);
      if (c.flag("tie_word_embeddings", false))
        b.tied("decoder.weight", m.embedding);
      else
        linear(b, "decoder", d, vocab);
    });
  });
}

constexpr Architecture classes[] = {{"BridgeTowerModel", Head::none, ""},
                                    {"BridgeTowerForMaskedLM", Head::masked_lm, "bridgetower"},
                                    {"BridgeTowerForImageAndTextRetrieval", Head::other, "bridgetower"},
                                    {"BridgeTowerForContrastiveLearning", Head::encoder, "bridgetower"}};

}  // namespace

extern const Family bridgetower{
    .model_type = "bridgetower",
    .summary = "Vision-language encoder: RoBERTa and CLIP's ViT, with cross-modal layers on top.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
