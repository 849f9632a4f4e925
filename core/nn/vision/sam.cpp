#include "core/nn/vision/sam.hpp"

#include <cmath>

#include "core/config/constraints.hpp"
#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

SamTower sam_fields(Config c, bool by_ratio, const SamNames& names, std::uint64_t side) {
  const bool bias = c.flag("qkv_bias", true), absolute = c.flag("use_abs_pos", true), relative = c.flag("use_rel_pos", true);
  SamTower m{.names = names, .bias = bias, .absolute = absolute, .relative = relative};
  m.hidden = c.integer("hidden_size", 768);
  m.inner = by_ratio ? c.integer("mlp_dim", c.scaled("mlp_ratio", 4.0, m.hidden, "mlp_width", "f_m")) : c.integer("mlp_dim", 3072);
  m.n_layers = c.integer("num_hidden_layers", 12);
  m.heads = c.integer("num_attention_heads", 12, 1);
  m.out = c.integer("output_channels", 256);
  m.image = image_fields(c, side, 16);
  m.window = c.integer("window_size", 14);
  if (c.peek("global_attn_indexes").is_null()) c.refuse(ErrorCode::wrong_type, "global_attn_indexes", "must be a list of integers.");
  const LayerList everywhere(c.integers("global_attn_indexes", {2, 5, 8, 11}));
  m.layers = split(c, m.n_layers, "num_global_attention_layers", "L_g", "Layers with global attention.",
                   [&](std::size_t i) { return everywhere.has(i); });
  return m;
}

void sam_tower(Builder& b, const SamTower& m) {
  const Expr d = m.hidden, h = floor_divide(d, m.heads), grid = floor_divide(m.image.side, m.image.patch);
  const auto positions = [&](Expr places) {
    for (const Text name : {"attn.rel_pos_h", "attn.rel_pos_w"}) b.parameter(name, {2 * places - 1, h}, StorageKind::table);
  };
  b.part(Part::embedding, [&] {
    patch_embedding(b, m.names.patches, m.image.channels, d, m.image.patch);
    if (m.absolute) b.parameter("pos_embed", {b.pool().literal(1), grid, grid, d}, StorageKind::table);
  });
  vision_layers(
      b, {.attention =
              {.hidden = d, .heads = m.heads, .even_share = false, .qkv_bias = m.bias, .output_bias = true, .fused = "qkv", .o = "proj"},
          .inner = m.inner,
          .n_layers = m.n_layers,
          .layers = m.names.layers,
          .attention_name = "attn",
          .norm1 = m.names.norm1,
          .norm2 = m.names.norm2,
          .up = "lin1",
          .down = "lin2"});
  if (m.relative)
    b.part(Part::attention, [&] {
      b.repeat(m.names.layers, m.layers.out, [&] { positions(m.window.decide() == 0 ? grid : m.window); });
      b.repeat(m.names.layers, m.layers.in, [&] { positions(grid); });
    });
  b.tower(Tower::projector, "neck", [&] {
    conv2d(b, m.names.neck[0], d, m.out, 1, false);
    layer_norm(b, m.names.neck[1], m.out);
    conv2d(b, m.names.neck[2], m.out, m.out, 3, false);
    layer_norm(b, m.names.neck[3], m.out);
  });
}

Expr sam_vision(Config c, Builder& b, bool by_ratio, std::uint64_t side) {
  const SamTower m = sam_fields(c, by_ratio, {}, side);
  sam_tower(b, m);
  return m.out;
}

void sam_mlp(Builder& b, Text name, Expr in, Expr inner, Expr out, Expr n_layers) {
  b.scope(name, [&] {
    linear(b, "proj_in", in, inner, true, TensorRole::up);
    if (n_layers.decide() > 2) b.repeat("layers", all(n_layers - 2), [&] { linear(b, "", inner, inner, true); });
    linear(b, "proj_out", inner, out, true, TensorRole::down);
  });
}

void sam_attention(Builder& b, Text name, Expr d, Expr memory, Expr inner, Expr heads, Sam kind) {
  require_positive(heads);
  if (kind != Sam::second) require_multiple(inner, heads);
  require_positive(floor_divide(inner, heads));
  b.scope(Part::attention, name, [&] {
    linear(b, "q_proj", d, inner, true, TensorRole::query);
    linear(b, "k_proj", memory, inner, true, TensorRole::key);
    linear(b, "v_proj", memory, inner, true, TensorRole::value);
    linear(b, kind == Sam::second ? "o_proj" : "out_proj", inner, d, true, TensorRole::output);
  });
}

