#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace param_ledger {

/// Combines a hash with the next value. The initial hash can be any number.
inline std::uint32_t mixed(std::uint32_t hash, std::uint64_t next) {
  constexpr std::uint64_t odd = 0x9e37'79b9'7f4a'7c15;  // 2^64 divided by the golden ratio (Fibonacci hashing)
  return static_cast<std::uint32_t>((((std::uint64_t{hash} << 16U) ^ next) * odd) >> 32U);
}

/// Hashes a text eight bytes at a time. Each step mixes all 64 bits, so names that differ in only a few bytes rarely collide.
inline std::uint32_t hash_of(std::string_view text) {
  constexpr std::uint64_t odd = 0x9e37'79b9'7f4a'7c15, other_odd = 0xc2b2'ae3d'27d4'eb4f;
  std::uint64_t hash = text.size() * odd;
  while (!text.empty()) {
    std::uint64_t word = 0;
    const std::size_t bytes = std::min(text.size(), sizeof word);
    std::memcpy(&word, text.data(), bytes);
    text.remove_prefix(bytes);
    word *= odd;
    hash = (hash ^ (word ^ (word >> 29U)) * other_odd) * odd;
    hash ^= hash >> 32U;
  }
  return static_cast<std::uint32_t>(hash);
}

/// Finds entries of a list by their hash. Stores only their hashes and positions; the caller owns the list.
class HashIndex {
 public:
  /// `least`: the initial number of slots, a power of 2. More than twice the expected number of entries avoids rehashing.
  explicit HashIndex(std::size_t least = 64) : least_(least) {}

  /// Returns the position of the entry that has this hash and for which `is` returns true. If there is none, returns `next`, and the caller
  /// must append the entry at that position.
  template <class Is>
  std::size_t find_or_add(std::uint32_t hash, std::size_t next, Is&& is) {
    if (2 * filled_ >= slots_.size()) grow();
    Slot& slot = slots_[slot_of(hash, is)];
    if (slot.number != 0) return slot.number - 1;
    slot = {hash, static_cast<std::uint32_t>(next + 1)};
    ++filled_;
    return next;
  }

  /// The position of the entry that has this hash and for which `is` returns true, or `none`.
  template <class Is>
  [[nodiscard]] std::size_t find(std::uint32_t hash, std::size_t none, Is&& is) const {
    if (filled_ == 0) return none;
    const Slot& slot = slots_[slot_of(hash, is)];
    return slot.number != 0 ? slot.number - 1 : none;
  }

 private:
  struct Slot {
    std::uint32_t hash;
    std::uint32_t number;  // position of the entry + 1; 0: free
  };

  /// The slot of the entry that has this hash and for which `is` returns true, or the free slot where it would be inserted.
  template <class Is>
  [[nodiscard]] std::size_t slot_of(std::uint32_t hash, Is&& is) const {
    std::size_t i = hash & (slots_.size() - 1);
    for (; slots_[i].number != 0; i = (i + 1) & (slots_.size() - 1))
      if (slots_[i].hash == hash && is(std::size_t{slots_[i].number} - 1)) return i;
    return i;
  }

  void grow() {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? least_ : 2 * slots_.size()));
    for (const Slot& slot : old) {
      if (slot.number == 0) continue;
      std::size_t i = slot.hash & (slots_.size() - 1);
      while (slots_[i].number != 0) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }

  std::vector<Slot> slots_;  // the number of slots is a power of 2, and at most half of them are used
  std::size_t filled_ = 0;
  std::size_t least_;
};

/// Finds entries of a list by name. `name_of(i)` is the name of entry i.
class StringIndex {
 public:
  explicit StringIndex(std::size_t least = 64) : index_(least) {}

  /// Returns the position of the entry with this name. If there is none, returns `next`, and the caller must append the entry at that
  /// position.
  template <class NameOf>
  std::size_t intern(std::string_view name, std::size_t next, const NameOf& name_of) {
    return index_.find_or_add(hash_of(name), next, [&](std::size_t i) { return name_of(i) == name; });
  }

  /// The position of the entry with this name, or `none`.
  template <class NameOf>
  [[nodiscard]] std::size_t find(std::string_view name, std::size_t none, const NameOf& name_of) const {
    return index_.find(hash_of(name), none, [&](std::size_t i) { return name_of(i) == name; });
  }

 private:
  HashIndex index_;
};

}  // namespace param_ledger
