// Inkling: a vision tower that folds positions into channels, an embedding table for audio codes, and a text model. The text model has full
// or sliding-window attention with learned scores for relative positions; short convolutions after keys, values and each block; and dense
// layers or mixtures of experts, in which the router also scores the shared experts. Source: transformers, models/inkling.

#include <cmath>
#include <functional>

#include "core/builder/inference.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Architecture text_classes[] = {{"InklingForCausalLM", Head::causal_lm, "model"}, {"InklingTextModel", Head::none, ""}};

constexpr Alias aliases[] = {
    {"sliding_window", "sliding_window_size"}, {"num_local_experts", "n_routed_experts"}, {"sconv_kernel_size", "conv_kernel_size"}};
constexpr std::string_view kinds_of_layers[] = {"hybrid_sliding", "hybrid"};

/// The layers with a sliding window: those in layer_types; if it is missing, those in local_layer_ids; otherwise all except every sixth.
Split sliding_layers(Config c, Expr n_layers) {
  const auto given = c.integers("local_layer_ids");
  const LayerList local(given.value_or(std::vector<std::int64_t>{}));
  const auto kinds = layer_kinds(c, "layer_types", n_layers, kinds_of_layers, [&](std::size_t i) {
    const bool sliding = given ? local.has(i) : (i + 1) % 6 != 0;
    return sliding ? "hybrid_sliding" : "hybrid";
  });
  return split(c, n_layers, "num_sliding_layers", "L_w", "Layers with a sliding window.",
               [&](std::size_t i) { return kinds[i] == "hybrid_sliding"; });
}

/// A scale of the vision tower: the number of frames and the side of the region that becomes one position, and the number of channels.
struct Scale {
  Count frames, side;
  Expr channels;
  [[nodiscard]] Count places() const { return frames * side * side; }
};

/// The prime factors of `number`, largest first.
std::vector<Count> primes(Count number) {
  std::vector<Count> out;
  for (Count p = 2; number > 1; ++p)
    for (; number % p == 0; number /= p) out.insert(out.begin(), p);
  return out;
}

/// The scales that the tower can have: first the side grows by one prime factor after another, then the number of frames.
std::vector<Scale> scales(Config c) {
  const Expr patch = c.integer("patch_size", 40, 2), frames = c.integer("temporal_patch_size", 2, 2),
             channels = c.integer("num_channels", 3, 1);
  if (patch.decide() > 1024 || frames.decide() > 1024) c.refuse(ErrorCode::too_large, "patch_size", "is too large to be counted.");
  std::vector<Scale> out{{1, 1, channels}};
  Count side = 1, time = 1;
  for (const Count p : primes(patch.decide())) {
    side *= p;
    out.push_back({1, side, 64 * ceil_divide(c.literal(side * side) * channels, c.literal(64))});
  }
  // Here transformers multiplies by 64 instead of rounding up to a multiple of 64.
  for (const Count p : primes(frames.decide())) {
    time *= p;
    out.push_back({time, side, 64 * (c.literal(time) * (power(patch, 2) * channels))});
  }
  return out;
}

/// Returns the scales before and after each layer: layer i leads from scale i to scale i + 1. The first and the last scale are fixed. The
/// scales between them follow a geometric series up to the number of values in a patch: for each step, the nearest possible scale is
/// chosen. Throws if two scales are equally near, or if there are fewer layers than possible scales or more than 1000 layers.
std::vector<Scale> planned_scales(Config c, Expr n_layers) {
  const std::vector<Scale> all_scales = scales(c);
  const Count n = n_layers.decide();
  if (n < all_scales.size() || n > 1000)
    c.refuse(ErrorCode::unsupported, "num_hidden_layers",
             "must be at least the number of prime factors of patch_size and temporal_patch_size, plus 1.");
  const double whole = std::log(static_cast<double>(all_scales.back().places() * c.integer("num_channels", 3, 1).decide()));
  std::vector<Scale> out{all_scales.front()};
  std::size_t at = 0;
  for (Count i = 1; i < n; ++i) {
    const double wanted = whole * static_cast<double>(i) / static_cast<double>(n);
    for (; at + 1 < all_scales.size(); ++at) {
      const double middle =
          (std::log(static_cast<double>(all_scales[at].places())) + std::log(static_cast<double>(all_scales[at + 1].places()))) / 2;
      if (std::abs(wanted - middle) < 1e-4)
        c.refuse(ErrorCode::unsupported, "num_hidden_layers", "leaves open which of two equally near scales a layer has.");
      if (wanted < middle) break;
    }
    out.push_back(all_scales[at]);
  }
  out.push_back(all_scales.back());
  return out;
}

