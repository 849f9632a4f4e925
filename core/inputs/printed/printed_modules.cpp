#include "core/inputs/printed/printed_modules.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "core/inputs/printed/printed_words.hpp"
#include "core/json/json_text.hpp"
#include "core/support/count.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

using Dims = std::vector<std::uint64_t>;

/// Whether one of the words occurs in the text.
template <class Words>
bool holds_any(std::string_view text, const Words& words) {
  return std::any_of(std::begin(words), std::end(words), [&](Text word) { return holds(text, word); });
}

/// Substrings of the names that quantization packages give to their layer classes or weights. Each such layer replaces an unquantized
/// matrix.
constexpr Text narrow[] = {"8bit", "4bit", "Quant", "quant", "FP8", "Fp8", "WQLinear", "GPTQ", "Int8", "Int4", "BitLinear", "HQQ"};

/// Classes of torch.nn, and peft's BufferDict, that have no parameters except those of the members that are printed inside them, separated
/// by spaces.
constexpr std::string_view without =
    " ModuleList ModuleDict Sequential ParameterList ParameterDict Identity Flatten Unflatten Fold Unfold Upsample PixelShuffle "
    "PixelUnshuffle ChannelShuffle Dropout Dropout1d Dropout2d Dropout3d AlphaDropout FeatureAlphaDropout ReLU ReLU6 RReLU LeakyReLU ELU "
    "CELU SELU GELU GLU SiLU Mish Sigmoid Tanh Softmax Softmax2d LogSoftmax Softmin Softplus Softsign Hardtanh Hardswish Hardsigmoid "
    "LogSigmoid Tanhshrink Threshold AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d MaxPool3d AdaptiveAvgPool1d AdaptiveAvgPool2d "
    "AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d ZeroPad1d ZeroPad2d ZeroPad3d ConstantPad1d ConstantPad2d "
    "ReflectionPad1d ReflectionPad2d ReplicationPad1d ReplicationPad2d LocalResponseNorm CosineSimilarity PairwiseDistance "
    "CrossEntropyLoss MSELoss L1Loss SmoothL1Loss BCELoss BCEWithLogitsLoss NLLLoss KLDivLoss CTCLoss BufferDict ";
bool is_without(std::string_view type) { return without.find(concat({" ", type, " "})) != std::string_view::npos; }

