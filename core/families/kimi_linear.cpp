// Kimi Linear, Bailing hybrid (Ling 2.5) and Kimi K3: each layer has Kimi delta attention or latent attention, and a dense feed-forward
// block or a mixture of routed and shared experts. Kimi K3 also has a vision transformer. Source: transformers, models/kimi_linear,
// bailing_hybrid; for Kimi K3 the code published with it.

#include <utility>

#include "core/nn/heads.hpp"
#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/text/state_space.hpp"
#include "core/nn/vision/vision.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {
    {"num_local_experts", "num_experts"}, {"num_experts_per_tok", "num_experts_per_token"}, {"n_shared_experts", "num_shared_experts"}};
constexpr std::string_view kinds_of_layers[] = {"linear_attention", "full_attention", "mamba", "attention"};

/// The feed-forward blocks of all layers. If mlp_layer_types is missing, the first first_k_dense_replace layers have dense blocks and the
/// others have experts.
SparseFeedForward feed_forward(Config c, const DecoderSizes& s, std::uint64_t count, std::uint64_t inner, std::uint64_t dense,
                               const Mixture& m) {
  const Mixture experts = mixture_fields(c, s.d,
                                         {.count = count,
                                          .active = 8,
                                          .inner = inner,
                                          .shared = 1,
                                          .count_field = "num_experts",
                                          .active_field = "num_experts_per_token",
                                          .shared_field = "num_shared_experts"},
                                         m);
  return {.layers = listed_sparse_layers(c, s.n_layers, dense_first(s.n_layers, c.integer("first_k_dense_replace", dense))),
          .mixture = experts,
          .dense = s.f};
}

/// The kind of each layer, from the lists in linear_attn_config. The lists number layers from 1 and must cover all layers.
std::vector<std::string_view> kinds_by_lists(Config c, Config linear, Expr n_layers) {
  require_listable(n_layers);
  std::vector<std::string_view> kinds(static_cast<std::size_t>(n_layers.decide()));
  const auto fill = [&](Text list, Text kind) {
    for (const std::int64_t layer : linear.integers(list).value_or(std::vector<std::int64_t>{})) {
      if (layer < 1 || static_cast<std::uint64_t>(layer) > kinds.size())
        linear.refuse(ErrorCode::out_of_range, list, "names a layer that does not exist.");
      kinds[static_cast<std::size_t>(layer - 1)] = kind;
    }
  };
  fill("full_attn_layers", "full_attention");
  fill("kda_layers", "linear_attention");
  for (const std::string_view kind : kinds)
    if (kind.empty()) c.refuse(ErrorCode::inconsistent, "linear_attn_config", "must name each layer in full_attn_layers or in kda_layers.");
  return kinds;
}

std::vector<std::string_view> kimi_kinds(Config c, Config linear, Expr n_layers) {
  const Json given = c.peek("layer_types");
  if ((!given || given.is_null()) && linear.has("full_attn_layers") && linear.has("kda_layers")) return kinds_by_lists(c, linear, n_layers);
  return layer_kinds(c, "layer_types", n_layers, kinds_of_layers,
                     [](std::uint64_t i) { return i > 0 && i % 4 == 0 ? "full_attention" : "linear_attention"; });
}

