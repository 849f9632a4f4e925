// SAM 3: what a text or examples name is found in an image, and masked; its tracker follows it through a video as SAM 2 does.
// Source: transformers, models/sam3, sam3_lite_text, sam3_tracker, sam3_tracker_video, sam3_video.

#include "core/blocks/factors.hpp"
#include "core/blocks/feed_forward.hpp"
#include "core/blocks/sam.hpp"
#include "core/blocks/vit.hpp"
#include "core/heads.hpp"
#include "core/layer_kinds.hpp"
#include "core/nested.hpp"

namespace param_ledger {

extern const Family sam3_vit_model, sam3_vision_model, clip_text_model, sam3_lite_text_text_model;

namespace {

constexpr Alias stack_aliases[] = {{"num_hidden_layers", "num_layers"}};

void attention(Builder& b, Text name, Expr d, Expr heads) { sam_attention(b, name, d, d, d, heads, Sam::second); }

/// `layer1` …: two matrices or three.
void head(Builder& b, Text name, Expr in, Expr inner, Expr out, std::size_t n_layers) {
  b.scope(name, [&] {
    linear(b, "layer1", in, inner, true);
    linear(b, "layer2", inner, n_layers == 2 ? out : inner, true);
    if (n_layers == 3) linear(b, "layer3", inner, out, true);
  });
}

constexpr VisionLayers vit{.attention = {.even_share = false, .qkv_bias = true, .output_bias = true}, .attention_name = "attention"};

Backbone vit_backbone(Config c, Builder& b) {
  VisionLayers m = vision_fields(c, {1024, 4736, 32, 16}, vit);
  const Expr d = m.attention.hidden, channels = c.integer("num_channels", 3);
  const Sides patch = c.sides("patch_size", 14), before = c.sides("pretrain_image_size", 336);
  b.scope(Part::embedding, "embeddings", [&] {
    conv2d(b, "patch_embeddings.projection", channels, d, patch, false);
    tokens(b, "position_embeddings", area(grid(before, patch)), d);
  });
  layer_norm(b, "layer_norm", d);
  vision_layers(b, m);
  return {.hidden = d};
}

/// What a tower sees brought to several sizes.
void neck(Config c, Builder& b, Text name, Expr in) {
  const Expr d = c.integer("fpn_hidden_size", 256), half = floor_divide(in, c.literal(2)), quarter = floor_divide(in, c.literal(4));
  const std::vector<double> usual{4, 2, 1, 0.5};
  const std::vector<double> factors = c.peek("scale_factors").is_null() ? usual : numbers(c, "scale_factors", usual);
  b.scope(Part::projector, name, [&] {
    for (std::size_t i = 0; i < factors.size(); ++i)
      b.scope(concat({"fpn_layers.", digits(i)}), [&] {
        const double f = factors[i];
        if (f != 4 && f != 2 && f != 1 && f != 0.5)
          c.refuse(ErrorCode::out_of_range, "scale_factors", "must hold 4.0, 2.0, 1.0 and 0.5 alone.");
        if (f >= 2) transposed_conv2d(b, "scale_layers.0", in, half, 2);
        if (f == 4) transposed_conv2d(b, "scale_layers.2", half, quarter, 2);
        conv2d(b, "proj1", f == 4 ? quarter : f == 2 ? half : in, d, 1);
        conv2d(b, "proj2", d, d, 3);
      });
  });
}

/// Tower and neck, under these names.
void vision(Config c, Builder& b, Text tower, Text neck_name) {
  Config section = c.section("backbone_config");
  require_type(section, "sam3_vit_model");
  const Expr d = nested(section, b, tower, sam3_vit_model).hidden;
  neck(c, b, neck_name, d);
}

Backbone vision_backbone(Config c, Builder& b) {
  vision(c, b, "backbone", "neck");
  return {};
}

// --- The detector ----------------------------------------------------------------------------------------------------

/// Layers that attend to themselves and to something else, of the encoders.
void encoder_layers(Builder& b, Text name, Expr d, Expr n_layers, Expr heads, Expr inner) {
  b.repeat(name, all(n_layers), [&] {
    attention(b, "self_attn", d, heads);
    attention(b, "cross_attn", d, heads);
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
        attention(b, name, d, s.heads);
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
    linear(b, "query_proj", d, d, true, Does::query);
  });
}

void mask_decoder(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 256), stages = c.integer("num_upsampling_stages", 3), heads = c.integer("num_attention_heads", 8);
  b.scope(Part::output_head, "mask_decoder", [&] {
    b.repeat("pixel_decoder.conv_layers", all(stages), [&] { conv2d(b, "", d, d, 3); });
    b.repeat("pixel_decoder.norms", all(stages), [&] {
      require_multiple(d, b.pool().literal(8));
      layer_norm(b, "", d);
    });
    b.repeat("mask_embedder.layers", all(c.literal(3)), [&] { linear(b, "", d, d, true); });
    conv2d(b, "instance_projection", d, d, 1);
    conv2d(b, "semantic_projection", d, c.literal(1), 1);
    attention(b, "prompt_cross_attn", d, heads);
    layer_norm(b, "prompt_cross_attn_norm", d);
  });
}

/// The text model of CLIP that is meant where there is no text_config.
Backbone unnamed_text(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 49408), positions = c.integer("max_position_embeddings", 32);
  const VisionLayers m = vision_fields(c, {1024, 4096, 24, 16});
  b.scope("embeddings", [&] {
    embedding(b, "token_embedding", vocab, m.attention.hidden, Does::token_embedding);
    embedding(b, "position_embedding", positions, m.attention.hidden, Does::position_embedding);
  });
  b.scope("encoder", [&] { vision_layers(b, m); });
  layer_norm(b, "final_layer_norm", m.attention.hidden);
  return {.hidden = m.attention.hidden};
}

