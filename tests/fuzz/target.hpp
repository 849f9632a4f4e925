#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

// Checks that all fuzz targets apply to answers. A new target needs a file with `LLVMFuzzerTestOneInput`, a folder of seeds in corpus/ and
// a .dict. The lines "// Covers: PATTERN..." in the target's file name the sources that its seeds should cover.
namespace param_ledger::fuzz {

/// Aborts if a condition is violated. The fuzzer then saves the input.
inline void require(bool holds, const char* what, std::string_view answer) {
  if (holds) return;
  std::fprintf(stderr, "%s:\n%.*s\n", what, static_cast<int>(answer.size()), answer.data());
  std::abort();
}

/// Checks that every line of an answer is valid JSON, that the first line has `ok`, and that the answer is not an internal error. Returns
/// the first line.
inline nlohmann::json checked(std::string_view answer) {
  const std::size_t end = answer.find('\n');
  nlohmann::json out = nlohmann::json::parse(answer.substr(0, end), nullptr, false);
  for (std::string_view rest = end < answer.size() ? answer.substr(end + 1) : std::string_view(); !rest.empty();) {
    const std::size_t line = rest.find('\n');
    require(!nlohmann::json::parse(rest.substr(0, line), nullptr, false).is_discarded(), "no JSON", answer);
    rest.remove_prefix(line < rest.size() ? line + 1 : rest.size());
  }
  require(out.is_object() && out.contains("ok"), "no answer", answer);
  require(out["ok"] == true || out["error"]["code"] != "internal", "a defect", answer);
  return out;
}

/// A `read` request for one file, optionally with a configuration.
inline std::string request_of(std::string_view bytes, std::string_view name, std::string_view config = {}) {
  std::string out = "{\"files\":[{\"name\":\"" + std::string(name) + "\",\"bytes\":" + std::to_string(bytes.size()) + "}]";
  if (!config.empty()) out += ",\"config\":" + std::to_string(config.size());
  return (out += "}\n").append(bytes).append(config);
}

/// Checks only that an answer begins correctly and is not an internal error. This is fast enough to try thousands of inputs per second.
inline int no_defect(std::string_view answer) {
  const bool answered = answer.starts_with("{\"ok\":true") || answer.starts_with("{\"ok\":false");
  require(answered && answer.find("\"code\":\"internal\"") == std::string_view::npos, "no answer, or a defect", answer);
  return 0;
}

/// Whether to parse this input's answer and check it further, which is slow. The input's hash selects one in `of` inputs, or
/// PARAM_LEDGER_CLOSELY selects all.
inline bool looked_at_closely(std::string_view input, std::uint32_t of = 64) {
  static const bool all = std::getenv("PARAM_LEDGER_CLOSELY") != nullptr;
  std::uint32_t hash = 2166136261;
  for (const char c : input) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  return all || (hash >> 12U) % of == 0;
}

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) { return {reinterpret_cast<const char*>(data), size}; }

}  // namespace param_ledger::fuzz