BackboneOutput kimi(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2304, 9216, 27, 163840, 32});
  const LatentAttention latent = latent_attention_fields(c, s.d, s.n, {.q_rank = std::nullopt});
  if (c.peek("linear_attn_config").is_null()) c.refuse(ErrorCode::wrong_type, "linear_attn_config", "must be an object, not null.");
  Config linear_section = c.section("linear_attn_config");
  const auto field = [&](Text inside, Text outside, std::uint64_t fallback) {
    return linear_section.has(inside) ? linear_section.integer(inside, fallback) : c.integer(outside, fallback);
  };
  const Expr heads = field("num_heads", "linear_num_heads", 32), h = field("head_dim", "linear_head_dim", 128);
  const Expr kernel = field("short_conv_kernel_size", "linear_conv_kernel_dim", 4), width = heads * h;
  const Split layers = linear_layers(c, s.n_layers, kimi_kinds(c, linear_section, s.n_layers));
  Mixture names = mixtral_experts({});
  names.correction = RouterBias::buffer;
  SparseFeedForward blocks = feed_forward(c, s, 256, 1024, 1, names);
  blocks.name = "block_sparse_moe";

  sparse_decoder(b, {s, blocks}, [&] {
    b.repeat("layers", layers.in, [&] {
      delta_attention(b, "self_attn", {.hidden = s.d, .kernel = kernel, .heads = heads, .head_dim = h, .key_width = width});
      b.scope(Part::state_space, "self_attn", [&] {
        linear(b, "f_a_proj", s.d, h);
        linear(b, "f_b_proj", h, width);
        b.parameter("dt_bias", {width});
        b.parameter("A_log", {c.literal(1), c.literal(1), heads, c.literal(1)});
        linear(b, "g_a_proj", s.d, h);
        linear(b, "g_b_proj", h, width);
      });
    });
    b.repeat("layers", layers.out, [&] { latent_attention(b, "self_attn", latent); });
  });
  return {.hidden = s.d, .vocabulary = s.vocab};
}

constexpr Alias k3_vision_names[] = {{"vt_hidden_size", "hidden_size"},
                                     {"vt_intermediate_size", "intermediate_size"},
                                     {"vt_num_hidden_layers", "num_hidden_layers"},
                                     {"vt_num_attention_heads", "num_attention_heads"}};

void k3_vision(Config c, Builder& b) {
  for (const Text field : {"hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads"})
    if (!c.peek(field)) c.refuse(ErrorCode::missing_field, field, "must be given: published files of Kimi K3 give it.");
  for (const auto& [field, wanted] : {std::pair<Text, std::string_view>{"norm_type", "rmsnorm"}, {"mlp_type", "mlp2"}})
    if (const Json given = c.peek(field); given.is(Json::Type::string) && given.string() != wanted)
      c.refuse(ErrorCode::unsupported, field, concat({"must be \"", wanted, "\"."}));
  const bool bias = c.flag("attn_bias", false), linear_bias = c.flag("linear_bias", false);
  VisionLayers m = vision_fields(c, {1024, 4096, 27, 12},
                                 {.attention = {.qkv_bias = bias, .output_bias = bias, .fused = "wqkv", .o = "wo"},
                                  .layers = "blocks",
                                  .attention_name = "",
                                  .norm1 = "norm0",
                                  .norm2 = "norm1",
                                  .norm = Norm::rms,
                                  .up = "fc0",
                                  .down = "fc1",
                                  .mlp_bias = linear_bias});
  const Expr d = m.attention.hidden, width = c.integer("qkv_hidden_size", required(1536));
  require_multiple(width, m.attention.heads);
  m.attention.head_dim = floor_divide(width, m.attention.heads);
  const Expr height = c.integer("init_pos_emb_height", required(64)), wide = c.integer("init_pos_emb_width", required(64));
  b.part(Part::embedding, [&] {
    patch_embedding(b, "patch_embed.proj", c.literal(3), d, c.integer("patch_size", required(14)), c.flag("patch_embed_proj_bias", false));
    b.parameter("patch_embed.pos_emb.weight", {height, wide, d}, StorageKind::table);
  });
  b.scope("encoder", [&] {
    vision_layers(b, m);
    rms_norm(b, "final_layernorm", d);
  });
}

/// Records attention over the outputs of earlier layers: a norm, and a projection of each output to a score.
void residual_attention(Builder& b, Text norm, Text score, Expr d) {
  rms_norm(b, norm, d);
  b.part(Part::attention, [&] { linear(b, score, d, b.pool().literal(1)); });
}

