#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/torch/pickle.hpp"

namespace param_ledger {

/// What a pickle would call. Python's dicts and torch's tensors are made of it; all else stays an object with its arguments. Each call
/// gives the place of what comes of it, and throws Error for what is broken or takes too much.
class PickleCalls {
 public:
  using Place = Pickle::Place;

  explicit PickleCalls(Pickle& out) : out_(out) {}

  /// A function or a class by its name.
  Place global(std::string_view module, std::string_view name);
  /// What calling it with these arguments makes.
  Place made(Place of, Place args);
  /// Gives an object its state; an array of NumPy's becomes a tensor by it.
  void built(Place object, Place state);
  /// What stands outside of the pickle: ("storage", its class, its key, where it was, how many numbers it has).
  Place persistent(Place id);

 private:
  using Kind = Pickle::Kind;
  using Value = Pickle::Value;

  [[nodiscard]] const Value& at(Place place) const { return out_[place]; }
  [[nodiscard]] std::string_view named(Place place) const;
  [[nodiscard]] Dtype dtype_named(Place place) const;
  [[nodiscard]] std::vector<std::uint64_t> integers(Place place) const;
  void work(std::size_t items);

  Place dict_of(std::span<const Place> args);
  Place tensor_of(std::span<const Place> args, Dtype dtype);
  Place bare_tensor(Dtype dtype, Place shape);
  [[nodiscard]] Dtype dtype_of_array(Place dtype) const;
  Place kept(PickledTensor tensor);
  void note_unknown(std::string_view module, std::string_view name);

  Pickle& out_;
  std::uint64_t work_ = 0;  // items that were looked through: a memo lets few bytes name many
};

}  // namespace param_ledger
