#include "core/claims/lesson_question.hpp"

#include <algorithm>

#include "core/claims/lesson_keys.hpp"
#include "core/claims/lesson_text.hpp"
#include "core/json/json_fields.hpp"
#include "core/support/attempt.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

std::string filled(Json object, const std::string& path, std::string_view key, const LessonScene& scene) {
  return filled_text(required_text(object, path, key), path_of(path, key), scene.names());
}

Count whole(Json object, const std::string& path, std::string_view key, const LessonScene& scene) {
  return whole_value_of(required_text(object, path, key), path_of(path, key), scene.names());
}

bool is_right(Json choice, const std::string& path, const LessonScene& scene) {
  const Json right = choice["right"];
  if (!right) return false;
  if (right.is(Json::Type::boolean)) return right.boolean();
  return is_true(required_text(choice, path, "right"), path_of(path, "right"), scene.names());
}

std::string_view typed(Json answer) {
  if (!answer.is(Json::Type::string)) throw Error{ErrorCode::wrong_type, "answer", "The answer to this question must be a string."};
  return answer.string();
}

std::vector<bool> chosen_of(Json answer, std::size_t n) {
  std::vector<bool> out(n);
  for (const auto& [_, at] : answer.members()) {
    if (!at.is(Json::Type::integer) || at.negative() || at.magnitude() >= n)
      throw Error{ErrorCode::out_of_range, "answer", "The answer must be a list of the positions of choices."};
    out[static_cast<std::size_t>(at.magnitude())] = true;
  }
  return out;
}

/// Judges chosen answers. The sentence for a wrong answer explains each wrong choice and, with `several`, each right one that was missed.
/// The sentence for a right answer explains the choice; with `several` it is empty.
Judgement judge_choices(const std::vector<LessonChoice>& choices, bool several, Json answer) {
  const std::vector<bool> chosen = chosen_of(answer, choices.size());
  if (std::find(chosen.begin(), chosen.end(), true) == chosen.end()) return {"unreadable", "Nothing is chosen."};
  std::string wrong, right;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const LessonChoice& choice = choices[i];
    const bool amiss = chosen[i] ? !choice.right : choice.right && several;
    if (!amiss && (several || !chosen[i])) continue;
    std::string& sentences = amiss ? wrong : right;
    sentences += concat({sentences.empty() ? "" : " ",
                         several && !choice.because.starts_with(choice.says) ? concat({choice.says, ": "}) : "", choice.because});
  }
  return {wrong.empty() ? "right" : "wrong", wrong.empty() ? right : wrong};
}

Judgement judge_setting(const LessonSetting& setting, const LessonScene& scene, std::string_view answer) {
  Count value = 0, total = 0;
  if (const std::optional<Error> unread = attempt([&] { value = whole_number(answer, scene.names()); }))
    return {"unreadable", unread->message};
  if (const std::optional<Error> refused = attempt([&] { total = scene.parameters_with(setting.field, digits(value)); }))
    return {"wrong", refused->message};
  if (total == setting.target) return {"right"};
  for (const NumberQuestion::Wrong& wrong : setting.wrong)
    if (wrong.value == value) return {"wrong", wrong.says};
  const bool above = total > setting.target;
  return {"wrong", concat({"With ", setting.field, " at ", grouped_digits(value), " the model has ", grouped_digits(total), " parameters: ",
                           grouped_digits(above ? total - setting.target : setting.target - total), " too ", above ? "many." : "few."})};
}

}  // namespace

LessonNumber number_at(Json screen, const std::string& path, const LessonScene& scene) {
  const Json number = screen["number"];
  const std::string own = path_of(path, "number");
  require_object(number, own);
  require_known(number, own, {"expression", "tensors", "each", "wrong"});
  const std::string expression_path = path_of(own, "expression");
  const std::string_view text = required_text(number, own, "expression");
  return {Arithmetic(text, expression_path), whole_value_of(text, expression_path, scene.names())};
}

std::vector<LessonChoice> choices_at(Json screen, const std::string& path, const LessonScene& scene) {
  std::vector<LessonChoice> out;
  for (const auto& [_, choice] : list_at(screen, path, "choices").members()) {
    const std::string own = path_of(path, "choices", out.size());
    require_object(choice, own);
    require_known(choice, own, {"says", "right", "because"});
    out.push_back({filled(choice, own, "says", scene), filled(choice, own, "because", scene), is_right(choice, own, scene)});
  }
  return out;
}

LessonSetting setting_at(Json screen, const std::string& path, const LessonScene& scene) {
  const Json sets = screen["sets"];
  const std::string own = path_of(path, "sets");
  require_object(sets, own);
  require_known(sets, own, {"field", "target", "value", "wrong"});
  return {required_text(sets, own, "field"), whole(sets, own, "target", scene), whole(sets, own, "value", scene),
          wrong_at(sets, own, scene)};
}

std::vector<NumberQuestion::Wrong> wrong_at(Json question, const std::string& path, const LessonScene& scene) {
  std::vector<NumberQuestion::Wrong> out;
  for (const auto& [_, wrong] : list_at(question, path, "wrong").members()) {
    const std::string own = path_of(path, "wrong", out.size());
    require_object(wrong, own);
    require_known(wrong, own, {"value", "says"});
    out.push_back({whole(wrong, own, "value", scene), filled(wrong, own, "says", scene)});
  }
  return out;
}

Judgement judge_answer(Json screen, const std::string& path, const LessonScene& scene, Json answer) {
  if (screen["choices"]) return judge_choices(choices_at(screen, path, scene), flag_in(screen, "several"), answer);
  if (screen["sets"]) return judge_setting(setting_at(screen, path, scene), scene, typed(answer));
  const LessonNumber asked = number_at(screen, path, scene);
  const std::string own = path_of(path, "number");
  return judge_number(typed(answer), {.expression = asked.expression,
                                      .right = asked.right,
                                      .names = scene.names(),
                                      .model = scene.model(),
                                      .config = scene.config(),
                                      .subset = subset_at(screen["number"], own),
                                      .wrong = wrong_at(screen["number"], own, scene)});
}

}  // namespace param_ledger
