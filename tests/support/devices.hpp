#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "core/api/report.hpp"
#include "core/builder/row_names.hpp"
#include "core/expr/index_set.hpp"
#include "tests/support/oracle.hpp"

// Compares our answer with the tensors that transformers or Megatron-Core stores on a device.
namespace param_ledger::test {

/// Tensors of equal shape whose names differ only in indices: their number, and the indices that occur at each position in the name.
struct AlikeTensors {
  std::uint64_t count = 0;
  std::vector<std::vector<std::uint64_t>> indices = {};
  bool operator==(const AlikeTensors&) const = default;
};
using HeldTensors = std::map<std::string, AlikeTensors>;

/// Adds all tensors that a name with index ranges stands for. The key is the name without indices, followed by the full and the local
/// shape.
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

/// The number of Megatron-Core's parameters on a device, by name (with stars for indices) and shape, computed from our answer. Tensors that
/// Megatron-Core fuses are joined into one parameter.
inline std::map<std::string, std::uint64_t> held_together(const Json& answer) {
  const Json& rank = answer.at("ranks").at(0);
  struct Together {
    std::vector<std::uint64_t> shape;
    std::uint64_t count = 0;
  };
  // Keyed by Megatron-Core's name and the indices in our name, which are equal for all tensors of a fused parameter.
  std::map<std::string, Together> parts;
  const bool last = answer.at("pipeline") != "1" && rank.at("stage") != "0";
  for (const Json& row : rank.at("rows")) {
    const Json& whole = answer.at("rows").at(row.at(0).get<std::size_t>());
    if (whole.at("kind") != "parameter") continue;
    std::string holder = whole.at("holder").get<std::string>(), indices;
    // If the head is tied, the last stage holds a copy of the embedding table under the head's name.
    if (last && holder == "embedding.word_embeddings.weight") holder = "output_layer.weight";
    std::uint64_t count = 1;
    const std::string name = row.at(1).get<std::string>();
    for (std::size_t begin = 0; begin <= name.size();) {
      const std::size_t end = std::min(name.find('.', begin), name.size());
      const std::string word = name.substr(begin, end - begin);
      if (const std::vector<param_ledger::Run> runs = param_ledger::spelled(word); !runs.empty()) {
        indices += word + " ";
        count *= static_cast<std::uint64_t>(param_ledger::size_of(runs));
      }
      begin = end + 1;
    }
    std::vector<std::uint64_t> shape;
    for (const Json& size : row.at(2)) shape.push_back(size.get<std::uint64_t>());
    Together& together = parts[holder + " " + indices];
    if (together.count == 0)
      together = {shape, count};
    else
      together.shape[0] += shape[0];
  }
  std::map<std::string, std::uint64_t> out;
  for (const auto& [key, together] : parts) out[key.substr(0, key.find(' ')) + " " + Json(together.shape).dump()] += together.count;
  return out;
}

/// Compares our answer with a line from tests/data/megatron_shards.py. Returns the differences; empty if there are none. Sets `refused` if
/// both sides refuse.
inline std::string compare_megatron(const Line& line, bool* refused) {
  const Json& wanted = line.rest;
  const Json request = {{"plan", "megatron"},
                        {"tensor", wanted.at("tp")},
                        {"pipeline", wanted.at("pp")},
                        {"expert", wanted.at("ep")},
                        {"rank", wanted.at("rank")}};
  const Json answer = parsed(param_ledger::devices(line.config, request.dump()));
  const bool ok = answer.at("ok").get<bool>();
  if (refused != nullptr) *refused = !ok && wanted.contains("refused");
  if (wanted.contains("refused")) return ok ? "refused there: " + wanted.at("refused").get<std::string>() : "";
  if (!ok) return "refused here: " + answer.at("error").at("message").get<std::string>();
  std::string out;
  const std::string local = answer.at("ranks").at(0).at("parameters").get<std::string>();
  if (local != wanted.at("local").dump()) out += "\n  local " + local + ", expected " + wanted.at("local").dump();
  std::map<std::string, std::uint64_t> theirs;
  for (const Json& row : wanted.at("tensors"))
    theirs[row.at(0).get<std::string>() + " " + row.at(1).dump()] += row.at(2).get<std::uint64_t>();
  const std::map<std::string, std::uint64_t> ours = held_together(answer);
  const auto count_in = [](const auto& map, const std::string& key) { return map.count(key) > 0 ? map.at(key) : 0; };
  for (const auto& [key, count] : theirs)
    if (count_in(ours, key) != count) out += "\n  missing " + key + " x" + std::to_string(count);
  for (const auto& [key, count] : ours)
    if (count_in(theirs, key) != count) out += "\n  beyond " + key + " x" + std::to_string(count);
  return out;
}

/// Compares our answer with a line from tests/data/shards.py or megatron_shards.py. Returns the differences; empty if there are none. Sets
/// `refused` if both sides refuse.
inline std::string compare_devices(std::string text, bool* refused = nullptr) {
  const Line line = line_of(std::move(text));
  const Json& wanted = line.rest;
  if (wanted.contains("plan")) return compare_megatron(line, refused);
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
