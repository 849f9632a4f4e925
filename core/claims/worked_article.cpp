#include "core/claims/worked_article.hpp"

#include <algorithm>

#include "core/claims/slips.hpp"
#include "core/json/json_fields.hpp"
#include "core/model/totals.hpp"
#include "core/support/attempt.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

std::string written(const Fraction& f) {
  return concat({f.negative ? "−" : "", grouped_digits(f.above), f.below == 1 ? "" : "/", f.below == 1 ? "" : grouped_digits(f.below)});
}

std::optional<Count> whole(const Fraction& f) { return f.whole() ? std::optional(f.above) : std::nullopt; }

ArticleStep step_of(Json json, std::string_view field) {
  ArticleStep out;
  out.json = json;
  out.name = word_in(json, "name");
  if (std::optional<Error> refusal = attempt([&] {
        if (const std::string_view text = word_in(json, "expression"); !text.empty())
          out.expression = std::make_unique<Arithmetic>(text, "expression");
        if (const std::string_view text = word_in(json, "prints"); !text.empty()) out.printed = read_quantity(text, "prints");
      })) {
    out.verdict = StepVerdict::unreadable;
    out.sentence = std::move(refusal->message);
  }
  if (!json.is(Json::Type::object)) throw Error{ErrorCode::wrong_type, std::string(field), "A step is an object."};
  return out;
}

Subset subset_of(Json json) {
  Subset out;
  const Json tensors = json["tensors"];
  for (const auto& [_, name] : tensors.members())
    if (name.is(Json::Type::string) && !name.string().empty()) out.names.push_back(name.string());
  out.one_copy = flag_in(json, "each");
  return out;
}

/// "with 64 key-value heads", "without final norm"
std::string conditions(const Explanation& e) {
  std::string out;
  for (const Taken& t : e.taken) {
    if (!out.empty()) out += ", ";
    const bool other = t.kind == Taken::configuration && t.id != "two_matrices";
    out += concat({other || t.added ? "with " : "without ", other || t.label.starts_with("every") ? "" : "the ", t.label});
  }
  return out;
}

}  // namespace

std::string_view spelling(StepVerdict verdict) {
  static constexpr std::string_view names[] = {"right", "convention", "carried", "wrong", "unit", "left_out", "unprinted", "unreadable"};
  return names[static_cast<std::size_t>(verdict)];
}

WorkedArticle::WorkedArticle(Json article) : article_(article) {
  if (!article.is(Json::Type::object))
    throw Error{ErrorCode::wrong_type, "article", "An article is an object: { \"title\": …, \"steps\": [ … ] }."};
  read_setting();
  const Json steps = article["steps"];
  constexpr std::size_t most_steps = 1000;
  if (!steps.is(Json::Type::list)) throw Error{ErrorCode::missing_field, "steps", "An article has steps: a list."};
  if (steps.size() > most_steps) throw Error{ErrorCode::too_large, "steps", "An article has at most 1,000 steps."};
  for (const auto& [_, step] : steps.members()) steps_.push_back(step_of(step, "steps"));
  if (article["total"].is(Json::Type::object)) {
    steps_.push_back(step_of(article["total"], "total"));
    has_total_ = true;
  }
  true_names_ = printed_names_ = names_;
  for (ArticleStep& step : steps_) judge(step);
  if (has_total_ && model_) judge_total(steps_.back());
}

