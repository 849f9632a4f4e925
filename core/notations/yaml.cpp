#include "core/notations/yaml.hpp"

#include <algorithm>
#include <vector>

#include "core/json/json.hpp"
#include "core/json/json_text.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

struct Line {
  std::size_t indent;
  std::string_view text;  ///< the line without its indentation and comment; not empty
  std::string_view whole;
};

std::string_view trimmed_end(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// Removes the comment from a line. A comment begins with `#` at the start of the line or after a blank, outside quotes.
std::string_view uncommented(std::string_view text) {
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote != '\0') {
      if (text[i] == '\\' && quote == '"')
        ++i;
      else if (text[i] == quote)
        quote = '\0';
    } else if ((text[i] == '"' || text[i] == '\'') && (i == 0 || std::string_view(" [{,:-").find(text[i - 1]) != std::string_view::npos)) {
      quote = text[i];
    } else if (text[i] == '#' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t')) {
      return trimmed_end(text.substr(0, i));
    }
  }
  return trimmed_end(text);
}

/// The non-empty lines; none if a line is indented with a tab or a second YAML document begins.
std::optional<std::vector<Line>> lines_of(std::string_view text) {
  std::vector<Line> out;
  bool read = true;
  each_line(text, [&](std::string_view line, std::uint64_t) {
    const std::string_view whole = trimmed_end(line);
    const std::size_t indent = std::min(whole.find_first_not_of(' '), whole.size());
    const std::string_view inner = uncommented(whole.substr(indent));
    if (inner.empty() || (indent == 0 && inner == "---" && out.empty())) return true;
    if (inner == "...") return false;
    read = inner.front() != '\t' && (indent != 0 || !inner.starts_with("---"));
    out.push_back({indent, inner, whole});
    return read;
  });
  if (!read) return std::nullopt;
  return out;
}

/// A YAML number as JSON: without underscores and with a digit on each side of the point. It is ambiguous if YAML parsers read it
/// differently, like "010".
struct PlainNumber {
  std::string json;  ///< the number in JSON's spelling; empty if the text is not a number
  bool ambiguous = false;
};
PlainNumber plain_number(std::string_view text) {
  std::string out;
  if (text.front() == '-' || text.front() == '+') {
    if (text.front() == '-') out += '-';
    text.remove_prefix(1);
  }
  const auto take_digits = [&](bool grouped) {
    std::size_t taken = 0;
    for (; !text.empty() && (is_digit(text.front()) || (grouped && taken > 0 && text.front() == '_')); text.remove_prefix(1))
      if (text.front() != '_') out += text.front(), ++taken;
    return taken;
  };
  const std::size_t sign = out.size(), whole = take_digits(true);
  const bool octal = whole > 1 && out[sign] == '0';
  std::size_t figures = whole;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (whole == 0) out += '0';
    out += '.';
    const std::size_t behind = take_digits(false);
    if (behind == 0) out += '0';
    figures += behind;
  }
  if (figures == 0) return {};
  if (!text.empty() && lower(text.front()) == 'e') {
    out += 'e';
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) {
      out += text.front();
      text.remove_prefix(1);
    }
    if (take_digits(false) == 0) return {};
  }
  if (!text.empty()) return {};
  return {std::move(out), octal};
}

/// Converts an unquoted scalar to JSON; none for an ambiguous number, or for anything that begins with a special character, such as a tag,
/// an anchor or an alias.
std::optional<std::string> plain(std::string_view text) {
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return "null";
  if (is_one_of(text, {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})) return "true";
  if (is_one_of(text, {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})) return "false";
  if (is_one_of(text, {".inf", ".Inf", "+.inf"})) return "Infinity";
  if (is_one_of(text, {"-.inf", "-.Inf"})) return "-Infinity";
  if (is_one_of(text, {".nan", ".NaN"})) return "NaN";
  if (std::string_view("&*!|>%@`?").find(text.front()) != std::string_view::npos) return std::nullopt;
  PlainNumber number = plain_number(text);
  if (number.ambiguous) return std::nullopt;
  return number.json.empty() ? dump(text) : std::move(number.json);
}

class Yaml {
 public:
  explicit Yaml(std::vector<Line> lines) : lines_(std::move(lines)) {}

  std::optional<std::string> read() {
    if (lines_.empty() || key_end(lines_[0].text) == std::string_view::npos || !block(lines_[0].indent, 0) || at_ != lines_.size())
      return std::nullopt;
    return std::move(out_);
  }

