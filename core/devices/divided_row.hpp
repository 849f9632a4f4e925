#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/builder/builder.hpp"
#include "core/devices/plan.hpp"

namespace param_ledger {

/// The sizes of tensor, pipeline and expert parallelism. There are pipeline · max(tensor, expert) devices.
struct Sizes {
  Count tensor = 1, pipeline = 1, expert = 1;

  [[nodiscard]] Count across() const { return tensor > expert ? tensor : expert; }
  [[nodiscard]] Count devices() const { return pipeline * across(); }
};

/// Which stages of a pipeline hold a tensor.
enum class Place : std::uint8_t {
  every,   ///< every stage: transformers does not divide such modules
  layers,  ///< the stage that has its layer
  first,
  ends,  ///< the first and the last: an embedding table that the head is tied to
  last,
};
std::string_view spelling(Place place);

/// A row of the model and how it is divided.
struct DividedRow {
  const Row* row = nullptr;
  Style style = Style::replicate;
  bool by_expert = false;  ///< divided among the devices that share experts; else among those that share tensors
  Place place = Place::every;
  std::vector<Run> layers = {};  ///< for `layers`: which layers it is in
  Text holder = {};              ///< the parameter that contains it in another program; empty for transformers
  Expr padded = {};              ///< the first dimension with padding, if that program pads it; else empty
  Expr heads = {};               ///< for `colwise_repeated` with fewer heads than devices: the heads that are divided

  /// Whether each device holds some of the experts, and holds these whole.
  [[nodiscard]] bool is_whole_experts() const { return by_expert && style == Style::grouped_gemm; }
  /// Whether it is a fused gate and up projection, and each of the two is divided separately.
  [[nodiscard]] bool is_packed_pair() const;
  /// The dimension along which the row is divided; −1 if there is none, also for separate experts.
  [[nodiscard]] int divided_dimension() const;
  /// The size of a dimension, including padding.
  [[nodiscard]] Expr padded_size(int dimension) const;
  /// The elements, including padding.
  [[nodiscard]] Count padded_elements() const;
};

/// What one device holds of a row.
struct LocalRow {
  const DividedRow* of;
  Row row;  ///< with its name, shape and copies on that device
};

/// What the devices must divide evenly: the heads of a dimension, or its size if it has no heads.
struct Divisible {
  Expr size;
  Expr heads;         ///< empty: it has none
  std::string field;  ///< the config field that gives it, or else the tensor's name

  [[nodiscard]] Count count() const { return (heads ? heads : size).decide(); }
};
Divisible divisible_in(const DividedRow& row, int dimension);

/// The factor of a dimension that counts heads; empty if there is none.
Expr heads_in(Expr e);
/// Whether the outputs of such a tensor are heads.
bool is_of_heads(TensorRole role);
/// The divisors of `of` on both sides of `wanted`, for a sentence: "4 and 8".
std::string divisors_beside(Count of, Count wanted);

}  // namespace param_ledger
