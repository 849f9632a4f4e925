#include "core/claims/worked_article.hpp"

#include <algorithm>
#include <array>

#include "core/claims/bindings.hpp"
#include "core/claims/slips.hpp"
#include "core/compare/causes.hpp"
#include "core/config/edit.hpp"
#include "core/json/json_fields.hpp"
#include "core/model/totals.hpp"
#include "core/support/attempt.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

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
  if (!json.is(Json::Type::object)) throw Error{ErrorCode::wrong_type, std::string(field), "A step must be an object."};
  return out;
}

/// An identifier as words: `query_key_norms` becomes "query key norms".
std::string words_of(std::string_view id) {
  std::string out(id);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

/// The sides of a tensor in words: "4,096 rows and 32 columns", or "4,096 rows" for a vector.
std::string sides_text(std::span<const Count> sides) {
  return concat({grouped_digits(sides[0]), " rows", sides.size() > 1 ? concat({" and ", grouped_digits(sides[1]), " columns"}) : ""});
}

/// A sentence that says how many more parameters the real model has in some places than the article's model, and how many fewer in others.
/// Empty if the models do not differ.
std::string balance_of(Count own, const std::vector<WorkedArticle::NamedCause>& causes) {
  Count now = own, more = 0, fewer = 0;
  for (const WorkedArticle::NamedCause& cause : causes) {
    if (cause.after > now) more += cause.after - now;
    if (cause.after < now) fewer += now - cause.after;
    now = cause.after;
  }
  if (more == 0 && fewer == 0) return {};
  const Count larger = std::max(more, fewer), apart = larger - std::min(more, fewer);
  constexpr Count near = 20;  // increases and decreases that differ by less than a twentieth nearly cancel
  return concat({"The sum is right, but for a different model. Compared with it, the real one has ", grouped_digits(more),
                 " more parameters in some places and ", grouped_digits(fewer), " fewer in others",
                 apart < larger / near ? ", so the differences nearly cancel." : "."});
}

Subset subset_of(Json json) {
  Subset out;
  const Json tensors = json["tensors"];
  for (const auto& [_, name] : tensors.members())
    if (name.is(Json::Type::string) && !name.string().empty()) out.names.push_back(name.string());
  out.one_copy = flag_in(json, "each");
  return out;
}

}  // namespace

std::string_view spelling(StepVerdict verdict) {
  static constexpr std::string_view names[] = {"right",   "convention", "carried",   "wrong",     "unit",
                                               "misread", "left_out",   "unprinted", "unreadable"};
  return names[static_cast<std::size_t>(verdict)];
}

std::vector<WorkedArticle::NamedCause> WorkedArticle::causes(Count own) const {
  if (!setting_ || !model_ || totals_of(setting_->builder.rows()).parameter_sum != own) return {};
  const std::array<const Model*, 2> models{setting_.get(), model_.get()};
  const std::vector<FieldMatch> matches = match_fields(models);
  std::vector<NamedCause> out;
  for (const Cause& cause : causes_between(matches, models, 0, 1)) {
    std::string label;
    for (const std::size_t match : cause.fields) {
      const Field *const from = matches[match].cells[0], *const to = matches[match].cells[1];
      label += concat({label.empty() ? "" : ", ", (to != nullptr ? to : from)->name, " ", from != nullptr ? value_text(*from) : "none",
                       " → ", to != nullptr ? value_text(*to) : "none"});
    }
    if (cause.rest)
      label += concat({label.empty() ? "" : ", ", cause.purpose.empty() ? "differences that no field shows" : words_of(cause.purpose)});
    if (label.empty()) label = "another class";
    out.push_back({std::move(label), cause.after});
  }
  return out;
}

