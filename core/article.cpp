#include "core/article.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "core/arithmetic.hpp"
#include "core/conventions.hpp"
#include "core/json_writer.hpp"
#include "core/model.hpp"
#include "core/quantity.hpp"
#include "core/slips.hpp"
#include "core/text.hpp"
#include "core/totals.hpp"

namespace param_ledger {

namespace {

enum class StepVerdict : std::uint8_t {
  right,
  convention,  ///< right, for a model that is not quite this one
  carried,     ///< goes on rightly from a wrong number
  wrong,
  unit,
  left_out,   ///< tensors that it does not count
  unprinted,  ///< an expression without a number to compare with
  unreadable
};

std::string_view spelling(StepVerdict verdict) {
  static constexpr std::string_view names[] = {"right", "convention", "carried", "wrong", "unit", "left_out", "unprinted", "unreadable"};
  return names[static_cast<std::size_t>(verdict)];
}

std::string text_of(Json object, std::string_view key) {
  const Json found = object[key];
  return found.is(Json::Type::string) ? std::string(found.string()) : "";
}

std::string written(const Fraction& f) {
  return concat({f.negative ? "−" : "", grouped_digits(f.above), f.below == 1 ? "" : "/", f.below == 1 ? "" : grouped_digits(f.below)});
}

/// One step as it was read.
struct Step {
  Json json;
  std::string name;
  std::unique_ptr<Arithmetic> expression;
  std::optional<Quantity> printed;
  StepVerdict verdict = StepVerdict::unprinted;
  std::optional<Count> true_value;     ///< with the true values of the steps before
  std::optional<Count> carried_value;  ///< with the numbers that they print
  std::string sentence;
  std::string_view slip = {};  ///< digit, factor, term, ratio
  std::optional<Explanation> convention = {};
  std::optional<Count> models;  ///< what the model's tensors come to
};

class Reading {
 public:
  explicit Reading(Json article) : article_(article) {
    if (!article.is(Json::Type::object))
      throw Error{ErrorCode::wrong_type, "article", "An article is an object: { \"title\": …, \"steps\": [ … ] }."};
    read_setting();
    const Json steps = article["steps"];
    constexpr std::size_t most_steps = 1000;
    if (!steps.is(Json::Type::list)) throw Error{ErrorCode::missing_field, "steps", "An article has steps: a list."};
    if (steps.size() > most_steps) throw Error{ErrorCode::too_large, "steps", "An article has at most 1,000 steps."};
    for (const auto& [_, step] : steps.members()) steps_.push_back(read(step, "steps"));
    if (article["total"].is(Json::Type::object)) {
      steps_.push_back(read(article["total"], "total"));
      has_total_ = true;
    }
    true_names_ = printed_names_ = names_;
    for (Step& step : steps_) judge(step);
    if (has_total_ && model_) judge_total(steps_.back());
  }

  std::string answer() {
    JsonWriter json;
    json.open_object();
    json.raw_member("ok", "true");
    json.key("steps").open_array();
    const std::size_t n = steps_.size() - (has_total_ ? 1 : 0);
    for (std::size_t i = 0; i < n; ++i) write(json, steps_[i]);
    json.close_array();
    if (has_total_) {
      json.key("total");
      write(json, steps_.back());
    }
    if (model_) json.member("model", digits(conventions_->sum()));
    write_waterfall(json);
    json.close_object();
    return json.take();
  }

