#include "core/claims/lesson_scene.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/claims/bindings.hpp"
#include "core/claims/lesson_keys.hpp"
#include "core/claims/lesson_text.hpp"
#include "core/model/totals.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The count that a lesson's `tensors` or `total` stands for in a model; the total parameter count if both are missing.
Count asked_of(const Model& model, Json meaning, const std::string& path) {
  const Subset subset = subset_at(meaning, path);
  if (!subset.names.empty()) return sum_of(model, subset);
  const std::string_view name = meaning["total"] ? required_text(meaning, path, "total") : std::string_view("parameters");
  for (const NamedTotal& total : named_totals())
    if (total.name == name) {
      if (total.active) require_active(model.configuration, model.builder.rows());
      return total.of(totals_of(model.builder.rows()));
    }
  refuse_key(path_of(path, "total"), concat({"“", clipped(name, 40), "” is not the name of a total, such as parameters or active."}));
}

}  // namespace

Json LessonScene::require_config(Json config, const std::string& path) {
  require_object(config, path);
  return config;
}

LessonScene::LessonScene(Json config, const std::string& path) : config_(require_config(config, path)), model_(config) {
  const Totals totals = totals_of(model_.builder.rows());
  const bool routed = missing_active(model_.configuration, model_.builder.rows()) == nullptr;
  for (const NamedTotal& total : named_totals())
    if (routed || !total.active) add_name(total.name, total.of(totals));
  for (Binding& own : bindings_of(model_)) names_.push_back(std::move(own));
}

void LessonScene::add_names(Json names, const std::string& path) {
  if (!names) return;
  require_object(names, path);
  for (const auto& [name, meaning] : names.members()) {
    const std::string own = path_of(path, clipped(name, 60));
    if (meaning.is(Json::Type::string))
      names_.push_back({std::string(name), value_of(meaning.string(), own, names_)});
    else
      add_name(name, counted(meaning, own));
  }
}

std::string LessonScene::literal_of(Json value, const std::string& path) const {
  if (value.is(Json::Type::string) && value.string().starts_with("="))
    return digits(whole_value_of(value.string().substr(1), path, names_));
  return dump(value);
}

Count LessonScene::parameters_with(std::string_view field, std::string literal) const {
  const std::string text = edited(config_, edits_for(field, std::move(literal)));
  const Document document(text);
  return totals_of(Model(document.root()).builder.rows()).parameter_sum;
}

/// The count that a name in a lesson stands for: of some tensors or of a total, in this model, in this model with other field values, or in
/// another model.
Count LessonScene::counted(Json meaning, const std::string& path) const {
  require_object(meaning, path);
  require_known(meaning, path, {"tensors", "each", "total", "with", "model"});
  const Json other = meaning["model"], with = meaning["with"];
  if (other) require_object(other, path_of(path, "model"));
  if (with) require_object(with, path_of(path, "with"));
  if (!other && !with) return asked_of(model_, meaning, path);
  std::vector<Edit> edits;
  for (const auto& [field, value] : with.members())
    for (Edit& edit : edits_for(field, literal_of(value, path_of(path, field)))) edits.push_back(std::move(edit));
  const std::string text = edited(other ? other : config_, edits);
  const Document document(text);
  return asked_of(Model(document.root()), meaning, path);
}

/// The edits that give a field a value.
std::vector<Edit> LessonScene::edits_for(std::string_view name, std::string literal) const {
  for (const Field& field : model_.configuration.fields) {
    if (model_.configuration.full_name(field.section, field.name) != name) continue;
    // If the field is the number of layers, lists with an entry for each layer change with it, unless the number is unrealistically large.
    constexpr std::uint64_t most_layers = 1'000'000;
    if (field.number && field.number.name().symbol == "L")
      if (const auto n = integer_written(literal); n && *n < most_layers) return edits_of_layers(model_.configuration, field, *n);
    return {edit_of(model_.configuration, field, std::move(literal))};
  }
  return {{std::string(name), std::move(literal)}};
}

}  // namespace param_ledger
