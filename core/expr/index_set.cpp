#include "core/expr/index_set.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/support/error.hpp"
#include "core/support/parse.hpp"

namespace param_ledger {

namespace {

std::uint64_t index(Count value) { return static_cast<std::uint64_t>(value); }

}  // namespace

Runs::Runs(Pool& pool, std::vector<Run> runs) : size_(runs.size()) {
  if (size_ == 1) one_ = runs.front();
  if (size_ > 1) more_ = pool.keep(std::span<const Run>(runs)).data();
}

IndexSet all(Expr n) {
  if (is_zero(n)) return {{}, n};
  return {Run{0, index(n.peek() - 1)}, n};
}

IndexSet between(Expr first, Expr end) {
  if (!less(first, end)) return {};
  return {Run{index(first.peek()), index(end.peek() - 1)}, end - first};
}

IndexSet first(Expr count, Expr n) { return all(less(count, n) ? count : n); }

IndexSet without(Expr n, const IndexSet& set) {
  if (set.empty()) return all(n);
  if (set.count) static_cast<void>(set.count.decide());  // the positions of the runs depend on the value
  std::vector<Run> runs;
  std::uint64_t next = 0;
  for (const Run& run : set.runs) {
    if (run.first > next) runs.push_back({next, run.first - 1});
    next = run.last + 1;
  }
  if (next < n.decide()) runs.push_back({next, index(n.decide() - 1)});
  if (runs.empty()) return {};
  return of_runs(std::move(runs), n - set.count);
}

IndexSet only(std::uint64_t i) { return {Run{i, i}}; }

IndexSet all_but_first(const IndexSet& set) {
  if (set.count) static_cast<void>(set.count.decide());
  std::vector<Run> runs(set.runs.begin(), set.runs.end());
  if (runs.front().first++ == runs.front().last) runs.erase(runs.begin());
  return of_runs(std::move(runs), set.count - 1);
}

IndexSet listed(std::span<const std::uint64_t> indices, Expr count) {
  std::vector<Run> runs;
  for (const std::uint64_t i : indices) {
    if (!runs.empty() && runs.back().last + 1 == i)
      runs.back().last = i;
    else
      runs.push_back({i, i});
  }
  return of_runs(std::move(runs), count);
}

IndexSet of_runs(std::vector<Run> runs, Expr count) { return {Runs(*count.node()->pool, std::move(runs)), count}; }

std::string spelling(std::span<const Run> runs) {
  if (runs.size() == 1 && runs[0].first == runs[0].last) return digits(runs[0].first);
  std::string out = "[";
  for (const Run& run : runs) {
    if (out.size() > 1) out += ',';
    out += digits(run.first);
    if (run.last != run.first) out += '-' + digits(run.last);
  }
  return out + "]";
}

namespace {

std::string_view bare(std::string_view word) { return word.size() > 2 && word.front() == '[' ? word.substr(1, word.size() - 2) : word; }

}  // namespace

bool is_index(std::string_view word) {
  word = bare(word);
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return (c >= '0' && c <= '9') || c == '-' || c == ','; });
}

std::size_t index_begin(std::string_view word) {
  constexpr std::string_view expert = "expert_";
  const std::size_t begin = word.starts_with(expert) ? expert.size() : 0;
  return is_index(word.substr(begin)) ? begin : std::string_view::npos;
}

std::vector<Run> spelled(std::string_view word) {
  std::vector<Run> out;
  if (!is_index(word)) return out;
  word = bare(word);
  bool range = false;  // whether the next number is the end of a range
  for (;;) {
    // A missing number counts as 0.
    const bool written = !word.empty() && word.front() >= '0' && word.front() <= '9';
    // Limited to 63 bits so that adding 1 cannot overflow.
    const std::optional<std::int64_t> parsed = written ? parse_integer<std::int64_t>(word) : 0;
    if (!parsed) return {};
    const auto number = static_cast<std::uint64_t>(*parsed);
    if (range && number < out.back().first) return {};
    if (range)
      out.back().last = number;
    else
      out.push_back({number, number});
    if (word.empty()) return out;
    range = word.front() == '-';
    word.remove_prefix(1);
  }
}

bool contains(std::span<const Run> runs, std::uint64_t index) {
  return std::any_of(runs.begin(), runs.end(), [&](const Run& run) { return run.first <= index && index <= run.last; });
}

}  // namespace param_ledger
