#include "core/index_set.hpp"

#include "core/error.hpp"

namespace param_ledger {

namespace {

std::uint64_t index(Count value) { return static_cast<std::uint64_t>(value); }

}  // namespace

IndexSet all(Expr n) {
  if (n.value() == 0) return {{}, n};
  return {{{0, index(n.value() - 1)}}, n};
}

IndexSet between(Expr first, Expr end) {
  if (first.value() >= end.value()) return {};
  return {{{index(first.value()), index(end.value() - 1)}}, end - first};
}

IndexSet first(Expr count, Expr n) { return all(count.value() < n.value() ? count : n); }

IndexSet without(Expr n, const IndexSet& set) {
  if (set.empty()) return all(n);
  IndexSet out;
  std::uint64_t next = 0;
  for (const IndexSet::Run& run : set.runs) {
    if (run.first > next) out.runs.push_back({next, run.first - 1});
    next = run.last + 1;
  }
  if (next < n.value()) out.runs.push_back({next, index(n.value() - 1)});
  if (!out.empty()) out.count = n - set.count;
  return out;
}

IndexSet only(std::uint64_t i) { return {{{i, i}}, {}}; }

IndexSet all_but_first(const IndexSet& set) {
  IndexSet out = set;
  IndexSet::Run& run = out.runs.front();
  if (run.first++ == run.last) out.runs.erase(out.runs.begin());
  if (out.count) out.count = out.count - 1;
  return out;
}

IndexSet listed(std::span<const std::uint64_t> indices, Expr count) {
  IndexSet out{{}, count};
  for (const std::uint64_t i : indices) {
    if (!out.runs.empty() && out.runs.back().last + 1 == i)
      out.runs.back().last = i;
    else
      out.runs.push_back({i, i});
  }
  return out;
}

std::string spelling(const IndexSet& set) {
  if (set.runs.size() == 1 && set.runs[0].first == set.runs[0].last) return digits(set.runs[0].first);
  std::string out = "[";
  for (const IndexSet::Run& run : set.runs) {
    if (out.size() > 1) out += ',';
    out += digits(run.first);
    if (run.last != run.first) out += '-' + digits(run.last);
  }
  return out + "]";
}

}  // namespace param_ledger
