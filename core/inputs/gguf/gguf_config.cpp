#include "core/inputs/gguf/gguf_config.hpp"

#include <algorithm>
#include <initializer_list>

#include "core/inputs/fit/fit_settings.hpp"
#include "core/inputs/gguf/architectures.hpp"
#include "core/inputs/gguf/gguf_facts.hpp"
#include "core/json/value_text.hpp"
#include "core/support/attempt.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

using namespace gguf_table;

const Converted* architecture_of(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(gguf_architectures), std::end(gguf_architectures), [&](const Converted& a) { return a.name == name; });
  return found == std::end(gguf_architectures) ? nullptr : found;
}

/// Makes a configuration of the original model type from a file's metadata and tensors.
class Maker : private GgufFacts {
 public:
  Maker(const GgufHead& head, const std::vector<ListedRow>& rows, Converted as) : GgufFacts(head, rows), as_(as) {}

  std::string config() {
    refine();
    fill();
    return settings_.text(as_.model_type, as_.class_name);
  }

  std::optional<GgufModel> make(std::string& why) {
    GgufModel out;
    out.config = config();
    const std::optional<Error> refusal = attempt([&] {
      out.document = std::make_unique<Document>(out.config);
      out.model = std::make_unique<Model>(*out.document);
    });
    if (!refusal) return out;
    why = concat({"The file's metadata does not give a valid ", as_.class_name, ": ", refusal->message});
    return {};
  }

 private:
  /// Chooses between the model types that share an architecture, according to the metadata and tensors.
  void refine() {
    if (as_.name == "llama" && number("expert_count") > 0) as_ = {"llama", "mixtral", "MixtralForCausalLM", head_dim, "num_local_experts"};
    constexpr std::uint64_t sigmoid = 2;
    if (as_.name == "deepseek2" && (number("expert_gating_func") == sigmoid || has("blk.\x01.exp_probs_b.bias")))
      as_ = {"deepseek2", "deepseek_v3", "DeepseekV3ForCausalLM", attention_bias, "n_routed_experts", "moe_intermediate_size"};
    if (as_.name == "mistral3" && says("attention.temperature_scale")) as_ = {"mistral3", "ministral3", "Ministral3ForCausalLM", head_dim};
    // llama.cpp converts both Bamba and Granite models with Mamba layers to granitehybrid. The flag is true only for Bamba.
    if (as_.name == "granitehybrid" && flag("rope.scaling.finetuned"))
      as_ = {"granitehybrid", "bamba", "BambaForCausalLM", attention_bias | mlp_bias | some_attend};
    if (as_.name == "granitemoe" && number("expert_shared_feed_forward_length") > 0)
      as_ = {"granitemoe", "granitemoeshared", "GraniteMoeSharedForCausalLM", attention_bias, "num_local_experts"};
    // UMT5 has a position bias in each layer, T5 only in the first layer.
    if (as_.name == "t5" && layers_with("enc.", "attn_rel_b.weight").size() > 1)
      as_ = {"t5", "umt5", "UMT5ForConditionalGeneration", no_kv};
    if (as_.name == "t5encoder" && layers_with("enc.", "attn_rel_b.weight").size() > 1)
      as_ = {"t5encoder", "umt5", "UMT5EncoderModel", no_kv};
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
    else if (as_.name == "t5" || as_.name == "t5encoder")
      fill_t5();
    else
      take(usual);
    if ((as_.traits & no_kv) == 0) fill_keys_and_values();
    fill_experts();
    fill_further_layers();
    if (as_.name == "deepseek2") fill_latent();
    fill_own();
    fill_switches();
    fill_head();
  }

  void fill_keys_and_values() {
    if (as_.name == "deepseek2") {
      set("num_key_value_heads", number("attention.head_count"));
      return;
    }
    const bool some = (as_.traits & some_attend) != 0;
    if (const std::uint64_t heads = some ? most("attention.head_count_kv") : number("attention.head_count_kv"); heads > 0)
      set("num_key_value_heads", heads);
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
    const std::uint64_t shared = number("expert_shared_feed_forward_length");
    const bool gated = as_.name == "qwen2moe" || as_.name == "qwen3next" || as_.name == "qwen35moe";
    if (gated && shared > 0) set("shared_expert_intermediate_size", shared);
    if (as_.name == "ernie4_5-moe") take(of_ernie);
    if (as_.name == "afmoe") take(of_afmoe);
    if (as_.name == "exaone-moe") take(of_exaone_moe);
    if (as_.name == "llama4") take(of_llama4);
  }

  /// Corrects the number of layers if GGUF's block_count includes multi-token prediction layers, and sets the number of these layers.
  void fill_further_layers() {
    if (layers() == number("block_count")) return;
    set("num_hidden_layers", layers());
    // These model types do not have the field num_nextn_predict_layers.
    const bool gated = as_.name == "qwen3next" || as_.name == "qwen35" || as_.name == "qwen35moe";
    if (!gated) set("num_nextn_predict_layers", number("nextn_predict_layers"));
  }

