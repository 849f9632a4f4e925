#include "core/inputs/printed/printed_tree.hpp"

#include <algorithm>
#include <optional>

#include "core/inputs/printed/printed_words.hpp"
#include "core/json/json_text.hpp"
#include "core/json/value_text.hpp"
#include "core/support/characters.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The maximum length of the name of a module or class.
constexpr std::size_t longest_name = 200;
/// A ParameterList shows its tensors like this: `Parameter containing: [torch.float32 of size 3x4]`.
constexpr std::string_view parameter = "Parameter containing:", buffer = "Buffer containing:";
std::string_view tensor_at(std::string_view text) {
  for (const std::string_view word : {parameter, buffer})
    if (text.starts_with(word)) return word.substr(0, word.find(' '));
  return {};
}

/// The name in `(name):` at `i`; empty if there is none.
std::string_view child_name(std::string_view text, std::size_t i) {
  const std::size_t most = std::min(text.size(), i + longest_name);
  std::size_t end = i + 1;
  while (end < most && (in_word(text[end]) || text[end] == '-' || text[end] == '.' || text[end] == '/')) ++end;
  if (end == i + 1 || text.substr(end, 2) != "):") return {};
  return text.substr(i + 1, end - i - 1);
}

/// The class name at `i` if a parenthesis follows it, as in `LlamaModel(`; otherwise empty.
std::string_view class_at(std::string_view text, std::size_t i) {
  const std::size_t most = std::min(text.size(), i + longest_name);
  std::size_t end = i;
  while (end < most && (in_word(text[end]) || text[end] == '.')) ++end;
  return end < text.size() && end > i && text[end] == '(' && !is_digit(text[i]) ? text.substr(i, end - i) : std::string_view{};
}

/// What is printed after `(name):`, a module or a tensor.
struct Child {
  std::size_t at;          ///< position of the class name, or of the word "Parameter"
  std::string_view times;  ///< the digits before the `x` in `32 x`
  std::string_view type;   ///< the class name; empty if no module is printed there
};
Child child_at(std::string_view text, std::size_t i) {
  while (i < text.size() && (text[i] == ' ' || text[i] == '\t')) ++i;
  Child out{i, {}, {}};
  std::size_t figures = i;
  while (figures < text.size() && is_digit(text[figures])) ++figures;
  if (figures > i && text.substr(figures, 3) == " x ") {
    out.times = text.substr(i, figures - i);
    out.at = figures + 3;
  }
  out.type = tensor_at(text.substr(out.at));
  if (out.type.empty()) out.type = class_at(text, out.at);
  return out;
}

/// Whether the text at `i` begins with `(name): Class(`.
bool shows_child(std::string_view text, std::size_t i) {
  if (i >= text.size() || text[i] != '(') return false;
  const std::string_view name = child_name(text, i);
  return !name.empty() && !child_at(text, i + name.size() + 3).type.empty();
}

/// Whether the parentheses whose contents begin at `i` contain a module. If so, the text is a printed model and not a function call in
/// code. A log may put a prefix before each line.
bool holds_child(std::string_view text, std::size_t i) {
  const std::size_t begin = i;
  while (i < text.size() && is_blank(text[i])) ++i;
  constexpr std::size_t longest = 60;
  if (i < text.size() && text[i] != '(' && holds(text.substr(begin, i - begin), "\n"))
    i += std::min(text.substr(i, longest).find_first_of("(\n"), longest);
  return shows_child(text, i);
}

/// The position of a single printed layer that is on a line of its own; npos if there is none.
std::size_t single_layer(std::string_view text) {
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
    end = std::min(text.find('\n', begin), text.size());
    while (begin < end && is_blank(text[begin])) ++begin;
    const std::string_view type = class_at(text, begin);
    if (type.empty()) continue;
    const std::string_view inner = text.substr(begin, end - begin);
    if (!inner.substr(0, inner.find_last_not_of(" \t\r") + 1).ends_with(')')) continue;
    for (const std::string_view word : {"in_features=", "kernel_size=", "nf=", "padding_idx="})
      if (holds(inner, word)) return begin;
    if (type == "Embedding") return begin;
  }
  return std::string_view::npos;
}

class Parser {
 public:
  Parser(std::string_view text, Problems& problems) : text_(text), problems_(problems) { modules_.emplace_back(); }

