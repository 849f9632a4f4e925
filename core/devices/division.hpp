#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/devices/divided_row.hpp"
#include "core/devices/engine.hpp"
#include "core/devices/styles.hpp"
#include "core/model/model.hpp"

namespace param_ledger {

/// A group of ranks that hold tensors with the same shapes and numbers of copies.
struct RankKind {
  std::vector<Run> ranks;   ///< the ranks of this kind, ascending
  std::vector<Run> stages;  ///< the stages of these ranks
  Count count = 0;          ///< the number of ranks
  std::uint64_t stage = 0;  ///< the stage of the rank that represents this kind
  std::uint64_t place = 0;  ///< the position, within its stage, of the rank that represents this kind
};

/// The rows of a model, divided among devices by the plan of transformers, Megatron-Core or vLLM. Source for transformers: version 5.23,
/// distributed/tensor_parallel.py, expert_parallel.py and pipeline_parallel.py. Uneven dimensions are divided as torch's distribute_tensor
/// divides them. Sources for other programs: engine.cpp.
class Division {
 public:
  /// Throws Error for sizes that the engine refuses or whose effect is not known, and for a model type without a plan for these sizes.
  Division(Model& model, const Inference& inference, const Sizes& sizes, Engine engine);

  [[nodiscard]] Engine engine() const { return engine_; }
  [[nodiscard]] const Sizes& sizes() const { return sizes_; }
  /// The model's own tensors, including its buffers, and the scales stored with them.
  [[nodiscard]] const std::vector<DividedRow>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<RankKind>& kinds() const { return kinds_; }
  [[nodiscard]] std::size_t index_of(const LocalRow& row) const { return static_cast<std::size_t>(row.of - rows_.data()); }
  /// The shares of the rows on the device that represents a kind, without the rows that are not on this device.
  [[nodiscard]] std::vector<LocalRow> held_by(const RankKind& kind) const;
  /// The layers of a stage: the first one, and the one after the last.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> layers_of(std::uint64_t stage) const;
  /// How many devices hold each element of a row.
  [[nodiscard]] Count copies(const DividedRow& row) const;
  /// The number of different shares that a row is divided into within a stage; 1 if it is not divided.
  [[nodiscard]] Count parts(const DividedRow& row) const;
  /// The kind of devices that a rank belongs to. Its representative is this rank. Throws Error{out_of_range} if there is no such rank.
  [[nodiscard]] RankKind of_rank(Count rank) const;
  [[nodiscard]] std::string_view model_type() const { return model_.choice.family->model_type; }
  [[nodiscard]] std::uint64_t n_layers() const { return n_layers_; }
  [[nodiscard]] Expr tensor() const { return tensor_; }
  [[nodiscard]] Expr pipeline() const { return pipeline_; }
  [[nodiscard]] Expr expert() const { return expert_; }

 private:
  class LocalTensor;

  /// The number of different shares that a divided row is divided into, as a formula.
  [[nodiscard]] Expr divisor(const DividedRow& row) const;

  // Defined in division.cpp:
  void collect_rows();
  void divide_scales();

  // Defined in stages.cpp:
  void place_rows(const Inference& inference);
  [[nodiscard]] bool is_held(const DividedRow& row, std::uint64_t stage) const;

  // Defined in local_rows.cpp:
  [[nodiscard]] Expr share(Expr whole, Expr by, std::uint64_t place) const;
  [[nodiscard]] LocalRow local_row(const DividedRow& row, const RankKind& kind) const;

  // Defined in rank_kinds.cpp:
  void find_kinds();
  [[nodiscard]] std::vector<std::uint64_t> classes(bool by_expert) const;

  // Defined in division_refusals.cpp:
  void refuse_sizes() const;
  void refuse_without_plan(const PlanFound& found) const;
  void refuse_uneven_experts() const;
  void refuse_uneven_rows() const;
  void refuse_uneven_stages() const;

  Model& model_;
  Sizes sizes_;
  Engine engine_;
  Expr tensor_, pipeline_, expert_;
  std::vector<DividedRow> rows_;
  std::vector<RankKind> kinds_;
  std::uint64_t n_layers_ = 0;
  Expr layers_ = {};  ///< the number of layers as an expression; empty without pipeline stages, or if no row is in all layers
};

}  // namespace param_ledger
