#pragma once

#include <string>

#include "core/json/json.hpp"

namespace param_ledger {

// A worked article: somebody's step-by-step computation of a total, and a verdict on each step. Verdicts are always computed, never stored.
// Article in web/types/article.ts is its form:
//
//   title, source      what it is and where it was published
//   setting            the configuration with the fields that its steps use (`generic` if it is not a real model)
//   model              the real model that it describes, if any
//   names              its own symbols: {"N": "num_hidden_layers", "d_ff": "28,672"}
//   steps              each step's text, its expression (in fields, symbols, own names, numbers and names of earlier steps),
//                       the number that it prints, and the model's tensors that it describes (`tensors`: parts of their names,
//                       `each`: per layer); all of these are optional
//   total              the same for the result
//
// A step is right if its printed number equals its expression's value, within the printed digits. The expression is evaluated twice: with
// the true values of earlier steps, and with their printed numbers. A step that is correct only with printed numbers is `carried`. A step
// that is computed correctly but differs from the model is right under a convention: core/claims/conventions.hpp searches for it over the
// tensors that the step describes.

/// The verdicts on an article's steps and its total, and the differences between the article's total, the total under its own conventions,
/// and the model's.
std::string article_answer(Json article);

}  // namespace param_ledger