void sam_prompts(Config c, Builder& b, Text name, Sam kind) {
  const Expr d = c.integer("hidden_size", 256), channels = c.integer("mask_input_channels", 16),
             points = c.integer("num_point_embeddings", 4);
  const Expr one = c.literal(1), few = floor_divide(channels, c.literal(4));
  b.scope(Part::embedding, name, [&] {
    conv2d(b, "mask_embed.conv1", one, few, 2);
    conv2d(b, "mask_embed.conv2", few, channels, 2);
    conv2d(b, "mask_embed.conv3", channels, d, 1);
    layer_norm(b, "mask_embed.layer_norm1", few);
    layer_norm(b, "mask_embed.layer_norm2", 4 * few);
    table(b, "no_mask_embed", one, d);
    table(b, "not_a_point_embed", one, d);
    if (kind == Sam::second) {
      table(b, "point_embed", points, d);
      b.buffer("shared_embedding.positional_embedding", {c.literal(2), floor_divide(d, c.literal(2))});
    } else {
      b.repeat("point_embed", all(points), [&] { table(b, "", one, d); });
    }
  });
}

namespace {

/// Records the upscaling layers of the mask decoder, or those that SAM-HQ adds.
void upscaling(Builder& b, Text first, Text norm, Text second, Expr in, Expr middle, Expr out) {
  transposed_conv2d(b, first, in, middle, 2);
  layer_norm(b, norm, middle);
  transposed_conv2d(b, second, middle, out, 2);
}

}  // namespace

void sam_masks(Config c, Builder& b, Text name, Sam kind) {
  const Expr d = c.integer("hidden_size", 256), inner = c.integer("mlp_dim", 2048), n_layers = c.integer("num_hidden_layers", 2);
  const Expr heads = c.integer("num_attention_heads", 8), rate = c.integer("attention_downsample_rate", 2, 1);
  const Expr masks = c.integer("num_multimask_outputs", 3), depth = c.integer("iou_head_depth", 3),
             iou = c.integer("iou_head_hidden_dim", 256);
  const Expr narrow = rate.is_literal(1) ? d : floor_divide(d, rate), quarter = floor_divide(d, c.literal(4)),
             eighth = floor_divide(d, c.literal(8));
  const Expr one = c.literal(1), three = c.literal(3);
  const bool second = kind == Sam::second;
  // Only SAM 2 and later apply attention_downsample_rate to the cross-attention in the decoder's layers. SAM and SAM-HQ always halve the
  // width there.
  const Expr across = second ? narrow : floor_divide(d, c.literal(2));
  b.scope(name, [&] {
    b.part(Part::embedding, [&] {
      table(b, "iou_token", one, d);
      table(b, "mask_tokens", masks + 1, d);
      if (second) table(b, "obj_score_token", one, d);
      if (kind == Sam::high_quality) table(b, "hq_token", one, d);
    });
    b.repeat("transformer.layers", all(n_layers), [&] {
      sam_attention(b, "self_attn", d, d, d, heads, kind);
      b.owned_by(Owner::cross, [&] { sam_attention(b, "cross_attn_token_to_image", d, d, across, heads, kind); });
      b.owned_by(Owner::cross, [&] { sam_attention(b, "cross_attn_image_to_token", d, d, across, heads, kind); });
      b.part(Part::feed_forward, [&] {
        // From SAM 2 on, this MLP has as many matrices as the decoder has layers, but at least two.
        second ? sam_mlp(b, "mlp", d, inner, d, n_layers) : mlp(b, "mlp", d, inner, true, "lin1", "lin2");
      });
      for (const Text norm : {"layer_norm1", "layer_norm2", "layer_norm3", "layer_norm4"}) layer_norm(b, norm, d);
    });
    b.owned_by(Owner::cross, [&] { sam_attention(b, "transformer.final_attn_token_to_image", d, d, narrow, heads, kind); });
    layer_norm(b, "transformer.layer_norm_final_attn", d);
    b.part(Part::output_head, [&] {
      upscaling(b, "upscale_conv1", "upscale_layer_norm", "upscale_conv2", d, quarter, eighth);
      b.repeat("output_hypernetworks_mlps", all(masks + 1), [&] { sam_mlp(b, "", d, d, eighth, three); });
      sam_mlp(b, "iou_prediction_head", d, iou, masks + 1, depth);
      if (second) {
        conv2d(b, "conv_s0", d, eighth, 1);
        conv2d(b, "conv_s1", d, quarter, 1);
        sam_mlp(b, "pred_obj_score_head", d, d, one, three);
      }
      if (kind != Sam::high_quality) return;
      sam_mlp(b, "hq_mask_mlp", d, d, eighth, three);
      upscaling(b, "compress_vit_conv1", "compress_vit_norm", "compress_vit_conv2", c.integer("vit_dim", 768), d, eighth);
      upscaling(b, "encoder_conv1", "encoder_norm", "encoder_conv2", d, quarter, eighth);
      conv2d(b, "mask_conv1", eighth, quarter, 3);
      layer_norm(b, "mask_norm", quarter);
      conv2d(b, "mask_conv2", quarter, eighth, 3);
    });
  });
}

