#include "core/json_text.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/error.hpp"

namespace param_ledger {

namespace {

struct Place {
  std::uint64_t line;
  std::uint64_t column;
};

/// Where the byte at `offset` stands, both from 1; columns count characters, not bytes.
Place place_of(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  const auto starts_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; };
  return {
      static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')) + 1,
      static_cast<std::uint64_t>(std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_start), before.end(), starts_character)) +
          1};
}

[[noreturn]] void refuse(std::string_view text, std::size_t offset, std::string message) {
  const Place place = place_of(text, offset);
  throw Error{ErrorCode::malformed_json, "", std::move(message), place.line, place.column};
}

constexpr std::string_view non_finite[] = {"NaN", "Infinity", "-Infinity"};

double value_of(std::string_view word) {
  if (word == "NaN") return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  return word == "Infinity" ? infinity : -infinity;
}

/// nlohmann's lexer knows no NaN and Infinity, which Python writes into real configs. Each becomes a string of the same
/// length (so that places stay right), remembered by its number among the strings of the text; the parser turns it into the number.
struct NonFinite {
  std::size_t string_number;
  std::size_t offset;
  double value;
};

std::vector<NonFinite> quote_non_finite(std::string& text) {
  std::vector<NonFinite> found;
  std::size_t strings = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') {
      ++strings;
      for (++i; i < text.size() && text[i] != '"'; ++i)
        if (text[i] == '\\') ++i;
      continue;
    }
    for (const std::string_view word : non_finite) {
      if (text.compare(i, word.size(), word) != 0) continue;
      found.push_back({strings++, i, value_of(word)});
      std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(i), word.size(), '.');
      text[i] = text[i + word.size() - 1] = '"';
      i += word.size() - 1;
      break;
    }
  }
  return found;
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

/// What nlohmann says, without its prefixes: "unexpected '}'; expected string literal".
std::string reason(std::string_view what) {
  for (const std::string_view prefix : {"] ", ": syntax error while parsing ", " - "}) {
    const std::size_t found = what.find(prefix);
    if (found != std::string_view::npos) what.remove_prefix(found + prefix.size());
  }
  // It quotes the last thing it read, which may be all of the text.
  constexpr std::size_t longest = 160;
  return what.size() <= longest ? std::string(what) : std::string(what.substr(0, longest)) + "…";
}

/// Follows the parser: limits depth, notices repeated keys, puts the non-finite numbers back.
class Watcher {
 public:
  Watcher(std::string_view text, std::vector<NonFinite> numbers, std::vector<std::string>& repeated_keys)
      : text_(text), numbers_(std::move(numbers)), repeated_keys_(repeated_keys) {}

  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (static_cast<std::size_t>(depth) >= deepest_nesting)
        throw Error{ErrorCode::too_deep, "",
                    "The text is nested more than " + std::to_string(deepest_nesting) + " levels deep; no config.json is."};
      if (event == Event::object_start) seen_.emplace_back();
    } else if (event == Event::object_end) {
      seen_.pop_back();
    } else if (event == Event::key) {
      if (at_number()) refuse(text_, numbers_[next_].offset, "This is not JSON: a key must be a string in double quotes.");
      const auto& key = parsed.get_ref<const std::string&>();
      if (std::find(seen_.back().begin(), seen_.back().end(), key) != seen_.back().end()) repeated_keys_.push_back(key);
      // Only where a person would look: an object of thousands of keys is a table, and comparing them all would be slow.
      if (seen_.back().size() < 1000) seen_.back().push_back(key);
      ++strings_;
    } else if (event == Event::value && parsed.is_string()) {
      if (at_number()) parsed = numbers_[next_++].value;
      ++strings_;
    }
    return true;
  }

 private:
  /// True where the string that comes is a number in quotes that were put there.
  [[nodiscard]] bool at_number() const { return next_ < numbers_.size() && numbers_[next_].string_number == strings_; }

  std::string_view text_;
  std::vector<NonFinite> numbers_;
  std::vector<std::string>& repeated_keys_;
  std::vector<std::vector<std::string>> seen_;
  std::size_t strings_ = 0;
  std::size_t next_ = 0;
};

}  // namespace

Json parse_json(std::string_view text, std::vector<std::string>& repeated_keys) {
  if (text.size() > largest_text) {
    throw Error{ErrorCode::too_large, "",
                "The text has " + std::to_string(text.size()) + " bytes; a config.json has a few thousand, and at most " +
                    std::to_string(largest_text) + " are read."};
  }
  // nlohmann takes a NUL for the end of the text and would not see what follows.
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    refuse(text, nul, "The text holds a NUL byte: it is not JSON, perhaps not text at all.");
  std::string copy(text);
  Watcher watcher(text, quote_non_finite(copy), repeated_keys);
  try {
    return Json::parse(copy, [&](int depth, Json::parse_event_t event, Json& parsed) { return watcher(depth, event, parsed); });
  } catch (const Json::parse_error& e) {
    const std::size_t offset = e.byte > 0 ? e.byte - 1 : 0;
    refuse(text, offset, "This is not JSON: " + reason(e.what()) + "." + hint(text, offset));
  } catch (const Json::exception& e) {
    // A number too large for a double: nlohmann gives no place.
    throw Error{ErrorCode::malformed_json, "", "This JSON cannot be read: " + reason(e.what()) + "."};
  }
}

}  // namespace param_ledger
