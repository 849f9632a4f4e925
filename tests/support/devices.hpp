#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/api/report.hpp"
#include "core/expr/index_set.hpp"
#include "tests/support/oracle.hpp"

// Compares what transformers keeps on a device with an answer.
namespace param_ledger::test {

/// Tensors with the same name except for indices and with the same shapes: their number and the indices at each position.
struct AlikeTensors {
  std::uint64_t count = 0;
  std::vector<std::vector<std::uint64_t>> indices = {};
  bool operator==(const AlikeTensors&) const = default;
};
using HeldTensors = std::map<std::string, AlikeTensors>;

/// Adds the tensors of a name with index ranges, under the name without indices and both shapes.
inline void add_held(HeldTensors& to, const std::string& name, const std::string& full, const std::string& local) {
  std::string pattern;
  std::vector<std::vector<std::uint64_t>> indices;
  std::uint64_t count = 1;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string word = name.substr(begin, end - begin);
    if (!pattern.empty()) pattern += '.';
    if (const std::vector<param_ledger::Run> runs = param_ledger::spelled(word); !runs.empty()) {
      pattern += '*';
      indices.emplace_back();
      for (const param_ledger::Run& run : runs)
        for (std::uint64_t i = run.first; i <= run.last; ++i) indices.back().push_back(i);
      count *= indices.back().size();
    } else {
      pattern += word;
    }
    begin = end + 1;
  }
  AlikeTensors& alike = to[pattern + " " + full + " " + local];
  alike.count += count;
  alike.indices.resize(std::max(alike.indices.size(), indices.size()));
  for (std::size_t i = 0; i < indices.size(); ++i) {
    std::vector<std::uint64_t>& all = alike.indices[i];
    all.insert(all.end(), indices[i].begin(), indices[i].end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  }
}

/// Compares with a line of tests/data/shards.py; empty if they agree. `refused` becomes true if both refuse.
inline std::string compare_devices(std::string text, bool* refused = nullptr) {
  const Line line = line_of(std::move(text));
  const Json& wanted = line.rest;
  const Json request = {
      {"tensor", wanted.at("tp")}, {"pipeline", wanted.at("pp")}, {"expert", wanted.at("ep")}, {"rank", wanted.at("rank")}};
  const Json answer = parsed(param_ledger::devices(line.config, request.dump()));
  const bool ok = answer.at("ok").get<bool>();
  if (refused != nullptr) *refused = !ok && wanted.contains("refused");
  if (wanted.contains("refused")) return ok ? "refused there: " + wanted.at("refused").get<std::string>() : "";
  if (!ok) return "refused here: " + answer.at("error").at("message").get<std::string>();
  const Json& rank = answer.at("ranks").at(0);
  std::string out;
  const auto same = [&](const char* what, const Json& ours, const Json& theirs) {
    const std::string a = ours.is_string() ? ours.get<std::string>() : ours.dump(), b = theirs.dump();
    if (a != b) out += std::string("\n  ") + what + " " + a + ", expected " + b;
  };
  same("total", answer.at("total"), wanted.at("total"));
  same("local", rank.at("parameters"), wanted.at("local"));
  HeldTensors ours, theirs;
  for (const Json& row : rank.at("rows")) {
    const Json& whole = answer.at("rows").at(row.at(0).get<std::size_t>());
    if (whole.at("kind") == "parameter" && row.at(3) != "0")
      add_held(ours, row.at(1).get<std::string>(), whole.at("shape").dump(), row.at(2).dump());
  }
  for (const Json& row : wanted.at("tensors")) {
    const std::string full = row.at(1).dump(), local = row.size() > 2 ? row.at(2).dump() : full;
    if (local.find("[0,") == std::string::npos && local.find(",0,") == std::string::npos && local.find(",0]") == std::string::npos &&
        local != "[0]")
      add_held(theirs, row.at(0).get<std::string>(), full, local);
  }
  std::size_t told = 0;
  for (const auto& [key, alike] : theirs)
    if (const auto found = ours.find(key); (found == ours.end() || !(found->second == alike)) && ++told <= 5)
      out += "\n  missing " + key + " x" + std::to_string(alike.count);
  for (const auto& [key, alike] : ours)
    if (const auto found = theirs.find(key); (found == theirs.end() || !(found->second == alike)) && ++told <= 10)
      out += "\n  beyond " + key + " x" + std::to_string(alike.count);
  return out;
}

}  // namespace param_ledger::test