bool is_torch_norm(std::string_view type) {
  constexpr std::string_view names[] = {"LayerNorm",   "RMSNorm",       "GroupNorm",      "BatchNorm1d",    "BatchNorm2d",
                                        "BatchNorm3d", "SyncBatchNorm", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d"};
  return std::find(std::begin(names), std::end(names), type) != std::end(names);
}

/// Substrings of the names of other classes that usually have no parameters. A model may still define such a class with parameters.
constexpr Text empty_classes[] = {"Dropout",   "Weightless", "Unweighted",    "Backend",  "Activation", "GELU",        "SiLU",
                                  "ReLU",      "ELU",        "Rotary",        "RoPE",     "Softmax",    "Sigmoid",     "Tanh",
                                  "Pool",      "Path",       "Loss",          "Upsample", "Pad",        "Mish",        "Swish",
                                  "Sinusoid",  "L2Norm",     "plus",          "Alibi",    "Cache",      "Abs",         "Gelu",
                                  "Hardswish", "Interpolat", "OlmoLayerNorm", "Shuffle",  "Clip",       "SinePosition"};

/// Whether peft gives this name to a module that it wraps. Everything else in the wrapper belongs to an adapter.
bool is_wrapped(std::string_view name) { return name == "base_layer" || name == "original_module"; }

class ModuleReader {
 public:
  ModuleReader(const std::vector<PrintedModule>& modules, PrintedModel& out, Problems& problems)
      : modules_(modules),
        out_(out),
        problems_(problems),
        wraps_(modules.size()),
        adapts_(modules.size()),
        rows_before_(modules.size() + 1),
        places_before_(modules.size() + 1) {}

  void read() {
    for (std::size_t i = 1; i < modules_.size(); ++i)
      if (is_wrapped(modules_[i].name)) wraps_[modules_[i].parent] = true;
    for (now_ = 1; now_ < modules_.size(); ++now_) {
      const PrintedModule& m = modules_[now_];
      // A module next to a wrapped module belongs to an adapter. So does a prompt encoder, and everything inside either.
      adapts_[now_] = adapts_[m.parent] || (wraps_[m.parent] && !is_wrapped(m.name)) || m.name == "prompt_encoder";
      if (adapts_[now_]) out_.adapted = true;
      rows_before_[now_] = out_.rows.size();
      places_before_[now_] = full_places_;
      if (!m.name.empty() && is_digit(m.name.front()) && holds(m.name, "-")) check_times(m);
      if (wraps_[now_] && m.type.starts_with("lora.")) check_adapter(m);
      if (m.type.starts_with("PeftModel") && (now_ + 1 == m.end || modules_[now_ + 1].name != "base_model"))
        problems_.add(m.line, {path(), " (", clipped(m.type, 80), ") does not show its base_model."});
      if (m.type == "ModuleList" || m.type == "Sequential") check_list(m);
      read_module(m);
    }
    rows_before_[modules_.size()] = out_.rows.size();
    places_before_[modules_.size()] = full_places_;
    for (const Held& place : held_) {
      PrintedPlace& p = out_.places[place.at];
      const std::size_t end = modules_[place.module].end;
      p.hollow = rows_before_[end] == rows_before_[place.module] && places_before_[end] == places_before_[place.module + 1];
    }
    if (out_.adapted)
      for (ListedRow& row : out_.rows) row.trainable = row.adapter && !holds(row.name, ".ranknum.");
  }

 private:
  void read_module(const PrintedModule& m) {
    const std::string_view type = m.type.substr(m.type.rfind('.') + 1);
    if (type == "Parameter" || type == "Buffer") return parameter(m, type);
    if (is_without(type) || is_wrapper(modules_, now_) || wraps_[now_]) return;
    const PrintedArguments a(m.arguments);
    if (layer(m, type, a)) return;
    if (adapts_[now_] && holds(type, "Dora")) return magnitude(m);
    place(m);
  }

  /// Adds the parameters of a layer whose printed arguments show its sizes. Returns false if this is not such a layer.
  bool layer(const PrintedModule& m, std::string_view type, const PrintedArguments& a) {
    const auto in = a.integer_of("in_features"), out = a.integer_of("out_features");
    if (in && out) return linear(m, type, a, *in, *out);
    if (const auto first = a.integer_of("in1_features"), second = a.integer_of("in2_features"); first && second && out)
      return with_bias(a, {*out, *first, *second}, *out);
    if (!a.named("in_features").empty() || !a.named("out_features").empty()) return unreadable(m);
    if (const auto nf = a.integer_of("nf"), nx = a.integer_of("nx"); nf && nx) return with_bias(a, {*nx, *nf}, *nf);
    if (!a.named("kernel_size").empty() && holds(type, "Conv")) return convolution(m, type, a);
    if (const auto n = a.integer_of("num_parameters")) return add("weight", {*n});
    const auto first = a.integer_at(0), second = a.integer_at(1);
    if (holds(type, "Embedding") && !holds(type, "Rotary") && first && second) {
      if (type != "Embedding" && type != "EmbeddingBag") place(m, true, false);
      return add("weight", {*first, *second});
    }
    if (type == "LSTM" || type == "GRU" || type == "RNN") return recurrent(m, type, a);
    return holds(type, "Norm") && norm(m, type, a);
  }

  bool linear(const PrintedModule& m, std::string_view type, const PrintedArguments& a, std::uint64_t in, std::uint64_t out) {
    if (holds_any(m.type, narrow) || holds_any(a.named("weight"), narrow)) out_.quantized = param_ledger::add(out_.quantized, copies());
    const bool biased = !a.named("bias").empty();
    if (type != "Linear" || !biased) place(m, true, biased);
    add("weight", {out, in});
    if (a.flag("bias", false)) add("bias", {out});
    return true;
  }

  bool with_bias(const PrintedArguments& a, Dims shape, std::uint64_t out) {
    add("weight", std::move(shape));
    if (a.flag("bias", true)) add("bias", {out});
    return true;
  }

  bool convolution(const PrintedModule& m, std::string_view type, const PrintedArguments& a) {
    const auto in = a.integer_at(0), out = a.integer_at(1);
    const auto kernel = integers_written(a.named("kernel_size"));
    const std::uint64_t groups = a.integer_of("groups").value_or(1);
    if (!in || !out || !kernel || kernel->empty() || groups == 0) return unreadable(m);
    Dims shape = holds(type, "Transpose") ? Dims{*in, *out / groups} : Dims{*out, *in / groups};
    shape.insert(shape.end(), kernel->begin(), kernel->end());
    if (type.starts_with("Parametrized")) return parametrized(a, std::move(shape), *out);
    if (type != "Conv1d" && type != "Conv2d" && type != "Conv3d" && !type.starts_with("ConvTranspose")) place(m, true, true);
    return with_bias(a, std::move(shape), *out);
  }

  /// Adds the tensors from which PyTorch computes a parametrized weight. Weight norm stores magnitudes and a matrix with the weight's
  /// shape. The shape of the magnitudes is not printed.
  bool parametrized(const PrintedArguments& a, Dims shape, std::uint64_t out) {
    bool lengths = false;
    for (std::size_t i = now_ + 1; i < modules_[now_].end; ++i) lengths = lengths || modules_[i].type.ends_with("_WeightNorm");
    add(lengths ? "parametrizations.weight.original1" : "parametrizations.weight.original", std::move(shape));
    if (a.flag("bias", true)) add("bias", {out});
    return true;
  }

  bool recurrent(const PrintedModule& m, std::string_view type, const PrintedArguments& a) {
    const auto in = a.integer_at(0), hidden = a.integer_at(1);
    const std::uint64_t layers = a.integer_of("num_layers").value_or(1), projected = a.integer_of("proj_size").value_or(0);
    constexpr std::uint64_t most_layers = 1000;
    if (!in || !hidden || layers > most_layers) return unreadable(m);
    const std::uint64_t gates = (type == "LSTM" ? 4 : type == "GRU" ? 3 : 1) * *hidden;
    const std::uint64_t state = projected != 0 ? projected : *hidden;
    const bool both = a.flag("bidirectional", false), bias = a.flag("bias", true);
    for (std::uint64_t layer = 0; layer < layers; ++layer) {
      for (const Text direction : {Text(""), Text("_reverse")}) {
        if (!direction.empty() && !both) continue;
        const std::string suffix = concat({"_l", digits(layer), direction});
        add(concat({"weight_ih", suffix}), {gates, layer == 0 ? *in : state * (both ? 2 : 1)});
        add(concat({"weight_hh", suffix}), {gates, state});
        if (bias) add(concat({"bias_ih", suffix}), {gates});
        if (bias) add(concat({"bias_hh", suffix}), {gates});
        if (projected != 0) add(concat({"weight_hr", suffix}), {projected, *hidden});
      }
    }
    return true;
  }

  /// Adds the parameters of a norm. PyTorch's own norms print everything that determines their tensors, except for LayerNorm's bias in
  /// older releases. Of other norms, only the shape of the weight is read, if they print it.
  bool norm(const PrintedModule& m, std::string_view type, const PrintedArguments& a) {
    const std::optional<Dims> shape = integers_written(a.at(holds(type, "GroupNorm") ? 1 : 0));
    const bool said = !a.named("elementwise_affine").empty() || !a.named("affine").empty();
    if (!shape || (shape->empty() && a.at(0).empty())) return said && unreadable(m);
    if (!a.flag("affine", a.flag("elementwise_affine", true))) return true;
    if (shape->empty()) {  // some norms without a weight are printed as `((), eps=…)`
      place(m, true, false);
      return true;
    }
    const bool rms = holds(type, "RMS"), biased = !a.named("bias").empty() || said;
    if (!said || !is_torch_norm(type)) place(m, true, biased);
    add("weight", *shape);
    if (said && !rms && a.flag("bias", true)) add("bias", *shape);
    if (!said && a.flag("bias", false)) add("bias", *shape);
    const bool batch = holds(type, "BatchNorm") || holds(type, "InstanceNorm");
    if (!batch || !a.flag("track_running_stats", holds(type, "BatchNorm"))) return true;
    for (const Text name : {"running_mean", "running_var", "num_batches_tracked"}) {
      add(name, name == "num_batches_tracked" ? Dims{} : *shape);
      out_.rows.back().kind = ListedKind::buffer;
    }
    return true;
  }

  void parameter(const PrintedModule& m, std::string_view type) {
    Dims shape;
    std::string_view sizes = m.arguments;
    while (!sizes.empty()) {
      const std::size_t end = std::min(sizes.find('x'), sizes.size());
      const auto dim = integer_written(sizes.substr(0, end));
      if (!dim) {
        unreadable(m);
        return;
      }
      shape.push_back(*dim);
      sizes.remove_prefix(std::min(end + 1, sizes.size()));
    }
    add("", std::move(shape));
    if (type == "Buffer") out_.rows.back().kind = ListedKind::buffer;
  }

  /// Checks that a layer that peft adapts shows either both or none of lora_A and lora_B, and that the output size of lora_A is the input
  /// size of lora_B. An embedding must show lora_embedding_A and lora_embedding_B. Otherwise lines are missing.
  void check_adapter(const PrintedModule& m) {
    const bool table = m.type == "lora.Embedding";
    if (!shows_pair(m, "lora_A", "lora_B", false) || !shows_pair(m, "lora_embedding_A", "lora_embedding_B", table))
      problems_.add(m.line, {path(), " (", clipped(m.type, 80), ") does not show a lora_A and a lora_B that fit each other."});
  }
  /// Whether a layer has both submodules with matching sizes. If they are not `needed`, it may also have neither.
  [[nodiscard]] bool shows_pair(const PrintedModule& m, std::string_view a, std::string_view b, bool needed) const {
    std::size_t first = 0, second = 0;
    for (std::size_t i = now_ + 1; i < m.end; i = modules_[i].end) {
      if (modules_[i].name == a) first = i;
      if (modules_[i].name == b) second = i;
    }
    if (first == 0 && second == 0) return !needed;
    if (needed && first + 1 == modules_[first].end) return false;
    return first != 0 && second != 0 && are_paired(first, second);
  }
  [[nodiscard]] bool are_paired(std::size_t first, std::size_t second) const {
    std::size_t a = first + 1, b = second + 1;
    for (; a < modules_[first].end && b < modules_[second].end; a = modules_[a].end, b = modules_[b].end) {
      const auto gives = PrintedArguments(modules_[a].arguments).integer_of("out_features");
      const auto takes = PrintedArguments(modules_[b].arguments).integer_of("in_features");
      if (modules_[a].name != modules_[b].name || (gives && takes && *gives != *takes)) return false;
    }
    return a == modules_[first].end && b == modules_[second].end;
  }

  /// Adds DoRA's magnitudes, one for each output of the adapted layer. Their number is not printed. Source: peft, tuners/lora/dora.
  void magnitude(const PrintedModule& m) {
    const std::size_t wrapper = modules_[m.parent].parent;
    std::size_t most = 8;  // how many submodules to search for base_layer, which is one of the first
    for (std::size_t i = wrapper + 1; i < modules_[wrapper].end && most-- > 0; i = modules_[i].end) {
      const PrintedModule& base = modules_[i];
      if (base.name != "base_layer") continue;
      const PrintedArguments a(base.arguments);
      std::optional<std::uint64_t> out = a.integer_of("out_features");
      if (!out) out = a.integer_of("nf");
      const auto kernel = integers_written(a.named("kernel_size"));
      if (!out) out = a.integer_at(1);
      if (!out) break;
      Dims shape{*out};
      if (kernel && !kernel->empty()) {
        shape.insert(shape.begin(), 1);
        shape.insert(shape.end(), kernel->size(), 1);
      }
      add("weight", std::move(shape));
      return;
    }
    place(m);
  }

  /// Checks that the number in `32 x` agrees with the index range, such as `0-31`.
  void check_times(const PrintedModule& m) {
    const std::size_t dash = m.name.find('-');
    const auto first = integer_written(m.name.substr(0, dash)), last = integer_written(m.name.substr(dash + 1));
    if (!first || !last || *last < *first || *last - *first + 1 != m.times)
      problems_.add(m.line,
                    concat({"(", clipped(m.name, 80), ") and ", digits(m.times), " x contradict each other; the latter is counted."}));
  }

  /// Checks that the modules of a list are numbered from 0 without gaps. A gap means that printed lines are missing.
  void check_list(const PrintedModule& m) {
    std::uint64_t next = 0;
    for (std::size_t i = now_ + 1; i < m.end; i = modules_[i].end) {
      const std::string_view name = modules_[i].name;
      const auto first = integer_written(name.substr(0, name.find('-'))), last = integer_written(name.substr(name.rfind('-') + 1));
      if (!first || !last) return;
      if (*first != next) return problems_.add(modules_[i].line, {path(), " (", m.type, ") does not show its module ", digits(next), "."});
      next = *last + 1;
    }
  }

  [[nodiscard]] Count copies() const {
    Count out = 1;
    for (std::size_t i = now_; i != 0; i = modules_[i].parent) out = multiply(out, modules_[i].times);
    return out;
  }

  /// The path of the current module: "model.layers.[0-31].self_attn.q_proj".
  [[nodiscard]] std::string path() const {
    std::string out;
    std::size_t around[deepest_nesting + 2];
    std::size_t depth = 0;
    for (std::size_t i = now_; i != 0; i = modules_[i].parent) around[depth++] = i;
    while (depth > 0) {
      const std::string_view name = modules_[around[--depth]].name;
      if (name.empty()) continue;
      const bool range = is_digit(name.front()) && holds(name, "-");
      if (!out.empty()) out += '.';
      if (range) out += '[';
      out += name;
      if (range) out += ']';
    }
    constexpr std::size_t longest = 300;
    if (out.size() > longest) throw Error{ErrorCode::too_deep, "", "The modules' names are longer than those of any known model."};
    return out;
  }

  bool add(std::string_view name, Dims shape) {
    ListedRow row;
    row.name = path();
    if (!row.name.empty() && !name.empty()) row.name += '.';
    row.name += name;
    row.elements = row.numbers = elements_of(shape.data(), shape.size());
    row.shape = std::move(shape);
    row.copies = copies();
    row.adapter = adapts_[now_];
    // With a prompt encoder, peft prints the model's embedding table a second time.
    const PrintedModule& m = modules_[now_];
    if (m.name == "word_embeddings" && modules_[m.parent].type.starts_with("PeftModel")) row.kind = ListedKind::tied;
    out_.rows.push_back(std::move(row));
    return true;
  }

  void place(const PrintedModule& m, bool weight_said = false, bool bias_said = false) {
    const bool empty = holds_any(m.type, empty_classes);
    if (!empty) ++full_places_;
    held_.push_back({out_.places.size(), now_});
    out_.places.push_back(
        {path(), std::string(clipped(m.type, 80)), m.line, copies(), false, empty, weight_said, bias_said, adapts_[now_]});
  }

  bool unreadable(const PrintedModule& m) {
    problems_.add(m.line, {path(), " (", clipped(m.type, 80), ") has arguments that cannot be read, and is not counted."});
    return true;
  }

  /// A place's index in `out_.places`, and the index of its module.
  struct Held {
    std::size_t at, module;
  };

  const std::vector<PrintedModule>& modules_;
  PrintedModel& out_;
  Problems& problems_;
  std::vector<bool> wraps_, adapts_;  ///< for each module, whether it wraps another one (`wraps_`), and whether it belongs to an adapter
                                      ///< (`adapts_`)
  std::vector<std::size_t> rows_before_,
      places_before_;            ///< for each module, how many rows, and how many places that are not known to be empty, come before it
  std::size_t full_places_ = 0;  ///< number of places whose classes are not known to be empty
  std::vector<Held> held_;
  std::size_t now_ = 0;
};

}  // namespace

