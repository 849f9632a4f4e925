#pragma once

#include <string>

#include "tests/support/oracle.hpp"

// Helpers for tests of memory: functions that ask for the memory of a model, and the models that these tests share.
namespace param_ledger::test {

inline Json memory_answer(const std::string& config, const std::string& options = "") {
  return parsed(memory(config, "{" + options + "}"));
}

/// The bytes of the loaded weights as digits, or the reason why they are not known.
inline std::string weights(const std::string& config, const std::string& format = "published") {
  const Json answer = memory_answer(config, "\"weights\":\"" + format + "\"").at("weights");
  return answer.at("known").get<bool>() ? answer.at("loaded").at("bytes").get<std::string>() : answer.at("reason").get<std::string>();
}

inline const std::string llama_2_7b =
    R"({"model_type":"llama","hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"vocab_size":32000,"torch_dtype":"float16"})";

/// A quantized model with one layer, which has matrices of 128 × 128, 256 × 128 and 128 × 256, and a vocabulary of 64 tokens.
inline std::string quantised(const std::string& quantization, const std::string& field = "quantization_config") {
  return R"({"model_type":"llama","hidden_size":128,"intermediate_size":256,"num_hidden_layers":1,"num_attention_heads":2,"vocab_size":64,)"
         R"("torch_dtype":"float16",")" +
         field + "\":" + quantization + "}";
}

}  // namespace param_ledger::test
