#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/devices/plan.hpp"
#include "core/support/count.hpp"

namespace param_ledger {

/// Whose plan divides a model.
enum class Engine : std::uint8_t {
  transformers,  ///< 5.23: plan.hpp
  megatron,      ///< Megatron-Core 0.16.1: its own GPTModel, without Transformer Engine
  vllm,          ///< vLLM 0.11.0: what its source says of shapes
};
std::string_view spelling(Engine engine);
/// As a sentence calls it.
std::string_view title_of(Engine engine);
/// Throws Error{out_of_range} for a name that none has.
Engine engine_named(std::string_view name);

/// A parameter of a model, as in Rule but with its last word; the parameter that holds it in that program, alone or with others; and how
/// that is divided.
struct Held {
  Text parameter;
  Text holder;
  Style style;
  Text beside = {};  ///< only in models that have this parameter, too
};
using HeldRules = std::span<const Held>;

/// What a program makes of a model type. Parameters that no rule names have no place in it.
struct EnginePlan {
  Text model_type;
  std::array<HeldRules, 6> parameters = {};
  HeldRules experts = {};   ///< routed ones, named as in Rule
  bool whole_ends = false;  ///< every stage makes the table of tokens, the last norm and the head, needed or not
};

/// The plan of a model type, or null.
const EnginePlan* engine_plan_of(Engine engine, std::string_view model_type);
/// The types that have one: "llama, mistral".
std::string types_with_plan(Engine engine);
/// What a vocabulary is padded to a multiple of: for each of the devices that share it, or for all together.
struct Padding {
  Count multiple;
  bool of_each;
};
Padding padding_of(Engine engine);

}  // namespace param_ledger
