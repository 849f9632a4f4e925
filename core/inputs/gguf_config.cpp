// Source: llama.cpp, convert_hf_to_gguf.py (set_gguf_parameters of each model) and gguf-py/gguf/constants.py.

#include "core/inputs/gguf_config.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/inputs/fit_settings.hpp"
#include "core/inputs/split_name.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

/// What an architecture's configuration has beside the usual fields.
enum Trait : unsigned {
  head_dim = 1U << 0U,        ///< the width of a head is a field of its own
  always_tied = 1U << 1U,     ///< the head is the table of tokens, and one in the file a copy; else it is where there is none
  attention_bias = 1U << 2U,  ///< a switch for the biases of attention
  mlp_bias = 1U << 3U,        ///< and of the feed-forward block
  no_kv = 1U << 4U,           ///< no field for heads of keys and values
};

struct Converted {
  Text name;  ///< in GGUF
  Text model_type;
  Text class_name;
  unsigned traits = 0;
  Text experts = {};  ///< the field for how many experts there are
  Text inner = {};    ///< and for their width
};

constexpr Converted architectures[] = {
    {"llama", "llama", "LlamaForCausalLM", head_dim | attention_bias | mlp_bias},
    {"qwen2", "qwen2", "Qwen2ForCausalLM"},
    {"qwen2moe", "qwen2_moe", "Qwen2MoeForCausalLM", 0, "num_experts", "moe_intermediate_size"},
    {"qwen3", "qwen3", "Qwen3ForCausalLM", head_dim | attention_bias},
    {"qwen3moe", "qwen3_moe", "Qwen3MoeForCausalLM", head_dim | attention_bias, "num_experts", "moe_intermediate_size"},
    {"gemma", "gemma", "GemmaForCausalLM", head_dim | always_tied | attention_bias},
    {"gemma2", "gemma2", "Gemma2ForCausalLM", head_dim | always_tied | attention_bias},
    {"gemma3", "gemma3_text", "Gemma3ForCausalLM", head_dim | always_tied | attention_bias},
    {"phi3", "phi3", "Phi3ForCausalLM"},
    {"phi2", "phi", "PhiForCausalLM"},
    {"gpt2", "gpt2", "GPT2LMHeadModel", always_tied | no_kv},
    {"gptneox", "gpt_neox", "GPTNeoXForCausalLM", no_kv},
    {"bloom", "bloom", "BloomForCausalLM", always_tied | no_kv},
    {"falcon", "falcon", "FalconForCausalLM", always_tied | no_kv},
    {"starcoder", "gpt_bigcode", "GPTBigCodeForCausalLM", always_tied | no_kv},
    {"starcoder2", "starcoder2", "Starcoder2ForCausalLM"},
    {"mpt", "mpt", "MptForCausalLM", always_tied | no_kv},
    {"stablelm", "stablelm", "StableLmForCausalLM"},
    {"command-r", "cohere", "CohereForCausalLM", always_tied | attention_bias},
    {"cohere2", "cohere2", "Cohere2ForCausalLM", always_tied | attention_bias | head_dim},
    {"olmo", "olmo", "OlmoForCausalLM", attention_bias},
    {"olmo2", "olmo2", "Olmo2ForCausalLM", attention_bias},
    {"olmoe", "olmoe", "OlmoeForCausalLM", attention_bias, "num_experts"},
    {"granite", "granite", "GraniteForCausalLM", attention_bias | mlp_bias},
    {"granitemoe", "granitemoe", "GraniteMoeForCausalLM", attention_bias, "num_local_experts"},
    {"glm4", "glm4", "Glm4ForCausalLM", head_dim | attention_bias},
    {"smollm3", "smollm3", "SmolLM3ForCausalLM", attention_bias | mlp_bias},
    {"exaone4", "exaone4", "Exaone4ForCausalLM", head_dim},
    {"seed_oss", "seed_oss", "SeedOssForCausalLM", head_dim | attention_bias | mlp_bias},
    {"nemotron", "nemotron", "NemotronForCausalLM", head_dim | attention_bias | mlp_bias},
    {"ernie4_5", "ernie4_5", "Ernie4_5ForCausalLM", head_dim},
    {"gpt-oss", "gpt_oss", "GptOssForCausalLM", head_dim, "num_local_experts", "intermediate_size"},
    {"deepseek2", "deepseek_v2", "DeepseekV2ForCausalLM", attention_bias, "n_routed_experts", "moe_intermediate_size"},
    {"glm4moe", "glm4_moe", "Glm4MoeForCausalLM", head_dim | attention_bias, "n_routed_experts", "moe_intermediate_size"},
    {"dots1", "dots1", "Dots1ForCausalLM", head_dim | attention_bias, "n_routed_experts", "moe_intermediate_size"},
    {"minimax-m2", "minimax_m2", "MiniMaxM2ForCausalLM", head_dim, "num_local_experts", "intermediate_size"},
    {"phimoe", "phimoe", "PhimoeForCausalLM", attention_bias, "num_local_experts", "intermediate_size"},
    {"hunyuan-moe", "hunyuan_v1_moe", "HunYuanMoEV1ForCausalLM", head_dim | attention_bias, "num_experts", "intermediate_size"},
    {"arcee", "arcee", "ArceeForCausalLM", head_dim | attention_bias | mlp_bias},
    {"hunyuan-dense", "hunyuan_v1_dense", "HunYuanDenseV1ForCausalLM", head_dim | attention_bias},
    {"mamba", "mamba", "MambaForCausalLM", no_kv},
    {"mamba2", "mamba2", "Mamba2ForCausalLM", no_kv},
};

