#include "core/claims/lesson.hpp"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/claims/bindings.hpp"
#include "core/claims/lesson_judge.hpp"
#include "core/config/edit.hpp"
#include "core/json/json_fields.hpp"
#include "core/json/json_writer.hpp"
#include "core/model/totals.hpp"
#include "core/support/attempt.hpp"
#include "core/support/characters.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::size_t most_screens = 100, most_entries = 30;

/// Marks a number that the page formats in the reader's locale: a letter for the format, then the digits.
constexpr std::string_view number_mark = "\uFDD1";

[[noreturn]] void refuse(std::string field, std::string message) {
  throw Error{ErrorCode::wrong_type, std::move(field), std::move(message)};
}

std::string key_in(const std::string& path, std::string_view key) { return path.empty() ? std::string(key) : concat({path, ".", key}); }

void require_known(Json object, const std::string& path, std::initializer_list<std::string_view> keys) {
  for (const auto& [key, _] : object.members())
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      std::string known;
      for (const std::string_view name : keys) known += concat({known.empty() ? "" : ", ", name});
      refuse(key_in(path, clipped(key, 60)), concat({"This key is not known here. The keys are ", known, "."}));
    }
}

void require_object(Json value, const std::string& path) {
  if (!value.is(Json::Type::object)) refuse(path, "This is an object: { … }.");
}

/// A text. It may be missing only if `optional` says so.
std::string_view text_in(Json object, const std::string& path, std::string_view key, bool required = false) {
  const Json value = object[key];
  if (!value && !required) return {};
  if (!value.is(Json::Type::string)) refuse(key_in(path, key), "This is a text in quotes.");
  return value.string();
}

Json list_in(Json object, const std::string& path, std::string_view key, std::size_t most = most_entries) {
  const Json value = object[key];
  if (value && !value.is(Json::Type::list)) refuse(key_in(path, key), "This is a list: [ … ].");
  if (value.size() > most)
    throw Error{ErrorCode::too_large, key_in(path, key), concat({"This list has at most ", grouped_digits(most), " entries."})};
  return value;
}

std::string entry_path(const std::string& path, std::string_view key, std::size_t i) {
  return concat({key_in(path, key), "[", digits(i), "]"});
}

Subset subset_in(Json object, const std::string& path) {
  Subset out;
  std::size_t i = 0;
  for (const auto& [_, name] : list_in(object, path, "tensors").members()) {
    if (!name.is(Json::Type::string) || name.string().empty()) refuse(entry_path(path, "tensors", i), "This is a part of a tensor's name.");
    out.names.push_back(name.string());
    ++i;
  }
  out.one_copy = flag_in(object, "each");
  return out;
}

Fraction evaluated(std::string_view text, const std::string& field, const std::vector<Binding>& names) {
  return Arithmetic(text, field).value(names);
}

Count whole(std::string_view text, const std::string& field, const std::vector<Binding>& names) {
  const Fraction value = evaluated(text, field, names);
  if (!value.whole()) refuse(field, concat({"“", clipped(text, 60), "” does not come to a whole number."}));
  return value.above;
}

/// `a = b`, `a ≠ b`, `a < b`, `a > b`.
bool holds_true(std::string_view text, const std::string& field, const std::vector<Binding>& names) {
  struct Sign {
    std::string_view text;
    bool less, equal, greater;
  };
  static constexpr Sign signs[] = {
      {"!=", true, false, true}, {"≠", true, false, true}, {"=", false, true, false}, {"<", true, false, false}, {">", false, false, true}};
  for (const Sign& sign : signs) {
    const std::size_t at = text.find(sign.text);
    if (at == std::string_view::npos) continue;
    const int order = compare(evaluated(text.substr(0, at), field, names), evaluated(text.substr(at + sign.text.size()), field, names));
    return order < 0 ? sign.less : order > 0 ? sign.greater : sign.equal;
  }
  refuse(field, "A condition compares two expressions by =, ≠, < or >.");
}

std::string marked(char how, const Fraction& value, bool ratio) {
  std::string out = concat({number_mark, std::string_view(&how, 1), value.negative ? "-" : "", digits(value.above)});
  if (ratio) out += concat({"/", digits(value.below)});
  return out += number_mark;
}

