#include "core/answer.hpp"

#include <algorithm>

#include "core/dimensions.hpp"
#include "core/formula.hpp"
#include "core/json_writer.hpp"
#include "core/text.hpp"
#include "core/totals.hpp"

namespace param_ledger {

namespace {

/// Entries of any list that could grow with a hostile configuration; what is left out is said in a note.
constexpr std::size_t most_listed = 200;

std::string_view spelling(Source source) {
  static constexpr std::string_view names[] = {"given", "default", "derived"};
  return names[static_cast<std::size_t>(source)];
}

std::string_view spelling(FieldType type) {
  static constexpr std::string_view names[] = {"integer", "number", "boolean", "string", "list"};
  return names[static_cast<std::size_t>(type)];
}

/// Writes one answer; formulas number the names as they meet them.
class Answer {
 public:
  explicit Answer(std::size_t capacity = 0) : json_(capacity) {}

  std::string count(const Model& model) {
    const Builder& builder = model.builder;
    const Totals totals = totals_of(builder.rows());
    const Expr formula = closed_formula(builder.pool(), builder.rows(), totals);
    open(model.choice);
    write_totals(totals);
    write_parts(totals);
    json_.key("formula").open_object();
    member("math", formula);
    json_.digits_member("value", formula.value());
    json_.close_object();
    write_tensors(builder.rows());
    write_fields(model.configuration);
    write_notes(builder.notes());
    write_symbols();
    json_.close_object();
    return json_.take();
  }

  std::string totals(const Model& model) {
    open(model.choice);
    write_totals(totals_of(model.builder.rows()));
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
    json_.key("fields").open_object();
    for (const Dimension& d : dimensions()) write_dimension(d);
    json_.close_object();
    json_.key("definitions").open_object();
    for (const NamedTotal& total : named_totals()) json_.member(total.name, total.definition);
    json_.close_object();
    json_.close_object();
    return json_.take();
  }

 private:
  void open(const Choice& choice) {
    json_.open_object();
    json_.raw_member("ok", "true");
    json_.member("model_type", choice.family->model_type);
    json_.member("architecture", choice.architecture.name);
  }

  void member(std::string_view name, Expr formula) {
    Buffer& out = json_.key(name).value();
    out.put('"');
    prefix_.write(out, formula);
    out.put('"');
  }

  template <class Strings>
  void strings(std::string_view name, const Strings& strings) {
    json_.key(name).open_array();
    for (const auto& s : strings) json_.string(s);
    json_.close_array();
  }

  void write_totals(const Totals& totals) {
    json_.key("totals").open_object();
    for (const NamedTotal& total : named_totals()) json_.digits_member(total.name, total.of(totals));
    json_.close_object();
  }

  void write_parts(const Totals& t) {
    json_.key("parts").open_array();
    for (std::size_t i = 0; i < part_count; ++i) {
      if (!t.present[i]) continue;
      json_.open_object();
      json_.plain_member("part", param_ledger::spelling(static_cast<Part>(i)));
      json_.digits_member("parameters", t.parameters[i]);
      json_.digits_member("buffers", t.buffers[i]);
      json_.close_object();
    }
    json_.close_array();
  }

  void write_tensors(const std::vector<Row>& rows) {
    json_.key("tensors").open_array();
    for (const Row& row : rows) {
      json_.open_object();
      json_.member("name", row.name);
      json_.key("shape").open_array();
      for (const Expr e : row.shape) put_integer(json_.value(), e.value());
      json_.close_array();
      if (row.kind != Kind::parameter) json_.plain_member("kind", param_ledger::spelling(row.kind));
      if (!row.tied_to.empty()) json_.member("tied_to", row.tied_to);
      if (!row.reason.empty()) json_.member("reason", row.reason);
      json_.plain_member("part", param_ledger::spelling(row.part));
      json_.plain_member("role", param_ledger::spelling(row.role));
      if (!row.repeats.empty()) {
        Count copies = 1;
        for (const Expr e : row.repeats) copies = multiply(copies, e.value());
        json_.digits_member("copies", copies);
        json_.digits_member("elements", row.elements.value());
      }
      json_.digits_member("total", row.total.value());
      if (row.active.value() != row.total.value()) json_.digits_member("active", row.active.value());
      member("math", row.total);
      json_.close_object();
    }
    json_.close_array();
  }

