#include "core/inputs/text/tables.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/expr/formula.hpp"
#include "core/json/value_text.hpp"
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

// --- Names and numbers ------------------------------------------------------------------------------------------------

bool in_name(char c) { return in_word(c) || c == '.' || c == '-' || c == '/' || c == ':'; }

struct Numbered {
  std::string_view name;
  Count elements = 0;
  bool shaped = false;
  std::array<std::uint64_t, 16> dims{};
  std::size_t rank = 0;
};

/// `name 4096`, `name: 4,096`, `name (64, 64) 4096`, with `True` or a type behind it.
std::optional<Numbered> numbered(std::string_view line) {
  line = trimmed(line);
  std::size_t i = 0;
  const auto skip = [&](std::string_view what) {
    while (i < line.size() && what.find(line[i]) != std::string_view::npos) ++i;
  };
  skip("|'\"(-* \t");
  const std::size_t begin = i;
  while (i < line.size() && in_name(line[i])) ++i;
  Numbered out;
  out.name = line.substr(begin, i - begin);
  while (!out.name.empty() && out.name.back() == ':') out.name.remove_suffix(1);
  if (out.name.find('.') == std::string_view::npos || is_digit(out.name.front()) || out.name.back() == '.') return std::nullopt;
  skip("'\"|:=,> \t-");
  if (const std::string_view rest = line.substr(i); rest.starts_with("torch.Size(")) i += std::string_view("torch.Size(").size();
  if (i < line.size() && (line[i] == '(' || line[i] == '[')) {
    const char close = line[i] == '(' ? ')' : ']';
    for (++i; i < line.size() && line[i] != close;) {
      if (!is_digit(line[i])) return std::nullopt;
      std::uint64_t value = 0;
      for (; i < line.size() && is_digit(line[i]); ++i) {
        if (value > (std::uint64_t{1} << 58U)) return std::nullopt;
        value = 10 * value + static_cast<std::uint64_t>(line[i] - '0');
      }
      if (out.rank == out.dims.size()) return std::nullopt;
      out.dims[out.rank++] = value;
      skip(", ");
    }
    if (i == line.size()) return std::nullopt;
    out.shaped = true;
    skip(")] \t|,:=");
  }
  const std::size_t number = i;
  while (i < line.size() && (is_digit(line[i]) || line[i] == ',' || line[i] == '_')) ++i;
  std::string_view digits_of = line.substr(number, i - number);
  while (!digits_of.empty() && digits_of.back() == ',') digits_of.remove_suffix(1);
  const std::optional<Count> elements = whole_number(digits_of);
  if (!elements || !fits(*elements)) return std::nullopt;
  out.elements = *elements;
  // A fraction, a unit or further numbers are something else.
  if (i < line.size() && line[i] == '.') return std::nullopt;
  const std::string_view rest = trimmed(line.substr(i));
  for (const char c : rest)
    if (is_digit(c) || c == '%')
      return rest.find("float") != std::string_view::npos || rest.find("int") != std::string_view::npos ? std::optional(out) : std::nullopt;
  return out;
}

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
      // A sum at the end is checked; anything else is told.
      const std::string_view inner = trimmed(line);
      const std::size_t last = inner.find_last_of(" \t:=");
      const std::optional<Count> said = last == std::string_view::npos ? std::nullopt : whole_number(inner.substr(last + 1));
      const bool total = inner.find("otal") != std::string_view::npos || inner.find("TOTAL") != std::string_view::npos;
      if (total && said && *said == sum) return true;
      const bool heading = std::none_of(inner.begin(), inner.end(), [](char c) { return is_digit(c); });
      if (!inner.empty() && (!heading || inner.size() > 80)) out.problems.add(number, {"No name and number of a tensor: ", quoted(inner)});
      return true;
    }
    if (read->shaped) {
      Count product = 1;
      try {
        product = elements_of(read->dims.data(), read->rank);
      } catch (const Error&) {
        product = 0;
      }
      if (product != read->elements) {
        out.problems.add(number, {quoted(read->name), " has a shape of ", grouped_digits(product), " elements, and says ",
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

// --- What llama.cpp's programs print ----------------------------------------------------------------------------------

namespace {

struct Dumped {
  std::string_view name, type;
  std::array<std::uint64_t, 4> dims{};
  std::size_t rank = 0;
};

/// Reads four numbers that commas part, in ggml's order; returns how far.
bool read_dims(std::string_view text, Dumped& out) {
  std::size_t i = 0;
  for (; out.rank < 4; ++out.rank) {
    while (i < text.size() && (text[i] == ' ' || text[i] == ',')) ++i;
    if (i == text.size()) break;
    if (!is_digit(text[i])) return false;
    std::uint64_t value = 0;
    for (; i < text.size() && is_digit(text[i]); ++i) {
      if (value > (std::uint64_t{1} << 58U)) return false;
      value = 10 * value + static_cast<std::uint64_t>(text[i] - '0');
    }
    out.dims[out.rank] = value;
  }
  while (i < text.size() && text[i] == ' ') ++i;
  if (i != text.size() || out.rank == 0) return false;
  while (out.rank > 1 && out.dims[out.rank - 1] == 1) --out.rank;
  std::reverse(out.dims.begin(), out.dims.begin() + static_cast<std::ptrdiff_t>(out.rank));
  return true;
}

/// gguf-dump: `  1:  131072000 |  4096, 32000,     1,     1 | Q4_K    | token_embd.weight`;
/// llama.cpp: `… - tensor    0:    token_embd.weight q4_K     [  4096, 32000,     1,     1 ]`.
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
    if (!read) return true;  // keys and values, words
    try {
      out.table.add(read->name, {read->dims.data(), read->rank}, dtype_written(read->type));
      ++out.files.back().tensors;
    } catch (const Error&) {
      out.problems.add(number, {quoted(read->name), " has more elements than can be counted."});
    }
    return true;
  });
}

}  // namespace param_ledger
