#include "core/json_text.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.hpp"
#include "core/json_tokens.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

using Type = Json::Type;

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

[[noreturn]] void refuse(std::string_view text, std::size_t offset, std::string message) {
  std::uint64_t line = 1, column = 1;
  for (std::size_t i = 0; i < std::min(offset, text.size()); ++i) {
    if (text[i] == '\n' || (text[i] == '\r' && text.substr(i + 1, 1) != "\n")) {
      ++line;
      column = 1;
    } else if (!continues_character(text[i])) {
      column += static_cast<unsigned char>(text[i]) < 0xf0U ? 1 : 2;  // beyond the BMP: two units of UTF-16
    }
  }
  throw Error{ErrorCode::malformed_json, "", std::move(message), line, column};
}

/// A number that nlohmann is given as a string of the same length, so that places stay right. Its lexer knows no NaN and Infinity,
/// which Python writes into real configs; and converting one to a double takes it microseconds in WebAssembly, though hardly one is used.
struct Quoted {
  std::size_t string;  ///< its number among the strings of the text
  std::size_t offset;
  std::size_t size;
};

std::vector<Quoted> quote_numbers(std::string& text) {
  std::vector<Quoted> found;
  std::size_t strings = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (is_blank(text[i])) {
      text[i++] = ' ';  // nlohmann's errors spell out each line end since the last string
      continue;
    }
    const auto [kind, end] = token_at(text, i);
    if (kind == JsonToken::Kind::none) break;
    if (kind == JsonToken::Kind::string) ++strings;
    if (kind == JsonToken::Kind::number) {
      found.push_back({strings++, i, end - i});
      text[i] = text[end - 1] = '"';
    }
    i = end;
  }
  return found;
}

/// True for a number beyond the largest double, 1.7976931348623157e308. It is not converted to see that: in WebAssembly numbers near
/// that end take strtod the longest.
bool overflows(std::string_view number) {
  constexpr std::ptrdiff_t largest_exponent = 308;
  constexpr std::string_view beyond = "17976931348623158";
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  const std::string_view mantissa = number.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), e), first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  int exponent = 0;
  if (e < number.size()) {
    const std::string_view written = number.substr(e + (number[e + 1] == '+' ? 2 : 1));
    const auto error = std::from_chars(written.data(), written.data() + written.size(), exponent).ec;
    if (error != std::errc{}) return written.front() != '-';
  }
  // The power of ten of the first digit.
  const auto power = static_cast<std::ptrdiff_t>(point) - static_cast<std::ptrdiff_t>(first) - (first < point ? 1 : 0);
  if (exponent != largest_exponent - power) return exponent > largest_exponent - power;
  std::string digits(mantissa.substr(first, beyond.size() + 1));
  std::erase(digits, '.');
  return digits >= beyond;
}

/// What people paste in place of a config.json, by how it begins or what the parser stumbled over.
std::string hint(std::string_view text, std::size_t offset) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return " The text is empty.";
  const std::string_view start = text.substr(first);
  const char at = offset < text.size() ? text[offset] : '\0';
  if (start.substr(0, 1) == "<") return " This looks like a web page, not its raw file.";
  if (start.substr(0, 7) == "version") return " This looks like a Git LFS pointer, not the file itself.";
  if (start.substr(0, 3) == "```") return " Leave out the Markdown fence (```).";
  if (at == '\'') return " JSON strings stand in double quotes; a Python dict needs json.dumps first.";
  if (at == '}' || at == ']') return " Is there a comma after the last item?";
  if (at == '/' || at == '#') return " JSON has no comments.";
  if (text.substr(offset, 4) == "True" || text.substr(offset, 5) == "False" || text.substr(offset, 4) == "None")
    return " JSON writes true, false and null in lower case.";
  return "";
}

bool is_plain(char c) { return c >= ' ' && c <= '~'; }

/// What is quoted of a token in a message: its begin, up to where something might be half a character.
std::string shown(std::string_view token) {
  constexpr std::size_t longest = 60;
  if (token.empty() || !is_plain(token.front())) return "";
  std::string out(token.substr(0, longest));
  while (!is_plain(out.back())) out.pop_back();
  if (out.size() < token.size()) out += "…";
  return out;
}

