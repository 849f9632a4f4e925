#include "tests/support/tensors.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace param_ledger::test {

namespace {

using Run = std::pair<std::uint64_t, std::uint64_t>;  // first, last
using Box = std::vector<std::vector<Run>>;            // runs for each index in the name

/// Parses an index or index ranges, "7" or "[0-2,7]"; empty if the word is neither.
std::vector<Run> runs_of(std::string_view word) {
  std::vector<Run> runs;
  if (word.find_first_not_of("[]-,0123456789") != std::string_view::npos || word.empty()) return runs;
  for (std::size_t i = 0; i < word.size();) {
    const auto number = [&] {
      std::uint64_t value = 0;
      for (; i < word.size() && word[i] >= '0' && word[i] <= '9'; ++i) value = 10 * value + static_cast<std::uint64_t>(word[i] - '0');
      return value;
    };
    if (word[i] == '[' || word[i] == ',' || word[i] == ']') {
      ++i;
      continue;
    }
    const std::uint64_t first = number();
    const bool range = i < word.size() && word[i] == '-';
    if (range) ++i;
    runs.emplace_back(first, range ? number() : first);
  }
  return runs;
}

/// A canonical form of a union of boxes, independent of how the union is divided into boxes. Sets `size` to the number of index tuples.
std::string canonical(const std::vector<Box>& boxes, std::uint64_t& size) {
  size = 1;
  if (boxes.front().empty()) return "";
  // Between two neighbouring edges, every index is in the same boxes. Neighbouring intervals with equal contents are merged.
  std::vector<std::uint64_t> edges;
  for (const Box& box : boxes)
    for (const auto& [first, last] : box.front()) edges.insert(edges.end(), {first, last + 1});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<std::pair<Run, std::string>> pieces;
  size = 0;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    std::vector<Box> inner;
    for (const Box& box : boxes)
      for (const auto& [first, last] : box.front())
        if (first <= edges[i] && edges[i] <= last) inner.emplace_back(box.begin() + 1, box.end());
    if (inner.empty()) continue;
    std::uint64_t each = 0;
    std::string indices = canonical(inner, each);
    size += each * (edges[i + 1] - edges[i]);
    if (!pieces.empty() && pieces.back().first.second + 1 == edges[i] && pieces.back().second == indices)
      pieces.back().first.second = edges[i + 1] - 1;
    else
      pieces.push_back({{edges[i], edges[i + 1] - 1}, std::move(indices)});
  }
  std::string out = "{";
  for (const auto& [run, indices] : pieces) out += std::to_string(run.first) + '-' + std::to_string(run.second) + indices + ' ';
  return out + '}';
}

/// The target of a tied tensor, for comparison. If the name and the target have equal indices, stars replace those of the target, because
/// one name stands for many tensors.
std::string compared(const std::string& target, const std::string& name) {
  const auto indices_of = [](const std::string& text) {
    std::vector<std::string> out;
    std::string word;
    for (const char c : text + '.') {
      if (c != '.') {
        word += c;
        continue;
      }
      if (!runs_of(word).empty()) out.push_back(word);
      word.clear();
    }
    return out;
  };
  if (target.empty() || indices_of(target) != indices_of(name)) return target;
  std::string out, word;
  for (const char c : target + '.') {
    if (c != '.') {
      word += c;
      continue;
    }
    out += runs_of(word).empty() ? word + '.' : "*.";
    word.clear();
  }
  return out;
}

/// The index tuples of tensors, grouped by everything else. A group that contains a tensor twice is marked.
std::map<std::string, std::string> expanded(const std::vector<Tensor>& tensors) {
  std::map<std::string, std::vector<Box>> groups;
  for (const Tensor& t : tensors) {
    std::string pattern;
    Box box;
    for (std::size_t start = 0; start <= t.name.size();) {
      // Some types have numbered names for experts: expert_0, expert_1, …
      constexpr std::string_view expert = "expert_";
      if (t.name.compare(start, expert.size(), expert) == 0) {
        pattern += expert;
        start += expert.size();
      }
      const std::size_t end = std::min(t.name.find('.', start), t.name.size());
      const std::string word = t.name.substr(start, end - start);
      std::vector<Run> runs = runs_of(word);
      pattern += runs.empty() ? word + '.' : "*.";
      if (!runs.empty()) box.push_back(std::move(runs));
      start = end + 1;
    }
    groups[pattern + ' ' + t.shape + ' ' + t.kind + ' ' + compared(t.target, t.name)].push_back(std::move(box));
  }
  std::map<std::string, std::string> out;
  for (const auto& [key, boxes] : groups) {
    std::uint64_t size = 0, named = 0;
    out[key] = canonical(boxes, size);
    for (const Box& box : boxes) {
      std::uint64_t own = 0;
      canonical({box}, own);
      named += own;
    }
    if (named != size) out[key] += " named twice";
  }
  return out;
}

}  // namespace

std::vector<Tensor> tensors_of(const Json& answer) {
  std::vector<Tensor> out;
  for (const Json& row : answer.at("tensors")) {
    const std::string kind = row.value("kind", "parameter");
    if (kind == "published" || kind == "possible") continue;  // only in published files; transformers does not build these tensors
    out.push_back({row.at("name").get<std::string>(), row.at("shape").dump(), kind, row.value("tied_to", "")});
  }
  return out;
}

std::string differences(const std::vector<Tensor>& expected, const std::vector<Tensor>& actual) {
  const auto want = expanded(expected), got = expanded(actual);
  std::string out;
  const auto report = [&](const auto& these, const auto& those, const char* what) {
    for (const auto& [key, indices] : these)
      if (const auto found = those.find(key); found == those.end() || found->second != indices)
        out += '\n' + std::string(what) + key + ' ' + indices;
  };
  report(want, got, "expected ");
  report(got, want, "got ");
  return out;
}

}  // namespace param_ledger::test
