#include "tests/inputs/reading.hpp"

namespace param_ledger::test {

std::string request_of(const std::vector<InputFile>& files, const std::optional<std::string>& config) {
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

Json reading_of(const std::vector<InputFile>& files, const std::optional<std::string>& config) {
  return parsed(read(request_of(files, config)));
}

Json reading_of(std::string text, const std::optional<std::string>& config) { return reading_of({{"", std::move(text), {}}}, config); }

Json printed_reading(const std::string& text, const Json& fields) {
  const Json head = {{"files", Json::array({{{"name", ""}, {"bytes", text.size()}}})}, {"fields", fields}};
  return parsed(read(head.dump() + '\n' + text));
}

std::string with_length(std::string_view header) {
  std::string out;
  for (std::size_t i = 0; i < 8; ++i) out += static_cast<char>(header.size() >> (8 * i) & 255U);
  return out.append(header);
}

Json safetensors(std::string_view header, std::uint64_t data) {
  return reading_of({{"model.safetensors", with_length(header), 8 + header.size() + data}});
}

std::string problems_of(const Json& reading) {
  std::string out;
  for (const Json& problem : reading.value("problems", Json::array())) {
    if (problem.contains("line")) out += problem.at("line").dump() + ": ";
    out += problem.at("message").get<std::string>() + '\n';
  }
  return out;
}

}  // namespace param_ledger::test
