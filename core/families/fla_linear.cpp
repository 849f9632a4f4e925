// flash-linear-attention's models with linear attention. Each layer has the type's mixer and a gated feed-forward block. The layers that
// `attn` lists have attention instead of the mixer. Source: fla-org/flash-linear-attention, fla/models/<type> and fla/layers.

#include "core/nn/heads.hpp"
#include "core/nn/text/fla.hpp"

namespace param_ledger {

namespace {

constexpr Text convolutions[] = {"q_conv1d", "k_conv1d", "v_conv1d"};

/// Records short depthwise convolutions of the given widths, by default over queries, keys and values.
void short_convolutions(Builder& b, Expr kernel, std::initializer_list<Expr> widths, std::span<const Text> names = convolutions) {
  std::size_t i = 0;
  for (const Expr width : widths) depthwise_conv1d(b, names[i++], width, kernel, false);
}

/// The numbers of heads in linear attention, and the total widths of keys and values over all query heads.
struct Linear {
  Expr n, n_kv, keys, values;
  Expr group_keys, group_values;  ///< total widths of keys and values over the key-value heads
  Expr head_keys, head_values;
};
Linear linear_fields(Config c, Expr d, std::uint64_t heads, double expand_k, double expand_v) {
  Linear m{};
  m.n = c.integer("num_heads", fixed(heads), 1);
  m.n_kv = c.integer("num_kv_heads", m.n, 1);
  m.keys = widened(c, "expand_k", expand_k, d, "key_dim", "d_k");
  m.values = widened(c, "expand_v", expand_v, d, "value_dim", "d_v");
  require_multiple(m.n, m.n_kv);
  require_multiple(m.keys, m.n);
  require_multiple(m.values, m.n);
  const Expr groups = floor_divide(m.n, m.n_kv);
  const bool grouped = !equal(m.n, m.n_kv);
  m.group_keys = grouped ? floor_divide(m.keys, groups) : m.keys;
  m.group_values = grouped ? floor_divide(m.values, groups) : m.values;
  m.head_keys = floor_divide(m.keys, m.n);
  m.head_values = floor_divide(m.values, m.n);
  return m;
}
void linear_projections(Builder& b, Expr d, const Linear& m) {
  linear(b, "q_proj", d, m.keys, false, TensorRole::query);
  linear(b, "k_proj", d, m.group_keys, false, TensorRole::key);
  linear(b, "v_proj", d, m.group_values, false, TensorRole::value);
  linear(b, "o_proj", m.values, d, false, TensorRole::output);
}

struct Switches {
  bool affine, convolved, gated;
  Expr kernel;
};
/// Reads the flags that most mixers have, and conv_size. `convolved` and `gated` are the type's defaults; `gate` names the flag for the
/// output gate, or is empty if there is none.
Switches switches(Config c, bool convolved, bool gated, Text gate = "use_output_gate") {
  const bool affine = c.flag("elementwise_affine", true, Null::allowed), convolves = c.flag("use_short_conv", convolved);
  const bool gates = gate.empty() ? false : c.flag(gate, gated);
  return {affine, convolves, gates, c.integer("conv_size", 4)};
}

/// Records GLA if `decays`, otherwise RetNet.
BackboneOutput gated(Config c, Builder& b, bool decays) {
  const Fla m = fla_fields(c, {.ratio = decays ? 4U : 2U});
  const Linear a = linear_fields(c, m.d, decays ? 4 : 8, decays ? 0.5 : 1.0, decays ? 1.0 : 2.0);
  Switches s = switches(c, false, true);
  if (!decays) {
    c.ignore("use_short_conv", "RetNet's layers never have short convolutions.");
    s.convolved = false;
  }
  const bool fused = c.flag("fuse_norm", true) && s.gated;
  const Hybrid h = hybrid(c, m.d, m.n_layers);
  return fla_decoder(b, m, h, [&] {
    linear_projections(b, m.d, a);
    if (s.gated) linear(b, "g_proj", m.d, a.values);
    if (s.convolved) short_convolutions(b, s.kernel, {a.keys, a.group_keys, a.group_values});
    if (decays) {
      const Expr rank = c.literal(16);
      linear(b, "gk_proj.0", m.d, rank);
      linear(b, "gk_proj.1", rank, a.group_keys, true);
    }
    if (s.affine) rms_norm(b, fused ? "g_norm_swish_gate" : "g_norm", a.head_values);
  });
}
BackboneOutput gla_backbone(Config c, Builder& b) { return gated(c, b, true); }
BackboneOutput retnet_backbone(Config c, Builder& b) { return gated(c, b, false); }

BackboneOutput delta_net_backbone(Config c, Builder& b) {
  const Fla m = fla_fields(c);
  Linear a = linear_fields(c, m.d, 16, 1.0, 1.0);
  const Switches s = switches(c, true, false, "use_gate");
  const bool beta = c.flag("use_beta", true);
  const Hybrid h = hybrid(c, m.d, m.n_layers);
  a.group_keys = a.keys, a.group_values = a.values;
  return fla_decoder(b, m, h, [&] {
    linear_projections(b, m.d, a);
    if (beta) linear(b, "b_proj", m.d, a.n);
    if (s.convolved) short_convolutions(b, s.kernel, {a.keys, a.keys, a.values});
    if (s.gated) linear(b, "g_proj", m.d, a.values);
    rms_norm(b, "o_norm", a.head_values);
  });
}

BackboneOutput gated_deltanet_backbone(Config c, Builder& b) {
  const Fla m = fla_fields(c, {.layers = 21});
  const Expr n = c.integer("num_heads", fixed(6), 1), n_values = c.integer("num_v_heads", n, 1), head = c.integer("head_dim", 256);
  const Expr head_values = widened(c, "expand_v", 2.0, head, "value_head_dim", "h_v"), keys = n * head, values = n_values * head_values;
  const Switches s = switches(c, true, true, "use_gate");
  if (less(n, n_values)) require_multiple(n_values, n);
  const Hybrid h = hybrid(c, m.d, m.n_layers);
  return fla_decoder(b, m, h, [&] {
    linear(b, "q_proj", m.d, keys, false, TensorRole::query);
    linear(b, "k_proj", m.d, keys, false, TensorRole::key);
    linear(b, "v_proj", m.d, values, false, TensorRole::value);
    linear(b, "a_proj", m.d, n_values);
    linear(b, "b_proj", m.d, n_values);
    b.parameter("A_log", {n_values});
    b.parameter("dt_bias", {n_values});
    if (s.convolved) short_convolutions(b, s.kernel, {keys, keys, values});
    if (s.gated) linear(b, "g_proj", m.d, values);
    rms_norm(b, "o_norm", head_values);
    linear(b, "o_proj", values, m.d, false, TensorRole::output);
  });
}

constexpr Alias gsa_aliases[] = {{"exapnd_k", "expand_k"}, {"exapnd_v", "expand_v"}};  // the published code misspells expand_k and expand_v
constexpr std::string_view gsa_maps[] = {"swish", "relu"};

BackboneOutput gsa_backbone(Config c, Builder& b) {
  const Fla m = fla_fields(c);
  const Linear a = linear_fields(c, m.d, 4, 1.0, 1.0);
  const Expr slots = c.integer("num_slots", fixed_not_null(64).or_else(a.head_keys));
  const Switches s = switches(c, false, false, "");
  static_cast<void>(c.text("feature_map", "swish", gsa_maps));
  const Hybrid h = hybrid(c, m.d, m.n_layers);
  return fla_decoder(b, m, h, [&] {
    linear_projections(b, m.d, a);
    linear(b, "f_proj", m.d, a.n_kv * slots);
    if (s.convolved) short_convolutions(b, s.kernel, {a.keys, a.group_keys, a.group_values});
    if (s.affine) rms_norm(b, "g_norm", m.d);
  });
}

void lower_bounds(Config c, Builder& b, const Fla& m, Expr width) {
  if (c.flag("use_lower_bound", true)) b.part(Part::state_space, [&] { b.parameter("lower_bounds", {m.n_layers, width}); });
}

constexpr Text hgrn_convolutions[] = {"f_conv1d", "i_conv1d"}, hgrn2_convolutions[] = {"q_conv1d", "f_conv1d", "i_conv1d"};

BackboneOutput hgrn_backbone(Config c, Builder& b) {
  const Fla m = fla_fields(c);
  const Expr inner = c.integer("expand_ratio", fixed(1)) * m.d;
  const Switches s = switches(c, false, false, "");
  lower_bounds(c, b, m, inner);
  const Hybrid h = hybrid(c, m.d, m.n_layers);
  return fla_decoder(b, m, h, [&] {
    linear(b, "i_proj", m.d, inner);
    linear(b, "f_proj", m.d, inner);
    linear(b, "g_proj", m.d, inner);
    if (s.convolved) short_convolutions(b, s.kernel, {inner, inner}, hgrn_convolutions);
    if (s.affine) rms_norm(b, "g_norm", inner);
    linear(b, "o_proj", inner, m.d, false, TensorRole::output);
  });
}

BackboneOutput hgrn2_backbone(Config c, Builder& b) {
  const Fla m = fla_fields(c);
  const std::optional<Expr> ratio = c.optional_integer("expand_ratio", 128, 1);
  const Expr n = ratio ? floor_divide(m.d, *ratio) : c.integer("num_heads", required(16), 1);
  const Expr forgotten = n * (ratio ? *ratio : floor_divide(m.d, n));
  require_positive(n);
  require_multiple(m.d, n);
  const Switches s = switches(c, false, false, "");
  lower_bounds(c, b, m, m.d);
  const Hybrid h = hybrid(c, m.d, m.n_layers);
  return fla_decoder(b, m, h, [&] {
    linear(b, "q_proj", m.d, forgotten, false, TensorRole::query);
    linear(b, "f_proj", m.d, forgotten);
    linear(b, "i_proj", m.d, m.d);
    if (s.convolved) short_convolutions(b, s.kernel, {forgotten, forgotten, m.d}, hgrn2_convolutions);
    if (s.affine) rms_norm(b, "g_norm", m.d);
    linear(b, "o_proj", m.d, m.d, false, TensorRole::output);
  });
}

/// The allowed values of feature_map, the function that is applied to queries and keys.
constexpr std::string_view linear_maps[] = {"elementwise_product", "hedgehog", "t2r", "dpfp", "elu", "relu", "identity"};

BackboneOutput linear_attn_backbone(Config c, Builder& b) {
  const Fla m = fla_fields(c);
  const Linear a = linear_fields(c, m.d, 4, 1.0, 1.0);
  const std::string_view map = c.text("feature_map", "elementwise_product", linear_maps);
  const bool tied = c.flag("tie_feature_map_qk", false), affine = c.flag("elementwise_affine", true, Null::allowed);
  const bool product = map == "elementwise_product", learned = product || map == "hedgehog" || map == "t2r";
  if (tied && learned)
    c.refuse(ErrorCode::unsupported, "tie_feature_map_qk", "must be false: a shared feature map for queries and keys is not counted.");
  const Hybrid h = hybrid(c, m.d, m.n_layers);
  return fla_decoder(b, m, h, [&] {
    if (learned)
      for (const Text name : {Text("feature_map_q"), Text("feature_map_k")})
        b.scope(name, [&] {
          linear(b, product ? "layer1" : "layer", a.head_keys, a.head_keys, map != "t2r");
          if (product) linear(b, "layer2", a.head_keys, a.head_keys, true);
        });
    linear_projections(b, m.d, a);
    if (affine) rms_norm(b, "norm", a.head_values);
  });
}

}  // namespace

extern const Family delta_net{
    .model_type = "delta_net",
    .summary = "DeltaNet: linear attention with the delta rule.",
    .classes = {"DeltaNet", heads::decoder},
    .backbone = delta_net_backbone,
    .own_code = true,
};
extern const Family gated_deltanet{
    .model_type = "gated_deltanet",
    .summary = "Gated DeltaNet: linear attention with a gated delta rule.",
    .classes = {"GatedDeltaNet", heads::decoder},
    .backbone = gated_deltanet_backbone,
    .own_code = true,
};
extern const Family gla{
    .model_type = "gla",
    .summary = "Gated linear attention.",
    .classes = {"GLA", heads::decoder},
    .backbone = gla_backbone,
    .own_code = true,
};
extern const Family gsa{
    .model_type = "gsa",
    .summary = "Gated slot attention: linear attention with bounded memory slots.",
    .classes = {"GSA", heads::decoder},
    .aliases = gsa_aliases,
    .backbone = gsa_backbone,
    .own_code = true,
};
extern const Family hgrn{
    .model_type = "hgrn",
    .summary = "Gated linear RNN with lower-bounded forget gates.",
    .classes = {"HGRN", heads::decoder},
    .backbone = hgrn_backbone,
    .own_code = true,
};
extern const Family hgrn2{
    .model_type = "hgrn2",
    .summary = "Like HGRN, with state expansion.",
    .classes = {"HGRN2", heads::decoder},
    .backbone = hgrn2_backbone,
    .own_code = true,
};
extern const Family linear_attn{
    .model_type = "linear_attn",
    .summary = "Linear attention with a learned feature map.",
    .classes = {"LinearAttention", heads::decoder},
    .backbone = linear_attn_backbone,
    .own_code = true,
};
extern const Family retnet{
    .model_type = "retnet",
    .summary = "Multi-scale retention: linear attention with exponential decay.",
    .classes = {"RetNet", heads::decoder},
    .backbone = retnet_backbone,
    .own_code = true,
};

}  // namespace param_ledger
