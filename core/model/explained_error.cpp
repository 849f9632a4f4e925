#include "core/model/explained_error.hpp"

#include <algorithm>

#include "core/json/json_fields.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

bool is_name_character(char c) { return is_letter(c) || is_digit(c) || c == '_' || c == '.'; }

/// The position at which a message contains a field's name as a whole word; npos if it does not.
std::size_t place_of(std::string_view message, std::string_view name) {
  for (std::size_t at = message.find(name); at != std::string_view::npos; at = message.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_name_character(message[at - 1])) && (end == message.size() || !is_name_character(message[end]))) return at;
  }
  return std::string_view::npos;
}

}  // namespace

bool tell_defaults(Error& error, const Configuration& configuration) {
  bool any = false;
  for (const Field& field : configuration.fields) {
    if (field.source != Source::fallback) continue;
    const std::string name = configuration.full_name(field.section, field.name);
    const bool its_own = name == error.field;
    if (its_own && error.code == ErrorCode::missing_field) continue;
    const std::size_t at = place_of(error.message, name);
    if (at == std::string::npos) continue;
    any = true;
    const std::string value = field.number ? concat({" (", grouped_digits(field.number.peek()), ")"}) : std::string();
    if (!value.empty() && std::string_view(error.message).substr(at + name.size()).starts_with(value))
      error.message.insert(at + name.size() + value.size() - 1, " by default");
    else
      error.message += concat({" ", name, " is not given", its_own ? "." : ": this is its default."});
  }
  return any;
}

std::string unread_sizes(Json root, std::span<const std::string> read) {
  constexpr std::size_t most_named = 3;
  std::string out;
  std::size_t named = 0;
  if (read.empty()) return out;
  for (const Json::Member& member : root.members()) {
    const bool size = member.value.is(Json::Type::integer) && !member.value.negative() && member.value.magnitude() > 1;
    if (!size || member.key.ends_with("_id") || named == most_named || std::find(read.begin(), read.end(), member.key) != read.end())
      continue;
    out += concat({named++ == 0 ? " Not read here: " : ", ", clipped(member.key, 60), " (", grouped_digits(member.value.magnitude()), ")"});
  }
  return out.empty() ? out : out + ".";
}

std::string other_kind_of_file(Json root) {
  struct Kind {
    std::string_view key, what, wanted;
  };
  static constexpr std::string_view base = "the base model's config.json", own = "the model's config.json";
  static constexpr Kind kinds[] = {
      {"peft_type", "an adapter's configuration (adapter_config.json)", base},
      {"weight_map", "an index of a model's shards", own},
      {"tokenizer_class", "the configuration of a tokenizer", own},
      {"added_tokens_decoder", "the configuration of a tokenizer", own},
      {"image_processor_type", "the configuration of a preprocessor", own},
      {"feature_extractor_type", "the configuration of a preprocessor", own},
      {"processor_class", "the configuration of a preprocessor", own},
      {"log_history", "the state of a trainer", own},
      {"producer", "a quantizer's output (hf_quant_config.json)", own},
  };
  constexpr std::string_view of_generation[] = {
      "do_sample",  "_from_model_config", "eos_token_id",         "temperature",       "top_p", "top_k", "max_new_tokens",
      "max_length", "num_beams",          "num_return_sequences", "repetition_penalty"};
  static constexpr Kind sized[] = {
      {"_diffusers_version", "the index or a component's configuration of a diffusers pipeline", "the config.json of a transformers model"},
      {"logits_dtype", "a configuration of TensorRT-LLM", "the config.json of the model that it was made from"},
      {"pretrained_config", "a configuration of a TensorRT-LLM engine", "the config.json of the model that it was made from"},
      {"vision_cfg", "a configuration of OpenCLIP", "the config.json of the same model in transformers"},
      {"model_cfg", "a configuration of OpenCLIP", "the config.json of the same model in transformers"},
  };
  for (const Kind& kind : sized)
    if (root[kind.key]) return concat({"This is ", kind.what, ". Give ", kind.wanted, " instead."});
  // A file with one of these fields is treated as a model's configuration that lacks its type.
  for (const std::string_view size : {"hidden_size", "n_embd", "d_model", "dim", "num_hidden_layers", "n_layer", "vocab_size"})
    if (root[size]) return {};
  const auto has = [&](std::string_view key) { return static_cast<bool>(root[key]); };
  for (const Kind& kind : kinds)
    if (has(kind.key)) return concat({"This is ", kind.what, ", not the configuration of a model. Give ", kind.wanted, " instead."});
  if (std::any_of(std::begin(of_generation), std::end(of_generation), has))
    return concat(
        {"This is a generation configuration (generation_config.json), not the configuration of a model. Give ", own, " instead."});
  return {};
}

}  // namespace param_ledger