const Converted* architecture_of(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(architectures), std::end(architectures), [&](const Converted& a) { return a.name == name; });
  return found == std::end(architectures) ? nullptr : found;
}

/// A field that is what a key behind the architecture's name says, where it says it.
struct Field {
  Text key;
  Text field;
};

constexpr Field usual[] = {
    {"embedding_length", "hidden_size"},           {"block_count", "num_hidden_layers"},
    {"feed_forward_length", "intermediate_size"},  {"attention.head_count", "num_attention_heads"},
    {"context_length", "max_position_embeddings"}, {"attention.sliding_window", "sliding_window"},
};
constexpr Field of_gpt2[] = {{"embedding_length", "n_embd"},
                             {"block_count", "n_layer"},
                             {"feed_forward_length", "n_inner"},
                             {"attention.head_count", "n_head"},
                             {"context_length", "n_positions"}};
constexpr Field of_mpt[] = {
    {"embedding_length", "d_model"}, {"block_count", "n_layers"}, {"attention.head_count", "n_heads"}, {"context_length", "max_seq_len"}};
constexpr Field of_bloom[] = {{"embedding_length", "hidden_size"}, {"block_count", "n_layer"}, {"attention.head_count", "n_head"}};
constexpr Field of_falcon[] = {{"embedding_length", "hidden_size"},
                               {"block_count", "num_hidden_layers"},
                               {"attention.head_count", "num_attention_heads"},
                               {"feed_forward_length", "ffn_hidden_size"}};
constexpr Field of_mamba[] = {{"embedding_length", "hidden_size"},
                              {"block_count", "num_hidden_layers"},
                              {"ssm.state_size", "state_size"},
                              {"ssm.conv_kernel", "conv_kernel"}};
constexpr Field of_latent[] = {{"attention.q_lora_rank", "q_lora_rank"},
                               {"attention.kv_lora_rank", "kv_lora_rank"},
                               {"rope.dimension_count", "qk_rope_head_dim"},
                               {"leading_dense_block_count", "first_k_dense_replace"},
                               {"expert_shared_count", "n_shared_experts"}};

constexpr Field of_shared[] = {{"leading_dense_block_count", "first_k_dense_replace"}, {"expert_shared_count", "n_shared_experts"}};

class Maker {
 public:
  Maker(const GgufHead& head, const std::vector<ListedRow>& rows, Converted as) : head_(head), rows_(rows), as_(as) {
    for (const ListedRow& row : rows) names_.emplace_back(row.name, row.literal);
  }

  std::string config() {
    refine();
    fill();
    return settings_.text(as_.model_type, as_.class_name);
  }

  std::optional<GgufModel> make(std::string& why) {
    GgufModel out;
    out.config = config();
    try {
      out.document = std::make_unique<Document>(out.config);
      out.model = std::make_unique<Model>(*out.document);
    } catch (const Error& error) {
      why = concat({"What the file says of itself makes no ", as_.class_name, ": ", error.message});
      return {};
    }
    return out;
  }

