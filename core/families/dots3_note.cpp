// dots.note with its vision and audio towers: a vision transformer, by default with more experts in later layers, and a spectrogram
// encoder, each with an adapter. Source: transformers, models/dots3_note; names as in conversion_mapping.py.

#include <algorithm>
#include <tuple>

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/layer_kinds.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

extern const Family dots3_note_text, whisper;  // defined in their own files

namespace {

constexpr Alias vision_aliases[] = {{"embed_dim", "hidden_size"}, {"num_heads", "num_attention_heads"}, {"use_bias", "attention_bias"}};
constexpr Alias audio_aliases[] = {{"whisper_adapter_in_dim", "adapter_input_size"},
                                   {"whisper_adapter_out_dim", "adapter_out_dim"},
                                   {"adapter_output_size", "adapter_out_dim"}};
constexpr std::string_view kinds_of_blocks[] = {"dense", "sparse"};
constexpr std::string_view overridden[] = {"num_local_experts", "num_experts_per_tok"};

/// The number of experts in one layer (0: a dense block), and how many of them a token uses.
struct LayerExperts {
  Count count, active;
  friend bool operator==(const LayerExperts&, const LayerExperts&) = default;
  friend bool operator<(const LayerExperts& a, const LayerExperts& b) { return std::tie(a.count, a.active) < std::tie(b.count, b.active); }
};

/// The experts of each layer of the vision model: from pyramid_num_routed or, if it is missing, from mlp_layer_types and num_local_experts.
/// If both lists are missing, a default pyramid applies. If per_layer_config is given, it gives the numbers in layers with experts, and
/// num_local_experts and num_experts_per_tok apply where it gives none.
std::vector<LayerExperts> experts_by_layer(Config c, Expr n_layers, Expr n_experts, Expr n_active) {
  const LayerOverrides own{c, n_layers, overridden};
  const auto kinds = c.words("mlp_layer_types", kinds_of_blocks);
  auto pyramid = c.integers("pyramid_num_routed");
  if (!pyramid && !kinds) {
    pyramid.emplace(25, -1);
    for (std::int64_t count = 4; count <= 64; count += 4) pyramid->push_back(count);
    pyramid->push_back(64);
  }
  if (pyramid) c.require_length("pyramid_num_routed", pyramid->size(), n_layers);
  if (kinds) c.require_length("mlp_layer_types", kinds->size(), n_layers);
  std::vector<LayerExperts> out;
  for (std::uint64_t i = 0; i < n_layers.decide(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool sparse = pyramid ? (*pyramid)[at] > 0 : (*kinds)[at] == "sparse";
    const Count usual = pyramid && !own && sparse ? static_cast<Count>((*pyramid)[at]) : n_experts.decide();
    const Count count = sparse ? own.at(i, "num_local_experts", usual) : 0;
    if (sparse && count == 0)
      c.refuse(ErrorCode::out_of_range, "num_local_experts", "must be at least 1 in layers with experts.", Refused::no_experts);
    out.push_back({count, sparse ? std::min(count, own.at(i, "num_experts_per_tok", n_active.decide())) : 0});
  }
  return out;
}

/// Records the feed-forward blocks. Layers with equal numbers of experts and of active experts are recorded together.
void vision_feed_forward(Config c, Builder& b, Expr d, Expr f, Mixture m, const std::vector<LayerExperts>& experts, Expr n_layers,
                         bool bias) {
  std::vector<LayerExperts> kinds = experts;
  std::sort(kinds.begin(), kinds.end());
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  std::vector<std::int64_t> kind_of;
  kind_of.reserve(experts.size());
  for (const LayerExperts& layer : experts) kind_of.push_back(std::lower_bound(kinds.begin(), kinds.end(), layer) - kinds.begin());
  const Expr active = m.active;
  for (const AlikeLayers& alike : alike_layers(n_layers, kind_of)) {
    const Count count = kinds[static_cast<std::size_t>(alike.number)].count, used = kinds[static_cast<std::size_t>(alike.number)].active;
    const bool as_usual = count == 0 || used == std::min(active.decide(), count);
    const std::string own = as_usual ? std::string() : concat({", ", digits(used), " active"});
    const IndexSet layers = named_layers(c, n_layers, concat({"layers with ", digits(count), " experts", own}),
                                         concat({"L_", digits(count)}), "Layers with this number of experts.", alike.layers);
    b.repeat("blocks", layers, [&] {
      if (count == 0) return gated_mlp(b, "mlp", d, f, bias, {"fc1", "fc3", "fc2"});
      m.count =
          c.count(concat({"experts of ", digits(count)}), concat({"E_", digits(count)}), "Routed experts in each of these layers.", count);
      m.active = !as_usual ? c.literal(used) : active.decide() < count ? active : m.count;
      b.scope(Part::feed_forward, "mlp", [&] {
        b.part(Part::router, [&] {
          b.parameter("gate_weight", {m.count, d}, StorageKind::matrix);
          b.buffer("router_bias", {m.count});
        });
        routed_experts(b, m);
      });
    });
  }
}

/// Records the vision tower and its adapter. Returns the adapter's output width.
Expr vision(Config c, Builder& b) {
  c.consume("model_type");
  VisionLayers m = vision_fields(c, {1536, 4224, 42, 24});
  const Expr d = m.attention.hidden, n_layers = m.n_layers, channels = c.integer("num_channels", 3), patch = c.integer("patch_size", 14);
  const Expr merge = c.integer("adapter_merge_size", 2), d_out = c.integer("adapter_out_dim", 5120);
  const bool bias = c.flag("attention_bias", false), mlp_bias = c.flag("mlp_bias", false);
  const Expr n_experts = c.integer("num_local_experts", 64);
  // If num_experts_per_tok is missing or null, capacity_factor is used instead.
  const bool has_active = is_given(c, "num_experts_per_tok");
  const Mixture mixture{
      .hidden = d,
      .active = has_active ? *c.optional_integer("num_experts_per_tok") : c.integer("capacity_factor", attribute.or_else(c.literal(2))),
      .inner = c.integer("moe_intermediate_size", 2112),
      .gate = "fc1",
      .up = "fc3",
      .down = "fc2"};
  require_equal(c.integer("adapter_in_dim", 1536), d);
  require_equal(merge, c.integer("spatial_merge_size", 2));
  const std::vector<LayerExperts> experts = experts_by_layer(c, n_layers, n_experts, mixture.active);
  if (mlp_bias && std::any_of(experts.begin(), experts.end(), [](const LayerExperts& layer) { return layer.count > 0; }))
    c.refuse(ErrorCode::inconsistent, "mlp_bias", "must be false if layers have experts.");
  const Attention attends{.hidden = d,
                          .heads = m.attention.heads,
                          .qkv_bias = bias,
                          .output_bias = bias,
                          .head_norms = QkNorm::per_head,
                          .fused = "qkv",
                          .o = "proj"};
  b.tower(Tower::vision, "vision_encoder", [&] {
    b.part(Part::embedding, [&] { patch_embedding(b, "patch_embed.proj", channels, d, patch); });
    rms_norm(b, "patch_embed.norm", d);
    b.repeat("blocks", all(n_layers), [&] {
      rms_norm(b, "norm_1", d);
      attention(b, "attn", attends);
      rms_norm(b, "norm_2", d);
    });
    vision_feed_forward(c, b, d, m.inner, mixture, experts, n_layers, mlp_bias);
    rms_norm(b, "post_trunk_norm", d);
    b.tower(Tower::projector, "adapter", [&] {
      const Expr joined = power(merge, 2) * d;
      layer_norm(b, "ln_q", d);
      linear(b, "mlp.0", joined, joined, true);
      linear(b, "mlp.2", joined, d_out, true);
    });
  });
  return d_out;
}

/// Records the audio tower and its adapter. Returns the adapter's output width. Published files have the sizes in whisper_config, with
/// Whisper's field names.
Expr audio(Config c, Builder& b, bool whole) {
  c.consume("model_type");
  Config whisper = c.section("whisper_config");
  const auto size = [&](Text old, Text name, std::uint64_t fallback) {
    return whisper.has(old) ? whisper.integer(old, fallback, 1) : c.integer(name, fallback, 1);
  };
  const Expr d = size("d_model", "hidden_size", 1280), f = size("encoder_ffn_dim", "intermediate_size", 5120);
  const Expr n_layers = size("encoder_layers", "num_hidden_layers", 32), n = size("encoder_attention_heads", "num_attention_heads", 20);
  const Expr bands = size("num_mel_bins", "feature_size", 128), channels = c.integer("downsample_hidden_size", 480);
  const Expr d_conv = c.integer("conv_output_size", attribute.or_else(channels * ceil_divide(bands, c.literal(8))));
  const Expr d_out = c.integer("adapter_out_dim", 5120);
  const bool bias = c.flag("attention_bias", true);
  require_multiple(d, n);
  require_equal(c.integer("adapter_input_size", 1280), d);
  b.tower(Tower::audio, "audio_encoder.dots_encoder.speech_encoder", [&] {
    const Expr one = c.literal(1), three = c.literal(3);
    b.part(Part::embedding, [&] {
      const InBlock block(b, {Mechanism::convolutional_stem});
      convolution(b, "conv2d1", one, channels, {three, three});
      convolution(b, "conv2d2", channels, channels, {three, three});
      convolution(b, "conv2d3", channels, channels, {three, three});
      linear(b, "conv_out", d_conv, d);
    });
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "self_attn_layer_norm", d);
      b.scope(Part::attention, "self_attn", [&] {
        for (const Text name : {"q_proj", "v_proj", "out_proj"}) linear(b, name, d, d, bias);
        linear(b, "k_proj", d, d, false, TensorRole::key);
      });
      rms_norm(b, "final_layer_norm", d);
      b.part(Part::feed_forward, [&] {
        linear(b, "fc1", d, 2 * f, true, TensorRole::gate_and_up);
        linear(b, "fc2", f, d, true, TensorRole::down);
      });
    });
    rms_norm(b, "layer_norm", d);
  });
  b.tower(Tower::projector, whole ? "audio_encoder.audio_adapter.proj" : "audio_adapter.proj", [&] {
    layer_norm(b, "0", d);
    linear(b, "1", d, d_out, true);
    linear(b, "3", d_out, d_out, true);
  });
  return d_out;
}

