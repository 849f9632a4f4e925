#include "core/memory/training.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "core/memory/adapter.hpp"
#include "core/memory/packing.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

enum class Optimizer : std::uint8_t { adamw, adamw_8bit, sgd, sgd_momentum, adafactor, muon };
constexpr std::string_view optimizers[] = {"adamw", "adamw_8bit", "sgd", "sgd_momentum", "adafactor", "muon"};
/// `mixed` computes in 16 bits and keeps a master copy and the optimizer's states in 32 bits. With the other precisions, weights, gradients
/// and states have the named type. 8-bit AdamW and Adafactor store their states in types of their own.
enum class Precision : std::uint8_t { mixed, float32, bfloat16 };
constexpr std::string_view precisions[] = {"mixed", "float32", "bfloat16"};

template <std::size_t n>
std::size_t choice(Json request, std::string_view field, const std::string_view (&words)[n]) {
  const Json given = request[field];
  if (!given || given.is_null()) return 0;
  for (std::size_t i = 0; i < n; ++i)
    if (given.is(Json::Type::string) && given.string() == words[i]) return i;
  std::string all;
  for (const std::string_view word : words) all += concat({all.empty() ? "" : ", ", word});
  throw Error{ErrorCode::out_of_range, std::string(field), concat({field, " must be one of ", all, "."})};
}

/// Bytes of an optimizer's states for one tensor. `width` is the size in bytes of one number in the states, unless the optimizer determines
/// that size itself.
Count state_bytes(Optimizer optimizer, const Trained& t, Count width) {
  const Count n = t.elements();
  switch (optimizer) {
    case Optimizer::adamw: return multiply(2 * width, n);
    case Optimizer::adamw_8bit: {
      // bitsandbytes' 8-bit AdamW keeps two states of one byte per parameter, with a scale per 256 numbers. Tensors with fewer than 4,096
      // parameters keep 32-bit states.
      constexpr Count least = 4096, block = 256;
      return n < least ? 8 * n : 2 * n + 8 * rounded_up(n, block);
    }
    case Optimizer::sgd: return 0;
    case Optimizer::sgd_momentum: return multiply(width, n);
    case Optimizer::adafactor: {
      // Adafactor in transformers keeps one mean per row and per column of a matrix, but a full state for a vector.
      if (t.shape.size() < 2) return 4 * n;
      const Count columns = t.shape.back(), rows = t.shape[t.shape.size() - 2];
      return multiply(4 * (rows + columns), n / std::max<Count>(1, multiply(rows, columns)));
    }
    case Optimizer::muon: break;
  }
  return multiply(t.hidden ? width : 2 * width, n);
}

/// The training settings in the request.
struct Way {
  Optimizer optimizer;
  Precision precision;

  explicit Way(Json request)
      : optimizer(static_cast<Optimizer>(choice(request, "optimizer", optimizers))),
        precision(static_cast<Precision>(choice(request, "precision", precisions))) {}

  /// Bytes per number in computation (`multiplied`) and in the optimizer's states (`kept`).
  [[nodiscard]] Count multiplied() const { return precision == Precision::float32 ? 4 : 2; }
  [[nodiscard]] Count kept() const { return precision == Precision::bfloat16 ? 2 : 4; }
};

/// A parameter that is trained directly, without an adapter.
Adapted itself(const Row& row) {
  Adapted out{{{{}, is_inner_matrix(row)}}, 1};
  for (const Expr e : row.shape) out.tensors.front().shape.push_back(e.peek());
  for (const Expr e : row.repeats) out.copies = multiply(out.copies, e.peek());
  return out;
}

void train(Training& out, const Way& way, const Row& row, const Adapted& adapted) {
  if (adapted.tensors.empty()) return;
  TrainedRow trained{&row};
  for (const Trained& t : adapted.tensors) {
    trained.trained = add(trained.trained, multiply(adapted.copies, t.elements()));
    out.states = add(out.states, multiply(adapted.copies, state_bytes(way.optimizer, t, way.kept())));
  }
  out.trained = add(out.trained, trained.trained);
  out.rows.push_back(trained);
}

void sum_bytes(Training& out, const Way& way) {
  out.weights = multiply(out.trained, way.multiplied());
  out.gradients = multiply(out.trained, way.multiplied());
  if (way.precision == Precision::mixed) out.master = multiply(out.trained, 4);
}

}  // namespace

Training training_of(const Model& model, std::span<const BlockRows> blocks, Json request) {
  const Way way(request);
  const Json lora = request["lora"];
  std::optional<Adapter> adapter;
  if (lora.is(Json::Type::object)) adapter.emplace(model, blocks, lora);
  Training out;
  for (const Row& row : model.builder.rows()) {
    if (adapter) {
      if (row.kind == Kind::parameter) out.frozen = add(out.frozen, row.total.peek());
      train(out, way, row, adapter->of(row));
    } else if (row.kind == Kind::parameter) {
      train(out, way, row, itself(row));
    }
  }
  if (adapter) {
    out.unknown = adapter->refusal();
    out.note = adapter->unmatched();
  }
  sum_bytes(out, way);
  return out;
}

Training training_of(std::span<const Row> rows, Json request) {
  const Way way(request);
  if (const Json lora = request["lora"]; lora && !lora.is_null())
    throw Error{ErrorCode::unsupported, "lora",
                "How adapters are divided among devices is not known. Leave out lora to train all parameters."};
  Training out;
  for (const Row& row : rows)
    if (row.kind == Kind::parameter) train(out, way, row, itself(row));
  sum_bytes(out, way);
  return out;
}

}  // namespace param_ledger
