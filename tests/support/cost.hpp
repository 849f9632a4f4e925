#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "core/expr/index_set.hpp"
#include "tests/support/oracle.hpp"

// Compares the cache and the operations in an answer with those that transformers measured.
namespace param_ledger::test {

/// The tensors of a cache, one line per tensor and layer, sorted: "12 keys [1,8,100,128] bfloat16". A name is reduced to the layer's index
/// and its last word, with an index that follows the word.
inline std::vector<std::string> kept_tensors(const std::vector<std::array<std::string, 3>>& rows) {
  std::vector<std::string> out;
  for (const auto& [name, shape, dtype] : rows) {
    std::vector<param_ledger::Run> layers;
    std::string role, path = name + ".";
    for (std::size_t begin = 0; begin < path.size();) {
      const std::size_t end = path.find('.', begin);
      const std::string segment = path.substr(begin, end - begin);
      if (std::vector<param_ledger::Run> runs = param_ledger::spelled(segment); !runs.empty() && layers.empty())
        layers = std::move(runs);
      else
        role = !runs.empty() ? role + "." + segment : segment;
      begin = end + 1;
    }
    for (const param_ledger::Run& run : layers)
      for (std::uint64_t layer = run.first; layer <= run.last; ++layer)
        out.push_back(std::to_string(layer) + " " + role + " " + shape + " " + dtype);
  }
  std::sort(out.begin(), out.end());
  return out;
}

struct CostVerdict {
  std::string wrong;    ///< the differences; empty if there are none
  std::string unknown;  ///< the reasons why the answer lacks the cache or the operations, or is a refusal
};

/// Computes the answers for a recorded case and compares them with it: {id, config, source?, cache: {"100": [[name, shape, dtype], …]},
/// flops: {"100": N}, next: {"100": N}, without?}. The keys such as "100" are numbers of tokens.
inline CostVerdict compare_cost(std::string line) {
  const Line parts = line_of(std::move(line));
  const Json& wanted = parts.rest;
  CostVerdict out;
  std::vector<std::string> lengths;
  for (const char* part : {"cache", "flops", "next"})
    if (wanted.contains(part))
      for (const auto& [length, unused] : wanted.at(part).items())
        if (std::find(lengths.begin(), lengths.end(), length) == lengths.end()) lengths.push_back(length);
  const std::string source = wanted.value("source", 0) > 0 ? ",\"source\":" + wanted.at("source").dump() : "";
  for (const std::string& length : lengths) {
    const Json answer = parsed(memory(parts.config, "{\"tokens\":" + length + source + "}"));
    if (!answer.at("ok").get<bool>()) return {"", " refused: " + answer.at("error").at("message").get<std::string>()};
    const Json &cache = answer.at("cache"), &compute = answer.at("compute");
    if (cache.at("known").get<bool>()) {
      const auto rows = [](const Json& list, bool ours) {
        std::vector<std::array<std::string, 3>> tensors;
        for (const Json& row : list)
          tensors.push_back(ours ? std::array{row.at("name").get<std::string>(), row.at("shape").dump(), row.at("dtype").get<std::string>()}
                                 : std::array{row[0].get<std::string>(), row[1].dump(), row[2].get<std::string>()});
        return kept_tensors(tensors);
      };
      const Json none = Json::array();
      const bool measured = wanted.contains("cache") && (wanted.at("cache").contains(length) || wanted.at("cache").empty());
      const auto ours = rows(cache.at("rows"), true);
      const auto theirs = rows(measured && wanted.at("cache").contains(length) ? wanted.at("cache").at(length) : none, false);
      if (measured && ours != theirs) {
        std::vector<std::string> more, less;
        std::set_difference(ours.begin(), ours.end(), theirs.begin(), theirs.end(), std::back_inserter(more));
        std::set_difference(theirs.begin(), theirs.end(), ours.begin(), ours.end(), std::back_inserter(less));
        out.wrong += "\n  at " + length + ": kept here " + std::to_string(more.size()) + (more.empty() ? "" : ", e.g. " + more.front()) +
                     "; there " + std::to_string(less.size()) + (less.empty() ? "" : ", e.g. " + less.front());
      }
    } else if (out.unknown.find("cache:") == std::string::npos) {
      out.unknown += " cache: " + cache.at("reason").get<std::string>();
    }
    if (!compute.at("known").get<bool>()) {
      if (out.unknown.find("compute:") == std::string::npos) out.unknown += " compute: " + compute.at("reason").get<std::string>();
      continue;
    }
    // If transformers processes a prompt in chunks, operations of recurrent states are only compared for the next token. All other
    // operations are compared for the prompt as well.
    const bool chunks = std::any_of(compute.at("left_out").begin(), compute.at("left_out").end(),
                                    [](const Json& what) { return what.get<std::string>().find("chunks") != std::string::npos; });
    if (chunks != wanted.contains("without")) out.wrong += "\n  takes a prompt in chunks, or does not";
    const std::uint64_t states = chunks ? std::stoull(compute.at("states").get<std::string>()) * std::stoull(length) : 0;
    const auto flops = [&](const char* theirs, const char* ours, std::uint64_t less) {
      if (!wanted.contains(theirs) || !wanted.at(theirs).contains(length)) return;
      const std::string expected = wanted.at(theirs).at(length).dump();
      const std::string got = std::to_string(std::stoull(compute.at(ours).get<std::string>()) - less);
      if (expected != got) out.wrong += "\n  at " + length + ": " + theirs + " " + got + ", expected " + expected;
    };
    flops("flops", "prompt", states);
    flops("next", "next", 0);
  }
  return out;
}

}  // namespace param_ledger::test
