#include "core/compare/compare.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "core/compare/causes.hpp"
#include "core/expr/formula_json.hpp"
#include "core/json/json_text.hpp"
#include "core/json/json_writer.hpp"
#include "core/model/answer.hpp"
#include "core/model/quantized_files.hpp"
#include "core/model/totals.hpp"

namespace param_ledger {

namespace {

constexpr std::size_t most_models = 4;
/// The most tensors that are listed for one cause, and for one model's tensors whose names differ only in their indices.
constexpr std::size_t most_shapes = 8;

/// Writes the comparison as JSON. Every list of models or values has one entry per configuration, in order. For a refused configuration,
/// the entry is null, or its error in the list of models.
class ModelComparison {
 public:
  explicit ModelComparison(std::span<const std::string_view> config_texts) : count_(config_texts.size()) {
    for (std::size_t i = 0; i < count_; ++i) {
      const std::optional<Error> refusal = attempt([&] {
        documents_[i] = std::make_unique<Document>(config_texts[i]);
        owned_[i] = std::make_unique<Model>(documents_[i]->root());
        totals_[i] = totals_of(owned_[i]->builder.rows());
      });
      if (refusal) {
        owned_[i].reset();
        refusals_[i] = refusal_answer(*refusal);
      } else {
        models_[i] = owned_[i].get();
        base_ = std::min(base_, i);
      }
    }
  }

  std::string answer() {
    json_.open_object();
    json_.raw_member("ok", "true");
    write_models();
    if (base_ < count_) {
      json_.raw_member("base", digits(base_));
      write_totals();
      write_parts();
      const std::vector<FieldMatch> fields = match_fields(models());
      write_fields(fields);
      write_tensors();
      write_causes(fields);
    }
    json_.close_object();
    return json_.take();
  }

 private:
  [[nodiscard]] Models models() const { return {models_.data(), count_}; }

  void write_models() {
    json_.key("models").open_array();
    for (std::size_t i = 0; i < count_; ++i) {
      if (models_[i] == nullptr) {
        json_.raw(refusals_[i]);
        continue;
      }
      open_answer(json_, models_[i]->choice);
      json_.close_object();
    }
    json_.close_array();
  }

  /// Writes a number for each model, and its difference from the number of the first model that could be counted.
  template <class CountOf>
  void write_counts(const CountOf& count_of) {
    const auto cells = [&](std::string_view key, const auto& text) {
      json_.key(key).open_array();
      for (std::size_t i = 0; i < count_; ++i) {
        if (models_[i] == nullptr)
          json_.raw("null");
        else
          json_.string(text(count_of(i)));
      }
      json_.close_array();
    };
    const Count base = count_of(base_);
    cells("values", [](Count value) { return digits(value); });
    cells("differences", [&](Count value) { return signed_difference(base, value); });
  }

  void write_totals() {
    json_.key("totals").open_array();
    const bool known = std::all_of(models_.begin(), models_.begin() + static_cast<std::ptrdiff_t>(count_), [](const Model* model) {
      return model == nullptr || knows_files(model->configuration.sections.front().json);
    });
    const bool routed = std::all_of(models_.begin(), models_.begin() + static_cast<std::ptrdiff_t>(count_), [](const Model* model) {
      return model == nullptr || missing_active(model->configuration, model->builder.rows()) == nullptr;
    });
    for (const NamedTotal& total : named_totals()) {
      if ((!known && total.name == "published") || (!routed && total.active)) continue;
      json_.open_object();
      json_.member("name", total.name);
      write_counts([&](std::size_t i) { return total.of(totals_[i]); });
      json_.close_object();
    }
    json_.close_array();
  }

  void write_parts() {
    json_.key("parts").open_array();
    for (std::size_t part = 0; part < answer_part_count; ++part) {
      if (std::none_of(totals_.begin(), totals_.end(), [&](const Totals& t) { return t.present[part]; })) continue;
      json_.open_object();
      json_.member("part", answer_part_name(part));
      write_counts([&](std::size_t i) { return totals_[i].parameters[part]; });
      json_.close_object();
    }
    json_.close_array();
  }

  void write_value(const Field& field) {
    constexpr std::size_t longest = 400;
    const std::string text = value_text(field);
    if (text.empty()) return;
    if (text.size() <= longest)
      json_.raw_member("value", text);
    else
      json_.member("value", concat({digits(Document(text).root().size()), " entries"}));
  }

  void write_fields(const std::vector<FieldMatch>& matches) {
    json_.key("fields").open_array();
    for (const FieldMatch& match : matches) {
      const Field* first = nullptr;
      bool differs = false;
      for (std::size_t i = 0; i < count_; ++i) {
        if (models_[i] == nullptr) continue;
        const Field* field = match.cells[i];
        differs = differs || field == nullptr || (first != nullptr && !same_value(*first, *field));
        if (first == nullptr) first = field;
      }
      if (!differs) continue;
      json_.open_object();
      json_.key("cells").open_array();
      for (std::size_t i = 0; i < count_; ++i) write_field(i, match.cells[i]);
      json_.close_array();
      json_.close_object();
    }
    json_.close_array();
  }

