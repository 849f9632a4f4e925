#include "core/inputs/fit/fit_attempt.hpp"

#include "core/inputs/fit/fit_equations.hpp"
#include "core/support/attempt.hpp"
#include "core/support/count.hpp"

namespace param_ledger {

Count Attempt::parameters() const {
  Count out = 0;
  for (const Row& row : model->builder.rows())
    if (row.kind == Kind::parameter) out = add(out, row.total.peek());
  return out;
}

Attempts::Attempts(const PrintedModel& printed, const PrintedModel::Candidate& candidate, std::string_view model_type,
                   std::string_view architecture, Settings given)
    : rows_(printed.rows),
      matcher_(printed, candidate.prefix, model_type),
      model_type_(model_type),
      architecture_(architecture),
      given_(std::move(given)) {}

std::optional<Attempt> Attempts::built(const Settings& settings) {
  Attempt out;
  std::optional<Error> refusal = attempt([&] {
    out.settings = settings;
    out.config = settings.text(model_type_, architecture_);
    out.document = std::make_unique<Document>(out.config);
    out.model = std::make_unique<Model>(*out.document);
    work_ += out.model->builder.rows().size() + matcher_.names().rows().size();
    out.match = matcher_.match(*out.model);
  });
  if (!refusal) return out;
  work_ += 50;
  refusal_ = *std::move(refusal);
  return {};
}

std::unique_ptr<Attempt> Attempts::plain(const Settings& settings) {
  std::optional<Attempt> out = built(settings);
  return out ? std::make_unique<Attempt>(*std::move(out)) : nullptr;
}

std::optional<Attempt> Attempts::solved(const Settings& choices) {
  Settings settings = given_, required;
  settings.add(hint_);
  settings.add(choices);
  std::optional<Attempt> out;
  Settings told = hint_;
  refused_.reset();
  constexpr int most_rounds = 10;
  for (int round = 0; round < most_rounds && !exhausted(); ++round) {
    std::optional<Attempt> next = built(settings);
    if (!next && refusal_.code == ErrorCode::missing_field && !refusal_.field.empty() && !settings.has(refusal_.field)) {
      // The missing field is required. Set it to any value until the printed text determines one.
      required.set(refusal_.field, "1");
      settings.add(required);
      continue;
    }
    if (!next && round == 0 && !hint_.list().empty()) {
      // The starting values come from an earlier attempt, and may be invalid with these choices.
      told = {};
      settings = given_;
      settings.add(choices);
      next = built(settings);
    }
    if (!next) {
      refused_ = std::move(out);
      if (refused_) refused_->told = told;
      return {};
    }
    out = std::move(next);
    Settings assumed = given_;
    assumed.add(choices);
    Settings now = Equations(*out->model, out->match, rows_, assumed).settings();
    if (now == told) break;
    told = std::move(now);
    // Values that the printed text determines override `choices`, but not given values.
    settings = given_;
    settings.add(told);
    settings.add(choices);
    settings.add(required);
  }
  if (out) out->told = told;
  return out;
}

}  // namespace param_ledger
