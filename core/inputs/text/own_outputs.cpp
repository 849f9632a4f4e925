#include "core/inputs/text/own_outputs.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/formula.hpp"
#include "core/inputs/tensors/json_scanner.hpp"
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

/// A row of one of this program's answers or tables.
struct OwnRow {
  std::string name;
  std::string_view kind = "parameter";
  std::vector<std::uint64_t> shape;
  Dtype dtype = 0;
  std::optional<Count> copies, elements;  ///< set if the row gives them
};

class RowAdder {
 public:
  explicit RowAdder(Listing& out) : out_(out) {}

  /// Adds the tensors of a row, unless they are not part of the model but are, or may be, in published checkpoints.
  void add(const OwnRow& row, std::uint64_t line) {
    if (row.kind == "published" || row.kind == "possible") return;
    if (attempt([&] { add_tensors(row, line); })) out_.problems.add(line, {quoted(row.name), " has more elements than can be counted."});
  }

 private:
  void add_tensors(const OwnRow& row, std::uint64_t line) {
    const std::vector<std::string> names = expanded_names(row.name, budget_);
    if (names.empty()) return out_.problems.add(line, {quoted(row.name), " names too many tensors."});
    const Count elements = elements_of(row.shape.data(), row.shape.size());
    if (row.elements && *row.elements != elements)
      return out_.problems.add(line, {quoted(row.name), " has a shape of ", grouped_digits(elements), " elements, but gives ",
                                      grouped_digits(*row.elements), "."});
    const Count copies = row.copies.value_or(names.size());
    // A row whose name has no index may still stand for several tensors.
    const bool unnamed = names.size() == 1 && copies > 1 && fits(copies);
    if (copies != names.size() && !unnamed)
      return out_.problems.add(
          line, {quoted(row.name), " names ", grouped_digits(names.size()), " tensors, but gives ", grouped_digits(copies), "."});
    const ListedKind kind = row.kind == "buffer" ? ListedKind::buffer : row.kind == "tied" ? ListedKind::tied : ListedKind::parameter;
    for (const std::string& name : names)
      out_.table.add(name, row.shape, row.dtype, kind, unnamed ? static_cast<std::uint64_t>(copies) : 1);
    out_.files.back().tensors += static_cast<std::uint64_t>(copies);
  }

  Listing& out_;
  std::size_t budget_ = most_expanded_names;
};

std::string_view text_of(Json value) { return value.is(Json::Type::string) ? value.string() : std::string_view(); }

/// The row for a tensor in an answer; none if it is malformed.
std::optional<OwnRow> row_of(Json tensor) {
  OwnRow row;
  row.name = text_of(tensor["name"]);
  if (row.name.empty() || !tensor["shape"].is(Json::Type::list)) return std::nullopt;
  for (const auto& [_, dim] : tensor["shape"].members()) {
    if (!dim.is(Json::Type::integer) || dim.negative()) return std::nullopt;
    row.shape.push_back(dim.magnitude());
  }
  if (tensor["kind"]) row.kind = text_of(tensor["kind"]);
  row.dtype = dtype_written(text_of(tensor["dtype"]));
  if (tensor["copies"]) row.copies = whole_number(text_of(tensor["copies"]));
  return row;
}

/// The cells of a line of CSV, tab-separated values or a Markdown table, unescaped.
std::vector<std::string> cells_of(std::string_view line, char separator) {
  std::vector<std::string> out{""};
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (separator == ',' && c == '"') {
      if (quoted && i + 1 < line.size() && line[i + 1] == '"')
        out.back() += line[++i];
      else
        quoted = !quoted;
    } else if (separator == '|' && c == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      out.back() += line[++i];
    } else if (c == separator && !quoted) {
      out.emplace_back();
    } else if (c != '\r') {
      out.back() += c;
    }
  }
  if (separator == '|') {  // each line of a Markdown table begins and ends with the separator
    out.erase(out.begin());
    if (!out.empty()) out.pop_back();
  }
  for (std::string& cell : out) cell = std::string(trimmed(cell));
  return out;
}

constexpr std::string_view csv_heading = "name,kind,part,shape", tab_heading = "name\tkind\tpart\tshape",
                           markdown_heading = "| tensor | part | shape | formula |";

/// A cell without the characters that stop spreadsheets from interpreting it: `="1234"`, `'-x`.
std::string_view bare_cell(std::string_view cell) {
  if (cell.starts_with("=\"") && cell.ends_with('"') && cell.size() > 2) return cell.substr(2, cell.size() - 3);
  return cell.starts_with('\'') ? cell.substr(1) : cell;
}

/// Parses a shape: "4096 x 4096", "4,096 × 4,096". An empty cell is the shape of a scalar.
std::optional<std::vector<std::uint64_t>> shape_of(std::string_view cell) {
  std::vector<std::uint64_t> out;
  while (!cell.empty()) {
    const std::size_t times = cell.find("×"), sign = std::min(times, cell.find('x')), end = std::min(sign, cell.size());
    const std::optional<Count> dim = whole_number(trimmed(cell.substr(0, end)));
    if (!dim || !fits(*dim)) return std::nullopt;
    out.push_back(static_cast<std::uint64_t>(*dim));
    if (sign == std::string_view::npos) break;
    cell.remove_prefix(end + (sign == times ? std::string_view("×").size() : 1));
  }
  return out;
}

