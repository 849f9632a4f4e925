#include "core/devices/division.hpp"

#include <algorithm>

#include "core/builder/row_names.hpp"
#include "core/json/json_fields.hpp"
#include "core/model/prediction_layers.hpp"
#include "core/model/quantized_files.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

namespace {

bool is_one_of(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find('|'), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

/// Whether a rule's module matches these segments, with or without a parameter name at the end.
bool names(std::string_view module, std::span<const std::string_view> segments) {
  const std::vector<std::string_view> wanted = segments_of(module);
  if (segments.size() != wanted.size() && segments.size() != wanted.size() + 1) return false;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i] != "*" && !is_one_of(wanted[i], segments[i])) return false;
  return true;
}

/// The module that rules use for routed experts; empty for any other row.
std::string_view expert_module(const Row& row) {
  if (!row.experts) return {};
  switch (row.role) {
    case TensorRole::gate:
    case TensorRole::up:
    case TensorRole::gate_and_up: return "experts.gate_up_proj";
    case TensorRole::down: return "experts.down_proj";
    default: return {};
  }
}

/// The rule for a row, or null.
const Rule* rule_for(std::span<const Rules> rules, const Row& row, std::string_view name) {
  const std::string_view expert = expert_module(row);
  const std::vector<std::string_view> segments = segments_of(expert.empty() ? name : expert);
  for (const Rules part : rules)
    for (const Rule& rule : part)
      if (names(rule.module, segments)) return &rule;
  return nullptr;
}

std::string_view first_segment(std::string_view name) { return name.substr(0, name.find('.')); }

/// The nested model that a row belongs to: the one with the longest name that the row's name begins with. Null for heads.
const Submodel* model_of(const Inference& inference, const Row& row) {
  const Submodel* out = nullptr;
  for (const Submodel& m : inference.models)
    if (row.name.starts_with(m.prefix) && (out == nullptr || m.prefix.size() >= out->prefix.size())) out = &m;
  return out;
}

bool has_language_model_head(Head head) {
  return head == Head::causal_lm || head == Head::conditional_generation || head == Head::masked_lm;
}

/// The divisors nearest to a number, for a sentence: "4 or 16".
std::string nearest_divisors(Count of, Count wanted) {
  Count below = 0, above = 0;
  for (Count d = 1; d <= of && above == 0; ++d) {
    if (d > 65'536) break;
    if (of % d != 0) continue;
    if (d < wanted) below = d;
    if (d > wanted) above = d;
  }
  if (below == 0) return digits(above);
  return above == 0 ? digits(below) : concat({digits(below), " and ", digits(above)});
}

bool in(std::span<const Run> runs, std::uint64_t first, std::uint64_t end) {
  return std::any_of(runs.begin(), runs.end(), [&](const Run& run) { return run.first < end && run.last >= first; });
}

std::vector<Run> cut(std::span<const Run> runs, std::uint64_t first, std::uint64_t end) {
  std::vector<Run> out;
  for (const Run& run : runs)
    if (run.first < end && run.last >= first) out.push_back({std::max(run.first, first), std::min(run.last, end - 1)});
  return out;
}

void append(std::vector<Run>& runs, Run run) {
  if (!runs.empty() && runs.back().last + 1 == run.first)
    runs.back().last = run.last;
  else
    runs.push_back(run);
}

Expr size_named(Pool& pool, Text name, Text symbol, Text meaning, Count value) {
  return pool.named({.name = std::string(name), .symbol = std::string(symbol), .meaning = meaning, .field = false}, value);
}

}  // namespace

bool is_of_heads(TensorRole role) {
  return role == TensorRole::query || role == TensorRole::key || role == TensorRole::value || role == TensorRole::query_key_value ||
         role == TensorRole::query_up || role == TensorRole::key_value_up || role == TensorRole::attention_gate;
}

std::string divisors_beside(Count of, Count wanted) {
  Count below = 1, above = 0;
  for (Count d = 1; d < wanted; ++d)
    if (of % d == 0) below = d;
  for (Count d = wanted + 1; d <= of && d <= wanted * 64 && above == 0; ++d)
    if (of % d == 0) above = d;
  return above == 0 ? digits(below) : concat({digits(below), " and ", digits(above)});
}

