// Finds the pipeline stages that hold a row, and the layers of each stage.

#include <algorithm>

#include "core/builder/row_names.hpp"
#include "core/devices/division.hpp"
#include "core/devices/rule_matching.hpp"
#include "core/json/json_fields.hpp"

namespace param_ledger {

namespace {

/// The properties of a model that determine which stages hold a row.
struct Ends {
  std::string_view backbone;  ///< the name of the backbone's module
  std::string_view table;     ///< the embedding table's names in the backbone
  bool has_head = false;      ///< the class has a language model head
  bool divides_head = false;  ///< the model's tensor-parallel plan divides the head, which is then recognised whatever its name
  bool tied = false;          ///< the head is tied to the embedding table
  bool everywhere = false;    ///< every stage builds all tensors outside of the layers
};

/// A tensor's name relative to the backbone; empty if the tensor is not in the backbone.
std::string_view name_inside(std::string_view backbone, std::string_view name) {
  if (backbone.empty() || !name.starts_with(backbone) || name.size() <= backbone.size() || name[backbone.size()] != '.') return {};
  return name.substr(backbone.size() + 1);
}

bool is_head(const Row& row, const Ends& ends) {
  return row.in_text(Part::output_head) && ends.has_head && !row.name.starts_with(ends.backbone) &&
         (first_word(row.name) == "lm_head" || ends.divides_head);
}

/// The stages that hold a row.
Place place_of(const Row& row, const Ends& ends) {
  if (ends.everywhere && !holds(row.name, "layers.")) return Place::every;
  if (is_head(row, ends)) return Place::last;
  const std::string_view word = first_word(name_inside(ends.backbone, row.name));
  if (word == "layers") return Place::layers;
  if (word == "norm") return Place::last;
  if (word.empty() || !is_one_of(ends.table, word)) return Place::every;
  return ends.tied ? Place::ends : Place::first;
}

/// Whether the head is tied to the embedding table, according to tie_word_embeddings or its default, or to the model's tensors.
bool ties_head(const Model& model, const std::vector<DividedRow>& rows, bool by_default) {
  const Json root = model.configuration.sections.front().json;
  const bool said = root["tie_word_embeddings"].is(Json::Type::boolean);
  return (said ? flag_in(root, "tie_word_embeddings") : by_default) || std::any_of(rows.begin(), rows.end(), [](const DividedRow& row) {
           return row.row->kind == Kind::tied && row.row->in_text(Part::output_head);
         });
}

/// Whether the layers belong to a text model that is nested in the backbone next to towers, although the tensors' names do not show it.
bool is_nested(const Inference& inference, std::string_view backbone, const std::vector<DividedRow>& rows) {
  const auto at_backbone = std::count_if(inference.models.begin(), inference.models.end(), [&](const Submodel& m) {
    return m.prefix.size() == backbone.size() + 1 && m.prefix.starts_with(backbone);
  });
  return at_backbone > 1 && std::any_of(rows.begin(), rows.end(), [](const DividedRow& row) { return row.row->in_tower(); });
}

}  // namespace

void Division::place_rows(const Inference& inference) {
  if (sizes_.pipeline == 1) return;
  const Choice& choice = model_.choice;
  if (is_nested(inference, choice.architecture.architecture.backbone, rows_)) return;
  const Plan* const plan = plan_of(choice.family->model_type);
  const EnginePlan* const of_engine = engine_plan_of(engine_, choice.family->model_type);
  const Ends ends{.backbone = choice.architecture.architecture.backbone,
                  .table = plan != nullptr ? plan->table.value_or("embed_tokens") : Text("embed_tokens"),
                  .has_head = has_language_model_head(choice),
                  .divides_head = plan != nullptr && plan->head != Style::replicate,
                  .tied = ties_head(model_, rows_, inference.ties_by_default),
                  .everywhere = of_engine != nullptr && of_engine->whole_ends};
  for (DividedRow& row : rows_) {
    row.place = place_of(*row.row, ends);
    if (row.place != Place::layers) continue;
    const std::string_view name = name_inside(ends.backbone, row.row->name);
    row.layers = spelled(first_word(name.substr(std::min(name.size(), std::string_view("layers.").size()))));
    if (row.layers.empty())
      row.place = Place::every;
    else
      n_layers_ = std::max(n_layers_, row.layers.back().last + 1);
  }
  for (const DividedRow& row : rows_)
    if (row.layers.size() == 1 && row.layers[0].first == 0 && row.layers[0].last + 1 == n_layers_ && !row.row->repeats.empty())
      layers_ = row.row->repeats.front();
}

std::pair<std::uint64_t, std::uint64_t> Division::layers_of(std::uint64_t stage) const {
  const auto stages = static_cast<std::uint64_t>(sizes_.pipeline);
  const std::uint64_t each = n_layers_ / stages, rest = n_layers_ % stages;
  if (engine_ != Engine::vllm) return {stage * each, stage + 1 == stages ? n_layers_ : (stage + 1) * each};
  // vLLM gives one left-over layer each to the stages just before the last one (get_pp_indices).
  const auto start = [&](std::uint64_t of) {
    const std::uint64_t longer = stages - 1 - rest;  // the first stage with one layer more than the others
    if (of == stages) return n_layers_;
    return of * each + (of > longer ? std::min(of - longer, rest) : 0);
  };
  return {start(stage), start(stage + 1)};
}

bool Division::is_held(const DividedRow& row, std::uint64_t stage) const {
  if (sizes_.pipeline == 1) return true;
  const bool is_first = stage == 0, is_last = stage + 1 == sizes_.pipeline;
  switch (row.place) {
    case Place::every: return true;
    case Place::first: return is_first;
    case Place::ends: return is_first || is_last;
    case Place::last: return is_last;
    case Place::layers: break;
  }
  const auto [first, end] = layers_of(stage);
  return std::any_of(row.layers.begin(), row.layers.end(),
                     [first = first, end = end](const Run& run) { return run.first < end && run.last >= first; });
}

}  // namespace param_ledger