/// Removes the Markdown from a name such as "`model.norm.weight` (buffer)", and sets `kind` if there is one in parentheses.
std::string unmarked(std::string_view cell, std::string_view& kind) {
  if (!cell.starts_with('`')) return std::string(cell);
  const std::size_t end = cell.find('`', 1);
  if (end == std::string_view::npos) return std::string(cell);
  const std::string_view rest = trimmed(cell.substr(end + 1));
  for (const std::string_view known : {"buffer", "tied", "published", "possible"})
    if (rest.starts_with('(') && rest.substr(1).starts_with(known)) kind = known;
  return std::string(cell.substr(1, end - 1));
}

}  // namespace

bool is_own_answer(std::string_view text) {
  const auto skip = [&](std::string_view word) {
    text = trimmed(text);
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
  };
  return skip("{") && skip("\"ok\"") && skip(":") && (skip("true") || skip("false"));
}

void read_own_answer(std::string_view text, Listing& out) {
  const Document document(text);
  const Json tensors = document.root()["tensors"];
  std::vector<OwnRow> rows;
  for (const auto& [_, tensor] : tensors.members()) {
    std::optional<OwnRow> row = row_of(tensor);
    if (!row) break;
    rows.push_back(*std::move(row));
  }
  if (rows.empty() || rows.size() != tensors.size())
    throw Error{ErrorCode::unsupported, "",
                "This answer of Param Ledger lists no tensors with shapes. Give the config.json that it is about."};
  if (document.root()["tensors_left_out"]) out.problems.add(0, "The answer omits tensors.");
  RowAdder adder(out);
  for (const OwnRow& row : rows) adder.add(row, 0);
}

bool is_own_table(std::string_view text) {
  return text.starts_with(csv_heading) || text.starts_with(tab_heading) || holds(text, markdown_heading);
}

void read_own_table(std::string_view text, Listing& out) {
  const bool markdown = !text.starts_with(csv_heading) && !text.starts_with(tab_heading);
  const char separator = markdown ? '|' : text.starts_with(csv_heading) ? ',' : '\t';
  std::vector<std::string> heading;
  RowAdder adder(out);
  each_line(text, [&](std::string_view line, std::uint64_t number) {
    if (trimmed(line).empty() || (heading.empty() && markdown && !line.starts_with(markdown_heading))) return true;
    const std::vector<std::string> cells = cells_of(line, separator);
    if (heading.empty()) {
      heading = cells;
      return true;
    }
    const auto cell = [&](std::string_view column) -> std::string_view {
      const auto found = std::find(heading.begin(), heading.end(), column);
      const auto at = static_cast<std::size_t>(found - heading.begin());
      return found != heading.end() && at < cells.size() ? bare_cell(cells[at]) : std::string_view();
    };
    const std::string_view first = cell(markdown ? "tensor" : "name");
    if (markdown && (first.starts_with("---") || first.starts_with("**"))) return true;
    OwnRow row;
    if (!markdown && !cell("kind").empty()) row.kind = cell("kind");
    row.name = unmarked(first, row.kind);
    const std::optional<std::vector<std::uint64_t>> shape = shape_of(cell("shape"));
    if (row.name.empty() || !shape || cells.size() != heading.size()) {
      out.problems.add(number, {"Not a tensor's name and shape: ", quoted(line)});
      return true;
    }
    row.shape = *shape;
    row.copies = whole_number(cell("copies"));
    row.elements = whole_number(cell("elements"));
    adder.add(row, number);
    return true;
  });
}

bool is_name_list(std::string_view text) {
  std::size_t names = 0, others = 0;
  each_line(text, [&](std::string_view line, std::uint64_t) {
    line = trimmed(line);
    if (line.empty()) return true;
    const bool plain = std::all_of(line.begin(), line.end(),
                                   [](char c) { return in_word(c) || c == '.' || c == '-' || c == '[' || c == ']' || c == ','; });
    const bool name =
        plain && begins_name(line.front()) && line.find('.') != std::string_view::npos && line.find("..") == std::string_view::npos;
    const std::string_view last = line.substr(line.rfind('.') + 1);
    const bool tensor =
        name && (last.starts_with("weight") || last.starts_with("bias") || last.ends_with("proj") || last.ends_with("_log") ||
                 holds(line, ".layers.") || holds(line, ".h.") || holds(line, ".blocks.") || holds(line, "norm"));
    ++(tensor ? names : others);
    return others <= names + 4;
  });
  return names > 2 && names > 4 * others;
}

void refuse_name_list(std::string_view text) {
  std::uint64_t names = 0;
  each_line(text, [&](std::string_view line, std::uint64_t) {
    if (!trimmed(line).empty()) ++names;
    return true;
  });
  throw Error{ErrorCode::unsupported, "",
              concat({"These are the names of ", grouped_digits(names),
                      " tensors, without their shapes. Give names and shapes, \"model.norm.weight [4096]\", or the config.json."})};
}

}  // namespace param_ledger
