#pragma once

#include <string>
#include <vector>

#include "core/model/model.hpp"
#include "core/model/prediction_layers.hpp"
#include "core/model/quantized_files.hpp"

namespace param_ledger {

/// The bytes that a row's tensors take in one storage format. A row that is stored in several formats or layouts has one entry for each.
struct StoredRow {
  const Row* row;
  Text format;         ///< the format of the weights themselves: "bfloat16", "Q4_K", "int4"
  Count bytes = 0;     ///< bytes of this entry, in all copies of the row that have its format
  Count beside = 0;    ///< the part of `bytes` for scales, zero points and other data in addition to the weights themselves
  bool loaded = true;  ///< false: the row is stored in files but not loaded, like prediction layers
};

/// The weights of a model in one storage format.
struct Storage {
  std::vector<StoredRow> rows;
  Count loaded = 0;     ///< bytes that inference loads
  Count files = 0;      ///< bytes of tensors in files, without their headers
  std::string format;   ///< a short name for the format of the matrices
  std::string note;     ///< a remark for the user; may be empty
  std::string unknown;  ///< why the bytes are not known; empty if they are
};

/// Collects the stored rows of a model. Each storage format adds its rows here.
class StoredRows {
 public:
  StoredRows(const Model& model, const std::vector<Row>& rows) : model_(model), rows_(rows) {}

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] Storage& out() { return out_; }

  void put(const Row& row, Text format, Count bytes, Count beside = 0) {
    if (bytes > 0) out_.rows.push_back({&row, format, bytes, beside, !is_prediction(row)});
  }

  /// Calls `body` for each row that is stored. With `published`, these include rows that only the published files contain, except scales of
  /// quantized matrices.
  template <class Body>
  void each(bool published, const Body& body) {
    for (const Row& row : rows_) {
      if (row.kind == Kind::tied || row.kind == Kind::possible) continue;
      if (row.kind == Kind::published && (!published || is_scale(row))) continue;
      body(row);
    }
  }

 private:
  const Model& model_;
  const std::vector<Row>& rows_;
  Storage out_;
};

/// The number of copies of a row's tensor: the product of its repeats.
inline Count copies_of(const Row& row) {
  Count copies = 1;
  for (const Expr e : row.repeats) copies = multiply(copies, e.peek());
  return copies;
}

}  // namespace param_ledger
