#include "core/claims/claim_text.hpp"

#include <algorithm>
#include <optional>

#include "core/support/attempt.hpp"
#include "core/support/characters.hpp"
#include "core/support/error.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

std::string_view spelling(Unit unit) {
  static constexpr std::string_view names[] = {"parameters", "bytes", "operations", "percent"};
  return names[static_cast<std::size_t>(unit)];
}

namespace {

constexpr std::size_t most_characters = 4000, most_claims = 40;

// --- Characters -----------------------------------------------------------------------------------------------------------

/// The text in lower-case ASCII where people use other characters, with the origin of each byte.
struct Plain {
  std::string text;
  std::vector<std::size_t> from;

  void put(std::string_view bytes, std::size_t origin) {
    for (const char c : bytes) {
      text += lower(c);
      from.push_back(origin);
    }
  }
};

Plain plain(std::string_view written) {
  struct Sign {
    std::string_view typeset, typed;
  };
  static constexpr Sign signs[] = {{"\u00a0", " "}, {"\u202f", " "}, {"\u2009", " "}, {"\u2019", "'"}, {"\u00d7", "*"},
                                   {"\u00b7", "*"}, {"\u2248", " "}, {"\u223c", " "}, {"~", " "},      {"\t", " "},
                                   {"\r", " "},     {"`", " "},      {"\u2013", "-"}, {"\u2014", "-"}, {"\u2212", "-"},
                                   {"\u2070", "0"}, {"\u00b9", "1"}, {"\u00b2", "2"}, {"\u00b3", "3"}, {"\u2074", "4"},
                                   {"\u2075", "5"}, {"\u2076", "6"}, {"\u2077", "7"}, {"\u2078", "8"}, {"\u2079", "9"}};
  Plain out;
  bool raised_before = false;
  for (std::size_t i = 0; i < written.size();) {
    const std::string_view rest = written.substr(i);
    const auto* const sign = std::find_if(std::begin(signs), std::end(signs), [&](const Sign& s) { return rest.starts_with(s.typeset); });
    const bool found = sign != std::end(signs), is_raised = found && is_digit(sign->typed.front());
    if (is_raised && !raised_before) out.put("^", i);
    raised_before = is_raised;
    const bool bold = rest.starts_with("**") && !(i > 0 && is_digit(written[i - 1]) && rest.size() > 2 && is_digit(rest[2]));
    const std::size_t size = found ? sign->typeset.size() : bold ? 2 : 1;
    out.put(found ? sign->typed : bold ? "  " : rest.substr(0, 1), i);
    i += size;
  }
  out.from.push_back(written.size());
  return out;
}

// --- Tables ---------------------------------------------------------------------------------------------------------------

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t end = text.find(at);
    out.push_back(trimmed(text.substr(0, end)));
    if (end == std::string_view::npos) return out;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string_view> cells_of(std::string_view line) {
  line = trimmed(line);
  if (line.starts_with('|')) line.remove_prefix(1);
  if (line.ends_with('|')) line.remove_suffix(1);
  return split(line, '|');
}

bool has_digit(std::string_view text) { return std::any_of(text.begin(), text.end(), is_digit); }

/// Whether the line is the one below a Markdown table's header: "|---|:--:|".
bool is_rule(std::string_view line) {
  return holds(line, "-") && holds(line, "|") && line.find_first_not_of("|-: ") == std::string_view::npos;
}

/// Writes each cell of a Markdown table with its header and the label of its row, one on a line.
std::string without_tables(std::string_view written) {
  const std::vector<std::string_view> lines = split(written, '\n');
  std::string out;
  std::vector<std::string_view> header;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool in_table = holds(lines[i], "|");
    if (!in_table) header.clear();
    if (in_table && i + 1 < lines.size() && is_rule(lines[i + 1])) {
      header = cells_of(lines[i]);
      ++i;
      continue;
    }
    if (header.empty()) {
      out += concat({lines[i], "\n"});
      continue;
    }
    const std::vector<std::string_view> cells = cells_of(lines[i]);
    for (std::size_t k = 0; k < cells.size(); ++k) {
      if (!has_digit(cells[k])) continue;
      const std::string_view column = k < header.size() && !has_digit(header[k]) ? header[k] : "";
      const std::string_view label = k > 0 && !has_digit(cells[0]) ? cells[0] : "";
      out += concat({label, label.empty() ? "" : " ", column, column.empty() && label.empty() ? "" : ": ", cells[k], "\n"});
    }
  }
  return out;
}

