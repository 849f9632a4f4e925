#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/claims/arithmetic.hpp"
#include "core/config/edit.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// The model that a screen is about, and the names that its expressions may use: totals, fields, symbols and the lesson's own.
class LessonScene {
 public:
  /// Throws Error naming `path` if `config` is not an object, and Error if it cannot be counted.
  LessonScene(Json config, const std::string& path);

  [[nodiscard]] Json config() const { return config_; }
  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const std::vector<Binding>& names() const { return names_; }

  /// Adds the `names` of a lesson. Each stands for an expression or for a count.
  void add_names(Json names, const std::string& path);
  void add_name(std::string_view name, Count value) { names_.push_back({std::string(name), {value, 1, false}}); }

  /// A field's value in a lesson as JSON: the value itself or, for a string that begins with `=`, the value of the expression after it.
  [[nodiscard]] std::string literal_of(Json value, const std::string& path) const;
  /// The model's parameter count with another value of a field.
  [[nodiscard]] Count parameters_with(std::string_view field, std::string literal) const;

 private:
  static Json require_config(Json config, const std::string& path);
  [[nodiscard]] Count counted(Json meaning, const std::string& path) const;
  [[nodiscard]] std::vector<Edit> edits_for(std::string_view name, std::string literal) const;

  Json config_;
  Model model_;
  std::vector<Binding> names_;
};

}  // namespace param_ledger
