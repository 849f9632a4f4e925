#include "core/inputs/tensors/split_name.hpp"

#include <algorithm>

namespace param_ledger {

SplitName::SplitName(std::string_view name, bool literal) {
  text.reserve(name.size());
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string_view piece = name.substr(begin, end - begin);
    const std::size_t index = literal ? std::string_view::npos : index_begin(piece);
    text += piece.substr(0, index);
    if (index != std::string_view::npos) {
      text += mark;
      indices.push_back(spelled(piece.substr(index)));
    }
    if (end == name.size()) return;
    text += '.';
    begin = end + 1;
  }
}

Count size_of(const SplitName& name, std::size_t from) {
  Count out = 1;
  for (std::size_t i = from; i < name.indices.size(); ++i) out = multiply(out, size_of(name.indices[i]));
  return out;
}

bool same_name(const SplitName& a, const SplitName& b) {
  return a.text == b.text && std::equal(a.indices.begin(), a.indices.end(), b.indices.begin(), b.indices.end(), same_runs);
}

Count common(const RunList& a, const RunList& b) {
  Count out = 0;
  for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    const std::uint64_t first = std::max(a[i].first, b[k].first), last = std::min(a[i].last, b[k].last);
    if (first <= last) out += Count{last} - first + 1;
    (a[i].last < b[k].last ? i : k) += 1;
  }
  return out;
}

Count common(const SplitName& a, const SplitName& b, std::size_t levels) {
  Count out = 1;
  for (std::size_t i = 0; i < levels; ++i) out = multiply(out, common(a.indices[i], b.indices[i]));
  return out;
}

RunList united(RunList a, const RunList& b) {
  a.insert(a.end(), b.begin(), b.end());
  std::sort(a.begin(), a.end(), [](const Run& x, const Run& y) { return x.first < y.first; });
  RunList out;
  for (const Run& run : a)
    if (out.empty() || run.first > out.back().last)
      out.push_back(run);
    else
      out.back().last = std::max(out.back().last, run.last);
  return out;
}

RunList remaining(const RunList& a, const RunList& b) {
  RunList out;
  for (Run run : a) {
    for (const Run& other : b) {
      if (other.last < run.first || other.first > run.last) continue;
      if (other.first > run.first) out.push_back({run.first, other.first - 1});
      run.first = std::min(other.last, run.last) + 1;
    }
    if (run.first <= run.last) out.push_back(run);
  }
  return out;
}

}  // namespace param_ledger