// --- Numbers --------------------------------------------------------------------------------------------------------------

/// A number in the text and what directly follows it.
struct Found {
  std::size_t begin, end;  ///< with its unit
  std::string figures;     ///< the number itself, with an exponent
  std::string unit;        ///< "b", "gb", "t"; empty if there is none
  Unit counts = Unit::parameters;
  enum Kind : std::uint8_t { count, bare, tokens, batch, bits, other } kind = bare;
  Count experts = 0;
  std::string from = {};  ///< the lower end of a range, with its unit
};

/// Words that may follow a number of parameters, bytes or operations. If another noun follows, the number counts that.
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
    "operations", "transformer", "language", "reward",     "value",  "decoder",  "backbone", "stored",    "main"};

struct Operations {
  std::string_view word, unit;
};
constexpr Operations operation_words[] = {{"flops", ""},   {"flop", ""},    {"operations", ""}, {"ops", ""},    {"mflops", "m"},
                                          {"gflops", "b"}, {"gflop", "b"},  {"tflops", "t"},    {"tflop", "t"}, {"pflops", "p"},
                                          {"pflop", "p"},  {"eflops", "e"}, {"zflops", "z"}};

const Operations* operations_word(std::string_view word) {
  const auto* const found =
      std::find_if(std::begin(operation_words), std::end(operation_words), [&](const Operations& o) { return o.word == word; });
  return found == std::end(operation_words) ? nullptr : found;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<Found> scan() {
    while (at_ < text_.size()) {
      if (is_number_here())
        read();
      else if (is_letter(text_[at_]) || is_digit(text_[at_]))
        skip_name();
      else
        ++at_;
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  [[nodiscard]] bool is_number_here() const { return is_digit(peek()) || (peek() == '.' && is_digit(peek(1))); }

  /// A name with digits in it, such as "V3", "Qwen2.5-72B" or "Llama-3.1-8B".
  void skip_name() {
    // A slash ends a name: in "params/token" the unit follows.
    while (in_word(peek()) || ((peek() == '-' || peek() == '.') && (is_digit(peek(1)) || is_letter(peek(1))))) ++at_;
  }

  std::string word_at(std::size_t at) const {
    std::string out;
    for (; at < text_.size() && (is_letter(text_[at]) || (is_digit(text_[at]) && !out.empty())); ++at) out += text_[at];
    return out;
  }

  [[nodiscard]] std::size_t skip_blanks(std::size_t at) const {
    while (at < text_.size() && text_[at] == ' ') ++at;
    return at;
  }

  /// Whether three digits and no fourth follow that place.
  [[nodiscard]] bool group_at(std::size_t at) const {
    return at + 2 < text_.size() && is_digit(text_[at]) && is_digit(text_[at + 1]) && is_digit(text_[at + 2]) &&
           !(at + 3 < text_.size() && is_digit(text_[at + 3]));
  }

  /// Reads digits with separators and an exponent.
  std::string figures() {
    const std::size_t begin = at_;
    const auto eat_digits = [&] {
      while (is_digit(peek())) ++at_;
    };
    eat_digits();
    const std::size_t first = at_ - begin;
    const bool points = peek() == '.' && group_at(at_ + 1) && at_ + 4 < text_.size() && text_[at_ + 4] == '.' && group_at(at_ + 5);
    const char sign = peek();
    if (first > 0 && first < 4 && (sign == ',' || sign == '_' || sign == '\'' || sign == ' ' || points))
      while (peek() == sign && group_at(at_ + 1)) at_ += 4;
    if ((peek() == '.' || peek() == ',') && is_digit(peek(1)) && (peek() != sign || at_ == begin + first)) {
      ++at_;
      eat_digits();
    }
    std::string out(text_.substr(begin, at_ - begin));
    std::replace(out.begin(), out.end(), '\'', '_');
    // "e9", "^30", "* 10^9"
    const std::size_t mark = at_;
    if (peek() == 'e' && (is_digit(peek(1)) || (peek(1) == '+' && is_digit(peek(2))))) {
      at_ += peek(1) == '+' ? 2 : 1;
    } else if (peek() == '^' && is_digit(peek(1))) {
      ++at_;
    } else {
      at_ = skip_blanks(at_);
      if (peek() == '*' || (peek() == 'x' && !is_letter(peek(1)))) at_ = skip_blanks(at_ + 1);
      if (at_ == mark || !text_.substr(at_).starts_with("10^")) {
        at_ = mark;
        return out;
      }
      at_ += 3;
    }
    const std::size_t exponent = at_;
    eat_digits();
    const std::string_view power = text_.substr(exponent, at_ - exponent);
    return concat({out, text_[exponent - 1] == '^' && exponent - 1 == mark ? "^" : "e", power});
  }

  /// "8x7B": the number of experts, which precedes this number.
  Count experts_before() {
    std::size_t end = at_;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (end == at_ || end - at_ > 4 || end + 1 >= text_.size()) return 0;
    if ((text_[end] != 'x' && text_[end] != '*') || !is_digit(text_[end + 1]) || text_.substr(end + 1).starts_with("10^")) return 0;
    std::string_view figures = text_.substr(at_, end - at_);
    at_ = end + 1;
    return parse_integer<std::uint64_t>(figures).value_or(0);
  }

  void read() {
    Found found{at_, at_, "", ""};
    found.experts = experts_before();
    found.figures = figures();
    const bool named = in_word(peek()) && quantity_unit(word_at(at_)).power == 0 && operations_word(word_at(at_)) == nullptr;
    read_unit(found);
    found.end = at_;
    if (named && found.unit.empty() && found.kind != Found::bits &&
        found.counts == Unit::parameters) {  // "3d": not a number. "7b-instruct": has a unit
      skip_name();
      found.end = at_;
      found.kind = Found::other;
    } else {
      classify(found);
    }
    join_range(found);
    out_.push_back(std::move(found));
  }

  void read_unit(Found& found) {
    std::size_t at = skip_blanks(at_);
    if (at < text_.size() && text_[at] == '%') {
      found.counts = Unit::percent;
      at_ = at + 1;
      return;
    }
    if (at == at_ && at < text_.size() && text_[at] == '-') ++at;
    const std::string word = word_at(at);
    if (word == "percent") {
      found.counts = Unit::percent;
      at_ = at + word.size();
      return;
    }
    if (word == "bit" || word == "bits") {
      found.kind = Found::bits;
      at_ = at + word.size();
      return;
    }
    if (const Operations* const ops = operations_word(word)) {
      found.unit = ops->unit;
      found.counts = Unit::operations;
      at_ = at + word.size();
      return;
    }
    const QuantityUnit unit = quantity_unit(word);
    if (unit.power == 0 && !unit.bytes) return;
    found.unit = word;
    found.counts = unit.bytes ? Unit::bytes : Unit::parameters;
    at_ = at + word.size();
    const std::size_t next = skip_blanks(at_);
    const std::string second = word_at(next);
    const Operations* const ops = operations_word(second);
    if (!unit.bytes && ops != nullptr && ops->unit.empty()) {  // "70.27 trillion operations"
      found.counts = Unit::operations;
      at_ = next + second.size();
    } else if (!unit.bytes && (second == "bytes" || second == "byte")) {
      found.unit += " bytes";
      found.counts = Unit::bytes;
      at_ = next + second.size();
    }
  }

  /// Applies the words next to a number.
  void classify(Found& found) const {
    if (found.kind == Found::bits) return;
    std::size_t at = skip_blanks(at_);
    const bool joined = at == at_ && at < text_.size() && (text_[at] == '-' || text_[at] == '/');
    if (joined && text_[at] == '/' && word_at(at + 1) == "s") {  // a rate
      found.kind = Found::other;
      return;
    }
    if (joined && text_[at] == '-') ++at;
    const std::string next = word_at(at);
    static constexpr std::string_view token_words[] = {"tokens", "token", "context", "ctx", "positions"};
    const auto is = [&](std::string_view known) { return known == next; };
    const bool small = found.unit.empty() || found.unit == "k" || found.unit == "m";
    if (std::any_of(std::begin(token_words), std::end(token_words), is)) {
      found.kind = small && found.counts == Unit::parameters ? Found::tokens : Found::other;
      return;
    }
    if (next == "sequences" && found.unit.empty()) {
      found.kind = Found::batch;
      return;
    }
    std::string_view before = trimmed(text_.substr(0, found.begin));
    if (before.ends_with(':')) before = trimmed(before.substr(0, before.size() - 1));
    const auto ends = [&](std::string_view words) { return before.ends_with(words); };
    if (found.unit.empty() && (ends("batch") || ends("batch size") || ends("batch of") || ends("batch size of"))) {
      found.kind = Found::batch;
      return;
    }
    if (small && found.counts == Unit::parameters &&
        (ends("context") || ends("context length") || ends("context of") || ends("sequence length") || ends("seq_len"))) {
      found.kind = Found::tokens;
      return;
    }
    if (!next.empty() && !is_quantity_word(next) && std::none_of(std::begin(may_follow), std::end(may_follow), is) &&
        operations_word(next) == nullptr) {
      found.kind = Found::other;
      return;
    }
    const auto figures = static_cast<std::size_t>(std::count_if(found.figures.begin(), found.figures.end(), is_digit));
    constexpr std::size_t least_figures = 6;
    const bool large = figures >= least_figures && !holds(found.figures, ".");
    const bool scaled = !found.unit.empty() || found.counts != Unit::parameters || holds(found.figures, "e") || holds(found.figures, "^");
    found.kind = scaled || large ? Found::count : Found::bare;
  }

  /// Joins "7", "-" and "9B" to one range.
  void join_range(Found& found) {
    if (out_.empty() || found.kind != Found::count) return;
    Found& before = out_.back();
    const bool open = before.kind == Found::bare || (before.kind == Found::other && before.unit.empty()) ||
                      (before.kind == Found::count && before.unit == found.unit);
    if (!open || !before.from.empty() || before.counts != (before.kind == Found::count ? found.counts : Unit::parameters)) return;
    const std::string_view between = trimmed(text_.substr(before.end, found.begin - before.end));
    const bool joined = between == "-" || between == "to" || (between == "and" && text_.substr(0, before.begin).ends_with("between "));
    if (!joined) return;
    found.from = concat({before.figures, " ", found.unit});
    found.begin = before.begin;
    out_.pop_back();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Found> out_;
};

// --- Words ----------------------------------------------------------------------------------------------------------------

/// The words of a text, in lower case: letters and digits; "4-bit" is "4bit", "per token" two words, and a sign "%" one.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '%') {
      out.emplace_back("%");
      ++i;
    } else if (text[i] == '/') {
      out.emplace_back("per");
      ++i;
    } else if (in_word(text[i])) {
      const std::size_t begin = i;
      while (i < text.size() && in_word(text[i])) ++i;
      out.emplace_back(text.substr(begin, i - begin));
    } else {
      ++i;
    }
  }
  for (std::size_t i = 0; i + 2 < out.size(); ++i)
    if (out[i] == "w" && out[i + 1] == "per" && out[i + 2] == "o") out[i] = "without", out[i + 1].clear(), out[i + 2].clear();
  for (std::size_t i = 0; i + 1 < out.size(); ++i)
    if ((out[i] == "4" || out[i] == "8" || out[i] == "16" || out[i] == "32") && out[i + 1].starts_with("bit")) {
      out[i] += "bit";
      out[i + 1].clear();
    }
  return out;
}

