#include "core/notations/literal.hpp"

#include <algorithm>
#include <utility>

#include "core/json/json_text.hpp"
#include "core/notations/config_class.hpp"
#include "core/support/characters.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"
#include "core/support/utf16.hpp"

namespace param_ledger {

namespace {

/// No value of these notations begins or goes on like this.
struct NoLiteral {};

std::string_view last_of(std::string_view name) { return name.substr(name.rfind('.') + 1); }

class LiteralReader {
 public:
  LiteralReader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  PythonLiteral read() {
    value(0);
    return {std::move(out_), at_};
  }

 private:
  [[nodiscard]] char now() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[nodiscard]] bool here(std::string_view word) const { return text_.substr(at_, word.size()) == word; }
  void skip() { at_ = behind_blanks(text_, at_); }
  bool taken(char c) {
    skip();
    if (now() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!taken(c)) throw NoLiteral();
  }

  [[noreturn]] void refuse(std::string_view what, std::string_view why) const {
    throw Error{ErrorCode::unsupported, key_, concat({what, why})};
  }

  void value(std::size_t depth) {
    if (depth > deepest_nesting) throw Error{ErrorCode::too_deep, "", "The configuration is nested too deep."};
    skip();
    const std::size_t begin = at_;
    const char c = now();
    if (c == '{')
      object(depth);
    else if (c == '[')
      list(depth, ']');
    else if (c == '(')
      parenthesis(depth);
    else if (c == '"' || c == '\'')
      put(string());
    else if (is_digit(c) || c == '-' || c == '+' || c == '.')
      number();
    else if (begins_name(c))
      word(depth);
    else if (c == '<')
      angle();
    else
      throw NoLiteral();
    const std::size_t end = at_;
    // Behind a number `//` divides in Python, and begins a comment elsewhere.
    while (now() == ' ') ++at_;
    const bool divides = here("//") && in_word(c);
    skip();
    if (divides || now() == '*' || now() == '+' || now() == '%' || now() == '/' || now() == '-' || here("if ") || here("or "))
      refuse(text_.substr(begin, std::min<std::size_t>(end - begin, 60)), " begins a computation: write its value.");
    at_ = end;
  }

  void object(std::size_t depth) {
    ++at_;
    out_ += '{';
    for (bool first = true; !taken('}'); first = false) {
      skip();
      std::string key;
      if (now() == '"' || now() == '\'') {
        key = string();
      } else if (here("**")) {
        refuse("**", " takes in what the text does not say.");
      } else {
        const std::size_t begin = at_;
        while (in_word(now()) || now() == '-' || now() == '.') ++at_;
        if (begin == at_) throw NoLiteral();
        key = text_.substr(begin, at_ - begin);
      }
      expect(':');
      member(key, depth, first);
      if (!taken(',') && (skip(), now() != '}')) throw NoLiteral();
    }
    close('}', depth);
  }

  /// Puts the key of a member, those of the outermost object on lines of their own.
  void put_key(std::string_view key, std::size_t depth, bool first) {
    if (!first) out_ += ',';
    if (depth == 0) out_ += "\n  ";
    put(key);
    out_ += ": ";
  }
  void put(std::string_view text) { out_ += dump(text); }
  void raw(std::string_view json) { out_ += json; }
  void close(char c, std::size_t depth) {
    if (depth == 0) out_ += '\n';
    out_ += c;
  }

  void member(const std::string& key, std::size_t depth, bool first) {
    put_key(key, depth, first);
    const std::string outer = std::exchange(key_, key_.empty() ? key : concat({key_, ".", key}));
    value(depth + 1);
    key_ = outer;
  }

  void list(std::size_t depth, char close) {
    ++at_;
    out_ += '[';
    rest_of_list(depth, close, true);
  }

  void rest_of_list(std::size_t depth, char close, bool first) {
    for (; !taken(close); first = false) {
      if (!first) out_ += ", ";
      value(depth + 1);
      if (!taken(',') && (skip(), now() != close)) throw NoLiteral();
    }
    out_ += ']';
  }

  /// A tuple, or a value in parentheses.
  void parenthesis(std::size_t depth) {
    ++at_;
    if (taken(')')) {
      out_ += "[]";
      return;
    }
    const std::size_t begin = out_.size();
    value(depth + 1);
    if (taken(')')) return;
    expect(',');
    out_.insert(begin, 1, '[');
    rest_of_list(depth, ')', false);
  }

