#include "core/memory/training.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>

#include "core/builder/row_names.hpp"
#include "core/memory/packing.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

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
      return n < least ? 8 * n : 2 * n + 8 * rounded_up(n, block);
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

bool is_inner_matrix(const Row& row) {
  return row.role == StorageKind::matrix && !row.in_text(Part::output_head) && !row.in_text(Part::embedding);
}

// --- Adapters, as peft adds them --------------------------------------------------------------------------------------

/// The modules of one expert, in the two spellings that there are.
struct ExpertModules {
  Text gate, up, down;
};
constexpr ExpertModules expert_modules[] = {{"gate_proj", "up_proj", "down_proj"}, {"w1", "w3", "w2"}};

/// Part of a mixture's experts: half of what leads in stands under the gate's name where files hold both apart.
enum class ExpertSide : std::uint8_t { none, in, half, out };

bool ends_with_name(std::string_view whole, std::string_view name) {
  return whole == name || (whole.size() > name.size() && whole.ends_with(name) && whole[whole.size() - name.size() - 1] == '.');
}

ExpertSide experts_of(const Row& row) {
  const std::string_view module = without_weight(row.name);
  if (!row.in_text(Part::feed_forward) || row.role != StorageKind::matrix) return ExpertSide::none;
  if (row.shape.size() == 3) return module.ends_with("down_proj") || module.ends_with("output_linear") ? ExpertSide::out : ExpertSide::in;
  if (row.name.find("experts.[") == std::string::npos) return ExpertSide::none;
  for (const ExpertModules& m : expert_modules) {
    if (ends_with_name(module, m.gate)) return ExpertSide::in;
    if (ends_with_name(module, m.up)) return ExpertSide::half;
  }
  return ExpertSide::out;
}

/// What an adapter's request says of a model: which rows it adapts, and by which rank.
class Adapter {
 public:
  Adapter(const Builder& b, PeftExperts peft, Json lora) : peft_(peft) {
    const Json rank = lora["r"], modules = lora["target_modules"], parameters = lora["target_parameters"];
    if (!rank.is(Json::Type::integer) || rank.negative() || rank.magnitude() == 0 || rank.magnitude() > (1U << 20U))
      throw Error{ErrorCode::out_of_range, "r", "r must be a whole number, at least 1."};
    const bool word = modules.is(Json::Type::string);
    if (!modules.is(Json::Type::list) && !(word && modules.string() == "all-linear"))
      throw Error{ErrorCode::wrong_type, "target_modules", "target_modules must be a list of module names, or \"all-linear\"."};
    if (parameters && !parameters.is_null() && !parameters.is(Json::Type::list))
      throw Error{ErrorCode::wrong_type, "target_parameters", "target_parameters must be a list of names of parameters."};
    rank_ = rank.magnitude();
    all_linear_ = word;
    for (const auto& [_, given] : modules.members())
      if (given.is(Json::Type::string)) modules_.push_back(given.string());
    for (const auto& [_, given] : parameters.members())
      if (given.is(Json::Type::string)) parameters_.push_back(given.string());
    mixes_ = std::any_of(b.rows().begin(), b.rows().end(), [](const Row& row) { return row.in_text(Part::router); });
    if (mixes_ && peft_ == PeftExperts::converted) convert(b);
  }

  /// The tensors that it adds to one copy of a row; `experts`: of all copies together.
  std::vector<Trained> of(const Row& row, Count copies, std::string& unknown) const {
    if (row.kind != Kind::parameter) return {};
    const ExpertSide experts = experts_of(row);
    if (experts != ExpertSide::none) return of_experts(row, experts, copies, unknown);
    if (row.in_text(Part::router) && row.role == StorageKind::matrix) return of_router(row, unknown);
    if (!is_linear_target(row)) {
      if (std::any_of(parameters_.begin(), parameters_.end(), [&](std::string_view name) { return ends_with_name(row.name, name); }))
        unknown = concat({"target_parameters match ", row.name, ": peft adapts the module that it belongs to, by target_modules."});
      return {};
    }
    if (mixes_ && is_unknown() && row.in_text(Part::feed_forward)) unknown = not_known(row);
    return pair(row.shape[0].value(), row.shape[1].value(), rank_);
  }

 private:
  static std::vector<Trained> pair(Count out, Count in, Count rank) { return {{{rank, in}, true}, {{out, rank}, true}}; }

  [[nodiscard]] bool is_unknown() const { return peft_ == PeftExperts::unknown; }

  static std::string not_known(const Row& row) {
    return concat({"How peft adapts ", row.name, " in a mixture of this model type is not known here."});
  }

  /// Names of experts' modules become names of parameters, and match no module any more.
  void convert(const Builder& b) {
    const bool short_names = std::any_of(b.rows().begin(), b.rows().end(), [](const Row& row) {
      return experts_of(row) != ExpertSide::none && ends_with_name(without_weight(row.name), expert_modules[1].gate);
    });
    const ExpertModules& names = expert_modules[short_names ? 1 : 0];
    taken_ = {"gate", names.gate, names.up, names.down};
    const auto take = [&](std::string_view name) {
      const auto first =
          std::remove_if(modules_.begin(), modules_.end(), [&](std::string_view given) { return ends_with_name(given, name); });
      const bool found = first != modules_.end() || all_linear_;
      modules_.erase(first, modules_.end());
      return found;
    };
    const bool gate = take(names.gate), up = take(names.up);
    fused_by_half_ = gate != up;
    if (gate && up) {
      parameters_.emplace_back("gate_up_proj");
      in_rank_ = 2;
    }
    if (take(names.down)) parameters_.emplace_back("down_proj");
    if (take("gate")) parameters_.emplace_back("gate.weight");
  }

