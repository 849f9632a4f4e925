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

std::string_view last_of(std::string_view name) { return name.substr(name.rfind('.') + 1); }

/// The kind of value that a call such as `float(…)`, `list(…)` or `dict(…)` returns.
enum class Wrapper : std::uint8_t { number, collection, object, other };

/// Whether a name is a number type, such as "float", "int64" or "bfloat16".
bool is_number_type(std::string_view name) {
  for (const std::string_view known : {"int", "uint", "float", "bfloat"})
    if (name.starts_with(known)) return name.find_first_not_of("0123456789", known.size()) == std::string_view::npos;
  return false;
}

Wrapper wrapper_of(std::string_view name) {
  if (is_number_type(name) || name == "dtype" || name == "str") return Wrapper::number;
  if (name == "OrderedDict" || name == "list" || name == "tuple") return Wrapper::collection;
  if (name == "dict" || name == "Namespace" || name == "SimpleNamespace") return Wrapper::object;
  for (const std::string_view ending : {"Config", "Args", "Arguments", "Configuration", "Params"})
    if (name.ends_with(ending)) return Wrapper::object;
  return Wrapper::other;
}

bool is_infinite(std::string_view name) {
  const std::string_view last = last_of(name);
  return last == "inf" || last == "Infinity" || last == "infty";
}

/// Parses a value and writes it as JSON. A function that reads a value returns false if no value of its kind follows in the text.
class LiteralReader {
 public:
  LiteralReader(std::string_view text, std::size_t at) : text_(text), at_(at) {}

  std::optional<PythonLiteral> read() {
    if (!value(0)) return std::nullopt;
    return PythonLiteral{std::move(out_), at_};
  }