 private:
  /// Architectures that stand for several model types.
  void refine() {
    if (as_.name == "llama" && number("expert_count") > 0) as_ = {"llama", "mixtral", "MixtralForCausalLM", head_dim, "num_local_experts"};
    constexpr std::uint64_t sigmoid = 2;
    if (as_.name == "deepseek2" && (number("expert_gating_func") == sigmoid || has("blk.\x01.exp_probs_b.bias")))
      as_ = {"deepseek2", "deepseek_v3", "DeepseekV3ForCausalLM", attention_bias, "n_routed_experts", "moe_intermediate_size"};
    if (as_.name == "mamba" && flag("ssm.dt_b_c_rms")) as_ = {"mamba", "falcon_mamba", "FalconMambaForCausalLM", no_kv};
  }

  void fill() {
    if (const ListedRow* const table = row("token_embd.weight"); table != nullptr && table->shape.size() == 2)
      set("vocab_size", table->shape[0]);
    else if (const std::uint64_t vocab = number("vocab_size"); vocab > 0)
      set("vocab_size", vocab);
    if (as_.name == "gpt2")
      take(of_gpt2);
    else if (as_.name == "starcoder")
      fill_starcoder();
    else if (as_.name == "mpt")
      take(of_mpt);
    else if (as_.name == "bloom")
      take(of_bloom);
    else if (as_.name == "falcon")
      fill_falcon();
    else if (as_.name == "mamba" || as_.name == "mamba2")
      fill_mamba();
    else
      take(usual);
    if ((as_.traits & no_kv) == 0) fill_keys_and_values();
    fill_experts();
    if (as_.name == "deepseek2") fill_latent();
    fill_switches();
    fill_head();
  }

  void fill_keys_and_values() {
    if (as_.name == "deepseek2") {
      set("num_key_value_heads", number("attention.head_count"));
      return;
    }
    if (const std::uint64_t heads = number("attention.head_count_kv"); heads > 0) set("num_key_value_heads", heads);
    const std::uint64_t width = number("attention.key_length");
    if ((as_.traits & head_dim) != 0 && width > 0) set("head_dim", width);
  }

  void fill_experts() {
    if (as_.experts.empty()) return;
    set(as_.experts, number("expert_count"));
    if (const std::uint64_t used = number("expert_used_count"); used > 0) set("num_experts_per_tok", used);
    const std::uint64_t inner = number("expert_feed_forward_length");
    if (!as_.inner.empty() && inner > 0) set(as_.inner, inner);
    if (as_.name == "glm4moe" || as_.name == "dots1") {
      take(of_shared);
      if (as_.name == "glm4moe") set_flag("use_qk_norm", has("blk.\x01.attn_q_norm.weight"));
    }
    // Layers that predict further tokens are counted with the others there.
    if (const std::uint64_t next = number("nextn_predict_layers"), all = number("block_count"); next > 0 && next < all) {
      set("num_hidden_layers", all - next);
      set("num_nextn_predict_layers", next);
    }
    const std::uint64_t shared = number("expert_shared_feed_forward_length");
    if (as_.name == "qwen2moe" && shared > 0) set("shared_expert_intermediate_size", shared);
  }

  void fill_latent() {
    take(of_latent);
    if (number("attention.q_lora_rank") == 0) settings_.set("q_lora_rank", "null");
    // Since the keys' half of the latent matrix is a tensor of its own, heads have their widths under other keys.
    const bool split = head_.find(key("attention.key_length_mla")) != nullptr;
    const std::uint64_t keys = number(split ? "attention.key_length_mla" : "attention.key_length");
    const std::uint64_t rotated = number("rope.dimension_count");
    if (keys >= rotated) set("qk_nope_head_dim", keys - rotated);
    set("v_head_dim", number(split ? "attention.value_length_mla" : "attention.value_length"));
  }

  void fill_starcoder() {
    take(of_gpt2);
    set_flag("multi_query", number("attention.head_count_kv", 1) == 1);
  }

  void fill_falcon() {
    take(of_falcon);
    const std::uint64_t heads = number("attention.head_count_kv", 1), all = number("attention.head_count");
    const bool two_norms = has("blk.\x01.attn_norm_2.weight"), grouped = heads > 1 && heads < all;
    set_flag("new_decoder_architecture", two_norms || grouped);
    set_flag("multi_query", heads == 1);
    set("num_kv_heads", heads);
    if ((two_norms || grouped) && !two_norms) set("num_ln_in_parallel_attn", 1);
    set_flag("bias", has("blk.\x01.attn_qkv.bias"));
  }