 private:
  void read_setting() {
    if (const Json setting = article_["setting"]; setting.is(Json::Type::object)) {
      setting_ = std::make_unique<Model>(setting);
      // Symbols first: a field's own name is not to be hidden by another one's symbol.
      for (const bool symbols : {true, false})
        for (const Field& field : setting_->configuration.fields) {
          if (!field.number || field.number.op() != Op::name) continue;
          const Name& name = field.number.name();
          const Fraction value{field.number.value(), 1, false};
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

  /// Where the setting says otherwise than the model's configuration.
  [[nodiscard]] std::vector<Assumption> assumptions() const {
    std::vector<Assumption> out;
    if (!setting_) return out;
    constexpr std::size_t most = 6;
    for (const Field& field : model_->configuration.fields) {
      if (!field.number || out.size() == most) continue;
      const Expr other = setting_->pool.find(model_->configuration.full_name(field.section, field.name));
      if (!other || other.name().definition || other.value() == field.number.value()) continue;
      out.push_back(
          {concat({grouped_digits(other.value()), " for ", field.name}), edit_of(model_->configuration, field, digits(other.value()))});
    }
    return out;
  }

  static Step read(Json json, std::string_view field) {
    Step out;
    out.json = json;
    out.name = text_of(json, "name");
    try {
      if (const std::string text = text_of(json, "expression"); !text.empty())
        out.expression = std::make_unique<Arithmetic>(text, "expression");
      if (const std::string text = text_of(json, "prints"); !text.empty()) out.printed = read_quantity(text, "prints");
    } catch (const Error& e) {
      out.verdict = StepVerdict::unreadable;
      out.sentence = e.message;
    }
    if (!json.is(Json::Type::object)) throw Error{ErrorCode::wrong_type, std::string(field), "A step is an object."};
    return out;
  }

  static std::optional<Count> whole(const Fraction& f) { return f.whole() ? std::optional(f.above) : std::nullopt; }

  void judge(Step& step) {
    if (step.verdict == StepVerdict::unreadable) return;
    try {
      look_at_model(step);
      if (step.expression != nullptr) {
        const Fraction right = step.expression->value(true_names_), carried = step.expression->value(printed_names_);
        step.true_value = whole(right);
        step.carried_value = whole(carried);
        if (!step.true_value || !step.carried_value) {
          step.verdict = StepVerdict::unreadable;
          step.sentence = concat({"This comes to ", written(right), ", which counts nothing."});
          return;
        }
        compare(step);
      } else if (step.printed) {
        step.true_value = step.carried_value = step.printed->value;
        if (step.models) compare_with_model(step);
      } else if (step.models && *step.models > 0) {
        step.verdict = StepVerdict::left_out;
        step.sentence = concat({"The model has ", grouped_digits(*step.models), " parameters here, which are left out."});
      }
    } catch (const Error& e) {
      step.verdict = StepVerdict::unreadable;
      step.sentence = e.message;
      return;
    }
    if (step.name.empty()) return;
    if (step.true_value) true_names_.push_back({step.name, {*step.true_value, 1, false}});
    // What is printed in few digits is not what an author goes on with.
    const std::optional<Count> on = step.printed && step.printed->exact() ? step.printed->value : step.carried_value;
    if (on) printed_names_.push_back({step.name, {*on, 1, false}});
  }

  void compare(Step& step) {
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
      step.sentence = concat({"The unit is wrong: ", printed.text, " is ",
                              unit.size() == printed.figures.size() ? "" : concat({unit, ", "}), grouped_digits(carried), "."});
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

  [[nodiscard]] static Subset subset_of(Json json) {
    Subset out;
    const Json tensors = json["tensors"];
    for (const auto& [_, name] : tensors.members())
      if (name.is(Json::Type::string) && !name.string().empty()) out.names.push_back(name.string());
    const Json each = json["each"];
    out.one_copy = each.is(Json::Type::boolean) && each.boolean();
    return out;
  }

  /// What the tensors that the step is about come to in the model.
  void look_at_model(Step& step) {
    if (!model_ || step.json["tensors"].size() == 0) return;
    Subset subset = subset_of(step.json);
    if (subset.names.empty()) return;
    Count sum = 0;
    for (const Row& row : model_->builder.rows())
      if (row.kind == Kind::parameter && std::any_of(subset.names.begin(), subset.names.end(),
                                                     [&](std::string_view name) { return row.name.find(name) != std::string::npos; }))
        sum = add(sum, subset.one_copy ? row.elements.value() : row.total.value());
    step.models = sum;
  }

  /// Finds the convention under which the model's tensors give what the step prints.
  void compare_with_model(Step& step) {
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

  /// A total that is right in itself need not be the model's.
  void judge_total(Step& total) const {
    if (total.verdict != StepVerdict::right || *total.true_value == conventions_->sum()) return;
    const std::vector<Explanation> found = explained(*total.true_value).agreeing;
    if (found.empty()) return;
    const bool only_left_out = std::all_of(found.front().taken.begin(), found.front().taken.end(),
                                           [](const Taken& t) { return t.kind != Taken::configuration && !t.added; });
    total.verdict = only_left_out ? StepVerdict::left_out : StepVerdict::convention;
    total.convention = found.front();
    total.sentence = concat({"Right ", conditions(*total.convention), "; the model has ", grouped_digits(conventions_->sum()), "."});
  }

  [[nodiscard]] Conventions::Found explained(Count own) const {
    Quantity exactly;
    exactly.value = exactly.low = exactly.high = own;
    exactly.digits = static_cast<unsigned>(digits(own).size());
    return conventions_->explain(exactly);
  }

  /// "with 64 key-value heads", "without final norm"
  static std::string conditions(const Explanation& e) {
    std::string out;
    for (const Taken& t : e.taken) {
      if (!out.empty()) out += ", ";
      const bool other = t.kind == Taken::configuration && t.id != "two_matrices";
      out += concat({other || t.added ? "with " : "without ", other || t.label.starts_with("every") ? "" : "the ", t.label});
    }
    return out;
  }

  static void write(JsonWriter& json, const Step& step) {
    json.open_object();
    if (!step.name.empty()) json.member("name", step.name);
    json.member("verdict", spelling(step.verdict));
    if (!step.sentence.empty()) json.member("sentence", step.sentence);
    if (step.printed) {
      json.member("printed", digits(step.printed->value));
      json.raw_member("rounded", step.printed->exact() ? "false" : "true");
    }
    if (step.true_value) json.member("value", digits(*step.true_value));
    if (step.carried_value && step.true_value && *step.carried_value != *step.true_value)
      json.member("carried", digits(*step.carried_value));
    if (step.models) json.member("model", digits(*step.models));
    if (!step.slip.empty()) json.member("slip", step.slip);
    if (step.convention) json.member("convention", sum_text(*step.convention));
    json.close_object();
  }

  /// The total, were the first so many steps what they truly are, and the rest as printed.
  [[nodiscard]] std::optional<Count> total_with(std::size_t corrected) const {
    std::vector<Binding> names = names_;
    try {
      for (std::size_t i = 0; i < steps_.size(); ++i) {
        const Step& step = steps_[i];
        if (step.verdict == StepVerdict::unreadable) continue;
        std::optional<Count> value;
        const bool off = step.verdict == StepVerdict::wrong || step.verdict == StepVerdict::unit;
        // A number that is wrong stands as printed until its turn; what follows from it is computed anew.
        if (off && i >= corrected && step.printed)
          value = step.printed->exact() ? step.printed->value : step.carried_value;
        else if (step.expression != nullptr)
          value = whole(step.expression->value(names));
        else if (step.printed)
          value = step.printed->value;
        if (i + 1 == steps_.size()) return value;
        if (value && !step.name.empty()) names.push_back({step.name, {*value, 1, false}});
      }
    } catch (const Error&) {
      return {};
    }
    return {};
  }

  static void bar(JsonWriter& json, std::string_view kind, std::string_view label, Count before, Count after, std::string_view step = {}) {
    json.open_object();
    json.member("kind", kind);
    json.member("label", label);
    if (!step.empty()) json.member("step", step);
    if (before != after)
      json.member("change", concat({after < before ? "-" : "", digits(after < before ? before - after : after - before)}));
    json.member("total", digits(after));
    json.close_object();
  }

  /// From the article's total by its slips to its own conventions' true total, and from there by its conventions to the model's.
  void write_waterfall(JsonWriter& json) const {
    json.key("waterfall").open_array();
    if (has_total_ && steps_.back().true_value) {
      const Step& total = steps_.back();
      const Count own = *total.true_value;
      Count now = total.printed ? total.printed->value : own;
      bar(json, "printed", total.printed ? total.printed->text : grouped_digits(own), now, now);
      if (total.printed && !total.printed->exact())
        if (const std::optional<Count> exact = total_with(0); exact && within(*total.printed, *exact)) {
          bar(json, "rounding", "in full", now, *exact);
          now = *exact;
        }
      for (std::size_t i = 0; i < steps_.size(); ++i) {
        const StepVerdict verdict = steps_[i].verdict;
        if (verdict != StepVerdict::wrong && verdict != StepVerdict::unit) continue;
        const std::optional<Count> next = total_with(i + 1);
        if (!next || *next == now) continue;
        bar(json, "slip", text_of(steps_[i].json, "says"), now, *next, steps_[i].name);
        now = *next;
      }
      if (now != own) bar(json, "rest", "the sum itself", now, own);
      bar(json, "own", "by its own conventions", own, own);
      if (model_) write_conventions(json, own);
    }
    json.close_array();
  }

  void write_conventions(JsonWriter& json, Count own) const {
    const Conventions::Found found = explained(own);
    const Count real = conventions_->sum();
    Count now = own;
    if (!found.agreeing.empty()) {
      const std::vector<Taken>& taken = found.agreeing.front().taken;
      for (std::size_t i = taken.size(); i-- > 0;) {
        const Taken& t = taken[i];
        const Count next = t.added ? now - t.change : add(now, t.change);
        bar(json, "convention", t.label, now, next, t.id);
        now = next;
      }
    }
    if (now != real) bar(json, "rest", "what no convention explains", now, real);
    bar(json, "model", "the model", real, real);
  }

  Json article_;
  std::unique_ptr<Model> setting_, model_;
  std::unique_ptr<Conventions> conventions_;
  std::vector<Binding> names_, true_names_, printed_names_;
  std::vector<Step> steps_;
  bool has_total_ = false;
};

}  // namespace

std::string article_answer(Json article) { return Reading(article).answer(); }

}  // namespace param_ledger