 private:
  [[nodiscard]] char now() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[nodiscard]] bool here(std::string_view word) const { return text_.substr(at_, word.size()) == word; }
  [[nodiscard]] bool at_quote() const { return now() == '"' || now() == '\''; }
  void skip() { at_ = behind_blanks(text_, at_); }
  bool taken(char c) {
    skip();
    if (now() != c) return false;
    ++at_;
    return true;
  }
  /// Consumes a comma, or checks for the bracket that closes a list without consuming it. Returns false if neither follows.
  bool taken_comma_or(char close) { return taken(',') || now() == close; }

  [[noreturn]] void refuse(std::string_view what, std::string_view why) const {
    throw Error{ErrorCode::unsupported, key_, concat({what, why})};
  }

  bool value(std::size_t depth) {
    if (depth > deepest_nesting) throw Error{ErrorCode::too_deep, "", "The configuration is nested too deeply."};
    skip();
    const std::size_t begin = at_;
    const char first = now();
    if (!bare_value(depth)) return false;
    refuse_computation(begin, in_word(first));
    return true;
  }

  bool bare_value(std::size_t depth) {
    switch (const char c = now()) {
      case '{': return object(depth);
      case '[': return list(depth);
      case '(': return parenthesis(depth);
      case '"':
      case '\'': return put_string();
      case '<': return angle();
      default: return is_digit(c) || c == '-' || c == '+' || c == '.' ? number() : begins_name(c) && word(depth);
    }
  }

  /// Refuses a value that is part of a computation, such as `4 * 64`. After a value that begins with a letter, a digit or `_`, `//` is a
  /// division in Python. Elsewhere it is taken as a comment.
  void refuse_computation(std::size_t begin, bool may_divide) {
    const std::size_t end = at_;
    while (now() == ' ') ++at_;
    const bool divides = may_divide && here("//");
    skip();
    const bool computes = now() != '\0' && std::string_view("*+%/-").find(now()) != std::string_view::npos;
    if (divides || computes || here("if ") || here("or "))
      refuse(text_.substr(begin, std::min<std::size_t>(end - begin, 60)), " begins a computation. Give its result.");
    at_ = end;
  }

  bool object(std::size_t depth) {
    ++at_;
    out_ += '{';
    for (bool first = true; !taken('}'); first = false) {
      const std::optional<std::string> key = this->key();
      if (!key || !taken(':') || !member(*key, depth, first) || !taken_comma_or('}')) return false;
    }
    close_object(depth);
    return true;
  }

  std::optional<std::string> key() {
    skip();
    if (at_quote()) return string();
    if (here("**")) refuse("**", " adds values that the text does not give.");
    const std::size_t begin = at_;
    while (in_word(now()) || now() == '-' || now() == '.') ++at_;
    if (begin == at_) return std::nullopt;
    return std::string(text_.substr(begin, at_ - begin));
  }

  /// Writes a member's key; each key of the outermost object gets a line of its own.
  void put_key(std::string_view key, std::size_t depth, bool first) {
    if (!first) out_ += ',';
    if (depth == 0) out_ += "\n  ";
    put(key);
    out_ += ": ";
  }
  void put(std::string_view text) { out_ += dump(text); }
  bool raw(std::string_view json) {
    out_ += json;
    return true;
  }
  void close_object(std::size_t depth) {
    if (depth == 0) out_ += '\n';
    out_ += '}';
  }

  bool member(const std::string& key, std::size_t depth, bool first) {
    put_key(key, depth, first);
    const std::string outer = std::exchange(key_, key_.empty() ? key : concat({key_, ".", key}));
    const bool read = value(depth + 1);
    key_ = outer;
    return read;
  }

  bool list(std::size_t depth) {
    ++at_;
    out_ += '[';
    return rest_of_list(depth, ']', true);
  }

  bool rest_of_list(std::size_t depth, char close, bool first) {
    for (; !taken(close); first = false) {
      if (!first) out_ += ", ";
      if (!value(depth + 1) || !taken_comma_or(close)) return false;
    }
    out_ += ']';
    return true;
  }

  /// Reads a tuple, or a value in parentheses.
  bool parenthesis(std::size_t depth) {
    ++at_;
    if (taken(')')) return raw("[]");
    const std::size_t begin = out_.size();
    if (!value(depth + 1)) return false;
    if (taken(')')) return true;
    if (!taken(',')) return false;
    out_.insert(begin, 1, '[');
    return rest_of_list(depth, ')', false);
  }

  bool put_string() {
    const std::optional<std::string> read = string();
    if (read) put(*read);
    return read.has_value();
  }

  /// Reads a Python string. Adjacent strings are concatenated.
  std::optional<std::string> string() {
    std::string out;
    do {
      const char quote = now();
      const std::string_view triple = text_.substr(at_, 3);
      const bool is_triple = triple.size() == 3 && triple[1] == quote && triple[2] == quote;
      const std::string_view end = is_triple ? triple : text_.substr(at_, 1);
      at_ += end.size();
      while (!here(end)) {
        if (at_ >= text_.size() || (!is_triple && now() == '\n')) return std::nullopt;
        if (now() != '\\')
          out += text_[at_++];
        else if (!escape(out))
          return std::nullopt;
      }
      at_ += end.size();
      skip();
    } while (at_quote());
    return out;
  }

  bool escape(std::string& out) {
    if (++at_ >= text_.size()) return false;
    const char c = now();
    ++at_;
    constexpr std::string_view plain = "nrtbf", means = "\n\r\t\b\f";
    if (const std::size_t known = plain.find(c); known != std::string_view::npos) {
      out += means[known];
    } else if (c == 'u' || c == 'U' || c == 'x') {
      std::optional<std::uint32_t> code = unit(c == 'u' ? 4 : c == 'U' ? 8 : 2);
      if (code && *code >= 0xd800 && *code < 0xdc00 && here("\\u")) {
        const std::size_t begin = at_;
        at_ += 2;
        const std::optional<std::uint32_t> second = unit(4);
        if (second && *second >= 0xdc00 && *second < 0xe000)
          code = 0x10000 + ((*code - 0xd800) << 10U) + (*second - 0xdc00);
        else
          at_ = begin;
      }
      if (!code) return false;
      put_utf8(out, *code);
    } else if (c != '\n') {
      out += c == '\0' ? '?' : c;
    }
    return true;
  }

  /// Reads a character code with this many hexadecimal digits.
  std::optional<std::uint32_t> unit(std::size_t digits) {
    std::uint32_t out = 0;
    for (; digits > 0; --digits, ++at_) {
      const char c = lower(now());
      if (!is_digit(c) && (c < 'a' || c > 'f')) return std::nullopt;
      out = out << 4U | static_cast<std::uint32_t>(is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return out;
  }

  bool number() {
    const bool is_negative = now() == '-';
    if (is_negative || now() == '+') ++at_;
    const std::string_view sign = is_negative ? "-" : "";
    if (begins_name(now())) {  // a word with a sign, such as -inf
      const std::size_t begin = at_;
      while (in_word(now()) || now() == '.') ++at_;
      return is_infinite(text_.substr(begin, at_ - begin)) && raw(concat({sign, "Infinity"}));
    }
    std::string digits;
    for (; in_number(); ++at_)
      if (now() != '_') digits += now();
    return as_json_number(digits) && raw(concat({sign, digits}));
  }

  /// Whether the current character continues a number: a digit, a letter, "_", ".", or the sign of an exponent.
  [[nodiscard]] bool in_number() const {
    const bool is_sign = now() == '-' || now() == '+';
    return in_word(now()) || now() == '.' || (is_sign && lower(text_[at_ - 1]) == 'e');
  }

  /// Adds the digits before and after a decimal point that JSON requires. Returns false for anything that is not a decimal number, and for
  /// octal integers such as 017.
  static bool as_json_number(std::string& digits) {
    if (digits.empty() || digits.find_first_not_of("0123456789.eE+-") != std::string::npos) return false;
    const bool is_integer = digits.find_first_of(".eE") == std::string::npos;
    if (is_integer && digits.front() == '0' && digits.size() > 1) return false;
    if (digits.front() == '.') digits.insert(0, 1, '0');
    if (const std::size_t dot = digits.find('.'); dot != std::string::npos && (dot + 1 == digits.size() || !is_digit(digits[dot + 1])))
      digits.insert(dot + 1, 1, '0');
    return is_digit(digits.back());
  }

  /// Reads what begins with a letter: a name, a call, or a string with a prefix.
  bool word(std::size_t depth) {
    const std::size_t begin = at_;
    while (in_word(now()) || (now() == '.' && at_ + 1 < text_.size() && begins_name(text_[at_ + 1]))) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (at_quote() && name.size() <= 2) {
      if (name.find_first_not_of("rRbBuU") != std::string_view::npos) refuse(name, " before a string makes it a computation.");
      return name.find_first_of("rR") == std::string_view::npos && put_string();
    }
    if (now() == '(') return call(name, depth);
    if (name == "True" || name == "true") return raw("true");
    if (name == "False" || name == "false") return raw("false");
    if (name == "None" || name == "null" || name == "undefined") return raw("null");
    if (is_infinite(name)) return raw("Infinity");
    if (last_of(name) == "nan" || name == "NaN") return raw("NaN");
    // A dotted name such as torch.bfloat16 or nn.GELU becomes a string with its last part. A name without a dot, or one that begins with
    // self, args or config, is refused because the text does not define it.
    if (name.find('.') == std::string_view::npos || name.starts_with("self.") || name.starts_with("args.") || name.starts_with("config."))
      refuse(name, " is a name that the text does not define.");
    put(last_of(name));
    return true;
  }

  /// Reads `<class 'torch.nn.GELU'>` or `<HubKernel.NONE: 1>` as a string, because such a value is never a dimension.
  bool angle() {
    const std::size_t end = text_.find_first_of(">\n", at_);
    if (end == std::string_view::npos || text_[end] != '>') return false;
    put(text_.substr(at_, end + 1 - at_));
    at_ = end + 1;
    return true;
  }

  bool call(std::string_view name, std::size_t depth) {
    switch (wrapper_of(last_of(name))) {
      case Wrapper::number: ++at_; return wrapped_number(name, depth);
      case Wrapper::collection: ++at_; return value(depth + 1) && taken(')');
      case Wrapper::object: ++at_; return constructed(last_of(name), depth);
      default: return thing(name);
    }
  }

  /// Reads a call that stands for a single value: `float("inf")`, `np.int64(7)`, `torch.dtype(…)`.
  bool wrapped_number(std::string_view name, std::size_t depth) {
    skip();
    if (at_quote() && name == "float") {
      const std::optional<std::string> inner = string();
      if (!inner) return false;
      const bool negative = inner->starts_with('-');
      return is_infinite(std::string_view(*inner).substr(negative ? 1 : 0)) && raw(negative ? "-Infinity" : "Infinity") && taken(')');
    }
    if (name == "int" && now() != ')' && !is_digit(now())) refuse("int(…)", " is a computation. Give its result.");
    return value(depth + 1) && taken(')');
  }

  /// Reads a call such as `nn.GELU()` as a string, because its result is an object and cannot be a dimension.
  bool thing(std::string_view name) {
    if (name.find('.') == std::string_view::npos) refuse(name, "(…) is a call that the text does not define.");
    const std::size_t begin = at_ - last_of(name).size();
    std::size_t open = 0;
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      if (text_[at_] == '(') ++open;
      if (text_[at_] != ')' || --open != 0) continue;
      ++at_;
      put(text_.substr(begin, at_ - begin));
      return true;
    }
    return false;
  }

  /// Reads the arguments of a call such as `LlamaConfig(hidden_size=4096, …)` as an object, from the first argument on.
  bool constructed(std::string_view class_name, std::size_t depth) {
    out_ += '{';
    bool first = true;
    if (const std::string_view type = config_type(class_name); !type.empty() && !names_type()) {
      put_key("model_type", depth, true);
      put(type);
      first = false;
    }
    for (; !taken(')'); first = false) {
      skip();
      if (here("**")) refuse("**", " adds values that the text does not give.");
      const std::size_t begin = at_;
      while (in_word(now())) ++at_;
      const std::string key(text_.substr(begin, at_ - begin));
      skip();
      if (key.empty() || now() != '=' || here("==")) return false;
      ++at_;
      if (!member(key, depth, first) || !taken_comma_or(')')) return false;
    }
    close_object(depth);
    return true;
  }

  /// Whether the arguments in the next 20,000 characters give a model_type.
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
      constexpr std::size_t longest = 10'000;  // a longer comment is treated as if it were not closed
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

std::optional<PythonLiteral> read_literal(std::string_view text, std::size_t at) { return LiteralReader(text, at).read(); }

}  // namespace param_ledger