  std::vector<PrintedModule> parse() {
    open_.push_back({0});
    std::size_t i = 0;
    while (i < text_.size() && !done_) i = open_.size() == 1 ? outside(i) : inside(i);
    if (modules_.size() == 1)
      if (const std::size_t layer = single_layer(text_); layer != std::string_view::npos) {
        line_ = 1 + static_cast<std::uint64_t>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(layer), '\n'));
        const std::string_view type = class_at(text_, layer);
        add({}, type, 1, layer + type.size() + 1);
        for (i = layer + type.size() + 1; i < text_.size() && open_.size() > 1;) i = inside(i);
      }
    if (open_.size() > 1) problems_.add(line_, concat({"The text ends inside ", quoted(modules_[open_.back().module].type), "."}));
    while (open_.size() > 1) close(text_.size());
    modules_.front().end = modules_.size();
    return std::move(modules_);
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  struct Open {
    std::size_t module;
    std::size_t brackets = 0;   ///< number of open brackets in the module's own arguments
    std::size_t column = none;  ///< the column in which the module's name begins, if no other module begins or ends before it in its line
    std::size_t inner_column = none;  ///< the column in which the names of the module's submodules begin
  };

  /// Handles the character at `i`, outside any model, and returns the next position. A model begins with its class, and a fragment of a
  /// model with a module's name. Everything else is skipped.
  std::size_t outside(std::size_t i) {
    const char c = text_[i];
    if (c == '\n') end_line(i);
    if (c == ')' && closed_ && is_first_in_line(i)) lines_missing();
    if (!is_blank(c)) closed_ = false;
    if (c == '(' && shows_child(text_, i)) {
      if (whole_) return stop();
      return open_child(i, child_name(text_, i));
    }
    if (!in_word(c)) return i + 1;
    const std::string_view type = class_at(text_, i);
    if (type.empty() || !holds_child(text_, i + type.size() + 1)) {
      // Skip the rest of the word.
      while (i < text_.size() && (in_word(text_[i]) || text_[i] == '.')) ++i;
      return i;
    }
    if (whole_) return stop();
    if (modules_.size() > 1) {
      problems_.add(modules_[1].line, "The modules before the model are not counted.");
      modules_.resize(1);
    }
    whole_ = true;
    add({}, type, 1, i + type.size() + 1);
    used_ = true;
    return i + type.size() + 1;
  }

  /// Reports a second model, or modules that follow the end of the model, and ends the parsing.
  std::size_t stop() {
    problems_.add(line_, "More modules follow the end of the model: they are not counted.");
    done_ = true;
    return text_.size();
  }

  /// Handles the character at `i`, inside a module's parentheses, and returns the next position.
  std::size_t inside(std::size_t i) {
    Open& now = open_.back();
    const char c = text_[i];
    if (c == '\n') end_line(i);
    if (c == '(') {
      if (const std::string_view name = child_name(text_, i); !name.empty()) {
        if (PrintedModule& m = modules_[now.module]; !m.holds_modules) m.arguments = m.arguments.substr(0, since(m, i));
        return open_child(i, name);
      }
    }
    if (c == '(' || c == '[') ++now.brackets;
    if ((c == ')' || c == ']') && now.brackets > 0) {
      --now.brackets;
      // a name was broken into two lines: `(q_pr` and `oj): Linear(`
      if (text_.substr(i + 1).starts_with(": ") && !child_at(text_, i + 2).type.empty()) wrapped();
    } else if (c == ')') {
      if (is_first_in_line(i)) check_end(i - line_begin_);
      const PrintedModule& m = modules_[now.module];
      const std::string_view contents = m.arguments.substr(0, since(m, i));
      if (!m.holds_modules && holds(contents, "\n") && trimmed(contents).empty())
        lines_missing();  // PyTorch prints a module without submodules on one line: `ModuleDict()`
      used_ = true;
      close(i);
      closed_ = whole_ && open_.size() == 1;
    }
    return i + 1;
  }

  /// Whether `i` is in the current line and no module has begun or ended before it in this line.
  [[nodiscard]] bool is_first_in_line(std::size_t i) const { return !used_ && i >= line_begin_; }

  /// Handles the line end at `i`. A line inside a module must continue its arguments, or open or close a module.
  void end_line(std::size_t i) {
    const std::string_view line = trimmed(text_.substr(line_begin_, i - line_begin_));
    if (const Open& now = open_.back(); open_.size() > 1 && !used_ && !line.empty()) {
      const bool dots = line.find_first_not_of(".\u2026") == std::string_view::npos;
      if (modules_[now.module].holds_modules || dots)
        problems_.add(line_, concat({quoted(clipped(line, 80)), " is not a module: modules may be missing here."}));
    }
    const std::size_t next = i + 1;
    const bool in_arguments = open_.size() > 1 && !modules_[open_.back().module].holds_modules && !line.empty() && line.back() != '(';
    if (in_arguments && next < text_.size() && !is_blank(text_[next]) && text_[next] != '(' && text_[next] != ')') wrapped();
    ++line_;
    line_begin_ = next;
    used_ = false;
  }

  /// Reports that a terminal broke a line within a name or a number.
  void wrapped() {
    problems_.add(line_, "A line is broken here. Print the model in a wider window.");
    used_ = odd_ = true;
  }

  void lines_missing() {
    if (!std::exchange(odd_, true)) problems_.add(line_, "The indentation does not fit the modules: lines may be missing.");
  }

  /// Checks that a submodule begins in the same column as its siblings, and is indented like other submodules.
  void check_column(std::size_t column) {
    Open& around = open_.back();
    if (open_.size() == 1 || column == none) return;
    if (around.inner_column != none) {
      if (column != around.inner_column) lines_missing();
      return;
    }
    around.inner_column = column;
    if (around.column == none) return;
    if (column < around.column) return lines_missing();
    if (step_ == none) step_ = column - around.column;
    if (column - around.column != step_) lines_missing();
  }

  /// Checks that a module ends in the column in which it begins. If that column is unknown, uses the column of its submodules.
  void check_end(std::size_t column) {
    const Open& now = open_.back();
    constexpr std::size_t usual_step = 2, widest_step = 4;
    if (now.column != none) {
      if (column != now.column) lines_missing();
    } else if (now.inner_column != none && now.inner_column > 0) {
      const std::size_t step = now.inner_column - column;
      if (step_ != none ? step != step_ : step != usual_step && step != 1 && step != widest_step) lines_missing();
    }
  }

  void add(std::string_view name, std::string_view type, std::uint64_t times, std::size_t arguments) {
    if (open_.size() > deepest_nesting)
      throw Error{ErrorCode::too_deep, "", "The modules are nested more deeply than those of any known model."};
    const std::size_t parent = open_.back().module;
    modules_[parent].holds_modules = true;
    open_.push_back({modules_.size()});
    modules_.push_back({name, type, text_.substr(arguments), line_, times, parent, 0, false});
  }

  /// The number of bytes from the start of a module's arguments to `i`.
  [[nodiscard]] std::size_t since(const PrintedModule& m, std::size_t i) const {
    return i - static_cast<std::size_t>(m.arguments.data() - text_.data());
  }

  void close(std::size_t i) {
    PrintedModule& m = modules_[open_.back().module];
    if (!m.holds_modules) m.arguments = m.arguments.substr(0, since(m, i));
    m.end = modules_.size();
    open_.pop_back();
  }

  /// Reads a module that begins with its name. Returns the position at which parsing continues.
  std::size_t open_child(std::size_t i, std::string_view name) {
    const std::size_t column = open_.size() > 1 && is_first_in_line(i) ? i - line_begin_ : none;
    used_ = true;
    i += name.size() + 3;  // skips "(name): "
    const Child child = child_at(text_, i);
    constexpr std::string_view no_module = "None";  // the submodule is registered, but its value is None
    if (text_.substr(child.at).starts_with(no_module)) return child.at + no_module.size();
    if (child.type.empty()) {
      problems_.add(line_, concat({"No module is printed after (", clipped(name, 80), ")."}));
      return i;
    }
    const std::optional<std::uint64_t> times = child.times.empty() ? 1 : integer_written(child.times);
    if (!times) problems_.add(line_, "There are more copies than can be counted; one is counted.");
    const std::size_t begin = child.at + child.type.size() + 1;
    const bool tensor = !tensor_at(text_.substr(child.at)).empty();
    if (!tensor) check_column(column);
    add(name, child.type, times.value_or(1), begin);
    open_.back().column = column;
    if (!tensor) return begin;
    modules_.back().end = modules_.size();
    open_.pop_back();
    // A tensor's size is printed as `[torch.float32 of size 3x4]`.
    constexpr std::size_t longest = 200;
    const std::string_view ahead = text_.substr(begin, longest), shown = ahead.substr(0, ahead.find_first_of("]\n"));
    constexpr std::string_view of_size = "of size ";
    const std::size_t size = shown.find(of_size);
    std::string_view& sizes = modules_.back().arguments = "?";
    if (size != std::string_view::npos) {
      sizes = shown.substr(size + of_size.size());
      sizes = sizes.substr(0, sizes.find_first_not_of("0123456789x"));
    }
    // The rest of the line may close enclosing modules.
    return begin + shown.size() + (ahead.size() > shown.size() && ahead[shown.size()] == ']' ? 1 : 0);
  }

  std::string_view text_;
  Problems& problems_;
  std::vector<PrintedModule> modules_;
  std::vector<Open> open_;
  std::uint64_t line_ = 1;
  std::size_t line_begin_ = 0;
  std::size_t step_ = none;  ///< how many columns submodules are indented
  bool used_ = false;        ///< whether a module began or ended in the current line
  bool closed_ = false;      ///< whether the model has ended and only blanks have followed
  bool odd_ = false;         ///< whether broken or missing lines were reported
  bool whole_ = false;       ///< whether a whole model was printed, not a fragment
  bool done_ = false;
};

}  // namespace

bool is_printed_model(std::string_view text) {
  // Looks for a module inside another one, or a single layer.
  for (std::size_t i = text.find('('); i != std::string_view::npos; i = text.find('(', i + 1))
    if (shows_child(text, i)) return true;
  return single_layer(text) != std::string_view::npos;
}

std::vector<PrintedModule> printed_tree(std::string_view text, Problems& problems) { return Parser(text, problems).parse(); }

}  // namespace param_ledger
