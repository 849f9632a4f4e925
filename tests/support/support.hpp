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

/// Lets Catch print a JSON tree as text. By default, Catch would treat the tree as an endless range of ranges.
template <>
struct Catch::StringMaker<nlohmann::ordered_json> {
  static std::string convert(const nlohmann::ordered_json& tree) { return tree.dump(); }
};

// Instantiated only in support.cpp, because the instantiation would otherwise take a third of the compile time of each test file.
extern template class nlohmann::basic_json<nlohmann::ordered_map>;

// Helpers that many tests share: they read the files in tests/data and return answers as JSON trees.
namespace param_ledger::test {

using Json = nlohmann::ordered_json;

/// The fields of a configuration: each key with its value as JSON text.
using GivenFields = std::initializer_list<std::pair<std::string_view, std::string_view>>;

/// Parses JSON text.
Json parsed(std::string_view text);

/// The contents of a file in tests/data.
std::string text_of(std::string_view file);

Json json_of(std::string_view file);

/// The answer to a configuration. It has the form in web/core/raw.ts, except that all lines are joined in one object and that each row is
/// an object with keys. An answer that is not JSON fails the test.
Json answer_to(std::string_view config);

/// The text of a configuration of this type with these fields, given as keys and JSON text: `{{"hidden_size", "64"}}`.
std::string config_of(std::string_view model_type, GivenFields fields = {});

/// A total in an answer. If the answer is a refusal, the error's code, so that a failed check shows it.
std::string total(const Json& answer, std::string_view name = "parameters");

/// The number of parameters of a configuration of this type with these fields, or the error's code if it is refused.
std::string parameters(std::string_view model_type, GivenFields fields = {});

/// The row with this name in a list ("fields", "tensors", "symbols", …); null if there is none.
Json row(const Json& answer, std::string_view list, std::string_view name);

/// The Error that `body` throws; an Error with the code `internal` if it does not throw.
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
