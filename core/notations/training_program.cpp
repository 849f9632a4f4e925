#include "core/notations/training_program.hpp"

#include <algorithm>

#include "core/json/json_text.hpp"
#include "core/json/value_text.hpp"
#include "core/notations/arguments.hpp"
#include "core/support/count.hpp"
#include "core/support/error.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// A configuration of `generic` under construction; each field is written once.
class GenericConfig {
 public:
  void set(std::string_view field, std::string_view json) { text_ += concat({",\n  ", dump(field), ": ", json}); }
  void number(std::string_view field, std::uint64_t value) { set(field, digits(value)); }
  void flag(std::string_view field, bool value) { set(field, value ? "true" : "false"); }
  void word(std::string_view field, std::string_view value) { set(field, dump(value)); }
  [[nodiscard]] std::string text() const { return text_ + "\n}"; }

 private:
  std::string text_ = "{\n  \"model_type\": \"generic\",\n  \"architectures\": [\"GenericForCausalLM\"]";
};

std::uint64_t padded(std::uint64_t value, std::uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

/// The size of the vocabulary that the name of a vocabulary file implies; 0 if the file is not known. Sources: OpenAI's GPT-2, EleutherAI's
/// GPT-NeoX-20B.
std::uint64_t known_vocabulary(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return file == "gpt2-vocab.json" ? 50257 : file == "20B_tokenizer.json" ? 50277 : 0;
}

/// The number of rows in the token embedding table: the given padded size or, if there is none, the vocabulary size, padded so that the
/// table can be split evenly between devices.
std::uint64_t vocabulary(const Arguments& given, std::uint64_t devices) {
  if (const std::optional<std::uint64_t> all = given.number({"padded_vocab_size", "pad_vocab_size_to"}); all && *all > 0) return *all;
  std::uint64_t tokens = given.number({"vocab_size"}).value_or(0);
  if (tokens == 0) tokens = known_vocabulary(given.text({"vocab_file"}));
  if (tokens == 0)
    refuse_argument("vocab_size",
                    "is missing, and the size of the vocabulary depends on the tokenizer. Add it, or padded_vocab_size from the log.");
  constexpr std::uint64_t most = 1'000'000'000;
  const std::uint64_t each = given.number({"make_vocab_size_divisible_by"}).value_or(128);
  if (each == 0 || devices == 0 || each > most / devices)
    refuse_argument("make_vocab_size_divisible_by", "is not a possible padding of the vocabulary.");
  const std::uint64_t multiple = each * devices;
  const std::uint64_t out = padded(tokens, multiple);
  if (given.text({"tokenizer_type"}) == "NullTokenizer" && padded(tokens + 1, multiple) != out)
    refuse_argument("tokenizer_type", "is NullTokenizer, which adds a token in some versions. Add padded_vocab_size from the log.");
  return out;
}

/// Starts a configuration with the settings that have the same names in Megatron and GPT-NeoX.
GenericConfig begun(const Arguments& given, std::uint64_t devices) {
  GenericConfig out;
  out.number("hidden_size", given.wanted({"hidden_size"}));
  out.number("num_hidden_layers", given.wanted({"num_layers"}));
  out.number("num_attention_heads", given.wanted({"num_attention_heads"}));
  out.number("vocab_size", vocabulary(given, devices));
  return out;
}

/// Converts a list of layers such as `[0]*3+[1]*58`, with or without parentheses, to one letter per layer, as the model type `generic`
/// expects. None if the text is not such a list.
std::optional<std::string> layer_letters(std::string_view text) {
  std::string out;
  std::size_t i = 0;
  const auto next = [&] {
    while (i < text.size() && is_one_of(text.substr(i, 1), {" ", "(", ")"})) ++i;
    return i < text.size() ? text[i] : '\0';
  };
  while (true) {
    if (next() != '[') return std::nullopt;
    const std::size_t end = text.find(']', i);
    if (end == std::string_view::npos) return std::nullopt;
    std::string part;
    for (const char c : text.substr(i + 1, end - i - 1)) {
      if (c == '0' || c == '1')
        part += c == '1' ? 'E' : 'D';
      else if (c != ',' && c != ' ')
        return std::nullopt;
    }
    i = end + 1;
    std::size_t times = 1;
    if (next() == '*') {
      ++i;
      next();
      const std::size_t begin = i;
      for (times = 0; i < text.size() && is_digit(text[i]) && i - begin < 5; ++i)
        times = 10 * times + static_cast<std::size_t>(text[i] - '0');
      if (i == begin) return std::nullopt;
    }
    constexpr std::size_t most_layers = 10'000;
    if (part.size() * times + out.size() > most_layers) return std::nullopt;
    for (std::size_t n = 0; n < times; ++n) out += part;
    if (next() == '\0') return out;
    if (text[i++] != '+') return std::nullopt;
  }
}

/// Prefixes of the names of arguments that add tensors which are not counted here, unless the value disables them, as None, false and 0 do.
constexpr std::string_view uncounted[] = {"mtp_num_layers",
                                          "hybrid_",
                                          "is_hybrid_model",
                                          "mamba_num_layers",
                                          "experimental_attention_variant",
                                          "linear_attention_freq",
                                          "heterogeneous_layers_config",
                                          "moe_latent_size",
                                          "enable_mhc_connections",
                                          "engram",
                                          "retro_add_retriever",
                                          "decoder_num_layers",
                                          "mlp_type",
                                          "expert_interval",
                                          "lora_",
                                          "use_ngram",
                                          "embed_layernorm_"};

void refuse_uncounted(const Arguments& given) {
  for (const auto& [name, value] : given.all()) {
    const std::string_view named = name;
    if (std::none_of(std::begin(uncounted), std::end(uncounted), [&](std::string_view begin) { return named.starts_with(begin); }))
      continue;
    if (is_one_of(value, {"None", "False", "false", "0", "0.0", "", "[]", "standard"})) continue;
    if (name == "expert_interval" && given.text({"num_experts"}) == "1") continue;
    // A log lists the arguments that begin with hybrid_ even if the model is not a hybrid.
    if (name.starts_with("hybrid_") && given.text({"is_hybrid_model", "hybrid_override_pattern", "hybrid_layer_pattern"}).empty()) continue;
    refuse_argument(name, "builds parts that are not counted here.");
  }
}

std::string position_of(const Arguments& given) {
  const std::string_view type = given.text({"position_embedding_type"});
  if (is_one_of(type, {"relative", "mrope_learned"}))
    refuse_argument("position_embedding_type", "adds a position table that is not counted here.");
  if (!is_one_of(type, {"", "learned_absolute", "absolute", "learned"}) ||
      given.flag({"use_rotary_position_embeddings", "no_position_embedding"}) ||
      is_one_of(given.text({"add_position_embedding"}), {"False", "false"}))
    return "none";
  return "learned";
}

void set_mixture(const Arguments& given, GenericConfig& out, bool biased) {
  out.number("num_experts", given.wanted({"num_experts"}));
  out.number("num_experts_per_tok", given.number({"moe_router_topk", "topk"}).value_or(2));
  if (const std::optional<std::uint64_t> inner = given.number({"moe_ffn_hidden_size"})) out.number("moe_intermediate_size", *inner);
  if (const std::optional<std::uint64_t> shared = given.number({"moe_shared_expert_intermediate_size"})) {
    if (biased) refuse_argument("moe_shared_expert_intermediate_size", "is supported only with --disable-bias-linear.");
    out.number("shared_expert_intermediate_size", *shared);
    out.flag("shared_expert_gate", given.flag({"moe_shared_expert_gate"}));
  }
  if (given.flag({"moe_router_enable_expert_bias"})) out.word("router_correction", "buffer");
  out.flag("expert_bias", biased);
  out.flag("router_bias", biased);
  const std::string_view every = given.text({"moe_layer_freq"});
  if (holds(every, "[")) {
    const std::optional<std::string> kinds = layer_letters(every);
    if (!kinds) refuse_argument("moe_layer_freq", concat({"is ", quoted(every), ", which does not say which layers have experts."}));
    out.word("mlp_layer_types", *kinds);
  } else if (!every.empty()) {
    out.number("moe_layer_freq", given.wanted({"moe_layer_freq"}));
  }
}

void set_latent(const Arguments& given, GenericConfig& out, bool root_mean_square) {
  if (!given.flag({"qk_layernorm"}) || !root_mean_square)
    refuse_argument("multi_latent_attention", "is supported only with --qk-layernorm and --normalization RMSNorm.");
  out.word("layer_types", "latent_attention");
  const std::optional<std::uint64_t> rank = given.number({"q_lora_rank"});
  out.set("q_lora_rank", rank ? digits(*rank) : "null");
  out.number("kv_lora_rank", given.number({"kv_lora_rank"}).value_or(32));
  out.number("qk_nope_head_dim", given.number({"qk_head_dim"}).value_or(128));
  out.number("qk_rope_head_dim", given.number({"qk_pos_emb_head_dim"}).value_or(64));
  out.number("v_head_dim", given.number({"v_head_dim"}).value_or(128));
}

std::string config_of_megatron(const Arguments& given) {
  refuse_uncounted(given);
  GenericConfig out = begun(given, given.number({"tensor_model_parallel_size", "model_parallel_size"}).value_or(1));
  const std::uint64_t d = given.wanted({"hidden_size"}), heads = given.wanted({"num_attention_heads"});
  const bool gated = given.flag({"swiglu", "quick_geglu", "gated_linear_unit"});
  // Among the gated activations, only SwiGLU changes the default width.
  const std::uint64_t inner = given.number({"ffn_hidden_size"}).value_or(given.flag({"swiglu"}) ? 8 * d / 3 / 64 * 64 : 4 * d);
  out.number("intermediate_size", inner);
  out.flag("gated_mlp", gated);
  if (const std::optional<std::uint64_t> width = given.number({"kv_channels"})) out.number("head_dim", *width);
  if (given.flag({"group_query_attention"}))
    out.number("num_key_value_heads", given.number({"num_query_groups"}).value_or(1));
  else if (const std::optional<std::uint64_t> groups = given.number({"num_key_value_heads"}))
    out.number("num_key_value_heads", *groups);
  else
    out.number("num_key_value_heads", heads);
  const std::string_view norm = given.text({"normalization"});
  const bool root_mean_square = is_one_of(norm, {"RMSNorm", "rmsnorm"}) || given.flag({"use_rmsnorm"});
  if (!root_mean_square && !is_one_of(norm, {"", "LayerNorm", "layernorm"}))
    refuse_argument("normalization", concat({"is ", quoted(norm), ", which is not supported."}));
  out.word("norm", root_mean_square ? "rms_norm" : "layer_norm");
  if (given.flag({"embed_layernorm"})) out.flag("embedding_norm", true);
  const bool biased = !given.flag({"disable_bias_linear"}) && !is_one_of(given.text({"add_bias_linear"}), {"False", "false"});
  out.flag("attention_bias", biased || given.flag({"add_qkv_bias"}));
  out.flag("attention_out_bias", biased);
  out.flag("mlp_bias", biased);
  if (given.flag({"qk_layernorm"}) && !given.flag({"multi_latent_attention"})) out.word("qk_norm", "per_head");
  if (given.flag({"attention_output_gate"})) out.flag("attn_output_gate", true);
  if (given.text({"softmax_type"}) == "learnable") out.flag("attention_sinks", true);
  const std::string position = position_of(given);
  out.word("position_embedding", position);
  if (position == "learned") out.number("max_position_embeddings", given.wanted({"max_position_embeddings"}));
  out.flag("tie_word_embeddings", !given.flag({"untie_embeddings_and_output_weights"}));
  if (given.number({"num_experts"}).value_or(0) > 1) {
    if (given.flag({"deepspeed"})) refuse_argument("num_experts", "is counted as in Megatron-LM; experts of DeepSpeed are not supported.");
    set_mixture(given, out, biased);
  }
  if (given.flag({"multi_latent_attention"})) set_latent(given, out, root_mean_square);
  return out.text();
}

/// Megatron scripts that train models other than decoder-only transformers.
constexpr std::string_view other_scripts[] = {"pretrain_bert",   "pretrain_t5",    "pretrain_ict",    "pretrain_retro", "pretrain_vlm",
                                              "pretrain_vision", "pretrain_mamba", "pretrain_hybrid", "pretrain_mimo",  "multimodal/train"};

}  // namespace

