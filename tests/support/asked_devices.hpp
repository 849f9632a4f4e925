#pragma once

#include <string>

#include "tests/support/catch.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/evaluator.hpp"

// Helpers for tests of `devices`, and the models that these tests share.
namespace param_ledger::test {

using Answer = nlohmann::ordered_json;

inline Answer asked(const std::string& config, const std::string& options) { return parsed(devices(config, "{" + options + "}")); }

/// The error as "field: message"; empty if the request is answered.
inline std::string refusal(const std::string& config, const std::string& options) {
  const Answer answer = asked(config, options);
  return answer.at("ok").get<bool>()
             ? ""
             : answer.at("error").at("field").get<std::string>() + ": " + answer.at("error").at("message").get<std::string>();
}

/// Compares our answers with a file of recorded plans, line by line. Also checks the number of lines, and the number of lines that both
/// sides refuse.
inline void compare_lines(const char* file, std::size_t expected_cases, std::size_t expected_refusals) {
  const std::string text = text_of(file);
  std::size_t cases = 0, refusals = 0;
  for (std::size_t start = 0, end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    const std::string line = text.substr(start, end - start);
    bool refused = false;
    INFO(line.substr(0, 200));
    CHECK(compare_devices(line, &refused) == "");
    ++cases;
    refusals += refused;
  }
  CHECK(cases == expected_cases);
  CHECK(refusals == expected_refusals);
}

inline const std::string llama_8b =
    R"({"model_type":"llama","vocab_size":128256,"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,)"
    R"("num_attention_heads":32,"num_key_value_heads":8,"dtype":"bfloat16"})";
inline const std::string deepseek = R"({"model_type":"deepseek_v3","dtype":"bfloat16"})";
inline const std::string mixtral = R"({"model_type":"mixtral","num_hidden_layers":4})";
inline const std::string mixtral_8x7b = R"({"model_type":"mixtral"})";

}  // namespace param_ledger::test
