#include "core/report.hpp"

#include <array>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/builder.hpp"
#include "core/config.hpp"
#include "core/dimensions.hpp"
#include "core/error.hpp"
#include "core/formula.hpp"
#include "core/json_text.hpp"
#include "core/json_writer.hpp"
#include "core/registry.hpp"

namespace param_ledger {

// --- Totals ----------------------------------------------------------------------------------------------------------

namespace {

struct Totals {
  std::array<Count, part_count> parameters{};  // by part
  std::array<Count, part_count> buffers{};
  std::array<bool, part_count> present{};
  Count parameter_sum = 0;
  Count buffer_sum = 0;
  Count active = 0;

  [[nodiscard]] Count of(Part part) const { return parameters[static_cast<std::size_t>(part)]; }
};

Totals totals_of(const std::vector<Row>& rows) {
  Totals t;
  for (const Row& row : rows) {
    const auto part = static_cast<std::size_t>(row.part);
    t.present[part] = true;
    if (row.kind == Kind::parameter) {
      t.parameters[part] = add(t.parameters[part], row.total.value());
      t.parameter_sum = add(t.parameter_sum, row.total.value());
      t.active = add(t.active, row.active.value());
    } else if (row.kind == Kind::buffer) {
      t.buffers[part] = add(t.buffers[part], row.total.value());
      t.buffer_sum = add(t.buffer_sum, row.total.value());
    }
  }
  return t;
}

Expr closed_formula(Pool& pool, const std::vector<Row>& rows) {
  std::vector<Term> terms;
  for (const Row& row : rows)
    if (row.kind == Kind::parameter) terms.push_back({row.elements, row.repeats});
  return collect(pool, terms);
}

// --- The answer ------------------------------------------------------------------------------------------------------

std::string_view spelling(Source source) {
  static constexpr std::string_view names[] = {"given", "default", "derived", "ignored"};
  return names[static_cast<std::size_t>(source)];
}

std::string_view spelling(FieldType type) {
  static constexpr std::string_view names[] = {"integer", "boolean", "string", "list"};
  return names[static_cast<std::size_t>(type)];
}

class Report {
 public:
  explicit Report(JsonWriter& json) : json_(json) {}

  void count(const Choice& choice, const Config& config, const Builder& builder) {
    const Totals totals = totals_of(builder.rows());
    const Expr formula = closed_formula(config.pool(), builder.rows());
    // The line that explains the whole must give the sum of the rows: two ways to one number, or none is shown.
    if (formula.value() != totals.parameter_sum)
      throw Error{ErrorCode::internal, "", "The closed formula does not give the sum of the tensors."};
    json_.open_object();
    json_.raw_member("ok", "true");
    json_.member("model_type", choice.family->model_type);
    json_.member("architecture", choice.architecture->name);
    write_architectures(*choice.family);
    write_totals(totals);
    write_definitions();
    write_parts(totals);
    write_tensors(builder.rows());
    write_fields(config);
    write_formula(formula);
    write_symbols();
    write_notes(builder.notes());
    json_.close_object();
  }

  void refusal(const Error& error) {
    json_.open_object();
    json_.raw_member("ok", "false");
    json_.key("error").open_object();
    json_.member("code", param_ledger::spelling(error.code));
    json_.member("field", error.field);
    // A message may quote what was read, also bytes that are not UTF-8 or half a character.
    json_.raw_member("message", Json(error.message).dump(-1, ' ', false, Json::error_handler_t::replace));
    if (error.line != 0) {
      json_.raw_member("line", std::to_string(error.line));
      json_.raw_member("column", std::to_string(error.column));
    }
    if (!error.nearest.empty()) write_strings("nearest", error.nearest);
    json_.close_object();
    json_.close_object();
  }

  void catalog() {
    json_.open_object();
    json_.key("families").open_array();
    for (const Family* family : families()) {
      json_.open_object();
      json_.member("model_type", family->model_type);
      json_.member("summary", family->summary);
      write_architectures(*family);
      json_.close_object();
    }
    json_.close_array();
    json_.close_object();
  }

 private:
  void count_member(std::string_view name, Count value) { json_.member(name, digits(value)); }

  template <class Strings>
  void write_strings(std::string_view name, const Strings& strings) {
    json_.key(name).open_array();
    for (const auto& s : strings) json_.string(s);
    json_.close_array();
  }

