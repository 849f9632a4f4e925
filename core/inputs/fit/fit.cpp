#include "core/inputs/fit/fit.hpp"

#include <algorithm>
#include <tuple>

#include "core/inputs/fit/fit_attempt.hpp"
#include "core/inputs/fit/fit_candidates.hpp"
#include "core/inputs/fit/fit_open.hpp"
#include "core/support/attempt.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Searches for the fields that turn a class's default configuration into the printed model. Solves for the fields that shapes determine,
/// and tries values for the others.
class SettingsSearch {
 public:
  SettingsSearch(const PrintedModel& printed, const PrintedModel::Candidate& candidate, const Choice& choice, const Settings& given)
      : attempts_(printed, candidate, choice.family->model_type, choice.architecture.name, given), prefix_(candidate.prefix) {}

  std::optional<Fitted> run() {
    best_ = attempts_.solved(choices_);
    constexpr int most_repairs = 4;
    for (int i = 0; !best_ && i < most_repairs && repair(); ++i) {
    }
    if (!best_) return {};
    while (best_->wrong() > 0 && !attempts_.exhausted() && improve()) {
    }
    Fitted out;
    out.prefix = prefix_;
    out.agrees = best_->wrong() == 0;
    out.parameters = best_->parameters();
    attempts_.begin_with(best_->told);
    if (out.agrees) {
      find_open(*best_, choices_, attempts_, out);
      // If the search has used up its budget, the result is uncertain.
      if (attempts_.exhausted()) out.agrees = false;
    }
    out.config = std::move(best_->config);
    out.document = std::move(best_->document);
    out.model = std::move(best_->model);
    out.match = std::move(best_->match);
    return out;
  }

 private:
  /// Tries several sets of field values, and keeps the best result if it is better than the current attempt.
  bool take(const std::vector<Settings>& list) {
    std::optional<Attempt> better;
    Settings with;
    if (best_ || attempts_.refused()) attempts_.begin_with(best_ ? best_->told : attempts_.refused()->told);
    for (const Settings& one : list) {
      if (attempts_.exhausted()) break;
      Settings choices = one;
      choices.add(choices_);
      std::optional<Attempt> attempt = attempts_.solved(choices);
      if (!attempt || (better && attempt->wrong() >= better->wrong()) || (best_ && attempt->wrong() >= best_->wrong())) continue;
      better = std::move(attempt);
      with = std::move(choices);
      if (better->wrong() == 0) break;
    }
    if (!better) return false;
    best_ = std::move(better);
    choices_ = std::move(with);
    return true;
  }

  /// Whether changing other fields may still remove all differences: the printed model has few rows, or fewer than half of them differ. If
  /// the printed layers have different widths, most rows stay wrong.
  [[nodiscard]] bool is_near() const {
    constexpr std::size_t few = 60;
    const PrintedMatch& match = best_->match;
    const auto differing = std::count_if(match.pairs.begin(), match.pairs.end(), [](const PrintedMatch::Pair& p) { return !p.same; });
    const std::size_t wrong = match.unexpected.size() + static_cast<std::size_t>(differing), rows = attempts_.names().rows().size();
    return rows < few || 2 * wrong < rows;
  }

  bool improve() {
    for (std::size_t batch = 0; batch < candidate_batches; ++batch) {
      if (batch == structural_batches && !is_near()) return false;
      if (take(candidates(batch, *best_, attempts_))) return true;
    }
    return false;
  }

  bool repair() { return take(repairs(attempts_)); }

  Attempts attempts_;
  std::string prefix_;
  Settings choices_;
  std::optional<Attempt> best_;
};

}  // namespace

std::optional<Fitted> fit(const PrintedModel& printed, const Settings& given) {
  constexpr std::size_t most_rows = 5000, most_places = 20'000;
  if (printed.rows.empty() || printed.rows.size() > most_rows || printed.places.size() > most_places) return {};
  for (const PrintedModel::Candidate& candidate : printed.candidates) {
    std::optional<Fitted> best;
    std::vector<Choice> choices = families_with(candidate.type);
    // Try the model type that the class is named after first.
    const std::string type = folded(candidate.type);
    std::stable_partition(choices.begin(), choices.end(), [&](const Choice& c) { return type.starts_with(folded(c.family->model_type)); });
    for (const Choice& choice : choices) {
      std::optional<Fitted> found;
      attempt([&] { found = SettingsSearch(printed, candidate, choice, given).run(); });
      // A composite type and its text model may share a class. If both match equally well, prefer the text model: its field names have no
      // section prefix.
      const auto rank = [](const Fitted& f) { return std::tuple(!f.agrees, f.match.wrong, f.model->configuration.sections.size()); };
      if (found && (!best || rank(*found) < rank(*best))) best = std::move(found);
      if (best && best->agrees && best->model->configuration.sections.size() == 1) break;
    }
    if (best) return best;
  }
  return {};
}

}  // namespace param_ledger
