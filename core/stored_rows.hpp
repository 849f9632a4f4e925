#pragma once

#include <cstddef>

#include "core/prediction_layers.hpp"
#include "core/quantized_files.hpp"
#include "core/storage.hpp"

namespace param_ledger {

/// The rows of a model as they are stored, one after another: what each way of storing them writes into.
class StoredRows {
 public:
  explicit StoredRows(const Model& model) : model_(model) {}

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] Storage& out() { return out_; }

  void put(const Row& row, Text format, Count bytes, Count beside = 0) {
    if (bytes > 0) out_.rows.push_back({&row, format, bytes, beside, !is_prediction(row)});
  }

  /// Runs `body` for each tensor that is stored, but those that other quantisations bring.
  template <class Body>
  void each(bool published, const Body& body) {
    for (const Row& row : model_.builder.rows()) {
      if (row.kind == Kind::tied || row.kind == Kind::possible) continue;
      if (row.kind == Kind::published && (!published || is_scale(row))) continue;
      body(row);
    }
  }

 private:
  const Model& model_;
  Storage out_;
};

/// Copies of a row's tensor.
inline Count copies_of(const Row& row) {
  Count copies = 1;
  for (const Expr e : row.repeats) copies = multiply(copies, e.value());
  return copies;
}

}  // namespace param_ledger
