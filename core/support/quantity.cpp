#include "core/support/quantity.hpp"

#include <algorithm>

#include "core/support/characters.hpp"
#include "core/support/error.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Replaces the typographic characters listed below with ASCII ones, apostrophes with underscores, and tabs and line feeds with spaces.
/// Removes signs for "approximately".
std::string plain(std::string_view text) {
  struct Sign {
    std::string_view typeset;
    std::string_view typed;
  };
  static constexpr Sign signs[] = {{"\u00a0", " "}, {"\u202f", " "}, {"\u2009", " "}, {"\u2019", "_"}, {"'", "_"},  {"\u00d7", "*"},
                                   {"\u00b7", "*"}, {"\u2248", ""},  {"\u223c", ""},  {"~", ""},       {"\t", " "}, {"\n", " "}};
  static constexpr std::string_view raised_digits[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                                       "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  std::string out;
  bool in_exponent = false;
  while (!text.empty()) {
    const auto* const digit =
        std::find_if(std::begin(raised_digits), std::end(raised_digits), [&](std::string_view s) { return text.starts_with(s); });
    if (digit != std::end(raised_digits)) {  // a raised digit is an exponent: 10⁹ becomes 10^9
      if (!in_exponent) out += '^';
      out += static_cast<char>('0' + (digit - std::begin(raised_digits)));
      in_exponent = true;
      text.remove_prefix(digit->size());
      continue;
    }
    in_exponent = false;
    const auto* const sign = std::find_if(std::begin(signs), std::end(signs), [&](const Sign& s) { return text.starts_with(s.typeset); });
    out += sign != std::end(signs) ? sign->typed : text.substr(0, 1);
    text.remove_prefix(sign != std::end(signs) ? sign->typeset.size() : 1);
  }
  return out;
}

struct Unit {
  std::string_view word;
  unsigned power;  ///< the exponent of 1,000 or 1,024: 3 for "gb" and "gib"
  bool bytes;
  bool binary;
};

constexpr Unit units[] = {
    {"k", 1, false, false},         {"thousand", 1, false, false},  {"m", 2, false, false},          {"mn", 2, false, false},
    {"mio", 2, false, false},       {"million", 2, false, false},   {"millions", 2, false, false},   {"b", 3, false, false},
    {"mrd", 3, false, false},       {"mia", 3, false, false},       {"milliarden", 3, false, false}, {"milliard", 3, false, false},
    {"milliards", 3, false, false}, {"millionen", 2, false, false}, {"bn", 3, false, false},         {"g", 3, false, false},
    {"billion", 3, false, false},   {"billions", 3, false, false},  {"t", 4, false, false},          {"tn", 4, false, false},
    {"trillion", 4, false, false},  {"trillions", 4, false, false}, {"bytes", 0, true, false},       {"byte", 0, true, false},
    {"kb", 1, true, false},         {"mb", 2, true, false},         {"gb", 3, true, false},          {"tb", 4, true, false},
    {"kib", 1, true, true},         {"mib", 2, true, true},         {"gib", 3, true, true},          {"tib", 4, true, true},
    {"kilobytes", 1, true, false},  {"megabytes", 2, true, false},  {"gigabytes", 3, true, false},   {"gigabyte", 3, true, false},
    {"terabytes", 4, true, false},  {"gibibytes", 3, true, true},
};

/// Words next to a number that are ignored.
constexpr std::string_view fillers[] = {"parameters", "parameter",   "params",   "param", "weights",    "about",   "approximately",
                                        "roughly",    "around",      "circa",    "ca",    "total",      "in",      "at",
                                        "of",         "with",        "a",        "model", "the",        "only",    "precision",
                                        "and",        "over",        "memory",   "as",    "checkpoint", "file",    "files",
                                        "nearly",     "almost",      "alone",    "per",   "token",      "encoder", "tower",
                                        "part",       "layers",      "tables",   "table", "matrix",     "is",      "its",
                                        "gguf",       "safetensors", "download", "on",    "disk",       "size",    "lm",
                                        "output",     "input",       "w"};

/// Words next to a number that say what it counts.
struct SubjectWord {
  std::string_view word;
  subject::Word means;
};
constexpr SubjectWord subject_words[] = {
    {"active", subject::active},
    {"activated", subject::active},
    {"embedding", subject::embeddings},
    {"embeddings", subject::embeddings},
    {"embed", subject::embeddings},
    {"nonembedding", subject::no_embeddings},
    {"head", subject::head},
    {"unembedding", subject::head},
    {"vision", subject::vision},
    {"visual", subject::vision},
    {"vit", subject::vision},
    {"image", subject::vision},
    {"audio", subject::audio},
    {"speech", subject::audio},
    {"projector", subject::projector},
    {"connector", subject::projector},
    {"text", subject::text},
    {"language", subject::text},
    {"llm", subject::text},
    {"attention", subject::attention},
    {"mlp", subject::feed_forward},
    {"ffn", subject::feed_forward},
    {"feedforward", subject::feed_forward},
    {"feed", subject::feed_forward},
    {"forward", subject::feed_forward},
    {"experts", subject::feed_forward},
    {"router", subject::router},
    {"norms", subject::norms},
};

/// After one of these words, a word for embeddings or the head means that the number leaves them out.
constexpr std::string_view negations[] = {"non", "no", "not", "without", "excluding", "excl", "minus", "except", "o"};

struct TypeWord {
  std::string_view word;
  NumberType type;
};
constexpr TypeWord type_words[] = {
    {"float32", {"float32", 32}}, {"fp32", {"float32", 32}},    {"f32", {"float32", 32}},       {"float", {"float32", 32}},
    {"32bit", {"float32", 32}},   {"float16", {"float16", 16}}, {"fp16", {"float16", 16}},      {"f16", {"float16", 16}},
    {"half", {"float16", 16}},    {"16bit", {"float16", 16}},   {"bfloat16", {"bfloat16", 16}}, {"bf16", {"bfloat16", 16}},
    {"float8", {"float8", 8}},    {"fp8", {"float8", 8}},       {"f8", {"float8", 8}},          {"float8e4m3fn", {"float8", 8}},
    {"int8", {"int8", 8}},        {"8bit", {"int8", 8}},        {"int4", {"int4", 4}},          {"4bit", {"int4", 4}},
    {"nf4", {"int4", 4}},         {"fp4", {"int4", 4}},         {"float64", {"float64", 64}},   {"fp64", {"float64", 64}},
};

class QuantityReader {
 public:
  QuantityReader(std::string_view written, std::string_view field) : field_(field), text_(plain(written)), rest_(text_) {
    out_.text = std::string(trimmed(written));
  }

  Quantity read() {
    skip_words();
    const std::string_view before = rest_;
    if (rest_.empty() || !(is_digit(rest_.front()) || rest_.front() == '.')) refuse();
    read_number();
    out_.figures = std::string(before.substr(0, before.size() - rest_.size()));
    read_scale();
    read_rest();
    settle();
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse() const {
    if (std::none_of(out_.text.begin(), out_.text.end(), is_digit))
      throw Error{ErrorCode::wrong_type, std::string(field_),
                  concat({"\"", clipped(out_.text, 60), "\" contains no number. Write one as 6.74B, 6,738,411,520 or 13.5 GB in fp16."})};
    throw Error{ErrorCode::wrong_type, std::string(field_),
                concat({"\"", clipped(out_.text, 60),
                        "\" cannot be read as a number. Write it as 6.74B, 6,738,411,520, 6.738 billion, 13.5 GB in fp16 or 12.55 GiB."})};
  }

  void skip_blanks() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }

  std::string word() {
    std::string out;
    while (!rest_.empty() && (is_letter(rest_.front()) || (is_digit(rest_.front()) && !out.empty()))) {
      out += lower(rest_.front());
      rest_.remove_prefix(1);
    }
    return out;
  }

  /// Records what a word says about the number. Returns false if the word is unknown.
  bool understood(std::string_view word) {
    const auto is = [&](std::string_view known) { return known == word; };
    if (std::any_of(std::begin(fillers), std::end(fillers), is)) return true;
    if (std::any_of(std::begin(negations), std::end(negations), is)) return without_ = true;
    const auto* const known =
        std::find_if(std::begin(subject_words), std::end(subject_words), [&](const SubjectWord& s) { return s.word == word; });
    if (known == std::end(subject_words)) return false;
    unsigned means = known->means;
    if (without_ && (means == subject::embeddings || means == subject::head)) means <<= 1U;
    out_.subject = static_cast<std::uint16_t>(out_.subject | means);
    return true;
  }

  void skip_words() {
    for (skip_blanks(); !rest_.empty() && is_letter(rest_.front());) {
      if (!understood(word())) refuse();
      const auto next = [&](std::string_view signs) { return !rest_.empty() && signs.find(rest_.front()) != std::string_view::npos; };
      while (next(" :,(") || (next("-/") && rest_.size() > 1 && is_letter(rest_[1]))) rest_.remove_prefix(1);
    }
  }

  void skip_separators() {
    while (!rest_.empty() && std::string_view(" ()[],;.-:/+").find(rest_.front()) != std::string_view::npos) rest_.remove_prefix(1);
  }

  /// Reads a GGUF quantization format: Q4_K_M, IQ4_XS, MXFP4.
  bool read_format() {
    std::size_t n = 0;
    std::string name;
    for (; n < rest_.size() && (is_letter(rest_[n]) || is_digit(rest_[n]) || rest_[n] == '_'); ++n)
      name += rest_[n] >= 'a' && rest_[n] <= 'z' ? static_cast<char>(rest_[n] - 'a' + 'A') : rest_[n];
    const std::size_t letters = name.starts_with("IQ") ? 2 : name.starts_with("Q") ? 1 : 0;
    const bool quantised = letters > 0 && name.size() > letters + 1 && is_digit(name[letters]) && name[letters + 1] == '_';
    if (!quantised && name != "MXFP4") return false;
    if (!out_.format.empty() || out_.bits != 0) refuse();
    out_.format = std::move(name);
    rest_.remove_prefix(n);
    return true;
  }

  /// Reads an integer or decimal: "6738", "6,738,411", "6.738.411,5", "8.03", "8,03", ".5".
  void read_number() {
    read_digits();
    const char grouping = grouping_sign();
    unsigned groups = 0;
    for (; grouping != '\0' && rest_.starts_with(grouping) && three_figures(rest_, 1); ++groups) {
      rest_.remove_prefix(1);
      read_digits();
    }
    comma_ = grouping == ',' && groups == 1;
    const bool point = rest_.starts_with('.') || rest_.starts_with(',');
    if (point && !rest_.starts_with(grouping) && rest_.size() > 1 && is_digit(rest_[1])) {
      rest_.remove_prefix(1);
      decimals_ = read_digits();
    }
    if (written_ == 0) refuse();
  }

  /// Reads digits and returns how many there are.
  unsigned read_digits() {
    constexpr unsigned most = 30;
    const unsigned before = written_;
    for (; !rest_.empty() && is_digit(rest_.front()); rest_.remove_prefix(1)) {
      if (++written_ > most) refuse();
      mantissa_ = add(multiply(mantissa_, 10), static_cast<unsigned>(rest_.front() - '0'));
      if (mantissa_ != 0) ++out_.digits;
    }
    return written_ - before;
  }

  /// The thousands separator: a comma, an underscore or a blank before three digits. A point is a thousands separator only if another point
  /// with three digits follows, because a single one begins a fraction. NUL if there is none.
  [[nodiscard]] char grouping_sign() const {
    if (written_ == 0 || rest_.empty() || !three_figures(rest_, 1)) return '\0';
    const char sign = rest_.front();
    const bool twice = rest_.size() > 4 && rest_[4] == '.' && three_figures(rest_, 5);
    return sign == ',' || sign == '_' || sign == ' ' || (sign == '.' && twice) ? sign : '\0';
  }

  std::uint64_t small_integer() {
    std::uint64_t out = 0;
    std::size_t n = 0;
    for (; !rest_.empty() && is_digit(rest_.front()); rest_.remove_prefix(1), ++n)
      if ((out = 10 * out + static_cast<unsigned>(rest_.front() - '0')) > 126) refuse();
    if (n == 0) refuse();
    return out;
  }

  /// Reads an exponent right after the number: 2^30, 6.7e9, 6.7 * 10^9.
  void read_scale() {
    skip_blanks();
    const auto eat = [&](std::string_view sign) {
      if (!rest_.starts_with(sign)) return false;
      rest_.remove_prefix(sign.size());
      return true;
    };
    if (eat("^") || eat("**")) {
      if (decimals_ > 0 || mantissa_ == 0) refuse();
      mantissa_ = raised(mantissa_, small_integer());
      out_.digits = static_cast<unsigned>(digits(mantissa_).size());
      whole_ = true;
    } else if (rest_.size() > 1 && (rest_[0] == 'e' || rest_[0] == 'E') && (is_digit(rest_[1]) || rest_[1] == '+')) {
      rest_.remove_prefix(1);
      eat("+");
      scale_ = raised(10, small_integer());
    } else if (eat("*") || (rest_.size() > 3 && rest_[0] == 'x' && eat("x"))) {
      skip_blanks();
      if (!eat("10")) refuse();
      if (!eat("^") && !eat("**")) refuse();
      scale_ = raised(10, small_integer());
    }
  }

  void read_rest() {
    bool unit_read = false;
    for (;;) {
      skip_separators();
      if (rest_.empty()) return;
      if (read_format()) continue;
      const bool counted = is_digit(rest_.front());  // the number is a count of bits, as in "8 bit" or "4-bit"
      std::string found;
      if (counted) {
        found = digits(small_integer());
        while (!rest_.empty() && (rest_.front() == '-' || rest_.front() == ' ')) rest_.remove_prefix(1);
      }
      const std::string letters = word();
      if (letters.empty()) refuse();
      found += letters;
      if (found == "torch" || understood(found)) continue;
      if (const NumberType type = number_type(found); type.bits != 0) {
        if (out_.bits != 0 || !out_.format.empty()) refuse();
        out_.bits = type.bits;
        out_.dtype = type.name;
        continue;
      }
      const auto* const unit = std::find_if(std::begin(units), std::end(units), [&](const Unit& u) { return u.word == found; });
      if (unit == std::end(units) || (unit_read && !(unit->bytes && unit->power == 0 && !out_.bytes))) refuse();
      unit_read = true;
      // Before a German, French or Danish unit the comma is a decimal point: "6,738 Milliarden" is 6.738 billion.
      if (comma_ && decimals_ == 0 && is_one_of(found, {"mio", "millionen", "mrd", "milliarden", "mia", "milliard", "milliards"}))
        decimals_ = 3;
      out_.bytes = out_.bytes || unit->bytes;
      out_.decimal = unit->bytes && !unit->binary && unit->power > 0;
      scale_ = multiply(scale_, raised(unit->binary ? 1024 : 1000, unit->power));
      scaled_ = scaled_ || unit->power > 0;
      out_.thousands = std::max(out_.thousands, unit->power);
    }
  }

  void settle() {
    const Count tenths = raised(10, decimals_);
    const Count low = multiply(2 * mantissa_ - (mantissa_ > 0 ? 1 : 0), scale_), high = multiply(2 * mantissa_ + 1, scale_);
    out_.value = multiply(mantissa_, scale_) / tenths;
    out_.ulp = scale_ / tenths;
    if (tenths == scale_) {  // the last written digit counts ones, so the number is exact
      out_.low = out_.high = out_.value;
    } else {
      out_.low = low / (2 * tenths) + (low % (2 * tenths) != 0 ? 1 : 0);
      out_.high = high / (2 * tenths);
    }
    if (out_.low > out_.high) out_.low = out_.high = out_.value;
    // In "340M" a single final zero may come from rounding; in an integer written in full, only three or more final zeros may.
    const unsigned least = scale_ == 1 ? 3 : 1;
    if (decimals_ == 0 && !whole_)
      for (Count rest = mantissa_; rest != 0 && rest % 10 == 0; rest /= 10) ++out_.zeros;
    if (out_.zeros < least) out_.zeros = 0;
    if (out_.bits != 0 && !out_.bytes && scaled_ && out_.value == 0) refuse();
  }

  std::string_view field_;
  std::string text_;
  std::string_view rest_;
  Quantity out_;
  Count mantissa_ = 0;
  Count scale_ = 1;
  unsigned written_ = 0;   ///< number of digits read so far
  unsigned decimals_ = 0;  ///< digits after the decimal point
  bool scaled_ = false;
  bool comma_ = false;    ///< a comma separates the last three digits from the rest
  bool without_ = false;  ///< a negation such as "without" precedes
  bool whole_ = false;    ///< the number is a power such as 2^30, which is exact even if it ends in zeros when written out
};

}  // namespace

