#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace param_ledger {

/// A field and what it is set to, as JSON text.
struct Setting {
  std::string field;  ///< dotted
  std::string value;
};

/// The settings of a configuration, each field once.
class Settings {
 public:
  /// Sets a field, or sets it anew.
  void set(std::string_view field, std::string value);
  /// Sets those that are not set yet.
  void add(const Settings& others);
  [[nodiscard]] bool has(std::string_view field) const;
  [[nodiscard]] const std::vector<Setting>& list() const { return list_; }
  /// The configuration of these, for that class.
  [[nodiscard]] std::string text(std::string_view model_type, std::string_view architecture) const;

  friend bool operator==(const Settings& a, const Settings& b);

 private:
  std::vector<Setting> list_;
};

}  // namespace param_ledger