/// The text model's section, or the root if there is none.
Config text_config(Config c) {
  const Json section = c.peek("text_config");
  return section && !section.is_null() ? c.section("text_config") : c;
}

/// Records the model. The causal class contains only the text model, although its configuration can also describe the towers.
BackboneOutput backbone(Config c, Builder& b) {
  const bool alone = b.architecture().head == Head::causal_lm, whole = b.architecture().head == Head::conditional_generation;
  Config text = text_config(c), sees = c.section("vision_config").with(vision_aliases);
  Config hears = c.section("audio_config").with(audio_aliases);
  if (alone) sees.consume("per_layer_config");
  const Expr d_vision = alone ? sees.integer("adapter_out_dim", 5120) : vision(sees, b);
  const Expr d_audio = alone ? hears.integer("adapter_out_dim", 5120) : audio(hears, b, whole);
  const BackboneOutput out = nested(text, b, whole ? "model" : "", dots3_note_text);
  require_equal(d_vision, out.hidden);
  require_equal(d_audio, out.hidden);
  return out;
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  decoder_head(b.architecture().head == Head::causal_lm ? text_config(c) : c, b, m);
}

constexpr Architecture classes[] = {{"Dots3NoteForConditionalGeneration", Head::conditional_generation, ""},
                                    {"Dots3NoteModel", Head::none, ""},
                                    {"Dots3NoteForCausalLM", Head::causal_lm, "model"}};

}  // namespace

extern const Family dots3_note{
    .model_type = "dots3_note",
    .summary = "dots.note with vision and audio encoders.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
    .cache = caches::of_text_model,
    .predicts = {.place = PredictionLayers::Place::unknown},
};

}  // namespace param_ledger
