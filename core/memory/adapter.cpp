#include "core/memory/adapter.hpp"

#include <algorithm>
#include <optional>

#include "core/builder/row_names.hpp"
#include "core/support/error.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The module names of the three projections in one expert, in the two naming schemes that are handled here.
struct ExpertModules {
  Text gate, up, down;
};
constexpr ExpertModules expert_modules[] = {{"gate_proj", "up_proj", "down_proj"}, {"w1", "w3", "w2"}};

/// Which of the experts' projections a matrix is. `in`: a stacked matrix other than a down projection, or the gate projection of a
/// separately stored expert, which also represents the up projection. `half`: such an expert's up projection. `out`: a stacked down
/// projection, or any other matrix of a separately stored expert.
enum class ExpertSide : std::uint8_t { none, in, half, out };

bool ends_with_name(std::string_view whole, std::string_view name) {
  return whole == name || (whole.size() > name.size() && whole.ends_with(name) && whole[whole.size() - name.size() - 1] == '.');
}

ExpertSide side_of(const Row& row) {
  const std::string_view module = without_weight(row.name);
  if (!row.in_text(Part::feed_forward) || row.storage != StorageKind::matrix) return ExpertSide::none;
  if (row.shape.size() == 3) return module.ends_with("down_proj") || module.ends_with("output_linear") ? ExpertSide::out : ExpertSide::in;
  if (row.name.find("experts.[") == std::string::npos) return ExpertSide::none;
  for (const ExpertModules& m : expert_modules) {
    if (ends_with_name(module, m.gate)) return ExpertSide::in;
    if (ends_with_name(module, m.up)) return ExpertSide::half;
  }
  return ExpertSide::out;
}

Count copies_of(const Row& row) {
  Count out = 1;
  for (const Expr e : row.repeats) out = multiply(out, e.peek());
  return out;
}

bool holds_index(std::string_view range, std::string_view index) {
  const std::optional<std::uint64_t> wanted = parse_integer<std::uint64_t>(index);
  if (!wanted || !index.empty()) return false;  // the requested segment is a literal name, which cannot match an index
  const std::vector<Run> runs = spelled(range);
  return std::any_of(runs.begin(), runs.end(), [&](Run run) { return run.first <= *wanted && *wanted <= run.last; });
}

/// Compares a requested name with the end of a module's name. Returns the index that the request chooses in each range of indices, or "*"
/// for a whole range; none if the name does not match.
std::optional<std::vector<std::string_view>> picks_of(std::string_view module, std::string_view name) {
  const std::vector<std::string_view> whole = segments_of(module), given = segments_of(name);
  if (given.empty() || given.size() > whole.size()) return std::nullopt;
  std::vector<std::string_view> picks;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const bool range = whole[i].starts_with('[');
    const std::size_t before = whole.size() - given.size();
    if (i < before) {
      if (range) picks.emplace_back("*");
    } else if (range) {
      if (!holds_index(whole[i], given[i - before])) return std::nullopt;
      picks.push_back(given[i - before]);
    } else if (whole[i] != given[i - before]) {
      return std::nullopt;
    }
  }
  return picks;
}

std::vector<Trained> pair(Count out, Count in, Count rank) { return {{{rank, in}, true}, {{out, rank}, true}}; }

}  // namespace

bool is_inner_matrix(const Row& row) {
  return row.storage == StorageKind::matrix && !row.in_text(Part::output_head) && !row.in_text(Part::embedding);
}

Count Trained::elements() const {
  Count out = 1;
  for (const Count e : shape) out = multiply(out, e);
  return out;
}

Adapter::Adapter(const Model& model, std::span<const BlockRows> blocks, Json lora)
    : model_(model),
      blocks_(blocks),
      peft_(model.choice.family->peft),
      type_(model.choice.family->model_type),
      renames_(module_renames(type_)) {
  const Json rank = lora["r"], modules = lora["target_modules"], dora = lora["use_dora"];
  if (!rank.is(Json::Type::integer) || rank.negative() || rank.magnitude() == 0 || rank.magnitude() > (1U << 20U))
    throw Error{ErrorCode::out_of_range, "r", "r must be a whole number, at least 1."};
  all_linear_ = modules.is(Json::Type::string) && same_folded(modules.string(), "all-linear");
  if (!modules.is(Json::Type::list) && !all_linear_)
    throw Error{ErrorCode::wrong_type, "target_modules", "target_modules must be a list of module names, or \"all-linear\"."};
  const auto names = [&](std::string_view field, std::string_view of_what) {
    const Json given = lora[field];
    if (given && !given.is_null() && !given.is(Json::Type::list))
      throw Error{ErrorCode::wrong_type, std::string(field), concat({field, " must be a list of names of ", of_what, "."})};
    Targets out;
    for (const auto& [_, name] : given.members())
      if (name.is(Json::Type::string) && !name.string().empty()) out.push_back({std::string(name.string())});
    return out;
  };
  rank_ = rank.magnitude();
  if (!all_linear_) modules_ = names("target_modules", "modules");
  parameters_ = names("target_parameters", "parameters");
  saved_ = names("modules_to_save", "modules");
  dora_ = dora.is(Json::Type::boolean) && dora.boolean();
  if (has_other_modules(type_)) refuse("How transformers names the modules of this model type is not known.");
  const std::vector<Row>& rows = model.builder.rows();
  mixes_ = std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.in_text(Part::router); });
  if (mixes_ && peft_ == PeftExperts::converted) convert();
}

