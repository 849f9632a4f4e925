#include "core/training.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/error.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

enum class Optimizer : std::uint8_t { adamw, adamw_8bit, sgd, sgd_momentum, adafactor, muon };
constexpr std::string_view optimizers[] = {"adamw", "adamw_8bit", "sgd", "sgd_momentum", "adafactor", "muon"};
/// Mixed: multiplied in 16 bits, with a copy and states in 32. Else everything in that type.
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

Count up(Count a, Count b) { return (a + b - 1) / b; }

/// A tensor that is trained.
struct Trained {
  std::vector<Count> shape;
  bool hidden;  ///< a matrix of the layers, which Muon takes

  [[nodiscard]] Count elements() const {
    Count out = 1;
    for (const Count e : shape) out = multiply(out, e);
    return out;
  }
};

/// Bytes of an optimizer's states for one tensor, whose numbers take `width` bytes where states are kept.
Count state_bytes(Optimizer optimizer, const Trained& t, Count width) {
  const Count n = t.elements();
  switch (optimizer) {
    case Optimizer::adamw: return multiply(2 * width, n);
    case Optimizer::adamw_8bit: {
      // bitsandbytes: two states of a byte with a scale for each 256; small tensors keep 32 bits.
      constexpr Count least = 4096, block = 256;
      return n < least ? 8 * n : 2 * n + 8 * up(n, block);
    }
    case Optimizer::sgd: return 0;
    case Optimizer::sgd_momentum: return multiply(width, n);
    case Optimizer::adafactor: {
      // transformers: a mean for each row and for each column; vectors whole.
      if (t.shape.size() < 2) return 4 * n;
      const Count columns = t.shape.back(), rows = t.shape[t.shape.size() - 2];
      return multiply(4 * (rows + columns), n / std::max<Count>(1, multiply(rows, columns)));
    }
    case Optimizer::muon: break;
  }
  return multiply(t.hidden ? width : 2 * width, n);
}

bool in_layers(const Row& row) { return row.role == Role::matrix && row.part != Part::output_head && row.part != Part::embedding; }

/// Experts, which transformers keep as one tensor and no linear layer.
bool is_expert(const Row& row) { return row.shape.size() != 2 || row.name.find("experts.[") != std::string::npos; }

/// What peft's target_modules match: modules by their last segments, or every linear layer ("all-linear").
bool is_target(const Row& row, Json target_modules) {
  constexpr std::string_view weight = ".weight";
  std::string_view module = row.name;
  if (row.kind != Kind::parameter) return false;
  if (module.ends_with(weight)) module.remove_suffix(weight.size());
  const bool linear = row.role == Role::matrix && row.part != Part::router;
  if (target_modules.is(Json::Type::string)) return linear && row.part != Part::output_head;
  if (!linear && row.role != Role::table) return false;
  for (const auto& [_, given] : target_modules.members()) {  // NOLINT(readability-use-anyofallof): its iterators are too plain for that
    const std::string_view name = given.is(Json::Type::string) ? given.string() : std::string_view();
    if (module == name || (module.size() > name.size() && module.ends_with(name) && module[module.size() - name.size() - 1] == '.'))
      return true;
  }
  return false;
}

}  // namespace

Training training_of(const Builder& b, Json request) {
  const auto optimizer = static_cast<Optimizer>(choice(request, "optimizer", optimizers));
  const auto precision = static_cast<Precision>(choice(request, "precision", precisions));
  const Json lora = request["lora"];
  const bool adapts = lora.is(Json::Type::object);
  Count rank = 0;
  if (adapts) {
    const Json given = lora["r"], targets = lora["target_modules"];
    if (!given.is(Json::Type::integer) || given.negative() || given.magnitude() == 0 || given.magnitude() > (1U << 20U))
      throw Error{ErrorCode::out_of_range, "r", "r must be a whole number, at least 1."};
    if (!targets.is(Json::Type::list) && !(targets.is(Json::Type::string) && targets.string() == "all-linear"))
      throw Error{ErrorCode::wrong_type, "target_modules", "target_modules must be a list of module names, or \"all-linear\"."};
    rank = given.magnitude();
  }
  Training out;
  const Count multiplied = precision == Precision::float32 ? 4 : 2, kept = precision == Precision::bfloat16 ? 2 : 4;
  for (const Row& row : b.rows()) {
    if (row.kind != Kind::parameter) continue;
    Count copies = 1;
    for (const Expr e : row.repeats) copies = multiply(copies, e.value());
    std::vector<Trained> tensors;
    if (!adapts) {
      Trained whole{{}, in_layers(row)};
      for (const Expr e : row.shape) whole.shape.push_back(e.value());
      tensors.push_back(std::move(whole));
    } else {
      out.frozen = add(out.frozen, row.total.value());
      if (!is_target(row, lora["target_modules"])) continue;
      if (is_expert(row))
        throw Error{ErrorCode::unsupported, "target_modules",
                    concat({"target_modules match ", row.name,
                            ", which transformers keeps in one tensor with others: how peft adapts that is not counted here."})};
      tensors.push_back({{rank, row.shape[1].value()}, true});
      tensors.push_back({{row.shape[0].value(), rank}, true});
    }
    TrainedRow trained{&row};
    for (const Trained& t : tensors) {
      trained.trained = add(trained.trained, multiply(copies, t.elements()));
      out.states = add(out.states, multiply(copies, state_bytes(optimizer, t, kept)));
    }
    out.trained = add(out.trained, trained.trained);
    out.rows.push_back(trained);
  }
  out.weights = multiply(out.trained, multiplied);
  out.gradients = multiply(out.trained, multiplied);
  if (precision == Precision::mixed) out.master = multiply(out.trained, 4);
  return out;
}

}  // namespace param_ledger
