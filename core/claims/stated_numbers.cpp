#include "core/claims/stated_numbers.hpp"

#include <algorithm>

#include "core/claims/claim_figures.hpp"
#include "core/support/parse.hpp"
#include "core/support/quantity.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Words that may follow a number of parameters, bytes or operations, besides words that say what it counts ("active", "FLOPs"). A number
/// followed by any other word counts something else.
constexpr std::string_view may_follow[] = {
    "moe",        "dense",       "llm",      "models",     "base",   "instruct", "chat",     "version",   "variant",    "trainable",
    "trained",    "for",         "is",       "are",        "was",    "were",     "has",      "have",      "which",      "while",
    "when",       "where",       "or",       "to",         "from",   "each",     "every",    "by",        "since",      "because",
    "if",         "it",          "they",     "that",       "this",   "then",     "instead",  "again",     "vs",         "versus",
    "compared",   "out",         "overall",  "altogether", "all",    "combined", "counted",  "includes",  "including",  "excluding",
    "using",      "loaded",      "reported", "shown",      "more",   "fewer",    "less",     "extra",     "additional", "mtp",
    "nextn",      "prediction",  "kv",       "cache",      "causal", "training", "forward",  "backward",  "inference",  "full",
    "bnb",        "gptq",        "awq",      "mlx",        "nvfp4",  "mxfp4",    "packed",   "quantized", "quantised",  "lora",
    "adapter",    "adapters",    "mfu",      "but",        "so",     "after",    "before",   "under",     "flops",      "flop",
    "operations", "transformer", "language", "reward",     "value",  "decoder",  "backbone", "stored",    "main",       "unique"};

constexpr OperationsWord operations_words[] = {{"flops", ""},   {"flop", ""},    {"operations", ""}, {"ops", ""},    {"mflops", "m"},
                                               {"gflops", "b"}, {"gflop", "b"},  {"tflops", "t"},    {"tflop", "t"}, {"pflops", "p"},
                                               {"pflop", "p"},  {"eflops", "e"}, {"zflops", "z"}};

/// Words that show what a number counts: words after or before a number of tokens, and before a number of sequences.
constexpr std::string_view after_tokens[] = {"tokens", "token", "context", "ctx", "positions", "cells"};
constexpr std::string_view before_tokens[] = {"context", "context length", "context of", "sequence length", "seq_len", "n_ctx", "kv_size"};
constexpr std::string_view before_batch[] = {"batch", "batch size", "batch of", "batch size of"};

template <class Words>
bool is_any(std::string_view word, const Words& words) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}
template <class Words>
bool ends_with_any(std::string_view text, const Words& words) {
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) { return text.ends_with(word); });
}

/// Whether a number of parameters, bytes or operations may precede this word. An empty word is allowed.
bool may_be_followed_by(std::string_view word) {
  return word.empty() || is_quantity_word(word) || is_any(word, may_follow) || operations_word(word) != nullptr;
}

/// Whether a number without a unit or an exponent is long enough to be a parameter count.
bool is_large(std::string_view figures) {
  constexpr std::ptrdiff_t least_figures = 6;
  // A single point is a decimal point; several points separate groups of digits.
  return std::count_if(figures.begin(), figures.end(), is_digit) >= least_figures && std::count(figures.begin(), figures.end(), '.') != 1;
}

