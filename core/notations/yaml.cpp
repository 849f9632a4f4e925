#include "core/notations/yaml.hpp"

#include <algorithm>
#include <vector>

#include "core/json/json.hpp"
#include "core/json/json_text.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

struct NoYaml {};

struct Line {
  std::size_t indent;
  std::string_view text;  ///< without indentation and comment; never empty
  std::string_view whole;
};

std::string_view trimmed_end(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// Without a comment: `#` behind a blank, outside of quotes.
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

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> out;
  each_line(text, [&](std::string_view line, std::uint64_t) {
    const std::string_view whole = trimmed_end(line);
    const std::size_t indent = std::min(whole.find_first_not_of(' '), whole.size());
    const std::string_view inner = uncommented(whole.substr(indent));
    if (inner.empty() || (indent == 0 && inner == "---" && out.empty())) return true;
    if (inner == "...") return false;
    if (inner.front() == '\t' || (indent == 0 && inner.starts_with("---"))) throw NoYaml();
    out.push_back({indent, inner, whole});
    return true;
  });
  return out;
}

/// A scalar without quotes.
std::string plain(std::string_view text) {
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return "null";
  if (is_one_of(text, {"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})) return "true";
  if (is_one_of(text, {"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})) return "false";
  if (is_one_of(text, {".inf", ".Inf", "+.inf"})) return "Infinity";
  if (is_one_of(text, {"-.inf", "-.Inf"})) return "-Infinity";
  if (is_one_of(text, {".nan", ".NaN"})) return "NaN";
  if (std::string_view("&*!|>%@`?").find(text.front()) != std::string_view::npos) throw NoYaml();
  std::string number;
  std::size_t i = 0, figures = 0, whole = 0;
  if (text[0] == '-' || text[0] == '+') number.append(text[i++] == '-' ? 1 : 0, '-');
  for (; i < text.size() && (is_digit(text[i]) || (text[i] == '_' && figures > 0)); ++i)
    if (text[i] != '_') number += text[i], ++figures;
  whole = figures;
  const bool octal = whole > 1 && number[number.size() - whole] == '0';
  if (i < text.size() && text[i] == '.') {
    if (whole == 0) number += '0';
    number += '.';
    const std::size_t behind = number.size();
    for (++i; i < text.size() && is_digit(text[i]); ++i) number += text[i], ++figures;
    if (number.size() == behind) number += '0';
  }
  if (figures > 0 && i < text.size() && (text[i] | 0x20) == 'e') {
    number += text[i++];
    if (i < text.size() && (text[i] == '-' || text[i] == '+')) number += text[i++];
    if (i == text.size() || !is_digit(text[i])) figures = 0;
    for (; i < text.size() && is_digit(text[i]); ++i) number += text[i];
  }
  if (figures > 0 && i == text.size()) {
    if (octal) throw NoYaml();  // what it is depends on who reads it
    return number;
  }
  return dump(text);
}

class Yaml {
 public:
  explicit Yaml(std::string_view text) : lines_(lines_of(text)) {}

  std::string read() {
    if (lines_.empty() || key_end(lines_[0].text) == std::string_view::npos) throw NoYaml();
    block(lines_[0].indent, 0);
    if (at_ != lines_.size()) throw NoYaml();
    return std::move(out_);
  }

 private:
  /// Where the key of `key: value` ends; npos where it is none.
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

  void block(std::size_t indent, std::size_t depth) {
    if (depth > deepest_nesting) throw NoYaml();
    const bool list = lines_[at_].text.front() == '-' && (lines_[at_].text.size() == 1 || lines_[at_].text[1] == ' ');
    out_ += list ? '[' : '{';
    for (bool first = true; at_ < lines_.size() && lines_[at_].indent == indent; first = false) {
      if (!first) out_ += list ? ", " : ",";
      list ? item(indent, depth) : member(indent, depth);
    }
    if (at_ < lines_.size() && lines_[at_].indent > indent) throw NoYaml();
    if (depth == 0) out_ += '\n';
    out_ += list ? ']' : '}';
  }

  void item(std::size_t indent, std::size_t depth) {
    Line& line = lines_[at_];
    if (line.text.front() != '-' || (line.text.size() > 1 && line.text[1] != ' ')) throw NoYaml();
    const std::size_t begin = std::min(line.text.find_first_not_of(' ', 1), line.text.size());
    const std::string_view inner = line.text.substr(begin);
    if (!inner.empty() && (key_end(inner) != std::string_view::npos || inner.starts_with("- "))) {
      // The rest of the line is the first of a block of its own.
      line.text = inner;
      line.indent = indent + begin;
      return block(line.indent, depth + 1);
    }
    ++at_;
    value(inner, indent, depth, false);
  }

  void member(std::size_t indent, std::size_t depth) {
    const std::string_view text = lines_[at_].text;
    const std::size_t end = key_end(text);
    if (end == std::string_view::npos) throw NoYaml();
    std::string_view key = text.substr(0, end);
    if (key.size() >= 2 && (key.front() == '"' || key.front() == '\'') && key.back() == key.front()) key = key.substr(1, key.size() - 2);
    if (key.empty() || std::string_view("&*!?<").find(key.front()) != std::string_view::npos) throw NoYaml();
    if (depth == 0) out_ += "\n  ";
    out_ += dump(key);
    out_ += ": ";
    ++at_;
    const std::size_t begin = std::min(text.find_first_not_of(' ', end + 1), text.size());
    value(text.substr(begin), indent, depth, true);
  }

  /// What stands behind a key or a dash, or in the lines below it.
  void value(std::string_view text, std::size_t indent, std::size_t depth, bool of_key) {
    if (text.empty()) {
      // A list may stand as far left as its key.
      const bool list = of_key && at_ < lines_.size() && lines_[at_].indent == indent && lines_[at_].text.starts_with("- ");
      if (list || (at_ < lines_.size() && lines_[at_].indent > indent)) return block(lines_[at_].indent, depth + 1);
      out_ += "null";
      return;
    }
    if (text.front() == '|' || text.front() == '>') {
      if (text.find_first_not_of("|>+-0123456789") != std::string_view::npos) throw NoYaml();
      std::string words;
      for (; at_ < lines_.size() && lines_[at_].indent > indent; ++at_) (words += lines_[at_].whole) += '\n';
      out_ += dump(std::string_view(words));
      return;
    }
    if (text.front() == '[' || text.front() == '{') {
      std::string flow(text);
      while (!balanced(flow) && at_ < lines_.size()) (flow += ' ') += lines_[at_++].text;
      std::size_t i = 0;
      read_flow(flow, i, depth + 1);
      if (i != flow.size()) throw NoYaml();
      return;
    }
    if (text.front() == '"' || text.front() == '\'') {
      std::size_t i = 0;
      quoted(text, i);
      if (i != text.size()) throw NoYaml();
      return;
    }
    if (key_end(text) != std::string_view::npos) throw NoYaml();
    // A text may go on below.
    if (at_ < lines_.size() && lines_[at_].indent > indent) {
      std::string words(text);
      for (; at_ < lines_.size() && lines_[at_].indent > indent; ++at_) {
        if (key_end(lines_[at_].text) != std::string_view::npos) throw NoYaml();
        (words += ' ') += lines_[at_].text;
      }
      out_ += dump(std::string_view(words));
      return;
    }
    out_ += plain(text);
  }

  static bool balanced(std::string_view text) {
    long depth = 0;
    for (const char c : text) depth += c == '[' || c == '{' ? 1 : c == ']' || c == '}' ? -1 : 0;
    return depth <= 0;
  }

  void quoted(std::string_view text, std::size_t& i) {
    const char quote = text[i++];
    std::string words;
    for (; i < text.size(); ++i) {
      if (text[i] == quote) {
        if (quote != '\'' || i + 1 >= text.size() || text[i + 1] != quote) break;
        ++i;
      } else if (quote == '"' && text[i] == '\\') {
        if (++i == text.size()) throw NoYaml();
        if (text[i] == 'n')
          words += '\n';
        else if (text[i] == 't')
          words += '\t';
        else if (std::string_view("\\\"/ ").find(text[i]) == std::string_view::npos)
          throw NoYaml();
        else
          words += text[i];
        continue;
      }
      words += text[i];
    }
    if (i >= text.size()) throw NoYaml();
    ++i;
    out_ += dump(std::string_view(words));
  }

  void read_flow(std::string_view text, std::size_t& i, std::size_t depth) {
    if (depth > deepest_nesting) throw NoYaml();
    const auto skip = [&] {
      while (i < text.size() && text[i] == ' ') ++i;
    };
    skip();
    if (i == text.size()) throw NoYaml();
    const char open = text[i];
    if (open == '"' || open == '\'') return quoted(text, i);
    if (open != '[' && open != '{') {
      const std::size_t begin = i;
      while (i < text.size() && std::string_view(",]}").find(text[i]) == std::string_view::npos &&
             (text[i] != ':' || i + 1 == text.size() || text[i + 1] != ' '))
        ++i;
      out_ += plain(trimmed_end(text.substr(begin, i - begin)));
      return;
    }
    const char close = open == '[' ? ']' : '}';
    out_ += open;
    ++i;
    for (bool first = true;; first = false) {
      skip();
      if (i < text.size() && text[i] == close) break;
      if (!first) out_ += ", ";
      if (open == '{') {
        const std::size_t begin = out_.size();
        read_flow(text, i, depth + 1);
        if (out_[begin] != '"') out_ = out_.substr(0, begin) + dump(std::string_view(out_).substr(begin));
        if (i == text.size() || text[i] != ':') throw NoYaml();
        ++i;
        out_ += ": ";
      }
      read_flow(text, i, depth + 1);
      skip();
      if (i < text.size() && text[i] == ',')
        ++i;
      else if (i == text.size() || text[i] != close)
        throw NoYaml();
    }
    ++i;
    out_ += close;
  }

  std::vector<Line> lines_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::optional<std::string> json_of_yaml(std::string_view text) {
  try {
    return Yaml(text).read();
  } catch (const NoYaml&) {
    return std::nullopt;
  }
}

}  // namespace param_ledger