/// CLIP's text model and its projection. Returns the width before it.
Expr clip_text(Config c, Builder& b) {
  static constexpr Family unnamed{.backbone = unnamed_text};
  Config text = c.section("text_config");
  require_type(text, "clip_text_model");
  const Expr d = nested(text, b, "text_encoder.text_model", is_given(c, "text_config") ? clip_text_model : unnamed).hidden;
  const Expr shared = text.integer("projection_dim", 512);
  b.part(Part::projector, [&] { linear(b, "text_encoder.text_projection", d, shared); });
  return d;
}

template <bool lite>
Backbone backbone(Config c, Builder& b) {
  const Json inside = c.peek("detector_config");
  if (inside && !inside.is_null()) c.refuse(ErrorCode::unsupported, "detector_config", "belongs to another type: paste it by itself.");
  Config text = c.section("text_config"), seen = c.section("vision_config");
  for (const Text part : {"geometry_encoder_config", "detr_encoder_config", "detr_decoder_config", "mask_decoder_config"})
    c.section(part).consume("model_type");
  require_type(seen, "sam3_vision_model");
  b.tower(Part::vision, "vision_encoder", [&] { vision(seen, b, "backbone", "neck"); });
  if (lite) require_type(text, "sam3_lite_text_text_model");
  const Expr width = lite ? nested(text, b, "text_encoder", sam3_lite_text_text_model).hidden : clip_text(c, b);
  const StackSizes encoder = stack_sizes(c.section("detr_encoder_config").with(stack_aliases), 6);
  b.part(Part::projector, [&] { linear(b, "text_projection", width, encoder.d, true); });
  geometry_encoder(c.section("geometry_encoder_config"), b);
  encoder_layers(b, "detr_encoder.layers", encoder.d, encoder.n_layers, encoder.heads, encoder.inner);
  detr_decoder(c.section("detr_decoder_config").with(stack_aliases), b);
  mask_decoder(c.section("mask_decoder_config"), b);
  return {};
}

/// The text model of the small one: the first layer and the last mix by convolutions.
Backbone lite_text_backbone(Config c, Builder& b) {
  const Expr vocab = c.integer("vocab_size", 49408), positions = c.integer("max_position_embeddings", 77), one = c.literal(1);
  const VisionLayers m = vision_fields(c, {512, 2048, 12, 8});
  const Expr d = m.attention.hidden, n_layers = m.n_layers, shared = c.integer("projection_dim", 512);
  const bool mixes = c.flag("use_repmixer_blocks", true);
  const Expr kernel = c.integer("repmixer_kernel_size", 11);
  b.part(Part::embedding, [&] {
    table(b, "embeddings.token_embedding", vocab, d);
    b.parameter("embeddings.position_embedding.position_embedding", {one, one, positions, d}, Role::table);
  });
  const Split layers = split(c, n_layers, "num_mixing_layers", "L_m", "Layers that mix by convolutions.",
                             [&](std::size_t i) { return mixes && (i == 0 || i + 1 == n_layers.value()); });
  b.repeat("layers", layers.in, [&] {
    b.scope(Part::convolution, "", [&] {
      b.parameter("layer_scale", {d, one, one});
      b.parameter("token_mixer.layer_scale", {d, one, one});
      batch_norm(b, "token_mixer.reference_batchnorm", d);
      batch_norm(b, "token_mixer.mixer.batchnorm_skip", d);
      conv2d(b, "token_mixer.mixer.conv", one, d, Kernel(Size(1), Size(kernel)), false);
      batch_norm(b, "token_mixer.mixer.batchnorm_conv", d);
      conv2d(b, "conv_feed_forward.depthwise_conv", one, d, Kernel(Size(1), Size(kernel)), false);
      batch_norm(b, "conv_feed_forward.depthwise_batchnorm", d);
    });
    b.part(Part::feed_forward, [&] {
      conv2d(b, "conv_feed_forward.mlp.fc1", d, m.inner, 1);
      conv2d(b, "conv_feed_forward.mlp.fc2", m.inner, d, 1);
    });
  });
  b.repeat("layers", layers.out, [&] {
    layer_norm(b, "layer_norm1", d);
    param_ledger::attention(b, "self_attn", m.attention);
    layer_norm(b, "layer_norm2", d);
    mlp(b, "mlp", d, m.inner, true, "fc1", "fc2");
  });
  layer_norm(b, "final_layer_norm", d);
  b.part(Part::projector, [&] { linear(b, "projection", d, shared); });
  return {.hidden = d};
}

