#include "core/json/json_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "core/json/json_builder.hpp"
#include "core/json/json_refusal.hpp"
#include "core/support/characters.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

using Type = Json::Type;

bool separates(char c) { return c == ',' || c == ':'; }
bool is_plain(char c) { return c >= ' ' && c <= '~'; }

/// Prepares the text for nlohmann's parser. The parser does not accept NaN and Infinity, which Python writes into real configurations, so
/// they are replaced by zeros of the same length ("0.0"). A line break is appended so that the parser always reads one character past a
/// number.
std::string readable(std::string_view text) {
  std::string out(text);
  out += '\n';
  for (const std::string_view word : {"NaN", "Infinity"}) {
    bool in_string = false;
    for (std::size_t i = holds(text, word) ? 0 : text.size(); i < text.size(); ++i) {
      if (text[i] == '\\') {
        ++i;
      } else if (text[i] == '"') {
        in_string = !in_string;
      } else if (!in_string && text.substr(i).starts_with(word)) {
        out.replace(i, word.size(), word.size(), '0');
        out[i + 1] = '.';
      }
    }
  }
  return out;
}

/// An input iterator that makes the reading position of nlohmann's parser visible.
struct Cursor {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  char operator*() const { return **at; }
  Cursor& operator++() { return ++*at, *this; }
  bool operator!=(const Cursor& other) const { return *at != *other.at; }

  const char** at;
};

/// Handles the events of nlohmann's SAX parser.
class Events {
 public:
  Events(std::string_view source, JsonStore& store) : source_(source), builder_(store, source.size()) {
    const std::string text = readable(source);
    begin_ = at_ = text.data();
    const char* end = begin_ + text.size();
    nlohmann::json::sax_parse(Cursor{&at_}, Cursor{&end}, this);
  }
  std::vector<std::string_view> finish() { return builder_.finish(); }

  bool null() { return add({}); }
  bool boolean(bool value) { return add({.type = Type::boolean, .flag = value}); }
  bool number_unsigned(std::uint64_t value) { return add({.magnitude = value, .type = Type::integer}) && pass(1); }
  bool number_integer(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return add({.magnitude = value < 0 ? 0 - bits : bits, .type = Type::integer, .flag = value < 0}) && pass(1);
  }
  bool number_float(double /*value*/, const std::string& read) {
    pass(1);
    const std::size_t begin = end_ - read.size();
    const std::string_view written = source_.substr(begin, read.size());
    if (written != read && written != "NaN" && written != "Infinity" && written != "-Infinity")
      refuse_unexpected(source_, begin, "a value");
    builder_.add_text(Type::number, written);
    return true;
  }
  bool string(const std::string& value) {
    builder_.add_text(Type::string, value);
    return pass();
  }
  bool key(const std::string& value) { return string(value); }
  static bool binary(const nlohmann::json::binary_t& /*value*/) { return false; }  // does not occur in JSON

  bool start_array(std::size_t /*size*/) { return open(Type::list); }
  bool start_object(std::size_t /*size*/) { return open(Type::object); }
  bool end_array() {
    builder_.close();
    return pass();
  }
  bool end_object() { return end_array(); }

  /// Called by the parser for a syntax error, or for a number that overflows a double. The byte at `position` - 1 is the last one that the
  /// parser has read.
  bool parse_error(std::size_t position, const std::string& /*read*/, const nlohmann::json::exception& error) {
    constexpr int overflow = 406;
    const std::size_t last = std::min(position - 1, source_.size());
    std::size_t begin = end_;
    bool separated = false;  // whether a comma or a colon precedes the error
    for (; begin < last && (is_blank(source_[begin]) || separates(source_[begin])); ++begin)
      separated = separated || separates(source_[begin]);
    if (error.id == overflow)
      refuse_json(source_, begin,
                  {"This JSON cannot be read: ", excerpt(source_.substr(begin)), " is too large for a double-precision number."});
    const std::string_view wanted = this->wanted(separated);
    if (begin < last && source_[begin] == '"' && wanted.starts_with("a "))
      refuse_string(begin, last);  // a string is allowed here, so the string itself is wrong
    refuse_unexpected(source_, begin, wanted);
  }

 private:
  bool add(const JsonNode& node) {
    builder_.add(node);
    return pass();
  }
  bool open(Type type) {
    if (builder_.depth() == deepest_nesting)
      throw Error{ErrorCode::too_deep, "",
                  "The text is nested more than " + std::to_string(deepest_nesting) + " levels deep. No config.json is that deep."};
    builder_.open(type);
    return pass();
  }
  /// Records where the text parsed so far ends. `beyond`: how many characters the parser has read past that end; 1 after a number.
  bool pass(std::ptrdiff_t beyond = 0) {
    end_ = static_cast<std::size_t>(at_ - begin_ - beyond);
    return true;
  }

  /// What may come next, in words for an error message.
  [[nodiscard]] std::string_view wanted(bool separated) const {
    const std::size_t entries = builder_.entries();
    if (builder_.depth() == 0) return entries == 0 ? "a value" : "the end of the text";
    const bool list = builder_.inner() == Type::list, after_key = !list && entries % 2 != 0;
    if (separated) return list || after_key ? "a value" : "a key in double quotes";
    if (entries == 0) return list ? "a value or ']'" : "a key in double quotes or '}'";
    return list ? "',' or ']'" : after_key ? "':'" : "',' or '}'";
  }
  /// Throws an Error for an invalid string that begins at `begin`. `last` is the position of the last byte that was read.
  [[noreturn]] void refuse_string(std::size_t begin, std::size_t last) const {
    constexpr std::string_view not_json = "This is not JSON: ";
    if (last == source_.size())
      refuse_json(source_, begin, {not_json, "the string ", excerpt(source_.substr(begin)), " has no closing quote."});
    if (is_plain(source_[last]) && is_plain(source_[last - 1])) {  // only an escape sequence can be invalid here
      const std::size_t escape = source_.rfind('\\', last);
      refuse_json(source_, escape, {not_json, excerpt(source_.substr(escape)), " in a string is not a valid escape sequence."});
    }
    const bool control = static_cast<unsigned char>(source_[last]) < ' ';
    refuse_json(
        source_, last,
        {not_json, "a string contains ", control ? "a control character. Is its closing quote missing?" : "bytes that are not UTF-8."});
  }

  std::string_view source_;
  JsonBuilder builder_;
  const char* begin_ = nullptr;  // start of nlohmann's input
  const char* at_ = nullptr;     // the reading position of nlohmann's parser
  std::size_t end_ = 0;          // where the text parsed so far ends
};

}  // namespace

Document::Document(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.size() > largest_text) {
    throw Error{ErrorCode::too_large, "",
                "The text has " + std::to_string(text.size()) + " bytes, which is too large for a config.json. At most " +
                    std::to_string(largest_text) + " bytes are read."};
  }
  // nlohmann's parser would mistake a NUL for the end of the text and ignore the rest.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    refuse_json(text, nul, {"The text contains a NUL byte, so it is not JSON, and perhaps not a text file."});
  // No JSON value begins with this byte. nlohmann's parser would skip another byte order mark.
  if (text.starts_with('\xef')) refuse_unexpected(text, 0, "a value");
  repeated_keys_ = Events(text, store_).finish();
}

}  // namespace param_ledger