Expr heads_in(Expr e) {
  if (e.op() == Op::name) {
    const std::string_view name = e.name().name;
    return holds(name, "heads") || name.ends_with("n_head") || name.ends_with("head_kv") ? e : Expr{};
  }
  if (e.op() != Op::product) return {};
  const Expr left = heads_in(e.left());
  return left ? left : heads_in(e.right());
}

Expr name_in(Expr e) {
  if (e.op() == Op::name) return e;
  if (e.op() == Op::literal) return {};
  const Expr left = name_in(e.left()), right = name_in(e.right());
  return !right || (left && left.decide() >= right.decide()) ? left : right;
}

Division::Division(Model& model, const Inference& inference, const Sizes& sizes, Engine engine)
    : model_(model),
      sizes_(sizes),
      engine_(engine),
      tensor_(size_named(model.pool, "tensor", "T", "Devices that share each tensor: tensor parallelism.", sizes.tensor)),
      pipeline_(size_named(model.pool, "pipeline", "P", "Stages of the pipeline, each with layers of its own.", sizes.pipeline)),
      expert_(size_named(model.pool, "expert", "E_p", "Devices that share the experts of a layer: expert parallelism.", sizes.expert)) {
  if (sizes.expert > 1 && sizes.expert % sizes.tensor != 0 && (engine != Engine::megatron || sizes.tensor % sizes.expert != 0))
    throw Error{ErrorCode::not_divisible, "expert",
                concat({"expert must be a multiple of tensor: expert is ", digits(sizes.expert), ", tensor ", digits(sizes.tensor),
                        ". The nearest that are: ",
                        sizes.expert < sizes.tensor ? std::string{} : concat({digits(sizes.expert / sizes.tensor * sizes.tensor), " and "}),
                        digits((sizes.expert / sizes.tensor + 1) * sizes.tensor), "."})};
  const std::vector<Row>& all = model.builder.rows();
  for (const Row& row : all) {
    const bool beside = row.kind == Kind::published && (!is_scale(row) || std::any_of(all.begin(), all.end(), [&](const Row& other) {
                          return is_prediction(other) && row.name.starts_with(other.name);
                        }));
    if (row.kind != Kind::possible && !beside) rows_.push_back({&row});
  }
  if (engine == Engine::transformers)
    assign_styles(inference);
  else
    assign_holders();
  hold_scales();
  assign_places(inference.ties_by_default);
  refuse();
  find_kinds();
}

void Division::assign_styles(const Inference& inference) {
  const Choice& choice = model_.choice;
  const Plan* const own = plan_of(choice.family->model_type);
  const auto plan_for = [&](const Submodel& m) {
    const bool text = m.model_type.empty() && own != nullptr && !own->text.empty();
    return plan_of(text ? own->text : m.model_type);
  };
  for (const Submodel& m : inference.models) {
    const Plan* const plan = plan_for(m);
    has_tensor_ = has_tensor_ || (plan != nullptr && plan->has_tensor());
    has_expert_ = has_expert_ || (plan != nullptr && plan->has_expert());
  }
  const bool head = own != nullptr && own->head != Style::replicate && has_language_model_head(choice.architecture.architecture.head);
  has_tensor_ = has_tensor_ || head;
  unmatched_ = own != nullptr && own->unmatched;
  for (DividedRow& row : rows_) {
    if (row.row->kind == Kind::buffer) continue;
    const Submodel* const m = model_of(inference, *row.row);
    if (row.row->in_text(Part::output_head) && (m == nullptr || row.row->role == TensorRole::head)) {
      if (head && sizes_.tensor > 1) row.style = own->head;
      continue;
    }
    const Plan* const plan = m != nullptr ? plan_for(*m) : nullptr;
    unmatched_ = unmatched_ || (plan == nullptr && m != nullptr && m->model_type.empty() && !row.row->in_tower());
    if (plan == nullptr) continue;
    const std::string_view name = row.row->name.substr(m->prefix.size());
    const Rule* found = sizes_.expert > 1 ? rule_for(plan->expert, *row.row, name) : nullptr;
    row.by_expert = found != nullptr;
    if (found == nullptr && sizes_.tensor > 1 && !(sizes_.expert > 1 && plan->has_expert() && !expert_module(*row.row).empty()))
      found = rule_for(plan->tensor, *row.row, name);
    if (found != nullptr)
      row.style = found->style;
    else if (sizes_.tensor > 1 && plan->has_tensor() && is_one_of(plan->table.value_or("embed_tokens"), module_of(name)))
      row.style = Style::embedding_rowwise;
    // A bias is added once, after the sum over devices.
    const bool rowwise = row.style == Style::rowwise || row.style == Style::rowwise_split_input || row.style == Style::packed_rowwise;
    if (rowwise && row.row->shape.size() == 1) row.style = Style::replicate;
  }
}

