#include "tests/support/support.hpp"

#include <sstream>

#include "core/builder/builder.hpp"
#include "tests/support/unpacked.hpp"

template class nlohmann::basic_json<nlohmann::ordered_map>;

namespace param_ledger::test {

Json parsed(std::string_view text) { return Json::parse(text); }

std::string text_of(std::string_view file) { return unpacked_file(std::string(PARAM_LEDGER_TEST_DATA "/").append(file)); }

Json json_of(std::string_view file) { return parsed(text_of(file)); }

Json answer_to(std::string_view config) {
  const std::string text = count(config);
  std::istringstream in(text);
  std::vector<Json> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(parsed(line));
  Json& answer = lines.front();
  if (lines.size() == 1) return answer;
  const auto keyed = [](const Json& row, std::initializer_list<const char*> keys) {
    Json out = Json::object();
    std::size_t place = 0;
    for (const char* const key : keys) {
      if (place == row.size()) break;
      const Json& value = row.at(place++);
      if (!value.is_null() || key == std::string_view("value")) out[key] = value;
    }
    return out;
  };
  const Json& reasons = lines.at(5);
  for (const char* list : {"tensors", "fields", "symbols"}) answer[list] = Json::array();
  for (const Json& line : lines.at(1)) {
    Json row = keyed(line, {"name", "shape", "part", "role", "total", "math", "copies", "elements", "active", "kind", "about"});
    row["part"] = std::string(answer_part_name(row.at("part").get<std::size_t>()));
    row["role"] = std::string(spelling(static_cast<StorageKind>(row.at("role").get<int>())));
    if (row.contains("about")) {
      const Json about = row.at("about");
      row.erase("about");
      if (about.is_string())
        row["tied_to"] = about;
      else
        row["reason"] = reasons.at(about.get<std::size_t>());
    }
    answer["tensors"].push_back(row);
  }
  answer["fields"] = lines.at(2);
  for (const Json& line : lines.at(3)) {
    Json row = keyed(line, {"name", "value", "reason"});
    row["source"] = "ignored";
    if (row.contains("reason")) row["reason"] = reasons.at(row.at("reason").get<std::size_t>());
    answer["fields"].push_back(row);
  }
  for (const Json& line : lines.at(4)) {
    Json row = keyed(line, {"name", "symbol", "value", "meaning", "math"});
    if (row.contains("meaning")) row["field"] = false;
    answer["symbols"].push_back(row);
  }
  answer["notes"] = lines.at(6);
  return answer;
}

std::string config_of(std::string_view model_type, VariableSet fields) {
  std::string out = R"({"model_type":")" + std::string(model_type) + '"';
  for (const auto& [key, value] : fields) out.append(",\"").append(key).append("\":").append(value);
  return out + '}';
}

std::string total(const Json& answer, std::string_view name) {
  return (answer.at("ok").get<bool>() ? answer.at("totals").at(name) : answer.at("error").at("code")).get<std::string>();
}

std::string parameters(std::string_view model_type, VariableSet fields) { return total(answer_to(config_of(model_type, fields))); }

Json row(const Json& answer, std::string_view list, std::string_view name) {
  for (const Json& candidate : answer.at(list))
    if (candidate.at("name") == name) return candidate;
  return {};
}

}  // namespace param_ledger::test
