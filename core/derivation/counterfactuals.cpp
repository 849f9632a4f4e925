#include "core/derivation/counterfactuals.hpp"

#include <algorithm>
#include <optional>

#include "core/builder/row_names.hpp"
#include "core/compare/roles.hpp"
#include "core/config/dimensions.hpp"
#include "core/config/edit.hpp"
#include "core/config/ignored_fields.hpp"
#include "core/derivation/step_block.hpp"
#include "core/json/json_text.hpp"
#include "core/json/json_writer.hpp"
#include "core/model/answer.hpp"
#include "core/model/totals.hpp"

namespace param_ledger {

namespace {

/// Whether a row is a bias. Attention sinks are logits and not biases, even if their names end in "bias".
bool is_bias(const Row& row) {
  return row.name.ends_with("bias") && !row.name.ends_with("sink_bias") && row.storage == StorageKind::vector;
}

class Collector {
 public:
  Collector(Json config, const Model& model, const Inference& inference)
      : config_(config), all_(model.configuration), rows_(model.builder.rows()), totals_(totals_of(rows_)), roles_(roles_of(model)) {
    for (std::size_t i = 0; i < rows_.size(); ++i) blocks_.push_back(blocks_around(inference.blocks, i));
  }

  std::vector<Counterfactual> collect() {
    tie();
    positions();
    attention();
    feed_forward();
    experts();
    state_space();
    norms();
    biases();
    heads();
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool stands_in(std::size_t row, Mechanism mechanism) const {
    return std::any_of(blocks_[row].begin(), blocks_[row].end(), [&](const Block* block) { return block->mechanism == mechanism; });
  }

  /// The text model's integer field with this symbol; null if there is none.
  [[nodiscard]] const Field* field_of(std::string_view symbol, std::optional<std::uint16_t> section = {}) const {
    for (const Field& field : all_.fields)
      if (field.type == FieldType::integer && field.number && (!section || field.section == *section) && is_text(field) &&
          dimension(field.name).symbol == symbol)
        return &field;
    return nullptr;
  }
  [[nodiscard]] const Field* field_named(std::string_view name) const {
    for (const Field& field : all_.fields)
      if (field.name == name && is_text(field)) return &field;
    return nullptr;
  }
  [[nodiscard]] bool is_text(const Field& field) const {
    const std::string& path = all_.sections[field.section].path;
    return path.empty() || path == "text_config.";
  }

  template <class Of>
  std::vector<std::string_view> names_of(const Of& of) const {
    std::vector<std::string_view> out;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if ((rows_[i].kind == Kind::parameter || rows_[i].kind == Kind::tied) && !rows_[i].in_tower() && of(i)) out.push_back(rows_[i].name);
    return out;
  }

  /// The totals of the edited model; none if the edited configuration is refused.
  [[nodiscard]] std::optional<Totals> totals_with(const std::vector<Edit>& edits) const {
    std::optional<Totals> out;
    if (try_count(edited(config_, edits), [&](const Model& other) { out = totals_of(other.builder.rows()); })) return {};
    return out;
  }
  /// The edits and those that write out the defaults of the field's missing section. None if these are refused or already change the count.
  [[nodiscard]] std::optional<std::vector<Edit>> with_defaults(const Field& field, std::vector<Edit> edits) const {
    const std::vector<Edit> defaults = edits_of_missing_section(all_, field);
    if (defaults.empty()) return edits;
    if (const auto totals = totals_with(defaults); !totals || differ(*totals)) return {};
    edits.insert(edits.end(), defaults.begin(), defaults.end());
    return edits;
  }
  [[nodiscard]] bool differ(const Totals& totals) const {
    return totals.parameter_sum != totals_.parameter_sum || totals.active != totals_.active;
  }
  [[nodiscard]] std::string name_of(const Field& field) const { return all_.full_name(field.section, field.given_as.value_or(field.name)); }
  template <class Of>
  [[nodiscard]] bool towers_have(const Of& of) const {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (rows_[i].in_tower() && of(i)) return true;
    return false;
  }

  /// Adds the count of the model with changed fields. Adds nothing if the changed configuration is refused, if neither total changes, or if
  /// writing out the defaults of a missing section is refused or already changes the count.
  template <class Of>
  void change(std::string_view id, const Field& field, std::string from, const std::string& to, std::vector<Edit> edits, const Of& of) {
    const auto complete = with_defaults(field, std::move(edits));
    const auto totals = complete ? totals_with(*complete) : std::nullopt;
    if (!totals || !differ(*totals)) return;
    out_.push_back({id, name_of(field), std::move(from), to, totals->parameter_sum, totals->active, names_of(of), towers_have(of)});
  }
  template <class Of>
  void change(std::string_view id, const Field& field, Count to, const Of& of) {
    const std::string text = digits(to);
    change(id, field, digits(field.number.peek()), text, {edit_of(all_, field, text)}, of);
  }

  /// Adds the count of the model without some of its tensors. `left_out(i)` is the share of row i that is left out. Tensors of towers are
  /// kept. Adds nothing if no tensor is left out, or if a share is not a whole number of elements.
  template <class LeftOut>
  void leave_out(std::string_view id, const LeftOut& left_out, std::string from = {}, std::string to = {}) {
    Counterfactual made{id, {}, std::move(from), std::move(to), totals_.parameter_sum, totals_.active};
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      if (row.kind != Kind::parameter) continue;
      const auto [parts, of] = left_out(i);
      if (parts == 0) continue;
      if (row.in_tower()) {
        made.towers_keep = true;
        continue;
      }
      const Count total = multiply(row.total.peek(), parts);
      if (total % of != 0) return;
      made.parameters -= total / of;
      made.active -= multiply(row.active.peek(), parts) / of;
      made.tensors.push_back(row.name);
    }
    if (!made.tensors.empty()) out_.push_back(std::move(made));
  }
  struct Share {
    Count parts, of;
  };
  static constexpr Share none{0, 1}, all{1, 1}, half{1, 2};

