#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/json/json.hpp"

namespace param_ledger {

/// Adds values to a store in the order of the text; in an object, keys and values alternate. The entries of a list or object are kept in
/// `pending_` until it is closed and its size is known.
class JsonBuilder {
 public:
  /// `bytes`: the size of the JSON text. Enough memory for all strings, keys and numbers is reserved, so that views of them stay valid
  /// while others are added.
  JsonBuilder(JsonStore& store, std::size_t bytes);

  /// Adds null, a boolean or an integer.
  void add(const JsonNode& node) { pending_.push_back(node); }
  /// Adds a string, a key or a number.
  void add_text(Json::Type type, std::string_view text);
  void open(Json::Type type);
  /// Closes the innermost list or object. A repeated key keeps its first position and takes its last value.
  void close();
  /// Must be called at the end of the text. Returns the keys that occur more than once in an object, without duplicates. The keys of inner
  /// objects come before those of the objects around them.
  std::vector<std::string_view> finish();

  /// The number of open lists and objects.
  [[nodiscard]] std::size_t depth() const { return open_.size(); }
  /// The type of the innermost open list or object.
  [[nodiscard]] Json::Type inner() const { return pending_[open_.back()].type; }
  /// The number of entries added so far to the innermost open list or object; a key and its value count as two. At depth 0, the number of
  /// top-level values.
  [[nodiscard]] std::size_t entries() const { return pending_.size() - first_entry(); }

 private:
  [[nodiscard]] std::size_t first_entry() const { return open_.empty() ? 0 : open_.back() + 1; }
  JsonNode* key_node(std::size_t member) { return &pending_[first_entry() + 2 * member]; }
  [[nodiscard]] std::string_view text(const JsonNode& node) const { return {text_.data() + node.first, node.size}; }
  std::string_view key(std::size_t member) { return text(*key_node(member)); }
  bool order_keys();
  void drop_repeats();

  std::string& text_;
  std::vector<JsonNode>& nodes_;
  std::vector<JsonNode> pending_;
  std::vector<std::size_t> open_;  // where each open list or object begins in `pending_`
  std::vector<std::uint32_t> order_;
  std::vector<std::string_view> repeats_;
};

}  // namespace param_ledger
