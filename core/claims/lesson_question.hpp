#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/claims/lesson_judge.hpp"
#include "core/claims/lesson_scene.hpp"

// The question of a screen: a number, choices, or a field that is set so that the model reaches a total.
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
  Count target;  ///< all parameters of the model with the right value
  Count value;
  std::vector<NumberQuestion::Wrong> wrong;
};

/// Each reads one kind of question; `path` is that of the screen. Throws Error naming the key.
LessonNumber number_at(Json screen, const std::string& path, const LessonScene& scene);
std::vector<LessonChoice> choices_at(Json screen, const std::string& path, const LessonScene& scene);
LessonSetting setting_at(Json screen, const std::string& path, const LessonScene& scene);

/// The likely wrong answers of a number or of a setting; `path` is its own.
std::vector<NumberQuestion::Wrong> wrong_at(Json question, const std::string& path, const LessonScene& scene);

/// Judges the answer to whichever question the screen has: a text, or a list of the positions of choices.
Judgement judge_answer(Json screen, const std::string& path, const LessonScene& scene, Json answer);

}  // namespace param_ledger
