// Step 3.7: a vision transformer with LayerScale and two downsampling convolutions, and a decoder with gated attention, a separate number
// of query heads for layers with a sliding window, and a mixture of experts. Files keep the tensor names of the published code, which
// transformers renames when it loads them. Source: transformers, models/step3p7, conversion_mapping.py.

#include <algorithm>

#include "core/nn/nested.hpp"
#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/vision/vision.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr Alias vision_aliases[] = {{"width", "hidden_size"}, {"layers", "num_hidden_layers"}, {"heads", "num_attention_heads"}};
constexpr Alias text_aliases[] = {{"num_attention_groups", "num_key_value_heads"},
                                  {"moe_num_experts", "n_routed_experts"},
                                  {"moe_top_k", "num_experts_per_tok"},
                                  {"share_expert_dims", "share_expert_dim"}};

/// Records the vision tower. Returns its number of output channels.
Expr vision(Config c, Builder& b) {
  c.consume("model_type");
  const Expr d = c.integer("hidden_size", 1536), n_layers = c.integer("num_hidden_layers", 47), n = c.integer("num_attention_heads", 16, 1);
  const Image image = image_fields(c, 728, 14);
  const Expr f = c.scaled("mlp_ratio", 8960.0 / 1536, d, "inner_size", "f");
  if (n_layers.decide() > 0 && d.decide() % (2 * n.decide()) != 0)
    c.refuse(ErrorCode::not_divisible, "hidden_size",
             "must be a multiple of twice num_attention_heads: files store queries and keys in pairs.", Refused::unwritable);
  b.part(Part::embedding, [&] {
    patch_embedding(b, "conv1", image.channels, d, image.patch, false);
    b.parameter("positional_embedding", {image.patches(), d}, StorageKind::table);
  });
  layer_norm(b, "ln_pre", d);
  b.repeat("transformer.resblocks", all(n_layers), [&] {
    layer_norm(b, "ln_1", d);
    b.scope(Part::attention, "", [&] {
      multihead_attention(b, "attn", d);
      layer_scale(b, "ls_1.gamma", d);
    });
    layer_norm(b, "ln_2", d);
    mlp(b, "mlp", d, f, true, "c_fc", "c_proj");
    b.part(Part::feed_forward, [&] { layer_scale(b, "ls_2.gamma", d); });
  });
  b.tower(Tower::projector, "", [&] {
    conv2d(b, "vit_downsampler1", d, 2 * d, 3);
    conv2d(b, "vit_downsampler2", 2 * d, 4 * d, 3);
  });
  return 4 * d;
}

/// The number of query heads in layers with a sliding window.
Expr sliding_heads(Config c, Expr heads) {
  const Json other = c.peek("attention_other_setting");
  Expr otherwise = heads;
  if (other && !other.is_null())
    otherwise = c.section("attention_other_setting").integer("num_attention_heads", attribute.or_else(heads), 1);
  return c.integer("num_sliding_attention_heads", otherwise, 1);
}

/// Reads a list with an entry for each layer. If it also has entries for the `further` multi-token-prediction layers, these are dropped.
std::vector<std::string_view> kinds(Config c, Text field, Expr n_layers, std::span<const std::string_view> choices, Count further) {
  std::vector<std::string_view> out = *c.words(field, choices);
  if (further > 0 && out.size() == n_layers.decide() + further) {
    out.resize(static_cast<std::size_t>(n_layers.decide()));
    c.ignore(field, "Its entries for multi-token prediction layers are omitted.");
  }
  c.require_length(field, out.size(), n_layers);
  return out;
}

Split window_layers(Config c, Expr n_layers, Count further) {
  static constexpr std::string_view choices[] = {"full_attention", "sliding_attention"};
  if (!is_given(c, "layer_types")) return {{}, all(n_layers)};
  const auto listed = kinds(c, "layer_types", n_layers, choices, further);
  return split(c, n_layers, "num_window_layers", "L_w", "Layers with a sliding window.",
               [&](std::size_t i) { return listed[i] == "sliding_attention"; });
}

