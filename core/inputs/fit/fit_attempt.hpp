#pragma once

#include <memory>
#include <optional>

#include "core/config/edit.hpp"
#include "core/inputs/fit/fit_settings.hpp"
#include "core/inputs/printed/printed_match.hpp"
#include "core/json/json_text.hpp"
#include "core/model/model.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

/// A model built from certain field values, and its comparison with the printed model.
struct Attempt {
  Settings settings;
  std::string config;
  std::unique_ptr<Document> document;
  std::unique_ptr<Model> model;
  PrintedMatch match;
  Settings told;  ///< the values that the printed text determines, if the given and chosen values are right

  [[nodiscard]] std::uint64_t wrong() const { return match.wrong; }
  /// The number of parameters of the model, counting tied ones once.
  [[nodiscard]] Count parameters() const;
};

/// Builds models of one class and compares them with the printed model, within a budget of work.
class Attempts {
 public:
  Attempts(const PrintedModel& printed, const PrintedModel::Candidate& candidate, std::string_view model_type,
           std::string_view architecture, Settings given);

  /// The model with the fields in `given` and `choices`, and those that the printed text then determines. None if the budget is already
  /// used up or the configuration is refused. If it is refused, `refusal` returns the error, and `refused` the last valid model before it,
  /// if any.
  std::optional<Attempt> solved(const Settings& choices);
  /// The model with exactly these field values, without solving for other fields; null if they are refused.
  std::unique_ptr<Attempt> plain(const Settings& settings);

  [[nodiscard]] const Settings& given() const { return given_; }
  [[nodiscard]] PrintedMatcher& matcher() { return matcher_; }
  [[nodiscard]] const PrintedNames& names() const { return matcher_.names(); }
  [[nodiscard]] const std::vector<ListedRow>& rows() const { return rows_; }
  [[nodiscard]] const Error& refusal() const { return refusal_; }
  [[nodiscard]] const std::optional<Attempt>& refused() const { return refused_; }
  /// Sets the field values with which further attempts begin.
  void begin_with(const Settings& told) { hint_ = told; }
  /// Whether the budget of work is used up.
  [[nodiscard]] bool exhausted() const { return work_ > most_work; }

 private:
  static constexpr std::size_t most_work = 50'000;  ///< the budget, in rows of the built models and of the printed text

  std::optional<Attempt> built(const Settings& settings);

  const std::vector<ListedRow>& rows_;
  PrintedMatcher matcher_;
  std::string model_type_, architecture_;
  Settings given_;
  Error refusal_{ErrorCode::internal, "", ""};
  std::optional<Attempt> refused_;
  Settings hint_;
  std::size_t work_ = 0;
};

}  // namespace param_ledger