void Division::assign_holders() {
  const Choice& choice = model_.choice;
  const EnginePlan* const plan = engine_plan_of(engine_, choice.family->model_type);
  if (plan == nullptr || choice.architecture.architecture.head != Head::causal_lm)
    throw Error{ErrorCode::unsupported, "plan",
                concat({"How ", title_of(engine_), " divides ", choice.architecture.name, " (", choice.family->model_type,
                        ") is not known here. It is known of these types with a language model head: ", types_with_plan(engine_), "."})};
  has_tensor_ = true;
  has_expert_ = !plan->experts.empty();
  const std::string_view backbone = choice.architecture.architecture.backbone;
  const Padding padding = padding_of(engine_);
  Pool& pool = model_.pool;
  const auto name_in_backbone = [&](const Row& r) {
    std::string_view name = r.name;
    if (name.starts_with(backbone) && name.size() > backbone.size() && name[backbone.size()] == '.')
      name.remove_prefix(backbone.size() + 1);
    return name;
  };
  const auto has = [&](Text parameter) {
    return std::any_of(rows_.begin(), rows_.end(),
                       [&](const DividedRow& row) { return names(parameter, segments_of(name_in_backbone(*row.row))); });
  };
  for (DividedRow& row : rows_) {
    const Row& r = *row.row;
    if (r.kind == Kind::buffer || r.kind == Kind::published) continue;
    const std::string_view name = name_in_backbone(r);
    const std::string_view expert = expert_module(r);
    const std::vector<std::string_view> segments = segments_of(expert.empty() ? name : expert);
    const Held* found = nullptr;
    const auto look = [&](HeldRules rules) {
      for (const Held& held : rules)
        if (found == nullptr && names(held.parameter, segments) && (held.beside.empty() || has(held.beside))) found = &held;
    };
    if (!expert.empty())
      look(plan->experts);
    else
      for (const HeldRules rules : plan->parameters) look(rules);
    if (found == nullptr)
      throw Error{ErrorCode::unsupported, "plan",
                  concat({"How ", title_of(engine_), " divides ", choice.architecture.name, " (", choice.family->model_type, ") with ",
                          r.name, " is not known here."})};
    row.holder = found->holder;
    row.by_expert = !expert.empty() && sizes_.expert > 1;
    row.style = row.by_expert ? Style::grouped_gemm : found->style;
    if (r.in_text(Part::embedding) || r.in_text(Part::output_head)) {
      const Expr multiple = padding.of_each ? pool.literal(padding.multiple) * tensor_ : pool.literal(padding.multiple);
      if (r.shape[0].decide() % multiple.decide() != 0) row.padded = multiple * ceil_divide(r.shape[0], multiple);
    }
    if (row.style == Style::colwise_repeated) {
      const Expr heads = heads_in(r.shape[0]);
      if (heads && sizes_.tensor > heads.decide()) row.heads = heads;
    }
  }
}

void Division::hold_scales() {
  // Scales are divided like the matrices that they scale.
  for (DividedRow& scale : rows_) {
    if (scale.row->kind != Kind::published) continue;
    for (const DividedRow& row : rows_)
      if (row.row->kind == Kind::parameter && row.row->shape.size() > 1 && module_of(row.row->name) == module_of(scale.row->name)) {
        scale.style = row.style;
        scale.by_expert = row.by_expert;
        scale.heads = row.heads;
      }
  }
  for (DividedRow& row : rows_)
    if (parts(row) == 1) row.style = Style::replicate;
}

