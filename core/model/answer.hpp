#pragma once

#include <string>

#include "core/json/json_writer.hpp"
#include "core/model/model.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

// The answers as JSON text; their form is documented in web/lib/core/raw.ts, which the package turns into what it hands out.
// Formulas are in the compact notation of formula.hpp, over the answer's own list of symbols. Texts that never change stand in the
// catalogue.

/// The members that name a model: its type and its class.
void write_choice(JsonWriter& json, const Choice& choice);
/// Opens the answer to a question about a model: `ok`, and what names it.
void open_answer(JsonWriter& json, const Choice& choice);

/// Everything about one model.
std::string count_answer(const Model& model);
/// Its sums alone.
std::string totals_answer(const Model& model);
/// A refusal.
std::string refusal_answer(const Error& error);
/// The model types, classes, fields and sums that are known, and what they mean.
std::string catalog_answer();

}  // namespace param_ledger