  void write_fields(const Configuration& config) {
    json_.key("fields").open_array();
    for (const Field& field : config.fields) write_field(config, field);
    for (const IgnoredField& field : config.ignored(most_listed, left_out_)) {
      json_.open_object();
      json_.member("name", field.name);
      show("value", field.value);
      json_.raw_member("source", "\"ignored\"");
      if (!field.reason.empty()) json_.member("reason", field.reason);
      json_.close_object();
      find_meant(config, field.name);
    }
    json_.close_array();
  }

  void write_field(const Configuration& config, const Field& field) {
    json_.open_object();
    if (const std::string& path = config.sections[field.section].path; path.empty())
      json_.member("name", field.name);
    else
      json_.member("name", concat({path, field.name}));
    if (field.given)
      show("value", field.given);
    else if (!field.value.empty())
      json_.raw_member("value", field.value);
    if (field.source != Source::given) json_.plain_member("source", spelling(field.source));
    if (field.type != FieldType::integer) json_.plain_member("type", spelling(field.type));
    if (!field.fallback.empty()) json_.raw_member("default", field.fallback);
    if (field.nullable) json_.raw_member("nullable", "true");
    if (!field.choices.empty()) strings("choices", field.choices);
    if (field.derivation) member("math", field.derivation);
    if (!field.given_as.empty()) json_.member("given_as", field.given_as);
    json_.close_object();
  }

  /// A value as it stands, or what it is where it is long.
  void show(std::string_view name, Json value) {
    constexpr std::size_t longest = 2000;
    Buffer& out = json_.key(name).value();
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

  /// Notes the field that an ignored key nearly spells.
  void find_meant(const Configuration& config, std::string_view written) {
    // A key that is a field of other types is no typing error.
    if (!dimension(written.substr(written.rfind('.') + 1)).name.empty()) return;
    for (const Field& field : config.fields) {
      const std::string& path = config.sections[field.section].path;
      if (written.size() < path.size() || written.substr(0, path.size()) != path || !nearly(written.substr(path.size()), field.name))
        continue;
      mistyped_.push_back({true, std::string(written),
                           concat({written, " is no field of this model type and changes nothing. Is ", path, field.name, " meant?"})});
      return;
    }
  }

  void write_notes(const std::vector<Note>& notes) {
    json_.key("notes").open_array();
    for (const Note& note : mistyped_) write_note(note);
    for (const Note& note : notes) write_note(note);
    if (left_out_ > 0)
      write_note({false, "",
                  concat({"Another ", grouped_digits(left_out_), " fields of the configuration change nothing; they are not listed."})});
    json_.close_array();
  }

  void write_note(const Note& note) {
    json_.open_object();
    json_.member("level", note.warning ? "warning" : "info");
    if (!note.field.empty()) json_.member("field", note.field);
    json_.member("message", note.message);
    json_.close_object();
  }

  /// The names that the formulas of this answer use; those of their definitions follow as they are met.
  void write_symbols() {
    json_.key("symbols").open_array();
    for (std::size_t i = 0; i != prefix_.names().size();) {  // which grows
      const Expr symbol = prefix_.names()[i++];
      const Name& name = symbol.name();
      json_.open_object();
      json_.member("name", name.name);
      json_.member("symbol", name.symbol);
      json_.digits_member("value", symbol.value());
      if (!name.field) {
        json_.raw_member("field", "false");
        if (!name.meaning.empty()) json_.member("meaning", name.meaning);
      }
      if (name.definition) member("math", name.definition);
      json_.close_object();
    }
    json_.close_array();
  }

  void write_dimension(const Dimension& d) {
    json_.key(d.name).open_object();
    if (!d.symbol.empty()) json_.member("symbol", d.symbol);
    json_.member("group", param_ledger::spelling(d.group));
    json_.member("meaning", d.meaning);
    if (d.step != 1) json_.raw_member("step", digits(d.step));
    if (d.headline) json_.raw_member("headline", "true");
    json_.close_object();
  }

  JsonWriter json_;
  PrefixWriter prefix_;
  std::vector<Note> mistyped_;
  std::size_t left_out_ = 0;
};

}  // namespace

std::string count_answer(const Model& model) {
  constexpr std::size_t usual_answer = 16'000;
  return Answer(usual_answer).count(model);
}

std::string totals_answer(const Model& model) { return Answer().totals(model); }

std::string refusal_answer(const Error& error) { return Answer().refusal(error); }

std::string catalog_answer() { return Answer().catalog(); }

}  // namespace param_ledger
