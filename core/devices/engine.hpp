#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/devices/plan.hpp"
#include "core/support/count.hpp"

namespace param_ledger {

/// The program whose plan divides a model.
enum class Engine : std::uint8_t {
  transformers,  ///< transformers 5.23: see plan.hpp
  megatron,      ///< Megatron-Core 0.16.1: its own GPTModel, without Transformer Engine
  vllm,          ///< vLLM 0.11.0: shapes as its source defines them
};
std::string_view spelling(Engine engine);
/// The engine's name as it is written in sentences.
std::string_view title_of(Engine engine);
/// The engine that a request names. Throws Error{out_of_range} for an unknown name.
Engine engine_named(std::string_view name);

/// How an engine stores one parameter of a model. `parameter` is a module named as in Rule, followed by the parameter's own name, such as
/// "weight". `holder` is the engine's parameter that contains it, alone or together with others. `style` says how the model's parameter is
/// divided.
struct Held {
  Text parameter;
  Text holder;
  Style style;
  Text beside = {};  ///< if set, the rule applies only to models that also have this parameter
};
using HeldRules = std::span<const Held>;

/// How an engine stores models of one type. A model with a parameter that no rule covers is refused.
struct EnginePlan {
  Text model_type;
  std::array<HeldRules, 6> parameters = {};
  HeldRules experts = {};   ///< routed experts, named as in Rule
  bool whole_ends = false;  ///< every stage builds the embedding table, the final norm and the head, even if it does not use them
};

/// The plan of a model type, or null.
const EnginePlan* engine_plan_of(Engine engine, std::string_view model_type);
/// The model types that have a plan: "llama, mistral".
std::string types_with_plan(Engine engine);
/// The vocabulary is padded to a multiple of `multiple` or, with `of_each`, of `multiple` times the size of tensor parallelism.
struct Padding {
  Count multiple;
  bool of_each;
};
Padding padding_of(Engine engine);

}  // namespace param_ledger