namespace {

/// The number of times to downsample by `stride` to reach `total` in all: log2(total) // log2(stride), computed like Python's `//`.
std::size_t shrinkings(Config c, Expr total, Expr stride) {
  if (stride.decide() < 2 || total.decide() == 0)
    c.refuse(ErrorCode::out_of_range, "mask_downsampler_stride", "must be at least 2, and mask_downsampler_total_stride at least 1.");
  const double a = std::log2(static_cast<double>(total.decide())), by = std::log2(static_cast<double>(stride.decide()));
  const double quotient = (a - std::fmod(a, by)) / by, floor = std::floor(quotient);
  return static_cast<std::size_t>(quotient - floor > 0.5 ? floor + 1 : floor);
}

void memory_encoder(Config c, Builder& b) {
  const Expr d = c.integer("memory_encoder_hidden_size", 256), out = c.integer("memory_encoder_output_channels", 64);
  const Expr masks = c.integer("mask_downsampler_embed_dim", 256), kernel = c.integer("mask_downsampler_kernel_size", 3);
  const Expr stride = c.integer("mask_downsampler_stride", 2), total = c.integer("mask_downsampler_total_stride", 16);
  const Expr n_layers = c.integer("memory_fuser_num_layers", 2), fused = c.integer("memory_fuser_embed_dim", 256);
  const Expr inner = c.integer("memory_fuser_intermediate_dim", 1024), wide = c.integer("memory_fuser_kernel_size", 7);
  b.scope(Part::convolution, "memory_encoder", [&] {
    Expr in = c.literal(1);
    for (std::size_t i = 0, count = shrinkings(c, total, stride); i < count; ++i) {
      const Expr to = power(stride, 2 * static_cast<std::uint64_t>(i + 1));
      conv2d(b, concat({"mask_downsampler.layers.", digits(i), ".conv"}), in, to, kernel);
      layer_norm(b, concat({"mask_downsampler.layers.", digits(i), ".layer_norm"}), to);
      in = to;
    }
    conv2d(b, "mask_downsampler.final_conv", in, masks, 1);
    conv2d(b, "feature_projection", d, d, 1);
    b.repeat("memory_fuser.layers", all(n_layers), [&] {
      depthwise_conv2d(b, "depthwise_conv", fused, wide);
      layer_norm(b, "layer_norm", fused);
      linear(b, "pointwise_conv1", fused, inner, true);
      linear(b, "pointwise_conv2", inner, fused, true);
      layer_scale(b, "scale", fused);
    });
    conv2d(b, "projection", d, out, 1);
  });
}

}  // namespace

void sam_memory(Config c, Builder& b, Expr d, bool named) {
  const Expr width = c.integer("memory_attention_hidden_size", 256), n_layers = c.integer("memory_attention_num_layers", named ? 2 : 4);
  const Expr heads = c.integer("memory_attention_num_attention_heads", 1), rate = c.integer("memory_attention_downsample_rate", 1, 1);
  const Expr wide = c.integer(named ? "memory_attention_mlp_hidden_size" : "memory_attention_feed_forward_hidden_size", 2048);
  const Expr frames = c.integer("num_maskmem", 7), kept = c.integer("memory_encoder_output_channels", 64);
  const bool occluded = c.flag("enable_occlusion_spatial_embedding", true),
             timed = c.flag("enable_temporal_pos_encoding_for_object_pointers", true);
  const Expr inner = floor_divide(width, rate), one = c.literal(1), seen = c.literal(64);
  b.part(Part::embedding, [&] {
    for (const Text name : {"no_memory_embedding", "no_memory_positional_encoding"}) tokens(b, name, 1, d);
    b.parameter("memory_temporal_positional_encoding", {frames, one, one, kept}, StorageKind::table);
    b.parameter("no_object_pointer", {one, d}, StorageKind::table);
    if (occluded) b.parameter("occlusion_spatial_embedding_parameter", {one, kept}, StorageKind::table);
  });
  b.repeat("memory_attention.layers", all(n_layers), [&] {
    sam_attention(b, "self_attn", width, width, inner, heads, Sam::second);
    b.owned_by(Owner::cross, [&] { sam_attention(b, "cross_attn_image", width, seen, inner, heads, Sam::second); });
    named ? mlp(b, "mlp", width, wide, true) : mlp(b, "", width, wide, true, "linear1", "linear2");
    for (const Text norm : {"layer_norm1", "layer_norm2", "layer_norm3"}) layer_norm(b, norm, width);
  });
  layer_norm(b, "memory_attention.layer_norm", width);
  memory_encoder(c, b);
  b.tower(Tower::projector, "", [&] {
    conv2d(b, "mask_downsample", one, one, 4);
    sam_mlp(b, "object_pointer_proj", d, d, d, c.literal(3));
    if (timed) linear(b, "temporal_positional_encoding_projection_layer", d, kept, true);
  });
}

}  // namespace param_ledger