/// A text with the values of its expressions in braces.
std::string filled(std::string_view text, const std::string& field, const std::vector<Binding>& names) {
  std::string out;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) refuse(field, "A brace { is not closed.");
    std::string_view inside = text.substr(open + 1, close - open - 1), how;
    if (const std::size_t bar = inside.find('|'); bar != std::string_view::npos) {
      how = inside.substr(bar + 1);
      inside = inside.substr(0, bar);
    }
    const Arithmetic expression(inside, field);
    const Fraction value = expression.value(names);
    if (how == "worked")
      out += expression.substituted(names);
    else if (how == "percent")
      out += marked('p', value, true);
    else if (how == "times")
      out += marked('t', value, true);
    else if (!how.empty() && how != "short")
      refuse(field, concat({"“|", clipped(how, 20), "” is none of |short, |percent, |times and |worked."}));
    else if (value.below != 1)
      refuse(field, concat({"“", clipped(inside, 60), "” does not come to a whole number."}));
    else if (how == "short")
      out += marked('s', value, false);
    else
      out += concat({value.negative ? "−" : "", grouped_digits(value.above)});
    text.remove_prefix(close + 1);
  }
  return out;
}

/// A value of a field: JSON, or after `=` an expression.
std::string literal_of(Json value, const std::string& field, const std::vector<Binding>& names) {
  if (value.is(Json::Type::string) && value.string().starts_with("=")) return digits(whole(value.string().substr(1), field, names));
  return dump(value);
}

/// A number of at most six digits.
std::optional<std::uint64_t> small_number(std::string_view text) {
  constexpr std::size_t most = 6;
  if (text.empty() || text.size() > most || !std::all_of(text.begin(), text.end(), is_digit)) return {};
  std::uint64_t out = 0;
  for (const char c : text) out = 10 * out + static_cast<unsigned>(c - '0');
  return out;
}

/// The edits that give a field a value.
std::vector<Edit> edits_for(const Model& model, std::string_view name, std::string json) {
  for (const Field& field : model.configuration.fields) {
    if (model.configuration.full_name(field.section, field.name) != name) continue;
    // Lists with an entry for each layer follow their number.
    if (field.number && field.number.op() == Op::name && field.number.name().symbol == "L")
      if (const std::optional<std::uint64_t> n = small_number(json)) return edits_of_layers(model.configuration, field, *n);
    return {edit_of(model.configuration, field, std::move(json))};
  }
  return {{std::string(name), std::move(json)}};
}

/// A model and the names of its expressions.
struct Scene {
  Json config;
  std::unique_ptr<Model> model;
  std::vector<Binding> names;
};

std::vector<Binding> names_of(const Model& model) {
  std::vector<Binding> out;
  const Totals totals = totals_of(model.builder.rows());
  for (const NamedTotal& total : named_totals()) out.push_back({std::string(total.name), {total.of(totals), 1, false}});
  for (Binding& own : bindings_of(model)) out.push_back(std::move(own));
  return out;
}

class LessonWriter {
 public:
  explicit LessonWriter(Json lesson) : lesson_(lesson) {
    require_object(lesson, "lesson");
    require_known(lesson, "", {"title", "lead", "source", "model", "names", "screens", "answers"});
    (void)text_in(lesson, "", "title", true);
    screens_ = list_in(lesson, "", "screens", most_screens);
    if (screens_.size() == 0) throw Error{ErrorCode::missing_field, "screens", "A lesson has at least one screen."};
    if (lesson["model"]) main_ = scene_of(lesson["model"], "model", lesson["names"], "names");
  }

  std::string all() {
    json_.open_object();
    json_.raw_member("ok", "true");
    json_.key("screens").open_array();
    for (std::size_t i = 0; i < screens_.size(); ++i) at_screen(i, [&](Json screen, const std::string& path) { write(screen, path); });
    json_.close_array();
    json_.close_object();
    return json_.take();
  }

  std::string judged(Json request) {
    const Count asked = number_in(request, "screen", screens_.size());
    if (asked >= screens_.size())
      throw Error{ErrorCode::out_of_range, "screen", concat({"The lesson has only ", digits(screens_.size()), " screens."})};
    json_.open_object();
    json_.raw_member("ok", "true");
    for (std::size_t i = 0; i <= asked; ++i)
      at_screen(i, [&](Json screen, const std::string& path) {
        if (i == asked)
          judge(screen, path, request["answer"]);
        else
          book(screen, path);
      });
    json_.close_object();
    return json_.take();
  }