std::string Adapter::refusal() const {
  if (!refusal_.empty() || adapts_) return refusal_;
  return "Nothing in this model has any of these names.";
}

std::string Adapter::unmatched() const {
  std::string out;
  for (const Targets* targets : {&modules_, &parameters_, &saved_})
    for (const Target& target : *targets)
      if (!target.matched) out += concat({out.empty() ? "Nothing in this model is named " : ", ", clipped(target.name, 60)});
  return out.empty() ? out : out + ".";
}

void Adapter::refuse(std::string why) {
  if (refusal_.empty()) refusal_ = std::move(why);
}

/// Replaces names in target_modules: the router by its weight, the down projection of experts by the parameter that holds all of them, and
/// the gate and up projections, if both are named, by their common parameter. The replaced names no longer match modules.
void Adapter::convert() {
  const std::vector<Row>& rows = model_.builder.rows();
  const bool short_names = std::any_of(rows.begin(), rows.end(), [](const Row& row) {
    return side_of(row) != ExpertSide::none && ends_with_name(without_weight(row.name), expert_modules[1].gate);
  });
  const ExpertModules& names = expert_modules[short_names ? 1 : 0];
  taken_ = {"gate", names.gate, names.up, names.down};
  const auto take = [&](std::string_view name) {
    const auto first = std::remove_if(modules_.begin(), modules_.end(), [&](const Target& t) { return ends_with_name(t.name, name); });
    const bool found = first != modules_.end() || all_linear_;
    modules_.erase(first, modules_.end());
    return found;
  };
  const bool gate = take(names.gate), up = take(names.up);
  fused_by_half_ = gate != up;
  if (gate && up) {
    parameters_.push_back({"gate_up_proj", true});
    in_rank_ = 2;
  }
  if (take(names.down)) parameters_.push_back({"down_proj", true});
  if (take("gate")) parameters_.push_back({"gate.weight", true});
}

bool Adapter::is_taken(std::string_view module) const {
  return std::any_of(taken_.begin(), taken_.end(), [&](std::string_view name) { return ends_with_name(module, name); });
}

/// The name that transformers gives to the row's tensor.
std::string Adapter::name_of(const Row& row) const {
  constexpr std::string_view block = ".block_sparse_moe.";
  const std::string_view module = without_weight(row.name);
  std::string out = concat({renamed(renames_, std::string(module)), std::string_view(row.name).substr(module.size())});
  // In these types, what checkpoints call block_sparse_moe is called mlp in transformers.
  if (const std::size_t at = out.find(block); at != std::string::npos && peft_ == PeftExperts::converted)
    out.replace(at, block.size(), ".mlp.");
  return out;
}

/// The name of the parameter that holds the row's experts: "model.layers.[0-31].mlp.experts.gate_up_proj".
std::string Adapter::experts_name(const Row& row, bool out) const {
  constexpr std::string_view experts = ".experts";
  const std::string name = name_of(row);
  const std::size_t at = name.find(experts);
  const std::string_view holder = at == std::string::npos ? module_of(without_weight(name)) : std::string_view(name).substr(0, at);
  return concat({holder, experts, out ? ".down_proj" : ".gate_up_proj"});
}

Count Adapter::named(Targets& targets, std::string_view name, const Row& row) {
  std::vector<std::vector<std::string_view>> found;
  for (Target& target : targets) {
    const auto picks = picks_of(name, target.name);
    if (!picks) continue;
    target.matched = true;
    if (std::find(found.begin(), found.end(), *picks) == found.end()) found.push_back(*picks);
  }
  Count out = 0;
  for (const std::vector<std::string_view>& picks : found) {
    Count copies = 1;
    for (std::size_t i = 0; i < row.repeats.size(); ++i)
      if (i >= picks.size() || picks[i] == "*") copies = multiply(copies, row.repeats[i].peek());
    out = add(out, copies);
  }
  return std::min(out, copies_of(row));
}

