// A configurable transformer, for computations in articles and courses and for designing models. With suitable settings it has the same
// tensors as some published models (tests/data/generic.json). It is not a model type of transformers, but uses transformers' field names
// where they exist.

#include <algorithm>

#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/text/state_space.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view positions[] = {"none", "learned"};
constexpr std::string_view norms[] = {"none", "rms_norm", "layer_norm"};
constexpr std::string_view placements[] = {"pre", "post", "sandwich", "parallel"};
constexpr std::string_view head_norm_names[] = {"none", "per_head", "whole"};
constexpr std::string_view layouts[] = {"one_by_one", "stacked", "stacked_transposed"};
constexpr std::string_view corrections[] = {"none", "buffer", "parameter"};

/// The kinds of layers that a field can choose from. Each kind has a word and a letter (a hyphen for "none"), so that one string can give
/// the kinds of all layers.
struct Kinds {
  std::span<const std::string_view> words;
  std::string_view letters;  ///< one letter for each word in `words`, in the same order
};
constexpr std::string_view mixer_words[] = {
    "full_attention", "sliding_attention", "latent_attention", "linear_attention", "mamba", "mamba2", "none"};
constexpr Kinds mixers{mixer_words, "AWLDMS-"};
constexpr std::string_view block_words[] = {"dense", "sparse", "none"};
constexpr Kinds blocks{block_words, "DE-"};

/// Reads the kind of each layer: one word for all layers, a string with a letter per layer, or a list with a word per layer. If the field
/// is missing, layer i has the kind `otherwise(i)`.
template <class Otherwise>
std::vector<std::string_view> kinds_of(Config c, Text field, Expr n_layers, const Kinds& kinds, const Otherwise& otherwise) {
  require_listable(n_layers);
  const auto n = static_cast<std::size_t>(n_layers.decide());
  std::vector<std::string_view> out;
  if (c.peek(field).is(Json::Type::string)) {
    const std::string_view given = c.text(field, "");
    if (std::find(kinds.words.begin(), kinds.words.end(), given) != kinds.words.end()) return std::vector(n, given);
    for (const char letter : given) {
      const std::size_t at = kinds.letters.find(letter);
      if (at == std::string_view::npos)
        c.refuse(ErrorCode::wrong_type, field,
                 concat({"contains \"", clipped(given, 40), "\". Give one kind for all layers, or one of the letters ", kinds.letters,
                         " for each layer."}));
      out.push_back(kinds.words[at]);
    }
    c.require_length(field, out.size(), n_layers);
    return out;
  }
  if (std::optional<std::vector<std::string_view>> given = c.words(field, kinds.words)) {
    c.require_length(field, given->size(), n_layers);
    return *std::move(given);
  }
  for (std::size_t i = 0; i < n; ++i) out.push_back(otherwise(i));
  return out;
}

