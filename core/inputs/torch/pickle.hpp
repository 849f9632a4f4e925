#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/tensors/dtype.hpp"
#include "core/support/hash_index.hpp"

namespace param_ledger {

/// Numbers that tensors share.
struct PickledStorage {
  std::string_view key;
  Dtype dtype = 0;            ///< 0 where it is bytes, or not known
  std::uint64_t numbers = 0;  ///< elements of that type; of bytes, bytes
};

struct PickledTensor {
  std::size_t storage = none;  ///< in `storages`
  Dtype dtype = 0;
  std::uint64_t offset = 0;
  std::vector<std::uint64_t> shape = {}, stride = {};

  static constexpr std::size_t none = ~std::size_t{0};
};

/// What a pickle says, as a graph of values. Nothing of it is run: what it would call is named (`PickleCalls`).
class Pickle {
 public:
  enum class Kind : std::uint8_t { none, integer, text, sequence, dict, global, object, storage, tensor, other };
  struct Value {
    Kind kind = Kind::none;
    bool negative = false;
    std::uint64_t number = 0;    ///< of an integer; of a storage or a tensor its place
    std::string_view text = {};  ///< of a text or a global, "module\nname"
    std::vector<std::uint32_t> items =
        {};  ///< of a dict keys and values in turns; of an object its class, its arguments, and then what it was given: items, its state
  };
  using Place = std::uint32_t;
  static constexpr std::uint64_t most_values = 4'000'000;

  [[nodiscard]] const Value& operator[](Place place) const { return values_[place]; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  /// What a global is called, "module\nname"; empty for anything else.
  [[nodiscard]] std::string_view name_of(Place place) const;
  /// The value under a text in a dict, if any.
  [[nodiscard]] std::optional<Place> find(const Value& dict, std::string_view key) const;
  [[nodiscard]] const std::vector<PickledStorage>& storages() const { return storages_; }
  [[nodiscard]] const std::vector<PickledTensor>& tensors() const { return tensors_; }
  /// What the pickle would call that is neither torch's nor Python's own, each once, the first few: "module.name".
  [[nodiscard]] const std::vector<std::string>& unknown() const { return unknown_; }

 private:
  friend class PickleMachine;
  friend class PickleCalls;
  Place add(Value value);

  std::vector<Value> values_;
  std::vector<PickledStorage> storages_;
  HashIndex storage_index_;
  std::vector<PickledTensor> tensors_;
  std::vector<std::string> unknown_;
  std::deque<std::string> names_;  ///< of globals, which their values view
};

}  // namespace param_ledger