BackboneOutput k3_text(Config c, Builder& b) {
  c.consume("model_type");
  c.consume("architectures");
  const Expr d = c.integer("hidden_size", required(7168)), n_layers = c.integer("num_hidden_layers", required(93));
  const Expr f = c.integer("intermediate_size", required(33792)), vocab = c.integer("vocab_size", required(163840));
  const LatentAttention latent = latent_attention_fields(c, d, c.integer("num_attention_heads", required(96), 1));
  const bool gated = c.flag("mla_use_output_gate", false), residual = is_given(c, "attn_res_block_size");
  c.ignore("attn_res_block_size",
           "If it is given, layers attend to the outputs of earlier layers. No tensor's shape depends on its value.");
  if (c.integer("moe_layer_freq", 1).decide() != 1) c.refuse(ErrorCode::unsupported, "moe_layer_freq", "must be 1.");
  Config delta = c.section("linear_attn_config");
  const Expr heads = delta.integer("num_heads", required(96)), h = delta.integer("head_dim", required(128)), width = heads * h;
  const Expr kernel = delta.integer("short_conv_kernel_size", 4);
  const bool full_rank = delta.flag("use_full_rank_gate", false);
  if (less(h, heads))
    delta.refuse(ErrorCode::unsupported, "num_heads", "must not exceed head_dim: A_log has an entry for each dimension of a head.");
  const Split layers = linear_layers(c, n_layers, kinds_by_lists(c, delta, n_layers));
  const Split sparse = dense_first(n_layers, c.integer("first_k_dense_replace", required(1)));
  Mixture m = mixtral_experts(c.integer("moe_intermediate_size", required(3072)));
  m.hidden = d;
  m.count = c.integer("num_experts", required(896));
  m.active = c.integer("num_experts_per_token", required(16));
  m.shared = m.inner * c.integer("num_shared_experts", required(2));
  m.correction = RouterBias::parameter;
  const bool narrow = is_given(c, "routed_expert_hidden_size"), normed = c.flag("latent_moe_use_norm", false);
  if (narrow) m.expert_width = c.integer("routed_expert_hidden_size", required(3584));

  return decoder(b, vocab, d, [&] {
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      rms_norm(b, "post_attention_layernorm", d);
      if (residual) {
        residual_attention(b, "self_attention_res_norm", "self_attention_res_proj", d);
        residual_attention(b, "mlp_res_norm", "mlp_res_proj", d);
      }
    });
    b.repeat("layers", layers.in, [&] {
      delta_attention(b, "self_attn", {.hidden = d, .kernel = kernel, .heads = heads, .head_dim = h, .key_width = width});
      b.scope(Part::state_space, "self_attn", [&] {
        linear(b, "f_a_proj", d, h);
        linear(b, "f_b_proj", h, width);
        b.parameter("dt_bias", {width});
        b.parameter("A_log", {h});
        if (full_rank) return linear(b, "g_proj", d, width);
        linear(b, "g_a_proj", d, h);
        linear(b, "g_b_proj", h, width);
      });
    });
    b.repeat("layers", layers.out, [&] {
      latent_attention(b, "self_attn", latent);
      if (gated)
        b.part(Part::attention,
               [&] { linear(b, "self_attn.g_proj", d, latent.heads * latent.value_dim, false, TensorRole::attention_gate); });
    });
    b.repeat("layers", sparse.out, [&] { gated_mlp(b, "mlp", d, f); });
    b.repeat("layers", sparse.in, [&] {
      mixture(b, "block_sparse_moe", m);
      if (!narrow) return;
      b.scope(Part::feed_forward, "block_sparse_moe", [&] {
        linear(b, "routed_expert_down_proj", d, m.expert_width);
        linear(b, "routed_expert_up_proj", m.expert_width, d);
        if (normed) rms_norm(b, "routed_expert_norm", m.expert_width);
      });
    });
    if (residual) residual_attention(b, "output_attn_res_norm", "output_attn_res_proj", d);
  });
}

BackboneOutput k3(Config c, Builder& b) {
  Config vision = c.section("vision_config").with(k3_vision_names), text = c.section("text_config");
  b.tower(Tower::vision, "vision_tower", [&] { k3_vision(vision, b); });
  const std::vector<Expr> merge = vision.dimensions("merge_kernel_size", {2, 2});
  if (merge.size() < 2) vision.refuse(ErrorCode::wrong_type, "merge_kernel_size", "must contain a height and a width.");
  if (vision.text("mm_projector_type", "") != "patchmergerv2")
    vision.refuse(ErrorCode::unsupported, "mm_projector_type", "must be \"patchmergerv2\".");
  BackboneOutput out;
  b.scope("language_model.model", [&] { out = k3_text(text, b); });
  const Expr merged = merge[0] * merge[1] * vision.integer("mm_hidden_size", required(1024));
  const Expr wide = vision.integer("text_hidden_size", required(7168));
  b.tower(Tower::projector, "mm_projector", [&] {
    linear(b, "proj.0", merged, merged);
    linear(b, "proj.2", merged, wide);
    rms_norm(b, "post_norm", wide);
  });
  require_equal(wide, out.hidden);
  return out;
}
void k3_head(Config c, Builder& b, const BackboneOutput& m) { nested_language_model_head(c.section("text_config"), b, m); }