 private:
  template <class Use>
  void at_screen(std::size_t i, const Use& use) {
    const std::string path = entry_path("", "screens", i);
    std::optional<Error> error = attempt([&] {
      const Json screen = screens_[i];
      require_object(screen, path);
      require_known(screen, path,
                    {"id", "title", "says", "asks", "hint", "reveals", "lit", "model", "names", "number", "choices", "several", "sets",
                     "turns", "books", "source"});
      own_ = screen["model"] ? scene_of(screen["model"], key_in(path, "model"), screen["names"], key_in(path, "names")) : nullptr;
      if (own_ == nullptr && main_ == nullptr)
        refuse(key_in(path, "model"), "Neither the lesson nor this screen has a model: a configuration.");
      if (own_ == nullptr) name_all(*main_, screen["names"], key_in(path, "names"));
      use(screen, path);
    });
    if (!error) return;
    error->message = concat({"Screen ", grouped_digits(i + 1), ": ", error->message});
    // A refusal of such a configuration names only its field.
    if (!error->field.starts_with("screens[") && error->code != ErrorCode::internal) error->field = key_in(path, error->field);
    throw std::move(*error);
  }

  static std::unique_ptr<Scene> scene_of(Json config, const std::string& path, Json names, const std::string& names_path) {
    require_object(config, path);
    auto out = std::make_unique<Scene>();
    out->config = config;
    out->model = std::make_unique<Model>(config);
    out->names = names_of(*out->model);
    name_all(*out, names, names_path);
    return out;
  }

  static void name_all(Scene& scene, Json names, const std::string& path) {
    if (!names) return;
    require_object(names, path);
    for (const auto& [name, meaning] : names.members()) {
      const std::string own = key_in(path, clipped(name, 60));
      scene.names.push_back({std::string(name), meaning.is(Json::Type::string) ? evaluated(meaning.string(), own, scene.names)
                                                                               : Fraction{counted(scene, meaning, own), 1, false}});
    }
  }

  /// What the core counts: tensors or a total, of this model, of a variant with other values, or of another model.
  static Count counted(const Scene& scene, Json meaning, const std::string& path) {
    require_object(meaning, path);
    require_known(meaning, path, {"tensors", "each", "total", "with", "model"});
    const Subset subset = subset_in(meaning, path);
    const auto count = [&](const Model& model) {
      if (!subset.names.empty()) return sum_of(model, subset);
      const std::string_view name = meaning["total"] ? text_in(meaning, path, "total") : std::string_view("parameters");
      for (const NamedTotal& total : named_totals())
        if (total.name == name) return total.of(totals_of(model.builder.rows()));
      refuse(key_in(path, "total"), concat({"“", clipped(name, 40), "” is not the name of a total, such as parameters or active."}));
    };
    const Json other = meaning["model"], with = meaning["with"];
    if (other) require_object(other, key_in(path, "model"));
    if (with) require_object(with, key_in(path, "with"));
    if (!other && !with) return count(*scene.model);
    std::vector<Edit> edits;
    for (const auto& [field, value] : with.members())
      for (Edit& edit : edits_for(*scene.model, field, literal_of(value, key_in(path, field), scene.names)))
        edits.push_back(std::move(edit));
    const std::string text = edited(other ? other : scene.config, edits);
    const Document document(text);
    return count(Model(document.root()));
  }

  [[nodiscard]] Scene& scene() { return own_ != nullptr ? *own_ : *main_; }

  std::string filled_in(Json object, const std::string& path, std::string_view key, bool required = false) {
    return filled(text_in(object, path, key, required), key_in(path, key), scene().names);
  }

  void write_text(Json object, const std::string& path, std::string_view key, bool required = false) {
    if (object[key] || required) json_.key(key).string(filled_in(object, path, key, required));
  }

  /// The value of the screen's number, if the screen asks for a number.
  std::optional<Count> number_of(Json screen, const std::string& path) {
    const Json number = screen["number"];
    if (!number) return {};
    const std::string own = key_in(path, "number");
    require_object(number, own);
    require_known(number, own, {"expression", "tensors", "each", "wrong"});
    return whole(text_in(number, own, "expression", true), key_in(own, "expression"), scene().names);
  }

  /// Later screens may use the names that this one books.
  void book(Json screen, const std::string& path) {
    const Json books = screen["books"];
    if (!books) return;
    const std::string own = key_in(path, "books");
    require_object(books, own);
    require_known(books, own, {"name", "says", "expression", "tensors", "each"});
    const std::string_view name = text_in(books, own, "name", true);
    (void)text_in(books, own, "says", true);
    const std::optional<Count> value =
        books["expression"] ? whole(text_in(books, own, "expression"), key_in(own, "expression"), scene().names) : number_of(screen, path);
    if (!value) refuse(key_in(own, "expression"), "What is booked is an expression, or the number that the screen asks for.");
    booked_ = value;
    scene().names.push_back({std::string(name), {*value, 1, false}});
  }

