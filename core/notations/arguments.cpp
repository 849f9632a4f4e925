#include "core/notations/arguments.hpp"

#include <algorithm>

#include "core/json/value_text.hpp"
#include "core/support/error.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

void refuse_argument(std::string_view name, std::string_view message) {
  throw Error{ErrorCode::unsupported, std::string(clipped(name, 100)), concat({clipped(name, 100), " ", message})};
}

void Arguments::add(std::string_view name, std::string value) {
  constexpr std::size_t most = 5000;
  if (all_.size() >= most) throw Error{ErrorCode::too_large, "", "There are too many arguments."};
  // `num-layers` and `num_layers` name the same argument.
  std::string key(name);
  std::replace(key.begin(), key.end(), '-', '_');
  all_.emplace_back(std::move(key), std::move(value));
}

std::string_view Arguments::text(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    const std::string* found = nullptr;
    for (const auto& [given, value] : all_) {
      if (given != name) continue;
      if (found != nullptr && *found != value) refuse_argument(name, "is given with several values. Keep one of them.");
      found = &value;
    }
    if (found != nullptr && !is_one_of(*found, {"None", "null"})) return *found;
  }
  return {};
}

bool Arguments::flag(std::initializer_list<std::string_view> names) const {
  // A switch in a command is true unless a word for false follows it.
  return !is_one_of(text(names), {"", "false", "False", "FALSE", "0", "no"});
}

std::optional<std::uint64_t> Arguments::number(std::initializer_list<std::string_view> names) const {
  const std::string_view given = text(names);
  if (given.empty()) return std::nullopt;
  const std::optional<std::uint64_t> out = integer_written(given);
  if (!out) refuse_argument(*names.begin(), concat({"is ", quoted(given), ": the text does not give its value."}));
  return out;
}

std::uint64_t Arguments::wanted(std::initializer_list<std::string_view> names) const {
  const std::optional<std::uint64_t> found = number(names);
  if (!found || *found == 0) refuse_argument(*names.begin(), "is missing, and the count depends on it.");
  return *found;
}

namespace {

/// The value that a script gives a shell variable, as `NAME=8` or `NAME=${NAME:-8}`. Empty if the script gives none, or several different
/// ones.
std::string_view variable(std::string_view script, std::string_view name) {
  std::string_view out;
  if (name.empty()) return out;
  for (std::size_t at = 0; (at = script.find(name, at)) != std::string_view::npos; at += name.size()) {
    const std::size_t end = at + name.size();
    if (end >= script.size() || script[end] != '=') continue;
    const std::size_t line = script.substr(0, at).rfind('\n');
    const std::string_view before = script.substr(line == std::string_view::npos ? 0 : line + 1, at - (line + 1));
    if (before.find_first_not_of(" \t") != std::string_view::npos && !before.ends_with("export ") && !before.ends_with("; ")) continue;
    std::string_view value = script.substr(end + 1);
    value = value.substr(0, value.find_first_of(" \t\n;#"));
    if (value.starts_with("${") && holds(value, ":-")) value = value.substr(value.find(":-") + 2);
    while (!value.empty() && is_one_of(value.substr(value.size() - 1), {"}", "\"", "'"})) value.remove_suffix(1);
    while (!value.empty() && is_one_of(value.substr(0, 1), {"\"", "'"})) value.remove_prefix(1);
    if (!out.empty() && out != value) return {};
    out = value;
  }
  return out;
}

bool is_number(std::string_view word) { return !word.empty() && std::all_of(word.begin(), word.end(), is_digit); }

/// Refuses a script that has arguments inside a conditional, because it is not known whether the condition holds.
void refuse_conditions(std::string_view script) {
  std::size_t depth = 0;
  each_line(script, [&](std::string_view line, std::uint64_t) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.starts_with("if ") || line.starts_with("case ")) ++depth;
    if (depth > 0 && holds(line, "--"))
      throw Error{ErrorCode::unsupported, "", "This script gives arguments under a condition. Keep only those that apply."};
    if (depth > 0 && (line.starts_with("fi") || line.starts_with("esac") || holds(line, "; fi"))) --depth;
    return true;
  });
}

/// The words of a command, without comments. Quoted text is split into words, too, unless the word contains a bracket.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  char quote = '\0';
  bool begun = false;
  const auto end = [&] {
    if (begun) out.push_back(std::exchange(word, {}));
    begun = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\0') {
      // A variable may hold all arguments: ARGS="--num-layers 32 …"
      if (c == quote)
        quote = '\0';
      else if ((c == ' ' || c == '\n' || c == '\t') && word.find('[') == std::string::npos)
        end();
      else if (c != '\\')
        word += c, begun = true;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#' && !begun) {
      i = std::min(text.find('\n', i), text.size()) - 1;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || (c == '(' && !begun) ||
               (c == ')' && word.find('[') == std::string::npos)) {
      end();
    } else if (c != '\\') {
      word += c;
      begun = true;
    }
  }
  end();
  return out;
}

}  // namespace

Arguments Arguments::of_command(std::string_view text) {
  refuse_conditions(text);
  const std::vector<std::string> words = words_of(text);
  Arguments out;
  constexpr std::size_t most_variables = 200;
  for (std::size_t i = 0, looked_up = 0; i < words.size(); ++i) {
    // In `ARGS="--num-layers` the name of the variable precedes the argument.
    const std::size_t begin = words[i].find("--");
    if (begin == std::string::npos || (begin > 0 && words[i][begin - 1] != '=')) continue;
    const std::string_view word = std::string_view(words[i]).substr(begin + 2);
    const std::size_t equals = word.find('=');
    const bool follows = i + 1 < words.size() && !holds(words[i + 1], "--") && !words[i + 1].starts_with("&&");
    std::string value = equals != std::string_view::npos ? std::string(word.substr(equals + 1)) : follows ? words[i + 1] : "true";
    // Join several numbers, so that a list is not mistaken for a single value.
    for (std::size_t next = i + 2; follows && is_number(value) && next < words.size() && is_number(words[next]); ++next)
      value = concat({value, " ", words[next]});
    if (value.starts_with('$') && looked_up++ < most_variables) {
      const std::size_t from = value.find_first_not_of("${");
      const std::string_view name = std::string_view(value).substr(std::min(from, value.size()));
      const std::string_view said = variable(text, name.substr(0, name.find_first_of("}:[")));
      // If a variable that contains further arguments follows a switch, it is not the switch's value.
      if (!said.empty() && said.front() != '$' && said.front() != '(')
        value = said.starts_with("--") ? std::string("true") : std::string(said);
    }
    out.add(word.substr(0, equals), std::move(value));
  }
  return out;
}

/// Reads lines such as `  num_layers ...................................... 32`, possibly with a log prefix.
Arguments Arguments::of_log(std::string_view text) {
  Arguments out;
  constexpr std::string_view dots = " ...";
  each_line(text, [&](std::string_view line, std::uint64_t) {
    const std::size_t at = line.find(dots);
    if (at == std::string_view::npos) return true;
    const std::size_t begin = line.substr(0, at).find_last_of(" :\t]") + 1;
    const std::size_t behind = line.find_first_not_of(" .", at);
    if (behind == std::string_view::npos) return true;
    std::string_view value = line.substr(behind);
    while (!value.empty() && is_one_of(value.substr(value.size() - 1), {" ", "\r"})) value.remove_suffix(1);
    if (value.starts_with('[') && value.ends_with(']') && value.find(',') == std::string_view::npos)
      value = value.substr(1, value.size() - 2);
    out.add(line.substr(begin, at - begin), std::string(value));
    return true;
  });
  return out;
}

}  // namespace param_ledger
