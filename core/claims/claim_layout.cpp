#include "core/claims/claim_layout.hpp"

#include <algorithm>

#include "core/support/text.hpp"

namespace param_ledger {

namespace {

struct Sign {
  std::string_view typeset, typed;
};
constexpr Sign signs[] = {{"\u00a0", " "}, {"\u202f", " "}, {"\u2009", " "}, {"\u2019", "'"}, {"\u00d7", "*"},
                          {"\u00b7", "*"}, {"\u2248", " "}, {"\u223c", " "}, {"~", " "},      {"\t", " "},
                          {"\r", " "},     {"`", " "},      {"\u2013", "-"}, {"\u2014", "-"}, {"\u2212", "-"},
                          {"\u2070", "0"}, {"\u00b9", "1"}, {"\u00b2", "2"}, {"\u00b3", "3"}, {"\u2074", "4"},
                          {"\u2075", "5"}, {"\u2076", "6"}, {"\u2077", "7"}, {"\u2078", "8"}, {"\u2079", "9"}};

/// The typeset character at the beginning of the text, or null.
const Sign* sign_at(std::string_view text) {
  const auto* const found = std::find_if(std::begin(signs), std::end(signs), [&](const Sign& s) { return text.starts_with(s.typeset); });
  return found == std::end(signs) ? nullptr : found;
}

bool is_raised_digit(const Sign* sign) { return sign != nullptr && is_digit(sign->typed.front()); }

/// Whether the characters at `i` mark bold text in Markdown and are not a power such as "2**30".
bool is_bold_mark(std::string_view text, std::size_t i) {
  const bool power = i > 0 && is_digit(text[i - 1]) && i + 2 < text.size() && is_digit(text[i + 2]);
  return text.substr(i).starts_with("**") && !power;
}

void put(PlainText& out, std::string_view bytes, std::size_t origin) {
  for (const char c : bytes) {
    out.text += lower(c);
    out.from.push_back(origin);
  }
}

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

/// Adds a line for each cell with a number: "DeepSeek-V3 #Total Params: 671B".
void put_cells(std::string& out, const std::vector<std::string_view>& header, const std::vector<std::string_view>& cells) {
  for (std::size_t k = 0; k < cells.size(); ++k) {
    if (!has_digit(cells[k])) continue;
    const std::string_view column = k < header.size() && !has_digit(header[k]) ? header[k] : "";
    const std::string_view label = k > 0 && !has_digit(cells[0]) ? cells[0] : "";
    out += concat({label, label.empty() ? "" : " ", column, column.empty() && label.empty() ? "" : ": ", cells[k], "\n"});
  }
}

}  // namespace

PlainText plain_text(std::string_view written) {
  PlainText out;
  bool raised_before = false;
  for (std::size_t i = 0; i < written.size();) {
    const Sign* const sign = sign_at(written.substr(i));
    const bool raised = is_raised_digit(sign);
    if (raised && !raised_before) put(out, "^", i);
    raised_before = raised;
    const bool bold = sign == nullptr && is_bold_mark(written, i);
    put(out, sign != nullptr ? sign->typed : bold ? "  " : written.substr(i, 1), i);
    i += sign != nullptr ? sign->typeset.size() : bold ? 2 : 1;
  }
  out.from.push_back(written.size());
  return out;
}

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
    } else if (header.empty()) {
      out += concat({lines[i], "\n"});
    } else {
      put_cells(out, header, cells_of(lines[i]));
    }
  }
  return out;
}

}  // namespace param_ledger
