#include "core/model/published.hpp"

#include <algorithm>

#include "core/builder/row_names.hpp"
#include "core/model/prediction_layers.hpp"
#include "core/model/quantized_files.hpp"

namespace param_ledger {

namespace {

void tied_heads(Builder& b) {
  const auto published = [&](std::string_view name) {
    return std::any_of(b.rows().begin(), b.rows().end(), [&](const Row& row) { return row.kind == Kind::published && row.name == name; });
  };
  b.beside(Kind::possible, "Some files also store the head, although it is tied to the embedding table.", [&] {
    each_row(b, [&](const Row& row) {
      if (row.kind == Kind::tied && row.in_text(Part::output_head) && row.storage == StorageKind::table && !published(row.name))
        b.like(row, row.name.data(), row.shape, StorageKind::matrix);
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
