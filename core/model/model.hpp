#pragma once

#include "core/builder/builder.hpp"
#include "core/builder/inference.hpp"
#include "core/config/config.hpp"
#include "core/json/json_text.hpp"
#include "core/registry/registry.hpp"
#include "core/support/attempt.hpp"

namespace param_ledger {

/// A configuration that was read and counted. The rows in `builder` are its tensors. All answers about a model are computed from this.
struct Model {
  /// Throws Error if the configuration cannot be counted. The JSON must outlive the model.
  explicit Model(Json root) : Model(root, nullptr, nullptr) {}
  /// Like the constructor above, but also records caches and operations for a context of `tokens` tokens.
  Model(Json root, Inference& inference, Count tokens) : Model(root, nullptr, &inference, tokens) {}
  /// Like the first constructor, but also reports to `observer` which fields are read, and the decisions that depend on varying fields.
  Model(Json root, DecisionObserver& observer) : Model(root, nullptr, nullptr, 0, &observer) {}
  /// Counts the configuration in a document, and warns of keys that occur more than once in an object.
  explicit Model(const Document& document) : Model(document.root(), &document, nullptr) {}
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  Pool pool;
  Choice choice;
  Configuration configuration;
  Builder builder;

 private:
  Model(Json root, const Document* document, Inference* inference, Count tokens = 0, DecisionObserver* observer = nullptr);
  /// Records the tensors of the backbone and the head, and those that only published files contain. Also adds notes and warnings about the
  /// configuration, and throws Error for fields that are not supported.
  void record(Json root, Config config, Inference* inference);
};

/// Counts a configuration and calls `use(model)`. Returns the Error that counting or `use` throws, if any.
template <class Use>
std::optional<Error> try_count(std::string_view config_text, const Use& use) {
  return attempt([&] {
    const Document document(config_text);
    const Model model(document.root());
    use(model);
  });
}

}  // namespace param_ledger
