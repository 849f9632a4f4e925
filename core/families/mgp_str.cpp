// MGP-STR: a vision transformer for text recognition that predicts characters and two kinds of subwords.
// Source: transformers, models/mgp_str.

#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/vit.hpp"

namespace param_ledger {

namespace {

constexpr VisionLayers layers{.attention = {.even_share = false, .qkv_bias = true, .output_bias = true, .fused = "qkv", .o = "proj"},
                              .layers = "encoder.blocks",
                              .attention_name = "attn",
                              .norm1 = "norm1",
                              .norm2 = "norm2"};

BackboneOutput backbone(Config c, Builder& b) {
  VisionLayers m = layers;
  const Expr d = c.integer("hidden_size", 768), channels = c.integer("num_channels", 3);
  const std::vector<Expr> image = c.dimensions("image_size", {32, 128});
  const Sides patch = c.sides("patch_size", 4);
  m.attention.hidden = d;
  m.attention.heads = c.integer("num_attention_heads", 12, 1);
  m.attention.qkv_bias = c.flag("qkv_bias", true);
  m.n_layers = c.integer("num_hidden_layers", 12);
  m.inner = c.scaled("mlp_ratio", 4.0, d, "inner_size", "f");
  if (m.inner.decide() == 0) m.inner = d;
  const std::uint64_t before = c.flag("distilled", false) ? 2 : 1;
  if (image.size() != 2) c.refuse(ErrorCode::out_of_range, "image_size", "must be a list of height and width.", Refused::list_length);
  b.scope(Part::embedding, "embeddings", [&] {
    tokens(b, "cls_token", 1, d);
    tokens(b, "pos_embed", area(grid({image[0], image[1]}, patch)) + before, d);
    patch_embedding(b, "proj", channels, d, patch);
  });
  vision_layers(b, m);
  return {.hidden = d};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::other) return;
  const Expr d = m.hidden, length = c.integer("max_token_length", 27), share = per_group(d, c.literal(8));
  const Expr characters = c.integer("num_character_labels", 38), pieces = c.integer("num_bpe_labels", 50257),
             word_pieces = c.integer("num_wordpiece_labels", 30522);
  b.part(Part::output_head, [&] {
    for (const auto& [kind, labels] : {std::pair<Text, Expr>{"char", characters}, {"bpe", pieces}, {"wp", word_pieces}}) {
      const Expr count = labels;
      b.scope(concat({kind, "_a3_module"}), [&] {
        layer_norm(b, "token_norm", d);
        conv2d(b, "tokenLearner.0", share, d, 1, false);
        conv2d(b, "tokenLearner.1", d, length, 1, false);
        conv2d(b, "feat", share, d, 1, false);
        layer_norm(b, "norm", d);
      });
      linear(b, concat({kind, "_head"}), d, count, true);
    }
  });
}

constexpr Architecture classes[] = {{"MgpstrForSceneTextRecognition", Head::other, "mgp_str"}, {"MgpstrModel", Head::none, ""}};

}  // namespace

extern const Family mgp_str{
    .model_type = "mgp-str",
    .summary = "Scene text recognition: a ViT with multi-granularity prediction.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