  /// Python's strings, of which several in a row are one.
  std::string string() {
    std::string out;
    do {
      const char quote = now();
      const std::string_view triple = text_.substr(at_, 3);
      const bool is_triple = triple.size() == 3 && triple[1] == quote && triple[2] == quote;
      const std::string_view end = is_triple ? triple : text_.substr(at_, 1);
      at_ += end.size();
      while (!here(end)) {
        if (at_ >= text_.size() || (!is_triple && now() == '\n')) throw NoLiteral();
        if (now() == '\\')
          escape(out);
        else
          out += text_[at_++];
      }
      at_ += end.size();
      skip();
    } while (now() == '"' || now() == '\'');
    return out;
  }

  void escape(std::string& out) {
    if (++at_ >= text_.size()) throw NoLiteral();
    const char c = now();
    ++at_;
    constexpr std::string_view plain = "nrtbf", means = "\n\r\t\b\f";
    if (const std::size_t known = plain.find(c); known != std::string_view::npos && c != '\0') {
      out += means[known];
    } else if (c == 'u' || c == 'U' || c == 'x') {
      std::uint32_t code = unit(c == 'u' ? 4 : c == 'U' ? 8 : 2);
      if (code >= 0xd800 && code < 0xdc00 && here("\\u")) {
        at_ += 2;
        code = 0x10000 + ((code - 0xd800) << 10U) + (unit(4) - 0xdc00);
      }
      put_utf8(out, code);
    } else if (c != '\n') {
      out += c == '\0' ? '?' : c;
    }
  }

  std::uint32_t unit(std::size_t digits) {
    std::uint32_t out = 0;
    for (; digits > 0; --digits, ++at_) {
      const char c = now();
      const char lower = static_cast<char>(c | 0x20);
      if (!is_digit(c) && (lower < 'a' || lower > 'f')) throw NoLiteral();
      out = out << 4U | static_cast<std::uint32_t>(is_digit(c) ? c - '0' : lower - 'a' + 10);
    }
    return out;
  }

  void number() {
    std::string digits;
    if (now() == '-') digits += '-';
    if (now() == '-' || now() == '+') ++at_;
    if (begins_name(now())) {  // -inf
      const std::size_t begin = at_;
      while (in_word(now()) || now() == '.') ++at_;
      if (!infinite(text_.substr(begin, at_ - begin))) throw NoLiteral();
      raw(concat({digits, "Infinity"}));
      return;
    }
    const std::size_t begin = digits.size();
    bool fraction = false;
    for (; in_word(now()) || now() == '.' || ((now() == '-' || now() == '+') && (text_[at_ - 1] | 0x20) == 'e'); ++at_) {
      if (now() == '_') continue;
      fraction = fraction || now() == '.' || (now() | 0x20) == 'e';
      if (!is_digit(now()) && now() != '.' && now() != '-' && now() != '+' && (now() | 0x20) != 'e') throw NoLiteral();
      digits += now();
    }
    if (digits.size() == begin) throw NoLiteral();
    // As JSON writes it: a figure on each side of the point, none before the first but 0.
    if (digits[begin] == '.') digits.insert(begin, 1, '0');
    if (const std::size_t dot = digits.find('.'); dot != std::string::npos && (dot + 1 == digits.size() || !is_digit(digits[dot + 1])))
      digits.insert(dot + 1, 1, '0');
    if (!fraction && digits[begin] == '0' && digits.size() > begin + 1) throw NoLiteral();
    if (!is_digit(digits.back())) throw NoLiteral();
    raw(digits);
  }

  static bool infinite(std::string_view name) {
    const std::string_view last = last_of(name);
    return last == "inf" || last == "Infinity" || last == "infty";
  }

  /// A name, a call, or a string with letters before it.
  void word(std::size_t depth) {
    const std::size_t begin = at_;
    while (in_word(now()) || (now() == '.' && at_ + 1 < text_.size() && begins_name(text_[at_ + 1]))) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if ((now() == '"' || now() == '\'') && name.size() <= 2) {
      if (name.find_first_not_of("rRbBuU") != std::string_view::npos) refuse(name, " before a string computes it.");
      if (name.find_first_of("rR") != std::string_view::npos) throw NoLiteral();
      return put(string());
    }
    if (now() == '(') return call(name, depth);
    if (name == "True" || name == "true") return raw("true");
    if (name == "False" || name == "false") return raw("false");
    if (name == "None" || name == "null" || name == "undefined") return raw("null");
    if (infinite(name)) return raw("Infinity");
    if (last_of(name) == "nan" || name == "NaN") return raw("NaN");
    // What stands for itself: torch.bfloat16, nn.GELU.
    if (name.find('.') == std::string_view::npos || name.starts_with("self.") || name.starts_with("args.") || name.starts_with("config."))
      refuse(name, " stands for something that the text does not say.");
    put(last_of(name));
  }

