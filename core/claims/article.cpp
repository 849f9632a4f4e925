#include "core/claims/article.hpp"

#include "core/claims/slips.hpp"
#include "core/claims/worked_article.hpp"
#include "core/json/json_fields.hpp"
#include "core/json/json_writer.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Writes the verdict on each step of an article, and the data for a waterfall chart from the article's total to the model's.
class ArticleWriter {
 public:
  explicit ArticleWriter(Json article) : article_(article), steps_(article_.steps()) {}

  std::string answer() {
    JsonWriter json;
    json.open_object();
    json.raw_member("ok", "true");
    json.key("steps").open_array();
    const std::size_t n = steps_.size() - (article_.has_total() ? 1 : 0);
    for (std::size_t i = 0; i < n; ++i) write(json, steps_[i]);
    json.close_array();
    if (article_.has_total()) {
      json.key("total");
      write(json, steps_.back());
    }
    if (const std::optional<Count> models = article_.models()) json.member("model", digits(*models));
    write_waterfall(json);
    json.close_object();
    return json.take();
  }

 private:
  static void write(JsonWriter& json, const ArticleStep& step) {
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

  /// Writes the steps from the article's total to the correct total under the article's own conventions: rounding, then errors. If the
  /// article names a model, the conventions or other causes that lead to the model's total follow. Empty for an article without a total.
  void write_waterfall(JsonWriter& json) const {
    json.key("waterfall").open_array();
    if (article_.has_total() && steps_.back().true_value) {
      const ArticleStep& total = steps_.back();
      const Count own = *total.true_value;
      Count now = total.printed ? total.printed->value : own;
      bar(json, "printed", total.printed ? total.printed->text : grouped_digits(own), now, now);
      if (total.printed && !total.printed->exact())
        if (const std::optional<Count> exact = article_.total_with(0);
            exact && *exact != now && (within(*total.printed, *exact) || cut_off(*total.printed, *exact))) {
          bar(json, "rounding", "in full", now, *exact);
          now = *exact;
        }
      for (std::size_t i = 0; i < steps_.size(); ++i) {
        const StepVerdict verdict = steps_[i].verdict;
        if (verdict != StepVerdict::wrong && verdict != StepVerdict::unit) continue;
        const std::optional<Count> next = article_.total_with(i + 1);
        if (!next || *next == now) continue;
        bar(json, "slip", word_in(steps_[i].json, "says"), now, *next, steps_[i].name);
        now = *next;
      }
      if (now != own) bar(json, "rest", "the sum itself", now, own);
      bar(json, "own", "by its own conventions", own, own);
      if (const std::optional<Count> models = article_.models()) write_conventions(json, own, *models);
    }
    json.close_array();
  }

  void write_conventions(JsonWriter& json, Count own, Count real) const {
    const Conventions::Found found = article_.explained(own);
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
    if (found.agreeing.empty())
      for (const WorkedArticle::NamedCause& cause : article_.causes(own)) {
        if (cause.after == now) continue;
        bar(json, "cause", cause.label, now, cause.after);
        now = cause.after;
      }
    if (now != real) bar(json, "rest", "what no convention explains", now, real);
    bar(json, "model", "the model", real, real);
  }

  WorkedArticle article_;
  const std::vector<ArticleStep>& steps_;
};

}  // namespace

std::string article_answer(Json article) { return ArticleWriter(article).answer(); }

}  // namespace param_ledger