/// Records the vision tower. A layer whose scale is larger than the previous one folds positions into channels.
void vision(Config c, Builder& b, Expr out) {
  const Expr n_layers = c.integer("num_hidden_layers", 24);
  const std::vector<Scale> plan = planned_scales(c, n_layers);
  for (std::size_t i = 0; i + 1 < plan.size(); ++i) {
    const bool last = i + 2 == plan.size();
    const Scale &from = plan[i], &to = plan[i + 1];
    const Count ratio = to.side / from.side, folded = to.frames / from.frames * ratio * ratio;
    const Expr width = last ? out : to.channels;
    b.part(Part::feed_forward, [&] { linear(b, concat({"layers.linear_", digits(i)}), c.literal(folded) * from.channels, width); });
    if (!last) rms_norm(b, concat({"layers.norm_", digits(i)}), width);
  }
  rms_norm(b, "final_norm", out);
}

/// The text model's module names in files of the text model alone. In files of the model with towers the names are different,
/// and dense blocks and shared experts also have one matrix for gate and up.
struct Names {
  Text norm1 = "input_layernorm", norm2 = "post_attention_layernorm", attention = "self_attn";
  Text q = "q_proj", k = "k_proj", v = "v_proj", o = "o_proj", r = "r_proj";
  Text convolutions[4] = {"k_sconv.conv1d", "v_sconv.conv1d", "attn_sconv.conv1d", "mlp_sconv.conv1d"};
  Text gate_up = "gate_up_proj", down = "down_proj", correction = "e_score_correction_bias";
  bool joined = false;
};
constexpr Names names_alone{};
constexpr Names names_beside{
    "attn_norm",  "mlp_norm",  "attn", "wq_du", "wk_dv", "wv_dv", "wo_ud", "wr_du", {"k_sconv", "v_sconv", "attn_sconv", "mlp_sconv"},
    "w13_weight", "w2_weight", "bias", true};

BackboneOutput backbone_named(Config c, Builder& b, const Names& names, Text table, Text table_norm) {
  const DecoderSizes s = decoder_sizes(c, {6144, 24576, 66, 201024, 64});
  const Expr d = s.d, width = c.integer("d_rel", 16), kernel = c.integer("conv_kernel_size", 4);
  const Attention full{.hidden = d,
                       .heads = s.n,
                       .kv_heads = c.integer("num_key_value_heads", 8),
                       .head_dim = c.integer("head_dim", 128),
                       .head_norms = QkNorm::per_head,
                       .q = names.q,
                       .k = names.k,
                       .v = names.v,
                       .o = names.o};
  Attention sliding = full;
  sliding.heads = c.integer("swa_num_attention_heads", 64, 1);
  sliding.kv_heads = c.integer("swa_num_key_value_heads", 16);
  sliding.head_dim = c.integer("swa_head_dim", 128);
  const Expr extent = c.integer("rel_extent", 1024), window = c.integer("sliding_window_size", 512);
  const Split layers = sliding_layers(c, s.n_layers);
  // In published configurations, intermediate_size is the width of an expert, and dense_intermediate_size that of a dense block.
  const Json renamed = c.peek("dense_intermediate_size");
  const bool published = renamed && !renamed.is_null();
  const Expr f = published ? c.integer("dense_intermediate_size", s.f) : s.f;
  Mixture m = mixture_fields(c, d, {.count = 256, .active = 6, .inner = published ? 0U : 3072U},
                             {.layout = ExpertLayout::stacked, .down = names.down, .gate_up = names.gate_up});
  if (published) m.inner = s.f;
  const Expr n_shared = c.integer("n_shared_experts", 2), n_dense = c.integer("dense_mlp_idx", 0);
  const Split mixtures = listed_sparse_layers(c, s.n_layers, n_dense);

  const auto attend = [&](const Attention& a, Expr positions) {
    attention(b, names.attention, a);
    b.scope(Part::attention, names.attention, [&] {
      linear(b, names.r, d, a.heads * width);
      for (const std::size_t i : {0U, 1U}) depthwise_conv1d(b, names.convolutions[i], a.kv_heads * a.head_dim, kernel, false);
      b.parameter("rel_logits_proj.proj", {width, positions}, StorageKind::matrix);
      if (a.heads.decide() > 0)
        // The matrix is stored once, but every head multiplies with it.
        record_extra_macs(b, (a.heads - 1) * width * positions);
      for (const Text name : {"conv_states.0", "conv_states.1"}) record_cache(b, name, {a.kv_heads * a.head_dim, kernel}, {}, true);
    });
  };
  embedding(b, table, s.vocab, d);
  rms_norm(b, table_norm, d);
  b.repeat("layers", all(s.n_layers), [&] { rms_norm(b, names.norm1, d); });
  b.repeat("layers", layers.out, [&] { attend(full, extent); });
  b.repeat("layers", layers.in, [&] { attend(sliding, window); });
  b.repeat("layers", all(s.n_layers), [&] {
    b.part(Part::attention, [&] { depthwise_conv1d(b, names.convolutions[2], d, kernel, false); });
    rms_norm(b, names.norm2, d);
    b.part(Part::feed_forward, [&] { depthwise_conv1d(b, names.convolutions[3], d, kernel, false); });
    for (const Text name : {"conv_states.2", "conv_states.3"}) record_cache(b, name, {d, kernel}, {}, true);
  });
  b.repeat("layers", mixtures.out, [&] {
    if (names.joined)
      fused_gated_mlp(b, "mlp", d, f, false, "w13_dn", "w2_md");
    else
      gated_mlp(b, "mlp", d, f);
    b.part(Part::feed_forward, [&] { b.parameter("mlp.global_scale", {c.literal(1)}); });
  });
  b.repeat("layers", mixtures.in, [&] {
    b.scope("mlp", [&] {
      b.scope(Part::router, "gate", [&] {
        linear(b, "", d, m.count + n_shared, false, TensorRole::router);
        b.parameter("global_scale", {c.literal(1)});
        b.buffer(names.correction, {m.count});
      });
      routed_experts(b, m);
      b.owned_by(Owner::shared_expert, [&] {
        const InBlock block(b, {.shared = n_shared});
        b.scope(Part::feed_forward, "shared_experts", [&] {
          const auto all_of_them = [&](TensorRole role, Text name, Expr rows, Expr columns) {
            b.scope(role, "", [&] { b.parameter(name, {n_shared, rows, columns}, StorageKind::matrix); });
          };
          if (names.joined) {
            all_of_them(TensorRole::gate_and_up, "shared_w13_weight", 2 * m.inner, d);
          } else {
            all_of_them(TensorRole::gate, "gate_proj", m.inner, d);
            all_of_them(TensorRole::up, "up_proj", m.inner, d);
          }
          all_of_them(TensorRole::down, names.joined ? "shared_w2_weight" : "down_proj", d, m.inner);
        });
      });
    });
  });
  rms_norm(b, "norm", d);
  return {.hidden = d, .vocabulary = s.vocab};  // transformers never ties Inkling's head
}