bool is_quantity_word(std::string_view word) {
  const auto is = [&](std::string_view known) { return known == word; };
  return std::any_of(std::begin(fillers), std::end(fillers), is) || std::any_of(std::begin(negations), std::end(negations), is) ||
         std::any_of(std::begin(subject_words), std::end(subject_words), [&](const SubjectWord& s) { return s.word == word; }) ||
         number_type(word).bits != 0;
}

QuantityUnit quantity_unit(std::string_view word) {
  const auto* const unit = std::find_if(std::begin(units), std::end(units), [&](const Unit& u) { return u.word == word; });
  return unit == std::end(units) ? QuantityUnit{} : QuantityUnit{unit->power, unit->bytes};
}

Count raised(Count base, std::uint64_t exponent) {
  Count out = 1;
  for (; exponent > 0; --exponent) out = multiply(out, base);
  return out;
}

NumberType number_type(std::string_view word) {
  if (word.starts_with("torch.")) word.remove_prefix(6);
  std::string plain_word;
  for (const char c : word)
    if (is_letter(c) || is_digit(c)) plain_word += lower(c);
  for (const TypeWord& known : type_words)
    if (known.word == plain_word) return known.type;
  return {"", 0};
}

Quantity read_quantity(std::string_view text, std::string_view field) {
  constexpr std::size_t longest = 200;
  if (text.size() > longest) throw Error{ErrorCode::too_large, std::string(field), "A number must have fewer than 200 characters."};
  return QuantityReader(text, field).read();
}

}  // namespace param_ledger
