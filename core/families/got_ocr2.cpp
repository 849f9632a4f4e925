// GOT-OCR 2: SAM's vision tower, whose layers attend within windows, or in some layers everywhere, by relative positions; a neck
// and convolutions bring its output into the tokens of the text model.
// Source: transformers, models/got_ocr2.

#include "core/blocks/vision.hpp"
#include "core/layer_kinds.hpp"
#include "core/nested.hpp"

namespace param_ledger {

namespace {

/// Returns the channels of its output.
Expr vision(Config c, Builder& b) {
  c.consume("model_type");
  const bool bias = c.flag("qkv_bias", true), absolute = c.flag("use_abs_pos", true), relative = c.flag("use_rel_pos", true);
  const VisionLayers m = [&] {
    VisionLayers out{.attention = {.even_share = false, .qkv_bias = bias, .output_bias = true, .fused = "qkv", .o = "proj"},
                     .attention_name = "attn",
                     .up = "lin1",
                     .down = "lin2"};
    out.attention.hidden = c.integer("hidden_size", 768);
    out.inner = c.integer("mlp_dim", 3072);
    out.n_layers = c.integer("num_hidden_layers", 12);
    out.attention.heads = c.integer("num_attention_heads", 12, 1);
    return out;
  }();
  const Expr d = m.attention.hidden, h = floor_divide(d, m.attention.heads), d_out = c.integer("output_channels", 256);
  const Image image = image_fields(c, 1024, 16);
  const Expr grid = floor_divide(image.side, image.patch), window = c.integer("window_size", 14);
  if (c.peek("global_attn_indexes").is_null()) c.refuse(ErrorCode::wrong_type, "global_attn_indexes", "must be a list of integers.");
  const LayerList everywhere(c.integers("global_attn_indexes", {2, 5, 8, 11}));
  const Split layers = split(c, m.n_layers, "num_global_attention_layers", "L_g", "Layers that attend to the whole image.",
                             [&](std::size_t i) { return everywhere.has(i); });
  const auto positions = [&](Expr side) {
    for (const Text name : {"attn.rel_pos_h", "attn.rel_pos_w"}) b.parameter(name, {2 * side - 1, h}, Role::table);
  };
  b.tower(Part::vision, "vision_tower", [&] {
    b.part(Part::embedding, [&] {
      convolution(b, "patch_embed.projection", image.channels, d, {image.patch, image.patch});
      if (absolute) b.parameter("pos_embed", {c.literal(1), grid, grid, d}, Role::table);
    });
    vision_layers(b, m);
    if (relative)
      b.part(Part::attention, [&] {
        b.repeat("layers", layers.out, [&] { positions(window.value() == 0 ? grid : window); });
        b.repeat("layers", layers.in, [&] { positions(grid); });
      });
    b.scope(Part::projector, "neck", [&] {
      const Expr one = c.literal(1), three = c.literal(3);
      convolution(b, "conv1", d, d_out, {one, one}, false);
      layer_norm(b, "layer_norm1", d_out);
      convolution(b, "conv2", d_out, d_out, {three, three}, false);
      layer_norm(b, "layer_norm2", d_out);
    });
  });
  return d_out;
}

/// The Qwen2 that is meant where there is no text_config.
constexpr LlamaType unnamed_text{
    .sizes = {1024, 2816, 24, 151860, 16}, .kv_heads = fixed(16), .head_dim = attribute, .layout = {.attention = {.qkv_bias = true}}};
constexpr Family unnamed{
    .backbone = of_type<unnamed_text>,
};

Backbone backbone(Config c, Builder& b) {
  const Expr channels = vision(c.section("vision_config"), b);
  const Json given = c.peek("text_config");
  Config text = c.section("text_config");
  Backbone out = given && !given.is_null() ? text_beside_vision(text, b, "language_model.model", "qwen2")
                                           : nested(text, b, "language_model.model", unnamed);
  b.scope(Part::projector, "multi_modal_projector", [&] {
    const Expr three = c.literal(3);
    convolution(b, "conv_upsampler1", channels, 2 * channels, {three, three}, false);
    convolution(b, "conv_upsampler2", 2 * channels, out.hidden, {three, three}, false);
    linear(b, "multimodal_projector", out.hidden, out.hidden, true);
  });
  out.language_model = "language_model.lm_head";
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family got_ocr2{
    .model_type = "got_ocr2",
    .summary = "Qwen2 with SAM's vision tower, to read documents.",
    .classes = {"GotOcr2", heads::conditional | heads::base, ""},
    .backbone = backbone,
    .cache = caches::switched(4096),
};

}  // namespace param_ledger
