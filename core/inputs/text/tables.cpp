#include "core/inputs/text/tables.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/expr/formula.hpp"
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

void add_sized(Listing& out, std::string_view name, Count elements) {
  out.table.add_sized(name, static_cast<std::uint64_t>(elements));
  ++out.files.back().tensors;
}

bool in_name(char c) { return in_word(c) || c == '.' || c == '-' || c == '/' || c == ':'; }

struct Numbered {
  std::string_view name;
  Count elements = 0;
  bool shaped = false;
  std::array<std::uint64_t, 16> dims{};
  std::size_t rank = 0;
};

/// Parses `name 4096`, `name: 4,096` or `name (64, 64) 4096`, possibly followed by `True` or a dtype.
class NumberedReader {
 public:
  explicit NumberedReader(std::string_view line) : rest_(trimmed(line)) {}

  std::optional<Numbered> read() {
    skip("|'\"(-* \t");
    Numbered out;
    out.name = name();
    if (out.name.find('.') == std::string_view::npos || is_digit(out.name.front()) || out.name.back() == '.') return std::nullopt;
    skip("'\"|:=,> \t-");
    constexpr std::string_view size = "torch.Size(";
    if (rest_.starts_with(size)) rest_.remove_prefix(size.size());
    if ((rest_.starts_with('(') || rest_.starts_with('[')) && !shape(out)) return std::nullopt;
    const std::optional<Count> elements = number();
    if (!elements || !fits(*elements) || !ends_well()) return std::nullopt;
    out.elements = *elements;
    return out;
  }

 private:
  void skip(std::string_view what) { rest_.remove_prefix(std::min(rest_.find_first_not_of(what), rest_.size())); }

  std::string_view name() {
    const auto end = static_cast<std::size_t>(std::find_if_not(rest_.begin(), rest_.end(), in_name) - rest_.begin());
    std::string_view out = rest_.substr(0, end);
    rest_.remove_prefix(end);
    while (!out.empty() && out.back() == ':') out.remove_suffix(1);
    return out;
  }

  bool shape(Numbered& out) {
    const char close = rest_.front() == '(' ? ')' : ']';
    rest_.remove_prefix(1);
    while (!rest_.starts_with(close)) {
      const std::optional<std::uint64_t> dim = parse_integer<std::uint64_t>(rest_);
      if (!dim || out.rank == out.dims.size()) return false;
      out.dims[out.rank++] = *dim;
      skip(", ");
    }
    out.shaped = true;
    skip(")] \t|,:=");
    return true;
  }

  std::optional<Count> number() {
    const std::size_t end = std::min(rest_.find_first_not_of("0123456789,_"), rest_.size());
    std::string_view written = rest_.substr(0, end);
    rest_.remove_prefix(end);
    while (!written.empty() && written.back() == ',') written.remove_suffix(1);
    return whole_number(written);
  }

  /// Whether the number is a number of elements. The rest of the line must not contain a fraction, a percentage or another number, except
  /// in a dtype such as float32.
  [[nodiscard]] bool ends_well() const {
    if (rest_.starts_with('.')) return false;
    const bool further = std::any_of(rest_.begin(), rest_.end(), [](char c) { return is_digit(c) || c == '%'; });
    return !further || holds(rest_, "float") || holds(rest_, "int");
  }

  std::string_view rest_;
};

std::optional<Numbered> numbered(std::string_view line) { return NumberedReader(line).read(); }

bool is_tensor_name(std::string_view name) {
  return name.ends_with("weight") || name.ends_with("bias") || name.find("lora_") != std::string_view::npos;
}

}  // namespace

bool is_number_list(std::string_view text) {
  std::size_t tensors = 0, numbers = 0, others = 0;
  each_line(text, [&](std::string_view line, std::uint64_t) {
    const std::optional<Numbered> read = numbered(line);
    if (read)
      ++(is_tensor_name(read->name) ? tensors : numbers);
    else if (!trimmed(line).empty())
      ++others;
    return tensors < 1000 + others + numbers;
  });
  return tensors > 1 && tensors > numbers && tensors > 2 * others;
}