/// Whether modules_to_save lists a module or one that contains it. With `counts`, an entry matches any name that ends with it: this is how
/// peft finds the modules to train in full. Without `counts`, an entry must match whole segments at the end of the name: this is how peft
/// finds the modules that get no adapter. Also refuses an entry that names a list of modules.
bool Adapter::is_saved(std::string_view module, bool counts) {
  for (Target& target : saved_)
    for (std::string_view key = module; !key.empty(); key = module_of(key)) {
      if (counts ? !key.ends_with(target.name) : !picks_of(key, target.name)) continue;
      target.matched = true;
      const std::string_view rest = module.substr(key.size());
      if (rest.starts_with(".[") || (rest.size() > 1 && is_digit(rest[1])))
        refuse(concat({"modules_to_save names ", target.name, ", which is a list of modules, so peft cannot save it."}));
      return true;
    }
  return false;
}

/// Refuses target_modules that name a module with other modules inside, because peft adapts only individual layers.
void Adapter::refuse_containers(std::string_view module) {
  for (std::string_view key = module_of(module); !key.empty(); key = module_of(key))
    for (const Target& target : modules_)
      if (picks_of(key, target.name))
        refuse(
            concat({"target_modules names ", clipped(target.name, 60), ", which contains other modules. peft adapts only single layers."}));
}

Adapted Adapter::of(const Row& row) {
  const bool tied = row.kind == Kind::tied;
  if (row.kind != Kind::parameter && !tied) return {};
  const std::string name = name_of(row);
  const bool weight = name.ends_with(".weight");
  const std::string_view module = weight ? without_weight(name) : module_of(name);
  if (is_saved(module, true)) {
    Trained whole{{}, is_inner_matrix(row)};
    for (const Expr e : row.shape) whole.shape.push_back(e.peek());
    return {{std::move(whole)}, copies_of(row)};
  }
  if (is_saved(module, false)) return {};
  refuse_containers(module);
  const ExpertSide side = side_of(row);
  if (side != ExpertSide::none) return of_experts(row, side == ExpertSide::half);
  if (row.in_text(Part::router) && row.storage == StorageKind::matrix) return of_router(row);
  Adapted out = of_parameter(row, name);
  return out.copies > 0 ? out : weight ? of_layer(row) : out;
}

/// Adapts a parameter listed in target_parameters: as one matrix if it has two dimensions, or, if it has three, as one matrix for each
/// entry of the first.
Adapted Adapter::of_parameter(const Row& row, std::string_view name) {
  const Count copies = named(parameters_, name, row);
  if (copies == 0) return {};
  if (dora_) refuse("With use_dora, peft cannot adapt target_parameters.");
  if (row.shape.size() < 2 || row.shape.size() > 3)
    refuse(concat({"peft adapts only parameters of 2 or 3 dimensions, unlike ", name, "."}));
  if (named(modules_, without_weight(name), row) > 0)
    refuse(concat({"peft adapts ", name, " by its module or as a parameter, but not both."}));
  if (!refusal_.empty()) return {};
  adapts_ = true;
  const std::size_t last = row.shape.size() - 1;
  const Count each = last == 2 ? row.shape[0].peek() : 1;
  return {pair(row.shape[last - 1].peek(), row.shape[last].peek(), multiply(rank_, each)), copies};
}

bool Adapter::is_linear(const Row& row) {
  return row.shape.size() == 2 && (row.storage == StorageKind::matrix || (row.kind == Kind::tied && row.in_text(Part::output_head)));
}

bool Adapter::stores_inputs_first(const Row& row) const {
  return is_transposed(blocks_around(blocks_, static_cast<std::size_t>(&row - model_.builder.rows().data())));
}

/// The number of a layer's copies that target_modules selects. "all-linear" selects the linear layers except the output
/// embeddings and the modules that `convert` replaces by parameters.
Count Adapter::targeted(const Row& row, std::string_view module) {
  if (!all_linear_) return named(modules_, module, row);
  // peft excludes a model's output embeddings; a CTC model has none.
  const bool has_output_embeddings = model_.choice.architecture.architecture.head != Head::ctc;
  const bool is_head = has_output_embeddings && (row.role == TensorRole::head || row.kind == Kind::tied);
  return is_linear(row) && !is_head && !is_taken(module) ? copies_of(row) : 0;
}

