#include "core/inputs/named_model.hpp"

#include <algorithm>

#include "core/builder/inference.hpp"
#include "core/json/json_fields.hpp"
#include "core/json/json_text.hpp"
#include "core/memory/training.hpp"
#include "core/model/model.hpp"
#include "core/notations/yaml.hpp"
#include "core/support/attempt.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

bool is_set(Json value) {
  if (!value || value.is_null()) return false;
  if (value.is(Json::Type::boolean)) return value.boolean();
  if (value.is(Json::Type::list) || value.is(Json::Type::object)) return value.size() > 0;
  return true;
}

/// The name if it may be a model id on the Hub ("owner/name" or "name"); empty if it can only be a path.
std::string hub_id(std::string_view name) {
  const bool path = name.starts_with('/') || name.starts_with('.') || name.starts_with('~') || name.find('\\') != std::string_view::npos ||
                    name.find(':') != std::string_view::npos;
  if (path || name.empty() || name.size() > 200 || std::count(name.begin(), name.end(), '/') > 1) return {};
  return std::string(name);
}

/// LoRA settings that may change the number of trained parameters and are not supported here. Source: peft's LoraConfig.
constexpr Text uncounted_fields[] = {"rank_pattern",        "layers_to_transform", "layers_pattern",
                                     "exclude_modules",     "lora_bias",           "trainable_token_indices",
                                     "layer_replication",   "megatron_config",     "use_qalora",
                                     "use_bdlora",          "arrow_config",        "target_parameters_pattern",
                                     "ensure_weight_tying", "velora_config",       "alora_invocation_tokens",
                                     "kasa_config"};

std::string why_uncounted(Json root) {
  const std::string_view type = word_in(root, "peft_type");
  if (type != "LORA") return concat({"Adapters of type ", clipped(type, 40), " are not supported."});
  for (const Text field : uncounted_fields)
    if (is_set(root[field])) return concat({field, " changes what is trained in a way that is not counted."});
  if (const std::string_view bias = word_in(root, "bias"); !bias.empty() && bias != "none")
    return concat({"bias = ", clipped(bias, 40), " also trains biases of the base model. These are not counted here."});
  if (root["target_modules"].is(Json::Type::string) && root["target_modules"].string() != "all-linear")
    return "target_modules is a pattern. List the matching modules instead.";
  if (!is_set(root["target_modules"]) && !is_set(root["target_parameters"]))
    return "target_modules is missing, so peft's default applies. List the modules.";
  return {};
}

NamedModel adapter_of(Json root) {
  NamedModel out{"adapter", hub_id(word_in(root, "base_model_name_or_path")), {}, {}, std::string(word_in(root, "peft_type")), {}, {}};
  out.uncounted = why_uncounted(root);
  if (!out.uncounted.empty()) return out;
  out.lora = concat({"{\"r\":", root["r"] ? dump(root["r"]) : "8"});
  for (const Text field : {"target_modules", "target_parameters", "modules_to_save", "use_dora"})
    if (is_set(root[field])) out.lora += concat({",\"", field, "\":", dump(root[field])});
  out.lora += is_set(root["target_modules"]) ? "}" : ",\"target_modules\":[]}";
  return out;
}

/// Parses the Hub's answer to /api/models/owner/name.
NamedModel hub_of(Json root) {
  NamedModel out{"hub", hub_id(word_in(root, root["id"] ? "id" : "modelId")), {}, {}, {}, {}, {}};
  const Json files = root["safetensors"], total = files["total"];
  const auto is_count = [](Json value) { return value.is(Json::Type::integer) && !value.negative(); };
  if (is_count(total)) out.parameters = total.magnitude();
  for (const auto& [dtype, value] : files["parameters"].members())
    if (is_count(value)) out.dtypes.emplace_back(std::string(clipped(dtype, 40)), value.magnitude());
  return out;
}