bool is_gguf_format(std::string_view word) {
  return word == "mxfp4" ||
         (word.size() > 3 && (word.starts_with("iq") || (word.starts_with('q') && is_digit(word[1]) && holds(word, "_"))));
}

/// Where words behind the first of two numbers end and words before the second begin.
std::size_t boundary(std::string_view between, bool first_has_words) {
  std::size_t out = std::string_view::npos;
  for (const std::string_view sign : {"\n", ";", "|", ")", ", ", ". ", " and ", " with ", " of which ", " while ", "=", " / "})
    out = std::min(out, between.find(sign));
  if (out != std::string_view::npos) return out;
  return first_has_words ? 0 : between.size();
}

struct ClaimWords {
  Claim claim;
  std::string text;   ///< the number as `read_quantity` takes it
  bool rate = false;  ///< a sign "%" before the number
  bool operations = false, memory = false;
};

/// Reads the words around a number.
ClaimWords read_words(const Found& found, const std::vector<std::string>& words) {
  ClaimWords out;
  Claim& claim = out.claim;
  claim.unit = found.counts;
  claim.experts = found.experts;
  out.text = concat({found.figures, " ", found.unit == "p" || found.unit == "e" || found.unit == "z" ? "" : found.unit});
  bool typed = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto is = [&](std::initializer_list<std::string_view> known) {
      return std::find(known.begin(), known.end(), word) != known.end();
    };
    const bool token = i + 1 < words.size() && (words[i + 1] == "token" || words[i + 1] == "tokens");
    if (token && is({"per", "each", "every", "a"})) claim.per_token = true;
    if (is({"trainable"})) claim.trainable = true;
    if (is({"training", "backward", "train"})) claim.training = true;
    if (is({"causal"})) claim.causal = true;
    if (is({"mfu", "hfu", "utilization", "utilisation"})) claim.utilization = true;
    if (is({"kv", "cache"})) claim.cache = true;
    if (is({"bnb", "4bit", "nf4", "gptq", "awq", "mlx", "nvfp4", "mxfp4", "packed", "quantized", "quantised", "bitsandbytes"}))
      claim.packed = true;
    if (is({"total", "all", "overall"})) claim.whole = true;
    if (is({"mtp", "nextn", "prediction"})) claim.prediction = true;
    if (word == "%") out.rate = true;
    if (operations_word(word) != nullptr && word != "ops") out.operations = true;
    if (is({"memory", "vram", "weights", "cache"})) out.memory = true;
    if (word.empty() || word == "with" || word == "and" || word == "a") continue;
    const bool type = number_type(word).bits != 0 || is_gguf_format(word);
    if (type && (typed || found.counts != Unit::bytes)) continue;
    if (!type && (found.counts == Unit::operations || found.counts == Unit::percent)) continue;
    if (!type && !is_quantity_word(word)) continue;
    typed = typed || type;
    out.text += ' ';
    out.text += word;
  }
  if (found.experts > 0) out.text = concat({found.figures, " ", found.unit});
  return out;
}

