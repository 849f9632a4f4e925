#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/builder/builder.hpp"
#include "core/devices/plan.hpp"

namespace param_ledger {

/// How many devices share tensors, layers and experts. All together are pipeline · max(tensor, expert).
struct Sizes {
  Count tensor = 1, pipeline = 1, expert = 1;

  [[nodiscard]] Count across() const { return tensor > expert ? tensor : expert; }
  [[nodiscard]] Count devices() const { return pipeline * across(); }
};

/// Which stages of a pipeline hold a tensor.
enum class Place : std::uint8_t {
  every,   ///< each of them: transformers leaves such modules where they are
  layers,  ///< that of its layer
  first,
  ends,  ///< the first and the last: the table of tokens that a head is tied to
  last,
};
std::string_view spelling(Place place);

/// A row of the model and how it is divided.
struct DividedRow {
  const Row* row = nullptr;
  Style style = Style::replicate;
  bool by_expert = false;  ///< among the devices that share experts, else among those that share tensors
  Place place = Place::every;
  std::vector<Run> layers = {};  ///< of `layers`
  Text holder = {};              ///< the parameter that holds it in another program; empty in transformers
  Expr padded = {};              ///< the first dimension where that program makes it longer; empty: it does not
  Expr heads = {};               ///< of `colwise_repeated`: the heads among which it is divided, as there are fewer than devices

  /// Whether each device has some of the experts, and those whole.
  [[nodiscard]] bool is_whole_experts() const { return by_expert && style == Style::grouped_gemm; }
  /// Whether it is gate and up projections in one, each divided for itself.
  [[nodiscard]] bool is_packed_pair() const;
  /// The dimension that is divided; −1 for none, or whole experts one by one.
  [[nodiscard]] int divided_dimension() const;
  /// The size of a dimension, with what pads it.
  [[nodiscard]] Expr padded_size(int dimension) const;
  /// The elements with what pads them.
  [[nodiscard]] Count padded_elements() const;
};

/// What one device holds of a row.
struct LocalRow {
  const DividedRow* of;
  Row row;  ///< with the name, the shape and the copies that it has there
};

/// What must come out even where a dimension is divided: its heads if it counts heads, else its size.
struct Divisible {
  Expr size;
  Expr heads;         ///< empty: it counts none
  std::string field;  ///< the config field that gives it, or else the tensor's name

  [[nodiscard]] Count count() const { return (heads ? heads : size).decide(); }
};
Divisible divisible_in(const DividedRow& row, int dimension);

/// The factor of a dimension that counts heads; empty for none.
Expr heads_in(Expr e);
/// Whether the outputs of such a tensor are heads.
bool is_of_heads(TensorRole role);
/// The divisors of a number next to `wanted`, which is none, as a sentence has them: "4 and 8".
std::string divisors_beside(Count of, Count wanted);

}  // namespace param_ledger