  /// The number of elements in output head matrices that are tied to an embedding table.
  [[nodiscard]] Count tied_head() const {
    Count out = 0;
    for (const Row& row : rows_)
      if (row.kind == Kind::tied && row.role == TensorRole::head && row.storage != StorageKind::vector) out = add(out, row.total.peek());
    return out;
  }

  /// Whether every output head matrix that is not tied has the shape of a token embedding table, so that it could be tied.
  [[nodiscard]] bool heads_match_tables() const {
    return std::all_of(rows_.begin(), rows_.end(), [&](const Row& head) {
      return head.role != TensorRole::head || head.kind != Kind::parameter || head.shape.size() != 2 ||
             std::any_of(rows_.begin(), rows_.end(), [&](const Row& table) {
               return table.role == TensorRole::token_embedding &&
                      std::equal(table.shape.begin(), table.shape.end(), head.shape.begin(), head.shape.end(),
                                 [](Expr a, Expr b) { return a.peek() == b.peek(); });
             });
    });
  }

  void tie() {
    if (!heads_match_tables()) return;
    for (const std::string_view name : {"tie_word_embeddings", "tied_embeddings", "tie_embeddings"}) {
      const Field* const field = field_named(name);
      if (field == nullptr) continue;
      const std::string now = value_text(*field);
      if (now != "true" && now != "false") continue;
      const bool tied = now == "true";
      const std::string other = tied ? "false" : "true";
      change(tied ? "untied" : "tied", *field, now, other, {edit_of(all_, *field, other)},
             [&](std::size_t i) { return rows_[i].role == TensorRole::token_embedding || rows_[i].role == TensorRole::head; });
      if (tied && !out_.empty() && out_.back().parameters - totals_.parameter_sum != tied_head()) out_.back().id = "all_untied";
      return;
    }
  }

  void positions() {
    const auto is_learned = [&](std::size_t i) {
      return rows_[i].role == TensorRole::position_embedding && !stands_in(i, Mechanism::sinusoidal_positions);
    };
    leave_out("no_position_table", [&](std::size_t i) { return is_learned(i) ? all : none; });
    leave_out("no_relative_positions", [&](std::size_t i) { return stands_in(i, Mechanism::relative_position_bias) ? all : none; });
    if (!names_of(is_learned).empty()) return;
    bool rotary = false;
    Count length = 0;
    for (const IgnoredField& field : ignored_fields(all_)) {
      const std::string_view name = std::string_view(field.name).substr(field.name.rfind('.') + 1);
      rotary = rotary || field.name.find("rope_") != std::string::npos;
      if (name == "max_position_embeddings" && field.value.is(Json::Type::integer) && field.name.find("vision") == std::string::npos)
        length = field.value.magnitude();
    }
    const Field* const width = field_of("d");
    const bool one_text = std::none_of(rows_.begin(), rows_.end(), [](const Row& row) { return row.owner == Owner::encoder; });
    if (!rotary || length == 0 || width == nullptr || !one_text) return;
    const Count table = multiply(length, width->number.peek());
    out_.push_back({"learned_positions",
                    {},
                    digits(length),
                    digits(width->number.peek()),
                    add(totals_.parameter_sum, table),
                    add(totals_.active, table),
                    names_of([&](std::size_t i) { return rows_[i].role == TensorRole::token_embedding; })});
  }

