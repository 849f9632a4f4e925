#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/claims/arithmetic.hpp"
#include "core/claims/conventions.hpp"
#include "core/model/model.hpp"
#include "core/support/quantity.hpp"

namespace param_ledger {

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

std::string_view spelling(StepVerdict verdict);

/// One step of an article, read and judged.
struct ArticleStep {
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

/// Somebody's computation, read from its JSON and each step of it judged, by itself and by the model that it is about. Throws Error where
/// it is no article, or its setting or model cannot be counted.
class WorkedArticle {
 public:
  explicit WorkedArticle(Json article);

  /// The total last, where it has one.
  [[nodiscard]] const std::vector<ArticleStep>& steps() const { return steps_; }
  [[nodiscard]] bool has_total() const { return has_total_; }
  /// What the model has, where the article names one.
  [[nodiscard]] std::optional<Count> models() const { return model_ ? std::optional(conventions_->sum()) : std::nullopt; }
  /// By which conventions the model comes to that number. Only where the article names one.
  [[nodiscard]] Conventions::Found explained(Count own) const;
  /// The total, were the first so many steps what they truly are, and the rest as printed.
  [[nodiscard]] std::optional<Count> total_with(std::size_t corrected) const;

 private:
  void read_setting();
  [[nodiscard]] std::vector<Assumption> assumptions() const;
  void judge(ArticleStep& step);
  void compare(ArticleStep& step);
  void look_at_model(ArticleStep& step);
  void compare_with_model(ArticleStep& step);
  void judge_total(ArticleStep& total) const;

  Json article_;
  std::unique_ptr<Model> setting_, model_;
  std::unique_ptr<Conventions> conventions_;
  std::vector<Binding> names_, true_names_, printed_names_;
  std::vector<ArticleStep> steps_;
  bool has_total_ = false;
};

}  // namespace param_ledger
