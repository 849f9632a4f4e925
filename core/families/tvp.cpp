// TVP: finds the moment of a video that a text describes. Learned borders are added to the edges of the frames, replace them, or stay
// unused, as visual_prompter_apply says. BERT's layers read the text and ResNet's features of the frames. Source: transformers, models/tvp.

#include "core/nn/nested.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/detection.hpp"

namespace param_ledger {

extern const Family resnet;

namespace {

constexpr std::string_view prompters[] = {"framepad", "framedownpad"};

/// Records the learned borders of the frames. They are visual_prompt_size pixels wide.
void frames_around(Config c, Builder& b, Expr frames) {
  const Expr width = c.integer("visual_prompt_size", 96), side = c.integer("max_img_size", 448), one = c.literal(1), colours = c.literal(3);
  if (c.text("visual_prompter_type", "framepad", prompters) != "framepad")
    c.refuse(ErrorCode::unsupported, "visual_prompter_type", "must be \"framepad\" here.");
  if (side.decide() < 2 * width.decide()) c.refuse(ErrorCode::out_of_range, "visual_prompt_size", "must be at most half of max_img_size.");
  b.scope(Part::embedding, "visual_prompter", [&] {
    for (const Text name : {"pad_up", "pad_down"}) b.parameter(name, {one, frames, colours, width, side}, StorageKind::table);
    for (const Text name : {"pad_left", "pad_right"})
      b.parameter(name, {one, frames, colours, side - 2 * width, width}, StorageKind::table);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 768), f = c.integer("intermediate_size", 3072), n_layers = c.integer("num_hidden_layers", 12);
  const Expr heads = c.integer("num_attention_heads", 12), vocab = c.integer("vocab_size", 30522), types = c.integer("type_vocab_size", 2);
  const Expr positions = c.integer("max_position_embeddings", 512), rows = c.integer("max_grid_row_position_embeddings", 100),
             columns = c.integer("max_grid_col_position_embeddings", 100), frames = c.integer("num_frames", 48);
  Config section = c.section("backbone_config");
  const Json type = section.peek("model_type");
  if (type.is(Json::Type::string) && type.string() != "resnet")
    section.refuse(ErrorCode::unsupported, "model_type", "must be \"resnet\" here.");
  taken_backbone(c, b, "vision_model.backbone", resnet, 4);
  const Expr seen = section.dimensions("hidden_sizes", {256, 512, 1024, 2048}).back();
  b.part(Part::convolution, [&] { conv2d(b, "vision_model.grid_encoder_conv", seen, d, 3, false); });
  b.part(Part::embedding, [&] {
    tokens(b, "text_prompt", 10, d);
    table(b, "embeddings.word_embeddings", vocab, d);
    table(b, "embeddings.position_embeddings", positions, d);
    table(b, "embeddings.token_type_embeddings", types, d);
    layer_norm(b, "embeddings.layer_norm", d);
    table(b, "visual_embeddings.position_embeddings", positions, d);
    table(b, "visual_embeddings.row_position_embeddings", rows, d);
    table(b, "visual_embeddings.col_position_embeddings", columns, d);
    table(b, "visual_embeddings.token_type_embeddings", c.literal(1), d);
    layer_norm(b, "visual_embeddings.layer_norm", d);
  });
  frames_around(c, b, frames);
  b.repeat("encoder.layer", all(n_layers), [&] {
    require_positive(heads);
    attention(b, "attention",
              {.hidden = d,
               .heads = heads,
               .qkv_bias = true,
               .output_bias = true,
               .scaled_by_head_dim = false,
               .q = "query",
               .k = "key",
               .v = "value",
               .o = "dense"});
    layer_norm(b, "attention.layer_norm", d);
    mlp(b, "", d, f, true, "intermediate.dense", "output.dense");
    layer_norm(b, "output.layer_norm", d);
  });
  pooler(b, "pooler.dense", d);
  return {.hidden = d};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::other) return;
  b.scope(Part::output_head, "video_grounding_head", [&] {
    linear(b, "layer_0", m.hidden, 2 * m.hidden, true);
    linear(b, "layer_1", 2 * m.hidden, c.literal(2), true);
  });
}

constexpr Architecture grounding[] = {{"TvpForVideoGrounding", Head::other, "model"}};

}  // namespace

extern const Family tvp{
    .model_type = "tvp",
    .summary = "Temporal video grounding: finds the moment that a text describes.",
    .classes = {"Tvp", heads::base, "model", {}, grounding},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
