#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace param_ledger {

/// The arguments of a training program. Names are written with underscores. An argument that is asked for may occur several times only with
/// the same value.
class Arguments {
 public:
  /// Parses a command, or the arguments in a script after substituting simple shell variables. A switch has the value `true`. Throws Error
  /// if a script gives arguments under a condition.
  static Arguments of_command(std::string_view text);
  /// Parses the list of arguments in a log: `  num_layers ...................................... 32`.
  static Arguments of_log(std::string_view text);

  /// Adds an argument. Throws Error if there are too many.
  void add(std::string_view name, std::string value);
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& all() const { return all_; }

  /// The value of the first of these names that is given with a value other than None or null; empty if there is none. Throws Error if a
  /// name has several different values.
  [[nodiscard]] std::string_view text(std::initializer_list<std::string_view> names) const;
  [[nodiscard]] bool flag(std::initializer_list<std::string_view> names) const;
  /// The value as a number; none if it is not given. Throws Error if the value is not a number.
  [[nodiscard]] std::optional<std::uint64_t> number(std::initializer_list<std::string_view> names) const;
  /// The value as a number. Throws Error if it is missing, 0 or not a number.
  [[nodiscard]] std::uint64_t wanted(std::initializer_list<std::string_view> names) const;

 private:
  std::vector<std::pair<std::string, std::string>> all_;
};

/// Throws the Error that refuses an argument. `message` continues a sentence that begins with the argument's name.
[[noreturn]] void refuse_argument(std::string_view name, std::string_view message);

}  // namespace param_ledger