[[noreturn]] void refuse_units(std::string_view text, std::string_view why) {
  throw Error{ErrorCode::wrong_type, "claim", concat({"\"", clipped(text, 60), "\" ", why})};
}

Quantity quantity_of(const Found& found, const ClaimWords& words) {
  if (found.counts == Unit::percent || words.rate) {
    Quantity out = read_quantity(concat({found.figures, "e6"}), "claim");
    if (out.exact()) out.high = add(out.high, 1);  // more digits than are kept
    return out;
  }
  std::string text = words.text;
  static constexpr std::pair<std::string_view, std::string_view> large[] = {{"p", "e15"}, {"e", "e18"}, {"z", "e21"}};
  for (const auto& [unit, power] : large)
    if (found.unit == unit) text = concat({found.figures, power});
  Quantity out = read_quantity(text, "claim");
  if (!found.from.empty()) {
    const Quantity from = read_quantity(found.from, "claim");
    if (from.value > out.value)
      refuse_units(concat({found.from, " – ", found.figures, found.unit}), "is a range that ends before it begins.");
    out.low = from.value;
    out.high = out.value;
    out.range = true;
  }
  return out;
}

/// The tokens that a number stands for: k is 1,024, as in "128k context".
Count tokens_of(const Found& found) {
  const Quantity q = read_quantity(found.figures, "claim");
  return found.unit == "k" ? multiply(q.value, 1024) : found.unit == "m" ? multiply(q.value, Count{1} << 20U) : q.value;
}