  void fill_latent() {
    take(of_latent);
    if (number("attention.q_lora_rank") == 0) settings_.set("q_lora_rank", "null");
    // Newer files store the key part and the value part of kv_b as separate tensors, and give the head dimensions under other metadata
    // keys.
    const bool split = says("attention.key_length_mla");
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

  void fill_t5() {
    take(of_t5);
    settings_.set("feed_forward_proj", has("enc.blk.\x01.ffn_gate.weight") ? "\"gated-gelu\"" : "\"relu\"");
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

  /// Sets the fields of architectures that need special treatment. Most of these architectures mix several kinds of layers.
  void fill_own() {
    if (as_.name == "qwen3next" || as_.name == "qwen35" || as_.name == "qwen35moe") {
      take(of_delta);
      set_quotient("linear_value_head_dim", number("ssm.inner_size"), number("ssm.time_step_rank"));
      set_kinds("layer_types", {{"ssm_a", "linear_attention"}}, "full_attention");
    } else if (as_.name == "lfm2" || as_.name == "lfm2moe") {
      take(of_lfm);
      set_flag("conv_bias", has("blk.\x01.shortconv.conv.bias"));
      if (as_.name == "lfm2")
        set_flag("block_auto_adjust_ff_dim", false);  // the feed-forward width in the file is already adjusted
      else
        set_flag("use_expert_bias", has("blk.\x01.exp_probs_b.bias"));
      set_kinds("layer_types", {{"shortconv.conv.weight", "conv"}}, "full_attention");
    } else if (as_.name == "granitemoe") {
      take(of_shared_block);
    } else if (as_.name == "granitehybrid") {
      fill_mixers();
      set_quotient("mamba_expand", number("ssm.inner_size"), number("embedding_length"));
      if (as_.model_type == "bamba") {
        const std::vector<std::size_t> attend = layers_with("", "attn_q.weight");
        settings_.set("attn_layer_indices", integers_text(std::vector<std::uint64_t>(attend.begin(), attend.end())));
      } else {
        take(of_shared_block);
        set_kinds("layer_types", {{"ssm_a", "mamba"}}, "attention");
      }
    } else if (as_.name == "falcon-h1") {
      fill_mixers();
      set("mamba_d_ssm", number("ssm.inner_size"));
      set_flag("mamba_rms_norm", has("blk.\x01.ssm_norm.weight"));
      set_flag("projectors_bias", has("blk.\x01.ssm_out.bias"));
    } else if (as_.name == "nemotron_h" || as_.name == "nemotron_h_moe") {
      take(of_nemotron_h);
      set_quotient("mamba_head_dim", number("ssm.inner_size"), number("ssm.time_step_rank"));
      if (as_.name == "nemotron_h") set("intermediate_size", most("feed_forward_length"));
      set_flag("use_bias", has("blk.\x01.ssm_in.bias"));
      set_flag("use_conv_bias", has("blk.\x01.ssm_conv1d.bias"));
      set_kinds("layers_block_type", {{"ssm_a", "mamba"}, {"attn_q.weight", "attention"}, {"ffn_gate_inp.weight", "moe"}}, "mlp");
    } else if (as_.name == "jamba") {
      take(of_jamba);
      set_quotient("mamba_expand", number("ssm.inner_size"), number("embedding_length"));
      set_flag("mamba_proj_bias", has("blk.\x01.ssm_in.bias"));
      set_flag("mamba_conv_bias", has("blk.\x01.ssm_conv1d.bias"));
      set_turns("attn_layer_period", "attn_layer_offset", "attn_q.weight");
      set_turns("expert_layer_period", "expert_layer_offset", "ffn_gate_inp.weight");
    } else if (as_.name == "gemma4") {
      fill_gemma4();
    } else if (as_.name == "modern-bert") {
      set_flag("norm_bias", has("output_norm.bias"));
    } else if (as_.name == "nomic-bert") {
      if (const ListedRow* const types = row("token_types.weight"); types != nullptr && !types->shape.empty())
        set("type_vocab_size", types->shape[0]);
    }
  }

  /// Sets Gemma 4's fields. Some layers have sliding-window attention, others full attention; a list in the file has a flag for each layer.
  void fill_gemma4() {
    take(of_gemma4);
    if (const ListedRow* const table = row("per_layer_token_embd.weight"); table != nullptr && table->shape.size() == 2)
      set("vocab_size_per_layer_input", table->shape[0]);
    if (const std::vector<std::uint64_t> widths = numbers("feed_forward_length"); widths.size() > 1) {
      set("intermediate_size", widths.front());
      set_flag("use_double_wide_mlp", widths.back() > widths.front());
    }
    if (const std::uint64_t experts = number("expert_count"); experts > 0) {
      set_flag("enable_moe_block", true);
      set("num_experts", experts);
      set("top_k_experts", number("expert_used_count"));
      set("moe_intermediate_size", number("expert_feed_forward_length"));
    }
    const std::vector<std::uint64_t> slides = numbers("attention.sliding_window_pattern"), heads = numbers("attention.head_count_kv");
    const std::vector<std::size_t> valued = layers_with("", "attn_v.weight");
    const std::uint64_t shared =
        number("attention.shared_kv_layers");  // how many of the last layers reuse the keys and values of earlier layers
    std::vector<std::string_view> kinds;
    bool without_values = false;
    for (std::size_t i = 0; i < slides.size(); ++i) {
      kinds.emplace_back(slides[i] != 0 ? "sliding_attention" : "full_attention");
      if (heads.size() == slides.size()) set(slides[i] != 0 ? "num_key_value_heads" : "num_global_key_value_heads", heads[i]);
      if (slides[i] == 0 && shared < slides.size() - i)
        without_values = without_values || !std::binary_search(valued.begin(), valued.end(), i);
    }
    settings_.set("layer_types", words_text(kinds));
    set_flag("attention_k_eq_v", without_values);
  }

  void fill_mixers() {
    take(of_mixers);
    set_quotient("mamba_d_head", number("ssm.inner_size"), number("ssm.time_step_rank"));
    set_flag("mamba_proj_bias", has("blk.\x01.ssm_in.bias"));
    set_flag("mamba_conv_bias", has("blk.\x01.ssm_conv1d.bias"));
  }

  void fill_switches() {
    const bool biased = has("blk.\x01.attn_q.bias"), normed = has("blk.\x01.attn_q_norm.weight");
    const bool some_biased = biased || has("blk.\x01.attn_q_a.bias") || has("blk.\x01.attn_qkv.bias");
    if ((as_.traits & attention_bias) != 0) set_flag("attention_bias", some_biased);
    if (as_.name == "seed_oss") set_flag("attention_out_bias", has("blk.\x01.attn_output.bias"));
    if ((as_.traits & mlp_bias) != 0) set_flag("mlp_bias", has("blk.\x01.ffn_up.bias"));
    if (as_.name == "starcoder2" || as_.name == "ernie4_5" || as_.name == "ernie4_5-moe")
      set_flag("use_bias", biased || has("blk.\x01.attn_output.bias"));
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
  void take(const KeyedField (&fields)[size]) {
    for (const KeyedField& field : fields)
      if (const std::uint64_t value = number(field.key, unsaid); value != unsaid) set(field.field, value);
  }

  void set_quotient(std::string_view field, std::uint64_t of, std::uint64_t by) {
    if (by > 0 && of % by == 0) set(field, of / by);
  }

  /// A tensor that occurs in only one kind of layer, and the name of that kind.
  struct Sign {
    Text tensor;
    std::string_view kind;
  };
  /// Sets the list of layer kinds according to the tensors of each layer, if any layer has one of the tensors in `signs`.
  void set_kinds(std::string_view field, std::initializer_list<Sign> signs, std::string_view otherwise) {
    std::vector<std::string_view> kinds(listed_layers(), otherwise);
    bool known = false;
    for (const Sign& sign : signs) {
      for (const std::size_t i : layers_with("", sign.tensor)) {
        kinds[i] = sign.kind;
        known = true;
      }
    }
    if (known) settings_.set(field, words_text(kinds));
  }
  /// Sets the fields for the period and the offset of the layers that contain `tensor`.
  void set_turns(std::string_view period, std::string_view offset, Text tensor) {
    const std::vector<std::size_t> with = layers_with("", tensor);
    if (with.empty()) return;
    set(offset, with[0]);
    set(period, with.size() > 1 ? with[1] - with[0] : layers());
  }
  static constexpr std::uint64_t unsaid = ~std::uint64_t{0};
  void set(std::string_view field, std::uint64_t value) { settings_.set(field, digits(value)); }
  void set_flag(std::string_view field, bool value) { settings_.set(field, value ? "true" : "false"); }

  Converted as_;
  Settings settings_;
};

}  // namespace

bool knows_gguf_names(std::string_view architecture) { return architecture_of(architecture) != nullptr; }

std::string gguf_config(const GgufHead& head, const std::vector<ListedRow>& rows) {
  const Converted* const as = architecture_of(head.architecture());
  return as == nullptr ? std::string() : Maker(head, rows, *as).config();
}

std::optional<GgufModel> gguf_model(const GgufHead& head, const std::vector<ListedRow>& rows, std::string& why) {
  const GgufValue* const type = head.find("general.type");
  if (type != nullptr && type->text == "adapter") {
    why = "The file is an adapter. It does not contain the model that it belongs to.";
    return {};
  }
  const std::string_view name = head.architecture();
  const Converted* const as = architecture_of(name);
  if (as == nullptr) {
    why = name.empty() ? "The file does not name its architecture: it gives tensors and bytes, but no configuration."
                       : concat({"The original model type of the architecture ", quoted(name),
                                 " is not known: the file gives tensors and bytes, but no configuration."});
    return {};
  }
  return Maker(head, rows, *as).make(why);
}

}  // namespace param_ledger