bool is_scaled(const StatedNumber& number) {
  return !number.unit.empty() || number.counts != Unit::parameters || holds(number.figures, "e") || holds(number.figures, "^");
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<StatedNumber> scan() {
    while (at_ < text_.size()) {
      if (is_number_here())
        read();
      else if (is_letter(text_[at_]))
        skip_name();
      else
        ++at_;
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  [[nodiscard]] bool is_number_here() const { return is_digit(peek()) || (peek() == '.' && is_digit(peek(1))); }

  /// Skips a word, including a name with digits such as "V3", "Qwen2.5-72B" or "Llama-3.1-8B".
  void skip_name() {
    // A slash ends a name: "params/token" is two words.
    while (in_word(peek()) || ((peek() == '-' || peek() == '.') && (is_digit(peek(1)) || is_letter(peek(1))))) ++at_;
  }

  [[nodiscard]] std::string_view word_at(std::size_t at) const {
    std::size_t end = at;
    while (end < text_.size() && (is_letter(text_[end]) || (is_digit(text_[end]) && end > at))) ++end;
    return text_.substr(std::min(at, text_.size()), end - at);
  }

  void read() {
    StatedNumber number{at_, at_, "", ""};
    number.experts = experts_before();
    number.figures = read_figures(text_, at_);
    const std::string_view joined = word_at(at_);
    const bool in_name = in_word(peek()) && quantity_unit(joined).power == 0 && operations_word(joined) == nullptr;
    read_unit(number);
    if (number.unit.empty() && number.counts == Unit::parameters && number.kind == StatedNumber::bare) read_unit_before(number);
    number.end = at_;
    if (in_name && number.unit.empty() && number.kind != StatedNumber::bits && number.counts == Unit::parameters) {  // a name such as "3d"
      skip_name();
      number.end = at_;
      number.kind = StatedNumber::other;
    } else {
      number.kind = kind_of(number);
    }
    join_range(number);
    out_.push_back(std::move(number));
  }

  /// Reads the number of experts in "8x7B", which precedes the number itself; 0 if there is none.
  Count experts_before() {
    constexpr std::size_t most_figures = 4;
    std::size_t end = at_;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (end == at_ || end - at_ > most_figures || end + 1 >= text_.size()) return 0;
    if ((text_[end] != 'x' && text_[end] != '*') || !is_digit(text_[end + 1]) || text_.substr(end + 1).starts_with("10^")) return 0;
    std::string_view figures = text_.substr(at_, end - at_);
    at_ = end + 1;
    return parse_integer<std::uint64_t>(figures).value_or(0);
  }

  void take_unit(StatedNumber& number, std::string_view unit, Unit counts, std::size_t end) {
    number.unit = unit;
    number.counts = counts;
    at_ = end;
  }

  /// Reads the unit after a number, if there is one, such as "%", "bits", "TFLOPs", "B", "GB", "trillion operations" or "billion bytes".
  void read_unit(StatedNumber& number) {
    std::size_t at = after_spaces(text_, at_);
    if (at < text_.size() && text_[at] == '%') return take_unit(number, "", Unit::percent, at + 1);
    if (at == at_ && peek() == '-') ++at;
    const std::string_view word = word_at(at);
    const std::size_t end = at + word.size();
    if (word == "percent") return take_unit(number, "", Unit::percent, end);
    if (word == "bit" || word == "bits") {
      number.kind = StatedNumber::bits;
      at_ = end;
      return;
    }
    if (const OperationsWord* const operations = operations_word(word)) return take_unit(number, operations->unit, Unit::operations, end);
    const QuantityUnit unit = quantity_unit(word);
    if (unit.bytes) return take_unit(number, word, Unit::bytes, end);
    if (unit.power != 0) read_scaled_unit(number, word, end);
  }

  /// Reads a unit in brackets before the number: "size (GB): 1.75", "Params (B) | 7.6".
  void read_unit_before(StatedNumber& number) const {
    const std::string_view before = words_before(number);
    const std::size_t open = before.rfind('(');
    if (!before.ends_with(')') || open == std::string_view::npos) return;
    const std::string_view word = trimmed(before.substr(open + 1, before.size() - open - 2));
    const QuantityUnit unit = quantity_unit(word);
    if (!unit.bytes && unit.power == 0) return;
    number.unit = word;
    number.counts = unit.bytes ? Unit::bytes : Unit::parameters;
  }

  /// Reads a unit of two words, such as "trillion operations", or its first word alone.
  void read_scaled_unit(StatedNumber& number, std::string_view scale, std::size_t end) {
    const std::size_t next = after_spaces(text_, end);
    const std::string_view second = word_at(next);
    const OperationsWord* const operations = operations_word(second);
    if (operations != nullptr && operations->unit.empty()) return take_unit(number, scale, Unit::operations, next + second.size());
    if (second == "bytes" || second == "byte") {
      take_unit(number, scale, Unit::bytes, next + second.size());
      number.unit += " bytes";
      return;
    }
    take_unit(number, scale, Unit::parameters, end);
  }

  /// What a number counts according to the words next to it.
  [[nodiscard]] StatedNumber::Kind kind_of(const StatedNumber& number) const {
    if (number.kind == StatedNumber::bits) return StatedNumber::bits;
    std::size_t at = after_spaces(text_, at_);
    const bool joined = at == at_;
    if (joined && peek() == '/' && word_at(at + 1) == "s") return StatedNumber::other;  // a rate, such as tokens per second
    if (joined && peek() == '-') ++at;
    const std::string_view next = word_at(at), before = words_before(number);
    const bool plain = number.counts == Unit::parameters;
    const bool small = number.unit.empty() || number.unit == "k" || number.unit == "m";
    if (is_any(next, after_tokens)) return small && plain ? StatedNumber::tokens : StatedNumber::other;
    const bool counts_states = next == "recurrent" || next == "states";
    if (number.unit.empty() && (next == "sequences" || counts_states || ends_with_any(before, before_batch))) return StatedNumber::batch;
    if (small && plain && ends_with_any(before, before_tokens)) return StatedNumber::tokens;
    if (number.unit == "k" && plain && before.ends_with(" at")) return StatedNumber::tokens;  // "36 GiB of KV cache at 256K"
    if (!may_be_followed_by(next)) return StatedNumber::other;
    return is_scaled(number) || is_large(number.figures) ? StatedNumber::count : StatedNumber::bare;
  }

  /// The text before a number, without the colon or equals sign between them.
  [[nodiscard]] std::string_view words_before(const StatedNumber& number) const {
    const std::string_view before = trimmed(text_.substr(0, number.begin));
    return before.ends_with(':') || before.ends_with('=') ? trimmed(before.substr(0, before.size() - 1)) : before;
  }

  /// Joins "7", "-" and "9B" into one range.
  void join_range(StatedNumber& number) {
    if (out_.empty() || number.kind != StatedNumber::count) return;
    const StatedNumber& before = out_.back();
    if (!may_begin_range(before, number)) return;
    const std::string_view between = trimmed(text_.substr(before.end, number.begin - before.end));
    const bool joined = between == "-" || between == "to" || (between == "and" && text_.substr(0, before.begin).ends_with("between "));
    if (!joined) return;
    number.from = concat({before.figures, " ", number.unit});
    number.begin = before.begin;
    out_.pop_back();
  }

  /// Whether `before` can be the lower end of a range up to `number`: it has the same unit, or none.
  [[nodiscard]] static bool may_begin_range(const StatedNumber& before, const StatedNumber& number) {
    if (!before.from.empty()) return false;
    if (before.kind == StatedNumber::count) return before.unit == number.unit && before.counts == number.counts;
    const bool without_unit = before.kind == StatedNumber::bare || (before.kind == StatedNumber::other && before.unit.empty());
    return without_unit && before.counts == Unit::parameters;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<StatedNumber> out_;
};

}  // namespace

const OperationsWord* operations_word(std::string_view word) {
  const auto* const found =
      std::find_if(std::begin(operations_words), std::end(operations_words), [&](const OperationsWord& o) { return o.word == word; });
  return found == std::end(operations_words) ? nullptr : found;
}

std::vector<StatedNumber> stated_numbers(std::string_view text) { return Scanner(text).scan(); }

}  // namespace param_ledger
