#include "core/devices/division.hpp"

#include <algorithm>

#include "core/builder/row_names.hpp"
#include "core/model/prediction_layers.hpp"
#include "core/model/quantized_files.hpp"

namespace param_ledger {

namespace {

Expr size_named(Pool& pool, Text name, Text symbol, Text meaning, Count value) {
  return pool.named({.name = std::string(name), .symbol = std::string(symbol), .meaning = meaning, .field = false}, value);
}

}  // namespace

Division::Division(Model& model, const Inference& inference, const Sizes& sizes, Engine engine)
    : model_(model),
      sizes_(sizes),
      engine_(engine),
      tensor_(size_named(model.pool, "tensor", "T", "Devices that share each tensor: tensor parallelism.", sizes.tensor)),
      pipeline_(
          size_named(model.pool, "pipeline", "P", "Pipeline stages, each with its own layers: pipeline parallelism.", sizes.pipeline)),
      expert_(size_named(model.pool, "expert", "E_p", "Devices that share the experts of a layer: expert parallelism.", sizes.expert)) {
  refuse_sizes();
  collect_rows();
  const PlanFound found = engine == Engine::transformers ? style_by_transformers(model.choice, inference, sizes, rows_)
                                                         : style_by_engine(model, engine, sizes, tensor_, rows_);
  divide_scales();
  place_rows(inference);
  refuse_without_plan(found);
  if (engine != Engine::transformers) refuse_uneven_rows();
  refuse_uneven_stages();
  refuse_uneven_experts();
  find_kinds();
}

/// Collects the model's own tensors and the scales that files store for them, except for the scales of prediction layers.
void Division::collect_rows() {
  const std::vector<Row>& all = model_.builder.rows();
  const auto is_beside = [&](const Row& row) {
    return !is_scale(row) ||
           std::any_of(all.begin(), all.end(), [&](const Row& other) { return is_prediction(other) && row.name.starts_with(other.name); });
  };
  for (const Row& row : all)
    if (row.kind != Kind::possible && (row.kind != Kind::published || !is_beside(row))) rows_.push_back({&row});
}

/// Divides scales like the matrices that they scale. A row with a single share, scale or not, then counts as whole.
void Division::divide_scales() {
  for (DividedRow& scale : rows_) {
    if (scale.row->kind != Kind::published) continue;
    for (const DividedRow& row : rows_)
      if (row.row->kind == Kind::parameter && row.row->shape.size() > 1 && module_of(row.row->name) == module_of(scale.row->name)) {
        scale.style = row.style;
        scale.by_expert = row.by_expert;
        scale.heads = row.heads;
      }
  }
  for (DividedRow& row : rows_)
    if (parts(row) == 1) row.style = Style::replicate;
}

Count Division::parts(const DividedRow& row) const { return row.style == Style::replicate ? 1 : divisor(row).decide(); }

Expr Division::divisor(const DividedRow& row) const { return row.heads ? row.heads : row.by_expert ? expert_ : tensor_; }

Count Division::copies(const DividedRow& row) const {
  const auto stages_with = [&](Place place) -> Count {
    switch (place) {
      case Place::every: return sizes_.pipeline;
      case Place::ends: return std::min<Count>(sizes_.pipeline, 2);
      case Place::layers:
      case Place::first:
      case Place::last: break;
    }
    return 1;
  };
  return sizes_.across() / parts(row) * stages_with(row.place);
}

}  // namespace param_ledger
