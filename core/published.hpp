#pragma once

#include <string_view>
#include <vector>

#include "core/builder.hpp"
#include "core/config.hpp"

namespace param_ledger {

/// Records what the published files of a model of that type hold beside it, once all of it is recorded: a head that is tied,
/// layers that predict further tokens, scales of quantised matrices. What the configuration says is Kind::published, what
/// only some files hold Kind::possible. Notes what it cannot tell.
void record_published(Config c, Builder& b, std::string_view model_type);

/// The name of a row that is repeated, cut at its first index: "model.layers", "[3-60]", "mlp.gate.weight". Valid as long as that.
struct Repeated {
  std::string_view before;  ///< empty for one that is not repeated
  std::string_view index;
  Text after = {};

  explicit operator bool() const { return !before.empty(); }
  [[nodiscard]] std::vector<Run> runs() const { return spelled(index); }
};
Repeated repeated(const Row& row);

/// True for linear layers that quantised files hold in few bits: not the router, not the head, nor what joins a prediction layer.
bool in_few_bits(const Row& row);
/// How many copies of each row such files convert where they convert it at all: all but those that the lists of quantization_config name.
std::vector<Count> converted_copies(Json quantization, const std::vector<Row>& rows);
/// True for a row of a layer that predicts further tokens.
bool is_prediction(const Row& row);
/// True for the scales of a quantised matrix.
bool is_scale(const Row& row);

}  // namespace param_ledger
