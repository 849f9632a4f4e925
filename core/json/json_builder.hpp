#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/json/json.hpp"

namespace param_ledger {

/// Puts values into a store in the order in which a text has them; in an object keys and values take turns. What a list or an object
/// holds waits until it ends and its size is known.
class JsonBuilder {
 public:
  /// For a text of so many bytes, which hold all strings, keys and numbers: views of them stay valid while others are added.
  JsonBuilder(JsonStore& store, std::size_t bytes);

  /// Null, a boolean or an integer.
  void add(const JsonNode& node) { pending_.push_back(node); }
  /// A string, a key or a number.
  void add_text(Json::Type type, std::string_view text);
  void open(Json::Type type);
  /// Ends the innermost list or object. Of an object's equal keys the first one's place takes the last one's value.
  void close();
  /// Ends the text. Gives the keys that stood twice or more in one object, each once, in the order in which they are repeated, inner
  /// objects' first.
  std::vector<std::string_view> finish();

  /// How many lists and objects have begun and not ended.
  [[nodiscard]] std::size_t depth() const { return open_.size(); }
  /// The innermost of them.
  [[nodiscard]] Json::Type inner() const { return pending_[open_.back()].type; }
  /// What it holds so far, a key and its value being two; in none, what the text holds.
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
  std::vector<std::size_t> open_;  // where in `pending_` the lists and objects stand that have begun
  std::vector<std::uint32_t> order_;
  std::vector<std::string_view> repeats_;
};

}  // namespace param_ledger
