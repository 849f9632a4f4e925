#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace param_ledger {

/// What a training program was told, by names with underscores; the last of several counts. Values are as they were written.
class Arguments {
 public:
  /// The arguments of a command, or of a script's lists of them, whose plain variables are looked up. A switch is `true`.
  static Arguments of_command(std::string_view text);
  /// Those that a log lists: `  num_layers ...................................... 32`.
  static Arguments of_log(std::string_view text);

  /// Throws Error for more than any program has.
  void add(std::string_view name, std::string value);
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& all() const { return all_; }

  /// What is given under the first of some names that is; empty where none is, or None.
  [[nodiscard]] std::string_view text(std::initializer_list<std::string_view> names) const;
  [[nodiscard]] bool flag(std::initializer_list<std::string_view> names) const;
  /// Throws Error where it is given and no number.
  [[nodiscard]] std::optional<std::uint64_t> number(std::initializer_list<std::string_view> names) const;
  /// Throws Error where it is not given, too.
  [[nodiscard]] std::uint64_t wanted(std::initializer_list<std::string_view> names) const;

 private:
  std::vector<std::pair<std::string, std::string>> all_;
};

/// Refuses an argument, by a sentence that begins with its name.
[[noreturn]] void refuse_argument(std::string_view name, std::string_view message);

}  // namespace param_ledger
