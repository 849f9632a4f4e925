#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/buffer.hpp"

namespace param_ledger {

struct JsonNode;
struct JsonStore;

/// A JSON value, e.g. of a field in a config.json. It is a handle into the store that holds the value: cheap to copy, and valid as long as
/// the store. Reading a value as a type that it does not have is a bug in the caller.
class Json {
 public:
  enum class Type : std::uint8_t { null, boolean, integer, number, string, list, object };
  struct Member;
  class Members;

  Json() = default;  ///< a missing value
  Json(const JsonStore& store, const JsonNode& node) : store_(&store), node_(&node) {}
  explicit operator bool() const { return node_ != nullptr; }
  [[nodiscard]] Type type() const;
  /// False for a missing value.
  [[nodiscard]] bool is(Type type) const { return node_ != nullptr && this->type() == type; }
  [[nodiscard]] bool is_null() const { return is(Type::null); }

  [[nodiscard]] bool boolean() const;
  /// An integer's sign and magnitude. Integers that fit neither a signed nor an unsigned 64-bit integer have type `number`.
  [[nodiscard]] bool negative() const;
  [[nodiscard]] std::uint64_t magnitude() const;
  /// The value of a number or an integer; may be NaN or infinite.
  [[nodiscard]] double number() const;
  /// The text of a string: valid UTF-8.
  [[nodiscard]] std::string_view string() const;

  /// The number of entries of a list or of distinct keys of an object; 0 for other types.
  [[nodiscard]] std::size_t size() const;
  /// The entry of a list at position `i`.
  [[nodiscard]] Json operator[](std::size_t i) const;
  /// A member of an object, found in logarithmic time. Missing if there is no such key or this is not an object.
  [[nodiscard]] Json operator[](std::string_view key) const;
  /// The members of an object, in the order of the text, or the entries of a list, with empty keys. None for other types. A repeated key
  /// keeps its first position and its last value.
  [[nodiscard]] Members members() const;

  /// Same type and content: 1 and 1.0 differ, NaN equals NaN, and the order of keys does not matter.
  friend bool operator==(Json a, Json b);

 private:
  friend void put_json(Buffer& out, Json value, std::size_t most);
  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] Member member(std::size_t i) const;

  const JsonStore* store_ = nullptr;
  const JsonNode* node_ = nullptr;
};

struct Json::Member {
  std::string_view key;
  Json value;
};

/// Allows `for (const auto& [key, value] : json.members())`.
class Json::Members {
 public:
  class Iterator {
   public:
    Iterator(Json of, std::size_t i) : of_(of), i_(i) {}
    Member operator*() const { return of_.member(i_); }
    Iterator& operator++() { return ++i_, *this; }
    bool operator!=(const Iterator& other) const { return i_ != other.i_; }

   private:
    Json of_;
    std::size_t i_;
  };

  explicit Members(Json of) : of_(of) {}
  [[nodiscard]] Iterator begin() const { return {of_, 0}; }
  [[nodiscard]] Iterator end() const { return {of_, of_.size()}; }

 private:
  Json of_;
};

/// Whether the value is `true`; false if it is missing or of another type.
inline bool is_true(Json given) { return given.is(Json::Type::boolean) && given.boolean(); }

/// Appends the value as JSON. Values of type `number` are written as in the source text, but NaN and infinities, which JSON lacks, become
/// strings ("NaN"). The output stops soon after `most` bytes, even if it is then not valid JSON, but never inside a UTF-8 character.
void put_json(Buffer& out, Json value, std::size_t most = std::string::npos);
/// Appends a string, which must be valid UTF-8, as JSON. A longer text is cut after `most` bytes or at the end of a character.
void put_json(Buffer& out, std::string_view text, std::size_t most = std::string::npos);

template <class Value>
std::string dump(Value value, std::size_t most = std::string::npos) {
  Buffer out;
  put_json(out, value, most);
  return out.take();
}

/// A JSON value, or a key of an object. An object is stored as alternating key and value nodes.
struct JsonNode {
  std::uint64_t magnitude = 0;  ///< an integer's absolute value
  std::uint32_t first = 0;      ///< where its text begins in JsonStore::text, or its first entry in JsonStore::nodes
  std::uint32_t size = 0;       ///< bytes of text, entries of a list, members of an object
  std::uint32_t ordered =
      0;  ///< only in keys: the n-th key of an object holds the position of the member whose key sorts n-th by `compare_keys`
  Json::Type type = Json::Type::null;
  bool flag = false;  ///< a boolean's value, or an integer's minus sign
};

/// The storage for all values of one text.
struct JsonStore {
  std::string text;             ///< strings and keys (unescaped) and numbers of type `number` (as written), each followed by a NUL
  std::vector<JsonNode> nodes;  ///< the entries of a list or object are contiguous
};

}  // namespace param_ledger
