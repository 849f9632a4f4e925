#pragma once

#include <string>

#include "core/json/json.hpp"

namespace param_ledger {

// A lesson teaches how to count a model: it asks the learner for each number before revealing the number. A set of exercises has the same
// form. A lesson need not contain computed numbers: its texts, questions and wrong answers contain expressions, which the core evaluates
// for the model. The type Lesson in web/types/lesson.ts declares the keys of a lesson:
//
//   title, source    the name, and where the text comes from
//   model            the configuration that the questions are about; a screen may have its own
//   names            a name for an expression or for a count: {"tensors": [...], "each": true} or {"total": "active"}. The count may be of
//                    an edited model ("with": {field: value}) or of another one ("model": {...}).
//   screens          title, says, asks, hint, reveals: texts in which {expression} stands for a number, {...|short} for "8.03 billion",
//                    {...|percent} for a share, {...|times} for a ratio and {...|worked} for the expression with its numbers
//     number         the question: what is the number?
//     choices        the question: which of these are right?
//     sets           the question: which value of a field gives the model this total?
//     turns          a field and its values, for a slider or a switch
//     books          a line for the learner's ledger; later screens may use its name, if neither has a model of its own

/// Returns every screen with its numbers or, for a request such as {"screen": 3, "answer": "16.8M"}, the judgement of that answer. Throws
/// Error naming the key and, if it is in a screen, the screen.
std::string lesson_answer(Json lesson, Json request);

}  // namespace param_ledger
