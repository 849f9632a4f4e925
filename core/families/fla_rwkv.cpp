// RWKV-6 and RWKV-7 as flash-linear-attention builds them. Published RWKV-7 models with a config.json have this format, too. The layers
// listed in `attn` have attention instead of the recurrence. Source: fla-org/flash-linear-attention, fla/models/rwkv6, rwkv7 and
// fla/layers.

#include <algorithm>
#include <cmath>

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/fla.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view activations[] = {"sqrelu"};

struct Rwkv {
  Expr d, n_layers, vocab, f;
  Norm norm;
  bool norm_first;
};

/// Reads the sizes. `ratio`: the default of hidden_ratio, from which a missing intermediate_size is computed.
Rwkv fields(Config c, double ratio) {
  Rwkv m{};
  m.d = c.integer("hidden_size", 2048), m.n_layers = c.integer("num_hidden_layers", 24), m.vocab = c.integer("vocab_size", 32000);
  const Expr multiple = c.literal(32);
  const Expr widened_to = is_given(c, "intermediate_size") ? m.d : c.scaled("hidden_ratio", ratio, m.d, "hidden_size_times_ratio", "d_r");
  if (is_given(c, "intermediate_size")) c.ignore("hidden_ratio", "intermediate_size is given.");
  m.f = c.integer("intermediate_size", ceil_divide(widened_to, multiple) * multiple);
  m.norm_first = c.flag("norm_first", true);
  m.norm = c.flag("norm_bias", true) ? Norm::layer : Norm::unbiased;
  static_cast<void>(c.text("hidden_act", "sqrelu", activations));
  return m;
}

/// Records a low-rank projection: two narrow matrices instead of one.
void low_rank(Builder& b, Text name, Expr in, Expr rank, Expr out, bool bias = true) {
  b.scope(name, [&] {
    linear(b, "lora.0", in, rank);
    linear(b, "lora.2", rank, out, bias);
  });
}

template <class Mixer, class FeedForward>
BackboneOutput record(Config c, Builder& b, const Rwkv& m, const Mixer& mixer, const FeedForward& feed_forward) {
  const Hybrid h = hybrid(c, m.d, m.n_layers);
  const Tensor table = embedding(b, "embeddings", m.vocab, m.d, TensorRole::token_embedding);
  if (m.norm_first && !is_zero(m.n_layers)) b.repeat("layers", only(0), [&] { norm(b, m.norm, "pre_norm", m.d); });
  mixer(h.layers.out);
  b.repeat("layers", h.layers.in, [&] { fla_attention(b, "attn", h.attention); });
  b.repeat("layers", all(m.n_layers), [&] {
    norm(b, m.norm, "attn_norm", m.d);
    norm(b, m.norm, "ffn_norm", m.d);
    b.scope(Part::feed_forward, "ffn", [&] {
      const InBlock block(b, {Mechanism::rwkv_channel_mixing});
      feed_forward();
    });
  });
  norm(b, m.norm, "norm", m.d);
  return {.hidden = m.d, .embedding = table};
}

BackboneOutput backbone6(Config c, Builder& b) {
  const Rwkv m = fields(c, 3.5);
  const Expr n = c.integer("num_heads", fixed(4), 1), mixed = 5 * c.integer("proj_low_rank_dim", 32);
  const Expr decayed = c.integer("gate_low_rank_dim", 64), five = c.literal(5);
  const Expr keys = widened(c, "expand_k", 0.5, m.d, "key_dim", "d_k"), values = widened(c, "expand_v", 1.0, m.d, "value_dim", "d_v");
  const auto mixer = [&](const IndexSet& layers) {
    b.repeat("layers", layers, [&] {
      b.scope(Part::state_space, "attn", [&] {
        const InBlock block(b, {Mechanism::rwkv});
        require_multiple(keys, n);
        require_multiple(values, n);
        b.parameter("x_bias", {five, m.d});
        b.parameter("bonus", {n, floor_divide(keys, n)});
        b.parameter("x_proj.0.mu", {m.d});
        linear(b, "x_proj.0.linear", m.d, mixed);
        linear(b, "x_proj.2", mixed, m.d);
        linear(b, "r_proj.linear", m.d, keys);
        low_rank(b, "w_proj.linear", m.d, decayed, keys);
        linear(b, "k_proj.linear", m.d, keys);
        linear(b, "v_proj.linear", m.d, values);
        linear(b, "g_proj.linear", m.d, values);
        group_norm(b, "g_norm", values);
        linear(b, "o_proj", values, m.d);
      });
    });
  };
  return record(c, b, m, mixer, [&] {
    b.parameter("key.mu", {m.d});
    linear(b, "key.linear", m.d, m.f, false, TensorRole::up);
    linear(b, "value", m.f, m.d, false, TensorRole::down);
    b.parameter("receptance.mu", {m.d});
    linear(b, "receptance.linear", m.d, m.d);
  });
}

