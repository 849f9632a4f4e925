#include "core/model/answer.hpp"

#include <algorithm>

#include "core/config/dimensions.hpp"
#include "core/config/ignored_fields.hpp"
#include "core/expr/formula_json.hpp"
#include "core/model/quantized_files.hpp"
#include "core/model/suggested_field.hpp"
#include "core/model/totals.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The largest number of ignored fields that an answer lists, because a malicious configuration could have very many. A note in the
/// complete answer gives the number of fields left out.
constexpr std::size_t most_listed = 200;

std::string_view spelling(Source source) {
  static constexpr std::string_view names[] = {"given", "default", "derived"};
  return names[static_cast<std::size_t>(source)];
}

std::string_view spelling(FieldType type) {
  static constexpr std::string_view names[] = {"integer", "number", "boolean", "string", "list"};
  return names[static_cast<std::size_t>(type)];
}

/// Writes the JSON answer to one request. Formulas refer to names by their number, in the order of first use.
class AnswerWriter {
 public:
  explicit AnswerWriter(std::size_t capacity = 0) : json_(capacity) {}

  std::string count(const Model& model) {
    const Builder& builder = model.builder;
    const Totals totals = totals_of(builder.rows());
    const Expr formula = closed_formula(builder.pool(), builder.rows(), totals);
    open_answer(json_, model.choice);
    write_totals(model, totals);
    write_parts(totals);
    json_.key("formula").open_object();
    formulas_.member("math", formula);
    json_.digits_member("value", formula.peek());
    json_.close_object();
    json_.close_object();
    json_.end_line();
    write_tensors(builder.rows());
    json_.end_line();
    write_fields(model.configuration);
    json_.end_line();
    write_ignored(model.configuration);
    json_.end_line();
    formulas_.write_names();
    json_.end_line();
    write_reasons();
    json_.end_line();
    write_notes(builder.notes());
    return json_.take();
  }

  std::string totals(const Model& model) {
    open_answer(json_, model.choice);
    write_totals(model, totals_of(model.builder.rows()));
    for (const IgnoredField& field : listed_fields(model.configuration)) note_meant(model.configuration, field);
    write_warnings(model.builder.notes());
    json_.close_object();
    return json_.take();
  }

  std::string refusal(const Error& error) {
    json_.open_object();
    json_.raw_member("ok", "false");
    json_.key("error").open_object();
    json_.member("code", param_ledger::spelling(error.code));
    json_.member("field", error.field);
    json_.member("message", error.message);
    if (error.kind != Refused::no) json_.plain_member("kind", param_ledger::spelling(error.kind));
    if (error.line != 0) {
      json_.raw_member("line", digits(error.line));
      json_.raw_member("column", digits(error.column));
    }
    if (!error.nearest.empty()) strings("nearest", error.nearest);
    json_.close_object();
    json_.close_object();
    return json_.take();
  }

  std::string catalog() {
    json_.open_object();
    json_.key("families").open_array();
    for (const Family* family : families()) {
      json_.open_object();
      json_.member("model_type", family->model_type);
      json_.member("summary", family->summary);
      json_.key("architectures").open_array();
      for (const NamedArchitecture& a : architectures(*family)) json_.string(a.name);
      json_.close_array();
      if (family->own_code) json_.raw_member("own_code", "true");
      json_.close_object();
    }
    json_.close_array();
    json_.raw_member("complete", has_all_families() ? "true" : "false");
    numbered("parts", answer_part_count, answer_part_name);
    numbered("roles", storage_kind_count, [](std::size_t i) { return param_ledger::spelling(static_cast<StorageKind>(i)); });
    json_.key("fields").open_object();
    for (const Spelling& s : spellings()) write_dimension(s.field, *s.dimension);
    json_.close_object();
    json_.key("definitions").open_object();
    for (const NamedTotal& total : named_totals()) json_.member(total.name, total.definition);
    json_.close_object();
    json_.close_object();
    return json_.take();
  }

 private:
  template <class Strings>
  void strings(std::string_view name, const Strings& strings) {
    json_.key(name).open_array();
    for (const auto& s : strings) json_.string(s);
    json_.close_array();
  }

