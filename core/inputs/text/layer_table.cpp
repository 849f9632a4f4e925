#include "core/inputs/text/layer_table.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/expr/formula.hpp"
#include "core/json/value_text.hpp"
#include "core/support/characters.hpp"
#include "core/support/error.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view layer_heading = "Layer (type", number_heading = "Param #", total_heading = "Total params:";
constexpr std::string_view thin_rule = "│", thick_rule = "┃", branches[] = {"├", "└", "─", thin_rule};

/// A table cell, and the columns on the screen that it occupies.
struct Cell {
  std::string_view text;
  std::size_t begin, end;
};

/// The length in bytes of the characters that draw tree branches at the beginning of a line.
std::size_t branched(std::string_view line) {
  constexpr std::size_t size = thin_rule.size();
  std::size_t out = 0;
  while (out < line.size()) {
    const char c = line[out];
    if (c == ' ' || c == '|' || c == '+' || c == '-')
      ++out;
    else if (c == thin_rule.front() && std::find(std::begin(branches), std::end(branches), line.substr(out, size)) != std::end(branches))
      out += size;
    else
      break;
  }
  return out;
}

std::string_view unbranched(std::string_view name) { return trimmed(name.substr(branched(name))); }

/// Splits a line into cells. The positions of the cells are counted in characters, not bytes.
class Cells {
 public:
  explicit Cells(std::string_view line) : line_(line) {
    const bool ruled = holds(line, thin_rule) || holds(line, thick_rule);
    if (const bool tree = holds(line, "─"); ruled && !tree)
      between_rules();
    else
      between_blanks(tree ? branched(line) : 0);
  }

  std::vector<Cell> take() { return std::move(cells_); }

 private:
  void between_rules() {
    std::size_t begin = 0;
    for (std::size_t i = 0; i < line_.size();) {
      const std::string_view rest = line_.substr(i, thin_rule.size());
      if (rest != thin_rule && rest != thick_rule) {
        ++i;
        continue;
      }
      put(begin, i, !cells_.empty());
      begin = i += thin_rule.size();
    }
    put(begin, line_.size(), !cells_.empty());
  }

  /// Splits the line wherever there are two or more blanks. Everything before byte `i` belongs to the first cell.
  void between_blanks(std::size_t i) {
    std::size_t begin = 0;
    while (i < line_.size()) {
      std::size_t gap = std::min(line_.find("  ", i), line_.size());
      put(begin, gap, false);
      while (gap < line_.size() && line_[gap] == ' ') ++gap;
      begin = i = gap;
    }
    if (begin < line_.size()) put(begin, line_.size(), false);  // true only if the line consists of nothing but tree branches
  }

  void put(std::size_t begin, std::size_t end, bool though_empty) {
    const std::string_view all = line_.substr(begin, end - begin), text = trimmed(all);
    if (text.empty() && !though_empty) return;
    const std::size_t from = column_at(text.empty() ? begin : begin + static_cast<std::size_t>(text.data() - all.data()));
    cells_.push_back({text, from, column_at(begin + static_cast<std::size_t>(text.data() - all.data()) + text.size())});
  }

  /// The column of the character at byte `at`. Must be called with ascending positions.
  std::size_t column_at(std::size_t at) {
    for (; seen_ < at; ++seen_) column_ += (static_cast<unsigned char>(line_[seen_]) & 0xc0U) == 0x80U ? 0 : 1;
    return column_;
  }

  std::string_view line_;
  std::vector<Cell> cells_;
  std::size_t seen_ = 0, column_ = 0;
};

bool is_rounded_table(std::string_view text) {
  return text.find("| Params") != std::string_view::npos && text.find("| Type") != std::string_view::npos &&
         text.find("Total params") != std::string_view::npos;
}

}  // namespace

bool is_layer_table(std::string_view text) {
  if (is_rounded_table(text)) return true;
  const std::size_t heading = text.find(layer_heading);
  return heading != std::string_view::npos && text.find(number_heading, heading) != std::string_view::npos &&
         text.find(total_heading, heading) != std::string_view::npos;
}

void read_layer_table(std::string_view text, Listing& out) {
  if (is_rounded_table(text))
    throw Error{ErrorCode::unsupported, "",
                "Lightning's summary rounds its numbers. Use print(model), or the name and shape of each of model.named_parameters()."};
  std::optional<Cell> numbers;
  std::optional<Count> total;
  Count sum = 0;
  std::vector<Count> tables, heads;  // sizes of embedding tables and of linear layers, because a table may count tied ones twice
  std::uint64_t rows = 0;
  const bool keras = text.find("\nModel: \"") != std::string_view::npos || text.starts_with("Model: \"");
  each_line(text, [&](std::string_view line, std::uint64_t number) {
    if (const std::size_t at = line.find(total_heading); at != std::string_view::npos) {
      std::string_view said = trimmed(line.substr(at + total_heading.size()));
      said = said.substr(0, said.find(' '));
      total = whole_number(said);
      return false;
    }
    const std::vector<Cell> cells = Cells(line).take();
    if (!numbers) {
      if (line.find(layer_heading) == std::string_view::npos) return true;
      for (const Cell& cell : cells)
        if (cell.text == number_heading) numbers = cell;
      return true;
    }
    if (cells.size() < 2) return true;  // a rule, or a line with nothing but a name
    const auto cell =
        std::find_if(cells.begin() + 1, cells.end(), [&](const Cell& c) { return c.begin < numbers->end && c.end > numbers->begin; });
    const std::string_view name = unbranched(cells.front().text);
    if (cell == cells.end() || name.empty()) return true;
    const std::string_view said = cell->text;
    if (said.empty() || said == "--" || said == "(recursive)" || said == "-") return true;
    const std::optional<Count> elements = whole_number(said);
    if (!elements || !fits(*elements)) {
      out.problems.add(number, {"Not a number of parameters: ", quoted(said)});
      return true;
    }
    sum = add(sum, *elements);
    if (*elements == 0) return true;
    if (name.find("Embedding") != std::string_view::npos) tables.push_back(*elements);
    if (name.find("Linear") != std::string_view::npos) heads.push_back(*elements);
    // The rows are named after layer types, which repeat, so a row's number becomes part of its name.
    out.table.add_sized(concat({name, " #", digits(++rows)}), static_cast<std::uint64_t>(*elements));
    ++out.files.back().tensors;
    return true;
  });
  if (!numbers || !total) {
    out.problems.add(0, "The table has no column of parameters or no total.");
    return;
  }
  if (sum != *total)
    out.problems.add(0, {"The rows add up to ", grouped_digits(sum), ", but the table's total is ", grouped_digits(*total),
                         ": rows are missing, or some rows count the parameters of other rows again."});
  const bool shared =
      !keras && std::any_of(tables.begin(), tables.end(), [&](Count n) { return std::find(heads.begin(), heads.end(), n) != heads.end(); });
  if (shared) out.problems.add(0, "A linear layer is as large as an embedding: if the two are tied, this table counts them twice.");
}

}  // namespace param_ledger
