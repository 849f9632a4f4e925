#include "core/nn/text/legacy_buffers.hpp"

namespace param_ledger {

void legacy_causal_mask(Builder& b, Text name, Expr positions) {
  b.beside(Kind::possible, "A constant that transformers saved with the model until 2023: the causal mask.", [&] {
    b.scope(Part::attention, name, [&] {
      b.parameter("bias", {b.pool().literal(1), b.pool().literal(1), positions, positions});
      b.parameter("masked_bias", {});
    });
  });
}

void legacy_frequencies(Builder& b, Text name, Expr dimensions) {
  b.beside(Kind::possible, "A constant that transformers saved with the model until 2023: the RoPE frequencies.",
           [&] { b.scope(Part::attention, name, [&] { b.parameter("inv_freq", {ceil_divide(dimensions, b.pool().literal(2))}); }); });
}

void legacy_positions(Builder& b, Expr positions) {
  b.beside(Kind::possible, "A constant that transformers saved with the model until 2023: the position ids, from 0.", [&] {
    b.part(Part::embedding, [&] { b.parameter("position_ids", {b.pool().literal(1), positions}); });
  });
}

}  // namespace param_ledger
