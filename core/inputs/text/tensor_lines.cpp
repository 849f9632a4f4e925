#include "core/inputs/text/tensor_lines.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/json/value_text.hpp"
#include "core/support/characters.hpp"
#include "core/support/error.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::size_t most_dimensions = 16;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool in_name(char c) { return in_word(c) || c == '.' || c == '-' || c == '/' || c == ':' || c == '+' || c == '@'; }
/// What stands around names and shapes in tables and in Python's tuples.
bool is_ornament(char c) { return is_space(c) || std::strchr("|'\"`,;:=*(>-+│┃║{", c) != nullptr; }

struct Line {
  enum class Kind : std::uint8_t { empty, tensor, other };
  Kind kind = Kind::other;
  std::string_view name;
  std::array<std::uint64_t, most_dimensions> dims{};
  std::size_t rank = 0;
  Dtype dtype = 0;

  [[nodiscard]] bool add_dimension(std::string_view text, std::size_t& i) {
    std::uint64_t value = 0;
    for (; i < text.size() && is_digit(text[i]); ++i) {
      const auto figure = static_cast<std::uint64_t>(text[i] - '0');
      if (value > (~std::uint64_t{0} - figure) / 10) return false;
      value = 10 * value + figure;
    }
    if (rank == most_dimensions) return false;
    dims[rank++] = value;
    return true;
  }
};

/// Reads `[4096, 4096]` or `(4096,)` at `i`; false where it is something else.
bool read_brackets(std::string_view text, std::size_t& i, Line& line) {
  const char close = text[i] == '[' ? ']' : ')';
  std::size_t at = i + 1;
  line.rank = 0;
  const auto skip = [&] {
    while (at < text.size() && is_space(text[at])) ++at;
  };
  for (skip(); at < text.size() && text[at] != close; skip()) {
    if (!is_digit(text[at]) || !line.add_dimension(text, at)) return false;
    skip();
    if (at < text.size() && text[at] == ',')
      ++at;
    else if (at >= text.size() || text[at] != close)
      return false;
  }
  if (at >= text.size()) return false;
  i = at + 1;
  return true;
}

/// Reads `4096x4096` or `4096×4096` at `i`.
bool read_product(std::string_view text, std::size_t& i, Line& line) {
  std::size_t at = i;
  line.rank = 0;
  for (;;) {
    if (at >= text.size() || !is_digit(text[at]) || !line.add_dimension(text, at)) return false;
    const std::string_view rest = text.substr(at);
    const std::size_t sign = rest.starts_with("×") ? std::strlen("×") : rest.starts_with("x") || rest.starts_with("*") ? 1 : 0;
    if (sign == 0) break;
    at += sign;
  }
  if (line.rank < 2 || (at < text.size() && in_name(text[at]))) return false;
  i = at;
  return true;
}

Line read_line(std::string_view text) {
  Line line;
  std::size_t i = 0;
  while (i < text.size() && is_ornament(text[i])) ++i;
  if (i == text.size() || text[i] == '#') {
    line.kind = Line::Kind::empty;
    return line;
  }
  // Tables of pandas number their rows.
  std::size_t number = i;
  while (number < text.size() && is_digit(text[number])) ++number;
  if (number < text.size() && is_ornament(text[number]) && text[number] != '-')
    for (i = number; i < text.size() && is_ornament(text[i]);) ++i;
  const std::size_t begin = i;
  while (i < text.size() && in_name(text[i])) ++i;
  std::string_view name = text.substr(begin, i - begin);
  while (!name.empty() && name.back() == ':') name.remove_suffix(1);
  if (name.empty() || (!begins_name(name.front()) && name.find('.') == std::string_view::npos)) return line;
  bool shaped = false, marked = false;
  while (i < text.size()) {
    const char c = text[i];
    const std::string_view rest = text.substr(i);
    constexpr std::string_view size = "torch.Size(";
    if (!shaped && rest.starts_with(size) && rest.size() > size.size() && rest[size.size()] == '[') {
      i += size.size();
      if (!read_brackets(text, i, line)) return line;
      shaped = marked = true;
    } else if (!shaped && (c == '[' || c == '(')) {
      if (read_brackets(text, i, line))
        shaped = true;
      else
        ++i;
    } else if (is_digit(c)) {
      shaped = shaped || read_product(text, i, line);
      while (i < text.size() && is_digit(text[i])) ++i;  // half of a number is none
    } else if (begins_name(c)) {
      const std::size_t word = i;
      while (i < text.size() && in_name(text[i])) ++i;
      if (const Dtype dtype = dtype_written(text.substr(word, i - word)); dtype != 0 && line.dtype == 0) line.dtype = dtype;
    } else {
      ++i;
    }
  }
  // A word with something in brackets is a tensor where its name has parts, or a dtype or torch.Size says so.
  marked = marked || line.dtype != 0 || name.find('.') != std::string_view::npos || name.find('_') != std::string_view::npos;
  if (!shaped || !marked) return line;
  line.name = name;
  line.kind = Line::Kind::tensor;
  return line;
}

/// Headings, rules and sums of tables: no tensor is lost with them.
bool is_heading(std::string_view text) {
  bool letters = false;
  for (const char c : text) letters = letters || in_word(c);
  if (!letters) return true;
  constexpr std::string_view words[] = {"shape", "Shape", "total", "Total", "state_dict", "OrderedDict", "Parameter"};
  return std::any_of(std::begin(words), std::end(words), [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

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
  each_line(text, [&](std::string_view written, std::uint64_t number) {
    const Line line = read_line(written);
    if (line.kind == Line::Kind::empty || (line.kind == Line::Kind::other && is_heading(written))) return true;
    if (line.kind == Line::Kind::other) {
      out.problems.add(number, {"No name and shape of a tensor: ", quoted(written)});
      return true;
    }
    try {
      out.table.add(line.name, {line.dims.data(), line.rank}, line.dtype);
      ++out.files.back().tensors;
    } catch (const Error&) {
      out.problems.add(number, {quoted(line.name), " has more elements than can be counted."});
    }
    return true;
  });
}

}  // namespace param_ledger
