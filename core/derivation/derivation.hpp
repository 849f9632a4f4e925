#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/builder/blocks.hpp"
#include "core/builder/builder.hpp"
#include "core/derivation/arithmetic_text.hpp"
#include "core/derivation/step_block.hpp"
#include "core/model/totals.hpp"

namespace param_ledger {

// The count of a model as a person would write it: step by step. Each step is a formula in fields and in earlier steps; all steps come from
// the rows. Callers put a step into words by its kind and part.

enum class StepKind : std::uint8_t {
  part,      ///< rows of one part: outside of all layers, or in one layer
  layer,     ///< the sum of a layer's parts
  layers,    ///< the number of such layers, times their size
  section,   ///< the sum of a tower, or of the text model
  subtotal,  ///< part of a sum that is too long for one line
  tied,      ///< rows that share another row's storage and are not counted again
  total,
  idle,     ///< the experts that a token does not use
  active,   ///< the parameters that a token uses
  buffers,  ///< stored but not parameters
  beside,   ///< what published files hold besides the model
  files,    ///< the elements of these files
};
std::string_view spelling(StepKind kind);

/// The blocks of each row, the innermost first.
using RowBlocks = std::vector<std::vector<const Block*>>;

/// Whether the row's block stores matrices as [in, out]; whether the row is inside such a block.
bool is_transposed(const std::vector<const Block*>& blocks);
bool stands_in(const std::vector<const Block*>& blocks, Mechanism mechanism);

struct Step {
  StepKind kind;
  std::string name;            ///< the name that later steps use for it
  std::string_view part = {};  ///< the part of its rows: see `place_in_model`
  std::string_view list = {};  ///< for rows in layers: the list of layers, such as model.layers
  std::string layers = {};     ///< the layers of the list
  Expr copies = {};            ///< the number of these layers
  Expr formula = {};           ///< in fields and names of earlier steps
  Expr itself = {};            ///< the name of `formula`'s value
  std::vector<StepLine> lines = {};
  StepBlock block = {};  ///< for `part` and `beside`
};

/// A tower, the text model, its encoder or decoder, or the final sums.
struct StepSection {
  std::string_view name;  ///< vision, audio, projector, text; shared, encoder, decoder; total, active, files
  std::vector<Step> steps;
};

/// The part of a row, also inside a tower. Experts are apart from other feed-forward networks.
std::string_view place_in_model(const Row& row);

struct Derivation {
  std::vector<StepSection> sections;
  ArithmeticText text;  ///< knows the names of all steps
};

/// Throws Error{too_large} if there would be more than 1,000 steps, Error{internal} unless the steps add up to the total.
Derivation derive(Pool& pool, const std::vector<Row>& rows, const RowBlocks& blocks);

}  // namespace param_ledger
