#include "core/layers.hpp"

#include "core/error.hpp"

namespace param_ledger {

void linear(Builder& b, Text name, Expr in, Expr out, bool bias) {
  b.scope(name, [&] {
    b.parameter("weight", {out, in}, Role::matrix);
    if (bias) b.parameter("bias", {out});
  });
}

void conv1d_linear(Builder& b, Text name, Expr in, Expr out) {
  b.scope(name, [&] {
    b.parameter("weight", {in, out}, Role::matrix);
    b.parameter("bias", {out});
  });
}

Tensor embedding(Builder& b, Text name, Expr rows, Expr width) {
  Tensor out;
  b.part(Part::embedding, [&] { out = table(b, name, rows, width); });
  return out;
}

Tensor table(Builder& b, Text name, Expr rows, Expr width) {
  Tensor out;
  b.scope(name, [&] { out = b.parameter("weight", {rows, width}, Role::table); });
  return out;
}

void norm(Builder& b, Norm kind, Text name, Expr width) {
  if (kind == Norm::none) return;
  b.scope(Part::norm, name, [&] {
    b.parameter("weight", {width});
    if (kind == Norm::layer) b.parameter("bias", {width});
  });
}

void depthwise_conv1d(Builder& b, Text name, Expr channels, Expr kernel, bool bias) {
  convolution(b, name, b.pool().literal(1), channels, {kernel}, bias);
}

void convolution(Builder& b, Text name, Expr in, Expr out, std::initializer_list<Expr> kernel, bool bias) {
  b.scope(name, [&] {
    const Expr* const k = kernel.begin();
    switch (kernel.size()) {
      case 1: b.parameter("weight", {out, in, k[0]}, Role::kernel); break;
      case 2: b.parameter("weight", {out, in, k[0], k[1]}, Role::kernel); break;
      default: b.parameter("weight", {out, in, k[0], k[1], k[2]}, Role::kernel); break;
    }
    if (bias) b.parameter("bias", {out});
  });
}

}  // namespace param_ledger