void Division::assign_places(bool ties_by_default) {
  if (sizes_.pipeline == 1) return;
  const Choice& choice = model_.choice;
  const std::string_view backbone = choice.architecture.architecture.backbone;
  const Plan* const own = plan_of(choice.family->model_type);
  const std::string_view table = own != nullptr ? own->table.value_or("embed_tokens") : Text("embed_tokens");
  const Json root = model_.configuration.sections.front().json;
  const bool said = root["tie_word_embeddings"].is(Json::Type::boolean);
  const bool tied = (said ? flag_in(root, "tie_word_embeddings") : ties_by_default) ||
                    std::any_of(rows_.begin(), rows_.end(),
                                [](const DividedRow& row) { return row.row->kind == Kind::tied && row.row->in_text(Part::output_head); });
  const EnginePlan* const held = engine_plan_of(engine_, choice.family->model_type);
  const bool whole_ends = held != nullptr && held->whole_ends;
  for (DividedRow& row : rows_) {
    std::string_view name = row.row->name;
    if (whole_ends && name.find("layers.") == std::string_view::npos) continue;
    if (row.row->in_text(Part::output_head) && has_language_model_head(choice.architecture.architecture.head) &&
        !name.starts_with(backbone) && (first_segment(name) == "lm_head" || (own != nullptr && own->head != Style::replicate))) {
      row.place = Place::last;
      continue;
    }
    if (backbone.empty() || !name.starts_with(backbone) || name.size() <= backbone.size() || name[backbone.size()] != '.') continue;
    name.remove_prefix(backbone.size() + 1);
    if (first_segment(name) == "layers") {
      name.remove_prefix(std::min(name.size(), std::size_t{7}));
      row.layers = spelled(first_segment(name));
      if (row.layers.empty()) continue;
      row.place = Place::layers;
      n_layers_ = std::max(n_layers_, row.layers.back().last + 1);
    } else if (is_one_of(table, first_segment(name))) {
      row.place = tied ? Place::ends : Place::first;
    } else if (first_segment(name) == "norm") {
      row.place = Place::last;
    }
  }
  for (const DividedRow& row : rows_)
    if (row.layers.size() == 1 && row.layers[0].first == 0 && row.layers[0].last + 1 == n_layers_ && !row.row->repeats.empty())
      layers_ = row.row->repeats.front();
}

void Division::refuse() {
  const std::string name = concat({model_.choice.architecture.name, " (", model_.choice.family->model_type, ")"});
  const Text divided = sizes_.tensor > 1 ? "tensor" : "expert";
  if (sizes_.across() > 1 && unmatched_)
    throw Error{ErrorCode::unsupported, std::string(divided),
                concat({"What the plan of transformers divides of ", name, " has not been matched with its tensors here: ", divided,
                        " must be 1."})};
  if (sizes_.tensor > 1 && !has_tensor_)
    throw Error{ErrorCode::unsupported, "tensor",
                concat({title_of(engine_), " has no plan of tensor parallelism for ", name, ": tensor must be 1."})};
  if (sizes_.expert > 1 && !has_expert_)
    throw Error{ErrorCode::unsupported, "expert",
                concat({title_of(engine_), " has no plan of expert parallelism for ", name, ": expert must be 1."})};
  if (engine_ != Engine::transformers) refuse_uneven();
  if (sizes_.pipeline > 1 && (n_layers_ == 0 || model_.choice.family->own_code))
    throw Error{ErrorCode::unsupported, "pipeline",
                concat({"transformers makes no pipeline of ", name,
                        ", whose layers do not stand directly in the model under a head: pipeline must be 1."})};
  for (const DividedRow& row : rows_)
    if (row.style == Style::grouped_gemm && row.row->experts && row.row->experts.decide() % sizes_.expert != 0) {
      const Count n = row.row->experts.decide();
      throw Error{ErrorCode::not_divisible, "expert",
                  concat({"expert must divide the experts of a layer: there are ", digits(n), ", expert is ", digits(sizes_.expert),
                          ". The nearest that do: ", nearest_divisors(n, sizes_.expert), "."})};
    }
}

