#include "core/json/json_builder.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/support/hash_index.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

JsonBuilder::JsonBuilder(JsonStore& store, std::size_t bytes) : text_(store.text), nodes_(store.nodes) {
  text_.reserve(bytes + 1);
  constexpr std::size_t usual = 64;
  pending_.reserve(usual);
  nodes_.reserve(usual);
}

void JsonBuilder::add_text(Json::Type type, std::string_view text) {
  const std::size_t first = text_.size();
  text_.append(text) += '\0';
  add({.first = static_cast<std::uint32_t>(first), .size = static_cast<std::uint32_t>(text.size()), .type = type});
}

void JsonBuilder::open(Json::Type type) {
  open_.push_back(pending_.size());
  add({.type = type});
}

void JsonBuilder::close() {
  const bool object = inner() == Json::Type::object;
  if (object && !order_keys()) {
    drop_repeats();
    order_keys();
  }
  JsonNode& node = pending_[open_.back()];
  node.first = static_cast<std::uint32_t>(nodes_.size());
  node.size = static_cast<std::uint32_t>(object ? entries() / 2 : entries());
  nodes_.insert(nodes_.end(), pending_.begin() + static_cast<std::ptrdiff_t>(first_entry()), pending_.end());
  pending_.resize(first_entry());
  open_.pop_back();
}

std::vector<std::string_view> JsonBuilder::finish() {
  nodes_.push_back(pending_.front());
  StringIndex index;
  std::vector<std::string_view> out;
  for (const std::string_view name : repeats_)
    if (index.intern(name, out.size(), [&](std::size_t i) { return out[i]; }) == out.size()) out.push_back(name);
  return out;
}

/// Sorts the keys of the object that is being closed. Returns false if two of them are equal.
bool JsonBuilder::order_keys() {
  order_.resize(entries() / 2);
  std::iota(order_.begin(), order_.end(), 0U);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const int order = compare_keys(key(a), key(b));
    return order != 0 ? order < 0 : a < b;
  });
  for (std::size_t i = 0; i < order_.size(); ++i) key_node(i)->ordered = order_[i];
  const auto same = [&](std::uint32_t a, std::uint32_t b) { return key(a) == key(b); };
  return std::adjacent_find(order_.begin(), order_.end(), same) == order_.end();
}

void JsonBuilder::drop_repeats() {
  for (std::size_t i = order_.size() - 1; i > 0; --i) {
    const std::uint32_t earlier = order_[i - 1], later = order_[i];
    if (key(earlier) != key(later)) continue;
    key_node(earlier)[1] = key_node(later)[1];
    key_node(later)->type = Json::Type::null;  // marks the key as dropped
  }
  std::size_t kept = first_entry();
  for (std::size_t i = kept; i < pending_.size(); i += 2) {
    if (pending_[i].type == Json::Type::null) {
      repeats_.push_back(text(pending_[i]));
      continue;
    }
    pending_[kept++] = pending_[i];
    pending_[kept++] = pending_[i + 1];
  }
  pending_.resize(kept);
}

}  // namespace param_ledger
