#pragma once

#include <string>

#include "core/json/json.hpp"

namespace param_ledger {

// A lesson teaches a count: it asks for each number before it shows it. A set of exercises has the same form. Lesson in web/types/lesson.ts
// describes it:
//
//   title, source      what it is and where it comes from
//   model              the configuration that the questions are about; a screen may have one of its own
//   names              names for expressions: an expression, or what the core counts ({"tensors": [...], "each": true}, {"total":
//   "active"},
//                      both possibly {"with": {field: value}} or of another {"model": ...})
//   screens            title, says, asks, hint, reveals: texts, in which {expression} stands for a number, {…|short} for 8.03 billion,
//   {…|percent}
//                      for a share, {…|times} for a ratio and {…|worked} for the expression with its numbers
//     number | choices | sets    the question: a number, one or several of a list, or a field that is set so that the model reaches a total
//     turns            a field and its values, for a slider or a switch
//     books            what the learner's ledger takes down: later screens may use its name
//
// A lesson contains no numbers: expressions are computed over the model, and wrong answers are recognised by expressions, too.

/// Without a request: every screen with its numbers. With {"screen": 3, "answer": "16.8M"}: the judgement of that answer. Throws Error
/// naming the screen and the key.
std::string lesson_answer(Json lesson, Json request);

}  // namespace param_ledger
