#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/config/edit.hpp"

namespace param_ledger {

/// Values of configuration fields. Each field occurs once.
class Settings {
 public:
  /// Sets a field, replacing its value if it already has one.
  void set(std::string_view field, std::string value);
  /// Adds those fields that have no value yet.
  void add(const Settings& others);
  [[nodiscard]] bool has(std::string_view field) const;
  [[nodiscard]] const std::vector<Edit>& list() const { return list_; }
  /// A config.json with these fields, the given model type, and the given class in `architectures`.
  [[nodiscard]] std::string text(std::string_view model_type, std::string_view architecture) const;

  friend bool operator==(const Settings& a, const Settings& b);

 private:
  std::vector<Edit> list_;
};

}  // namespace param_ledger
