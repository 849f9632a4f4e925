// Fuzzes config.json. A text must be counted or refused, and the totals alone must agree with the whole answer. Mutations change values,
// keys and model types.

// Covers: core/json/json.cpp core/json/json_builder.cpp core/json/json_refusal.cpp core/json/json_text.cpp core/support/decimal.cpp
// Covers: core/config/config.cpp

#include <algorithm>

#include "core/api/report.hpp"
#include "core/json/json_text.hpp"
#include "core/model/model.hpp"
#include "core/registry/registry.hpp"
#include "tests/fuzz/mutation.hpp"
#include "tests/fuzz/target.hpp"

namespace {

using namespace param_ledger;

/// The field names, model types and other words that mutations insert.
struct Vocabulary {
  std::vector<std::string> keys, words;
  std::vector<std::string> nested;  ///< sections of the type learned last that may name another type

  Vocabulary() {
    for (const Family* family : families()) words.emplace_back(family->model_type);
    for (const char* word :
         {"float32", "bfloat16", "full_attention", "sliding_attention", "mamba", "linear_attention", "auto", "gelu", "sparse", "dense"})
      words.emplace_back(word);
  }

  /// Adds the field names that a model type reads, and finds its `nested` sections, if it can be counted with its defaults.
  void learn(const std::string& type) {
    nested.clear();
    try {
      const Document document("{\"model_type\":\"" + type + "\"}");
      const Model model(document);
      for (const Field& field : model.configuration.fields) keys.emplace_back(std::string_view(field.name));
      for (const ConfigReader& section : model.configuration.sections) {
        const std::string_view path = section.path;
        if (!path.empty() && path.find('.') == path.size() - 1 &&
            std::find(section.consumed.begin(), section.consumed.end(), std::string_view("model_type")) != section.consumed.end())
          nested.emplace_back(path.substr(0, path.size() - 1));
      }
    } catch (const Error&) {
      return;  // the type cannot be counted with its defaults
    }
  }
};

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  static Vocabulary vocabulary;
  return fuzz::mutated_json(data, size, most, seed, vocabulary.keys, vocabulary.words, [](fuzz::Tree& tree, fuzz::Random& random) {
    if (!vocabulary.nested.empty() && random.chance(10)) {
      fuzz::Tree& section = tree[vocabulary.nested[random.below(vocabulary.nested.size())]];
      if (!section.is_object()) section = fuzz::Tree::object();
      section["model_type"] = vocabulary.words[random.below(families().size())];
    }
    if (random.chance(90)) return;
    const std::string& type = vocabulary.words[random.below(families().size())];
    tree["model_type"] = type;
    tree.erase("architectures");
    vocabulary.learn(type);
  });
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const std::string sums = totals(text);
  if (!fuzz::looked_at_closely(text)) return fuzz::no_defect(sums);
  const nlohmann::json counted = fuzz::checked(count(text)), summed = fuzz::checked(sums);
  fuzz::require(counted["ok"] == summed["ok"], "count and totals disagree", text);
  if (counted["ok"] == true) fuzz::require(counted["totals"] == summed["totals"], "count and totals disagree", text);
  return 0;
}
