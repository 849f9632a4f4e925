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
  convention,  ///< right under a different way of counting, such as without norms
  carried,     ///< continues correctly from a wrong number
  wrong,
  unit,
  misread,    ///< correct arithmetic, or a text, that does not match the model's tensors
  left_out,   ///< the step or the total leaves out tensors of the model
  unprinted,  ///< no printed number to judge
  unreadable
};

std::string_view spelling(StepVerdict verdict);

/// One step of an article, parsed and judged.
struct ArticleStep {
  Json json;
  std::string name;
  std::unique_ptr<Arithmetic> expression;
  std::optional<Quantity> printed;
  StepVerdict verdict = StepVerdict::unprinted;
  std::optional<Count> true_value;     ///< the expression's value, computed from the true values of earlier steps; without an expression,
                                       ///< the printed number
  std::optional<Count> carried_value;  ///< the step's value, computed from the earlier steps' numbers that are printed in full, and from
                                       ///< the carried values of the others
  std::string sentence;
  std::string_view slip = {};  ///< digit, factor, term or ratio
  std::optional<Explanation> convention = {};
  std::optional<Count> models;  ///< the number of parameters in the model's tensors that the step describes
};

/// Reads an article from JSON and judges each step, by itself and against the model that it describes. Throws Error if it is not an
/// article, or if its setting or model cannot be counted.
class WorkedArticle {
 public:
  explicit WorkedArticle(Json article);

  /// All steps. If the article has a total, it is the last of them.
  [[nodiscard]] const std::vector<ArticleStep>& steps() const { return steps_; }
  [[nodiscard]] bool has_total() const { return has_total_; }
  /// The real model's parameter count, if the article names a model.
  [[nodiscard]] std::optional<Count> models() const { return model_ ? std::optional(conventions_->sum()) : std::nullopt; }
  /// A change on the way from the setting to the model, and the number of parameters after it. `causes` finds none if the setting does not
  /// have `own` parameters.
  struct NamedCause {
    std::string label;
    Count after;
  };
  [[nodiscard]] std::vector<NamedCause> causes(Count own) const;
  /// The conventions under which the model's parameters add up to `own`. Requires that the article names a model.
  [[nodiscard]] Conventions::Found explained(Count own) const;
  /// The total if the wrong numbers in the first `corrected` steps are corrected and those in later steps stay as printed.
  [[nodiscard]] std::optional<Count> total_with(std::size_t corrected) const;

 private:
  void read_setting();
  [[nodiscard]] std::vector<Assumption> assumptions() const;
  void judge(ArticleStep& step);
  void evaluate(ArticleStep& step);
  void compare(ArticleStep& step);
  void look_at_model(ArticleStep& step);
  void look_for_matrix(ArticleStep& step);
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