/// Reads what is plainly JSON by itself, which takes a third of the time, and takes nlohmann's events for everything else. What a list or
/// an object holds waits in `pending_` until it ends and its size is known.
class Reader {
 public:
  Reader(std::string_view source, JsonStore& store) : source_(source), text_(store.text), nodes_(store.nodes) {
    text_.reserve(source.size() + 1);  // never more: keys are viewed while others are added
    constexpr std::size_t usual = 64;
    pending_.reserve(usual);
    nodes_.reserve(usual);
    if (!read_plain()) read_all();
    nodes_.push_back(pending_.front());
  }

  bool null() { return add({}); }
  bool boolean(bool value) { return add({.type = Type::boolean, .flag = value}); }
  bool number_unsigned(std::uint64_t value) { return add({.magnitude = value, .type = Type::integer}); }
  bool number_integer(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return add({.magnitude = value < 0 ? 0 - bits : bits, .type = Type::integer, .flag = value < 0});
  }
  static bool number_float(double /*value*/, const std::string& /*written*/) { return false; }  // all are quoted
  bool string(const std::string& value) {
    const bool number = at_number();
    ++strings_;
    if (!number) return add_text(Type::string, value);
    const Quoted& quoted = quoted_[next_++];
    return add_number(quoted.offset, quoted.size);
  }
  bool key(const std::string& value) {
    if (at_number()) refuse(source_, quoted_[next_].offset, "This is not JSON: a key must be a string in double quotes.");
    ++strings_;
    return add_text(Type::string, value);
  }
  static bool binary(const nlohmann::json::binary_t& /*value*/) { return false; }  // not in JSON

  bool start_array(std::size_t /*size*/) { return open(Type::list); }
  bool start_object(std::size_t /*size*/) { return open(Type::object); }
  bool end_array() { return close(); }
  bool end_object() {
    if (!order_keys()) {
      drop_repeats();
      order_keys();
    }
    return close();
  }

  /// What was not expected. Of `position` bytes that were read (one more at the end of the text) `read` are those that `e` quotes, which
  /// may be all.
  bool parse_error(std::size_t position, const std::string& read, const nlohmann::json::exception& e) {
    const std::string_view what = e.what(), quote = "; last read: '";
    const std::size_t quoted = what.find(quote);
    const std::size_t offset = std::min(position - 1, source_.size());
    const std::size_t token = token_begin(source_, offset);
    std::size_t place = token, end = offset + 1;
    const bool in_string = token < source_.size() && source_[token] == '"';
    if (in_string && quoted != std::string_view::npos && offset < source_.size()) {
      // A string that ends is refused for what stands in it: for an escape, or for the byte itself, which may be no character.
      const bool escape = is_plain(source_[offset]) && is_plain(source_[offset - 1]);
      place = escape ? source_.rfind('\\', offset) : offset;
      if (!escape) end = offset;
    }
    // What nlohmann says, without its prefixes: "unexpected '}'; expected string literal".
    std::string reason(what.substr(0, quoted));
    for (const std::string_view prefix : {"] ", ": syntax error while parsing ", " - "})
      if (const std::size_t found = reason.find(prefix); found != std::string::npos) reason.erase(0, found + prefix.size());
    const std::string_view unexpected = "unexpected ", string = "string";
    if (!in_string && reason.starts_with("unexpected string")) reason.replace(unexpected.size(), string.size(), "number");
    if (quoted != std::string_view::npos) {
      if (const std::string last = shown(source_.substr(token, end - token)); !last.empty()) reason.append(quote).append(last) += '\'';
      reason += what.substr(quoted + quote.size() + read.size() + 1);
    }
    refuse(source_, place, "This is not JSON: " + reason + "." + hint(source_, token));
  }

  std::vector<std::string_view> repeated_keys;
  /// How many distinct ones there are in all.
  std::size_t repetitions() {
    std::sort(repeats_.begin(), repeats_.end());
    return static_cast<std::size_t>(
        std::unique(repeats_.begin(), repeats_.end(), [](const Key& a, const Key& b) { return a.text == b.text; }) - repeats_.begin());
  }

