#include "core/inputs/printed_model.hpp"

#include <algorithm>
#include <optional>

#include "core/count.hpp"
#include "core/error.hpp"
#include "core/hash_index.hpp"
#include "core/index_set.hpp"
#include "core/json_text.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

using Dims = std::vector<std::uint64_t>;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool in_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// True where one of the words stands in the text.
template <class Words>
bool holds_any(std::string_view text, const Words& words) {
  return std::any_of(std::begin(words), std::end(words), [&](Text word) { return holds(text, word); });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<std::uint64_t> integer(std::string_view text) {
  constexpr std::size_t most_figures = 18;
  if (text.empty() || text.size() > most_figures || !std::all_of(text.begin(), text.end(), is_digit)) return {};
  std::uint64_t value = 0;
  for (const char c : text) value = 10 * value + static_cast<std::uint64_t>(c - '0');
  return value;
}

/// The integers of `(4096,)`, `[3, 4]`, `torch.Size([4096])` or `4096`; nothing where something else stands there.
std::optional<Dims> integers(std::string_view text) {
  constexpr std::string_view size = "torch.Size(";
  text = trimmed(text);
  if (text.starts_with(size) && text.ends_with(')')) text = text.substr(size.size(), text.size() - size.size() - 1);
  if (text.size() >= 2 && (text.front() == '(' || text.front() == '[')) text = text.substr(1, text.size() - 2);
  Dims out;
  while (!(text = trimmed(text)).empty()) {
    const std::size_t end = std::min(text.find(','), text.size());
    const std::optional<std::uint64_t> value = integer(trimmed(text.substr(0, end)));
    if (!value) return {};
    out.push_back(*value);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// One module of the text.
struct Module {
  std::string_view name;  ///< in the module around it: "q_proj", "0", "0-31"
  std::string_view type;  ///< its class
  std::string arguments;  ///< what its brackets hold but the modules in it
  std::uint64_t line = 0;
  std::uint64_t times = 1;  ///< the 32 of `32 x`
  std::size_t parent = 0;
  std::size_t end = 0;  ///< one past the last module in it
  bool holds_modules = false;
};

/// `(name): ` at `i`: the name, else nothing.
std::string_view child_name(std::string_view text, std::size_t i) {
  std::size_t end = i + 1;
  while (end < text.size() && (in_word(text[end]) || text[end] == '-' || text[end] == '.' || text[end] == '/')) ++end;
  if (end == i + 1 || text.substr(end, 2) != "):") return {};
  return text.substr(i + 1, end - i - 1);
}

/// The class that begins at `i`, with the bracket behind it: `LlamaModel(`.
std::string_view class_at(std::string_view text, std::size_t i) {
  std::size_t end = i;
  while (end < text.size() && (in_word(text[end]) || text[end] == '.')) ++end;
  return end < text.size() && end > i && text[end] == '(' && !is_digit(text[i]) ? text.substr(i, end - i) : std::string_view{};
}

/// Takes the text apart into modules, in its order; the first one is what holds all.
class Parser {
 public:
  Parser(std::string_view text, Problems& problems) : text_(text), problems_(problems) { modules.emplace_back(); }

  void parse() {
    open_.push_back({0, 0});
    std::size_t i = 0;
    while (i < text_.size()) {
      const char c = text_[i];
      if (c == '\n') ++line_;
      if (c == '(')
        if (const std::string_view name = child_name(text_, i); !name.empty()) {
          i = open_child(i, name);
          continue;
        }
      if (open_.size() == 1) {
        // Outside of everything: the model begins with its class; what else stands there is talk.
        const bool begins = i == 0 || !(in_word(text_[i - 1]) || text_[i - 1] == '.');
        const std::string_view type = begins && modules.size() == 1 ? class_at(text_, i) : std::string_view{};
        if (type.empty() || !leads_to_module(i + type.size() + 1)) {
          ++i;
          continue;
        }
        add({}, type, 1);
        i += type.size() + 1;
        continue;
      }
      Open& now = open_.back();
      if (c == '(' || c == '[') ++now.brackets;
      if ((c == ')' || c == ']') && now.brackets > 0)
        --now.brackets;
      else if (c == ')') {
        close();
        ++i;
        continue;
      }
      modules[now.module].arguments += c == '\n' ? ' ' : c;
      ++i;
    }
    if (open_.size() > 1) problems_.add(line_, concat({"The text ends inside ", quoted(modules[open_.back().module].type), "."}));
    while (open_.size() > 1) close();
    modules.front().end = modules.size();
  }

  std::vector<Module> modules;

 private:
  struct Open {
    std::size_t module;
    std::size_t brackets;  ///< of its own arguments, open
  };

  /// Whether a class outside of everything is a model: its bracket holds modules or arguments of one, not a call's.
  [[nodiscard]] bool leads_to_module(std::size_t i) const {
    constexpr std::size_t nearby = 400;
    const std::string_view ahead = text_.substr(i, nearby);
    for (std::size_t at = 0; at < ahead.size(); ++at)
      if (ahead[at] == '(' && !child_name(text_, i + at).empty()) return true;
    return holds(ahead, "in_features=") || holds(ahead, "kernel_size=") || holds(ahead, "nf=") || holds(ahead, "padding_idx=");
  }

  void add(std::string_view name, std::string_view type, std::uint64_t times) {
    if (open_.size() > deepest_nesting) throw Error{ErrorCode::too_deep, "", "The modules are nested deeper than any model's."};
    const std::size_t parent = open_.back().module;
    modules[parent].holds_modules = true;
    Module made;
    made.name = name;
    made.type = type;
    made.line = line_;
    made.times = times;
    made.parent = parent;
    open_.push_back({modules.size(), 0});
    modules.push_back(std::move(made));
  }

  void close() {
    modules[open_.back().module].end = modules.size();
    open_.pop_back();
  }

  /// A module's line from its name on; returns where its arguments begin, or where it ends.
  std::size_t open_child(std::size_t i, std::string_view name) {
    i += name.size() + 3;  // (name):
    const auto blanks = [&] {
      while (i < text_.size() && (text_[i] == ' ' || text_[i] == '\t')) ++i;
    };
    blanks();
    std::uint64_t times = 1;
    std::size_t figures = i;
    while (figures < text_.size() && is_digit(text_[figures])) ++figures;
    if (figures > i && text_.substr(figures, 3) == " x ") {
      const std::optional<std::uint64_t> written = integer(text_.substr(i, figures - i));
      if (!written) problems_.add(line_, "There are more copies than can be counted; counted is one.");
      times = written.value_or(1);
      i = figures + 3;
    }
    constexpr std::string_view parameter = "Parameter containing:";
    if (text_.substr(i).starts_with(parameter)) {
      add(name, text_.substr(i, 9), times);
      const std::size_t end = std::min(text_.find('\n', i), text_.size());
      const std::size_t size = text_.find("of size ", i);
      if (size < end) {
        std::size_t last = size + 8;
        while (last < end && (is_digit(text_[last]) || text_[last] == 'x')) ++last;
        modules.back().arguments = text_.substr(size + 8, last - size - 8);
      }
      close();
      // What else stands on the line may close the modules around it.
      const std::size_t bracket = text_.find(']', i);
      return bracket < end ? bracket + 1 : end;
    }
    const std::string_view type = class_at(text_, i);
    if (type.empty()) {
      problems_.add(line_, concat({"No module is printed after (", clipped(name, 80), ")."}));
      return i;
    }
    add(name, type, times);
    return i + type.size() + 1;
  }

  std::string_view text_;
  Problems& problems_;
  std::vector<Open> open_;
  std::uint64_t line_ = 1;
};

/// What stands in a module's brackets: `in_features=4096` by name, `(4096,)` by place.
class Arguments {
 public:
  explicit Arguments(std::string_view text) {
    std::size_t begin = 0, depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      const char c = i < text.size() ? text[i] : ',';
      if (c == '(' || c == '[') ++depth;
      if ((c == ')' || c == ']') && depth > 0) --depth;
      if (i < text.size() && (c != ',' || depth > 0)) continue;
      if (const std::string_view piece = trimmed(text.substr(begin, i - begin)); !piece.empty()) pieces_.push_back(piece);
      begin = i + 1;
    }
  }

  [[nodiscard]] std::string_view named(std::string_view name) const {
    for (const std::string_view piece : pieces_)
      if (piece.size() > name.size() && piece.starts_with(name) && piece[name.size()] == '=') return trimmed(piece.substr(name.size() + 1));
    return {};
  }
  [[nodiscard]] std::optional<std::uint64_t> integer_of(std::string_view name) const { return integer(named(name)); }
  /// The place counts only what has no name before it.
  [[nodiscard]] std::string_view at(std::size_t place) const {
    return place < pieces_.size() && !holds(pieces_[place], "=") ? pieces_[place] : std::string_view{};
  }
  [[nodiscard]] std::optional<std::uint64_t> integer_at(std::size_t place) const { return integer(at(place)); }
  [[nodiscard]] bool flag(std::string_view name, bool otherwise) const {
    const std::string_view value = named(name);
    return value.empty() ? otherwise : value == "True";
  }
  [[nodiscard]] bool empty() const { return pieces_.empty(); }

 private:
  std::vector<std::string_view> pieces_;
};

constexpr Text narrow[] = {"8bit", "4bit", "Quant", "quant", "FP8", "Fp8", "WQLinear", "GPTQ", "Int8", "Int4", "BitLinear", "HQQ"};
/// Modules without tensors, whatever they are called in full.
constexpr Text without[] = {"Dropout",    "Activation", "GELU",       "SiLU",          "ReLU",          "ELU",           "Rotary",
                            "RoPE",       "Identity",   "Softmax",    "Sigmoid",       "Tanh",          "Pool",          "Path",
                            "Loss",       "Upsample",   "Flatten",    "Fold",          "Pad",           "Sinusoid",      "Mish",
                            "Swish",      "plus",       "L2Norm",     "OlmoLayerNorm", "Alibi",         "Shuffle",       "Clip",
                            "Cache",      "Hardswish",  "Interpolat", "WeightNorm",    "ParameterList", "ParameterDict", "ModuleList",
                            "ModuleDict", "Sequential", "Abs",        "Gelu"};
/// Modules that keep their matrices to themselves.
constexpr Text hiding[] = {"Expert", "Router", "Gate", "Parallel", "MoE", "Moe"};

/// Makes rows of modules.
class Reader {
 public:
  Reader(const std::vector<Module>& modules, Problems& problems, PrintedModel& out) : modules_(modules), problems_(problems), out_(out) {}

  void read() {
    for (std::size_t i = 1; i < modules_.size(); ++i) {
      const std::size_t before = out_.rows.size();
      now_ = i;
      known_ = false;
      read_module(modules_[i]);
      if (!known_ && out_.rows.size() == before) tell_unknown(i);
    }
    if (out_.adapted)
      for (ListedRow& row : out_.rows) row.trainable = holds(row.name, "lora_") || holds(row.name, "modules_to_save");
  }

 private:
  void read_module(const Module& m) {
    const std::string_view type = m.type.substr(m.type.rfind('.') + 1);
    const Arguments a(m.arguments);
    if (holds(m.name, "lora_")) out_.adapted = true;
    if (m.name.find('-') != std::string_view::npos && is_digit(m.name.front())) check_times(m);
    const auto in = a.integer_of("in_features"), out = a.integer_of("out_features");
    if (type == "Parameter") return parameter(m);
    if (in && out) return linear(m, type, a, *in, *out);
    if (const auto first = a.integer_of("in1_features"), second = a.integer_of("in2_features"); first && second && out)
      return with_bias(a, {*out, *first, *second}, *out);
    if (!a.named("in_features").empty() || !a.named("out_features").empty()) return unreadable();
    if (const auto nf = a.integer_of("nf"), nx = a.integer_of("nx"); nf && nx) return with_bias(a, {*nx, *nf}, *nf);
    if (!a.named("kernel_size").empty() && holds(type, "Conv")) return convolution(type, a);
    if (const auto n = a.integer_of("num_parameters")) return add("weight", {*n});
    const auto first = a.integer_at(0), second = a.integer_at(1);
    if (holds(type, "Embedding") && first && second) return add("weight", {*first, *second});
    if (holds(type, "LSTM") || holds(type, "GRU") || type == "RNN") return recurrent(type, a);
    if (type == "MultiheadAttention") return multi_head(m);
    if (m.holds_modules || holds_any(type, without)) {
      known_ = !m.holds_modules || !hides(m);
      return;
    }
    if (holds(type, "Norm")) return norm(m, type, a);
  }

  // --- The modules of torch.nn, with the shapes that they store ---

  void linear(const Module& m, std::string_view type, const Arguments& a, std::uint64_t in, std::uint64_t out) {
    if (holds_any(m.type, narrow) || holds_any(a.named("weight"), narrow)) out_.quantized = param_ledger::add(out_.quantized, copies());
    if (m.holds_modules && !holds(type, "Parametrized")) {
      known_ = true;  // a wrapper that repeats what the layer in it says
      return;
    }
    if (a.named("bias").empty()) problem("does not say whether it has a bias; counted is none");
    add("weight", {out, in});
    if (a.flag("bias", false)) add("bias", {out});
  }

  void with_bias(const Arguments& a, Dims shape, std::uint64_t out) {
    add("weight", std::move(shape));
    if (a.flag("bias", true)) add("bias", {out});
  }

  void convolution(std::string_view type, const Arguments& a) {
    const auto in = a.integer_at(0), out = a.integer_at(1);
    const auto kernel = integers(a.named("kernel_size"));
    const std::uint64_t groups = a.integer_of("groups").value_or(1);
    if (!in || !out || !kernel || kernel->empty() || groups == 0) return unreadable();
    Dims shape = holds(type, "Transpose") ? Dims{*in, *out / groups} : Dims{*out, *in / groups};
    shape.insert(shape.end(), kernel->begin(), kernel->end());
    if (holds(type, "Parametrized")) problem("is parametrized: what its weight is made of is not shown");
    with_bias(a, std::move(shape), *out);
  }

  void recurrent(std::string_view type, const Arguments& a) {
    const auto in = a.integer_at(0), hidden = a.integer_at(1);
    const std::uint64_t layers = a.integer_of("num_layers").value_or(1), projected = a.integer_of("proj_size").value_or(0);
    constexpr std::uint64_t most_layers = 1000;
    if (!in || !hidden || layers > most_layers) return unreadable();
    const std::uint64_t gates = (holds(type, "LSTM") ? 4 : holds(type, "GRU") ? 3 : 1) * *hidden;
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
  }

  /// Prints the projection back alone; that of queries, keys and values is three times it.
  void multi_head(const Module& m) {
    for (std::size_t i = now_ + 1; i < m.end; ++i) {
      const Arguments a(modules_[i].arguments);
      const auto in = a.integer_of("in_features");
      if (modules_[i].name != "out_proj" || !in) continue;
      add("in_proj_weight", {3 * *in, *in}, true);
      if (a.flag("bias", true)) add("in_proj_bias", {3 * *in}, true);
      return;
    }
    problem("does not show its projections");
  }

  void norm(const Module& m, std::string_view type, const Arguments& a) {
    const bool batch = holds(type, "BatchNorm") || holds(type, "InstanceNorm");
    const bool affine = a.flag("affine", a.flag("elementwise_affine", true));
    known_ = !affine;
    std::optional<Dims> shape = integers(a.at(holds(type, "GroupNorm") ? 1 : 0));
    bool taken = false;
    if (shape && shape->empty()) {
      // `((), eps=…)` is a norm without a weight; no arguments, or none that is a shape, say nothing.
      if (!a.at(0).empty()) {
        known_ = true;
        return;
      }
      const std::optional<std::uint64_t> width = width_around(m);
      if (!width) return problem("does not say its width, nor does what is around it");
      shape = Dims{*width};
      taken = true;
    }
    if (!shape) return unreadable();
    const bool plain = holds(type, "RMS") || holds(type, "T5LayerNorm") || holds(type, "CohereLayerNorm");
    if (affine) {
      if (a.named("bias") != "False" || !plain) add("weight", *shape, taken);
      if (a.flag("bias", !plain)) add("bias", *shape, taken);
    }
    if (!batch || !a.flag("track_running_stats", holds(type, "BatchNorm"))) return;
    for (const Text name : {"running_mean", "running_var", "num_batches_tracked"}) {
      add(name, name == "num_batches_tracked" ? Dims{} : *shape);
      if (!out_.rows.empty()) out_.rows.back().kind = ListedKind::buffer;
    }
  }

  /// Of a norm that does not say it: among single layers that of the layer after it, else that of the embedding, which flows
  /// through all.
  [[nodiscard]] std::optional<std::uint64_t> width_around(const Module& m) const {
    const Module& parent = modules_[m.parent];
    bool single = true;
    for (std::size_t i = m.parent + 1; i < parent.end; i = modules_[i].end) single = single && !modules_[i].holds_modules;
    if (single && m.parent != 0) {
      if (m.end >= parent.end) return {};
      return Arguments(modules_[m.end].arguments).integer_of("in_features");
    }
    // That of the embedding which the layer before it reads or writes: there are tables of other widths.
    std::optional<std::uint64_t> in, out;
    for (std::size_t i = now_; i-- > 1 && !out;) {
      const Arguments a(modules_[i].arguments);
      in = a.integer_of("in_features");
      out = a.integer_of("out_features");
    }
    for (std::size_t i = now_; i-- > 1;) {
      const Arguments a(modules_[i].arguments);
      if (!holds(modules_[i].type, "Embedding") || !a.integer_at(0)) continue;
      if (const auto width = a.integer_at(1); width && (!out || width == in || width == out)) return width;
    }
    return out;
  }

  void parameter(const Module& m) {
    Dims shape;
    std::string_view sizes = m.arguments;
    while (!sizes.empty()) {
      const std::size_t end = std::min(sizes.find('x'), sizes.size());
      const auto dim = integer(sizes.substr(0, end));
      if (!dim) return unreadable();
      shape.push_back(*dim);
      sizes.remove_prefix(std::min(end + 1, sizes.size()));
    }
    add("", std::move(shape));
  }

  // --- Names and numbers ---

  /// Several of one index range, as it says.
  void check_times(const Module& m) {
    const std::size_t dash = m.name.find('-');
    const auto first = integer(m.name.substr(0, dash)), last = integer(m.name.substr(dash + 1));
    if (!first || !last || *last < *first || *last - *first + 1 != m.times)
      problems_.add(m.line,
                    concat({"(", clipped(m.name, 80), ") and ", digits(m.times), " x contradict each other; the latter is counted."}));
  }

  [[nodiscard]] Count copies() const {
    Count out = 1;
    for (std::size_t i = now_; i != 0; i = modules_[i].parent) out = multiply(out, modules_[i].times);
    return out;
  }

  /// "model.layers.[0-31].self_attn.q_proj"
  [[nodiscard]] std::string path() const {
    std::string out;
    for (std::size_t i = now_; i != 0; i = modules_[i].parent) {
      const std::string_view name = modules_[i].name;
      if (name.empty()) continue;
      const bool range = is_digit(name.front()) && holds(name, "-");
      std::string piece = range ? concat({"[", name, "]"}) : std::string(name);
      out = out.empty() ? std::move(piece) : concat({piece, ".", out});
    }
    return out;
  }

  void add(std::string_view name, Dims shape, bool taken = false) {
    ListedRow row;
    const std::string module = path();
    row.name = module.empty() || name.empty() ? concat({module, name}) : concat({module, ".", name});
    row.elements = row.numbers = elements_of(shape.data(), shape.size());
    row.shape = std::move(shape);
    row.taken = taken;
    row.copies = copies();
    out_.rows.push_back(std::move(row));
  }

  void problem(std::string_view what) {
    known_ = true;
    const Module& m = modules_[now_];
    problems_.add(m.line, problems_.listed() ? concat({path(), " (", clipped(m.type, 80), ") ", what, "."}) : std::string());
  }
  void unreadable() { problem("has arguments that cannot be read, and is not counted"); }

  /// A module with others in it that yet has matrices of its own, as far as its class tells.
  [[nodiscard]] bool hides(const Module& m) const {
    if (!holds_any(m.type, hiding)) return false;
    for (std::size_t i = now_ + 1; i < m.end; ++i)
      if (!modules_[i].holds_modules && !holds_any(modules_[i].type, without)) return false;
    return true;
  }

  void tell_unknown(std::size_t i) {
    now_ = i;
    problem("does not show what it holds");
  }

  const std::vector<Module>& modules_;
  Problems& problems_;
  PrintedModel& out_;
  std::size_t now_ = 0;
  bool known_ = false;
};

/// Rows whose names differ in one index become one; the innermost index first.
void fold(std::vector<ListedRow>& rows) {
  const auto segment = [](std::string_view name, std::size_t wanted) -> std::string_view {
    for (std::size_t begin = 0;;) {
      const std::size_t end = std::min(name.find('.', begin), name.size());
      const std::string_view piece = name.substr(begin, end - begin);
      if (!piece.empty() && (is_digit(piece.front()) || piece.front() == '[') && !spelled(piece).empty() && wanted-- == 0) return piece;
      if (end == name.size()) return {};
      begin = end + 1;
    }
  };
  constexpr std::size_t most_indices = 4;
  for (std::size_t level = most_indices; level-- > 0;) {
    struct Merged {
      std::vector<Run> runs;
      std::size_t from, size;  // of the index in the name
    };
    std::vector<ListedRow> kept;
    std::vector<Merged> merged;
    HashIndex index;
    for (ListedRow& row : rows) {
      const std::string_view name = row.name, piece = segment(name, level);
      const std::size_t from = piece.empty() ? name.size() : static_cast<std::size_t>(piece.data() - name.data());
      const std::string_view before = name.substr(0, from), after = name.substr(from + piece.size());
      std::uint32_t hash = piece.empty() ? 1 : 2;
      for (const std::string_view part : {before, after})
        for (const char c : part) hash = 31 * hash + static_cast<unsigned char>(c);
      const std::size_t at = index.find_or_add(mixed(hash, 0), kept.size(), [&](std::size_t i) {
        const std::string_view other = kept[i].name;
        return merged[i].size != 0 && !piece.empty() && other.substr(0, merged[i].from) == before &&
               other.substr(merged[i].from + merged[i].size) == after && kept[i].shape == row.shape && kept[i].kind == row.kind &&
               kept[i].taken == row.taken && kept[i].trainable == row.trainable;
      });
      std::vector<Run> runs = spelled(piece);
      if (at == kept.size()) {
        merged.push_back({std::move(runs), from, piece.size()});
        kept.push_back(std::move(row));
        continue;
      }
      merged[at].runs.insert(merged[at].runs.end(), runs.begin(), runs.end());
      kept[at].copies = add(kept[at].copies, row.copies);
    }
    for (std::size_t i = 0; i < kept.size(); ++i) {
      std::vector<Run>& runs = merged[i].runs;
      if (runs.size() < 2) continue;
      std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
      std::vector<Run> joined;
      for (const Run& run : runs) {
        if (!joined.empty() && joined.back().last + 1 == run.first)
          joined.back().last = run.last;
        else
          joined.push_back(run);
      }
      kept[i].name.replace(merged[i].from, merged[i].size, spelling(joined));
    }
    rows = std::move(kept);
  }
}

}  // namespace

bool is_printed_model(std::string_view text) {
  // Somewhere a module is printed inside another, or a layer by itself.
  for (std::size_t i = text.find('('); i != std::string_view::npos; i = text.find('(', i + 1)) {
    const std::string_view name = child_name(text, i);
    if (name.empty()) continue;
    std::size_t at = i + name.size() + 3;
    while (at < text.size() && (is_space(text[at]) || is_digit(text[at]))) ++at;
    if (text.substr(at).starts_with("x ")) at += 2;
    if (!class_at(text, at).empty() || text.substr(at).starts_with("Parameter containing:")) return true;
  }
  const std::string_view line = trimmed(text);
  if (class_at(line, 0).empty() || !line.ends_with(')')) return false;
  return holds(line, "in_features=") || holds(line, "kernel_size=") || holds(line, "nf=") || line.starts_with("Embedding(");
}

PrintedModel read_printed_model(std::string_view text, Problems& problems) {
  Parser parser(text, problems);
  parser.parse();
  PrintedModel out;
  if (parser.modules.size() > 1 && parser.modules[1].name.empty()) out.class_name = std::string(clipped(parser.modules[1].type, 200));
  constexpr std::size_t most_wrappers = 3;
  for (std::size_t i = 1; i < parser.modules.size() && i <= most_wrappers && !out.class_name.empty(); ++i)
    out.classes.emplace_back(clipped(parser.modules[i].type, 200));
  Reader(parser.modules, problems, out).read();
  fold(out.rows);
  return out;
}

}  // namespace param_ledger