  void write(Json screen, const std::string& path) {
    json_.open_object();
    write_text(screen, path, "title");
    write_text(screen, path, "says", true);
    write_text(screen, path, "asks", true);
    write_text(screen, path, "hint");
    write_text(screen, path, "reveals");
    const int kinds = (screen["number"] ? 1 : 0) + (screen["choices"] ? 1 : 0) + (screen["sets"] ? 1 : 0);
    if (kinds != 1) refuse(key_in(path, "number"), "A screen has one question: a number, choices or sets.");
    if (const std::optional<Count> value = number_of(screen, path)) {
      const std::string own = key_in(path, "number");
      json_.key("number").open_object();
      json_.member("value", digits(*value));
      json_.member("worked", Arithmetic(text_in(screen["number"], own, "expression"), own).substituted(scene().names));
      write_wrong(screen["number"], own);
      json_.close_object();
    }
    if (screen["choices"]) write_choices(screen, path);
    if (screen["sets"]) write_sets(screen["sets"], key_in(path, "sets"));
    if (screen["turns"]) write_turns(screen["turns"], key_in(path, "turns"));
    require_lit(screen, path);
    book(screen, path);
    if (screen["books"]) {
      json_.key("books").open_object();
      json_.member("says", filled_in(screen["books"], key_in(path, "books"), "says", true));
      json_.member("value", digits(*booked_));
      json_.close_object();
    }
    json_.close_object();
  }

  void write_wrong(Json object, const std::string& path) {
    json_.key("wrong").open_array();
    for (const NumberQuestion::Wrong& wrong : wrong_in(object, path)) {
      json_.open_object();
      json_.member("value", digits(wrong.value));
      json_.member("says", wrong.says);
      json_.close_object();
    }
    json_.close_array();
  }

  void write_choices(Json screen, const std::string& path) {
    json_.key("choices").open_array();
    std::size_t i = 0;
    for (const auto& [_, choice] : list_in(screen, path, "choices").members()) {
      const std::string own = entry_path(path, "choices", i++);
      require_object(choice, own);
      require_known(choice, own, {"says", "right", "because"});
      json_.open_object();
      write_text(choice, own, "says", true);
      write_text(choice, own, "because", true);
      json_.raw_member("right", is_right(choice, own) ? "true" : "false");
      json_.close_object();
    }
    json_.close_array();
  }

  bool is_right(Json choice, const std::string& path) {
    const Json right = choice["right"];
    if (!right) return false;
    if (right.is(Json::Type::boolean)) return right.boolean();
    return holds_true(text_in(choice, path, "right"), key_in(path, "right"), scene().names);
  }

  Count target_in(Json sets, const std::string& path) {
    require_object(sets, path);
    require_known(sets, path, {"field", "target", "value", "wrong"});
    (void)text_in(sets, path, "field", true);
    return whole(text_in(sets, path, "target", true), key_in(path, "target"), scene().names);
  }

  void write_sets(Json sets, const std::string& path) {
    json_.key("sets").open_object();
    json_.member("field", text_in(sets, path, "field", true));
    json_.member("target", digits(target_in(sets, path)));
    json_.member("value", digits(whole(text_in(sets, path, "value", true), key_in(path, "value"), scene().names)));
    write_wrong(sets, path);
    json_.close_object();
  }

  void write_turns(Json turns, const std::string& path) {
    require_object(turns, path);
    require_known(turns, path, {"field", "values", "says"});
    const std::string_view field = text_in(turns, path, "field", true);
    json_.key("turns").open_object();
    json_.member("field", field);
    write_text(turns, path, "says");
    json_.key("values").open_array();
    std::size_t i = 0;
    for (const auto& [_, value] : list_in(turns, path, "values").members()) {
      const std::string own = entry_path(path, "values", i++);
      const std::string literal = literal_of(value, own, scene().names);
      const std::string text = edited(scene().config, edits_for(*scene().model, field, literal));
      const Document document(text);
      json_.open_object();
      json_.member("literal", literal);
      json_.member("parameters", digits(totals_of(Model(document.root()).builder.rows()).parameter_sum));
      json_.close_object();
    }
    json_.close_array();
    json_.close_object();
  }

  static void require_lit(Json screen, const std::string& path) {
    std::size_t i = 0;
    for (const auto& [_, name] : list_in(screen, path, "lit").members()) {
      if (!name.is(Json::Type::string)) refuse(entry_path(path, "lit", i), "This is a part of a tensor's name.");
      ++i;
    }
  }

