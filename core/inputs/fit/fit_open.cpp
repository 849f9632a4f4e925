#include "core/inputs/fit/fit_open.hpp"

#include <algorithm>

#include "core/inputs/fit/fit_equations.hpp"
#include "core/support/count.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

class Opener {
 public:
  Opener(const Attempt& attempt, const Settings& choices, Attempts& attempts, Fitted& out)
      : attempt_(attempt),
        choices_(choices),
        attempts_(attempts),
        out_(out),
        equations_(*attempt.model, attempt.match, attempts.rows()),
        configuration_(attempt.model->configuration),
        parameters_(attempt.parameters()) {}

  void find() {
    dimensions();
    for (const Field& field : configuration_.fields) {
      const std::string name = configuration_.full_name(field.section, field.name);
      if (attempts_.given().has(name) || is_same_question(field)) continue;
      std::string now = value_text(field);
      if (now.empty()) now = "null";
      if (field.type == FieldType::boolean) other(name, now, now == "true" ? "false" : "true");
      if (field.type == FieldType::string)
        for (const std::string_view choice : field.choices) other(name, now, concat({"\"", choice, "\""}));
      if (field.type == FieldType::list) lists(field, name, now);
      if (field.type == FieldType::integer && field.number && !equations_.value(field.number) && !is_open(name) && !in_shape(field.number))
        numbers(field, name);
    }
  }

 private:
  /// The configuration field that a name stands for; for an entry of a list, the field with the whole list.
  static std::string asked(Expr name) { return name.name().name.substr(0, name.name().name.find('[')); }

  /// Finds the undetermined fields on which the shapes or the number of hidden tensors depend, and the hidden tensors that depend on none.
  void dimensions() {
    const std::vector<Row>& rows = attempt_.model->builder.rows();
    for (std::size_t i = 0; i < attempt_.match.hidden.size(); ++i) {
      const Row& row = rows[attempt_.match.hidden[i].expected];
      if (row.kind != Kind::parameter) continue;
      std::vector<Expr> unknown;
      for (const Expr dim : row.shape) equations_.unknown(dim, unknown);
      for (const Expr repeat : row.repeats) equations_.unknown(repeat, unknown);
      std::erase_if(unknown, [&](Expr name) { return attempts_.given().has(asked(name)); });
      if (unknown.empty()) out_.deduced.push_back(i);
      for (const Expr name : unknown) {
        const std::string field = asked(name);
        auto found = std::find_if(out_.open.begin(), out_.open.end(), [&](const OpenField& o) { return o.field == field; });
        if (found == out_.open.end()) found = out_.open.insert(found, {field, assumed(field, name), {}, {}, {}});
        if (found->in.empty() || found->in.back() != row.name) found->in.emplace_back(row.name);
      }
    }
  }

  /// The value that was assumed for a field, as JSON.
  [[nodiscard]] std::string assumed(const std::string& name, Expr number) const {
    for (const Field& field : configuration_.fields)
      if (field.type == FieldType::list && configuration_.full_name(field.section, field.name) == name) return value_text(field);
    return digits(number.peek());
  }

  /// Whether the field is a `tie_word_embeddings`, and another section's `tie_word_embeddings` is already known or open. Only one of them
  /// is reported.
  [[nodiscard]] bool is_same_question(const Field& field) const {
    constexpr std::string_view tie = "tie_word_embeddings";
    const auto asked = [&](std::string_view name) { return name == tie || name.ends_with(".tie_word_embeddings"); };
    return field.name == tie &&
           (std::any_of(attempts_.given().list().begin(), attempts_.given().list().end(), [&](const Edit& s) { return asked(s.path); }) ||
            std::any_of(out_.open.begin(), out_.open.end(), [&](const OpenField& o) { return asked(o.field); }));
  }

  [[nodiscard]] bool is_open(std::string_view name) const {
    return std::any_of(out_.open.begin(), out_.open.end(), [&](const OpenField& o) { return o.field == name; });
  }

  /// Whether a field occurs in the shape of any tensor. If the tensor is hidden, `dimensions` reports the field.
  [[nodiscard]] bool in_shape(Expr name) {
    if (shaped_.empty())
      for (const Row& row : attempt_.model->builder.rows())
        for (const Expr dim : row.shape) fields_of(dim, shaped_);
    return std::find(shaped_.begin(), shaped_.end(), name) != shaped_.end();
  }

  /// Tries another value for a field. If the model still matches the printed text but has a different number of parameters, reports the
  /// field as open.
  void other(const std::string& name, const std::string& now, const std::string& value) {
    if (value == now || is_open(name)) return;
    Settings choices;
    choices.set(name, value);
    choices.add(choices_);
    const std::optional<Attempt> attempt = attempts_.solved(choices);
    if (!attempt || attempt->wrong() > 0 || attempt->parameters() == parameters_) return;
    out_.open.push_back({name, now, {}, attempt->parameters(), value});
  }

  void numbers(const Field& field, const std::string& name) {
    const Count now = field.number.peek();
    for (const Count value : {Count{0}, Count{1}, Count{2}, Count{3}, now + 1, 2 * now, now / 2, now > 0 ? now - 1 : now})
      if (value != now) other(name, digits(now), digits(value));
  }

  /// Tries other values for a list. In a list of layer kinds, replaces one kind with another in all layers.
  void lists(const Field& field, const std::string& name, const std::string& now) {
    if (field.choices.empty())
      for (const Text value : {"[]", "[0]", "[1]", "[0,1]"}) other(name, now, std::string(value));
    for (const std::string_view from : field.choices)
      for (const std::string_view to : field.choices) {
        if (from == to || !holds(now, concat({"\"", from, "\""}))) continue;
        std::string value = now;
        const std::string old = concat({"\"", from, "\""}), put = concat({"\"", to, "\""});
        for (std::size_t at = value.find(old); at != std::string::npos; at = value.find(old, at + put.size()))
          value.replace(at, old.size(), put);
        other(name, now, value);
      }
  }

  const Attempt& attempt_;
  const Settings& choices_;
  Attempts& attempts_;
  Fitted& out_;
  Equations equations_;
  const Configuration& configuration_;
  Count parameters_;
  std::vector<Expr> shaped_;
};

}  // namespace

void find_open(const Attempt& attempt, const Settings& choices, Attempts& attempts, Fitted& out) {
  Opener(attempt, choices, attempts, out).find();
}

}  // namespace param_ledger