bool is_wrapper(const std::vector<PrintedModule>& modules, std::size_t module) {
  constexpr std::string_view wrappers[] = {"OptimizedModule", "DataParallel",      "DistributedDataParallel", "FullyShardedDataParallel",
                                           "DeepSpeedEngine", "CheckpointWrapper", "ModulesToSaveWrapper",    "SentenceTransformer",
                                           "PromptEmbedding", "PrefixEncoder",     "PromptEncoder",           "VeraModel"};
  const auto type_of = [&](std::size_t i) { return modules[i].type.substr(modules[i].type.rfind('.') + 1); };
  const std::string_view type = type_of(module), around = type_of(modules[module].parent);
  // SentenceTransformer's submodules. Other models use these class names, too, so the parent must be a SentenceTransformer.
  if (around == "SentenceTransformer" && (type == "Transformer" || type == "Pooling" || type == "Normalize")) return true;
  // LoraModel and similar classes, which peft puts between its PeftModel and the adapted model.
  if (around.starts_with("PeftModel") && module + 1 < modules.size() && modules[module + 1].name == "model" &&
      modules[module + 1].end == modules[module].end)
    return true;
  return type.starts_with("PeftModel") || std::find(std::begin(wrappers), std::end(wrappers), type) != std::end(wrappers);
}

void read_printed_modules(const std::vector<PrintedModule>& modules, PrintedModel& out, Problems& problems) {
  ModuleReader(modules, out, problems).read();
}

}  // namespace param_ledger