  [[nodiscard]] bool is_named(std::string_view module) const {
    return std::any_of(modules_.begin(), modules_.end(), [&](std::string_view name) { return ends_with_name(module, name); });
  }

  /// Linear layers, and tables where they are named.
  [[nodiscard]] bool is_linear_target(const Row& row) const {
    const std::string_view module = without_weight(row.name);
    if (row.shape.size() != 2) return false;
    if (row.role != StorageKind::matrix) return row.role == StorageKind::table && is_named(module);
    if (!all_linear_) return is_named(module);
    if (row.in_text(Part::output_head)) return false;
    return std::none_of(taken_.begin(), taken_.end(), [&](std::string_view name) { return ends_with_name(module, name); });
  }

  std::vector<Trained> of_router(const Row& row, std::string& unknown) const {
    const bool module = all_linear_ ? is_unknown() || peft_ == PeftExperts::router_apart : is_named(without_weight(row.name));
    const bool parameter =
        std::any_of(parameters_.begin(), parameters_.end(), [&](std::string_view name) { return ends_with_name(row.name, name); });
    if (!module && !parameter) return {};
    if (is_unknown() || (module && peft_ != PeftExperts::router_apart) || (parameter && peft_ != PeftExperts::converted))
      unknown = not_known(row);
    return pair(row.shape[0].value(), row.shape[1].value(), rank_);
  }

  std::vector<Trained> of_experts(const Row& row, ExpertSide experts, Count copies, std::string& unknown) const {
    if (fused_by_half_) {
      unknown = "peft adapts gate and up of experts together, or neither: they are one parameter.";
      return {};
    }
    const Text name = experts == ExpertSide::out ? Text("experts.down_proj") : Text("experts.gate_up_proj");
    const bool parameter = std::any_of(parameters_.begin(), parameters_.end(), [&](std::string_view given) {
      return ends_with_name(name, given) || ends_with_name(row.name, given);
    });
    // Types that are not known may keep each expert as linear layers.
    if (is_unknown() && (parameter || all_linear_ || is_named(without_weight(row.name)))) unknown = not_known(row);
    if (is_unknown() || !parameter || experts == ExpertSide::half) return {};
    const std::size_t last = row.shape.size() - 1;
    const bool apart = row.shape.size() == 2;
    const Count count = apart ? copies : row.shape[0].value();
    const Count out = row.shape[last - 1].value(), in = row.shape[last].value();
    if (experts == ExpertSide::out) return pair(out, in, rank_ * count);
    return pair(apart ? 2 * out : out, in, in_rank_ * rank_ * count);
  }

  PeftExperts peft_;
  bool mixes_ = false, all_linear_ = false, fused_by_half_ = false;
  Count rank_ = 0, in_rank_ = 1;
  std::vector<std::string_view> modules_, parameters_;
  std::vector<std::string_view> taken_;  ///< names that stand for parameters of a mixture alone
};

}  // namespace

Training training_of(const Builder& b, PeftExperts peft, Json request) {
  const auto optimizer = static_cast<Optimizer>(choice(request, "optimizer", optimizers));
  const auto precision = static_cast<Precision>(choice(request, "precision", precisions));
  const Json lora = request["lora"];
  std::optional<Adapter> adapter;
  if (lora.is(Json::Type::object)) adapter.emplace(b, peft, lora);
  Training out;
  const Count multiplied = precision == Precision::float32 ? 4 : 2, kept = precision == Precision::bfloat16 ? 2 : 4;
  for (const Row& row : b.rows()) {
    if (row.kind != Kind::parameter) continue;
    Count copies = 1;
    for (const Expr e : row.repeats) copies = multiply(copies, e.value());
    std::vector<Trained> tensors;
    if (!adapter) {
      Trained whole{{}, is_inner_matrix(row)};
      for (const Expr e : row.shape) whole.shape.push_back(e.value());
      tensors.push_back(std::move(whole));
    } else {
      out.frozen = add(out.frozen, row.total.value());
      // Experts that are told apart share one adapter in each layer.
      const bool apart = experts_of(row) != ExpertSide::none && row.shape.size() == 2;
      const Count experts = apart ? row.repeats.back().value() : 1;
      tensors = adapter->of(row, experts, out.unknown);
      if (tensors.empty()) continue;
      copies /= experts;
    }
    TrainedRow trained{&row};
    for (const Trained& t : tensors) {
      trained.trained = add(trained.trained, multiply(copies, t.elements()));
      out.states = add(out.states, multiply(copies, state_bytes(optimizer, t, kept)));
    }
    out.trained = add(out.trained, trained.trained);
    out.rows.push_back(trained);
  }
  if (adapter && out.rows.empty() && out.unknown.empty()) out.unknown = "Nothing in this model has one of these names.";
  out.weights = multiply(out.trained, multiplied);
  out.gradients = multiply(out.trained, multiplied);
  if (precision == Precision::mixed) out.master = multiply(out.trained, 4);
  return out;
}

}  // namespace param_ledger