  void write_architectures(const Family& family) {
    json_.key("architectures").open_array();
    for (const Architecture& a : family.architectures) json_.string(a.name);
    json_.close_array();
  }

  void write_totals(const Totals& t) {
    const Count embedding = t.of(Part::embedding), head = t.of(Part::output_head);
    json_.key("totals").open_object();
    count_member("parameters", t.parameter_sum);
    count_member("buffers", t.buffer_sum);
    count_member("stored", add(t.parameter_sum, t.buffer_sum));
    count_member("embedding", embedding);
    count_member("output_head", head);
    count_member("non_embedding", t.parameter_sum - embedding - head);
    count_member("active", t.active);
    json_.close_object();
  }

  void write_definitions() {
    json_.key("definitions").open_object();
    json_.member("parameters", "All parameters, a tensor that is tied to another counted once.");
    json_.member("buffers", "Elements of persistent buffers: saved in a checkpoint, but not parameters.");
    json_.member("stored", "Parameters and buffers: the elements of a checkpoint as transformers saves it.");
    json_.member("embedding", "The embedding tables: tokens and, where they are learned, positions and segment types.");
    json_.member("output_head", "The head on top of the model; 0 where it is the embedding table, which is counted there.");
    json_.member("non_embedding", "All parameters but the embedding tables and the output head.");
    json_.member("active", "Parameters that one token uses: all but the experts that it is not routed to.");
    json_.close_object();
  }

  void write_parts(const Totals& t) {
    json_.key("parts").open_array();
    for (std::size_t i = 0; i < part_count; ++i) {
      if (!t.present[i]) continue;
      json_.open_object();
      json_.member("part", param_ledger::spelling(static_cast<Part>(i)));
      count_member("parameters", t.parameters[i]);
      count_member("buffers", t.buffers[i]);
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
      for (const Expr e : row.shape) json_.raw(integer_text(e.value()));
      json_.close_array();
      json_.member("kind", param_ledger::spelling(row.kind));
      if (row.kind == Kind::tied) json_.member("tied_to", row.tied_to);
      Count copies = 1;
      for (const Expr e : row.repeats) copies = multiply(copies, e.value());
      count_member("copies", copies);
      count_member("elements", row.elements.value());
      count_member("total", row.total.value());
      count_member("active", row.active.value());
      json_.member("part", param_ledger::spelling(row.part));
      write_math(row.total);
      json_.close_object();
    }
    json_.close_array();
  }

  void write_fields(const Config& config) {
    json_.key("fields").open_array();
    for (const Field& field : config.fields()) write_field(field);
    for (const IgnoredField& field : config.ignored()) {
      json_.open_object();
      json_.member("name", field.name);
      json_.raw_member("value", field.value);
      json_.member("source", spelling(Source::ignored));
      json_.member("reason", field.reason);
      json_.close_object();
    }
    json_.close_array();
  }

  void write_field(const Field& field) {
    const Dimension& d = dimension(field.name);
    json_.open_object();
    json_.member("name", field.name);
    if (!field.value.empty()) json_.raw_member("value", field.value);
    json_.member("source", spelling(field.source));
    json_.member("type", spelling(field.type));
    if (!field.fallback.empty()) json_.raw_member("default", field.fallback);
    if (field.nullable) json_.raw_member("nullable", "true");
    if (!field.choices.empty()) write_strings("choices", field.choices);
    if (!d.meaning.empty()) json_.member("meaning", d.meaning);
    json_.member("group", d.group);
    if (!d.symbol.empty()) json_.member("symbol", d.symbol);
    if (field.derivation) write_math(field.derivation);
    if (!field.given_as.empty()) json_.member("given_as", field.given_as);
    json_.close_object();
  }

  void write_formula(Expr formula) {
    json_.key("formula").open_object();
    write_math(formula);
    count_member("value", formula.value());
    json_.close_object();
  }

  /// The names that the formulas of this answer use, in the order of their numbers.
  void write_symbols() {
    json_.key("symbols").open_array();
    // A definition may use a name that no formula before it did, which is then one more to write.
    for (std::size_t i = 0; i < formulas_.names().size(); ++i) {
      const Expr e = formulas_.names()[i];
      const Name& name = e.name();
      json_.open_object();
      json_.member("name", name.name);
      json_.member("symbol", name.symbol);
      count_member("value", e.value());
      json_.member("meaning", name.meaning);
      json_.raw_member("field", name.field ? "true" : "false");
      if (name.definition) write_math(name.definition);
      json_.close_object();
    }
    json_.close_array();
  }

