#include "core/nn/layers.hpp"

#include "core/builder/blocks.hpp"
#include "core/config/config.hpp"
#include "core/config/constraints.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

Count power_of_two(std::size_t times) {
  constexpr std::size_t most_stages = 50;
  if (times > most_stages)
    throw Error{.code = ErrorCode::too_large, .field = {}, .message = "There are too many stages that double or halve a width."};
  return Count{1} << times;
}

Mechanism mechanism_of(Norm kind) {
  switch (kind) {
    case Norm::none: break;
    case Norm::rms: return Mechanism::rms_norm;
    case Norm::unbiased: return Mechanism::unbiased_layer_norm;
    case Norm::layer: return Mechanism::layer_norm;
    case Norm::group: return Mechanism::group_norm;
    case Norm::cumulative: return Mechanism::cumulative_norm;
  }
  return Mechanism::unspecified;
}

}  // namespace

void linear(Builder& b, Text name, Expr in, Expr out, bool bias, TensorRole role) {
  b.scope(role, name, [&] {
    b.parameter("weight", {out, in}, StorageKind::matrix);
    if (bias) b.parameter("bias", {out});
  });
}

void query_key_value(Builder& b, Expr in, Expr out, bool bias) {
  linear(b, "q_proj", in, out, bias, TensorRole::query);
  linear(b, "k_proj", in, out, bias, TensorRole::key);
  linear(b, "v_proj", in, out, bias, TensorRole::value);
}

void pooler(Builder& b, Text name, Expr width) {
  b.part(Part::output_head, [&] {
    const InBlock block(b, {Mechanism::pooler});
    linear(b, name, width, width, true);
  });
}

void conv1d_linear(Builder& b, Text name, Expr in, Expr out, TensorRole role) {
  b.scope(role, name, [&] {
    const InBlock block(b, {.transposed = true});
    b.parameter("weight", {in, out}, StorageKind::matrix);
    b.parameter("bias", {out});
  });
}

Tensor embedding(Builder& b, Text name, Expr rows, Expr width, TensorRole role) {
  Tensor out;
  b.scope(Part::embedding, "", [&] { b.scope(role, name, [&] { out = b.parameter("weight", {rows, width}, StorageKind::table); }); });
  return out;
}

Tensor table(Builder& b, Text name, Expr rows, Expr width) {
  Tensor out;
  b.scope(name, [&] { out = b.parameter("weight", {rows, width}, StorageKind::table); });
  return out;
}

void norm(Builder& b, Norm kind, Text name, Expr width, TensorRole role) {
  if (kind == Norm::none) return;
  b.part(Part::norm, [&] {
    const InBlock block(b, {mechanism_of(kind)});
    b.scope(role, name, [&] {
      b.parameter("weight", {width});
      if (kind == Norm::layer || kind == Norm::group) b.parameter("bias", {width});
    });
  });
}

void convolution(Builder& b, Text name, Expr in, Expr out, std::initializer_list<Expr> kernel, bool bias) {
  b.scope_by_default(Part::convolution, name, [&] {
    const Expr* const k = kernel.begin();
    switch (kernel.size()) {
      case 1: b.parameter("weight", {out, in, k[0]}, StorageKind::kernel); break;
      case 2: b.parameter("weight", {out, in, k[0], k[1]}, StorageKind::kernel); break;
      default: b.parameter("weight", {out, in, k[0], k[1], k[2]}, StorageKind::kernel); break;
    }
    if (bias) b.parameter("bias", {out});
  });
}

void conv1d(Builder& b, Text name, Expr in, Expr out, Size kernel, bool bias) {
  convolution(b, name, in, out, {kernel.in(b.pool())}, bias);
}

void conv2d(Builder& b, Text name, Expr in, Expr out, Kernel kernel, bool bias) {
  convolution(b, name, in, out, {kernel.height.in(b.pool()), kernel.width.in(b.pool())}, bias);
}

void patch_embedding(Builder& b, Text name, Expr in, Expr out, Kernel patch, bool bias) {
  const InBlock block(b, {Mechanism::patch_embedding});
  conv2d(b, name, in, out, patch, bias);
}

void tubelet_embedding(Builder& b, Text name, Expr in, Expr out, std::initializer_list<Expr> tubelet, bool bias) {
  const InBlock block(b, {Mechanism::patch_embedding});
  convolution(b, name, in, out, tubelet, bias);
}

void depthwise_conv1d(Builder& b, Text name, Expr channels, Size kernel, bool bias) {
  conv1d(b, name, b.pool().literal(1), channels, kernel, bias);
}

void depthwise_conv2d(Builder& b, Text name, Expr channels, Kernel kernel, bool bias) {
  conv2d(b, name, b.pool().literal(1), channels, kernel, bias);
}

