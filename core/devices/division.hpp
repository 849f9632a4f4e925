#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/devices/engine.hpp"
#include "core/model/model.hpp"

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
};

/// Devices that hold tensors of the same shapes, and as many of each.
struct RankKind {
  std::vector<Run> ranks;   ///< ascending
  std::vector<Run> stages;  ///< those that they belong to
  Count count = 0;          ///< of the ranks
  std::uint64_t stage = 0;  ///< of the one that is shown
  std::uint64_t place = 0;  ///< of that one among the devices of its stage
};

/// What one device holds of a row.
struct LocalRow {
  const DividedRow* of;
  Row row;  ///< with the name, the shape and the copies that it has there
};

/// A model's rows among devices, by a program's own plan. Source of transformers': 5.23, distributed/tensor_parallel.py,
/// expert_parallel.py, pipeline_parallel.py; uneven dimensions as torch's distribute_tensor divides them. Of others: engine.cpp.
class Division {
 public:
  /// Throws Error for what the program refuses, and where the type has no such plan.
  Division(Model& model, const Inference& inference, const Sizes& sizes, Engine engine);

  [[nodiscard]] Engine engine() const { return engine_; }
  [[nodiscard]] const Sizes& sizes() const { return sizes_; }
  /// The model's own tensors and the buffers and scales beside them.
  [[nodiscard]] const std::vector<DividedRow>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<RankKind>& kinds() const { return kinds_; }
  /// What the shown device of a kind holds; tensors of which nothing is there are left out.
  [[nodiscard]] std::vector<LocalRow> held_by(const RankKind& kind) const;
  /// The layers of a stage: from the first to before the second.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> layers_of(std::uint64_t stage) const;
  /// How many devices hold each element of a row.
  [[nodiscard]] Count copies(const DividedRow& row) const;
  /// The size by which a row is divided within a stage; 1 where it is not.
  [[nodiscard]] Count parts(const DividedRow& row) const;
  /// The elements of a row with what pads it.
  [[nodiscard]] static Count padded_elements(const DividedRow& row);
  /// The dimension of a row that is divided; −1 for none, or whole experts one by one.
  [[nodiscard]] static int divided_dimension(const DividedRow& row);
  /// The kind and the place of a rank: what is shown is then that one.
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
    std::vector<Count> layers;  ///< how many of each set of layers
  };

  [[nodiscard]] bool is_held(const DividedRow& row, std::uint64_t stage) const;
  [[nodiscard]] Expr share(Expr whole, Expr by, std::uint64_t place) const;
  /// The size by which a row is divided, as a formula.
  [[nodiscard]] Expr divisor(const DividedRow& row) const;
  void assign_styles(const Inference& inference);
  void assign_holders();
  void hold_scales();
  void assign_places(bool ties_by_default);
  void refuse();
  void refuse_uneven() const;
  void find_kinds();
  /// Where shares change among the devices of a stage: the first of each.
  [[nodiscard]] std::vector<std::uint64_t> classes(bool by_expert) const;

  Model& model_;
  Sizes sizes_;
  Engine engine_;
  Expr tensor_, pipeline_, expert_;
  std::vector<DividedRow> rows_;
  std::vector<RankKind> kinds_;
  bool has_tensor_ = false, has_expert_ = false, unmatched_ = false;
  std::uint64_t n_layers_ = 0;
  Expr layers_ = {};  ///< the same
};

/// The factor of a dimension that counts heads; empty for none.
Expr heads_in(Expr e);
/// The largest name in a dimension; empty for none.
Expr name_in(Expr e);
/// The numbers next to `wanted` that divide, as a sentence has them: "4 and 8".
std::string divisors_beside(Count of, Count wanted);
bool is_of_heads(TensorRole role);

}  // namespace param_ledger
