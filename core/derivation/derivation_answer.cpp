#include "core/derivation/derivation_answer.hpp"

#include <algorithm>
#include <optional>

#include "core/compare/roles.hpp"
#include "core/derivation/derivation.hpp"
#include "core/derivation/type_facts.hpp"
#include "core/expr/formula_json.hpp"
#include "core/model/answer.hpp"
#include "core/model/model.hpp"
#include "core/support/characters.hpp"

namespace param_ledger {

namespace {

class Writer {
 public:
  explicit Writer(Json config)
      : config_(config),
        model_(config, inference_, 1),
        blocks_(blocks_of_rows()),
        derivation_(derive(model_.pool, model_.builder.rows(), blocks_)),
        roles_(roles_of(model_, true)) {}

  std::string answer() {
    open_answer(json_, model_.choice);
    json_.key("sections").open_array();
    for (const StepSection& section : derivation_.sections) {
      json_.open_object();
      json_.plain_member("section", section.name);
      json_.key("steps").open_array();
      for (const Step& step : section.steps) write(step);
      json_.close_array();
      json_.close_object();
    }
    json_.close_array();
    write_article();
    json_.key("symbols");
    formulas_.write_names();
    write_sources();
    write_facts();
    json_.close_object();
    return json_.take();
  }

 private:
  [[nodiscard]] RowBlocks blocks_of_rows() const {
    RowBlocks out;
    for (std::size_t i = 0; i < model_.builder.rows().size(); ++i) out.push_back(blocks_around(inference_.blocks, i));
    return out;
  }

  /// What `of` gives for the innermost block, around each row of the step, for which it gives something; empty if it differs.
  template <class Of>
  auto common(const Step& step, const Of& of) const {
    using Value = decltype(of(Block{}));
    std::optional<Value> out;
    for (const StepLine& line : step.lines) {
      Value own{};
      for (const Block* const block : blocks_[static_cast<std::size_t>(line.row - model_.builder.rows().data())])
        if (own == Value{}) own = of(*block);
      if (out && !(*out == own)) return Value{};
      out = own;
    }
    return out.value_or(Value{});
  }

  void write(const Step& step) {
    json_.open_object();
    json_.plain_member("kind", spelling(step.kind));
    json_.plain_member("name", step.name);
    if (!step.part.empty()) json_.plain_member("part", step.part);
    if (!step.list.empty()) json_.member("list", step.list);
    if (!step.layers.empty()) json_.member("layers", step.layers);
    if (step.copies) json_.digits_member("copies", step.copies.peek());
    if (!step.block.mechanism.empty()) json_.plain_member("mechanism", step.block.mechanism);
    if (step.block.owner == Owner::cross || step.block.owner == Owner::shared_expert)
      json_.plain_member("owner", step.block.owner == Owner::cross ? "cross" : "shared_expert");
    if (step.block.predicted) json_.raw_member("predicted", "true");
    write_number("heads", step.block.heads);
    write_number("kv_heads", step.block.kv_heads);
    write_number("experts", step.block.experts);
    if (step.block.active > 0) json_.digits_member("active", step.block.active);
    write_number("window", common(step, [](const Block& block) { return block.window; }));
    write_number("shared", common(step, [](const Block& block) { return block.shared; }));
    if (const Gate gate = common(step, [](const Block& block) { return block.gate; });
        gate != Gate::activated && step.block.mechanism == spelling(Mechanism::gated_feed_forward))
      json_.plain_member("gate", spelling(gate));
    if (common(step, [](const Block& block) { return block.reused; })) json_.raw_member("reused", "true");
    formulas_.member("math", step.formula);
    json_.digits_member("value", step.formula.peek());
    if (!step.lines.empty()) {
      json_.key("lines").open_array();
      for (const StepLine& line : step.lines) write(line);
      json_.close_array();
    }
    json_.close_object();
  }

  void write_number(const char* name, Expr number) {
    if (number) json_.digits_member(name, number.peek());
  }

  /// Writes [name, shape, the shape's formulas, storage kind, role, elements, their formula, what it is tied to or why files hold it, 1 if
  /// transposed].
  void write(const StepLine& line) {
    const Row& row = *line.row;
    json_.open_array();
    json_.string(row.name);
    write_shape(json_, row.shape);
    json_.open_array();
    for (const Expr e : row.shape) formulas_.write(e);
    json_.close_array();
    json_.plain(spelling(row.storage));
    const auto at = static_cast<std::size_t>(line.row - model_.builder.rows().data());
    // The norm inside a masked-prediction head is not the model's final norm.
    json_.plain(stands_in(blocks_[at], Mechanism::masked_prediction) && row.part == Part::norm ? "" : roles_[at]);
    json_.digits(line.elements.peek());
    formulas_.write(line.elements);
    if (!row.tied_to.empty() || !row.reason.empty())
      json_.string(row.tied_to.empty() ? std::string_view(row.reason) : row.tied_to);
    else if (is_transposed(blocks_[at]))
      json_.raw("null");
    if (is_transposed(blocks_[at])) json_.digits(1);
    json_.close_array();
  }

  void write_article() {
    std::vector<std::string> lines;
    for (const StepSection& section : derivation_.sections)
      for (const Step& step : section.steps) lines.push_back(derivation_.text.line(step.formula));
    json_.key("article").open_object();
    const std::string config = dump(config_);
    json_.raw_member("setting", config);
    json_.raw_member("model", config);
    write_names();
    json_.key("steps").open_array();
    std::size_t at = 0;
    const Step* total = nullptr;
    for (const StepSection& section : derivation_.sections)
      for (const Step& step : section.steps) {
        if (step.kind == StepKind::total) total = &step;
        write_article_step(step, lines[at++]);
      }
    json_.close_array();
    json_.key("total").open_object();
    if (total != nullptr) {  // clang-tidy cannot see that `derive` always adds a total
      json_.plain_member("expression", total->name);
      json_.plain_member("prints", english_digits(total->formula.peek()));
    }
    json_.close_object();
    json_.close_object();
  }

