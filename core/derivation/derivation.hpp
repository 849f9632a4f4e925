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

// Derives the count of a model as a person would write it, step by step. Each step is a formula in fields and earlier steps, and follows
// from the model's rows. Callers put a step into words according to its kind and part.

enum class StepKind : std::uint8_t {
  part,      ///< rows of one part of the model, either outside of all layers or in one layer
  layer,     ///< the sum of a layer's parts
  layers,    ///< the kinds of layers: the number of layers of each kind, times the size of one, added up
  section,   ///< the sum of a section, such as a tower, the text model or its encoder
  subtotal,  ///< part of a sum that is too long for one line
  tied,      ///< rows that share another row's storage and are not counted again
  total,
  idle,     ///< the experts that a token does not use
  active,   ///< the parameters that a token uses
  buffers,  ///< stored but not parameters
  beside,   ///< tensors that only the published files hold
  files,    ///< all elements in the published files
};
std::string_view spelling(StepKind kind);

/// For each row, the blocks that contain it, innermost first.
using RowBlocks = std::vector<std::vector<const Block*>>;

/// Whether one of the blocks around a row has this mechanism.
bool stands_in(const std::vector<const Block*>& blocks, Mechanism mechanism);

struct Step {
  StepKind kind;
  std::string name;            ///< the name that later steps use for the step's value
  std::string_view part = {};  ///< the part of the model that its rows belong to, as in `place_in_model`, or "scales"; may be empty
  std::string_view list = {};  ///< for rows in layers: the list of layers, such as model.layers
  std::string layers = {};     ///< which layers of the list: "[0-31]"
  Expr copies = {};            ///< how many layers `layers` lists
  Expr formula = {};           ///< the step's formula, in fields and names of earlier steps
  Expr itself = {};            ///< the value of `formula` as a named expression, which later steps use
  std::vector<StepLine> lines = {};
  StepBlock block = {};  ///< the mechanism, heads and experts that the rows of `lines` share
};

/// A tower, the text model, a part of it (its encoder, its decoder or the rows that they share), or the final sums.
struct StepSection {
  std::string_view name;  ///< vision, audio, projector, text, rest; shared, encoder, decoder; total, active, files
  std::vector<Step> steps;
};

/// The part of the model that a row belongs to, also inside a tower. Experts are a part of their own, apart from other feed-forward blocks.
std::string_view place_in_model(const Row& row);

struct Derivation {
  std::vector<StepSection> sections;
  ArithmeticText text;  ///< the spellings of all names in the steps' formulas
};

/// Derives the count from the rows. Throws Error{too_large} if there would be more than 1,000 steps, and Error{internal} unless the steps
/// add up to the parameters, the active parameters and the elements of the published files.
Derivation derive(Pool& pool, const std::vector<Row>& rows, const RowBlocks& blocks);

}  // namespace param_ledger