void Division::refuse_uneven() const {
  const Text title(title_of(engine_).data());
  const auto refusal = [&](Text size, Count parts, const std::string& field, Count of) {
    return Error{ErrorCode::not_divisible, std::string(size),
                 concat({digits(parts), " devices do not divide ", field, " = ", grouped_digits(of), ", and ", title,
                         " refuses. The nearest numbers that do: ", divisors_beside(of, parts), "."})};
  };
  for (const DividedRow& row : rows_) {
    const int dimension = divided_dimension(row);
    if (dimension < 0 || row.style == Style::grouped_gemm || row.row->kind == Kind::published) continue;
    const Expr size = row.padded && dimension == 0 ? row.padded : row.row->shape[static_cast<std::size_t>(dimension)];
    const TensorRole role = row.row->role;
    const Expr heads = is_of_heads(role) || role == TensorRole::output ? heads_in(size) : Expr{};
    const Count parts = row.by_expert ? sizes_.expert : sizes_.tensor;
    if (heads && (role == TensorRole::key || role == TensorRole::value)) {
      const Count n = heads.decide();
      // With fewer key-value heads than devices, several devices hold the same head.
      if (n % parts != 0 && parts % n != 0)
        throw Error{ErrorCode::not_divisible, "tensor",
                    concat({heads.name().name, " = ", digits(n), " must be a multiple or a divisor of tensor = ", digits(parts), ", or ",
                            title, " refuses. The nearest numbers that divide it: ", divisors_beside(n, parts), "."})};
      if (size.decide() % this->parts(row) == 0) continue;
    }
    const Expr counted = heads ? heads : size;
    if (counted.decide() % parts == 0) continue;
    const Expr name = heads ? heads : name_in(size);
    throw refusal("tensor", parts,
                  row.padded ? std::string("the padded vocabulary")
                  : name     ? std::string(name.name().name)
                             : std::string(row.row->name),
                  counted.decide());
  }
  const Count layers = n_layers_;
  if (sizes_.pipeline > 1 && (engine_ == Engine::megatron ? layers % sizes_.pipeline != 0 : layers < sizes_.pipeline))
    throw Error{ErrorCode::not_divisible, "pipeline",
                concat({digits(sizes_.pipeline), " stages do not divide ", digits(layers), " layers, and ", title,
                        " refuses. The nearest numbers that do: ", divisors_beside(layers, sizes_.pipeline), "."})};
}

Count Division::parts(const DividedRow& row) const { return row.style == Style::replicate ? 1 : divisor(row).decide(); }

Expr Division::divisor(const DividedRow& row) const { return row.heads ? row.heads : row.by_expert ? expert_ : tensor_; }

Count Division::padded_elements(const DividedRow& row) {
  const Count elements = row.row->total.decide();
  return row.padded ? multiply(elements / row.row->shape[0].decide(), row.padded.decide()) : elements;
}

Count Division::copies(const DividedRow& row) const {
  const bool one = row.place == Place::layers || row.place == Place::first || row.place == Place::last;
  const Count stages = one || sizes_.pipeline == 1 ? 1 : row.place == Place::ends ? 2 : sizes_.pipeline;
  return sizes_.across() / parts(row) * stages;
}

int Division::divided_dimension(const DividedRow& row) {
  const int n = static_cast<int>(row.row->shape.size());
  switch (row.style) {
    case Style::replicate: return -1;
    case Style::colwise:
    case Style::colwise_gather_output:
    case Style::colwise_repeated:
    case Style::packed_colwise: return std::max(n - 2, 0);
    case Style::rowwise:
    case Style::rowwise_split_input:
    case Style::packed_rowwise: return n - 1;
    case Style::embedding_rowwise: return 0;
    case Style::embedding_colwise: return n - 1;
    case Style::grouped_gemm: break;
  }
  // Separate experts have no expert dimension.
  return row.row->name.find("experts.[") != std::string_view::npos && n > 0 && !(row.row->shape[0] == row.row->experts) ? -1 : 0;
}

std::pair<std::uint64_t, std::uint64_t> Division::layers_of(std::uint64_t stage) const {
  const auto stages = static_cast<std::uint64_t>(sizes_.pipeline);
  const std::uint64_t each = n_layers_ / stages, rest = n_layers_ % stages;
  if (engine_ != Engine::vllm) return {stage * each, stage + 1 == stages ? n_layers_ : (stage + 1) * each};
  // vLLM gives left-over layers to the last stages before the last one (get_pp_indices).
  const auto start = [&](std::uint64_t of) {
    const std::uint64_t longer = stages - 1 - rest;  // the first stage that has one more layer
    if (of == stages) return n_layers_;
    return of * each + (of > longer ? std::min(of - longer, rest) : 0);
  };
  return {start(stage), start(stage + 1)};
}

bool Division::is_held(const DividedRow& row, std::uint64_t stage) const {
  if (sizes_.pipeline == 1) return true;
  const bool is_first = stage == 0, is_last = stage + 1 == sizes_.pipeline;
  switch (row.place) {
    case Place::every: return true;
    case Place::first: return is_first;
    case Place::ends: return is_first || is_last;
    case Place::last: return is_last;
    case Place::layers: break;
  }
  const auto [first, end] = layers_of(stage);
  return in(row.layers, first, end);
}

