#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/torch/pickle.hpp"

namespace param_ledger {

/// Evaluates the calls in a pickle. Calls that build dicts, shapes, torch's tensors or NumPy's arrays become dicts, sequences and tensors;
/// any other call becomes an object with its arguments. Functions throw Error if the pickle is broken or exceeds a limit. Functions that
/// return a Place return the position of their result.
class PickleCalls {
 public:
  using Place = Pickle::Place;

  explicit PickleCalls(Pickle& out) : out_(out) {}

  /// Adds a reference to a function or class by its name.
  Place global(std::string_view module, std::string_view name);
  /// Evaluates a call: the result of calling `of` with the arguments `args`.
  Place made(Place of, Place args);
  /// Sets an object's state. The state of a NumPy array contains its dtype and shape, so the array becomes a tensor.
  void built(Place object, Place state);
  /// Resolves a reference to an object outside the pickle: ("storage", class, key, location, number of elements).
  Place persistent(Place id);

 private:
  using Kind = Pickle::Kind;
  using Value = Pickle::Value;

  [[nodiscard]] const Value& at(Place place) const { return out_[place]; }
  [[nodiscard]] std::string_view named(Place place) const;
  [[nodiscard]] Dtype dtype_named(Place place) const;
  [[nodiscard]] std::vector<std::uint64_t> integers(Place place) const;
  void work(std::size_t items);

  [[nodiscard]] std::optional<Place> python_value(std::string_view module, std::string_view name, std::span<const Place> args);
  [[nodiscard]] std::optional<Place> rebuilt(std::string_view name, std::span<const Place> args);
  [[nodiscard]] std::optional<Place> array_of(std::string_view name, std::span<const Place> args);
  Place dict_of(std::span<const Place> args);
  Place tensor_of(std::span<const Place> args, Dtype dtype);
  Place bare_tensor(Dtype dtype, Place shape);
  [[nodiscard]] Dtype dtype_of_array(Place dtype) const;
  Place kept(PickledTensor tensor);
  void note_unknown(std::string_view module, std::string_view name);

  Pickle& out_;
  std::uint64_t work_ = 0;  // number of items visited; it is limited because the memo lets a few bytes refer to many items
};

}  // namespace param_ledger