bool any(const std::vector<std::string_view>& kinds, std::string_view kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

IndexSet where(Config c, const std::vector<std::string_view>& kinds, std::string_view kind, Expr n_layers, Text name, Text symbol,
               Text meaning) {
  return layers_where(c, n_layers, name, symbol, meaning, [&](std::size_t i) { return kinds[i] == kind; });
}

/// Which kind of attention or recurrence each layer has, and the sizes of each kind.
struct Mixers {
  std::vector<std::string_view> kinds;
  Attention attention;
  std::optional<LatentAttention> latent;
  std::optional<GatedDelta> delta;
  std::optional<MambaMixer> mamba;
  std::optional<Mamba2Mixer> mamba2;
};

QkNorm head_norms(std::string_view name) { return name == "per_head" ? QkNorm::per_head : name == "whole" ? QkNorm::whole : QkNorm::none; }

Attention attention_of(Config c, Expr d, Norm kind) {
  const Expr n = c.integer("num_attention_heads", 32, 1), n_kv = c.integer("num_key_value_heads", n),
             h = c.integer("head_dim", floor_divide(d, n));
  // The heads must divide the hidden size only if head_dim is missing.
  if (h.name().definition) require_multiple(d, n);
  const bool bias = c.flag("attention_bias", false), output_bias = c.derived_flag("attention_out_bias", bias);
  const std::string_view normed = c.text("qk_norm", "none", head_norm_names);
  return {.hidden = d,
          .heads = n,
          .kv_heads = n_kv,
          .head_dim = h,
          .qkv_bias = bias,
          .output_bias = output_bias,
          .head_norms = head_norms(normed),
          .head_norm_kind = kind == Norm::layer ? Norm::layer : Norm::rms,
          .output_gate = c.flag("attn_output_gate", false),
          .sinks = c.flag("attention_sinks", false),
          .fused = c.flag("fused_qkv", false) ? "qkv_proj" : ""};
}

MambaMixer mamba_of(Config c, Expr d) {
  return {.hidden = d,
          .inner = c.integer("mamba_expand", 2) * d,
          .state = c.integer("mamba_d_state", 16),
          .step_rank = c.integer("mamba_dt_rank", ceil_divide(d, c.literal(16))),
          .kernel = c.integer("mamba_d_conv", 4),
          .conv_bias = c.flag("mamba_conv_bias", true),
          .projection_bias = c.flag("mamba_proj_bias", false),
          .norms = c.flag("mamba_inner_norms", false)};
}

Mamba2Mixer mamba2_of(Config c, Expr d) {
  const Expr heads = c.integer("mamba_n_heads", 128), width = c.integer("mamba_d_head", 64);
  return {.hidden = d,
          .inner = heads * width,
          .heads = heads,
          .groups = c.integer("mamba_n_groups", 1),
          .state = c.integer("mamba_d_state", 128),
          .kernel = c.integer("mamba_d_conv", 4),
          .conv_bias = c.flag("mamba_conv_bias", true),
          .projection_bias = c.flag("mamba_proj_bias", false)};
}

/// Reads the mixers. The fields of attention are always read, those of any other kind only if some layer is of that kind.
Mixers mixers_of(Config c, Expr d, Expr n_layers, Norm kind) {
  Mixers out{.kinds = kinds_of(c, "layer_types", n_layers, mixers, [](std::size_t) { return mixer_words[0]; }),
             .attention = attention_of(c, d, kind),
             .latent = {},
             .delta = {},
             .mamba = {},
             .mamba2 = {}};
  if (any(out.kinds, "mamba") && any(out.kinds, "mamba2"))
    c.refuse(ErrorCode::inconsistent, "layer_types", "has both mamba and mamba2 layers, which use the same fields.");
  if (any(out.kinds, "latent_attention")) out.latent = latent_attention_fields(c, d, out.attention.heads, {.q_rank = {}});
  if (any(out.kinds, "linear_attention")) {
    out.delta = gated_delta_fields(c, d);
    out.delta->fused = true;
  }
  if (any(out.kinds, "mamba")) out.mamba = mamba_of(c, d);
  if (any(out.kinds, "mamba2")) out.mamba2 = mamba2_of(c, d);
  return out;
}

/// Calls `each` for each kind of mixer, inside a repeat over the layers of that kind.
template <class Each>
void each_mixer(Config c, Expr n_layers, const Mixers& m, Builder& b, const Each& each) {
  struct Kind {
    std::string_view word;
    Text name, symbol, meaning;
  };
  static constexpr Kind kinds[] = {
      {"full_attention", "num_attention_layers", "L_a", "Layers with full or sliding-window attention."},
      {"latent_attention", "num_latent_attention_layers", "L_m", "Layers with latent attention."},
      {"linear_attention", "num_linear_attention_layers", "L_l", "Layers with linear attention."},
      {"mamba", "num_mamba_layers", "L_s", "Layers with a state-space mixer."},
      {"mamba2", "num_mamba2_layers", "L_s", "Layers with a state-space mixer."},
  };
  for (const Kind& kind : kinds) {
    // A sliding window changes no tensor, so layers with a sliding window are recorded together with those that have full attention.
    const IndexSet layers = layers_where(c, n_layers, kind.name, kind.symbol, kind.meaning, [&](std::size_t i) {
      return m.kinds[i] == kind.word || (m.kinds[i] == "sliding_attention" && kind.word == "full_attention");
    });
    b.repeat("layers", layers, [&] { each(kind.word); });
  }
}

void record(Builder& b, const Mixers& m, std::string_view kind) {
  if (kind == "latent_attention")
    latent_attention(b, "self_attn", *m.latent);
  else if (kind == "linear_attention")
    gated_delta(b, "linear_attn", *m.delta);
  else if (kind == "mamba")
    mamba_mixer(b, "mamba", *m.mamba);
  else if (kind == "mamba2")
    mamba2_mixer(b, "mamba", *m.mamba2);
  else
    attention(b, "self_attn", m.attention);
}

/// Which feed-forward block each layer has (dense, mixture of experts or none), and the sizes.
struct Blocks {
  std::vector<std::string_view> kinds;
  Mixture mixture;
  Expr inner;
  bool gated = false, fused = false, bias = false;
};

RouterBias correction_of(std::string_view name) {
  return name == "buffer" ? RouterBias::buffer : name == "parameter" ? RouterBias::parameter : RouterBias::none;
}

ExpertLayout layout_of(std::string_view name) {
  return name == "stacked" ? ExpertLayout::stacked : name == "one_by_one" ? ExpertLayout::one_by_one : ExpertLayout::stacked_transposed;
}

Mixture mixture_of(Config c, Expr d, Expr f, Expr n_experts, bool gated, bool bias) {
  Mixture out{.hidden = d,
              .count = n_experts,
              .active = c.integer("num_experts_per_tok", 2),
              .inner = c.integer("moe_intermediate_size", f),
              .layout = layout_of(c.text("expert_layout", "one_by_one", layouts)),
              .expert_bias = c.flag("expert_bias", false),
              .gate = gated ? "gate_proj" : "",
              .router_bias = c.flag("router_bias", false),
              .correction = correction_of(c.text("router_correction", "none", corrections)),
              .shared_bias = bias};
  const Expr n_shared = c.integer("n_shared_experts", 0);
  const Expr shared = c.integer("shared_expert_intermediate_size", n_shared * out.inner);
  if (!is_zero(shared)) {
    out.shared = shared;
    if (c.flag("shared_expert_gate", false)) out.shared_gate = "shared_expert_gate";
  }
  return out;
}

Blocks blocks_of(Config c, Expr d, Expr n_layers) {
  Blocks out{
      .kinds = {}, .mixture = {.hidden = d}, .inner = {}, .gated = c.flag("gated_mlp", false), .fused = c.flag("fused_gate_up", false)};
  out.inner = c.integer("intermediate_size", 4 * d);
  out.bias = c.flag("mlp_bias", false);
  const Expr n_experts = c.integer("num_experts", 0);
  if (is_zero(n_experts)) {
    out.kinds = kinds_of(c, "mlp_layer_types", n_layers, blocks, [](std::size_t) { return block_words[0]; });
    if (any(out.kinds, "sparse")) c.refuse(ErrorCode::inconsistent, "mlp_layer_types", "has sparse layers, but num_experts is 0.");
    return out;
  }
  out.mixture = mixture_of(c, d, out.inner, n_experts, out.gated, out.bias);
  const Count n_dense = c.integer("first_k_dense_replace", 0).decide(), step = c.integer("moe_layer_freq", 1, 1).decide();
  out.kinds = kinds_of(c, "mlp_layer_types", n_layers, blocks,
                       [&](std::size_t i) { return i >= n_dense && i % step == 0 ? block_words[1] : block_words[0]; });
  return out;
}

void record(Builder& b, const Blocks& m, std::string_view kind, Expr d) {
  if (kind == "sparse")
    mixture(b, "mlp", m.mixture);
  else if (m.gated && m.fused)
    fused_gated_mlp(b, "mlp", d, m.inner, m.bias);
  else if (m.gated)
    gated_mlp(b, "mlp", d, m.inner, m.bias);
  else
    mlp(b, "mlp", d, m.inner, m.bias);
}

LayerNorms norms_of(std::string_view placement) {
  return placement == "post" ? post_norms : placement == "sandwich" ? sandwich_norms : placement == "parallel" ? parallel_norms : pre_norms;
}

/// Records the norms before and after a block, in those layers that have the block.
void norms_around(Builder& b, Config c, Expr n_layers, const std::vector<std::string_view>& kinds, Norm kind, Text before, Text after,
                  Expr d, Text name, Text symbol) {
  const IndexSet layers =
      layers_where(c, n_layers, name, symbol, "Layers with this block.", [&](std::size_t i) { return kinds[i] != "none"; });
  b.repeat("layers", layers, [&] {
    if (!before.empty()) norm(b, kind, before, d);
    if (!after.empty()) norm(b, kind, after, d);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), n_layers = c.integer("num_hidden_layers", 32);
  const Expr vocab = c.integer("vocab_size", 32000);
  const bool learned_positions = c.text("position_embedding", "none", positions) == "learned";
  const Expr n_positions = c.integer("max_position_embeddings", 2048);
  const std::string_view norm_name = c.text("norm", "none", norms);
  const Norm kind = norm_name == "rms_norm" ? Norm::rms : norm_name == "layer_norm" ? Norm::layer : Norm::none;
  const LayerNorms placed = norms_of(c.text("norm_placement", "pre", placements));
  const bool embedding_norm = c.flag("embedding_norm", false), final_norm = c.flag("final_norm", true);
  const Mixers mixing = mixers_of(c, d, n_layers, kind);
  const Blocks feeding = blocks_of(c, d, n_layers);
  const bool head_bias = c.flag("lm_head_bias", false);

  const Tensor table = embedding(b, "embed_tokens", vocab, d, TensorRole::token_embedding);
  if (learned_positions) embedding(b, "embed_positions", n_positions, d, TensorRole::position_embedding);
  if (embedding_norm) norm(b, kind, "embed_norm", d);
  norms_around(b, c, n_layers, mixing.kinds, kind, placed.before_attention, placed.after_attention, d, "num_mixer_layers", "L_x");
  each_mixer(c, n_layers, mixing, b, [&](std::string_view mixer) { record(b, mixing, mixer); });
  norms_around(b, c, n_layers, feeding.kinds, kind, placed.before_feed_forward, placed.after_feed_forward, d, "num_feed_forward_layers",
               "L_f");
  const IndexSet sparse = where(c, feeding.kinds, "sparse", n_layers, "num_sparse_layers", "L_e", "Layers with a mixture of experts.");
  const IndexSet dense = where(c, feeding.kinds, "dense", n_layers, "num_dense_layers", "L_d", "Layers with a dense block.");
  b.repeat("layers", dense, [&] { record(b, feeding, "dense", d); });
  b.repeat("layers", sparse, [&] { record(b, feeding, "sparse", d); });
  if (final_norm) norm(b, kind, "norm", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true, .language_model_bias = head_bias};
}

/// Whether a layer has a sliding window if layer_types is a string: one word for all layers, or a letter for each layer.
bool slides(Config c, std::size_t layer, std::size_t /*n_layers*/) {
  const Json given = c.peek("layer_types");
  if (!given.is(Json::Type::string)) return false;
  const std::string_view text = given.string();
  constexpr std::size_t sliding = 1;
  return text == mixer_words[sliding] || (layer < text.size() && text[layer] == mixers.letters[sliding]);
}

}  // namespace

extern const Family generic{
    .model_type = "generic",
    .summary = "A custom transformer in which each part can be chosen: for papers, courses and designs.",
    .classes = {"Generic", heads::decoder},
    .backbone = backbone,
    .cache = caches::listed(0, slides),
    .predicts = {.place = PredictionLayers::Place::appended_with_tables, .field = "num_nextn_predict_layers", .always = false},
};

}  // namespace param_ledger