  /// `<class 'torch.nn.GELU'>`, `<HubKernel.NONE: 1>`: nothing that a dimension may be.
  void angle() {
    const std::size_t end = text_.find_first_of(">\n", at_);
    if (end == std::string_view::npos || text_[end] != '>') throw NoLiteral();
    put(text_.substr(at_, end + 1 - at_));
    at_ = end + 1;
  }

  /// "float", "int64", "bfloat16"
  static bool is_number_type(std::string_view name) {
    for (const std::string_view known : {"int", "uint", "float", "bfloat"})
      if (name.starts_with(known)) return name.find_first_not_of("0123456789", known.size()) == std::string_view::npos;
    return false;
  }

  void call(std::string_view name, std::size_t depth) {
    const std::string_view last = last_of(name);
    const std::size_t open = at_;
    if (is_number_type(last) || last == "dtype" || last == "str") {
      // One value, in another dress.
      ++at_;
      skip();
      if ((now() == '"' || now() == '\'') && name == "float") {
        const std::string inner = string();
        if (!infinite(inner.starts_with('-') ? std::string_view(inner).substr(1) : inner)) throw NoLiteral();
        raw(inner.starts_with('-') ? "-Infinity" : "Infinity");
      } else {
        if (name == "int" && now() != ')' && !is_digit(now())) refuse("int(…)", " computes what the text does not say.");
        value(depth + 1);
      }
      expect(')');
      return;
    }
    if (last == "OrderedDict" || last == "list" || last == "tuple") {
      ++at_;
      value(depth + 1);
      expect(')');
      return;
    }
    const std::string_view type = config_type(last);
    const bool object = last == "dict" || last == "Namespace" || last == "SimpleNamespace" || last.ends_with("Config") ||
                        last.ends_with("Args") || last.ends_with("Arguments") || last.ends_with("Configuration") ||
                        last.ends_with("Params");
    if (!object) {  // nn.GELU(): a thing, and no number
      if (name.find('.') == std::string_view::npos) refuse(name, "(…) stands for something that the text does not say.");
      std::size_t depth_of = 0;
      for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
        if (text_[at_] == '(') ++depth_of;
        if (text_[at_] == ')' && --depth_of == 0) {
          ++at_;
          return put(text_.substr(open - last.size(), at_ - open + last.size()));
        }
      }
      throw NoLiteral();
    }
    ++at_;
    out_ += '{';
    bool first = true;
    if (!type.empty() && !names_type()) {
      put_key("model_type", depth, true);
      put(type);
      first = false;
    }
    for (; !taken(')'); first = false) {
      skip();
      if (here("**")) refuse("**", " takes in what the text does not say.");
      const std::size_t begin = at_;
      while (in_word(now())) ++at_;
      const std::string key(text_.substr(begin, at_ - begin));
      skip();
      if (key.empty() || now() != '=' || here("==")) throw NoLiteral();
      ++at_;
      member(key, depth, first);
      if (!taken(',') && (skip(), now() != ')')) throw NoLiteral();
    }
    close('}', depth);
  }

  /// Whether the arguments from here on name a model type.
  [[nodiscard]] bool names_type() const {
    const std::size_t most = std::min(text_.size(), at_ + 20'000);
    std::size_t depth = 0;
    for (std::size_t i = at_; i < most; ++i) {
      const char c = text_[i];
      if (c == '(' || c == '[' || c == '{') ++depth;
      if ((c == ')' || c == ']' || c == '}') && depth-- == 0) return false;
      if (depth == 0 && text_.substr(i).starts_with("model_type") && !in_word(text_[i - 1])) return true;
    }
    return false;
  }

  std::string_view text_;
  std::size_t at_;
  std::string out_;
  std::string key_;
};

}  // namespace

std::size_t behind_blanks(std::string_view text, std::size_t at) {
  for (;;) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')) ++at;
    const std::string_view rest = text.substr(std::min(at, text.size()));
    if (rest.starts_with('#') || rest.starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (rest.starts_with("/*")) {
      constexpr std::size_t longest = 10'000;  // one without end is none
      const std::size_t end = text.substr(at, longest).find("*/", 2);
      if (end == std::string_view::npos) return at;
      at += end + 2;
    } else if (rest.starts_with("\\\n")) {
      at += 2;
    } else {
      return at;
    }
  }
}

std::optional<PythonLiteral> read_literal(std::string_view text, std::size_t at) {
  try {
    return LiteralReader(text, at).read();
  } catch (const NoLiteral&) {
    return std::nullopt;
  }
}

}  // namespace param_ledger
