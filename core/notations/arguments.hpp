#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace param_ledger {

/// The arguments of a training program. Names have underscores, values are as written, and the last of several values counts.
class Arguments {
 public:
  /// Parses a command, or a script's lists of arguments with plain variables substituted. A switch has the value `true`.
  static Arguments of_command(std::string_view text);
  /// Parses a log's list: `  num_layers ...................................... 32`.
  static Arguments of_log(std::string_view text);

  /// Throws Error if there are too many.
  void add(std::string_view name, std::string value);
  [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& all() const { return all_; }

  /// The value of the first of these names that is given; empty if none is, or if it is None.
  [[nodiscard]] std::string_view text(std::initializer_list<std::string_view> names) const;
  [[nodiscard]] bool flag(std::initializer_list<std::string_view> names) const;
  /// Throws Error if it is given but not a number.
  [[nodiscard]] std::optional<std::uint64_t> number(std::initializer_list<std::string_view> names) const;
  /// Throws Error also if it is not given.
  [[nodiscard]] std::uint64_t wanted(std::initializer_list<std::string_view> names) const;

 private:
  std::vector<std::pair<std::string, std::string>> all_;
};

/// Refuses an argument; `message` continues a sentence that begins with its name.
[[noreturn]] void refuse_argument(std::string_view name, std::string_view message);

}  // namespace param_ledger