constexpr Architecture k3_classes[] = {{"KimiK3ForConditionalGeneration", Head::conditional_generation, ""}};

BackboneOutput bailing(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {2560, 6144, 42, 157184, 32});
  const LatentAttention latent{.hidden = s.d,
                               .heads = s.n,
                               .q_rank = std::nullopt,
                               .kv_rank = c.integer("kv_lora_rank", 512),
                               .nope_dim = c.integer("qk_nope_head_dim", 128),
                               .rope_dim = c.integer("qk_rope_head_dim", 64),
                               .value_dim = c.integer("v_head_dim", 128),
                               .bias = c.flag("attention_bias", false),
                               .output = "dense"};
  const Expr heads = c.integer("linear_num_heads", attribute.or_else(s.n)),
             h = c.integer("linear_head_dim", attribute.or_else(c.integer("head_dim", 128)));
  const Expr kernel = c.integer("linear_conv_kernel_dim", attribute.or_else(c.integer("short_conv_kernel_size", 4))), width = heads * h;
  const Expr group = c.integer("layer_group_size", 6, 1);
  const Split layers = linear_layers(c, s.n_layers, [&](std::size_t i) { return (i + 1) % group.decide() == 0; });
  const SparseFeedForward blocks =
      feed_forward(c, s, 512, 768, 2, {.correction = RouterBias::buffer, .correction_name = "gate.expert_bias"});

  // In classes with a head, transformers saves the embedding table under another name.
  SparseDecoder decoder{s, blocks};
  if (!b.architecture().backbone.empty()) decoder.table = "word_embeddings";
  sparse_decoder(b, decoder, [&] {
    b.repeat("layers", layers.in, [&] {
      delta_attention(b, "attention",
                      {.hidden = s.d, .kernel = kernel, .heads = heads, .head_dim = h, .key_width = width, .output = "dense"});
      b.scope(Part::state_space, "attention", [&] {
        linear(b, "f_proj", s.d, width);
        b.parameter("dt_bias", {width});
        b.parameter("A_log", {heads});
        linear(b, "g_proj", s.d, width);
      });
    });
    b.repeat("layers", layers.out, [&] {
      latent_attention(b, "attention", latent);
      b.scope(Part::attention, "attention", [&] { linear(b, "g_proj", s.d, s.n, false, TensorRole::attention_gate); });
    });
  });
  return {.hidden = s.d, .vocabulary = s.vocab};
}

}  // namespace

extern const Family kimi_linear{
    .model_type = "kimi_linear",
    .summary = "Hybrid of Kimi Delta Attention and MLA layers; mixture of experts after the dense layers.",
    .classes = {"KimiLinear", heads::decoder},
    .aliases = aliases,
    .backbone = kimi,
    .cache = caches::all_tokens,
};
extern const Family bailing_hybrid{
    .model_type = "bailing_hybrid",
    .summary = "Ling 2.5: like Kimi Linear, with gated MLA and full-rank gates.",
    .classes = {"BailingHybrid", heads::decoder},
    .aliases = aliases,
    .backbone = bailing,
    .cache = caches::all_tokens,
    .predicts = {.place = PredictionLayers::Place::unknown},
};
extern const Family kimi_k3{
    .model_type = "kimi_k3",
    .summary = "Kimi K3 with its original code: Kimi Delta Attention, latent experts and a vision encoder.",
    .classes = {.listed = k3_classes},
    .backbone = k3,
    .head = k3_head,
    .own_code = true,
};

}  // namespace param_ledger