  /// Adds the count with `wanted` key-value heads in all attention of the model. If the field changes only some attention, the id is
  /// `multi_head_in_some` or `multi_query_in_some`. Adds nothing if some attention that the field changes then has another number of
  /// key-value heads.
  void change_kv_heads(std::string_view id, const Field& field, Count from, Count wanted, const std::string& to) {
    const auto edits = with_defaults(field, {edit_of(all_, field, to)});
    if (!edits) return;
    Totals totals;
    bool some = false, unwanted = false, everywhere = true;
    std::vector<std::string_view> tensors;
    const auto refused = attempt([&] {
      const std::string text = edited(config_, *edits);
      const Document document(text);
      Inference inference;
      const Model other(document.root(), inference, 1);
      const std::vector<Row>& rows = other.builder.rows();
      totals = totals_of(rows);
      const auto kv_heads_of = [](const std::vector<const Block*>& blocks) -> Count {
        for (const Block* const block : blocks)
          if (block->kv_heads) return block->kv_heads.peek();
        return 0;
      };
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        if (row.in_tower() || !is_shared(row)) continue;
        const auto same = std::find_if(rows_.begin(), rows_.end(), [&](const Row& own) { return own.name == row.name; });
        const Count now = kv_heads_of(blocks_around(inference.blocks, i));
        const Count before = same == rows_.end() ? 0 : kv_heads_of(blocks_[static_cast<std::size_t>(same - rows_.begin())]);
        const bool changes = same == rows_.end() || same->total.peek() != row.total.peek();
        if (changes && now != wanted) unwanted = true;
        if (now != wanted || (id == "multi_head" && before != from)) everywhere = false;
        if (!changes || same == rows_.end()) continue;
        some = true;
        if (row.kind == Kind::parameter || row.kind == Kind::tied) tensors.push_back(same->name);
      }
    });
    if (refused || unwanted || !some || !differ(totals) || (!everywhere && !field.number)) return;
    const std::string_view in_some = id == "multi_head" ? "multi_head_in_some" : "multi_query_in_some";
    out_.push_back({everywhere ? id : in_some, name_of(field), digits(from), everywhere ? digits(wanted) : to, totals.parameter_sum,
                    totals.active, std::move(tensors), towers_have([&](std::size_t i) { return is_shared(rows_[i]); })});
  }

  /// Whether the row's size may depend on the number of key-value heads.
  [[nodiscard]] static bool is_shared(const Row& row) {
    return row.part == Part::attention && row.owner != Owner::cross &&
           (row.role == TensorRole::key || row.role == TensorRole::value || row.role == TensorRole::query_key_value);
  }