void read_number_list(std::string_view text, Listing& out) {
  Count sum = 0;
  each_line(text, [&](std::string_view line, std::uint64_t number) {
    const std::optional<Numbered> read = numbered(line);
    if (!read) {
      // A total that is correct is accepted, and short lines without digits are ignored as headings. Other lines are reported.
      const std::string_view inner = trimmed(line);
      const std::size_t last = inner.find_last_of(" \t:=");
      const std::optional<Count> said = last == std::string_view::npos ? std::nullopt : whole_number(inner.substr(last + 1));
      const bool total = inner.find("otal") != std::string_view::npos || inner.find("TOTAL") != std::string_view::npos;
      if (total && said && *said == sum) return true;
      if (holds(inner, "...") || holds(inner, "…") || holds(inner, "⋮")) {
        out.problems.add(number, "Rows are omitted here.");
        return true;
      }
      const bool heading = std::none_of(inner.begin(), inner.end(), [](char c) { return is_digit(c); });
      if (!inner.empty() && (!heading || inner.size() > 80)) out.problems.add(number, {"Not a tensor's name and number: ", quoted(inner)});
      return true;
    }
    std::size_t budget = 1;
    if (expanded_names(read->name, budget).empty()) {
      out.problems.add(number, {quoted(read->name), " names several tensors: it is unclear whether the number is for one or for all."});
      return true;
    }
    if (read->shaped) {
      Count product = 0;  // remains 0 if the product is too large for a Count
      attempt([&] { product = elements_of(read->dims.data(), read->rank); });
      if (product != read->elements) {
        out.problems.add(number, {quoted(read->name), " has a shape of ", grouped_digits(product), " elements, but gives ",
                                  grouped_digits(read->elements), "."});
        return true;
      }
      out.table.add(read->name, {read->dims.data(), read->rank}, 0);
      ++out.files.back().tensors;
    } else {
      add_sized(out, read->name, read->elements);
    }
    sum = add(sum, read->elements);
    return true;
  });
}

namespace {

struct Dumped {
  std::string_view name, type;
  std::array<std::uint64_t, 4> dims{};
  std::size_t rank = 0;
};

/// Reads up to four dimensions separated by commas. Drops trailing dimensions of size 1, and reverses the order, because ggml lists the
/// fastest-varying dimension first. Returns false if there is no dimension, or if the text contains anything else.
bool read_dims(std::string_view text, Dumped& out) {
  std::size_t i = 0;
  for (; out.rank < 4; ++out.rank) {
    while (i < text.size() && (text[i] == ' ' || text[i] == ',')) ++i;
    if (i == text.size()) break;
    std::string_view rest = text.substr(i);
    const std::optional<std::uint64_t> dim = parse_integer<std::uint64_t>(rest);
    if (!dim) return false;
    out.dims[out.rank] = *dim;
    i = text.size() - rest.size();
  }
  while (i < text.size() && text[i] == ' ') ++i;
  if (i != text.size() || out.rank == 0) return false;
  while (out.rank > 1 && out.dims[out.rank - 1] == 1) --out.rank;
  std::reverse(out.dims.begin(), out.dims.begin() + static_cast<std::ptrdiff_t>(out.rank));
  return true;
}

/// Parses a line of gguf-dump: `  1:  131072000 |  4096, 32000,     1,     1 | Q4_K    | token_embd.weight`;
/// or of llama.cpp: `… - tensor    0:    token_embd.weight q4_K     [  4096, 32000,     1,     1 ]`.
std::optional<Dumped> dumped(std::string_view line) {
  constexpr std::string_view mark = "- tensor ";
  Dumped out;
  if (const std::size_t at = line.find(mark); at != std::string_view::npos) {
    const std::size_t colon = line.find(':', at), open = line.rfind('['), close = line.rfind(']');
    if (colon == std::string_view::npos || open == std::string_view::npos || close == std::string_view::npos || open < colon ||
        close < open)
      return std::nullopt;
    const std::string_view words = trimmed(line.substr(colon + 1, open - colon - 1));
    const std::size_t gap = words.find(' ');
    if (gap == std::string_view::npos) return std::nullopt;
    out.name = words.substr(0, gap);
    out.type = trimmed(words.substr(gap));
    return read_dims(line.substr(open + 1, close - open - 1), out) ? std::optional(out) : std::nullopt;
  }
  std::array<std::string_view, 4> parts;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t bar = i < 3 ? line.find('|') : line.size();
    if (bar == std::string_view::npos) return std::nullopt;
    parts[i] = trimmed(line.substr(0, bar));
    line.remove_prefix(std::min(bar + 1, line.size()));
  }
  const std::size_t colon = parts[0].find(':');
  if (colon == std::string_view::npos || !whole_number(trimmed(parts[0].substr(colon + 1))) || parts[3].empty() ||
      parts[3].find(' ') != std::string_view::npos)
    return std::nullopt;
  out.type = parts[2];
  out.name = parts[3];
  return read_dims(parts[1], out) ? std::optional(out) : std::nullopt;
}

}  // namespace

bool is_gguf_dump(std::string_view text) {
  bool found = false;
  if (text.find("| ") == std::string_view::npos && text.find("- tensor ") == std::string_view::npos) return false;
  each_line(text, [&](std::string_view line, std::uint64_t) {
    found = dumped(line).has_value();
    return !found;
  });
  return found;
}

void read_gguf_dump(std::string_view text, Listing& out) {
  each_line(text, [&](std::string_view line, std::uint64_t number) {
    const std::optional<Dumped> read = dumped(line);
    if (!read) return true;  // the line is a key-value pair or prose
    if (attempt([&] { out.table.add(read->name, {read->dims.data(), read->rank}, dtype_written(read->type)); }))
      out.problems.add(number, {quoted(read->name), " has more elements than can be counted."});
    else
      ++out.files.back().tensors;
    return true;
  });
}

}  // namespace param_ledger
