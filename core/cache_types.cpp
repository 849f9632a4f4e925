#include "core/cache_types.hpp"

#include <algorithm>
#include <iterator>

#include "core/text.hpp"

namespace param_ledger {

namespace {

using enum CacheLayers;

constexpr Text pattern = "sliding_window_pattern";

constexpr CacheType types[] = {
    {"afmoe", every, 1024, 4, "global_attn_every_n_layers"},
    {"beam", special, 512},
    {"cohere2", every, 4096, 4, pattern},
    {"cohere2_moe", special, 4096},
    {"cohere_compass_text", by_list, 4096},
    {"cwm", first_of, 8192, 4},
    {"deepseek_v4", windowed, 128},
    {"doge", windowed},
    {"dots3_note_text", special, 512},
    {"exaone4", every, 4096, 4, pattern},
    {"exaone_moe", every, 4096, 4, pattern},
    {"flint", special, 513},
    {"gemma2", every, 4096, 2},
    {"gemma3_text", every, 4096, 6, pattern},
    {"gemma3n_text", every, 512, 5},
    {"gemma4_text", special, 512},
    {"gemma4_unified_text", special, 1024},
    {"got_ocr2", by_switch, 4096},
    {"gpt_oss", every, 128, 2},
    {"granite_swa", first_of, 128, 4},
    {"granitemoe_swa", first_of, 128, 4},
    {"inkling2_text", special, 1024},
    {"inkling_text", special, 512},
    {"kolibri1", every, 513, 5},
    {"laguna", by_list, 512},
    {"lfm3", special, 256},
    {"llama4_text", special, 8192},
    {"mellum", by_list, 1024},
    {"mimo_v2_flash", special, 129},
    {"ministral", windowed, 4096},
    {"ministral3", windowed},
    {"mistral", windowed, 4096},
    {"mixtral", windowed},
    {"modernbert-decoder", special, 128},
    {"moss_transcribe_diarize", by_switch, 4096},
    {"olmo3", every, 4096, 4},
    {"phi3", windowed},
    {"phi4_multimodal", windowed},
    {"phimoe", windowed},
    {"qwen2", by_switch, 4096},
    {"qwen2_moe", by_switch, 4096},
    {"qwen3", by_switch, 4096},
    {"qwen3_moe", by_switch, 4096},
    {"smollm3", special},
    {"starcoder2", windowed},
    {"vaultgemma", every, 4096, 2},
};

/// Types whose layers all keep all tokens, or whose blocks say what they keep.
constexpr Text plain[] = {
    "apertus",
    "arcee",
    "aria_text",
    "axk1",
    "axk2",
    "bailing_hybrid",
    "bitnet",
    "bloom",
    "codegen",
    "cohere",
    "cpmant",
    "ctrl",
    "deepseek_v3",
    "deepseek_v32",
    "diffllama",
    "emu3",
    "ernie4_5",
    "ernie4_5_moe",
    "falcon",
    "falcon_h1",
    "falcon_mamba",
    "flex_olmo",
    "gemma",
    "glm",
    "glm4",
    "glm4_moe",
    "glm4_moe_lite",
    "glm_moe_dsa",
    "gpt-sw3",
    "gpt2",
    "gpt_bigcode",
    "gpt_neo",
    "gpt_neox",
    "gpt_neox_japanese",
    "gptj",
    "granite",
    "granitemoe",
    "granitemoeshared",
    "helium",
    "hunyuan_v1_dense",
    "hunyuan_v1_moe",
    "hy_v3",
    "hy_v4",
    "hyperclovax",
    "internlm3",
    "iquestcoder",
    "jais2",
    "jamba",
    "kimi_linear",
    "lfm2",
    "lfm2_moe",
    "llama",
    "mamba",
    "mamba2",
    "minicpm3",
    "minimax",
    "minimax_m2",
    "minimax_m3_vl_text",
    "mpt",
    "nanochat",
    "nemotron",
    "nemotron_h",
    "olmo",
    "olmo2",
    "olmo_hybrid",
    "olmoe",
    "opt",
    "persimmon",
    "phi",
    "qwen3_5_moe_text",
    "qwen3_5_text",
    "qwen3_next",
    "seed_oss",
    "solar_open",
    "stablelm",
    "xglm",
    "youtu",
    "zamba2",
    "zaya",
    "hrm_text",
    "xlstm",
    "zamba",
    "bigbird_pegasus",
    "mvp",
    "trocr",
    "whisper",
    "prophetnet",
    "mllama",
    "git",
};

/// Types that encode, and keep nothing as they are configured by default.
constexpr Text encoders[] = {
    "bert",     "bert-generation",      "camembert",   "data2vec-text",  "electra",    "ernie", "roberta",
    "roc_bert", "roberta-prelayernorm", "xlm-roberta", "xlm-roberta-xl", "openai-gpt",
};

constexpr std::string_view sliding_kinds[] = {"sliding_attention", "chunked_attention", "hybrid_sliding"};

/// What layer_types or its like says of each layer.
std::vector<bool> slides_by_list(Json list) {
  std::vector<bool> out;
  for (const auto& [_, kind] : list.members())
    out.push_back(kind.is(Json::Type::string) &&
                  std::find(std::begin(sliding_kinds), std::end(sliding_kinds), kind.string()) != std::end(sliding_kinds));
  return out;
}

/// A field that no tensor depends on, as it was given; `fallback` where missing.
Count peeked(Config c, Text field, Count fallback) {
  const Json given = c.peek(field);
  if (!given) return fallback;
  c.consume(field);
  return given.is(Json::Type::integer) && !given.negative() ? given.magnitude() : 0;
}

bool is_true(Json given) { return given.is(Json::Type::boolean) && given.boolean(); }

/// The patterns of single types, where layer_types is missing.
bool slides_specially(Config c, std::string_view type, std::size_t i, std::size_t n_layers) {
  if (type == "beam") return (i + 1) % 6 != 0 && i + 1 != n_layers;
  if (type == "flint") return i >= 2 && i % 4 != 1 && i + 1 != n_layers;
  if (type == "mimo_v2_flash") return i > 0 && (i + 1) % 6 != 0;
  if (type == "lfm3") return i % 4 == 0 && i > 0;
  if (type == "dots3_note_text") return (!c.peek("use_sliding_window") || is_true(c.peek("use_sliding_window"))) && i >= 2 && i % 4 != 1;
  if (type == "modernbert-decoder") return i % std::max<Count>(1, peeked(c, "global_attn_every_n_layers", 3)) != 0;
  if (type == "cohere2_moe") {
    const Count dense = peeked(c, "first_k_dense_replace", 0);
    if (i < dense) return (i + 1) % std::max<Count>(1, peeked(c, "prefix_dense_sliding_window_pattern", 1)) != 0;
    return (i - dense + 1) % std::max<Count>(1, peeked(c, pattern, 4)) != 0;
  }
  if (type == "llama4_text") {
    const Json list = c.peek("no_rope_layers");
    if (list.size() > 0) return list[i].is(Json::Type::integer) ? list[i].magnitude() != 0 : is_true(list[i]);
    return (i + 1) % std::max<Count>(1, peeked(c, "no_rope_layer_interval", 4)) != 0;
  }
  if (type == "smollm3") {
    if (!is_true(c.peek("use_sliding_window"))) return false;
    const Json list = c.peek("no_rope_layers");
    if (list.size() > 0) return !(list[i].is(Json::Type::integer) ? list[i].magnitude() != 0 : is_true(list[i]));
    return (i + 1) % std::max<Count>(1, peeked(c, "no_rope_layer_interval", 4)) == 0;
  }
  if (type.starts_with("gemma4")) return (i + 1) % 6 != 0;
  const Json local = c.peek("local_layer_ids");  // Inkling
  for (const auto& [_, layer] : local.members())
    if (layer.is(Json::Type::integer) && layer.magnitude() == i) return true;
  return local.size() == 0 && (i + 1) % 6 != 0;
}

std::size_t layers_of(Config c) {
  const Expr n = c.pool().find(c.full_name("num_hidden_layers"));
  return n ? static_cast<std::size_t>(n.value()) : 0;
}

/// The window's field, by type.
Text window_field(std::string_view type) {
  if (type == "llama4_text") return "attention_chunk_size";
  if (type == "modernbert-decoder") return "local_attention";
  return type.starts_with("inkling") ? "sliding_window_size" : "sliding_window";
}

}  // namespace

const CacheType* cache_type(std::string_view model_type) {
  static constexpr CacheType all_kept{"", tokens}, none_kept{"", none};
  const auto same = [&](Text name) { return name == model_type; };
  for (const CacheType& type : types)
    if (same(type.model_type)) return &type;
  if (std::any_of(std::begin(plain), std::end(plain), same)) return &all_kept;
  if (std::any_of(std::begin(encoders), std::end(encoders), same)) return &none_kept;
  return nullptr;
}

bool holds_text_model(std::string_view model_type) {
  static constexpr Text composites[] = {"dots3_note", "emu3",        "fuyu",  "gemma3", "got_ocr2", "llama4", "moss_transcribe_diarize",
                                        "qwen3_5",    "qwen3_5_moe", "mllama"};
  return std::any_of(std::begin(composites), std::end(composites), [&](Text name) { return name == model_type; });
}

bool has_encoder(std::string_view model_type) {
  static constexpr Text types_with[] = {"bigbird_pegasus", "mvp", "whisper", "prophetnet"};
  return std::any_of(std::begin(types_with), std::end(types_with), [&](Text name) { return name == model_type; });
}

Text uncomputed(std::string_view model_type) {
  struct Why {
    Text model_type, reason;
  };
  static constexpr Text unmatched = "The operations of this model type have not been matched with those of transformers.";
  static constexpr Why types_without[] = {
      {"llama4", "transformers multiplies every expert for every token, and other programs do not."},
      {"llama4_text", "transformers multiplies every expert for every token, and other programs do not."},
      {"hrm_text", "Tokens pass the layers several times."},
      {"mllama", "Layers that attend to images are left out for text."},
      {"gemma3n_text", unmatched},
      {"deepseek_v4", unmatched},
      {"prophetnet", unmatched},
      {"cpmant", unmatched},
  };
  for (const Why& why : types_without)
    if (why.model_type == model_type) return why.reason;
  return {};
}

Windows windows_of(Config c, const CacheType& type) {
  if (type.layers == none || type.layers == tokens) return {};
  const Text field = window_field(type.model_type);
  const Json given = c.peek(field);
  const bool switched = type.layers == by_switch || type.model_type == "smollm3";
  const bool wanted = !switched || is_true(c.peek("use_sliding_window"));
  if (switched) c.consume("use_sliding_window");
  Windows out;
  const Json kinds = c.peek("layer_types");
  const std::size_t n_layers = layers_of(c);
  if (kinds.is(Json::Type::list) && type.layers != windowed) {
    out.slides = slides_by_list(kinds);
    c.consume("layer_types");
  } else if (type.layers == windowed && type.model_type == "ministral" && kinds.is(Json::Type::list)) {
    out.slides = slides_by_list(kinds);
  } else {
    const Count period = type.every_field.empty() ? type.every : peeked(c, type.every_field, type.every);
    if ((type.layers == every || type.layers == first_of) && period == 0)
      return {.unknown = "Which layers have a sliding window is not said as a number."};
    const Count from = type.layers == by_switch ? peeked(c, "max_window_layers", 28) : 0;
    out.slides.resize(n_layers);
    for (std::size_t i = 0; i < n_layers; ++i) {
      bool slides = false;
      switch (type.layers) {
        case windowed: slides = true; break;
        case every: slides = (i + 1) % period != 0; break;
        case first_of: slides = i % period != 0; break;
        case by_switch: slides = type.model_type == "qwen2_moe" ? i % 2 == 0 && i < from : i >= from; break;
        case special: slides = slides_specially(c, type.model_type, i, n_layers); break;
        default: break;
      }
      out.slides[i] = slides;
    }
    if (type.model_type == "qwen3_moe") std::fill(out.slides.begin(), out.slides.end(), true);
  }
  if (std::string_view(type.model_type).starts_with("gemma4") && !out.slides.empty()) out.slides.back() = false;  // whatever the list says
  if (given.is_null() || (!given && type.window == 0) || !wanted ||
      std::find(out.slides.begin(), out.slides.end(), true) == out.slides.end()) {
    if (!wanted || type.layers == windowed || std::find(out.slides.begin(), out.slides.end(), true) == out.slides.end()) return {};
    return {.unknown = concat({field, " is missing, though layers have a sliding window."})};
  }
  const Json both = c.peek("use_bidirectional_attention");
  if (is_true(both) || (both.is(Json::Type::string) && both.string() == "all"))
    return {.unknown = "Attention in both directions keeps no cache that is known here."};
  out.window = c.integer(field, type.window);
  if (type.model_type == "modernbert-decoder") out.window = floor_divide(out.window, c.literal(2));
  const Json previous = type.model_type == "mimo_v2_flash" ? c.peek("sliding_window_size") : Json{};
  if (previous.is(Json::Type::integer)) out.window = c.integer("sliding_window_size", 128) + 1;
  return out;
}

}  // namespace param_ledger
