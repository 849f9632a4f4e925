#include "tests/support/reading.hpp"

#include "core/expr/index_set.hpp"

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

std::string from_base64(std::string_view text) {
  constexpr std::string_view figures = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const std::size_t value = figures.find(c);
    if (value == std::string_view::npos) break;
    bits = bits << 6U | static_cast<std::uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out += static_cast<char>(bits >> static_cast<unsigned>(held) & 255U);
  }
  return out;
}

std::map<std::string, Json> single_tensors(const Json& reading) {
  std::map<std::string, Json> out;
  for (const Json& row : reading.at("tensors")) {
    std::vector<std::string> names = {row.at("name").get<std::string>()};
    for (bool again = true; again;) {
      again = false;
      std::vector<std::string> next;
      for (const std::string& name : names) {
        const std::size_t begin = name.find('['), end = name.find(']');
        if (begin == std::string::npos) {
          next.push_back(name);
          continue;
        }
        again = true;
        for (const Run& run : spelled(name.substr(begin, end + 1 - begin)))
          for (std::uint64_t i = run.first; i <= run.last; ++i)
            next.push_back(name.substr(0, begin) + std::to_string(i) + name.substr(end + 1));
      }
      names = std::move(next);
    }
    for (const std::string& name : names) out[name] = row;
  }
  return out;
}

std::pair<Json, std::uint64_t> reading_by_pieces(const std::string& name, const std::string& file) {
  std::uint64_t here = 0, asked = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pieces;  // offset and length of each piece after the file's beginning
  for (int round = 0; round < 1000; ++round) {
    Json entry = {{"name", name}, {"bytes", here}, {"size", file.size()}, {"further", pieces}};
    std::string request = Json{{"files", Json::array({entry})}}.dump() + '\n' + file.substr(0, here);
    for (const auto& [begin, length] : pieces) request += file.substr(begin, length);
    const Json wanted = parsed(wants(request)).at("wants");
    if (wanted.empty()) return {parsed(read(request)), asked};
    const auto begin = wanted.at(0).at("begin").get<std::uint64_t>(), least = begin + (1U << 18U);
    const auto end = std::min<std::uint64_t>(std::max(wanted.at(0).at("end").get<std::uint64_t>(), least), file.size());
    asked += end - begin;
    if (begin == here)
      here = end;
    else if (!pieces.empty() && pieces.back().first + pieces.back().second == begin)
      pieces.back().second += end - begin;
    else
      pieces.emplace_back(begin, end - begin);
  }
  return {Json(), asked};
}

std::string parameters_of(const std::string& text) {
  const Json reading = reading_of(text);
  if (!reading.contains("text")) return reading.dump();
  const Json answer = answer_to(reading.at("text").get<std::string>());
  return answer.value("ok", false) ? total(answer) : answer.at("error").dump();
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
