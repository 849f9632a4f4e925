#include "core/published.hpp"

#include <algorithm>

#include "core/prediction_layers.hpp"
#include "core/quantized_files.hpp"
#include "core/row_names.hpp"

namespace param_ledger {

namespace {

void tied_heads(Builder& b) {
  const auto published = [&](std::string_view name) {
    return std::any_of(b.rows().begin(), b.rows().end(), [&](const Row& row) { return row.kind == Kind::published && row.name == name; });
  };
  b.beside(Kind::possible, "Some files hold the head although it is the embedding table.", [&] {
    each_row(b, [&](const Row& row) {
      if (row.kind == Kind::tied && row.part == Part::output_head && row.role == Role::table && !published(row.name))
        b.like(row, row.name.data(), row.shape, Role::matrix);
    });
  });
}

}  // namespace

void record_published(Config c, Builder& b, const Family& family) {
  tied_heads(b);
  record_prediction_layers(c, b, family.predicts);
  record_scales_of_files(c, b);
}

}  // namespace param_ledger