 private:
  // Functions that read from `at_` or `i` return false for anything that is not valid or not supported YAML.

  /// The position after the key in `key: value`; npos if the line has no key.
  static std::size_t key_end(std::string_view text) {
    if (text.empty() || text.front() == '-' || text.front() == '[' || text.front() == '{') {
      if (!text.starts_with("--") && (text.empty() || text.front() != '-' || text.size() < 2 || text[1] == ' '))
        return std::string_view::npos;
    }
    std::size_t from = 0;
    if (text.front() == '"' || text.front() == '\'') {
      from = text.find(text.front(), 1);
      if (from == std::string_view::npos) return from;
      ++from;
      return from < text.size() && text[from] == ':' && (from + 1 == text.size() || text[from + 1] == ' ') ? from : std::string_view::npos;
    }
    for (std::size_t i = from; i < text.size(); ++i) {
      if (text[i] == ':' && (i + 1 == text.size() || text[i + 1] == ' ')) return i;
      if (text[i] == '{' || text[i] == '[' || text[i] == '(') return std::string_view::npos;
    }
    return std::string_view::npos;
  }

  static bool is_item(std::string_view text) { return text.front() == '-' && (text.size() == 1 || text[1] == ' '); }

  bool block(std::size_t indent, std::size_t depth) {
    if (depth > deepest_nesting) return false;
    const bool list = is_item(lines_[at_].text);
    out_ += list ? '[' : '{';
    // The items of a list may have the same indentation as the list's key, so the next key ends the list.
    for (bool first = true; at_ < lines_.size() && lines_[at_].indent == indent && (!list || is_item(lines_[at_].text)); first = false) {
      if (!first) out_ += list ? ", " : ",";
      if (!(list ? item(indent, depth) : member(indent, depth))) return false;
    }
    if (at_ < lines_.size() && lines_[at_].indent > indent) return false;
    if (depth == 0) out_ += '\n';
    out_ += list ? ']' : '}';
    return true;
  }

  bool item(std::size_t indent, std::size_t depth) {
    Line& line = lines_[at_];
    const std::size_t begin = std::min(line.text.find_first_not_of(' ', 1), line.text.size());
    const std::string_view inner = line.text.substr(begin);
    if (!inner.empty() && (key_end(inner) != std::string_view::npos || inner.starts_with("- "))) {
      // What follows the dash begins a nested block.
      line.text = inner;
      line.indent = indent + begin;
      return block(line.indent, depth + 1);
    }
    ++at_;
    return value(inner, indent, depth, false);
  }

  bool member(std::size_t indent, std::size_t depth) {
    const std::string_view text = lines_[at_].text;
    const std::size_t end = key_end(text);
    if (end == std::string_view::npos) return false;
    std::string_view key = text.substr(0, end);
    if (key.size() >= 2 && (key.front() == '"' || key.front() == '\'') && key.back() == key.front()) key = key.substr(1, key.size() - 2);
    if (key.empty() || std::string_view("&*!?<").find(key.front()) != std::string_view::npos) return false;
    if (depth == 0) out_ += "\n  ";
    out_ += dump(key);
    out_ += ": ";
    ++at_;
    const std::size_t begin = std::min(text.find_first_not_of(' ', end + 1), text.size());
    return value(text.substr(begin), indent, depth, true);
  }

  /// Reads the value after a key or a dash, or in the lines below it.
  bool value(std::string_view text, std::size_t indent, std::size_t depth, bool of_key) {
    if (text.empty()) {
      // The items of a list may have the same indentation as its key.
      const bool list = of_key && at_ < lines_.size() && lines_[at_].indent == indent && lines_[at_].text.starts_with("- ");
      if (list || (at_ < lines_.size() && lines_[at_].indent > indent)) return block(lines_[at_].indent, depth + 1);
      out_ += "null";
      return true;
    }
    if (text.front() == '|' || text.front() == '>') {
      if (text.find_first_not_of("|>+-0123456789") != std::string_view::npos) return false;
      std::string words;
      for (; at_ < lines_.size() && lines_[at_].indent > indent; ++at_) (words += lines_[at_].whole) += '\n';
      out_ += dump(std::string_view(words));
      return true;
    }
    if (text.front() == '[' || text.front() == '{') {
      std::string flow(text);
      while (!balanced(flow) && at_ < lines_.size()) (flow += ' ') += lines_[at_++].text;
      std::size_t i = 0;
      return read_flow(flow, i, depth + 1) && i == flow.size();
    }
    if (text.front() == '"' || text.front() == '\'') {
      std::size_t i = 0;
      return quoted(text, i) && i == text.size();
    }
    if (key_end(text) != std::string_view::npos) return false;
    // A scalar may continue on the following lines.
    if (at_ < lines_.size() && lines_[at_].indent > indent) {
      std::string words(text);
      for (; at_ < lines_.size() && lines_[at_].indent > indent; ++at_) {
        if (key_end(lines_[at_].text) != std::string_view::npos) return false;
        (words += ' ') += lines_[at_].text;
      }
      out_ += dump(std::string_view(words));
      return true;
    }
    return put_plain(text);
  }

