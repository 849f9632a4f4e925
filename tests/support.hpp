#pragma once

#include <fstream>
#include <initializer_list>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

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
inline Json answer_to(std::string_view config) { return Json::parse(count(config)); }

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
