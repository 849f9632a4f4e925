#include "core/inputs/text/tensor_lines.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

#include "core/builder/row_names.hpp"
#include "core/expr/formula.hpp"
#include "core/expr/index_set.hpp"
#include "core/inputs/tensors/name_ranges.hpp"
#include "core/json/json_text.hpp"
#include "core/json/value_text.hpp"
#include "core/support/attempt.hpp"
#include "core/support/characters.hpp"
#include "core/support/count.hpp"
#include "core/support/error.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::size_t most_dimensions = 16;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool in_name(char c) { return in_word(c) || c == '.' || c == '-' || c == '/' || c == ':' || c == '+' || c == '@'; }
/// Whether the character may stand next to a name or shape in a table or Python tuple.
bool is_ornament(char c) { return is_space(c) || std::strchr("|'\"`,;:=*(>-+│┃║{", c) != nullptr; }

struct Line {
  enum class Kind : std::uint8_t { empty, tensor, other };
  Kind kind = Kind::other;
  std::string_view name;
  std::array<std::uint64_t, most_dimensions> dims{};
  std::size_t rank = 0;
  Dtype dtype = 0;
  std::optional<std::uint64_t> copies;  ///< the number of copies in "x 32" or "(32 layers)"
  std::vector<std::uint64_t> numbers;   ///< other integers in the line: numbers of elements or bytes, or other columns
};

