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

/// A value of a config.json: a handle into the store that holds it, cheap to copy, valid as long as that.
/// Reading a value as a type that it does not have is a defect of the caller.
class Json {
 public:
  enum class Type : std::uint8_t { null, boolean, integer, number, string, list, object };
  struct Member;
  class Members;

  Json() = default;  ///< stands for "not there"
  Json(const JsonStore& store, const JsonNode& node) : store_(&store), node_(&node) {}
  explicit operator bool() const { return node_ != nullptr; }
  [[nodiscard]] Type type() const;
  /// False for what is not there.
  [[nodiscard]] bool is(Type type) const { return node_ != nullptr && this->type() == type; }
  [[nodiscard]] bool is_null() const { return is(Type::null); }

  [[nodiscard]] bool boolean() const;
  /// Of an integer: its sign, and its value without it. Integers beyond 64 bits are numbers.
  [[nodiscard]] bool negative() const;
  [[nodiscard]] std::uint64_t magnitude() const;
  /// Of a number or an integer; NaN and infinities are possible.
  [[nodiscard]] double number() const;
  /// Valid UTF-8.
  [[nodiscard]] std::string_view string() const;

  /// Entries of a list, distinct keys of an object, else 0.
  [[nodiscard]] std::size_t size() const;
  /// Of a list.
  [[nodiscard]] Json operator[](std::size_t i) const;
  /// Of an object, in logarithmic time: not there where the key is missing, or this is no object.
  [[nodiscard]] Json operator[](std::string_view key) const;
  /// Of an object in the order of the text (of equal keys the last one's value at the first one's place), or of a list, where keys
  /// are empty; none of other types.
  [[nodiscard]] Members members() const;

  /// Same type and content: 1 and 1.0 differ, NaN equals NaN, the order of an object's keys means nothing.
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

/// For `for (const auto& [key, value] : json.members())`.
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

/// True for `true`; what is missing or of another kind is not.
inline bool is_true(Json given) { return given.is(Json::Type::boolean) && given.boolean(); }

/// Appends the value as JSON text: numbers as they were written, those that JSON lacks as strings ("NaN").
/// Ends soon after `most` bytes, not amid a character: the text is then cut off.
void put_json(Buffer& out, Json value, std::size_t most = std::string::npos);
/// The same of a string, which must be valid UTF-8.
void put_json(Buffer& out, std::string_view text, std::size_t most = std::string::npos);

template <class Value>
std::string dump(Value value, std::size_t most = std::string::npos) {
  Buffer out;
  put_json(out, value, most);
  return out.take();
}

/// One value, or one key: in an object keys and values take turns.
struct JsonNode {
  std::uint64_t magnitude = 0;  ///< of an integer
  std::uint32_t first = 0;      ///< where in the store the text or the first entry is
  std::uint32_t size = 0;       ///< bytes of text, entries of a list, members of an object
  std::uint32_t ordered = 0;    ///< of an object's n-th key: the number of the member whose key is the n-th by `compare_keys`
  Json::Type type = Json::Type::null;
  bool flag = false;  ///< a boolean's value, an integer's minus
};

/// What the values of one text are held in.
struct JsonStore {
  std::string text;             ///< strings and, as they were written, numbers, each with a NUL after it
  std::vector<JsonNode> nodes;  ///< the entries of each list or object stand together
};

}  // namespace param_ledger
