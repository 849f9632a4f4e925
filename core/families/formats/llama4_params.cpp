// Llama 4 from Meta's own params.json: Llama. With moe_args, every interleave_moe_layer_step-th layer has routed experts and a shared
// expert. With vision_args there is also a vision transformer. Neighbouring patches of its output are merged and projected to the text
// model. Source: models/llama4 of Meta's llama-models.

#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/text/params_json.hpp"
#include "core/registry/publisher_formats.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"Transformer", Head::causal_lm, ""}};

/// Fields that no tensor depends on. Without experts this includes ffn_exp. use_qk_norm adds a QK-Norm, which has no weights here.
constexpr Text harmless[] = {"norm_eps",
                             "attention_chunk_size",
                             "rope_theta",
                             "use_scaled_rope",
                             "rope_scaling_factor",
                             "rope_high_freq_factor",
                             "nope_layer_interval",
                             "use_qk_norm",
                             "attn_temperature_tuning",
                             "floor_scale",
                             "attn_scale",
                             "ffn_exp",
                             "quantization_args",
                             "max_batch_size",
                             "max_seq_len"};

constexpr GatedNames feed_forward{.gate = "w1", .up = "w3", .down = "w2"};

/// Creates a named size from `value`, rounded down to a whole number.
Expr rounded(Config c, Text name, Text symbol, Text meaning, double value) {
  constexpr double most = 1e15;  // doubles represent all integers up to this value exactly
  if (!(value >= 0 && value <= most)) c.refuse(ErrorCode::out_of_range, name, "is too large to be counted.");
  return c.count(name, symbol, meaning, static_cast<std::uint64_t>(value));
}

/// Records a layer's router, routed experts and shared expert. `f`: the inner width of each expert.
void mixture_of_experts(Config moe, Builder& b, Expr d, Expr f) {
  const Expr n_experts = moe.integer("num_experts", required(16)), n_active = moe.integer("top_k", 1);
  const Stacked experts{n_experts, n_active};
  require_positive(n_experts, Refused::no_experts);
  b.scope("feed_forward", [&] {
    b.part(Part::router, [&] { b.parameter("router_DE", {d, n_experts}, StorageKind::matrix); });
    b.scope(Part::feed_forward, "experts", [&] {
      b.expert_parameter("w1", {n_experts, d, f}, experts);
      b.expert_parameter("w2", {n_experts, f, d}, experts);
      b.expert_parameter("w3", {n_experts, d, f}, experts);
    });
    gated_mlp(b, "shared_expert", d, f, false, feed_forward);
  });
}

Expr expert_width(Config c, Config moe, Expr d) {
  for (const Text field : {"ffn_exp", "ffn_dim_multiplier"})
    if (!c.has(field)) c.refuse(ErrorCode::missing_field, field, "must be given for a mixture of experts, e.g. 4.0.");
  const Expr base = c.scaled("ffn_exp", 4, d, "expert_base", "f_2");
  Expr divisor;
  if (moe.flag("auto_scale_F", true)) {
    const double capacity = moe.number("capacity_factor", 1);
    if (capacity != static_cast<double>(static_cast<std::uint64_t>(capacity)) || capacity < 0)
      moe.refuse(ErrorCode::unsupported, "capacity_factor", "must be a whole number here.");
    divisor = c.literal(static_cast<std::uint64_t>(capacity) + 1);
  } else {
    moe.consume("capacity_factor");
  }
  return meta_inner_width(c, base, divisor, {"expert_two_thirds", "f_3", "scaled_expert_two_thirds", "f_4"});
}