/// One line, read from left to right:
///   ornament* [row number ornament+] name (shape | dtype | multiplier | number | word | ornament)*
///   shape      = "[" integers "]" | "(" integers ")" | "torch.Size([" integers "])" | integer (sign integer)+
///   multiplier = sign integer | integer sign | integer ("layers" | "times" | "copies" | …)
///   sign       = "x" | "X" | "×" | "*"
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}

  Line read() {
    skip_ornaments();
    if (at_end() || text_[i_] == '#') {
      line_.kind = Line::Kind::empty;
      return std::move(line_);
    }
    skip_row_number();
    const std::string_view name = this->name();
    if (!may_name_tensor(name)) return std::move(line_);
    while (!at_end())
      if (!token()) return std::move(line_);
    // A name followed by a shape is a tensor if the name contains a dot or an underscore, or if there is a dtype or torch.Size.
    const bool marked = marked_ || line_.dtype != 0 || name.find_first_of("._") != std::string_view::npos;
    if (shaped_ && marked) {
      line_.name = name;
      line_.kind = Line::Kind::tensor;
    }
    return std::move(line_);
  }

 private:
  [[nodiscard]] bool at_end() const { return i_ >= text_.size(); }
  [[nodiscard]] std::string_view rest() const { return text_.substr(i_); }
  void skip_ornaments() {
    while (!at_end() && is_ornament(text_[i_])) ++i_;
  }
  void skip_spaces(std::size_t& at) const {
    while (at < text_.size() && is_space(text_[at])) ++at;
  }

  /// Skips the row number that pandas prints at the beginning of a line.
  void skip_row_number() {
    std::size_t end = i_;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    if (end == i_ || end >= text_.size() || !is_ornament(text_[end]) || text_[end] == '-') return;
    i_ = end;
    skip_ornaments();
  }

  /// Consumes a name, which may contain index ranges such as "[0-3]".
  std::string_view name() {
    const std::size_t begin = i_;
    while (!at_end()) {
      if (in_name(text_[i_])) {
        ++i_;
        continue;
      }
      const std::size_t close =
          text_[i_] == '[' && i_ > begin && (text_[i_ - 1] == '.' || text_[i_ - 1] == '_') ? text_.find(']', i_) : std::string_view::npos;
      if (close == std::string_view::npos || !is_index(text_.substr(i_, close + 1 - i_)) || close + 1 == text_.size() ||
          text_[close + 1] != '.')
        break;
      i_ = close + 1;
    }
    std::string_view out = text_.substr(begin, i_ - begin);
    while (!out.empty() && out.back() == ':') out.remove_suffix(1);
    return out;
  }

  static bool may_name_tensor(std::string_view name) {
    return !name.empty() && name.back() != '.' && name.find("..") == std::string_view::npos &&
           (begins_name(name.front()) || name.find('.') != std::string_view::npos);
  }

  /// Consumes the next token. Returns false if the line cannot describe a tensor.
  bool token() {
    constexpr std::string_view size = "torch.Size(";
    const char c = text_[i_];
    if (!shaped_ && rest().starts_with(size) && rest().size() > size.size() && rest()[size.size()] == '[') {
      i_ += size.size();
      return shaped_ = marked_ = brackets(line_.dims, line_.rank);
    }
    if (c == '[' || c == '(')
      bracket();
    else if (is_digit(c))
      number();
    else if (const std::size_t sign = sign_at(i_); sign != 0 && multiplier(i_ + sign))
      return true;
    else if (begins_name(c))
      word();
    else
      ++i_;
    return true;
  }

  void bracket() {
    if (!shaped_ && brackets(line_.dims, line_.rank)) {
      shaped_ = true;
      return;
    }
    std::array<std::uint64_t, most_dimensions> dims{};
    std::size_t rank = 0;
    // After the shape, a single number in brackets is recorded. Two or more, such as byte offsets, are ignored. If the brackets contain
    // anything else, only the opening bracket is skipped.
    if (!shaped_ || !brackets(dims, rank))
      ++i_;
    else if (rank == 1)
      line_.numbers.push_back(dims[0]);
  }

  /// Consumes `[4096, 4096]` or `(4096,)`. Consumes nothing and returns false if the brackets contain something else, such as "[4,096, 8]",
  /// where a comma groups digits.
  bool brackets(std::array<std::uint64_t, most_dimensions>& dims, std::size_t& rank) {
    const char close = text_[i_] == '[' ? ']' : ')';
    std::size_t at = i_ + 1, spaced = 0, commas = 0;
    rank = 0;
    for (skip_spaces(at); at < text_.size() && text_[at] != close; skip_spaces(at)) {
      if (!dimension(at, dims, rank)) return false;
      skip_spaces(at);
      if (at < text_.size() && text_[at] == ',') {
        ++at;
        if (at < text_.size() && text_[at] == close) break;
        ++commas;
        if (at < text_.size() && is_space(text_[at])) ++spaced;
      } else if (at >= text_.size() || text_[at] != close) {
        return false;
      }
    }
    if (at >= text_.size() || (spaced != 0 && spaced != commas)) return false;
    i_ = at + 1;
    return true;
  }

  bool dimension(std::size_t& at, std::array<std::uint64_t, most_dimensions>& dims, std::size_t& rank) const {
    std::string_view figures = text_.substr(at);
    const std::size_t before = figures.size();
    const std::optional<std::uint64_t> value = parse_integer<std::uint64_t>(figures);
    const std::size_t taken = before - figures.size();
    if (!value || rank == most_dimensions || (taken > 1 && text_[at] == '0')) return false;
    dims[rank++] = *value;
    at += taken;
    return true;
  }

  /// The length in bytes of a multiplication sign ("x", "×" or "*") at a position; 0 if there is none, or if it begins a word.
  [[nodiscard]] std::size_t sign_at(std::size_t at) const {
    const std::string_view sign = text_.substr(std::min(at, text_.size()));
    if (sign.starts_with("×")) return std::strlen("×");
    const bool one = sign.starts_with('x') || sign.starts_with('X') || sign.starts_with('*');
    return one && (sign.size() == 1 || !begins_name(sign[1])) ? 1 : 0;
  }

  /// Consumes `4096x4096` or `4096×4096`. "0x10" is a single number.
  bool product() {
    std::array<std::uint64_t, most_dimensions> dims{};
    std::size_t at = i_, rank = 0;
    if (rest().starts_with("0x")) return false;
    for (;;) {
      if (!dimension(at, dims, rank)) return false;
      const std::size_t sign = sign_at(at);
      if (sign == 0 || at + sign >= text_.size() || !is_digit(text_[at + sign])) break;
      at += sign;
    }
    if (rank < 2 || (at < text_.size() && in_name(text_[at]))) return false;
    line_.dims = dims;
    line_.rank = rank;
    i_ = at;
    return true;
  }

  /// Consumes an integer that follows a multiplication sign and optional blanks.
  bool multiplier(std::size_t at) {
    skip_spaces(at);
    std::string_view figures = text_.substr(std::min(at, text_.size()));
    const std::optional<std::uint64_t> value = parse_integer<std::uint64_t>(figures);
    if (!value || (!figures.empty() && in_name(figures.front()))) return false;
    set_copies(*value);
    i_ = text_.size() - figures.size();
    return true;
  }

  void set_copies(std::uint64_t value) {
    if (line_.copies)
      line_.numbers.push_back(value);  // it is unclear which of the two numbers is the number of copies
    else
      line_.copies = value;
  }

  void number() {
    if (!shaped_ && product()) {
      shaped_ = true;
      return;
    }
    const std::size_t begin = i_;
    while (!at_end() && (is_digit(text_[i_]) || ((text_[i_] == ',' || text_[i_] == '_') && three_figures(text_, i_ + 1)))) ++i_;
    const std::optional<Count> value = whole_number(text_.substr(begin, i_ - begin));
    if (const std::size_t sign = sign_at(i_); sign != 0 && value && fits(*value)) {  // a multiplier before its sign, such as "32x"
      i_ += sign;
      return set_copies(static_cast<std::uint64_t>(*value));
    }
    if (!at_end() && in_name(text_[i_])) {  // the digits belong to a decimal, a number with a unit or a name: "2.5", "16MB", "7b-chat"
      while (!at_end() && (in_name(text_[i_]) || text_[i_] == '%')) ++i_;
      return;
    }
    if (!at_end() && text_[i_] == '%') return;
    if (!value || !fits(*value)) return line_.numbers.push_back(~std::uint64_t{0});
    std::size_t at = i_;
    skip_spaces(at);
    const std::string_view behind = text_.substr(at);
    constexpr std::string_view repeated[] = {"layer", "time", "cop", "repeat", "block", "instance"};
    if (std::any_of(std::begin(repeated), std::end(repeated), [&](std::string_view word) { return behind.starts_with(word); }))
      return set_copies(static_cast<std::uint64_t>(*value));
    line_.numbers.push_back(static_cast<std::uint64_t>(*value));
  }

  void word() {
    const std::size_t begin = i_;
    while (!at_end() && in_name(text_[i_])) ++i_;
    if (line_.dtype == 0) line_.dtype = dtype_written(text_.substr(begin, i_ - begin));
  }

  std::string_view text_;
  std::size_t i_ = 0;
  Line line_;
  bool shaped_ = false, marked_ = false;
};

