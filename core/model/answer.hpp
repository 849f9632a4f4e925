#pragma once

#include <string>

#include "core/json/json_writer.hpp"
#include "core/model/model.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

// The answers as JSON. web/core/raw.ts documents their form, which the package converts to its public form. Formulas use the compact
// notation of formula.hpp and the answer's own list of names. Texts that are the same in all answers are in the catalogue.

/// Writes the members that identify a model: its type and class.
void write_choice(JsonWriter& json, const Choice& choice);
/// Begins the answer to a question about a model: `ok`, its type and class.
void open_answer(JsonWriter& json, const Choice& choice);

/// The full count of one model.
std::string count_answer(const Model& model);
/// The totals of one model, without its tensors.
std::string totals_answer(const Model& model);
/// The answer that reports an error.
std::string refusal_answer(const Error& error);
/// The model types, classes, fields and totals, with their meanings.
std::string catalog_answer();

}  // namespace param_ledger
