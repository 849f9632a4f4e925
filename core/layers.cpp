#include "core/layers.hpp"

namespace param_ledger {

void linear(Builder& b, std::string_view name, Expr in, Expr out, bool bias) {
  b.scope(name, [&] {
    b.parameter("weight", {out, in});
    if (bias) b.parameter("bias", {out});
  });
}

void conv1d_linear(Builder& b, std::string_view name, Expr in, Expr out) {
  b.scope(name, [&] {
    b.parameter("weight", {in, out});
    b.parameter("bias", {out});
  });
}

void embedding(Builder& b, std::string_view name, Expr rows, Expr width) {
  b.part(Part::embedding, [&] { b.scope(name, [&] { b.parameter("weight", {rows, width}); }); });
}

void rms_norm(Builder& b, std::string_view name, Expr width) {
  b.part(Part::norm, [&] { b.scope(name, [&] { b.parameter("weight", {width}); }); });
}

void layer_norm(Builder& b, std::string_view name, Expr width) {
  b.part(Part::norm, [&] {
    b.scope(name, [&] {
      b.parameter("weight", {width});
      b.parameter("bias", {width});
    });
  });
}

void depthwise_conv1d(Builder& b, std::string_view name, Expr channels, Expr kernel, bool bias) {
  b.scope(name, [&] {
    b.parameter("weight", {channels, channels.node()->pool->literal(1), kernel});
    if (bias) b.parameter("bias", {channels});
  });
}

}  // namespace param_ledger
