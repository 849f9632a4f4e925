#pragma once

#include <string>

#include "core/json/json.hpp"

namespace param_ledger {

// A worked article is a published step-by-step computation of a total. Each of its steps gets a verdict, which is always computed and never
// stored. The type Article in web/types/article.ts declares the keys of an article:
//
//   title, source      the title, and where the article was published
//   setting            the configuration with the fields that the steps use (model_type `generic` if the model is hypothetical)
//   model              the configuration of the real model that the article describes, if any
//   names              the article's own symbols: {"N": "num_hidden_layers", "d_ff": "28,672"}
//   steps              for each step: its text, its expression (in fields, symbols, the article's own names, numbers and names of
//                       earlier steps), the number that it prints, the model's tensors that it describes (`tensors`: parts of their
//                       names, `each`: one copy of each) and the rows and columns of a matrix; all except the text are optional
//   total              the result, in the form of a step
//
// A step is right if the value of its expression, rounded or cut off, is its printed number. The expression is evaluated twice: with the
// true values of earlier steps, and with the numbers that they print in full. A step that is correct only with the printed numbers is
// `carried`. A step that is computed correctly but differs from the model may be right under a convention: core/claims/conventions.hpp
// searches for one over the tensors that the step describes.

/// The verdicts on an article's steps and its total, and the differences between the article's total, the total under its own conventions,
/// and the model's.
std::string article_answer(Json article);

}  // namespace param_ledger
