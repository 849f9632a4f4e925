#pragma once

#include "core/builder/builder.hpp"
#include "core/builder/inference.hpp"
#include "core/config/config.hpp"
#include "core/json/json_text.hpp"
#include "core/registry/registry.hpp"
#include "core/support/attempt.hpp"

namespace param_ledger {

/// One configuration counted: from its JSON to the rows in `builder`. What every question about a model starts from.
struct Model {
  /// Throws Error for what can't be counted. The JSON must outlive the model.
  explicit Model(Json root) : Model(root, nullptr, nullptr) {}
  /// The same, with what inference keeps and multiplies after so many tokens.
  Model(Json root, Inference& inference, Count tokens) : Model(root, nullptr, &inference, tokens) {}
  /// The same, telling what depends on fields that vary.
  Model(Json root, DecisionObserver& observer) : Model(root, nullptr, nullptr, 0, &observer) {}
  /// The same for a text of its own: keys that stand twice in it are told.
  explicit Model(const Document& document) : Model(document.root(), &document, nullptr) {}
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  Pool pool;
  Choice choice;
  Configuration configuration;
  Builder builder;

 private:
  Model(Json root, const Document* document, Inference* inference, Count tokens = 0, DecisionObserver* observer = nullptr);
  /// Records the backbone, the head and what files hold beside them.
  void record(Json root, Config config, Inference* inference);
};

/// Counts a configuration that may be refused, and calls `use(model)`; the refusal, where there is one.
template <class Use>
std::optional<Error> try_count(std::string_view config_text, const Use& use) {
  return attempt([&] {
    const Document document(config_text);
    const Model model(document.root());
    use(model);
  });
}

}  // namespace param_ledger