  void fill_mamba() {
    take(of_mamba);
    const std::uint64_t inner = number("ssm.inner_size"), hidden = number("embedding_length");
    if (hidden > 0 && inner % hidden == 0) set("expand", inner / hidden);
    if (as_.name == "mamba") {
      set("time_step_rank", number("ssm.time_step_rank"));
      set_flag("use_bias", has("blk.\x01.ssm_in.bias"));
    } else {
      const std::uint64_t heads = number("ssm.time_step_rank");
      set("num_heads", heads);
      set("n_groups", number("ssm.group_count"));
      if (heads > 0) set("head_dim", inner / heads);
      set_flag("use_bias", has("blk.\x01.ssm_in.bias"));
    }
    set_flag("use_conv_bias", has("blk.\x01.ssm_conv1d.bias"));
  }

  void fill_switches() {
    const bool biased = has("blk.\x01.attn_q.bias"), normed = has("blk.\x01.attn_q_norm.weight");
    if ((as_.traits & attention_bias) != 0) set_flag("attention_bias", biased || has("blk.\x01.attn_q_a.bias"));
    if (as_.name == "seed_oss") set_flag("attention_out_bias", has("blk.\x01.attn_output.bias"));
    if ((as_.traits & mlp_bias) != 0) set_flag("mlp_bias", has("blk.\x01.ffn_up.bias"));
    if (as_.name == "starcoder2" || as_.name == "ernie4_5") set_flag("use_bias", biased || has("blk.\x01.attn_output.bias"));
    if (as_.name == "command-r") set_flag("use_qk_norm", normed);
    if (as_.name == "gptneox") set_flag("attention_bias", has("blk.\x01.attn_qkv.bias"));
    if (as_.name == "stablelm") {
      set_flag("use_qkv_bias", biased);
      set_flag("qk_layernorm", normed);
      set_flag("use_parallel_residual", !has("blk.\x01.ffn_norm.weight"));
    }
    if (as_.name == "phi2") set_flag("qk_layernorm", normed);
    if (as_.name == "phimoe") set_flag("lm_head_bias", has("output.bias"));
  }

  void fill_head() { set_flag("tie_word_embeddings", (as_.traits & always_tied) != 0 || !has("output.weight")); }

  template <std::size_t size>
  void take(const Field (&fields)[size]) {
    for (const Field& field : fields)
      if (const std::uint64_t value = number(field.key, unsaid); value != unsaid) set(field.field, value);
  }

  static constexpr std::uint64_t unsaid = ~std::uint64_t{0};
  [[nodiscard]] std::string key(std::string_view of) const { return concat({as_.name, ".", of}); }
  [[nodiscard]] std::uint64_t number(std::string_view of, std::uint64_t otherwise = 0) const { return head_.integer(key(of), otherwise); }
  [[nodiscard]] bool flag(std::string_view of) const { return number(of) != 0; }
  void set(std::string_view field, std::uint64_t value) { settings_.set(field, digits(value)); }
  void set_flag(std::string_view field, bool value) { settings_.set(field, value ? "true" : "false"); }

  /// The first row of that name, whose indices are marks.
  [[nodiscard]] const ListedRow* row(std::string_view name) const {
    const auto found = std::find_if(names_.begin(), names_.end(), [&](const SplitName& n) { return n.text == name; });
    return found == names_.end() ? nullptr : &rows_[static_cast<std::size_t>(found - names_.begin())];
  }
  [[nodiscard]] bool has(std::string_view name) const { return row(name) != nullptr; }

  const GgufHead& head_;
  const std::vector<ListedRow>& rows_;
  Converted as_;
  std::vector<SplitName> names_;
  Settings settings_;
};

}  // namespace

bool knows_gguf_names(std::string_view architecture) { return architecture_of(architecture) != nullptr; }

std::string gguf_config(const GgufHead& head, const std::vector<ListedRow>& rows) {
  const Converted* const as = architecture_of(head.architecture());
  return as == nullptr ? std::string() : Maker(head, rows, *as).config();
}

std::optional<GgufModel> gguf_model(const GgufHead& head, const std::vector<ListedRow>& rows, std::string& why) {
  const std::string_view name = head.architecture();
  const Converted* const as = architecture_of(name);
  if (as == nullptr) {
    why = name.empty() ? "The file does not say its architecture: its tensors and bytes are told, and no configuration."
                       : concat({"Which model type the architecture ", quoted(name),
                                 " was converted from is not known here: its tensors and bytes are told, and no configuration."});
    return {};
  }
  return Maker(head, rows, *as).make(why);
}

}  // namespace param_ledger
