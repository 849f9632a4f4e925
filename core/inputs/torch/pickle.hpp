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

/// A PyTorch storage: the elements of one tensor, or of several tensors that share memory.
struct PickledStorage {
  std::string_view key;
  Dtype dtype = 0;            ///< 0 if the storage is untyped, or its type is unknown
  std::uint64_t numbers = 0;  ///< number of elements, or of bytes if the storage is untyped
};

struct PickledTensor {
  std::size_t storage = none;  ///< position in `storages`, or `none` if the tensor has no storage
  Dtype dtype = 0;
  std::uint64_t offset = 0;
  std::vector<std::uint64_t> shape = {}, stride = {};

  static constexpr std::size_t none = ~std::size_t{0};
};

/// The contents of a pickle as a graph of values. No code is executed: PickleCalls recognises calls by the names of the functions.
class Pickle {
 public:
  enum class Kind : std::uint8_t { none, integer, text, sequence, dict, global, object, storage, tensor, other };
  struct Value {
    Kind kind = Kind::none;
    bool negative = false;
    std::uint64_t number = 0;               ///< an integer's absolute value; for a storage, a tensor or a global its position in the list
                                            ///< of these
    std::string_view text = {};             ///< the contents of a string
    std::vector<std::uint32_t> items = {};  ///< a sequence's elements; a dict's keys and values in turn; an object's class, arguments,
                                            ///< items and state
  };
  using Place = std::uint32_t;
  static constexpr std::uint64_t most_values = 4'000'000;

  [[nodiscard]] const Value& operator[](Place place) const { return values_[place]; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }
  /// The name of a global, as "module\nname"; empty for other values.
  [[nodiscard]] std::string_view name_of(Place place) const;
  /// The position of the value that a dict has for a key; none if there is no such key.
  [[nodiscard]] std::optional<Place> find(const Value& dict, std::string_view key) const;
  [[nodiscard]] const std::vector<PickledStorage>& storages() const { return storages_; }
  [[nodiscard]] const std::vector<PickledTensor>& tensors() const { return tensors_; }
  /// The functions and classes that the pickle would call, except those of torch, NumPy, OmegaConf and some modules of Python: each once,
  /// as "module.name", up to a maximum number.
  [[nodiscard]] const std::vector<std::string>& unknown() const { return unknown_; }

 private:
  friend class PickleMachine;
  friend class PickleCalls;
  Place add(Value value);

  std::vector<Value> values_;
  std::vector<PickledStorage> storages_;
  StringIndex storage_index_;
  std::vector<PickledTensor> tensors_;
  std::vector<std::string> unknown_;
  std::deque<std::string> names_;  ///< names of globals, indexed by a global's `number`
};

}  // namespace param_ledger