Expr Division::share(Expr whole, Expr by, std::uint64_t place) const {
  const Count n = whole.decide(), parts = by.decide(), each = (n + parts - 1) / parts;
  if (n % parts == 0) return floor_divide(whole, by);
  const Count at = place % parts;
  if (at < n / each) return ceil_divide(whole, by);
  if (at > n / each || n % each == 0) return model_.pool.literal(0);
  return whole - model_.pool.literal(at) * ceil_divide(whole, by);
}

std::vector<LocalRow> Division::held_by(const RankKind& kind) const {
  Pool& pool = model_.pool;
  const auto [first, end] = layers_of(kind.stage);
  std::vector<LocalRow> out;
  for (const DividedRow& row : rows_) {
    if (!is_held(row, kind.stage)) continue;
    LocalRow local{&row, *row.row};
    std::string name(row.row->name);
    std::vector<Expr> shape(row.row->shape.begin(), row.row->shape.end());
    std::vector<Expr> repeats(row.row->repeats.begin(), row.row->repeats.end());
    const int dimension = divided_dimension(row);
    if (dimension >= 0) {
      Expr& size = shape[static_cast<std::size_t>(dimension)];
      if (row.padded && dimension == 0) size = row.padded;
      const Expr by = divisor(row);
      const bool packed = row.style == Style::packed_colwise || row.style == Style::packed_rowwise;
      const Expr two = pool.literal(2);
      const bool fused = packed && row.row->role == TensorRole::gate_and_up;
      size = fused ? two * share(floor_divide(size, two), by, kind.place) : share(size, by, kind.place);
    } else if (row.padded) {
      shape[0] = row.padded;
    } else if (row.style == Style::grouped_gemm) {
      Expr& count = repeats.back();
      const auto each = static_cast<std::uint64_t>(count.decide() / sizes_.expert),
                 at = kind.place % static_cast<std::uint64_t>(sizes_.expert);
      count = floor_divide(count, expert_);
      std::string_view index;
      any_index(name, [&](std::string_view, std::string_view word) {
        index = word;
        return false;
      });
      const Run run{at * each, (at + 1) * each - 1};
      name.replace(static_cast<std::size_t>(index.data() - name.data()), index.size(), spelling(std::span(&run, 1)));
    }
    if (row.place == Place::layers && sizes_.pipeline > 1) {
      const std::vector<Run> here = cut(row.layers, first, end);
      const Count n = size_of(here);
      std::string_view index;
      any_index(name, [&](std::string_view, std::string_view word) {
        index = word;
        return true;
      });
      if (!repeats.empty() && size_of(row.layers) > 1) {
        const bool all = layers_ && row.layers.size() == 1 && size_of(row.layers) == n_layers_;
        const Expr each = floor_divide(all ? layers_ : pool.literal(0), pipeline_);
        repeats.front() = !all ? pool.literal(n)
                          : (engine_ != Engine::vllm && kind.stage + 1 < sizes_.pipeline) || n_layers_ % sizes_.pipeline == 0 ? each
                          : engine_ == Engine::vllm ? (n > n_layers_ / sizes_.pipeline ? each + pool.literal(1) : each)
                                                    : layers_ - (pipeline_ - pool.literal(1)) * each;
        name.replace(static_cast<std::size_t>(index.data() - name.data()), index.size(), spelling(here));
      }
    }
    Row& its = local.row;
    const std::span<char> kept(pool.room<char>(name.size() + 1), name.size() + 1);
    std::copy(name.begin(), name.end(), kept.begin());
    kept.back() = '\0';
    its.name = {kept.data(), name.size()};
    its.shape = pool.keep(std::span<const Expr>(shape));
    its.repeats = pool.keep(std::span<const Expr>(repeats));
    its.elements = pool.literal(1);
    for (const Expr e : shape) its.elements = its.elements * e;
    its.total = its.elements;
    for (const Expr e : repeats) its.total = its.total * e;
    its.active = its.total;
    if (its.total.decide() > 0 || row.row->total.decide() == 0) out.push_back(local);
  }
  return out;
}

