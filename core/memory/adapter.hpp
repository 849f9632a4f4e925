#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.hpp"
#include "core/model/model.hpp"
#include "core/model/module_renames.hpp"

namespace param_ledger {

/// A tensor that is trained.
struct Trained {
  std::vector<Count> shape;
  bool hidden;  ///< a matrix of the layers, which Muon takes

  [[nodiscard]] Count elements() const;
};

/// What an adapter trains for a row: these tensors, as many times.
struct Adapted {
  std::vector<Trained> tensors;
  Count copies = 0;
};

/// A LoRA adapter as peft adds it to a model: which modules and parameters it adapts, by which rank. Modules go by the names that
/// transformers builds them under, which files may hold otherwise. Source: peft 0.21, tuners/lora and tuners/tuners_utils.py.
class Adapter {
 public:
  /// `lora`: r, target_modules, target_parameters, modules_to_save and use_dora of LoraConfig. Throws Error for what is no such request.
  Adapter(const Model& model, Json lora);

  /// What it trains for one row.
  Adapted of(const Row& row);

  /// Why it is not counted, once all rows were asked for: peft refuses it, or what it does is not known. Empty: it is counted.
  [[nodiscard]] std::string refusal() const;
  /// Names that nothing in the model has; empty where there are none.
  [[nodiscard]] std::string unmatched() const;

 private:
  /// One given name, and whether anything has it.
  struct Target {
    std::string name;
    bool matched = false;
  };
  using Targets = std::vector<Target>;

  void convert();
  bool is_saved(std::string_view module, bool counts);
  /// How many copies of a row have one of these names.
  Count named(Targets& targets, std::string_view name, const Row& row);
  Adapted of_experts(const Row& row, bool half);
  Adapted of_router(const Row& row);
  Adapted of_layer(const Row& row);
  Adapted of_parameter(const Row& row, std::string_view name);
  [[nodiscard]] bool is_taken(std::string_view module) const;
  [[nodiscard]] bool is_linear(const Row& row) const;
  void refuse(std::string why);
  void refuse_containers(std::string_view module);
  [[nodiscard]] std::string name_of(const Row& row) const;
  [[nodiscard]] std::string experts_name(const Row& row, bool out) const;

  const Model& model_;
  PeftExperts peft_;
  std::string_view type_;
  std::vector<const ModuleRename*> renames_;
  bool mixes_ = false, all_linear_ = false, fused_by_half_ = false, dora_ = false, adapts_ = false;
  Count rank_ = 0, in_rank_ = 1;
  Targets modules_, parameters_, saved_;
  std::vector<std::string_view> taken_;  ///< names that stand for parameters of a mixture alone
  std::string refusal_;
};

/// Whether a row is part of a mixture's experts that files hold one by one: these share one adapter in each layer.
bool are_single_experts(const Row& row);

}  // namespace param_ledger