/// Adapts a linear layer, an embedding table or the convolution of a patch embedding.
Adapted Adapter::of_layer(const Row& row) {
  const std::string name = name_of(row);
  const std::string_view module = without_weight(name), leaf = module.substr(module.rfind('.') + 1);
  const Count copies = targeted(row, module);
  if (copies == 0) return {};
  if (is_one_of(leaf, {"out_proj", "conv1d"}) && is_one_of(type_, {"falcon_h1", "mamba", "mamba2", "falcon_mamba", "nemotron_h"}))
    refuse(concat({"peft cannot adapt ", leaf, " of this model type."}));
  if (mixes_ && peft_ == PeftExperts::unknown && row.in_text(Part::feed_forward))
    refuse(concat({"How peft adapts ", row.name, " in a mixture-of-experts model of this type is not known."}));
  const bool is_table = row.storage == StorageKind::table && row.shape.size() == 2;
  const bool is_kernel = row.storage == StorageKind::kernel,
             is_patch_embedding = is_kernel && row.part == Part::embedding && row.shape.size() > 2;
  if (!is_linear(row) && !is_table && !is_patch_embedding)
    refuse(is_kernel ? concat({"How peft adapts the convolution ", row.name, " is not known."})
                     : concat({"peft cannot adapt ", module, ", which is neither a linear layer nor an embedding table."}));
  if (!refusal_.empty()) return {};
  adapts_ = true;
  const Count first = row.shape[0].peek(), second = row.shape[1].peek();
  Adapted out{pair(first, second, rank_), copies};
  for (std::size_t i = 2; i < row.shape.size(); ++i) out.tensors[0].shape.push_back(row.shape[i].peek());
  // DoRA's magnitudes: one per output of a layer, or one per column of an embedding table.
  if (dora_) out.tensors.push_back({{is_table || stores_inputs_first(row) ? second : first}, false});
  return out;
}

Adapted Adapter::of_router(const Row& row) {
  const std::string name = name_of(row);
  const Count module = all_linear_ ? (peft_ == PeftExperts::unknown || peft_ == PeftExperts::router_apart ? copies_of(row) : 0)
                                   : named(modules_, without_weight(name), row);
  const Count parameter = named(parameters_, name, row);
  if (module == 0 && parameter == 0) return {};
  if (peft_ == PeftExperts::unknown || (module > 0 && peft_ != PeftExperts::router_apart))
    refuse(concat({"How peft adapts ", row.name, " in a mixture-of-experts model of this type is not known."}));
  if (parameter > 0 && dora_) refuse("With use_dora, peft cannot adapt target_parameters.");
  if (!refusal_.empty()) return {};
  adapts_ = true;
  Adapted out{pair(row.shape[0].peek(), row.shape[1].peek(), rank_), std::max(module, parameter)};
  if (dora_) out.tensors.push_back({{row.shape[0].peek()}, false});
  return out;
}

/// Adapts one projection of all experts in a layer. All gate and up projections are one parameter, and all down projections are another.
/// Each of the two has one adapter, and its rank is the chosen rank times the number of experts. For the gate and up projections, the rank
/// is doubled if `convert` has replaced both names.
Adapted Adapter::of_experts(const Row& row, bool half) {
  if (fused_by_half_) {
    refuse("The gate and up projections of experts are one parameter. Target both or neither.");
    return {};
  }
  const bool out = side_of(row) == ExpertSide::out, single = row.shape.size() == 2;
  const std::string name = name_of(row);
  const bool given = !single && named(parameters_, name, row) > 0;
  const Count all = copies_of(row), experts = single ? row.repeats.back().peek() : row.shape[0].peek();
  Count copies = given ? all : named(parameters_, experts_name(row, out), row);
  if (single) copies = std::min(copies, all) / experts;
  if (peft_ == PeftExperts::unknown && (copies > 0 || all_linear_ || named(modules_, without_weight(name), row) > 0))
    refuse(concat({"How peft adapts ", row.name, " in a mixture-of-experts model of this type is not known."}));
  if (copies > 0 && dora_) refuse("With use_dora, peft cannot adapt target_parameters.");
  if (!refusal_.empty() || copies == 0 || half) return {};
  adapts_ = true;
  const std::size_t last = row.shape.size() - 1;
  const Count rows = row.shape[last - 1].peek(), width = row.shape[last].peek();
  if (out) return {pair(rows, width, multiply(rank_, experts)), copies};
  return {pair(single ? 2 * rows : rows, width, multiply(multiply(in_rank_, rank_), experts)), copies};
}

}  // namespace param_ledger
