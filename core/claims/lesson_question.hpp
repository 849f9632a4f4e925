#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/claims/lesson_judge.hpp"
#include "core/claims/lesson_scene.hpp"

// The question of a screen. It asks for a number, for choices, or for the value of a field that gives the model a certain total.
namespace param_ledger {

struct LessonNumber {
  Arithmetic expression;
  Count right;
};

struct LessonChoice {
  std::string says, because;
  bool right;
};

struct LessonSetting {
  std::string_view field;
  Count target;  ///< the model's parameter count if the field has the right value
  Count value;
  std::vector<NumberQuestion::Wrong> wrong;
};

/// `number_at`, `choices_at` and `setting_at` each read one kind of question from the screen at `path`. They throw an Error that names the
/// wrong key.
LessonNumber number_at(Json screen, const std::string& path, const LessonScene& scene);
std::vector<LessonChoice> choices_at(Json screen, const std::string& path, const LessonScene& scene);
LessonSetting setting_at(Json screen, const std::string& path, const LessonScene& scene);

/// The likely wrong answers to a question about a number or a field. `path` is the path of the question.
std::vector<NumberQuestion::Wrong> wrong_at(Json question, const std::string& path, const LessonScene& scene);

/// Judges an answer to the screen's question, whatever its kind. The answer is a text or, for choices, a list of their positions.
Judgement judge_answer(Json screen, const std::string& path, const LessonScene& scene, Json answer);

}  // namespace param_ledger