WorkedArticle::WorkedArticle(Json article) : article_(article) {
  if (!article.is(Json::Type::object))
    throw Error{ErrorCode::wrong_type, "article", "An article must be an object: { \"title\": …, \"steps\": [ … ] }."};
  read_setting();
  const Json steps = article["steps"];
  constexpr std::size_t most_steps = 1000;
  if (!steps.is(Json::Type::list)) throw Error{ErrorCode::missing_field, "steps", "An article must have a list of steps."};
  if (steps.size() > most_steps) throw Error{ErrorCode::too_large, "steps", "An article may have at most 1,000 steps."};
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
    names_ = bindings_of(*setting_);
  }
  if (const Json model = article_["model"]; model.is(Json::Type::object)) {
    model_ = std::make_unique<Model>(model);
    conventions_ = std::make_unique<Conventions>(model, Subset{}, assumptions());
  }
  const Json own = article_["names"];
  for (const auto& [name, json] : own.members()) {
    if (!json.is(Json::Type::string))
      throw Error{ErrorCode::wrong_type, std::string(name), "A name must be an expression, written as a string."};
    const std::vector<Binding>& known = names_;
    names_.push_back({std::string(name), Arithmetic(json.string(), name).value(known)});
  }
}

/// Up to six integer fields whose values in the setting differ from the real model's configuration. Explanations may assume these values.
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
  if (std::optional<Error> refusal = attempt([&] {
        evaluate(step);
        if (step.verdict != StepVerdict::unreadable) look_for_matrix(step);
      })) {
    step.verdict = StepVerdict::unreadable;
    step.sentence = std::move(refusal->message);
  }
  if (step.verdict == StepVerdict::unreadable || step.name.empty()) return;
  if (step.true_value) true_names_.push_back({step.name, {*step.true_value, 1, false}});
  // Later steps use the printed number only if it is printed in full. Authors rarely continue with a rounded number.
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
    step.sentence = concat({"This comes to ", written(right), ", which is not a whole number, so it cannot be a count."});
  } else if (step.printed) {
    step.true_value = step.carried_value = step.printed->value;
    if (step.models) compare_with_model(step);
  } else if (step.models && *step.models > 0) {
    step.verdict = StepVerdict::left_out;
    step.sentence = concat({"The model has ", grouped_digits(*step.models), " parameters here, which the article leaves out."});
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
  } else if (cut_off(printed, right)) {
    step.verdict = StepVerdict::right;
    step.sentence = concat({"Cut off rather than rounded: it is ", grouped_digits(right), "."});
  } else if (within(printed, carried)) {
    step.verdict = StepVerdict::carried;
    step.sentence = concat(
        {"Carries an earlier error: the arithmetic follows from the printed numbers; the correct value is ", grouped_digits(right), "."});
  } else if (const std::string unit = right_unit(printed, carried); !unit.empty()) {
    step.verdict = StepVerdict::unit;
    step.sentence = concat({"The unit is wrong: ", printed.text, " is ", unit.size() == printed.figures.size() ? "" : concat({unit, ", "}),
                            grouped_digits(carried), "."});
  } else {
    step.verdict = StepVerdict::wrong;
    step.sentence = concat(
        {"It is ", grouped_digits(carried),
         carried == right ? "." : concat({" with the earlier printed numbers, and ", grouped_digits(right), " with the correct ones."})});
    const Slip slip = slip_of(*step.expression, printed, carried, printed_names_);
    step.slip = slip.kind;
    if (!slip.kind.empty()) step.sentence += concat({" ", slip.sentence});
  }
}

/// Counts the parameters in the model's tensors that the step describes.
void WorkedArticle::look_at_model(ArticleStep& step) {
  if (!model_ || step.json["tensors"].size() == 0) return;
  const Subset subset = subset_of(step.json);
  if (!subset.names.empty()) step.models = sum_of(*model_, subset);
}