  void attention() {
    const Field* const kv = field_of("n_kv");
    const Field* const heads = field_of("n", kv != nullptr ? std::optional(kv->section) : std::nullopt);
    if (kv != nullptr && heads != nullptr) {
      const Count n = heads->number.peek(), n_kv = kv->number.peek();
      if (n != n_kv) change_kv_heads("multi_head", *kv, n_kv, n, digits(n));
      if (n_kv > 1) change_kv_heads("multi_query", *kv, n_kv, 1, "1");
    } else if (const Field* const shared = field_named("multi_query");
               shared != nullptr && value_text(*shared) == "true" && heads != nullptr) {
      change_kv_heads("multi_head", *shared, 1, heads->number.peek(), "false");
    }
    if (const Field* const rank = field_named("q_lora_rank"); rank != nullptr && rank->number)
      change("full_queries", *rank, digits(rank->number.peek()), "null", {edit_of(all_, *rank, "null")},
             [&](std::size_t i) { return rows_[i].role == TensorRole::query_down || rows_[i].role == TensorRole::query_up; });
    leave_out("no_output_gate", [&](std::size_t i) {
      if (rows_[i].role == TensorRole::attention_gate) return all;
      return rows_[i].role == TensorRole::query && stands_in(i, Mechanism::gated_attention) ? half : none;
    });
    const auto is_cross = [&](std::size_t i) { return rows_[i].owner == Owner::cross && rows_[i].part == Part::attention; };
    const auto is_cross_norm = [&](std::size_t i) {
      return !is_cross(i) && std::string_view(roles_[i]).find("cross attention") != std::string_view::npos;
    };
    const bool normed = !names_of(is_cross).empty() && !names_of(is_cross_norm).empty();
    if (const Repeated layers = cross_attention_layers())
      leave_out("no_cross_attention_layers", [&](std::size_t i) { return share_in(layers, rows_[i]); });
    else
      leave_out(normed ? "no_cross_attention_and_norms" : "no_cross_attention",
                [&](std::size_t i) { return is_cross(i) || (normed && is_cross_norm(i)) ? all : none; });
    leave_out("no_indexer", [&](std::size_t i) { return stands_in(i, Mechanism::sparse_indexer) ? all : none; });
    const auto normalizes = [&](TensorRole role) { return [this, role](std::size_t i) { return rows_[i].role == role; }; };
    const auto query_norm = normalizes(TensorRole::query_norm), key_norm = normalizes(TensorRole::key_norm);
    leave_out(names_of(key_norm).empty() ? "no_query_norms" : "no_query_key_norms",
              [&](std::size_t i) { return query_norm(i) || key_norm(i) ? all : none; });
  }

  /// The layers of the text model that have cross-attention instead of self-attention, as in Mllama, if these are all of its layers with
  /// cross-attention; otherwise empty.
  [[nodiscard]] Repeated cross_attention_layers() const {
    Repeated out;
    for (const Row& row : rows_) {
      if (!row.in_text(Part::attention) || row.owner != Owner::cross) continue;
      const Repeated layers = repeated(row);
      if (!layers || (out && (layers.before != out.before || layers.index != out.index))) return {};
      out = layers;
    }
    const bool also_attend = out && std::any_of(rows_.begin(), rows_.end(), [&](const Row& row) {
                               return row.in_text(Part::attention) && row.owner != Owner::cross && share_in(out, row).parts > 0;
                             });
    return also_attend ? Repeated{} : out;
  }
  /// The share of the row's copies that are in these layers.
  static Share share_in(const Repeated& layers, const Row& row) {
    const Repeated own = repeated(row);
    if (!own || own.before != layers.before) return none;
    const std::vector<Run> of = own.runs(), in = layers.runs();
    Count both = 0;
    for (const Run& a : of)
      for (const Run& b : in)
        if (const std::uint64_t first = std::max(a.first, b.first), last = std::min(a.last, b.last); first <= last)
          both += last - first + 1;
    return {both, size_of(of)};
  }

  void feed_forward() {
    leave_out("no_gate", [&](std::size_t i) {
      if (rows_[i].role == TensorRole::gate) return all;
      return rows_[i].role == TensorRole::gate_and_up ? half : none;
    });
  }

  [[nodiscard]] static bool is_routed(const Row& row) {
    return row.experts && row.part == Part::feed_forward && row.owner != Owner::shared_expert;
  }

  void experts() {
    const Row* routed = nullptr;
    for (const Row& row : rows_) {
      if (row.in_tower() || row.kind != Kind::parameter || !is_routed(row)) continue;
      if (routed != nullptr && routed->experts.peek() != row.experts.peek()) return;  // the number of experts varies between layers
      routed = &row;
    }
    if (routed == nullptr) return;
    const Count count = routed->experts.peek();
    if (count > 1) {
      Counterfactual made{"one_expert", {}, digits(count), "1", totals_.parameter_sum, 0, {}};
      for (const Row& row : rows_) {
        if (row.in_tower() || row.kind != Kind::parameter) continue;
        const bool router = row.part == Part::router;
        if (!router && !is_routed(row)) continue;
        const Count total = row.total.peek();
        made.parameters -= router ? total : total - total / count;
        if (!router) made.tensors.push_back(row.name);
      }
      made.active = made.parameters;
      out_.push_back(std::move(made));
    }
    const Count used = active_experts(*routed);
    const auto is_top_k = [&](const Field& field) {  // k is also the symbol of other fields
      return field.number && is_text(field) && field.dimension != nullptr && field.dimension->symbol == "k" && field.number.peek() == used;
    };
    const auto k = std::find_if(all_.fields.begin(), all_.fields.end(), is_top_k);
    if (k != all_.fields.end() && 2 * used <= count)
      change("twice_the_active_experts", *k, 2 * used, [&](std::size_t i) { return rows_[i].part == Part::router; });
    leave_out("no_shared_experts", [&](std::size_t i) {
      return rows_[i].owner == Owner::shared_expert || rows_[i].role == TensorRole::shared_expert_gate ? all : none;
    });
  }