  std::vector<NumberQuestion::Wrong> wrong_in(Json object, const std::string& path) {
    std::vector<NumberQuestion::Wrong> out;
    std::size_t i = 0;
    for (const auto& [_, wrong] : list_in(object, path, "wrong").members()) {
      const std::string own = entry_path(path, "wrong", i++);
      require_object(wrong, own);
      require_known(wrong, own, {"value", "says"});
      out.push_back({whole(text_in(wrong, own, "value", true), key_in(own, "value"), scene().names), filled_in(wrong, own, "says", true)});
    }
    return out;
  }

  void judge(Json screen, const std::string& path, Json answer) {
    if (const std::optional<Count> right = number_of(screen, path)) {
      const std::string own = key_in(path, "number");
      const Json number = screen["number"];
      const Arithmetic expression(text_in(number, own, "expression"), key_in(own, "expression"));
      write(judge_number(typed(answer), {.expression = expression,
                                         .right = *right,
                                         .names = scene().names,
                                         .model = *scene().model,
                                         .config = scene().config,
                                         .subset = subset_in(number, own),
                                         .wrong = wrong_in(number, own)}));
    } else if (screen["choices"]) {
      judge_choices(screen, path, answer);
    } else if (screen["sets"]) {
      write(judge_setting(screen["sets"], key_in(path, "sets"), typed(answer)));
    } else {
      refuse(key_in(path, "number"), "A screen has one question: a number, choices or sets.");
    }
  }

  static std::string_view typed(Json answer) {
    if (!answer.is(Json::Type::string)) throw Error{ErrorCode::wrong_type, "answer", "An answer to this question is a text."};
    return answer.string();
  }

  void write(const Judgement& judgement) {
    json_.member("verdict", judgement.verdict);
    if (!judgement.sentence.empty()) json_.member("sentence", judgement.sentence);
  }

  /// A list of positions. Wrong choices are explained; if several choices are right, missing ones are, too.
  void judge_choices(Json screen, const std::string& path, Json answer) {
    const Json choices = list_in(screen, path, "choices");
    std::vector<bool> chosen(choices.size());
    for (const auto& [_, at] : answer.members()) {
      if (!at.is(Json::Type::integer) || at.negative() || at.magnitude() >= chosen.size())
        throw Error{ErrorCode::out_of_range, "answer", "An answer lists the positions of choices."};
      chosen[static_cast<std::size_t>(at.magnitude())] = true;
    }
    if (std::find(chosen.begin(), chosen.end(), true) == chosen.end()) {
      write({"unreadable", "Nothing is chosen."});
      return;
    }
    const bool several = flag_in(screen, "several");
    std::string wrong, right;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const std::string own = entry_path(path, "choices", i);
      const bool is = is_right(choices[i], own), amiss = chosen[i] ? !is : is && several;
      if (!amiss && !(chosen[i] && !several)) continue;
      const std::string because = filled_in(choices[i], own, "because", true);
      (amiss ? wrong : right) +=
          concat({(amiss ? wrong : right).empty() ? "" : " ", several ? concat({filled_in(choices[i], own, "says"), ": "}) : "", because});
    }
    write({wrong.empty() ? "right" : "wrong", wrong.empty() ? right : wrong});
  }

  Judgement judge_setting(Json sets, const std::string& path, std::string_view answer) {
    const Count target = target_in(sets, path);
    Count value = 0, total = 0;
    if (const std::optional<Error> error = attempt([&] { value = whole_number(answer, scene().names); }))
      return {"unreadable", error->message};
    const std::optional<Error> refused = attempt([&] {
      const std::string text = edited(scene().config, edits_for(*scene().model, text_in(sets, path, "field"), digits(value)));
      const Document document(text);
      total = totals_of(Model(document.root()).builder.rows()).parameter_sum;
    });
    if (refused) return {"wrong", refused->message};
    if (total == target) return {"right"};
    for (const NumberQuestion::Wrong& wrong : wrong_in(sets, path))
      if (wrong.value == value) return {"wrong", wrong.says};
    const bool above = total > target;
    return {"wrong", concat({"With ", text_in(sets, path, "field"), " at ", grouped_digits(value), " the model has ", grouped_digits(total),
                             " parameters: ", grouped_digits(above ? total - target : target - total), " too ", above ? "many." : "few."})};
  }

  Json lesson_, screens_;
  std::unique_ptr<Scene> main_, own_;
  std::optional<Count> booked_;
  JsonWriter json_;
};

}  // namespace

std::string lesson_answer(Json lesson, Json request) {
  LessonWriter writer(lesson);
  return request.is(Json::Type::object) && request["screen"] ? writer.judged(request) : writer.all();
}

}  // namespace param_ledger