Split mixture_layers(Config c, Expr n_layers, Count further) {
  static constexpr std::string_view choices[] = {"dense", "sparse"};
  const auto named = [&](const auto& is) {
    return split(c, n_layers, "num_sparse_layers", "L_s", "Layers with a mixture of experts.", is);
  };
  if (is_given(c, "mlp_layer_types")) {
    const auto listed = kinds(c, "mlp_layer_types", n_layers, choices, further);
    return named([&](std::size_t i) { return listed[i] == "sparse"; });
  }
  const Json given = c.peek("moe_layers_enum");
  if (!given || given.is_null()) return named([](std::size_t i) { return i >= 3; });
  if (!given.is(Json::Type::string))
    return named([listed = LayerList(*c.integers("moe_layers_enum"))](std::size_t i) { return listed.has(i); });
  // moe_layers_enum may also be a string such as "3,4,5".
  const std::string_view text = c.text("moe_layers_enum", "");
  std::vector<std::int64_t> listed;
  std::int64_t number = -1;
  for (const char letter : text) {
    if (letter >= '0' && letter <= '9' && number < 1'000'000)
      number = 10 * std::max<std::int64_t>(number, 0) + (letter - '0');
    else if (letter == ',' || letter == ' ') {
      if (number >= 0) listed.push_back(number);
      number = -1;
    } else
      c.refuse(ErrorCode::wrong_type, "moe_layers_enum", "must be numbers separated by commas.");
  }
  if (number >= 0) listed.push_back(number);
  return named([listed = LayerList(listed)](std::size_t i) { return listed.has(i); });
}

BackboneOutput text(Config c, Builder& b) {
  c.consume("model_type");
  const DecoderSizes s = decoder_sizes(c, {4096, 11264, 45, 128815, 64});
  const Expr n_kv = c.integer("num_key_value_heads", 8), h = c.integer("head_dim", 128), n_window = sliding_heads(c, s.n);
  const Expr count = c.integer("n_routed_experts", 288), active = c.integer("num_experts_per_tok", 8);
  const Expr inner = c.integer("moe_intermediate_size", 1280), shared = c.integer("share_expert_dim", 1280);
  const bool bias = c.flag("attention_bias", false), mlp_bias = c.flag("mlp_bias", false);
  const Json gating = c.peek("gating");
  const bool per_head =
      !gating || (gating.is(Json::Type::boolean) ? gating.boolean() : gating.is(Json::Type::string) && gating.string() == "per-head");
  c.ignore("gating", "It determines whether attention has one gate per head or one per channel.");
  c.ignore("num_local_experts", "n_routed_experts is used instead.");
  const Count further = c.integer("num_nextn_predict_layers", attribute.or_else(c.literal(0))).decide();
  const Split windows = window_layers(c, s.n_layers, further), sparse = mixture_layers(c, s.n_layers, further);
  const auto attend = [&](const IndexSet& layers, Expr heads) {
    b.repeat("layers", layers, [&] {
      attention(b, "self_attn",
                {.hidden = s.d,
                 .heads = heads,
                 .kv_heads = n_kv,
                 .head_dim = h,
                 .qkv_bias = bias,
                 .output_bias = bias,
                 .head_norms = QkNorm::per_head,
                 .gate = "g_proj",
                 .gate_per_head = per_head});
    });
  };
  return decoder(b, s.vocab, s.d, [&] {
    b.repeat("layers", all(s.n_layers), [&] {
      rms_norm(b, "input_layernorm", s.d);
      rms_norm(b, "post_attention_layernorm", s.d);
    });
    attend(windows.in, n_window);
    attend(windows.out, s.n);
    b.repeat("layers", sparse.out, [&] { gated_mlp(b, "mlp", s.d, s.f, mlp_bias); });
    b.repeat("layers", sparse.in, [&] {
      require_positive(count, Refused::no_experts);
      b.scope(Part::feed_forward, "moe", [&] {
        const Stacked experts{count, active};
        b.scope(TensorRole::gate, "gate_proj", [&] { b.expert_parameter("weight", {count, inner, s.d}, experts); });
        b.scope(TensorRole::up, "up_proj", [&] { b.expert_parameter("weight", {count, inner, s.d}, experts); });
        b.scope(TensorRole::down, "down_proj", [&] { b.expert_parameter("weight", {count, s.d, inner}, experts); });
      });
      b.part(Part::router, [&] {
        linear(b, "moe.gate", s.d, count, false, TensorRole::router);
        b.buffer("moe.router_bias", {count});
      });
      b.owned_by(Owner::shared_expert, [&] { gated_mlp(b, "share_expert", s.d, shared, mlp_bias); });
    });
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const bool bare = b.architecture().head == Head::none, bias = c.flag("projector_bias", false);
  Expr channels;
  b.tower(Tower::vision, "vision_model", [&] { channels = vision(c.section("vision_config").with(vision_aliases), b); });
  BackboneOutput out;
  b.scope(bare ? "language_model" : "model", [&] { out = text(c.section("text_config").with(text_aliases), b); });
  b.tower(Tower::projector, "", [&] { linear(b, bare ? "multi_modal_projector" : "vit_large_projector", channels, out.hidden, bias); });
  return out;
}

}  // namespace

extern const Family step3p7{
    .model_type = "step3p7",
    .summary = "Vision-language mixture-of-experts model with gated attention.",
    .classes = {"Step3p7", heads::conditional | heads::base, ""},
    .backbone = backbone,
};

}  // namespace param_ledger