void WorkedArticle::read_setting() {
  if (const Json setting = article_["setting"]; setting.is(Json::Type::object)) {
    setting_ = std::make_unique<Model>(setting);
    // Symbols first, so that no symbol hides a field's own name.
    for (const bool symbols : {true, false})
      for (const Field& field : setting_->configuration.fields) {
        if (!field.number || field.number.op() != Op::name) continue;
        const Name& name = field.number.name();
        const Fraction value{field.number.peek(), 1, false};
        if (!symbols) names_.push_back({name.name, value});
        if (symbols && !name.symbol.empty()) names_.push_back({name.symbol, value});
      }
  }
  if (const Json model = article_["model"]; model.is(Json::Type::object)) {
    model_ = std::make_unique<Model>(model);
    conventions_ = std::make_unique<Conventions>(model, Subset{}, assumptions());
  }
  const Json own = article_["names"];
  for (const auto& [name, json] : own.members()) {
    if (!json.is(Json::Type::string))
      throw Error{ErrorCode::wrong_type, std::string(name), "A name stands for an expression, written as a string."};
    const std::vector<Binding>& known = names_;
    names_.push_back({std::string(name), Arithmetic(json.string(), name).value(known)});
  }
}

/// The fields in which the setting differs from the model's configuration.
std::vector<Assumption> WorkedArticle::assumptions() const {
  std::vector<Assumption> out;
  if (!setting_) return out;
  constexpr std::size_t most = 6;
  for (const Field& field : model_->configuration.fields) {
    if (!field.number || out.size() == most) continue;
    const Expr other = setting_->pool.find(model_->configuration.full_name(field.section, field.name));
    if (!other || other.name().definition || other.peek() == field.number.peek()) continue;
    out.push_back(
        {concat({grouped_digits(other.peek()), " for ", field.name}), edit_of(model_->configuration, field, digits(other.peek()))});
  }
  return out;
}

void WorkedArticle::judge(ArticleStep& step) {
  if (step.verdict == StepVerdict::unreadable) return;
  if (std::optional<Error> refusal = attempt([&] { evaluate(step); })) {
    step.verdict = StepVerdict::unreadable;
    step.sentence = std::move(refusal->message);
  }
  if (step.verdict == StepVerdict::unreadable || step.name.empty()) return;
  if (step.true_value) true_names_.push_back({step.name, {*step.true_value, 1, false}});
  // An author does not continue with a number printed in few digits.
  const std::optional<Count> on = step.printed && step.printed->exact() ? step.printed->value : step.carried_value;
  if (on) printed_names_.push_back({step.name, {*on, 1, false}});
}

void WorkedArticle::evaluate(ArticleStep& step) {
  look_at_model(step);
  if (step.expression != nullptr) {
    const Fraction right = step.expression->value(true_names_), carried = step.expression->value(printed_names_);
    step.true_value = whole(right);
    step.carried_value = whole(carried);
    if (step.true_value && step.carried_value) return compare(step);
    step.verdict = StepVerdict::unreadable;
    step.sentence = concat({"This comes to ", written(right), ", which counts nothing."});
  } else if (step.printed) {
    step.true_value = step.carried_value = step.printed->value;
    if (step.models) compare_with_model(step);
  } else if (step.models && *step.models > 0) {
    step.verdict = StepVerdict::left_out;
    step.sentence = concat({"The model has ", grouped_digits(*step.models), " parameters here, which are left out."});
  }
}

void WorkedArticle::compare(ArticleStep& step) {
  const Count right = *step.true_value, carried = *step.carried_value;
  if (!step.printed) {
    step.sentence = concat({"This is ", grouped_digits(right), "."});
    return;
  }
  const Quantity& printed = *step.printed;
  if (within(printed, right)) {
    step.verdict = StepVerdict::right;
    if (step.models && !within(printed, *step.models)) compare_with_model(step);
  } else if (!printed.exact() && printed.value <= right && right < add(printed.value, printed.ulp)) {
    step.verdict = StepVerdict::right;
    step.sentence = concat({"Cut off rather than rounded: it is ", grouped_digits(right), "."});
  } else if (within(printed, carried)) {
    step.verdict = StepVerdict::carried;
    step.sentence = concat({"Right with the numbers printed before; with the true ones it is ", grouped_digits(right), "."});
  } else if (const std::string unit = right_unit(printed, carried); !unit.empty()) {
    step.verdict = StepVerdict::unit;
    step.sentence = concat({"The unit is wrong: ", printed.text, " is ", unit.size() == printed.figures.size() ? "" : concat({unit, ", "}),
                            grouped_digits(carried), "."});
  } else {
    step.verdict = StepVerdict::wrong;
    step.sentence = concat(
        {"It is ", grouped_digits(carried),
         carried == right ? "." : concat({" with the numbers printed before, and ", grouped_digits(right), " with the true ones."})});
    const Slip slip = slip_of(*step.expression, printed, carried, printed_names_);
    step.slip = slip.kind;
    if (!slip.kind.empty()) step.sentence += concat({" ", slip.sentence});
  }
}