// --- The tracker -----------------------------------------------------------------------------------------------------

/// With its vision tower, under the names that files give it, or without.
void tracker(Config c, Builder& b, bool video, bool sees) {
  Config seen = c.section("vision_config"), prompts = c.section("prompt_encoder_config"), masks = c.section("mask_decoder_config");
  require_type(seen, "sam3_vision_model");
  prompts.consume("model_type");
  masks.consume("model_type");
  const Expr d = seen.integer("fpn_hidden_size", 256);
  b.scope("tracker_model", [&] {
    if (sees) b.tower(Part::vision, "", [&] { vision(seen, b, "detector_model.vision_encoder.backbone", "tracker_neck"); });
    b.part(Part::embedding, [&] {
      if (!video) tokens(b, "no_memory_embedding", 1, d);
      b.buffer("shared_image_embedding.positional_embedding",
               {c.literal(2), floor_divide(prompts.integer("hidden_size", 256), c.literal(2))});
    });
    sam_prompts(prompts, b, "prompt_encoder", Sam::second);
    sam_masks(masks, b, "mask_decoder", Sam::second);
    if (video) sam_memory(c, b, d, false);
  });
}

template <bool video>
Backbone tracker_backbone(Config c, Builder& b) {
  const Json inside = c.peek("tracker_config");
  if (inside && !inside.is_null()) c.refuse(ErrorCode::unsupported, "tracker_config", "belongs to another type: paste it by itself.");
  tracker(c, b, video, true);
  return {};
}

Backbone video_backbone(Config c, Builder& b) {
  Config detector = c.section("detector_config"), follower = c.section("tracker_config");
  require_type(detector, "sam3");
  require_type(follower, "sam3_tracker_video");
  if (b.architecture().head == Head::other) {
    tracker(follower, b, false, true);
    return {};
  }
  b.scope("detector_model", [&] { backbone<false>(detector, b); });
  b.scope("tracker_model", [&] { tracker(follower, b, true, false); });
  Config seen = detector.section("vision_config");
  neck(seen, b, "tracker_neck", seen.section("backbone_config").integer("hidden_size", 1024));
  return {};
}

/// The tracker alone, for images.
constexpr Architecture tracker_alone[] = {{"Sam3TrackerModel", Head::other, ""}};

}  // namespace

extern const Family sam3{
    .model_type = "sam3",
    .summary = "Finds and masks what a text or examples name.",
    .classes = {"Sam3", heads::base, ""},
    .backbone = backbone<false>,
};
extern const Family sam3_lite_text{
    .model_type = "sam3_lite_text",
    .summary = "As SAM 3, with a small text model.",
    .classes = {"Sam3LiteText", heads::base, ""},
    .backbone = backbone<true>,
};
extern const Family sam3_lite_text_text_model{
    .model_type = "sam3_lite_text_text_model",
    .summary = "The small text model of SAM 3.",
    .classes = {"Sam3LiteTextText", heads::base, ""},
    .backbone = lite_text_backbone,
};
extern const Family sam3_tracker{
    .model_type = "sam3_tracker",
    .summary = "SAM 3 as SAM 2: masks of what points and boxes ask for.",
    .classes = {"Sam3Tracker", heads::base, ""},
    .backbone = tracker_backbone<false>,
};
extern const Family sam3_tracker_video{
    .model_type = "sam3_tracker_video",
    .summary = "SAM 3's tracker, with a memory of frames.",
    .classes = {"Sam3TrackerVideo", heads::base, ""},
    .backbone = tracker_backbone<true>,
};
extern const Family sam3_video{
    .model_type = "sam3_video",
    .summary = "SAM 3 and its tracker.",
    .classes = {"Sam3Video", heads::base, "", {}, tracker_alone},
    .backbone = video_backbone,
};
extern const Family sam3_vision_model{
    .model_type = "sam3_vision_model",
    .summary = "The vision transformer and the neck of SAM 3.",
    .classes = {"Sam3Vision", heads::base, ""},
    .backbone = vision_backbone,
};
extern const Family sam3_vit_model{
    .model_type = "sam3_vit_model",
    .summary = "The vision transformer of SAM 3.",
    .classes = {"Sam3ViT", heads::base, ""},
    .backbone = vit_backbone,
};

}  // namespace param_ledger