  /// Writes a list of names. The rows of the answer refer to a name by its position in this list.
  void numbered(std::string_view name, std::size_t count, std::string_view (*name_of)(std::size_t)) {
    json_.key(name).open_array();
    for (std::size_t i = 0; i < count; ++i) json_.plain(name_of(i));
    json_.close_array();
  }

  /// Writes every total of the model that is known.
  void write_totals(const Model& model, const Totals& totals) {
    const bool known = knows_files(model.configuration.sections.front().json);
    const bool routed = missing_active(model.configuration, model.builder.rows()) == nullptr;
    json_.key("totals").open_object();
    for (const NamedTotal& total : named_totals())
      if ((known || total.name != "published") && (routed || !total.active)) json_.digits_member(total.name, total.of(totals));
    json_.close_object();
  }

  void write_parts(const Totals& t) {
    json_.key("parts").open_array();
    for (std::size_t i = 0; i < answer_part_count; ++i) {
      if (!t.present[i]) continue;
      json_.open_object();
      json_.plain_member("part", answer_part_name(i));
      json_.digits_member("parameters", t.parameters[i]);
      json_.digits_member("buffers", t.buffers[i]);
      json_.close_object();
    }
    json_.close_array();
  }

  void write_tensors(const std::vector<Row>& rows) {
    json_.open_array();
    for (const Row& row : rows) {
      json_.open_array();
      json_.string(row.name);
      write_shape(json_, row.shape);
      json_.value().put_digits(Count{answer_part(row)});
      json_.value().put_digits(static_cast<Count>(row.storage));
      json_.digits(row.total.peek());
      formulas_.write(row.total);
      write_beyond_parameters(row);
      json_.close_array();
    }
    json_.close_array();
  }

  /// Writes the members that only some rows need: the number of copies and the elements of one copy, the active elements, the kind, and the
  /// reason for it or the tensor that the row is tied to.
  void write_beyond_parameters(const Row& row) {
    const bool other_kind = row.kind != Kind::parameter, partly_active = row.active.peek() != row.total.peek();
    if (row.repeats.empty() && !partly_active && !other_kind) return;
    if (row.repeats.empty()) {
      json_.raw("null,null");
    } else {
      Count copies = 1;
      for (const Expr e : row.repeats) copies = multiply(copies, e.peek());
      json_.digits(copies);
      json_.digits(row.elements.peek());
    }
    if (!partly_active && !other_kind) return;
    if (partly_active)
      json_.digits(row.active.peek());
    else
      json_.raw("null");
    if (!other_kind) return;
    json_.plain(param_ledger::spelling(row.kind));
    if (!row.tied_to.empty())
      json_.string(row.tied_to);
    else if (!row.reason.empty())
      write_reason(row.reason);
  }

  /// Writes a reason as its position in `reasons_`, because many rows share the same reason.
  void write_reason(Text reason) {
    // Comparing addresses is enough, because reasons are string literals.
    const auto found = std::find_if(reasons_.begin(), reasons_.end(), [&](Text r) { return r.c_str() == reason.c_str(); });
    json_.value().put_digits(static_cast<Count>(found - reasons_.begin()));
    if (found == reasons_.end()) reasons_.push_back(reason);
  }

  void write_reasons() {
    json_.open_array();
    for (const Text reason : reasons_) json_.string(reason);
    json_.close_array();
  }

  void write_fields(const Configuration& config) {
    json_.open_array();
    for (const Field& field : config.fields) write_field(config, field);
    json_.close_array();
  }

  /// The ignored fields to list in the answer. `left_out_` is set to the number of the remaining ones.
  std::vector<IgnoredField> listed_fields(const Configuration& config) {
    std::vector<IgnoredField> out = ignored_fields(config);
    left_out_ = out.size() - std::min(out.size(), most_listed);
    out.resize(out.size() - left_out_);
    return out;
  }

  void write_ignored(const Configuration& config) {
    json_.open_array();
    for (const IgnoredField& field : listed_fields(config)) {
      json_.open_array();
      json_.string(field.name);
      show(field.value);
      if (!field.reason.empty()) write_reason(field.reason);
      json_.close_array();
      note_meant(config, field);
    }
    json_.close_array();
  }

  void note_meant(const Configuration& config, const IgnoredField& field) {
    if (std::optional<Note> note = meant_field(config, field)) mistyped_.push_back(*std::move(note));
  }

