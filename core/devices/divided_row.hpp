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
  every,   ///< on every stage: the engine assigns the module to no stage, or creates it on each
  layers,  ///< on each stage that has one of the row's layers
  first,
  ends,  ///< on the first and the last stage: an embedding table that the head is tied to
  last,
};
std::string_view spelling(Place place);

/// A row of the model and how it is divided.
struct DividedRow {
  const Row* row = nullptr;
  Style style = Style::replicate;
  bool by_expert = false;  ///< divided among the devices of expert parallelism; else among those of tensor parallelism
  Place place = Place::every;
  std::vector<Run> layers = {};  ///< for Place::layers: the layers that the row belongs to
  Text holder = {};  ///< the parameter of Megatron-Core or vLLM that contains the row; empty with transformers, and for buffers and scales
  Expr padded = {};  ///< the first dimension including padding; empty if it has no padding
  /// For `colwise_repeated` with fewer heads than devices: the number of heads, which is also the number of different shares.
  Expr heads = {};

  /// Whether the row is divided by experts, so that each device holds some experts whole.
  [[nodiscard]] bool is_whole_experts() const { return by_expert && style == Style::grouped_gemm; }
  /// Whether the row is a fused gate and up projection whose two halves are divided separately.
  [[nodiscard]] bool is_packed_pair() const;
  /// The dimension along which the row is divided; −1 if it is not divided, or if it is divided by experts that are separate tensors.
  [[nodiscard]] int divided_dimension() const;
  /// The size of one of the row's dimensions, including padding.
  [[nodiscard]] Expr padded_size(int dimension) const;
  /// The number of elements in all copies of the row, including padding.
  [[nodiscard]] Count padded_elements() const;
};

/// The part of a row that one device holds.
struct LocalRow {
  const DividedRow* of;
  Row row;  ///< the row with the name, shape and number of copies that it has on the device
};

/// The number that must be a multiple of the number of devices for equal shares without split heads: the heads in a dimension or, if the
/// dimension has no heads, its size.
struct Divisible {
  Expr size;
  Expr heads;         ///< the number of heads in the dimension; empty if it has none
  std::string field;  ///< the name of the heads or else of the largest named value in the size, usually a config field; the tensor's name
                      ///< if there is none

  [[nodiscard]] Count count() const { return (heads ? heads : size).decide(); }
};
Divisible divisible_in(const DividedRow& row, int dimension);

/// The first factor in a dimension's formula whose name is that of a number of heads; empty if there is none.
Expr heads_in(Expr e);
/// Whether the outputs of a tensor with this role belong to attention heads.
bool is_of_heads(TensorRole role);
/// The nearest divisors of `of` below and above `wanted`, for a sentence: "4 and 8". Only the one below if there is none above up to 64
/// times `wanted`.
std::string divisors_beside(Count of, Count wanted);

}  // namespace param_ledger
