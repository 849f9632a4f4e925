#include "tests/support/prints.hpp"

#include <algorithm>
#include <sstream>

namespace param_ledger::test {

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line + '\n');
  return out;
}

std::string joined(const std::vector<std::string>& lines, std::size_t begin, std::size_t end) {
  std::string out;
  for (std::size_t i = begin; i < end; ++i) out += lines[i];
  return out;
}

}  // namespace

std::string unpacked(const std::string& text, const Json& blocks) {
  std::string out;
  for (const std::string& line : lines_of(text)) {
    const std::size_t at = line.find_first_not_of(' ');
    if (line[at] != '@') {
      out += line;
      continue;
    }
    for (const std::string& inner : lines_of(unpacked(blocks.at(std::stoul(line.substr(at + 1))).get<std::string>(), blocks)))
      out += line.substr(0, at) + inner;
  }
  return out;
}

std::string cut_print(const std::string& text, std::mt19937& random) {
  const std::vector<std::string> lines = lines_of(text);
  const auto below = [&](std::size_t n) { return random() % std::max<std::size_t>(n, 1); };
  const std::size_t begin = below(lines.size()), end = begin + below(lines.size() - begin);
  std::string out;
  switch (below(8)) {
    case 0: return joined(lines, 0, begin + 1);
    case 1: return joined(lines, begin, lines.size());
    case 2: return joined(lines, begin, end);
    case 3: return joined(lines, 0, begin) + "...\n" + joined(lines, end, lines.size());
    case 4: return text.substr(0, below(text.size()));
    case 5: {
      const std::size_t width = 20 + below(100);
      for (const std::string& line : lines) out += line.size() > width ? line.substr(0, width) + '\n' : line;
      return out;
    }
    case 6: {
      const std::size_t dropped = 1 + below(60);
      for (const std::string& line : lines)
        if (below(100) >= dropped) out += line;
      return out;
    }
    default: {
      std::vector<std::size_t> few{0};
      for (std::size_t i = 2 + below(4); i > 0; --i) few.push_back(below(lines.size()));
      std::sort(few.begin(), few.end());
      for (const std::size_t i : few) out += lines[i];
      return out;
    }
  }
}

Verdict verdict_of(const Json& reading, const std::string& parameters) {
  const Json totals = reading.value("totals", Json::object());
  if (totals.value("parameters", "") == parameters) return Verdict::exact;
  if (totals.value("if_tied", "") == parameters) return Verdict::if_tied;
  if (totals.value("if_assumed", "") == parameters) return Verdict::if_assumed;
  return totals.contains("parameters") ? Verdict::wrong : Verdict::partial;
}

}  // namespace param_ledger::test