/// Sums the model's tensors that the step describes.
void WorkedArticle::look_at_model(ArticleStep& step) {
  if (!model_ || step.json["tensors"].size() == 0) return;
  Subset subset = subset_of(step.json);
  if (subset.names.empty()) return;
  Count sum = 0;
  for (const Row& row : model_->builder.rows())
    if (row.kind == Kind::parameter && std::any_of(subset.names.begin(), subset.names.end(),
                                                   [&](std::string_view name) { return row.name.find(name) != std::string::npos; }))
      sum = add(sum, subset.one_copy ? row.elements.peek() : row.total.peek());
  step.models = sum;
}

/// Finds the convention under which the model's tensors give the step's number.
void WorkedArticle::compare_with_model(ArticleStep& step) {
  const Conventions of_tensors(article_["model"], subset_of(step.json));
  const Conventions::Found found = of_tensors.explain(*step.printed);
  step.verdict = StepVerdict::convention;
  if (!found.agreeing.empty() && !found.agreeing.front().taken.empty()) {
    step.convention = found.agreeing.front();
    step.sentence = concat({"Right ", conditions(*step.convention), "; the model has ", grouped_digits(*step.models), "."});
  } else if (!found.agreeing.empty()) {
    step.verdict = StepVerdict::right;
  } else {
    step.sentence = concat({"Right in itself; the model has ", grouped_digits(*step.models), "."});
  }
}

/// A correct total may still differ from the model's.
void WorkedArticle::judge_total(ArticleStep& total) const {
  if (total.verdict != StepVerdict::right || *total.true_value == conventions_->sum()) return;
  const std::vector<Explanation> found = explained(*total.true_value).agreeing;
  if (found.empty()) return;
  const bool only_left_out = std::all_of(found.front().taken.begin(), found.front().taken.end(),
                                         [](const Taken& t) { return t.kind != Taken::configuration && !t.added; });
  total.verdict = only_left_out ? StepVerdict::left_out : StepVerdict::convention;
  total.convention = found.front();
  total.sentence = concat({"Right ", conditions(*total.convention), "; the model has ", grouped_digits(conventions_->sum()), "."});
}

Conventions::Found WorkedArticle::explained(Count own) const {
  Quantity exactly;
  exactly.value = exactly.low = exactly.high = own;
  exactly.digits = static_cast<unsigned>(digits(own).size());
  return conventions_->explain(exactly);
}

/// The total with the first `corrected` steps at their true values and the rest as printed.
std::optional<Count> WorkedArticle::total_with(std::size_t corrected) const {
  std::vector<Binding> names = names_;
  std::optional<Count> total;
  attempt([&] {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const ArticleStep& step = steps_[i];
      if (step.verdict == StepVerdict::unreadable) continue;
      std::optional<Count> value;
      const bool off = step.verdict == StepVerdict::wrong || step.verdict == StepVerdict::unit;
      // A wrong number stays as printed until it is corrected; what depends on it is recomputed.
      if (off && i >= corrected && step.printed)
        value = step.printed->exact() ? step.printed->value : step.carried_value;
      else if (step.expression != nullptr)
        value = whole(step.expression->value(names));
      else if (step.printed)
        value = step.printed->value;
      if (i + 1 == steps_.size()) total = value;
      if (value && !step.name.empty()) names.push_back({step.name, {*value, 1, false}});
    }
  });
  return total;
}

}  // namespace param_ledger