/// Whether the words after the number say what it counts. Then words before the next number belong to that one.
bool says_something(std::string_view words) {
  const auto found = words_of(words);
  return std::any_of(found.begin(), found.end(), [](const std::string& word) {
    return word == "total" || word == "active" || word == "activated" || word == "trainable" || word == "all";
  });
}

/// A clause without the signs and words that link it to its neighbours.
std::string_view without_links(std::string_view clause) {
  const auto strip = [&] {
    while (!clause.empty() && std::string_view(" \n|,;.)=").find(clause.front()) != std::string_view::npos) clause.remove_prefix(1);
  };
  strip();
  for (const std::string_view word : {"and ", "with ", "of which ", "while "})
    if (clause.starts_with(word)) clause.remove_prefix(word.size());
  strip();
  while (!clause.empty() && std::string_view(" \n|,;(").find(clause.back()) != std::string_view::npos) clause.remove_suffix(1);
  return clause;
}

std::vector<Claim> read_several(std::string_view written) {
  const std::string laid_out = without_tables(written);
  const Plain plain_text = plain(laid_out);
  const std::string_view text = plain_text.text;
  const std::vector<Found> found = Scanner(text).scan();
  std::vector<std::size_t> begins(found.size()), ends(found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    begins[i] = i == 0 ? 0 : ends[i - 1];
    if (i + 1 == found.size()) {
      ends[i] = text.size();
      continue;
    }
    const std::string_view between = text.substr(found[i].end, found[i + 1].begin - found[i].end);
    ends[i] = found[i].end + boundary(between, says_something(text.substr(begins[i], found[i].begin - begins[i])));
  }
  std::vector<Claim> out;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Found& number = found[i];
    const std::string around =
        concat({text.substr(begins[i], number.begin - begins[i]), " ", text.substr(number.end, ends[i] - number.end)});
    ClaimWords words = read_words(number, words_of(around));
    const bool share = words.rate && number.kind == Found::bare;
    if (number.kind != Found::count && !share) continue;
    const std::size_t from = plain_text.from[begins[i]], to = plain_text.from[ends[i]];
    std::string_view clause = std::string_view(laid_out).substr(from, to - from);
    clause = without_links(clause);
    if (number.counts == Unit::bytes && words.operations)
      refuse_units(clause, "names bytes and operations. Write operations as FLOPs: 70.27 TFLOPs.");
    if (number.counts == Unit::operations && words.memory)
      refuse_units(clause, "names operations and memory. Write memory as bytes: 13.5 GB.");
    Claim claim = words.claim;
    if (share) claim.unit = Unit::percent;
    claim.number = quantity_of(number, words);
    if (claim.unit == Unit::parameters) claim.per_token = false;  // "37B activated per token"
    claim.number.text = std::string(clipped(clause, 120));
    std::size_t nearest = text.size() + 1;
    const bool of_use = claim.unit == Unit::operations || claim.per_token || claim.cache;
    for (const Found& other : found) {
      if (!of_use) break;
      const std::size_t off = other.begin > number.begin ? other.begin - number.begin : number.begin - other.begin;
      if (other.kind == Found::batch) claim.batch = std::max<Count>(1, read_quantity(other.figures, "claim").value);
      if (other.kind != Found::tokens || off >= nearest) continue;
      nearest = off;
      claim.tokens = tokens_of(other);
    }
    out.push_back(std::move(claim));
    if (out.size() == most_claims) break;
  }
  return out;
}

