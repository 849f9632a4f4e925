#include "core/claims/lesson.hpp"

#include <memory>
#include <optional>

#include "core/claims/lesson_keys.hpp"
#include "core/claims/lesson_question.hpp"
#include "core/claims/lesson_scene.hpp"
#include "core/claims/lesson_text.hpp"
#include "core/json/json_fields.hpp"
#include "core/json/json_writer.hpp"
#include "core/support/attempt.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::size_t most_screens = 100;

std::unique_ptr<LessonScene> scene_of(Json object, const std::string& path) {
  auto out = std::make_unique<LessonScene>(object["model"], path_of(path, "model"));
  out->add_names(object["names"], path_of(path, "names"));
  return out;
}

class LessonWriter {
 public:
  explicit LessonWriter(Json lesson) {
    require_object(lesson, "lesson");
    require_known(lesson, "", {"title", "lead", "source", "model", "names", "screens", "answers"});
    (void)required_text(lesson, "", "title");
    screens_ = list_at(lesson, "", "screens", most_screens);
    if (screens_.size() == 0) throw Error{ErrorCode::missing_field, "screens", "A lesson must have at least one screen."};
    if (lesson["model"]) main_ = scene_of(lesson, "");
  }

  std::string all() {
    json_.open_object();
    json_.raw_member("ok", "true");
    json_.key("screens").open_array();
    for (std::size_t i = 0; i < screens_.size(); ++i) at_screen(i, [&] { write_screen(); });
    json_.close_array();
    json_.close_object();
    return json_.take();
  }

  /// The judgement of an answer to one screen. Earlier screens are read as well, because they may define names in the learner's ledger.
  std::string judged(Json request) {
    const Count asked = number_in(request, "screen", screens_.size());
    if (asked >= screens_.size())
      throw Error{ErrorCode::out_of_range, "screen", concat({"The lesson has only ", digits(screens_.size()), " screens."})};
    for (std::size_t i = 0; i < asked; ++i) at_screen(i, [&] { (void)book(); });
    Judgement judgement;
    at_screen(static_cast<std::size_t>(asked), [&] {
      require_question();
      judgement = judge_answer(screen_, path_, scene(), request["answer"]);
    });
    json_.open_object();
    json_.raw_member("ok", "true");
    json_.member("verdict", judgement.verdict);
    if (!judgement.sentence.empty()) json_.member("sentence", judgement.sentence);
    json_.close_object();
    return json_.take();
  }

 private:
  /// Goes to a screen and calls `use()`. Errors then name the screen.
  template <class Use>
  void at_screen(std::size_t i, const Use& use) {
    path_ = path_of("", "screens", i);
    std::optional<Error> error = attempt([&] {
      go_to(screens_[i]);
      use();
    });
    if (!error) return;
    error->message = concat({"Screen ", grouped_digits(i + 1), ": ", error->message});
    // The error of a refused configuration names only the field, so the screen's path is put before it.
    if (!error->field.starts_with("screens[") && error->code != ErrorCode::internal) error->field = path_of(path_, error->field);
    throw std::move(*error);
  }

  void go_to(Json screen) {
    screen_ = screen;
    require_object(screen_, path_);
    require_known(screen_, path_,
                  {"id", "title", "says", "asks", "hint", "reveals", "lit", "model", "names", "number", "choices", "several", "sets",
                   "turns", "books", "source"});
    own_ = screen_["model"] ? scene_of(screen_, path_) : nullptr;
    if (own_ != nullptr) return;
    if (main_ == nullptr) refuse_key(path_of(path_, "model"), "Neither the lesson nor this screen gives a model (a configuration).");
    main_->add_names(screen_["names"], path_of(path_, "names"));
  }

  [[nodiscard]] LessonScene& scene() { return own_ != nullptr ? *own_ : *main_; }

  void require_question() {
    const int kinds = (screen_["number"] ? 1 : 0) + (screen_["choices"] ? 1 : 0) + (screen_["sets"] ? 1 : 0);
    if (kinds != 1) refuse_key(path_of(path_, "number"), "A screen must have one question: a number, choices or sets.");
  }

  void write_screen() {
    json_.open_object();
    write_text("title");
    write_required_text("says");
    write_required_text("asks");
    write_text("hint");
    write_text("reveals");
    require_question();
    if (screen_["number"]) write_number();
    if (screen_["choices"]) write_choices();
    if (screen_["sets"]) write_setting();
    if (screen_["turns"]) write_turns(screen_["turns"], path_of(path_, "turns"));
    require_lit();
    if (const std::optional<Count> booked = book()) write_booked(screen_["books"], path_of(path_, "books"), *booked);
    json_.close_object();
  }