/// A step may give the rows and columns of the matrix that it describes. Sets the verdict `misread` if none of the tensors that the step
/// lists has this shape or, for a step that lists none, if no tensor of the model has it. A step with an expression and a printed number
/// keeps its verdict unless the number was judged right, or right under a convention.
void WorkedArticle::look_for_matrix(ArticleStep& step) {
  const Json matrix = step.json["matrix"];
  if (!model_ || matrix.size() == 0) return;
  std::vector<Count> sides;
  for (const auto& [_, side] : matrix.members()) {
    if (!side.is(Json::Type::string)) throw Error{ErrorCode::wrong_type, "matrix", "A matrix must be a list of its rows and columns."};
    const Fraction value = Arithmetic(side.string(), "matrix").value(true_names_);
    if (!value.whole()) throw Error{ErrorCode::wrong_type, "matrix", "A side of a matrix must be a whole number."};
    sides.push_back(value.above);
  }
  const Subset subset = subset_of(step.json);
  std::string has;
  for (const Row& row : model_->builder.rows()) {
    const bool meant = subset.names.empty() || std::any_of(subset.names.begin(), subset.names.end(),
                                                           [&](std::string_view name) { return row.name.find(name) != std::string::npos; });
    if (row.kind != Kind::parameter || !meant || row.shape.size() != sides.size()) continue;
    if (std::equal(sides.begin(), sides.end(), row.shape.begin(), [](Count side, Expr e) { return side == e.peek(); })) return;
    if (!subset.names.empty() && has.empty()) {
      std::vector<Count> shape;
      for (const Expr e : row.shape) shape.push_back(e.peek());
      has = concat({" ", subset.names.front(), " has ", sides_text(shape), "."});
    }
  }
  if (step.expression != nullptr && step.printed && step.verdict != StepVerdict::right && step.verdict != StepVerdict::convention) return;
  const bool product = step.expression != nullptr && step.printed.has_value();
  step.verdict = StepVerdict::misread;
  step.sentence = concat(
      {product ? "The product is right, but the model has no matrix of " : "The model has no matrix of ", sides_text(sides), ".", has});
}

/// Looks for a convention under which the model's tensors give the step's number, and sets the verdict.
void WorkedArticle::compare_with_model(ArticleStep& step) {
  Subset subset = subset_of(step.json);
  const Conventions of_tensors(article_["model"], subset);
  const Conventions::Found found = of_tensors.explain(*step.printed);
  step.verdict = StepVerdict::convention;
  if (!found.agreeing.empty() && !found.agreeing.front().taken.empty()) {
    step.convention = found.agreeing.front();
    step.sentence = concat({"Right ", conditions_text(*step.convention), "; the model has ", grouped_digits(*step.models), "."});
  } else if (!found.agreeing.empty()) {
    step.verdict = StepVerdict::right;
  } else if (subset.one_copy = true; within(*step.printed, sum_of(*model_, subset))) {
    step.sentence = concat({"Right for one copy of each tensor; the model has ", grouped_digits(*step.models), " in all copies."});
  } else {
    step.verdict = StepVerdict::misread;
    step.sentence = concat({"The product is right, but the model has ", grouped_digits(*step.models), " here."});
  }
}

/// Compares a correct total with the model's, and finds the conventions behind a difference.
void WorkedArticle::judge_total(ArticleStep& total) const {
  if (total.verdict != StepVerdict::right || *total.true_value == conventions_->sum()) return;
  const std::vector<Explanation> found = explained(*total.true_value).agreeing;
  if (found.empty()) {
    total.sentence = balance_of(*total.true_value, causes(*total.true_value));
    return;
  }
  const bool only_left_out = std::all_of(found.front().taken.begin(), found.front().taken.end(),
                                         [](const Taken& t) { return t.kind != Taken::configuration && !t.added; });
  total.verdict = only_left_out ? StepVerdict::left_out : StepVerdict::convention;
  total.convention = found.front();
  total.sentence = concat({"Right ", conditions_text(*total.convention), "; the model has ", grouped_digits(conventions_->sum()), "."});
}

Conventions::Found WorkedArticle::explained(Count own) const {
  Quantity exactly;
  exactly.value = exactly.low = exactly.high = own;
  exactly.digits = static_cast<unsigned>(digits(own).size());
  return conventions_->explain(exactly);
}

/// The total if the wrong numbers in the first `corrected` steps are corrected and those in later steps stay as printed.
std::optional<Count> WorkedArticle::total_with(std::size_t corrected) const {
  std::vector<Binding> names = names_;
  std::optional<Count> total;
  attempt([&] {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const ArticleStep& step = steps_[i];
      if (step.verdict == StepVerdict::unreadable) continue;
      std::optional<Count> value;
      const bool off = step.verdict == StepVerdict::wrong || step.verdict == StepVerdict::unit;
      // A wrong number that is not yet corrected keeps its printed value if it is printed in full, and later steps are computed from it. If
      // it is rounded, the step keeps its carried value instead. In the last step the printed number always stays: it is the total.
      if (off && i >= corrected && step.printed)
        value = step.printed->exact() || i + 1 == steps_.size() ? step.printed->value : step.carried_value;
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
