#include "core/json_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.hpp"

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

/// One past the token that begins at `i`; npos where none does.
std::size_t token_end(std::string_view text, std::size_t i) {
  const auto at = [&](std::size_t k) { return k < text.size() ? text[k] : '\0'; };
  const auto skip_digits = [&] {
    const std::size_t begin = i;
    while (at(i) >= '0' && at(i) <= '9') ++i;
    return i > begin;
  };
  if (at(i) == '"') {
    for (++i; i < text.size() && text[i] != '"'; ++i)
      if (text[i] == '\\') ++i;
    return i < text.size() ? i + 1 : std::string_view::npos;
  }
  if (std::string_view("[]{},:").find(at(i)) != std::string_view::npos) return i + 1;
  for (const std::string_view word : {"true", "false", "null", "NaN", "Infinity", "-Infinity"})
    if (at(i) == word.front() && text.substr(i, word.size()) == word) return i + word.size();

  if (at(i) == '-') ++i;
  const bool zero = at(i) == '0';
  if (zero) ++i;
  if (!zero && !skip_digits()) return std::string_view::npos;
  if (at(i) == '.' && (++i, !skip_digits())) return std::string_view::npos;
  if (at(i) == 'e' || at(i) == 'E') {
    ++i;
    if (at(i) == '+' || at(i) == '-') ++i;
    if (!skip_digits()) return std::string_view::npos;
  }
  return i;
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Where the token begins at which nlohmann stopped when it had read the byte at `offset`.
std::size_t token_begin(std::string_view text, std::size_t offset) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = is_blank(text[i]) ? i + 1 : token_end(text, i);
    if (end > offset) return i;
    i = end;
  }
  return text.size();
}

/// A number that nlohmann is given as a string of the same length, so that places stay right. Its lexer knows no NaN and Infinity,
/// which Python writes into real configs; and converting a fraction takes it microseconds in WebAssembly, though hardly one is used.
struct Quoted {
  std::size_t string;  ///< its number among the strings of the text
  std::size_t offset;
  std::size_t size;
};

std::vector<Quoted> quote_numbers(std::string& text) {
  std::vector<Quoted> found;
  std::size_t strings = 0;
  for (std::size_t i = 0, end = 0; i < text.size(); i = end) {
    end = i + 1;
    if (is_blank(text[i])) {
      text[i] = ' ';  // nlohmann's errors spell out each line end since the last string
      continue;
    }
    end = token_end(text, i);
    if (end == std::string_view::npos) break;
    const std::string_view token = std::string_view(text).substr(i, end - i);
    constexpr std::size_t longest_integer = 20;
    if (token[0] == '"') {
      ++strings;
    } else if (token[0] != 't' && token[0] != 'f' && token[0] != 'n' &&
               (token.size() > longest_integer || token.find_first_of(".eENI") != std::string_view::npos)) {
      found.push_back({strings++, i, token.size()});
      text[i] = text[end - 1] = '"';
    }
  }
  return found;
}

/// False where a number is surely below 10^308, a little less than doubles hold.
bool may_overflow(std::string_view number) {
  constexpr int largest_exponent = 308;
  int exponent = 0;
  if (const std::size_t e = number.find_first_of("eE"); e != std::string_view::npos) {
    const char* const digits = number.data() + e + (number[e + 1] == '+' ? 2 : 1);
    const auto error = std::from_chars(digits, number.data() + number.size(), exponent).ec;
    if (error != std::errc{}) exponent = number[e + 1] == '-' ? 0 : largest_exponent;
  }
  const std::size_t before_point = std::min(number.find_first_of(".eE"), number.size());
  return before_point + static_cast<std::size_t>(std::max(exponent, 0)) > largest_exponent;
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
  std::string out(token.substr(0, longest));
  while (!out.empty() && !is_plain(out.back())) out.pop_back();
  if (!out.empty() && out.size() < token.size()) out += "…";
  return out;
}

