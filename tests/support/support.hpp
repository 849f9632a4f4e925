#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/api/report.hpp"
#include "core/support/error.hpp"
#include "tests/support/catch.hpp"

/// A tree is shown as its text: Catch would take it for a range of trees, without end.
template <>
struct Catch::StringMaker<nlohmann::ordered_json> {
  static std::string convert(const nlohmann::ordered_json& tree) { return tree.dump(); }
};

// Compiled once, in support.cpp: in each file of tests it would take a third of the time.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;

// What tests share: the files of tests/data, and answers as trees to look into.
namespace param_ledger::test {

using Json = nlohmann::ordered_json;

/// Keys, each with JSON text.
using GivenFields = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// The tree of a text that is JSON.
Json parsed(std::string_view text);

/// A file of tests/data.
std::string text_of(std::string_view file);

Json json_of(std::string_view file);

/// The answer to a configuration, which must itself be JSON.
/// As web/lib/core/raw.ts describes it, with the lines in one object and a key for each place of a row.
Json answer_to(std::string_view config);

/// The text of a configuration of that type with these fields, each a key and JSON text: `{{"hidden_size", "64"}}`.
std::string config_of(std::string_view model_type, GivenFields fields = {});

/// One of the totals of an answer; for a refusal its code, so that a failing check tells.
std::string total(const Json& answer, std::string_view name = "parameters");

/// The parameters of a configuration of that type with these fields.
std::string parameters(std::string_view model_type, GivenFields fields = {});

/// The row of a list ("fields", "tensors", "symbols", …) with that name; null where there is none.
Json row(const Json& answer, std::string_view list, std::string_view name);

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