/// Parses a recipe of axolotl or LLaMA-Factory, which names the model to train. None if the object is neither.
std::optional<NamedModel> recipe_of(Json root) {
  const std::string_view base = word_in(root, "base_model"), factory = word_in(root, "model_name_or_path");
  if (base.empty() && (factory.empty() || !root["finetuning_type"])) return std::nullopt;
  NamedModel out{"recipe", hub_id(base.empty() ? factory : base), {}, {}, {}, {}, {}};
  const std::string_view adapter = word_in(root, "adapter");
  if (adapter != "lora" && adapter != "qlora") return out;
  out.adapter = "LORA";
  const Json rank = root["lora_r"], modules = root["lora_target_modules"];
  const bool all = is_set(root["lora_target_linear"]);
  for (const Text field : {"lora_layers_to_transform", "lora_target_parameters"})
    if (is_set(root[field])) out.uncounted = concat({field, " changes what is trained in a way that is not counted."});
  if (!rank.is(Json::Type::integer)) out.uncounted = "lora_r is missing.";
  if (all == modules.is(Json::Type::list)) out.uncounted = "Give either lora_target_modules or lora_target_linear.";
  if (out.uncounted.empty())
    out.lora = concat({"{\"r\":", dump(rank), ",\"target_modules\":", all ? "\"all-linear\"" : dump(modules),
                       is_set(root["lora_modules_to_save"]) ? ",\"modules_to_save\":" + dump(root["lora_modules_to_save"]) : "",
                       is_set(root["peft_use_dora"]) ? ",\"use_dora\":true}" : "}"});
  return out;
}

/// A torchtune function that builds a model, and a model on the Hub with the same architecture and dimensions. Source: torchtune,
/// torchtune/models/*/_model_builders.py.
struct Component {
  Text name;
  Text id;
};
constexpr Component components[] = {{"llama2_7b", "meta-llama/Llama-2-7b-hf"},
                                    {"llama2_13b", "meta-llama/Llama-2-13b-hf"},
                                    {"llama2_70b", "meta-llama/Llama-2-70b-hf"},
                                    {"code_llama2_7b", "codellama/CodeLlama-7b-hf"},
                                    {"code_llama2_13b", "codellama/CodeLlama-13b-hf"},
                                    {"code_llama2_70b", "codellama/CodeLlama-70b-hf"},
                                    {"llama3_8b", "meta-llama/Meta-Llama-3-8B"},
                                    {"llama3_70b", "meta-llama/Meta-Llama-3-70B"},
                                    {"llama3_1_8b", "meta-llama/Llama-3.1-8B"},
                                    {"llama3_1_70b", "meta-llama/Llama-3.1-70B"},
                                    {"llama3_1_405b", "meta-llama/Llama-3.1-405B"},
                                    {"llama3_2_1b", "meta-llama/Llama-3.2-1B"},
                                    {"llama3_2_3b", "meta-llama/Llama-3.2-3B"},
                                    {"llama3_3_70b", "meta-llama/Llama-3.3-70B-Instruct"},
                                    {"gemma_2b", "google/gemma-2b"},
                                    {"gemma_7b", "google/gemma-7b"},
                                    {"gemma2_2b", "google/gemma-2-2b"},
                                    {"gemma2_9b", "google/gemma-2-9b"},
                                    {"gemma2_27b", "google/gemma-2-27b"},
                                    {"mistral_7b", "mistralai/Mistral-7B-v0.1"},
                                    {"phi3_mini", "microsoft/Phi-3-mini-4k-instruct"},
                                    {"qwen2_0_5b", "Qwen/Qwen2-0.5B"},
                                    {"qwen2_1_5b", "Qwen/Qwen2-1.5B"},
                                    {"qwen2_7b", "Qwen/Qwen2-7B"},
                                    {"qwen2_5_0_5b", "Qwen/Qwen2.5-0.5B"},
                                    {"qwen2_5_1_5b_base", "Qwen/Qwen2.5-1.5B"},
                                    {"qwen2_5_1_5b_instruct", "Qwen/Qwen2.5-1.5B-Instruct"},
                                    {"qwen2_5_3b", "Qwen/Qwen2.5-3B"},
                                    {"qwen2_5_7b_base", "Qwen/Qwen2.5-7B"},
                                    {"qwen2_5_7b_instruct", "Qwen/Qwen2.5-7B-Instruct"},
                                    {"qwen2_5_14b_base", "Qwen/Qwen2.5-14B"},
                                    {"qwen2_5_14b_instruct", "Qwen/Qwen2.5-14B-Instruct"},
                                    {"qwen2_5_32b_base", "Qwen/Qwen2.5-32B"},
                                    {"qwen2_5_32b_instruct", "Qwen/Qwen2.5-32B-Instruct"},
                                    {"qwen2_5_72b_base", "Qwen/Qwen2.5-72B"},
                                    {"qwen2_5_72b_instruct", "Qwen/Qwen2.5-72B-Instruct"}};

