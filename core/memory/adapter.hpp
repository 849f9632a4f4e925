#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/builder/blocks.hpp"
#include "core/json/json.hpp"
#include "core/model/model.hpp"
#include "core/model/module_renames.hpp"

namespace param_ledger {

/// A tensor that is trained.
struct Trained {
  std::vector<Count> shape;
  bool hidden;  ///< whether Muon optimizes it: a matrix of an adapter, or one outside of the text model's embedding and head

  [[nodiscard]] Count elements() const;
};

/// Whether a row is a matrix outside of the text model's embedding and output head.
bool is_inner_matrix(const Row& row);

/// The tensors that are trained for one copy of a row, and the number of copies.
struct Adapted {
  std::vector<Trained> tensors;
  Count copies = 0;
};

/// A LoRA adapter as peft adds it: which modules and parameters it adapts, and with which rank. Modules have transformers' names, which may
/// differ from those in files. Source: peft 0.21, tuners/lora and tuners/tuners_utils.py.
class Adapter {
 public:
  /// `blocks`: the model's blocks, needed for use_dora. `lora`: the fields r, target_modules, target_parameters, modules_to_save and
  /// use_dora of LoraConfig. Throws Error for an invalid request.
  Adapter(const Model& model, std::span<const BlockRows> blocks, Json lora);

  /// The tensors that the adapter trains for one of the model's rows.
  Adapted of(const Row& row);

  /// Why the adapter's parameters are not counted: peft refuses the adapter, what peft does is not known, or no name in target_modules or
  /// target_parameters matches. Empty if they are counted. Call `of` for all rows first.
  [[nodiscard]] std::string refusal() const;
  /// A sentence about the requested names that match nothing in the model; empty if all match.
  [[nodiscard]] std::string unmatched() const;

 private:
  /// A name from the request, and whether it has matched anything.
  struct Target {
    std::string name;
    bool matched = false;
  };
  using Targets = std::vector<Target>;

  void convert();
  bool is_saved(std::string_view module, bool counts);
  /// The number of a row's copies that match one of the targets. Marks these targets as matched.
  static Count named(Targets& targets, std::string_view name, const Row& row);
  Adapted of_experts(const Row& row, bool half);
  Adapted of_router(const Row& row);
  [[nodiscard]] Count targeted(const Row& row, std::string_view module);
  Adapted of_layer(const Row& row);
  Adapted of_parameter(const Row& row, std::string_view name);
  [[nodiscard]] bool is_taken(std::string_view module) const;
  [[nodiscard]] static bool is_linear(const Row& row);
  [[nodiscard]] bool stores_inputs_first(const Row& row) const;
  void refuse(std::string why);
  void refuse_containers(std::string_view module);
  [[nodiscard]] std::string name_of(const Row& row) const;
  [[nodiscard]] std::string experts_name(const Row& row, bool out) const;

  const Model& model_;
  std::span<const BlockRows> blocks_;
  PeftExperts peft_;
  std::string_view type_;
  std::vector<const ModuleRename*> renames_;
  bool mixes_ = false, all_linear_ = false, fused_by_half_ = false, dora_ = false, adapts_ = false;
  Count rank_ = 0, in_rank_ = 1;
  Targets modules_, parameters_, saved_;
  std::vector<std::string_view> taken_;  ///< module names that, in target_modules, select parameters of a mixture instead of modules
  std::string refusal_;
};

}  // namespace param_ledger