  void write_article_step(const Step& step, const std::string& line) {
    json_.open_object();
    json_.plain_member("name", step.name);
    json_.plain_member("expression", line);
    json_.plain_member("prints", english_digits(step.formula.peek()));
    write_tensors(step);
    json_.close_object();
  }

  /// For a step of one part, writes the names of its tensors, if the parameters whose names contain these add up to the step's value,
  /// counted with all copies or with one copy each. Writes nothing for a model with more than 400 rows.
  void write_tensors(const Step& step) {
    if (step.kind != StepKind::part) return;
    constexpr std::size_t most_rows = 400;
    const std::vector<Row>& rows = model_.builder.rows();
    if (rows.size() > most_rows) return;
    Count all = 0, each = 0;
    for (const Row& row : rows) {
      if (row.kind != Kind::parameter || std::none_of(step.lines.begin(), step.lines.end(), [&](const StepLine& line) {
            return row.name.find(line.row->name) != std::string_view::npos;
          }))
        continue;
      all = add(all, row.total.peek());
      each = add(each, row.elements.peek());
    }
    const Count value = step.formula.peek();
    if (value != all && value != each) return;
    json_.key("tensors").open_array();
    for (const StepLine& line : step.lines) json_.string(line.row->name);
    json_.close_array();
    if (value != all) json_.raw_member("each", "true");
  }

  [[nodiscard]] const Field* field_of(Expr name) const {
    for (const Field& field : model_.configuration.fields)
      if (field.number == name) return &field;
    return nullptr;
  }

  /// Writes the names that the steps' lines use, each defined as a field, an expression or a number. Leaves out the names of steps, and
  /// fields that are spelled as in the configuration.
  void write_names() {
    json_.key("names").open_object();
    for (std::size_t i = 0; i < derivation_.text.written().size(); ++i) {
      const auto [name, letters] = derivation_.text.written()[i];
      if (is_step(name)) continue;
      const Name& n = name.name();
      if (n.definition)
        json_.plain_member(letters, derivation_.text.line(n.definition));
      else if (field_of(name) == nullptr || !plainly_named(n.name))
        json_.plain_member(letters, english_digits(name.peek()));
      else if (letters != n.name)
        json_.plain_member(letters, n.name);
    }
    json_.close_object();
  }

  [[nodiscard]] bool is_step(Expr name) const {
    for (const StepSection& section : derivation_.sections)
      for (const Step& step : section.steps)
        if (step.itself == name) return true;
    return false;
  }

  /// Whether the name consists of letters, digits, `_` and `.` only, like the names in a line of arithmetic.
  static bool plainly_named(std::string_view name) {
    return std::all_of(name.begin(), name.end(), [](char c) { return in_word(c) || c == '.'; });
  }

  /// Writes which fields in the formulas have a default or derived value. All other fields are given in the configuration.
  void write_sources() {
    json_.key("sources").open_object();
    for (const Expr symbol : formulas_.names()) {
      const Field* const field = symbol.name().field ? field_of(symbol) : nullptr;
      if (field != nullptr && field->source != Source::given)
        json_.text_key(symbol.name().name).plain(field->source == Source::derived ? "derived" : "default");
    }
    json_.close_object();
  }

  void write_facts() {
    json_.key("facts").open_object();
    // The facts are those of the type in text_config if they are known, or else those of the model's own type.
    const Json text = config_["text_config"]["model_type"];
    const TypeFacts* const of_text = text.is(Json::Type::string) ? type_facts(text.string()) : nullptr;
    if (const TypeFacts* const facts = of_text != nullptr ? of_text : type_facts(model_.choice.family->model_type)) {
      if (!facts->activation.empty()) json_.plain_member("activation", facts->activation);
      json_.plain_member("positions", facts->positions);
    }
    write_windows();
    json_.close_object();
  }

  /// Writes that the model caches keys, if it does. If some layers have a sliding window, also writes their number, the number of all
  /// layers with cached keys, and the tokens that a window spans. Leaves out the last if windows differ.
  void write_windows() {
    Count layers = 0, all = 0, tokens = 0;
    for (const CacheRow& row : inference_.cache) {
      if (!row.name.ends_with(".keys")) continue;
      Count copies = 1;
      for (const Expr e : row.repeats) copies = multiply(copies, e.peek());
      all = add(all, copies);
      if (row.extent.kind != Extent::Kind::window) continue;
      const Count span = row.extent.by + 1;  // including the token itself
      tokens = layers == 0 || tokens == span ? span : 0;
      layers = add(layers, copies);
    }
    if (all > 0) json_.raw_member("caches", "true");
    if (layers == 0) return;
    json_.key("windows").open_object();
    json_.digits_member("layers", layers);
    json_.digits_member("of", all);
    if (tokens > 0) json_.digits_member("tokens", tokens);
    json_.close_object();
  }

  Json config_;
  Inference inference_;
  Model model_;
  RowBlocks blocks_;
  Derivation derivation_;
  std::vector<std::string> roles_;
  JsonWriter json_;
  FormulaJson formulas_{json_};
};

}  // namespace

std::string derivation_answer(Json config) { return Writer(config).answer(); }

}  // namespace param_ledger
