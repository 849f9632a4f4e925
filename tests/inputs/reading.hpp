#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support.hpp"

// Requests of the question `read`, as the package makes them.
namespace param_ledger::test {

struct InputFile {
  std::string name;
  std::string bytes;
  std::optional<std::uint64_t> size = {};
};

inline std::string request_of(const std::vector<InputFile>& files, const std::optional<std::string>& config = {}) {
  Json head = {{"files", Json::array()}};
  std::string bytes;
  for (const InputFile& file : files) {
    Json entry = {{"name", file.name}, {"bytes", file.bytes.size()}};
    if (file.size) entry["size"] = *file.size;
    head["files"].push_back(entry);
    bytes += file.bytes;
  }
  if (config) head["config"] = config->size();
  return head.dump() + '\n' + bytes + config.value_or("");
}

inline Json reading_of(const std::vector<InputFile>& files, const std::optional<std::string>& config = {}) {
  return Json::parse(read(request_of(files, config)));
}

/// What pasted text is.
inline Json reading_of(std::string text, const std::optional<std::string>& config = {}) {
  return reading_of({{"", std::move(text), {}}}, config);
}

/// The begin of a safetensors file with that header: its length, then itself.
inline std::string with_length(std::string_view header) {
  std::string out;
  for (std::size_t i = 0; i < 8; ++i) out += static_cast<char>(header.size() >> (8 * i) & 255U);
  return out.append(header);
}

/// The file of that header and so many bytes of data.
inline Json safetensors(std::string_view header, std::uint64_t data) {
  return reading_of({{"model.safetensors", with_length(header), 8 + header.size() + data}});
}

/// The messages of what could not be read, a line each.
inline std::string problems_of(const Json& reading) {
  std::string out;
  for (const Json& problem : reading.value("problems", Json::array())) {
    if (problem.contains("line")) out += problem.at("line").dump() + ": ";
    out += problem.at("message").get<std::string>() + '\n';
  }
  return out;
}

}  // namespace param_ledger::test