/// Takes nlohmann's events. What a list or an object holds waits in `pending_` until it ends and its size is known.
class Reader {
 public:
  Reader(std::string_view source, JsonStore& store)
      : source_(source), copy_(source), quoted_(quote_numbers(copy_)), text_(store.text), nodes_(store.nodes) {
    text_.reserve(source.size() + 1);  // never more: keys are viewed while others are added
    nlohmann::json::sax_parse(copy_, this);
    nodes_.push_back(pending_.front());
  }

  bool null() { return add({}); }
  bool boolean(bool value) { return add({.type = Type::boolean, .flag = value}); }
  bool number_unsigned(std::uint64_t value) { return add({.magnitude = value, .type = Type::integer}); }
  bool number_integer(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return add({.magnitude = value < 0 ? 0 - bits : bits, .type = Type::integer, .flag = value < 0});
  }
  bool number_float(double /*value*/, const std::string& written) { return add_text(Type::number, written); }  // beyond 64 bits
  bool string(const std::string& value) {
    const bool number = at_number();
    ++strings_;
    if (!number) return add_text(Type::string, value);
    const Quoted& quoted = quoted_[next_++];
    const std::string_view written = source_.substr(quoted.offset, quoted.size);
    add_text(Type::number, written);
    if (may_overflow(written) && std::isinf(std::strtod(text_.data() + pending_.back().first, nullptr)))
      refuse(source_, quoted.offset, "This JSON cannot be read: number overflow parsing '" + shown(written) + "'.");
    return true;
  }
  bool key(const std::string& value) {
    if (at_number()) refuse(source_, quoted_[next_].offset, "This is not JSON: a key must be a string in double quotes.");
    ++strings_;
    return add_text(Type::string, value);
  }
  bool binary(const nlohmann::json::binary_t& /*value*/) { return false; }  // not in JSON

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

  /// Of `position` bytes that were read (one more at the end of the text) `read` are those that `e` quotes, which may be all.
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
    text_.append(text) += '\0';  // for strtod
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

  /// Orders the keys of the object that ends. False where some are equal.
  bool order_keys() {
    JsonNode* members = &pending_[open_.back()] + 1;
    const std::size_t count = (pending_.size() - open_.back()) / 2;
    keys_.clear();
    for (std::uint32_t i = 0; i < count; ++i) keys_.push_back({{text_.data() + members[2 * i].first, members[2 * i].size}, i});
    std::sort(keys_.begin(), keys_.end());
    bool distinct = true;
    for (std::size_t i = 0; i < count; ++i) {
      members[2 * i].ordered = keys_[i].member;
      if (i > 0 && keys_[i].text == keys_[i - 1].text) distinct = false;
    }
    return distinct;
  }
  /// Of equal keys the first one's place takes the last one's value.
  void drop_repeats() {
    JsonNode* members = &pending_[open_.back()] + 1;
    for (std::size_t i = 0, end = 0; i < keys_.size(); i = end) {
      for (end = i + 1; end < keys_.size() && keys_[end].text == keys_[i].text; ++end) members[2 * keys_[end].member].type = Type::null;
      if (end == i + 1) continue;
      members[2 * keys_[i].member + 1] = members[2 * keys_[end - 1].member + 1];
      members[2 * keys_[i].member].flag = true;
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
  std::string copy_;  // what nlohmann reads
  std::vector<Quoted> quoted_;
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
  if (text.substr(0, 3) == "\xef\xbb\xbf") text.remove_prefix(3);
  if (text.size() > largest_text) {
    throw Error{ErrorCode::too_large, "",
                "The text has " + std::to_string(text.size()) + " bytes; a config.json has a few thousand, and at most " +
                    std::to_string(largest_text) + " are read."};
  }
  // nlohmann takes a NUL for the end of the text and would not see what follows.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    refuse(text, nul, "The text holds a NUL byte: it is not JSON, perhaps not text at all.");
  Reader reader(text, store_);
  repeated_keys_ = std::move(reader.repeated_keys);
  repetitions_ = reader.repetitions();
}

}  // namespace param_ledger
