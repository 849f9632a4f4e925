// Fuzzes lessons and exercises, which links may contain, each with an answer to one screen: {"lesson": ..., "request": ...}. Mutations
// change JSON values.

// Covers: core/claims/lesson*.cpp

#include "core/api/report.hpp"
#include "tests/fuzz/mutation.hpp"
#include "tests/fuzz/target.hpp"

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  using namespace param_ledger;
  static const std::vector<std::string> keys = {"title", "says",    "asks", "hint",  "reveals", "number", "expression", "wrong",  "value",
                                                "names", "tensors", "each", "total", "with",    "model",  "choices",    "sets",   "field",
                                                "turns", "values",  "lit",  "books", "screen",  "answer", "right",      "because"};
  static const std::vector<std::string> words = {
      "d", "V * d",      "{d}",    "{V * d|short}", "{f / d|times}", "{d|percent}", "{V * d|worked}", "{",  "16.8M", "8,192",
      "}", "parameters", "q_proj", "hidden_size",   "int(d / 3)",    "active",      "total",          "{{", "1/0",   "d^d"};
  return fuzz::mutated_json(data, size, most, seed, keys, words, [](fuzz::Tree&, fuzz::Random&) {});
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace param_ledger;
  const fuzz::Tree tree = fuzz::Tree::parse(fuzz::text_of(data, size), nullptr, false);
  if (!tree.is_object() || !tree.contains("lesson")) return 0;
  const auto text_of = [](const fuzz::Tree& part) { return part.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); };
  const std::string asked = text_of(tree["lesson"]);
  const nlohmann::json judged = fuzz::checked(lesson(asked, tree.contains("request") ? text_of(tree["request"]) : "{}"));
  if (judged["ok"] == true && judged.contains("verdict"))
    fuzz::require(judged["verdict"].is_string(), "a judgement without a verdict", judged.dump());
  return 0;
}