  bool put_plain(std::string_view text) {
    const std::optional<std::string> json = plain(text);
    if (json) out_ += *json;
    return json.has_value();
  }

  static bool balanced(std::string_view text) {
    long depth = 0;
    for (const char c : text) depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    return depth <= 0;
  }

  bool quoted(std::string_view text, std::size_t& i) {
    const char quote = text[i++];
    std::string words;
    for (; i < text.size(); ++i) {
      if (text[i] == quote) {
        if (quote != '\'' || i + 1 >= text.size() || text[i + 1] != quote) break;
        ++i;
      } else if (quote == '"' && text[i] == '\\') {
        if (++i == text.size()) return false;
        if (text[i] == 'n')
          words += '\n';
        else if (text[i] == 't')
          words += '\t';
        else if (std::string_view("\\\"/ ").find(text[i]) == std::string_view::npos)
          return false;
        else
          words += text[i];
        continue;
      }
      words += text[i];
    }
    if (i >= text.size()) return false;
    ++i;
    out_ += dump(std::string_view(words));
    return true;
  }

  static void skip_spaces(std::string_view text, std::size_t& i) {
    while (i < text.size() && text[i] == ' ') ++i;
  }

  /// Reads a value inside brackets or braces: a quoted or plain scalar, or a nested list or mapping.
  bool read_flow(std::string_view text, std::size_t& i, std::size_t depth) {
    if (depth > deepest_nesting) return false;
    skip_spaces(text, i);
    if (i == text.size()) return false;
    switch (text[i]) {
      case '"':
      case '\'': return quoted(text, i);
      case '[': return read_flow_items(text, i, ']', depth);
      case '{': return read_flow_items(text, i, '}', depth);
      default: return read_flow_plain(text, i);
    }
  }

  bool read_flow_plain(std::string_view text, std::size_t& i) {
    const std::size_t begin = i;
    const auto ends = [&] {
      const bool before_value = text[i] == ':' && i + 1 < text.size() && text[i + 1] == ' ';
      return before_value || std::string_view(",]}").find(text[i]) != std::string_view::npos;
    };
    while (i < text.size() && !ends()) ++i;
    return put_plain(trimmed_end(text.substr(begin, i - begin)));
  }

  /// Reads the items from the opening bracket or brace to `close`. A comma may follow the last item.
  bool read_flow_items(std::string_view text, std::size_t& i, char close, std::size_t depth) {
    out_ += text[i++];
    for (bool first = true;; first = false) {
      skip_spaces(text, i);
      if (i < text.size() && text[i] == close) break;
      if (!first) out_ += ", ";
      if (close == '}' && !read_flow_key(text, i, depth)) return false;
      if (!read_flow(text, i, depth + 1)) return false;
      skip_spaces(text, i);
      if (i == text.size() || (text[i] != ',' && text[i] != close)) return false;
      if (text[i] == ',') ++i;
    }
    ++i;
    out_ += close;
    return true;
  }

  /// Reads a key and its colon. The key becomes a string, as JSON requires.
  bool read_flow_key(std::string_view text, std::size_t& i, std::size_t depth) {
    const std::size_t begin = out_.size();
    if (!read_flow(text, i, depth + 1)) return false;
    if (out_[begin] != '"') out_ = out_.substr(0, begin) + dump(std::string_view(out_).substr(begin));
    if (i == text.size() || text[i] != ':') return false;
    ++i;
    out_ += ": ";
    return true;
  }

  std::vector<Line> lines_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::optional<std::string> json_of_yaml(std::string_view text) {
  std::optional<std::vector<Line>> lines = lines_of(text);
  return lines ? Yaml(*std::move(lines)).read() : std::nullopt;
}

}  // namespace param_ledger