Line read_line(std::string_view text) { return LineReader(text).read(); }

/// Whether a line is a heading, a rule or a total of a table.
bool is_heading(std::string_view text) {
  if (std::none_of(text.begin(), text.end(), in_word)) return true;
  constexpr std::string_view words[] = {"shape", "Shape", "total", "Total", "state_dict", "OrderedDict", "Parameter"};
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) { return holds(text, word); });
}

/// Whether a heading has a column for the number of tensors in each row.
bool has_copies_column(std::string_view heading) {
  constexpr std::string_view words[] = {"copies", "Copies", "count", "Count", "repeat", "Repeat", "times", "Times", "×"};
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) { return holds(heading, word); });
}

/// Reads a list of tensors line by line.
class ListReader {
 public:
  explicit ListReader(Listing& out) : out_(out) {}

  void add(std::string_view written, std::uint64_t number) {
    const Line line = read_line(written);
    if (line.kind == Line::Kind::tensor) {
      if (attempt([&] { tensor(line, number); })) out_.problems.add(number, {quoted(line.name), " has more elements than can be counted."});
      return;
    }
    if (leaves_out_rows(written)) return out_.problems.add(number, "Rows are omitted here.");
    if (line.kind == Line::Kind::empty) return;
    if (!is_heading(written)) return out_.problems.add(number, {"Not a tensor's name and shape: ", quoted(written)});
    const bool sum = holds(written, "otal") && std::any_of(written.begin(), written.end(), is_digit);
    if (sum)
      total(written, number);
    else if (has_copies_column(written))
      copies_column_ = true;
  }

  /// Reports totals in the text that differ from the tensors that were read.
  void finish() {
    for (const Total& total : totals_)
      if (total.value != total.so_far && total.value != elements_ && total.value != tensors_ && !(sized_ && total.value == bytes_))
        out_.problems.add(total.line, {"The text gives a total of ", grouped_digits(total.value), ", but its tensors add up to ",
                                       grouped_digits(elements_), " elements."});
  }

 private:
  struct Total {
    std::uint64_t line;
    Count value, so_far;
  };

  void tensor(const Line& line, std::uint64_t number) {
    const Count elements = elements_of(line.dims.data(), line.rank);
    const std::vector<std::string> names = expanded_names(line.name, budget_);
    if (names.empty()) return out_.problems.add(number, {quoted(line.name), " names too many tensors."});
    const std::uint64_t copies = copies_of(line, elements, names.size(), number);
    if (copies == 1 && has_placeholder(line.name))
      out_.problems.add(number, {quoted(line.name), " has a letter for an index, and is counted once. Give the indices, such as [0-31]."});
    for (const std::string& name : names) out_.table.add(name, {line.dims.data(), line.rank}, line.dtype, ListedKind::parameter, copies);
    const Count all = Count{copies} * names.size();
    out_.files.back().tensors += static_cast<std::uint64_t>(all);
    tensors_ = param_ledger::add(tensors_, all);
    elements_ = param_ledger::add(elements_, multiply(elements, all));
    bytes_ = param_ledger::add(bytes_, multiply(bytes_of(line.dtype, elements), all));
    sized_ = sized_ && line.dtype != 0;
  }