void transposed_conv1d(Builder& b, Text name, Expr in, Expr out, Size kernel, bool bias) {
  const InBlock block(b, {.transposed = true});
  conv1d(b, name, out, in, kernel, false);
  if (bias) b.scope_by_default(Part::convolution, name, [&] { b.parameter("bias", {out}); });
}

void transposed_conv2d(Builder& b, Text name, Expr in, Expr out, Kernel kernel, bool bias) {
  const InBlock block(b, {.transposed = true});
  conv2d(b, name, out, in, kernel, false);
  if (bias) b.scope_by_default(Part::convolution, name, [&] { b.parameter("bias", {out}); });
}

Expr per_group(Expr in, Expr groups) {
  require_multiple(in, groups);
  return floor_divide(in, groups);
}

Expr times_power_of_two(Expr base, std::size_t times) { return times == 0 ? base : static_cast<std::uint64_t>(power_of_two(times)) * base; }

Expr divided_by_power_of_two(Expr base, std::size_t times) {
  return times == 0 ? base : floor_divide(base, base.node()->pool->literal(power_of_two(times)));
}

void batch_norm(Builder& b, Text name, Expr channels, BatchNorm kind) {
  if (b.is_frozen()) kind = BatchNorm::frozen;
  b.scope(Part::norm, name, [&] {
    const InBlock block(b, {Mechanism::batch_norm});
    for (const Text learned : {"weight", "bias"}) {
      if (kind == BatchNorm::whole) b.parameter(learned, {channels});
      if (kind == BatchNorm::frozen) b.buffer(learned, {channels});
    }
    b.buffer("running_mean", {channels});
    b.buffer("running_var", {channels});
    if (kind != BatchNorm::frozen) b.buffer("num_batches_tracked", {});
  });
}

void normed_kernel(Builder& b, WeightNorm kind, Expr first, Expr second, Size kernel, bool by_kernel) {
  const Expr k = kernel.in(b.pool()), one = b.pool().literal(1);
  const bool plain = kind == WeightNorm::plain;
  if (kind == WeightNorm::none) {
    b.parameter("weight", {first, second, k}, StorageKind::kernel);
    return;
  }
  b.parameter(plain ? "weight_g" : "parametrizations.weight.original0", {by_kernel ? one : first, one, by_kernel ? k : one});
  b.parameter(plain ? "weight_v" : "parametrizations.weight.original1", {first, second, k}, StorageKind::kernel);
}

void normed_conv1d(Builder& b, WeightNorm kind, Text name, Expr in, Expr out, Size kernel, bool bias) {
  b.scope_by_default(Part::convolution, name, [&] {
    normed_kernel(b, kind, out, in, kernel);
    if (bias) b.parameter("bias", {out});
  });
}

void normed_transposed_conv1d(Builder& b, WeightNorm kind, Text name, Expr in, Expr out, Size kernel, bool bias) {
  b.scope_by_default(Part::convolution, name, [&] {
    const InBlock block(b, {.transposed = true});
    normed_kernel(b, kind, in, out, kernel);
    if (bias) b.parameter("bias", {out});
  });
}

Tensor tokens(Builder& b, Text name, Size count, Expr width, TensorRole role) {
  Tensor out;
  b.scope(role, name, [&] { out = b.parameter("", {b.pool().literal(1), count.in(b.pool()), width}, StorageKind::table); });
  return out;
}

void layer_scale(Builder& b, Text name, Expr width) { b.parameter(name, {width}); }

void multihead_attention(Builder& b, Text name, Expr hidden) {
  b.scope(Part::attention, name, [&] {
    const InBlock block(b, {Mechanism::attention});
    b.scope(TensorRole::query_key_value, "", [&] {
      b.parameter("in_proj_weight", {3 * hidden, hidden}, StorageKind::matrix);
      b.parameter("in_proj_bias", {3 * hidden});
    });
    linear(b, "out_proj", hidden, hidden, true, TensorRole::output);
  });
}

void lstm(Builder& b, Text name, Expr in, Expr hidden, Expr n_layers, bool both_ways) {
  require_positive(hidden);
  require_positive(n_layers);
  b.scope(name, [&] {
    const InBlock block(b, {Mechanism::lstm});
    for (Count layer = 0; layer < n_layers.decide(); ++layer) {
      const Expr from = layer == 0 ? in : both_ways ? 2 * hidden : hidden;
      for (const Text way : {"", "_reverse"}) {
        if (way == "_reverse" && !both_ways) continue;
        const std::string end = concat({"_l", digits(layer), way});
        b.parameter(concat({"weight_ih", end}), {4 * hidden, from}, StorageKind::matrix);
        b.parameter(concat({"weight_hh", end}), {4 * hidden, hidden}, StorageKind::matrix);
        b.parameter(concat({"bias_ih", end}), {4 * hidden});
        b.parameter(concat({"bias_hh", end}), {4 * hidden});
      }
    }
  });
}

}  // namespace param_ledger