/// Whether `read_quantity` can read it: a plain total of parameters or bytes.
bool is_plain(const Claim& c) {
  return c.unit < Unit::operations && !c.per_token && !c.trainable && !c.training && !c.utilization && !c.cache && !c.packed &&
         !c.prediction && c.tokens == 0 && c.experts == 0 && !c.number.range;
}

}  // namespace

std::vector<Claim> read_claims(std::string_view written) {
  if (written.size() > most_characters)
    throw Error{ErrorCode::too_large, "claim", concat({"A claim may have at most ", grouped_digits(most_characters), " characters."})};
  std::vector<Claim> out;
  const std::optional<Error> refused = attempt([&] { out = read_several(written); });
  if (refused && refused->code != ErrorCode::overflow && refused->code != ErrorCode::wrong_type) throw *refused;
  if (!refused && (out.size() > 1 || (out.size() == 1 && !is_plain(out.front())))) {
    if (out.size() == 1) out.front().number.text = std::string(clipped(trimmed(written), 200));
    return out;
  }
  // A number without any words.
  const std::optional<Error> not_alone = attempt([&] {
    const Quantity alone = read_quantity(written, "claim");
    const bool bytes = alone.bytes;
    const bool whole = !out.empty() && out.front().whole;
    out = {Claim{.number = alone, .unit = bytes ? Unit::bytes : Unit::parameters, .whole = whole}};
  });
  if (not_alone) {
    if (refused) throw *refused;
    if (out.empty()) throw *not_alone;
    out.front().number.text = std::string(clipped(trimmed(written), 200));
  }
  return out;
}

}  // namespace param_ledger
