#pragma once

#include <string>

#include "core/json/json.hpp"

namespace param_ledger {

// A worked article: somebody's computation of a total, step by step, and what each step is worth. No verdict is in the data; all are
// computed. The form of an article is Article in web/lib/types.ts:
//
//   title, source      what it is and where it stands
//   setting            the configuration whose fields its steps name (`generic` for a model that is none)
//   model              the real model that it is about, where there is one
//   names              its own letters: {"N": "num_hidden_layers", "d_ff": "28,672"}
//   steps              each with what it says, its expression in fields, symbols, own letters, numbers and the names of steps before,
//                      the number that it prints, and the tensors of the model that it is about (`tensors`: parts of their names,
//                      `each`: of one layer), any of which may be missing
//   total              the same for its end
//
// A step is right where the number that it prints is its expression's value, within the digits as printed. An expression is worth two
// numbers: with the true values of the steps before, and with the numbers that those print; a step that goes on rightly from a wrong
// number is `carried`. A step that computes rightly what the model does not have is right under a convention, which is looked for
// among those of core/claims/conventions.hpp over the tensors that it is about.

/// The answer to an article: each step's verdict, the total's, and what lies between the article's total, its own conventions'
/// and the model's.
std::string article_answer(Json article);

}  // namespace param_ledger