  void write_notes(const std::vector<Note>& notes) {
    json_.key("notes").open_array();
    for (const Note& note : notes) {
      json_.open_object();
      json_.member("level", note.warning ? "warning" : "info");
      if (!note.field.empty()) json_.member("field", note.field);
      json_.member("message", note.message);
      json_.close_object();
    }
    json_.close_array();
  }

  /// A formula as `PrefixWriter` writes it.
  void write_math(Expr e) {
    math_.clear();
    formulas_.write(math_, e);
    json_.member("math", math_);
  }

  JsonWriter& json_;
  PrefixWriter formulas_;
  std::string math_;
};

// --- From the text to the model --------------------------------------------------------------------------------------

/// The first of `architectures`, or nothing where that is missing or null.
std::string first_architecture(const Json& root) {
  const auto found = root.find("architectures");
  if (found == root.end() || found->is_null() || (found->is_array() && found->empty())) return {};
  if (!found->is_array() || !found->front().is_string())
    throw Error{ErrorCode::wrong_type, "architectures",
                "architectures must be a list that begins with a class name, e.g. [\"LlamaForCausalLM\"]."};
  return found->front().get<std::string>();
}

std::string model_type(const Json& root) {
  const auto found = root.find("model_type");
  if (found == root.end() || found->is_null()) return {};
  if (!found->is_string()) throw Error{ErrorCode::wrong_type, "model_type", "model_type must be a string, e.g. \"llama\"."};
  return found->get<std::string>();
}

Choice choice_for(const Json& root) {
  if (!root.is_object()) throw Error{ErrorCode::wrong_type, "", "A config.json is an object: { … }."};
  const std::string type = model_type(root), architecture = first_architecture(root);
  if (type.empty() && architecture.empty())
    throw Error{ErrorCode::missing_field, "model_type",
                "model_type is missing, and there is no architectures to tell the model by, e.g. \"model_type\": \"llama\"."};
  return choose(type, architecture);
}

/// Fields of every configuration that would change tensors in a way that no family describes.
void refuse_unsupported(const Json& root) {
  const auto found = root.find("per_layer_config");
  if (found != root.end() && !found->is_null() && !found->empty())
    refuse(ErrorCode::unsupported, "per_layer_config", "gives single layers dimensions of their own; such models are not counted here.");
}

void note_what_is_not_counted(const Json& root, const Choice& choice, Builder& builder) {
  if (first_architecture(root).empty() && choice.family->architectures.size() > 1)
    builder.note("architectures", "architectures is missing: counted as " + std::string(choice.architecture->name) + ".");
  if (const auto found = root.find("quantization_config"); found != root.end() && found->is_object())
    builder.note("quantization_config",
                 "Parameters of the model itself: packed weights and the scales that quantization adds are not counted.");
}

void write_count(std::string_view text, Report& report) {
  std::vector<std::string> repeated_keys;
  const Json root = parse_json(text, repeated_keys);
  const Choice choice = choice_for(root);
  refuse_unsupported(root);

  Pool pool;
  Config config(pool, root, choice.family->aliases);
  config.consume("model_type");
  config.consume("architectures");
  Builder builder(pool, *choice.architecture);
  for (const std::string& key : repeated_keys) builder.warn(key, key + " stands twice; the last one counts.");
  note_what_is_not_counted(root, choice, builder);
  choice.family->record(config, builder);
  report.count(choice, config, builder);
}

}  // namespace

std::string count(std::string_view config_text) {
  Error error{ErrorCode::internal, "", ""};
  try {
    constexpr std::size_t usual_answer = 24'000;
    JsonWriter json(usual_answer);
    Report report(json);
    write_count(config_text, report);
    return json.take();
  } catch (const Error& e) {
    error = e;
  } catch (const std::bad_alloc&) {
    error = {ErrorCode::too_large, "", "This takes more memory than there is."};
  } catch (const std::exception& e) {
    error.message = std::string("A defect of Param Ledger: ") + e.what();
  }
  JsonWriter json;
  Report(json).refusal(error);
  return json.take();
}

std::string catalog() {
  JsonWriter json;
  Report(json).catalog();
  return json.take();
}

}  // namespace param_ledger