  void write_field(std::size_t model, const Field* field) {
    if (field == nullptr) return json_.raw("null");
    json_.open_object();
    json_.member("name", models_[model]->configuration.full_name(field->section, field->name));
    write_value(*field);
    if (field->source != Source::given) json_.member("source", field->source == Source::derived ? "derived" : "default");
    json_.close_object();
  }

  void write_tensors() {
    const TensorMatches matches(models());
    json_.key("tensors").open_array();
    for (const TensorMatch& match : matches.all()) {
      const auto* const first =
          *std::find_if(match.cells.begin(), match.cells.end(), [](const TensorGroup* cell) { return cell != nullptr; });
      json_.open_object();
      json_.member("part", answer_part_name(answer_part(*first->rows.front())));
      if (!match.role.empty()) json_.member("role", match.role);
      json_.member("status", status(match));
      json_.key("cells").open_array();
      for (std::size_t i = 0; i < count_; ++i) write_group(match.cells[i]);
      json_.close_array();
      write_counts([&](std::size_t i) { return match.cells[i] != nullptr ? match.cells[i]->parameters : 0; });
      json_.close_object();
    }
    json_.close_array();
  }

  void write_group(const TensorGroup* group) {
    if (group == nullptr) return json_.raw("null");
    json_.open_array();
    std::size_t listed = 0;
    for (const Row* row : group->rows) {
      if (listed++ == most_shapes) break;
      json_.open_object();
      json_.member("name", row->name);
      json_.key("shape");
      write_shape(json_, row->shape);
      if (row->kind != Kind::parameter) json_.member("kind", spelling(row->kind));
      json_.close_object();
    }
    json_.close_array();
  }

  /// How matched tensors differ between the models: the first of "only", "shape", "kind" and "count" that applies, or "same".
  [[nodiscard]] std::string_view status(const TensorMatch& match) const {
    const TensorGroup* first = nullptr;
    bool shapes = false, kinds = false, counts = false;
    for (std::size_t i = 0; i < count_; ++i) {
      if (models_[i] == nullptr) continue;
      const TensorGroup* cell = match.cells[i];
      if (cell == nullptr) return "only";
      if (first == nullptr) first = cell;
      shapes = shapes || shapes_of(*cell) != shapes_of(*first);
      kinds = kinds || cell->rows.front()->kind != first->rows.front()->kind;
      counts = counts || cell->parameters != first->parameters;
    }
    return shapes ? "shape" : kinds ? "kind" : counts ? "count" : "same";
  }

  /// The distinct shapes of a group, as text for comparison.
  static std::string shapes_of(const TensorGroup& group) {
    std::string out;
    for (const Row* row : group.rows) {
      std::string shape = "(";
      for (const Expr e : row->shape) {
        shape += digits(e.peek());
        shape += ',';
      }
      shape += ')';
      if (out.find(shape) == std::string::npos) out += shape;
    }
    return out;
  }

  /// Writes the causes of each model's difference from the first model that could be counted.
  void write_causes(const std::vector<FieldMatch>& matches) {
    json_.key("causes").open_array();
    for (std::size_t i = 0; i < count_; ++i) {
      if (models_[i] == nullptr || i == base_) {
        json_.raw("null");
        continue;
      }
      json_.open_array();
      Count before = totals_[base_].parameter_sum;
      for (const Cause& cause : causes_between(matches, models(), base_, i)) {
        write_cause(cause, matches, i, before);
        before = cause.after;
      }
      json_.close_array();
    }
    json_.close_array();
  }

  void write_cause(const Cause& cause, const std::vector<FieldMatch>& matches, std::size_t to, Count before) {
    json_.open_object();
    json_.key("fields").open_array();
    for (const std::size_t match : cause.fields) {
      json_.open_array();
      write_field(base_, matches[match].cells[base_]);
      write_field(to, matches[match].cells[to]);
      json_.close_array();
    }
    json_.close_array();
    if (cause.architecture) json_.raw_member("architecture", "true");
    if (cause.rest) json_.raw_member("rest", "true");
    if (!cause.purpose.empty()) json_.plain_member("purpose", cause.purpose);
    if (!cause.tensors.empty()) {
      json_.key("tensors").open_array();
      for (std::size_t i = 0; i < std::min(cause.tensors.size(), most_shapes); ++i) json_.string(cause.tensors[i]);
      json_.close_array();
    }
    json_.member("difference", signed_difference(before, cause.after));
    json_.member("after", digits(cause.after));
    json_.close_object();
  }

  std::size_t count_;
  std::size_t base_ = most_models;  ///< the first model that could be counted
  std::array<std::unique_ptr<Document>, most_models> documents_;
  std::array<std::unique_ptr<Model>, most_models> owned_;
  std::array<const Model*, most_models> models_{};
  std::array<Totals, most_models> totals_;
  std::array<std::string, most_models> refusals_;
  JsonWriter json_;
};

}  // namespace

std::string compare_answer(std::span<const std::string_view> config_texts) {
  if (config_texts.size() < 2 || config_texts.size() > most_models)
    throw Error{ErrorCode::out_of_range, "configs", "configs must be a list of two to four configurations."};
  return ModelComparison(config_texts).answer();
}

}  // namespace param_ledger