/// The modules that a torchtune recipe adapts with LoRA, under their names in transformers.
std::string adapted_modules(Json model) {
  std::string out;
  const auto put = [&](std::string_view name) { out += concat({out.empty() ? "" : ",", dump(name)}); };
  for (const auto& [_, module] : model["lora_attn_modules"].members()) {
    const std::string_view name = module.is(Json::Type::string) ? module.string() : "";
    put(name == "output_proj" ? "o_proj" : name);
  }
  if (is_set(model["apply_lora_to_mlp"]))
    for (const std::string_view name : {"gate_proj", "up_proj", "down_proj"}) put(name);
  if (is_set(model["apply_lora_to_output"])) put("lm_head");
  return out;
}

/// Parses a torchtune recipe. It names the function that builds the model.
NamedModel torchtune_of(Json model) {
  NamedModel out{"recipe", {}, {}, {}, {}, {}, {}};
  const std::string_view path = word_in(model, "_component_");
  std::string_view name = path.substr(path.rfind('.') + 1);
  const bool quantized = name.starts_with("qlora_"), adapted = quantized || name.starts_with("lora_");
  if (adapted) name.remove_prefix(quantized ? 6 : 5);
  const auto* const found =
      std::find_if(std::begin(components), std::end(components), [&](const Component& component) { return component.name == name; });
  if (found != std::end(components)) out.id = std::string(found->id);
  if (!adapted) return out;
  out.adapter = "LORA";
  const Json rank = model["lora_rank"];
  const std::string modules = adapted_modules(model);
  if (!rank.is(Json::Type::integer))
    out.uncounted = "lora_rank is missing.";
  else if (modules.empty())
    out.uncounted = "lora_attn_modules is missing.";
  else if (is_set(model["use_dora"]))
    out.uncounted = "use_dora changes what is trained in a way that is not counted here.";
  else if (name.starts_with("phi"))
    out.uncounted = "torchtune splits a tensor of this model's published files and adapts each part, which is not counted here.";
  else
    out.lora = concat({"{\"r\":", dump(rank), ",\"target_modules\":[", modules, "]}"});
  return out;
}

std::optional<NamedModel> of_root(Json root) {
  if (!root.is(Json::Type::object)) return std::nullopt;
  if (root["peft_type"].is(Json::Type::string)) return adapter_of(root);
  if (word_in(root["model"], "_component_").starts_with("torchtune.models.")) return torchtune_of(root["model"]);
  const bool listed = root["siblings"].is(Json::Type::list) || root["safetensors"].is(Json::Type::object);
  if ((root["id"].is(Json::Type::string) || root["modelId"].is(Json::Type::string)) && listed) return hub_of(root);
  return root["model_type"].is(Json::Type::string) && root["hidden_size"] ? std::nullopt : recipe_of(root);
}

}  // namespace

std::optional<NamedModel> named_model(std::string_view text) {
  const bool json = text.starts_with('{');
  const auto says = [&](std::string_view key) { return holds(text, key); };
  if (text.size() > largest_text || !(json ? says("\"peft_type\"") || says("\"safetensors\"") || says("\"siblings\"")
                                           : says("base_model:") || says("model_name_or_path:") || says("_component_:")))
    return std::nullopt;
  std::optional<NamedModel> named;  // remains empty if the text cannot be parsed
  attempt([&] {
    const std::optional<std::string> yaml = json ? std::nullopt : json_of_yaml(text);
    if (!json && !yaml) return;
    const Document document(json ? text : std::string_view(*yaml));
    named = of_root(document.root());
  });
  return named;
}

std::optional<Count> adapter_parameters(const NamedModel& named, std::string_view config_text, std::string& why) {
  Inference inference;
  const Document config(config_text);
  const Model model(config.root(), inference, 1);
  why = named.uncounted;
  if (named.lora.empty()) return std::nullopt;
  const Document request(concat({"{\"lora\":", named.lora, "}"}));
  const Training training = training_of(model, inference.blocks, request.root());
  why = training.unknown;
  if (!why.empty()) return std::nullopt;
  return training.trained;
}

}  // namespace param_ledger