  void write_field(const Configuration& config, const Field& field) {
    json_.open_object();
    if (const std::string& path = config.sections[field.section].path; path.empty())
      json_.member("name", field.name);
    else
      json_.member("name", concat({path, field.name}));
    if (field.given) {
      json_.key("value");
      show(field.given);
    } else if (!field.value.empty()) {
      json_.raw_member("value", field.value);
    }
    if (field.source != Source::given) json_.plain_member("source", spelling(field.source));
    if (field.type != FieldType::integer) json_.plain_member("type", spelling(field.type));
    if (!field.fallback.empty()) json_.raw_member("default", field.fallback);
    if (field.nullable) json_.raw_member("nullable", "true");
    if (!field.choices.empty()) strings("choices", field.choices);
    if (field.derivation) formulas_.member("math", field.derivation);
    if (!field.given_as.empty()) json_.member("given_as", field.given_as);
    json_.close_object();
  }

  /// Writes a JSON value unchanged, a positive integer beyond 2^53 as a string of digits, or a summary if the value is long.
  void show(Json value) {
    constexpr std::size_t longest = 2000;
    Buffer& out = json_.value();
    if (value.is(Json::Type::integer) && value.magnitude() > (Count{1} << 53U)) return put_json_string(out, dump(value));
    const std::size_t begin = out.size();
    put_json(out, value, longest);
    if (out.size() - begin <= longest) return;
    out.cut(begin);
    const std::string_view what = value.is(Json::Type::object) ? "an object of "
                                  : value.is(Json::Type::list) ? "a list of "
                                                               : "a string of ";
    const bool string = value.is(Json::Type::string);
    put_json_string(out, concat({what, digits(string ? value.string().size() : value.size()), string ? " bytes" : " entries"}));
  }

  void write_notes(const std::vector<Note>& notes) {
    json_.open_array();
    for (const Note& note : mistyped_) write_note(note);
    for (const Note& note : notes) write_note(note);
    if (left_out_ > 0)
      write_note({false, "", concat({"Fields that do not affect the count and are not listed here: ", grouped_digits(left_out_), "."})});
    json_.close_array();
  }

  /// Writes the warnings among the notes and those about mistyped fields, if there are any.
  void write_warnings(const std::vector<Note>& notes) {
    const auto warns = [](const Note& note) { return note.warning; };
    if (mistyped_.empty() && std::none_of(notes.begin(), notes.end(), warns)) return;
    json_.key("warnings").open_array();
    for (const Note& note : mistyped_) write_note(note);
    for (const Note& note : notes)
      if (warns(note)) write_note(note);
    json_.close_array();
  }

  void write_note(const Note& note) {
    json_.open_object();
    json_.member("level", note.warning ? "warning" : "info");
    if (!note.field.empty()) json_.member("field", note.field);
    json_.member("message", note.message);
    json_.close_object();
  }

  void write_dimension(std::string_view field, const Dimension& d) {
    json_.key(field).open_object();
    if (!d.symbol.empty()) json_.member("symbol", d.symbol);
    json_.member("group", param_ledger::spelling(d.group));
    json_.member("meaning", d.meaning);
    if (d.step != 1) json_.raw_member("step", digits(d.step));
    if (d.headline) json_.raw_member("headline", "true");
    json_.close_object();
  }

  JsonWriter json_;
  FormulaJson formulas_{json_};
  std::vector<Note> mistyped_;
  std::vector<Text> reasons_;
  std::size_t left_out_ = 0;
};

}  // namespace

void write_choice(JsonWriter& json, const Choice& choice) {
  json.member("model_type", choice.family->model_type);
  json.member("architecture", choice.architecture.name);
}

void open_answer(JsonWriter& json, const Choice& choice) {
  json.open_object();
  json.raw_member("ok", "true");
  write_choice(json, choice);
}

std::string count_answer(const Model& model) {
  constexpr std::size_t usual_answer = 16'000;
  return AnswerWriter(usual_answer).count(model);
}

std::string totals_answer(const Model& model) { return AnswerWriter().totals(model); }

std::string refusal_answer(const Error& error) { return AnswerWriter().refusal(error); }

std::string catalog_answer() { return AnswerWriter().catalog(); }

}  // namespace param_ledger
