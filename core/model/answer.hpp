#pragma once

#include <string>

#include "core/json/json_writer.hpp"
#include "core/model/model.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

// Writes answers as JSON. web/core/raw.ts and web/types declare their types. Formulas use the compact notation of formula.hpp and refer to
// the answer's own list of names. Texts that are the same in all answers are in the catalogue.

/// Writes the JSON members that identify a model: its type and class.
void write_choice(JsonWriter& json, const Choice& choice);
/// Begins an answer about a model: opens an object and writes `ok`, the model type and the class.
void open_answer(JsonWriter& json, const Choice& choice);

/// The complete answer for one model, as seven lines of JSON: totals with parts and the closed formula, tensors, fields, ignored fields,
/// names in formulas, reasons, notes.
std::string count_answer(const Model& model);
/// The totals of one model and the warnings about it, without its tensors.
std::string totals_answer(const Model& model);
/// The JSON answer for a configuration or a request that is refused.
std::string refusal_answer(const Error& error);
/// The catalogue as JSON: all model types with their classes, fields and totals with their meanings, and the names of parts and storage
/// kinds, which answers give by number.
std::string catalog_answer();

}  // namespace param_ledger
