#pragma once

#include <fstream>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/report.hpp"
#include "tests/catch.hpp"

/// A tree is shown as its text: Catch would take it for a range of trees, without end.
template <>
struct Catch::StringMaker<nlohmann::ordered_json> {
  static std::string convert(const nlohmann::ordered_json& tree) { return tree.dump(); }
};

// What tests share: the files of tests/data, and answers as trees to look into.
namespace param_ledger::test {

using Json = nlohmann::ordered_json;

inline std::string text_of(std::string_view file) {
  std::ifstream in(std::string(PARAM_LEDGER_TEST_DATA "/").append(file), std::ios::binary);
  if (!in) throw std::runtime_error("no " + std::string(file) + " in tests/data");
  return {std::istreambuf_iterator<char>(in), {}};
}

inline Json json_of(std::string_view file) { return Json::parse(text_of(file)); }

/// The answer to a configuration, which must itself be JSON.
/// As web/lib/raw.ts describes it, with the lines in one object and a key for each place of a row.
inline Json answer_to(std::string_view config) {
  const std::string text = count(config);
  std::istringstream in(text);
  std::vector<Json> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
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

/// The text of a configuration of that type with these fields, each a key and JSON text: `{{"hidden_size", "64"}}`.
inline std::string config_of(std::string_view model_type,
                             std::initializer_list<std::pair<std::string_view, std::string_view>> fields = {}) {
  std::string out = R"({"model_type":")" + std::string(model_type) + '"';
  for (const auto& [key, value] : fields) out.append(",\"").append(key).append("\":").append(value);
  return out + '}';
}

/// One of the totals of an answer; for a refusal its code, so that a failing check tells.
inline std::string total(const Json& answer, std::string_view name = "parameters") {
  return (answer.at("ok").get<bool>() ? answer.at("totals").at(name) : answer.at("error").at("code")).get<std::string>();
}

/// The parameters of a configuration of that type with these fields.
inline std::string parameters(std::string_view model_type,
                              std::initializer_list<std::pair<std::string_view, std::string_view>> fields = {}) {
  return total(answer_to(config_of(model_type, fields)));
}

/// The row of a list ("fields", "tensors", "symbols", …) with that name; null where there is none.
inline Json row(const Json& answer, std::string_view list, std::string_view name) {
  for (const Json& candidate : answer.at(list))
    if (candidate.at("name") == name) return candidate;
  return {};
}

/// The Error that `body` throws; one of code `internal` where it does not.
template <class Body>
Error error_of(Body&& body) {
  try {
    body();
  } catch (const Error& e) {
    return e;
  }
  return {ErrorCode::internal, "", "nothing was thrown"};
}

}  // namespace param_ledger::test
