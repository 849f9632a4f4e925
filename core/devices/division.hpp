#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/devices/engine.hpp"
#include "core/model/model.hpp"

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
};

/// Devices that hold tensors of the same shapes, in the same numbers.
struct RankKind {
  std::vector<Run> ranks;   ///< ascending
  std::vector<Run> stages;  ///< the stages of these ranks
  Count count = 0;          ///< the number of ranks
  std::uint64_t stage = 0;  ///< the stage of the rank that is shown
  std::uint64_t place = 0;  ///< the position of that rank within its stage
};

/// What one device holds of a row.
struct LocalRow {
  const DividedRow* of;
  Row row;  ///< with its name, shape and copies on that device
};

/// A model's rows divided among devices by a program's own plan. Source for transformers: 5.23, distributed/tensor_parallel.py,
/// expert_parallel.py, pipeline_parallel.py; uneven dimensions as torch's distribute_tensor divides them. For other programs: engine.cpp.
class Division {
 public:
  /// Throws Error for what the program refuses, and for a type that has no plan in it.
  Division(Model& model, const Inference& inference, const Sizes& sizes, Engine engine);

  [[nodiscard]] Engine engine() const { return engine_; }
  [[nodiscard]] const Sizes& sizes() const { return sizes_; }
  /// The model's own tensors, and the buffers and scales stored with them.
  [[nodiscard]] const std::vector<DividedRow>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<RankKind>& kinds() const { return kinds_; }
  /// What the shown device of a kind holds, without tensors of which it holds nothing.
  [[nodiscard]] std::vector<LocalRow> held_by(const RankKind& kind) const;
  /// The layers of a stage, from the first up to but not including the second.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> layers_of(std::uint64_t stage) const;
  /// How many devices hold each element of a row.
  [[nodiscard]] Count copies(const DividedRow& row) const;
  /// The number of devices that a row is divided among within a stage; 1 if it is not divided.
  [[nodiscard]] Count parts(const DividedRow& row) const;
  /// The elements of a row, including padding.
  [[nodiscard]] static Count padded_elements(const DividedRow& row);
  /// The dimension along which a row is divided; −1 if there is none, also for separate experts.
  [[nodiscard]] static int divided_dimension(const DividedRow& row);
  /// The kind of a rank, with that rank as the one that is shown.
  [[nodiscard]] RankKind of_rank(Count rank) const;
  [[nodiscard]] std::string_view model_type() const { return model_.choice.family->model_type; }
  [[nodiscard]] std::uint64_t n_layers() const { return n_layers_; }
  [[nodiscard]] Expr tensor() const { return tensor_; }
  [[nodiscard]] Expr pipeline() const { return pipeline_; }
  [[nodiscard]] Expr expert() const { return expert_; }

 private:
  struct Stages {
    std::vector<Run> runs;
    bool first, last;
    std::vector<Count> layers;  ///< the number of layers from each set
  };

  [[nodiscard]] bool is_held(const DividedRow& row, std::uint64_t stage) const;
  [[nodiscard]] Expr share(Expr whole, Expr by, std::uint64_t place) const;
  /// `parts` as a formula.
  [[nodiscard]] Expr divisor(const DividedRow& row) const;
  void assign_styles(const Inference& inference);
  void assign_holders();
  void hold_scales();
  void assign_places(bool ties_by_default);
  void refuse();
  void refuse_uneven() const;
  void find_kinds();
  /// The positions in a stage at which the shares change.
  [[nodiscard]] std::vector<std::uint64_t> classes(bool by_expert) const;

  Model& model_;
  Sizes sizes_;
  Engine engine_;
  Expr tensor_, pipeline_, expert_;
  std::vector<DividedRow> rows_;
  std::vector<RankKind> kinds_;
  bool has_tensor_ = false, has_expert_ = false, unmatched_ = false;
  std::uint64_t n_layers_ = 0;
  Expr layers_ = {};  ///< n_layers_ as an expression
};

/// The factor of a dimension that counts heads; empty if there is none.
Expr heads_in(Expr e);
/// The name with the largest value in a dimension; empty if there is none.
Expr name_in(Expr e);
/// The divisors of `of` on both sides of `wanted`, for a sentence: "4 and 8".
std::string divisors_beside(Count of, Count wanted);
bool is_of_heads(TensorRole role);

}  // namespace param_ledger
