#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/builder/blocks.hpp"
#include "core/builder/builder.hpp"
#include "core/derivation/arithmetic_text.hpp"
#include "core/model/totals.hpp"

namespace param_ledger {

// The count of a model as a person would write it: step by step. Each step is a formula in fields and
// in the steps before; all come from the rows. What a step says in words is written from its kind and part by who shows it.

enum class StepKind : std::uint8_t {
  part,      ///< rows of one part: outside of layers, or in one layer
  layer,     ///< the sum of a layer's parts
  layers,    ///< how often there are such layers
  section,   ///< the sum of a tower, or of the text model
  subtotal,  ///< of a sum that is too long for a line
  tied,      ///< rows that share another's storage, not counted again
  total,
  idle,     ///< what of the experts a token does not use
  active,   ///< what it uses
  buffers,  ///< stored, and no parameters
  beside,   ///< what published files hold besides the model
  files,    ///< the elements of these files
};
std::string_view spelling(StepKind kind);

/// What the rows of a step are together, by the name that its paper gives it; what is not the same for all of them is empty.
struct StepBlock {
  std::string_view mechanism = {};  ///< as `spelling`, with attention by its heads: multi_head_attention …
  Expr heads = {}, kv_heads = {};
  Expr experts = {};  ///< of a layer
  Count active = 0;   ///< of these, how many a token uses
  Owner owner = Owner::itself;
  bool predicted = false;  ///< of a layer for multi-token prediction
};

/// Blocks of each row, the innermost first.
using RowBlocks = std::vector<std::vector<const Block*>>;

/// Whether a row is stored as inputs × outputs; whether it stands in such a block.
bool is_transposed(const std::vector<const Block*>& blocks);
bool stands_in(const std::vector<const Block*>& blocks, Mechanism mechanism);

/// A row in a step: `elements` of the step's value are its.
struct StepLine {
  const Row* row;
  Expr elements;
};

struct Step {
  StepKind kind;
  std::string name;            ///< letters that later steps call it by
  std::string_view part = {};  ///< what its rows are of: see `place_in_model`
  std::string_view list = {};  ///< of what is in layers: the list that these stand in
  std::string layers = {};     ///< which of it
  Expr copies = {};            ///< how many these are
  Expr formula = {};           ///< in fields and names of steps
  Expr itself = {};            ///< the name of `formula`'s value
  std::vector<StepLine> lines = {};
  StepBlock block = {};  ///< of `part` and `beside`
};

/// A tower, the text model or its encoder and decoder, or what is said of all.
struct StepSection {
  std::string_view name;  ///< vision, audio, projector, text; shared, encoder, decoder; total, active, files
  std::vector<Step> steps;
};

/// The row's part, in a tower, too. Experts stand apart from other feed-forward networks.
std::string_view place_in_model(const Row& row);

struct Derivation {
  std::vector<StepSection> sections;
  ArithmeticText text;  ///< knows the letters of all steps
};

/// Throws Error{too_large} where a reader would have to go through more than 1,000 steps, Error{internal} unless the steps give the total.
Derivation derive(Pool& pool, const std::vector<Row>& rows, const RowBlocks& blocks);

}  // namespace param_ledger