 private:
  /// False, with the work half done, where a string holds more than printable ASCII or this is no JSON.
  bool read_plain() {
    for (;;) {
      if (take('[')) {
        open(Type::list);
        if (!take(']')) continue;
        end_array();
      } else if (take('{')) {
        open(Type::object);
        if (!take('}')) {
          if (!read_key()) return false;
          continue;
        }
        end_object();
      } else if (!read_scalar()) {
        return false;
      }
      // What ends with that value; then comes another one.
      for (bool more = false; !more;) {
        if (open_.empty()) return coming() == '\0';
        const bool list = pending_[open_.back()].type == Type::list;
        more = take(',');
        if (more && !list && !read_key()) return false;
        if (more) break;
        if (!take(list ? ']' : '}')) return false;
        list ? end_array() : end_object();
      }
    }
  }

  /// The next character that is no blank; NUL, which no text holds, at the end.
  char coming() {
    while (at_ < source_.size() && is_blank(source_[at_])) ++at_;
    return at_ < source_.size() ? source_[at_] : '\0';
  }
  bool take(char c) {
    const bool there = coming() == c;
    if (there) ++at_;
    return there;
  }
  bool read_key() { return read_string() && take(':'); }
  bool read_string() {
    if (!take('"')) return false;
    std::size_t end = at_;
    while (end < source_.size() && is_plain(source_[end]) && source_[end] != '"' && source_[end] != '\\') ++end;
    if (end == source_.size() || source_[end] != '"') return false;
    add_text(Type::string, source_.substr(at_, end - at_));
    at_ = end + 1;
    return true;
  }
  bool read_scalar() {
    const char first = coming();
    if (first == '"') return read_string();
    if (first == '\0') return false;
    const auto [kind, end] = token_at(source_, at_);
    const std::string_view written = source_.substr(at_, end - at_);
    switch (kind) {
      case JsonToken::Kind::integer: add_integer(written); break;
      case JsonToken::Kind::number: add_number(at_, written.size()); break;
      case JsonToken::Kind::other:
        if (first < 'a' || first > 'z') return false;
        first == 'n' ? null() : boolean(first == 't');
        break;
      default: return false;
    }
    at_ = end;
    return true;
  }

  /// By nlohmann, from the beginning.
  void read_all() {
    pending_.clear();
    open_.clear();
    text_.clear();
    nodes_.clear();
    repeats_.clear();
    repeated_keys.clear();
    std::string copy(source_);
    quoted_ = quote_numbers(copy);
    nlohmann::json::sax_parse(copy, this);
  }

  void add_integer(std::string_view written) {
    std::uint64_t magnitude = 0;
    for (const char c : written)
      if (c != '-') magnitude = 10 * magnitude + static_cast<std::uint64_t>(c - '0');
    add({.magnitude = magnitude, .type = Type::integer, .flag = written.front() == '-' && magnitude != 0});
  }
  bool add_number(std::size_t offset, std::size_t size) {
    const std::string_view written = source_.substr(offset, size);
    if (overflows(written)) refuse(source_, offset, "This JSON cannot be read: number overflow parsing '" + shown(written) + "'.");
    return add_text(Type::number, written);
  }

  struct Key {
    std::string_view text;
    std::uint32_t member;
    bool operator<(const Key& other) const {
      const int order = compare_keys(text, other.text);
      return order != 0 ? order < 0 : member < other.member;
    }
  };

  /// True where the string that comes is a number in quotes that were put there.
  [[nodiscard]] bool at_number() const { return next_ < quoted_.size() && quoted_[next_].string == strings_; }