/// Records the vision tower. Returns its output width.
Expr vision(Config c, Builder& b) {
  const Expr d = c.integer("dim", required(1408)), n_layers = c.integer("n_layers", required(34)), n = c.integer("n_heads", required(16));
  const Expr d_out = c.integer("output_dim", required(4096));
  for (const Text field : {"mlp_ratio", "pixel_shuffle_ratio"})
    if (!c.has(field)) c.refuse(ErrorCode::missing_field, field, "must be given, e.g. 4.0 and 0.5.");
  const Expr f = c.scaled("mlp_ratio", 4, d, "inner_width", "f");
  Config image = c.section("image_size"), patch = c.section("patch_size");
  const Expr height = patch.integer("height", required(14)), width = patch.integer("width", required(14));
  const Expr image_height = image.integer("height", required(336)), image_width = image.integer("width", required(336));
  require_multiple(image_height, height);
  require_multiple(image_width, width);
  const Expr patches = floor_divide(image_height, height) * floor_divide(image_width, width);
  const double ratio = c.number("pixel_shuffle_ratio", 0.5);
  const Expr merged = rounded(c, "merged_width", "d_m", "Width of the patches that are merged: dim ÷ pixel_shuffle_ratio², rounded down.",
                              static_cast<double>(d.decide()) / (ratio * ratio));
  require_multiple(d, n);
  refuse_unknown_keys(image, {});
  refuse_unknown_keys(patch, {});
  refuse_unknown_keys(c, {});
  b.tower(Tower::vision, "vision_embeddings", [&] {
    b.scope("vision_encoder", [&] {
      b.part(Part::embedding, [&] {
        b.parameter("class_embedding", {d});
        b.parameter("positional_embedding_vlm", {patches + 1, d}, StorageKind::table);
        linear(b, "conv1._linear", 3 * (height * width), d);
      });
      layer_norm(b, "ln_pre", d);
      layer_norm(b, "ln_post", d);
      b.scope("transformer", [&] {
        b.repeat("resblocks", all(n_layers), [&] {
          attention(b, "attn",
                    {.hidden = d, .heads = n, .qkv_bias = true, .output_bias = true, .q = "wq", .k = "wk", .v = "wv", .o = "wo"});
          layer_norm(b, "ln_1", d);
          mlp(b, "mlp", d, f, true, "c_fc", "c_proj");
          layer_norm(b, "ln_2", d);
        });
      });
    });
    b.tower(Tower::projector, "vision_adapter.mlp", [&] {
      linear(b, "c_fc", merged, d_out);
      linear(b, "c_proj", d_out, d_out);
    });
  });
  return d_out;
}

BackboneOutput backbone(Config c, Builder& b) {
  const MetaSizes s = meta_sizes(c, false);
  // The published code ignores head_dim, so it must agree with the computed head dimension.
  if (c.has("head_dim")) require_equal(c.integer("head_dim", s.h), s.h);
  const Expr vocab = meta_vocabulary(c, b, 202048, "as of Llama 4"), f = meta_inner_width(c, 4 * s.d);
  Split layers{{}, all(s.n_layers)};
  Expr f_expert;
  ConfigReader* const moe = given_section(c, "moe_args");
  if (moe != nullptr) {
    const Expr step = moe->integer("interleave_moe_layer_step", 1, 1);
    f_expert = expert_width(c, *moe, s.d);
    layers = split(c, s.n_layers, "num_moe_layers", "L_m", "Layers with a mixture of experts.",
                   [&](std::size_t i) { return (i + 1) % step.decide() == 0; });
  }
  if (ConfigReader* const vision_args = given_section(c, "vision_args")) {
    const Expr d_vision = vision(*vision_args, b);
    b.tower(Tower::projector, "", [&] { linear(b, "vision_projection", d_vision, s.d); });
  }
  const Tensor table = embedding(b, "tok_embeddings", vocab, s.d, TensorRole::token_embedding);
  b.repeat("layers", all(s.n_layers), [&] {
    attention(b, "attention",
              {.hidden = s.d, .heads = s.n, .kv_heads = s.n_kv, .head_dim = s.h, .q = "wq", .k = "wk", .v = "wv", .o = "wo"});
    rms_norm(b, "attention_norm", s.d);
    rms_norm(b, "ffn_norm", s.d);
  });
  b.repeat("layers", layers.out, [&] { gated_mlp(b, "feed_forward", s.d, f, false, feed_forward); });
  b.repeat("layers", layers.in, [&] {
    if (moe != nullptr) mixture_of_experts(*moe, b, s.d, f_expert);
  });
  rms_norm(b, "norm", s.d);
  if (moe != nullptr) refuse_unknown_keys(*moe, {});
  refuse_unknown_keys(c, harmless);
  b.beside(Kind::possible, "A constant in files: the RoPE frequencies.",
           [&] { b.part(Part::attention, [&] { b.parameter("rope.freqs", {floor_divide(s.h, c.literal(2))}); }); });
  return {.hidden = s.d, .embedding = table, .language_model = "output"};
}

constexpr Text keys[] = {"moe_args", "vision_args", "ffn_exp", "nope_layer_interval", "use_qk_norm"};

}  // namespace

extern const Family llama4_params{.model_type = "llama4_params",
                                  .summary = "Llama 4 with or without vision, from Meta's params.json.",
                                  .classes = {.listed = classes},
                                  .backbone = backbone,
                                  .head = params_json_head,
                                  .own_code = true,
                                  .format_keys = {.all = params_json_keys, .one_of = keys}};

}  // namespace param_ledger