BackboneOutput text_backbone(Config c, Builder& b) { return backbone_named(c, b, names_alone, "embed_tokens", "embed_tokens.embed_norm"); }

// The text model as a part of the model with towers.

constexpr Family text_bare{
    .aliases = aliases,
    .backbone = [](Config c, Builder& b) { return backbone_named(c, b, names_beside, "embed_tokens", "embed_tokens.embed_norm"); },
};
constexpr Family text_whole{
    .aliases = aliases,
    .backbone = [](Config c, Builder& b) { return backbone_named(c, b, names_beside, "embed", "embed_norm"); },
};

constexpr Alias vision_aliases[] = {{"n_layers", "num_hidden_layers"}};
constexpr Alias audio_aliases[] = {
    {"num_codebooks", "n_mel_bins"}, {"codebook_size", "mel_vocab_size"}, {"hidden_size", "text_hidden_size"}};

BackboneOutput backbone(Config c, Builder& b) {
  const bool bare = b.architecture().head == Head::none;
  Config words = c.section("text_config");
  require_type(words, "inkling_text");
  BackboneOutput out = nested(words, b, bare ? "language_model" : "llm", bare ? text_bare : text_whole);
  Config seen = c.section("vision_config").with(vision_aliases), heard = c.section("audio_config").with(audio_aliases);
  for (Config tower : {std::ref(seen), std::ref(heard)}) {
    tower.consume("model_type");
    tower.ignore("text_hidden_size", "The towers have the text model's width.");
  }
  b.tower(Tower::vision, bare ? "vision_tower" : "visual", [&] { vision(seen, b, out.hidden); });
  const Expr rows = heard.integer("n_mel_bins", 80) * heard.integer("mel_vocab_size", 256);
  b.tower(Tower::audio, bare ? "audio_tower" : "audio", [&] {
    b.part(Part::embedding, [&] { table(b, "encoder", rows, out.hidden); });
    rms_norm(b, "final_norm", out.hidden);
  });
  out.language_model = "model.llm.unembed";
  return out;
}

}  // namespace

extern const Family inkling_mm_model{
    .model_type = "inkling_mm_model",
    .summary = "Multimodal model: Inkling with image and audio inputs.",
    .classes = {"Inkling", heads::conditional | heads::base},
    .backbone = backbone,
    .predicts = {.place = PredictionLayers::Place::unknown},
};
extern const Family inkling_text{
    .model_type = "inkling_text",
    .summary = "Relative attention with short convolutions, full or sliding-window; mixture of experts with shared experts.",
    .classes = {.listed = text_classes},
    .aliases = aliases,
    .backbone = text_backbone,
    .cache = caches::windows(
        {.layers = Window::Layers::every, .size = 512, .period = 6, .ids_field = "local_layer_ids", .field = "sliding_window_size"}),
};

}  // namespace param_ledger
