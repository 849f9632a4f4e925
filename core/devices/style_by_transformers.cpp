#include <algorithm>

#include "core/builder/row_names.hpp"
#include "core/devices/rule_matching.hpp"
#include "core/devices/styles.hpp"

namespace param_ledger {

namespace {

/// The first rule whose module matches the row's name; null if there is none.
const Rule* rule_for(std::span<const Rules> rules, const Row& row, std::string_view name) {
  const std::vector<std::string_view> words = words_for_rules(row, name);
  for (const Rules part : rules)
    for (const Rule& rule : part)
      if (names_words(rule.module, words)) return &rule;
  return nullptr;
}

/// The innermost model that a row belongs to: the one whose name prefix is the longest that the row's name begins with. Null if there is
/// none, as for a head outside the backbone.
const Submodel* model_of(const Inference& inference, const Row& row) {
  const Submodel* out = nullptr;
  for (const Submodel& m : inference.models)
    if (row.name.starts_with(m.prefix) && (out == nullptr || m.prefix.size() >= out->prefix.size())) out = &m;
  return out;
}

/// The plan of a nested model, found by its model type. If the nested model has no type, the outermost plan may name one for the text
/// model.
const Plan* plan_inside(const Plan* outermost, const Submodel& m) {
  const bool is_text = m.model_type.empty() && outermost != nullptr && !outermost->text.empty();
  return plan_of(is_text ? outermost->text : m.model_type);
}

bool is_of_head(const Row& row, const Submodel* m) {
  return row.in_text(Part::output_head) && (m == nullptr || row.role == TensorRole::head);
}

/// Whether a style is row-parallel: it divides the last dimension of a weight, and leaves the bias whole.
bool sums_over_devices(Style style) {
  return style == Style::rowwise || style == Style::rowwise_split_input || style == Style::packed_rowwise;
}

/// Whether devices hold whole experts, which tensor parallelism then does not divide.
bool divides_experts(const Plan& plan, const Sizes& sizes) { return sizes.expert > 1 && plan.has_expert(); }

Style style_among_tensors(const Plan& plan, const Row& row, std::string_view name) {
  if (const Rule* const rule = rule_for(plan.tensor, row, name)) return rule->style;
  const bool is_table = plan.has_tensor() && is_one_of(plan.table.value_or("embed_tokens"), module_of(name));
  return is_table ? Style::embedding_rowwise : Style::replicate;
}

/// Sets the style of a row by a plan. `name` is the row's name inside the model that the plan is for.
void style_by(const Plan& plan, std::string_view name, const Sizes& sizes, DividedRow& row) {
  const Rule* const of_experts = sizes.expert > 1 ? rule_for(plan.expert, *row.row, name) : nullptr;
  if (of_experts != nullptr) {
    row.style = of_experts->style;
    row.by_expert = true;
  } else if (sizes.tensor > 1 && !(divides_experts(plan, sizes) && is_routed_expert(*row.row))) {
    row.style = style_among_tensors(plan, *row.row, name);
  }
  if (sums_over_devices(row.style) && row.row->shape.size() == 1) row.style = Style::replicate;
}

/// In a class with a head, a plan describes the module `model`, even if the family records that module and the head as one model.
constexpr std::string_view base_model = "model.";

}  // namespace

bool has_language_model_head(const Choice& choice) {
  const Head head = choice.architecture.architecture.head;
  return head == Head::causal_lm || head == Head::conditional_generation || head == Head::masked_lm;
}

PlanFound style_by_transformers(const Choice& choice, const Inference& inference, const Sizes& sizes, std::vector<DividedRow>& rows) {
  const Plan* const own = plan_of(choice.family->model_type);
  const bool divides_head = own != nullptr && own->head != Style::replicate && has_language_model_head(choice);
  PlanFound found{.tensor = divides_head, .unmatched = own != nullptr && own->unmatched};
  for (const Submodel& m : inference.models) {
    const Plan* const plan = plan_inside(own, m);
    found.tensor = found.tensor || (plan != nullptr && plan->has_tensor());
    found.expert = found.expert || (plan != nullptr && plan->has_expert());
  }
  for (DividedRow& row : rows) {
    if (row.row->kind == Kind::buffer) continue;
    const Submodel* const m = model_of(inference, *row.row);
    if (is_of_head(*row.row, m)) {
      if (divides_head && sizes.tensor > 1) row.style = own->head;
      continue;
    }
    if (m == nullptr) continue;
    const Plan* const plan = plan_inside(own, *m);
    if (plan == nullptr) {
      found.unmatched = found.unmatched || (m->model_type.empty() && !row.row->in_tower());
      continue;
    }
    const std::string_view name = row.row->name.substr(m->prefix.size());
    style_by(*plan, name, sizes, row);
    if (row.style == Style::replicate && name.starts_with(base_model)) style_by(*plan, name.substr(base_model.size()), sizes, row);
  }
  return found;
}

}  // namespace param_ledger
