// Fuzzes the search for the configuration of a printed model. The search builds dozens of models, so only a few inputs are tried per
// second. Mutations move, repeat and delete lines, and change numbers and class names. New class names are known ones, because the search
// needs a known class.

// Covers: core/inputs/fit/*.cpp core/inputs/printed/printed_match.cpp core/inputs/printed/printed_names.cpp

#include <algorithm>

#include "core/api/report.hpp"
#include "core/registry/registry.hpp"
#include "tests/fuzz/mutation.hpp"
#include "tests/fuzz/target.hpp"

namespace {

using namespace param_ledger;

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    out.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

/// The classes of all models that can be counted.
const std::vector<std::string>& classes() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> out;
    for (const Family* family : families())
      for (const NamedArchitecture& one : architectures(*family)) out.emplace_back(one.name);
    return out;
  }();
  return all;
}

/// Replaces the class name in a line of a printed model by another one.
void change_class(std::string& line, fuzz::Random& random) {
  const std::size_t bracket = line.find('(', line.find("): ") == std::string::npos ? 0 : line.find("): ") + 3);
  if (bracket == std::string::npos) return;
  std::size_t begin = bracket;
  while (begin > 0 && in_word(line[begin - 1])) --begin;
  line.replace(begin, bracket - begin, classes()[random.below(classes().size())]);
}

void change_number(std::string& line, fuzz::Random& random) {
  const std::size_t begin = line.find_first_of("0123456789", random.below(line.size() + 1));
  if (begin == std::string::npos) return;
  const std::size_t end = std::min(line.find_first_not_of("0123456789", begin), line.size());
  static constexpr const char* numbers[] = {
      "0", "1", "2", "3", "8", "64", "128", "4096", "1000000007", "9223372036854775807", "18446744073709551615"};
  line.replace(begin, end - begin, numbers[random.below(std::size(numbers))]);
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  fuzz::Random random(seed);
  if (random.chance(10)) return LLVMFuzzerMutate(data, size, most);
  std::vector<std::string> lines = lines_of(fuzz::text_of(data, size));
  if (lines.empty()) return LLVMFuzzerMutate(data, size, most);
  for (std::size_t changes = 1 + random.below(3); changes > 0 && !lines.empty(); --changes) {
    const std::size_t at = random.below(lines.size());
    switch (random.below(6)) {
      case 0: change_class(lines[at], random); break;
      case 1: change_number(lines[at], random); break;
      case 2: lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), lines[random.below(lines.size())]); break;
      case 3: std::swap(lines[at], lines[random.below(lines.size())]); break;
      default: {
        const std::size_t end = at + 1 + random.below(lines.size() - at);
        lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at), lines.begin() + static_cast<std::ptrdiff_t>(end));
      }
    }
  }
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::copy(text.begin(), text.end(), data);
  return text.size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const std::string answer = read(fuzz::request_of(text, ""));
  if (!fuzz::looked_at_closely(text)) return fuzz::no_defect(answer);
  fuzz::checked(answer);
  fuzz::checked(read(fuzz::request_of(text, "", R"({"model_type":"llama"})")));
  return 0;
}