/// Reads a rank. null stands for `share` × √d, rounded to a multiple of 32 and at least 32.
Expr rank(Config c, Text name, std::uint64_t fallback, double share, Expr d) {
  const double steps = std::nearbyint(share * std::sqrt(static_cast<double>(d.decide())) / 32);
  return c.integer(name, fixed_not_null(fallback).or_else(c.literal(static_cast<Count>(std::max(32.0, 32 * steps)))));
}

/// The width of the values. If value_dim is a list, all its entries must be equal.
Expr value_width(Config c, const Rwkv& m) {
  if (!c.peek("value_dim").is(Json::Type::list)) return c.integer("value_dim", m.d);
  const std::vector<std::int64_t> listed = c.integers("value_dim").value();
  c.require_length("value_dim", listed.size(), m.n_layers);
  if (listed.empty()) return m.d;
  const std::int64_t width = listed.front();
  if (width < 0 || std::any_of(listed.begin(), listed.end(), [&](std::int64_t other) { return other != width; }))
    c.refuse(ErrorCode::unsupported, "value_dim", "must be the same in each layer: layers of different widths are not counted.");
  const auto positive = static_cast<Count>(width);
  return equal(m.d, positive)
             ? m.d
             : c.count("layer_value_dim", "d_v", "Dimension of the values in each layer, as given by value_dim.", positive);
}

BackboneOutput backbone7(Config c, Builder& b) {
  const Rwkv m = fields(c, 4);
  const Expr d = m.d;
  const std::optional<Expr> given = c.optional_integer("head_dim", 64, 1);
  const Expr head = given ? *given : floor_divide(d, c.integer("num_heads", required(32), 1)), n = floor_divide(d, head);
  if (given) c.ignore("num_heads", "head_dim decides how many heads there are.");
  const double factor = static_cast<double>(head.decide()) / 64;
  const Expr decay = rank(c, "decay_low_rank_dim", 64, 2.5 * factor, d), gate = rank(c, "gate_low_rank_dim", 128, 5, d);
  const Expr rate = rank(c, "a_low_rank_dim", 64, 2.5 * factor, d), mixed = rank(c, "v_low_rank_dim", 16, 1.7 * factor, d);
  const Expr values = value_width(c, m), one = c.literal(1);
  const auto mixer = [&](const IndexSet& layers) {
    b.repeat("layers", layers, [&] {
      b.scope(Part::state_space, "attn", [&] {
        const InBlock block(b, {Mechanism::rwkv_7});
        require_multiple(d, head);
        require_multiple(values, d);
        for (const Text name : {"x_r", "x_w", "x_k", "x_v", "x_a", "x_g"}) b.parameter(name, {one, one, d});
        for (const Text name : {"k_k", "k_a"}) b.parameter(name, {d});
        b.parameter("r_k", {n, head});
        linear(b, "r_proj", d, d);
        linear(b, "k_proj", d, d);
        linear(b, "v_proj", d, values);
        linear(b, "o_proj", values, d);
        low_rank(b, "w_lora", d, decay, d);
        low_rank(b, "a_lora", d, rate, d);
        low_rank(b, "g_lora", d, gate, values, false);
        group_norm(b, "g_norm", values);
      });
    });
    // All layers except the first mix the first layer's values with their own.
    const IndexSet further = !layers.empty() && layers.runs.front().first == 0 ? all_but_first(layers) : layers;
    b.repeat("layers", further, [&] {
      b.scope(Part::state_space, "attn", [&] {
        const InBlock block(b, {Mechanism::rwkv_7});
        low_rank(b, "v_lora", d, mixed, values);
      });
    });
  };
  return record(c, b, m, mixer, [&] {
    b.parameter("x_k", {d});
    linear(b, "key", d, m.f, false, TensorRole::up);
    linear(b, "value", m.f, d, false, TensorRole::down);
  });
}

// How a configuration of flash-linear-attention's rwkv6 is recognised. The RWKV publisher's own format has the same model_type, but none of
// the fields in `own`.
constexpr Text always[] = {"model_type"},
               own[] = {"proj_low_rank_dim", "gate_low_rank_dim", "expand_k", "norm_first", "fuse_cross_entropy"};

}  // namespace

extern const Family fla_rwkv6{
    .model_type = "fla_rwkv6",
    .summary = "RWKV-6 as implemented in flash-linear-attention.",
    .classes = {"RWKV6", heads::decoder},
    .backbone = backbone6,
    .own_code = true,
    .format_keys = {.all = always, .one_of = own, .word = "rwkv6"},
};
extern const Family rwkv7{
    .model_type = "rwkv7",
    .summary = "RWKV-7: a linear recurrence with a state for each head, updated by a generalized delta rule.",
    .classes = {"RWKV7", heads::decoder},
    .backbone = backbone7,
    .own_code = true,
};

}  // namespace param_ledger