std::vector<std::uint64_t> Division::classes(bool by_expert) const {
  std::vector<std::uint64_t> out{0};
  const Count parts = by_expert ? sizes_.expert : sizes_.tensor;
  for (const DividedRow& row : rows_) {
    const int dimension = divided_dimension(row);
    if (row.by_expert != by_expert || dimension < 0 || row.style == Style::grouped_gemm) continue;
    if (row.heads) continue;
    Count n = (row.padded && dimension == 0 ? row.padded : row.row->shape[static_cast<std::size_t>(dimension)]).decide();
    const bool packed = row.style == Style::packed_colwise || row.style == Style::packed_rowwise;
    if (packed && row.row->role == TensorRole::gate_and_up) n /= 2;
    if (n == 0 || n % parts == 0) continue;
    const Count each = (n + parts - 1) / parts;
    for (const Count from : {n / each, n / each + (n % each == 0 ? 0U : 1U)})
      if (from < parts) out.push_back(static_cast<std::uint64_t>(from));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void Division::find_kinds() {
  // Devices of a stage with equal shares of every row.
  const std::vector<std::uint64_t> tensors = classes(false), experts = classes(true);
  const auto class_in = [](const std::vector<std::uint64_t>& starts, std::uint64_t place) {
    return std::upper_bound(starts.begin(), starts.end(), place) - starts.begin();
  };
  struct Alike {
    std::ptrdiff_t tensor, expert;
    std::vector<Run> places;
  };
  std::vector<Alike> alike;
  const auto across = static_cast<std::uint64_t>(sizes_.across());
  if (tensors.size() == 1 && experts.size() == 1) {
    alike.push_back({0, 0, {{0, across - 1}}});
  } else {
    for (std::uint64_t place = 0; place < across; ++place) {
      const std::ptrdiff_t t = class_in(tensors, place % static_cast<std::uint64_t>(sizes_.tensor));
      const std::ptrdiff_t e = class_in(experts, place % static_cast<std::uint64_t>(sizes_.expert));
      auto found = std::find_if(alike.begin(), alike.end(), [&](const Alike& a) { return a.tensor == t && a.expert == e; });
      if (found == alike.end()) found = alike.insert(alike.end(), {t, e, {}});
      append(found->places, {place, place});
    }
  }
  // Stages with equally many layers of each set.
  std::vector<const std::vector<Run>*> sets;
  for (const DividedRow& row : rows_)
    if (row.place == Place::layers && std::none_of(sets.begin(), sets.end(), [&](const auto* set) { return same_runs(*set, row.layers); }))
      sets.push_back(&row.layers);
  std::vector<Stages> stages;
  for (std::uint64_t stage = 0; stage < sizes_.pipeline; ++stage) {
    Stages its{{}, stage == 0, stage + 1 == sizes_.pipeline, {}};
    const auto [first, end] = layers_of(stage);
    for (const auto* const set : sets) its.layers.push_back(size_of(cut(*set, first, end)));
    auto found = std::find_if(stages.begin(), stages.end(),
                              [&](const Stages& s) { return s.first == its.first && s.last == its.last && s.layers == its.layers; });
    if (found == stages.end()) found = stages.insert(stages.end(), std::move(its));
    append(found->runs, {stage, stage});
  }
  for (const Stages& s : stages)
    for (const Alike& a : alike) {
      RankKind kind{{}, s.runs, 0, s.runs.front().first, a.places.front().first};
      for (const Run& run : s.runs)
        for (std::uint64_t stage = run.first; stage <= run.last; ++stage)
          for (const Run& places : a.places) append(kind.ranks, {stage * across + places.first, stage * across + places.last});
      kind.count = size_of(kind.ranks);
      kinds_.push_back(std::move(kind));
    }
}

RankKind Division::of_rank(Count rank) const {
  for (const RankKind& kind : kinds_)
    if (contains(kind.ranks, static_cast<std::uint64_t>(rank))) {
      RankKind out = kind;
      out.stage = static_cast<std::uint64_t>(rank / sizes_.across());
      out.place = static_cast<std::uint64_t>(rank % sizes_.across());
      return out;
    }
  throw Error{ErrorCode::out_of_range, "rank",
              concat({"rank must be a whole number from 0 to ", digits(sizes_.devices() - 1), ", as there are ", digits(sizes_.devices()),
                      " devices."})};
}

}  // namespace param_ledger