  void state_space() {
    if (const Field* const state = field_of("N"); state != nullptr && state->number.peek() > 0)
      change("twice_the_state", *state, 2 * state->number.peek(), [&](std::size_t i) { return rows_[i].part == Part::state_space; });
  }

  /// Adds two counts, each if it concerns any norm outside of towers: with a shift in every RMSNorm and every LayerNorm without bias, and
  /// without the shifts of the other LayerNorms. A LayerNorm has as many shifts as scales.
  void norms() {
    Counterfactual made{"norms_with_shift", {}, {}, {}, totals_.parameter_sum, totals_.active};
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Row& row = rows_[i];
      if (row.kind != Kind::parameter || row.part != Part::norm ||
          (!stands_in(i, Mechanism::rms_norm) && !stands_in(i, Mechanism::unbiased_layer_norm)))
        continue;
      if (row.in_tower()) {
        made.towers_keep = true;
        continue;
      }
      made.parameters = add(made.parameters, row.total.peek());
      made.active = add(made.active, row.active.peek());
      made.tensors.push_back(row.name);
    }
    if (!made.tensors.empty()) out_.push_back(std::move(made));
    leave_out("norms_without_shift", [&](std::size_t i) {
      const bool is_shift = is_bias(rows_[i]) || rows_[i].name.ends_with(".beta");
      return rows_[i].part == Part::norm && stands_in(i, Mechanism::layer_norm) && is_shift ? all : none;
    });
  }

  void biases() {
    const auto of_part = [&](Part part) { return [this, part](std::size_t i) { return rows_[i].part == part && is_bias(rows_[i]); }; };
    const auto attends = of_part(Part::attention), feeds_forward = of_part(Part::feed_forward);
    const bool no_attention = names_of(attends).empty(), no_feed_forward = names_of(feeds_forward).empty();
    leave_out(no_attention      ? "no_feed_forward_biases"
              : no_feed_forward ? "no_attention_biases"
                                : "no_biases",
              [&](std::size_t i) { return attends(i) || feeds_forward(i) ? all : none; });
  }

  void heads() {
    leave_out("no_pooler", [&](std::size_t i) { return stands_in(i, Mechanism::pooler) ? all : none; });
    leave_out("no_masked_prediction", [&](std::size_t i) { return stands_in(i, Mechanism::masked_prediction) ? all : none; });
    leave_out("no_classifier", [&](std::size_t i) { return stands_in(i, Mechanism::classifier) ? all : none; });
  }

  Json config_;
  const Configuration& all_;
  const std::vector<Row>& rows_;
  Totals totals_;
  std::vector<std::string> roles_;
  std::vector<std::vector<const Block*>> blocks_;
  std::vector<Counterfactual> out_;
};

}  // namespace

std::vector<Counterfactual> counterfactuals_of(Json config, const Model& model, const Inference& inference) {
  return Collector(config, model, inference).collect();
}

std::string counterfactuals_answer(Json config) {
  Inference inference;
  const Model model(config, inference, 1);
  JsonWriter json;
  open_answer(json, model.choice);
  json.key("counterfactuals").open_array();
  const Count parameters = totals_of(model.builder.rows()).parameter_sum;
  const bool routed = missing_active(model.configuration, model.builder.rows()) == nullptr;
  for (const Counterfactual& one : counterfactuals_of(config, model, inference)) {
    json.open_object();
    json.plain_member("id", one.id);
    if (!one.field.empty()) json.member("field", one.field);
    if (!one.from.empty()) json.plain_member("from", one.from);
    if (!one.to.empty()) json.plain_member("to", one.to);
    json.digits_member("parameters", one.parameters);
    json.member("difference", signed_difference(parameters, one.parameters));
    if (routed) json.digits_member("active", one.active);
    if (one.towers_keep) json.raw_member("towers_keep", "true");
    json.key("tensors").open_array();
    for (const std::string_view name : one.tensors) json.string(name);
    json.close_array();
    json.close_object();
  }
  json.close_array();
  json.close_object();
  return json.take();
}

}  // namespace param_ledger