  bool add(const JsonNode& node) {
    pending_.push_back(node);
    return true;
  }
  bool add_text(Type type, std::string_view text) {
    const std::size_t first = text_.size();
    text_.append(text) += '\0';
    return add({.first = static_cast<std::uint32_t>(first), .size = static_cast<std::uint32_t>(text.size()), .type = type});
  }
  bool open(Type type) {
    if (open_.size() == deepest_nesting)
      throw Error{ErrorCode::too_deep, "",
                  "The text is nested more than " + std::to_string(deepest_nesting) + " levels deep; no config.json is."};
    open_.push_back(pending_.size());
    return add({.type = type});
  }
  bool close() {
    JsonNode& node = pending_[open_.back()];
    const auto entries = pending_.begin() + static_cast<std::ptrdiff_t>(open_.back()) + 1;
    const auto count = static_cast<std::uint32_t>(pending_.end() - entries);
    node.first = static_cast<std::uint32_t>(nodes_.size());
    node.size = node.type == Type::object ? count / 2 : count;
    nodes_.insert(nodes_.end(), entries, pending_.end());
    pending_.erase(entries, pending_.end());
    open_.pop_back();
    return true;
  }

  /// In the object that ends, the node of that member's key; that of its value follows.
  JsonNode* key_node(std::size_t member) { return &pending_[open_.back() + 1 + 2 * member]; }

  /// Orders the keys of the object that ends. False where some are equal.
  bool order_keys() {
    const std::size_t count = (pending_.size() - open_.back()) / 2;
    if (count < 2) return true;
    keys_.clear();
    for (std::uint32_t i = 0; i < count; ++i) keys_.push_back({{text_.data() + key_node(i)->first, key_node(i)->size}, i});
    std::sort(keys_.begin(), keys_.end());
    bool distinct = true;
    for (std::size_t i = 0; i < count; ++i) {
      key_node(i)->ordered = keys_[i].member;
      if (i > 0 && keys_[i].text == keys_[i - 1].text) distinct = false;
    }
    return distinct;
  }
  /// Of equal keys the first one's place takes the last one's value.
  void drop_repeats() {
    for (std::size_t i = 0, end = 0; i < keys_.size(); i = end) {
      for (end = i + 1; end < keys_.size() && keys_[end].text == keys_[i].text; ++end) key_node(keys_[end].member)->type = Type::null;
      if (end == i + 1) continue;
      key_node(keys_[i].member)[1] = key_node(keys_[end - 1].member)[1];
      key_node(keys_[i].member)->flag = true;
    }
    std::size_t kept = open_.back() + 1;
    for (std::size_t i = kept; i < pending_.size(); i += 2) {
      if (pending_[i].type == Type::null) continue;  // no key any more
      if (std::exchange(pending_[i].flag, false)) tell({text_.data() + pending_[i].first, pending_[i].size});
      pending_[kept++] = pending_[i];
      pending_[kept++] = pending_[i + 1];
    }
    pending_.resize(kept);
  }
  void tell(std::string_view key) {
    repeats_.push_back({key, 0});
    if (repeated_keys.size() < most_repeated_keys && std::find(repeated_keys.begin(), repeated_keys.end(), key) == repeated_keys.end())
      repeated_keys.push_back(key);
  }

  std::string_view source_;
  std::size_t at_ = 0;          // in `source_`, of what is plain
  std::vector<Quoted> quoted_;  // of what nlohmann reads
  std::string& text_;
  std::vector<JsonNode>& nodes_;
  std::vector<JsonNode> pending_;
  std::vector<std::size_t> open_;  // where in `pending_` the lists and objects stand that have begun
  std::vector<Key> keys_;
  std::vector<Key> repeats_;
  std::size_t strings_ = 0;
  std::size_t next_ = 0;
};

}  // namespace

Document::Document(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.size() > largest_text) {
    throw Error{ErrorCode::too_large, "",
                "The text has " + std::to_string(text.size()) + " bytes; a config.json has a few thousand, and at most " +
                    std::to_string(largest_text) + " are read."};
  }
  // nlohmann takes a NUL for the end of the text and would not see what follows.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    refuse(text, nul, "The text holds a NUL byte: it is not JSON, perhaps not text at all.");
  // Nor is there a second byte order mark, or half of one.
  if (text.starts_with('\xef')) refuse(text, 0, "This is not JSON: invalid literal.");
  Reader reader(text, store_);
  repeated_keys_ = std::move(reader.repeated_keys);
  repetitions_ = reader.repetitions();
}

}  // namespace param_ledger