  [[nodiscard]] std::string filled(Json object, const std::string& path, std::string_view key) {
    return filled_text(required_text(object, path, key), path_of(path, key), scene().names());
  }

  void write_required_text(std::string_view key) { json_.key(key).string(filled(screen_, path_, key)); }

  void write_text(std::string_view key) {
    if (screen_[key]) write_required_text(key);
  }

  void write_number() {
    const LessonNumber asked = number_at(screen_, path_, scene());
    json_.key("number").open_object();
    json_.member("value", digits(asked.right));
    json_.member("worked", asked.expression.substituted(scene().names()));
    write_wrong(wrong_at(screen_["number"], path_of(path_, "number"), scene()));
    json_.close_object();
  }

  void write_choices() {
    json_.key("choices").open_array();
    for (const LessonChoice& choice : choices_at(screen_, path_, scene())) {
      json_.open_object();
      json_.member("says", choice.says);
      json_.member("because", choice.because);
      json_.raw_member("right", choice.right ? "true" : "false");
      json_.close_object();
    }
    json_.close_array();
  }

  void write_setting() {
    const LessonSetting setting = setting_at(screen_, path_, scene());
    json_.key("sets").open_object();
    json_.member("field", setting.field);
    json_.member("target", digits(setting.target));
    json_.member("value", digits(setting.value));
    write_wrong(setting.wrong);
    json_.close_object();
  }

  void write_wrong(const std::vector<NumberQuestion::Wrong>& all) {
    json_.key("wrong").open_array();
    for (const NumberQuestion::Wrong& wrong : all) {
      json_.open_object();
      json_.member("value", digits(wrong.value));
      json_.member("says", wrong.says);
      json_.close_object();
    }
    json_.close_array();
  }

  void write_turns(Json turns, const std::string& path) {
    require_object(turns, path);
    require_known(turns, path, {"field", "values", "says"});
    const std::string_view field = required_text(turns, path, "field");
    json_.key("turns").open_object();
    json_.member("field", field);
    if (turns["says"]) json_.member("says", filled(turns, path, "says"));
    json_.key("values").open_array();
    std::size_t i = 0;
    for (const auto& [_, value] : list_at(turns, path, "values").members()) {
      const std::string literal = scene().literal_of(value, path_of(path, "values", i++));
      json_.open_object();
      json_.member("literal", literal);
      json_.member("parameters", digits(scene().parameters_with(field, literal)));
      json_.close_object();
    }
    json_.close_array();
    json_.close_object();
  }

  void require_lit() {
    std::size_t i = 0;
    for (const auto& [_, name] : list_at(screen_, path_, "lit").members()) {
      if (!name.is(Json::Type::string)) refuse_key(path_of(path_, "lit", i), "This must be a part of a tensor's name.");
      ++i;
    }
  }

  /// The number that the screen adds to the learner's ledger, if any. Unless the screen has a model of its own, later screens about the
  /// lesson's model may refer to it by name.
  std::optional<Count> book() {
    const Json books = screen_["books"];
    if (!books) return {};
    const std::string own = path_of(path_, "books"), expression_path = path_of(own, "expression");
    require_object(books, own);
    require_known(books, own, {"name", "says", "expression", "tensors", "each"});
    const std::string_view name = required_text(books, own, "name");
    (void)required_text(books, own, "says");
    if (!books["expression"] && !screen_["number"])
      refuse_key(expression_path, "books must give an expression, unless the screen asks for a number.");
    const Count value = books["expression"] ? whole_value_of(required_text(books, own, "expression"), expression_path, scene().names())
                                            : number_at(screen_, path_, scene()).right;
    scene().add_name(name, value);
    return value;
  }

  void write_booked(Json books, const std::string& path, Count value) {
    json_.key("books").open_object();
    json_.member("says", filled(books, path, "says"));
    json_.member("value", digits(value));
    json_.close_object();
  }

  Json screens_;
  std::unique_ptr<LessonScene> main_, own_;
  /// The current screen, and its path for errors.
  Json screen_;
  std::string path_;
  JsonWriter json_;
};

}  // namespace

std::string lesson_answer(Json lesson, Json request) {
  LessonWriter writer(lesson);
  return request.is(Json::Type::object) && request["screen"] ? writer.judged(request) : writer.all();
}

}  // namespace param_ledger
