#include <algorithm>

#include "core/builder/row_names.hpp"
#include "core/devices/rule_matching.hpp"
#include "core/devices/styles.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

namespace {

class EngineStyles {
 public:
  EngineStyles(Model& model, Engine engine, const EnginePlan& plan, const Sizes& sizes, Expr tensor, std::vector<DividedRow>& rows)
      : model_(model), engine_(engine), plan_(plan), sizes_(sizes), tensor_(tensor), rows_(rows) {}

  void assign() {
    for (DividedRow& row : rows_)
      if (row.row->kind != Kind::buffer && row.row->kind != Kind::published) assign(row);
  }

 private:
  void assign(DividedRow& row) {
    const Row& r = *row.row;
    const bool expert = is_routed_expert(r);
    const Held& held = holder_of(r);
    row.holder = held.holder;
    row.by_expert = expert && sizes_.expert > 1;
    row.style = row.by_expert ? Style::grouped_gemm : held.style;
    if (r.in_text(Part::embedding) || r.in_text(Part::output_head)) row.padded = padded(r.shape[0]);
    if (row.style == Style::colwise_repeated) {
      const Expr heads = heads_in(r.shape[0]);
      if (heads && sizes_.tensor > heads.decide()) row.heads = heads;
    }
  }

  /// How the engine stores a row: which of the engine's parameters contains the row, and how the row is divided.
  [[nodiscard]] const Held& holder_of(const Row& row) const {
    const std::vector<std::string_view> words = words_for_rules(row, name_in_backbone(row));
    const auto holder_in = [&](HeldRules rules) {
      const auto found = std::find_if(rules.begin(), rules.end(), [&](const Held& held) {
        return names_words(held.parameter, words) && (held.beside.empty() || has_parameter(held.beside));
      });
      return found == rules.end() ? nullptr : &*found;
    };
    if (is_routed_expert(row)) {
      if (const Held* const held = holder_in(plan_.experts)) return *held;
    } else {
      for (const HeldRules rules : plan_.parameters)
        if (const Held* const held = holder_in(rules)) return *held;
    }
    const Choice& choice = model_.choice;
    throw Error{ErrorCode::unsupported, "plan",
                concat({"How ", title_of(engine_), " divides ", choice.architecture.name, " (", choice.family->model_type, ") with ",
                        row.name, " is not known."})};
  }

  [[nodiscard]] std::string_view name_in_backbone(const Row& row) const {
    const std::string_view backbone = model_.choice.architecture.architecture.backbone;
    std::string_view name = row.name;
    if (name.starts_with(backbone) && name.size() > backbone.size() && name[backbone.size()] == '.')
      name.remove_prefix(backbone.size() + 1);
    return name;
  }

  [[nodiscard]] bool has_parameter(Text parameter) const {
    return std::any_of(rows_.begin(), rows_.end(),
                       [&](const DividedRow& row) { return names_words(parameter, segments_of(name_in_backbone(*row.row))); });
  }

  /// The padded vocabulary; empty if it needs no padding.
  [[nodiscard]] Expr padded(Expr vocabulary) const {
    const Padding padding = padding_of(engine_);
    const Expr multiple = padding.of_each ? model_.pool.literal(padding.multiple) * tensor_ : model_.pool.literal(padding.multiple);
    return vocabulary.decide() % multiple.decide() == 0 ? Expr{} : multiple * ceil_divide(vocabulary, multiple);
  }

  Model& model_;
  Engine engine_;
  const EnginePlan& plan_;
  const Sizes& sizes_;
  Expr tensor_;
  std::vector<DividedRow>& rows_;
};

}  // namespace

PlanFound style_by_engine(Model& model, Engine engine, const Sizes& sizes, Expr tensor, std::vector<DividedRow>& rows) {
  const Choice& choice = model.choice;
  const EnginePlan* const plan = engine_plan_of(engine, choice.family->model_type);
  if (plan == nullptr || choice.architecture.architecture.head != Head::causal_lm)
    throw Error{ErrorCode::unsupported, "plan",
                concat({"How ", title_of(engine), " divides ", choice.architecture.name, " (", choice.family->model_type,
                        ") is not known. It is known for these types with a language model head: ", types_with_plan(engine), "."})};
  EngineStyles(model, engine, *plan, sizes, tensor, rows).assign();
  return {.tensor = true, .expert = !plan->experts.empty()};
}

}  // namespace param_ledger