std::optional<std::string> config_of_arguments(std::string_view text) {
  const auto says = [&](std::string_view word) { return holds(text, word); };
  const bool command = (says("--num-layers") || says("--num_layers")) && (says("--hidden-size") || says("--hidden_size")) &&
                       (says("--num-attention-heads") || says("--num_attention_heads"));
  const bool log = says("num_layers ...") && says("hidden_size ...") && says("num_attention_heads ...");
  if (text.size() > largest_text || (!command && !log)) return std::nullopt;
  for (const std::string_view script : other_scripts)
    if (says(script)) refuse_argument(script, "trains a model that is not a decoder, which is not supported.");
  const Arguments given = log ? Arguments::of_log(text) : Arguments::of_command(text);
  if (log && given.text({"encoder_num_layers"}) != given.text({"num_layers"}) && !given.text({"encoder_num_layers"}).empty())
    refuse_argument("encoder_num_layers", "builds parts that are not counted here.");
  if (!log && !given.text({"encoder_num_layers"}).empty()) refuse_argument("encoder_num_layers", "builds parts that are not counted here.");
  return config_of_megatron(given);
}

std::optional<std::string> config_of_neox(Json root) {
  if (!root.is(Json::Type::object) || root["model_type"]) return std::nullopt;
  Arguments given;
  bool told = false;
  for (const auto& [key, value] : root.members()) {
    std::string name(key);
    std::replace(name.begin(), name.end(), '-', '_');
    told = told || is_one_of(name, {"pos_emb", "no_weight_tying", "gpt_j_residual", "make_vocab_size_divisible_by", "pipe_parallel_size",
                                    "output_layer_parallelism", "train_micro_batch_size_per_gpu"});
    given.add(name, value.is(Json::Type::string) ? std::string(value.string()) : dump(value));
  }
  if (!told || given.text({"num_layers"}).empty() || given.text({"hidden_size"}).empty() || given.text({"num_attention_heads"}).empty())
    return std::nullopt;
  for (const std::string_view name : {"num_unique_layers", "num_encoder_layers", "adapter_type", "add_adapters", "soft_prompt_tuning",
                                      "mlp_type", "moe_num_experts", "feedforward_size", "expansion_factor", "gpt_j_tied"})
    if (!is_one_of(given.text({name}), {"", "false", "1", "regular"})) refuse_argument(name, "builds parts that are not counted here.");
  if (const std::string_view arch = given.text({"model_arch"}); !is_one_of(arch, {"", "gpt2"}))
    refuse_argument("model_arch", "must be gpt2: no other architecture is counted.");
  const std::string_view kinds = given.text({"attention_config"});
  for (const std::string_view other : {"mlp", "mamba", "rwkv"})
    if (holds(kinds, other)) refuse_argument("attention_config", "has layers without attention, which are not counted here.");
  if (const std::string_view activation = given.text({"activation"}); holds(activation, "glu"))
    refuse_argument("activation", "is gated, and its width depends on the version, so it is not counted here.");

  GenericConfig out = begun(given, given.number({"model_parallel_size"}).value_or(1));
  const std::string_view norm = given.text({"norm"});
  if (!is_one_of(norm, {"", "layernorm", "rmsnorm", "non_parametric_layernorm"}))
    refuse_argument("norm", concat({"is ", quoted(norm), ", which is not counted here."}));
  out.word("norm", norm == "rmsnorm" ? "rms_norm" : norm == "non_parametric_layernorm" ? "none" : "layer_norm");
  const std::uint64_t d = given.wanted({"hidden_size"});
  out.number("intermediate_size", given.number({"intermediate_size"}).value_or(4 * d));
  if (const std::optional<std::uint64_t> groups = given.number({"num_kv_heads"})) out.number("num_key_value_heads", *groups);
  const auto unless_off = [&](std::string_view name) { return given.text({name}) != "false"; };
  out.flag("attention_bias", unless_off("use_bias_in_attn_linear"));
  out.flag("mlp_bias", unless_off("use_bias_in_mlp"));
  if (given.flag({"use_qk_layernorm"})) out.word("qk_norm", "per_head");
  const std::string_view position = given.text({"pos_emb"});
  if (!is_one_of(position, {"", "learned", "rotary", "sinusoidal", "alibi", "none"}))
    refuse_argument("pos_emb", concat({"is ", quoted(position), ", which is not counted here."}));
  const bool learned = is_one_of(position, {"", "learned"});
  out.word("position_embedding", learned ? "learned" : "none");
  if (learned)
    out.number("max_position_embeddings", given.wanted({"max_position_embeddings"}) + given.number({"opt_pos_emb_offset"}).value_or(0));
  out.flag("tie_word_embeddings", !given.flag({"no_weight_tying"}));
  return out.text();
}

}  // namespace param_ledger