  /// The number of tensors that each name in a line stands for. Reports integers in the line that fit neither the tensor nor its copies.
  std::uint64_t copies_of(const Line& line, Count elements, std::size_t names, std::uint64_t number) {
    constexpr std::uint64_t most = 1'000'000;
    const auto explained = [&](Count n, Count copies) {
      const Count sum = elements * copies;  // less than 2^105 if `elements` fits into 64 bits, so that even 8 times this fits into 128 bits
      return n == sum || n == sum * 2 || n == sum * 4 || n == sum * 8 || n == bytes_of(line.dtype, sum) || n == elements ||
             n == bytes_of(line.dtype, elements) || n == copies;
    };
    const auto all_explained = [&](Count copies) {
      return std::all_of(line.numbers.begin(), line.numbers.end(), [&](std::uint64_t n) { return explained(n, copies); });
    };
    const Count written = line.copies.value_or(1);
    if (written <= most && written != 0 && fits(elements) && all_explained(Count{names} * written)) {
      // In "layers.[0-31].x × 32", the range and the factor both give the number of layers.
      if (written == 1 || names == 1) return static_cast<std::uint64_t>(written);
      if (written == names) return 1;
    }
    if (!line.copies && names == 1 && copies_column_)
      for (const std::uint64_t copies : line.numbers)
        if (copies != 0 && copies <= most && all_explained(copies)) return copies;
    if (line.copies && *line.copies == names) return 1;
    out_.problems.add(number, {quoted(line.name), " is followed by a number of unclear meaning, so it is counted once."});
    return 1;
  }

  /// Whether a name has a letter where a layer's index should be: "layers.N.mlp".
  static bool has_placeholder(std::string_view name) {
    const std::vector<std::string_view> segments = segments_of(name);
    for (std::size_t i = 1; i < segments.size(); ++i)
      if (is_one_of(segments[i], {"N", "n", "i", "l", "L", "x", "X"}) &&
          is_one_of(segments[i - 1], {"layers", "layer", "blocks", "block", "h", "blk", "experts"}))
        return true;
    return false;
  }

  static bool leaves_out_rows(std::string_view text) {
    if (trimmed(text).starts_with('#')) return false;
    return holds(text, "...") || holds(text, "…") || holds(text, "⋮") || holds(text, "⋯");
  }

  void total(std::string_view text, std::uint64_t number) {
    for (std::size_t i = text.find("otal"); i < text.size(); ++i) {
      if (!is_digit(text[i])) continue;
      const std::size_t begin = i;
      while (i < text.size() && (is_digit(text[i]) || ((text[i] == ',' || text[i] == '_') && three_figures(text, i + 1)))) ++i;
      // A total with a decimal point or a unit, such as "8.03B" or "16 GB", is rounded, so it is not compared.
      std::size_t unit = i;
      while (unit < text.size() && is_space(text[unit])) ++unit;
      if (i < text.size() && (in_word(text[i]) || text[i] == '.')) return;
      constexpr std::string_view units[] = {"GB", "MB", "KB", "GiB", "MiB", "KiB", "billion", "million", "B ", "M "};
      if (std::any_of(std::begin(units), std::end(units), [&](std::string_view u) { return text.substr(unit).starts_with(u); })) return;
      if (const std::optional<Count> value = whole_number(text.substr(begin, i - begin))) totals_.push_back({number, *value, elements_});
      return;
    }
  }

  Listing& out_;
  std::vector<Total> totals_;
  Count elements_ = 0, bytes_ = 0, tensors_ = 0;
  std::size_t budget_ = most_expanded_names;
  bool sized_ = true, copies_column_ = false;
};

}  // namespace

LineCount count_tensor_lines(std::string_view text, bool (*decided)(const LineCount& so_far)) {
  LineCount out;
  each_line(text, [&](std::string_view line, std::uint64_t) {
    const Line::Kind kind = read_line(line).kind;
    if (kind == Line::Kind::tensor) ++out.tensors;
    if (kind == Line::Kind::other && !is_heading(line)) ++out.others;
    return !decided(out);
  });
  return out;
}

void read_tensor_lines(std::string_view text, Listing& out) {
  ListReader list(out);
  each_line(text, [&](std::string_view line, std::uint64_t number) {
    list.add(line, number);
    return true;
  });
  list.finish();
}

}  // namespace param_ledger
