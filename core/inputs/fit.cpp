#include "core/inputs/fit.hpp"

#include <algorithm>

#include "core/count.hpp"
#include "core/index_set.hpp"
#include "core/json_writer.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

/// A field and what it is set to, as JSON text.
struct Setting {
  std::string field;  ///< dotted
  std::string value;
};

void write_members(JsonWriter& json, const std::vector<Setting>& settings, std::string_view section) {
  std::vector<std::string_view> written;
  for (const Setting& s : settings) {
    std::string_view name = s.field;
    if (!name.starts_with(section)) continue;
    name.remove_prefix(section.size());
    const std::size_t dot = name.find('.');
    const std::string_view key = name.substr(0, dot);
    if (std::find(written.begin(), written.end(), key) != written.end()) continue;
    written.push_back(key);
    json.key(key);
    if (dot == std::string_view::npos) {
      json.raw(s.value);
      continue;
    }
    json.open_object();
    write_members(json, settings, concat({section, key, "."}));
    json.close_object();
  }
}

/// A name before, at and behind the first index in it: "model.layers.[0-1].mlp.w1.weight".
struct InLayers {
  std::string_view list;  ///< the last module before: "layers"
  std::vector<Run> layers;
  std::string_view rest;
};
std::optional<InLayers> in_layers(std::string_view name) {
  std::string_view before;
  for (std::size_t begin = 0, end = 0; begin < name.size(); begin = end + 1) {
    end = std::min(name.find('.', begin), name.size());
    const std::string_view module = name.substr(begin, end - begin);
    std::vector<Run> runs = spelled(module);
    if (!runs.empty() && end < name.size()) return InLayers{before, std::move(runs), name.substr(end + 1)};
    before = module;
  }
  return {};
}

class Fitter {
 public:
  Fitter(std::string_view class_name, const std::vector<ListedRow>& rows) : class_name_(class_name), rows_(rows) {}

  std::optional<Fitted> fit() {
    std::optional<Fitted> best;
    std::vector<Setting> best_settings;
    std::vector<Known> best_known;
    // No shape tells heads from their width: the family's own first, then the usual ones.
    for (const unsigned width : {0U, 128U, 64U, 256U, 96U, 80U, 192U, 32U, 112U, 48U, 16U}) {
      std::optional<Fitted> found = solved(width);
      if (!found || (best && differing(*found) >= differing(*best))) continue;
      best = std::move(found);
      best_settings = settings_;
      best_known = known_;
      if (differing(*best) == 0) break;
    }
    if (!best) return {};
    settings_ = std::move(best_settings);
    known_ = std::move(best_known);
    flip_flags(*best);
    tell_assumed(*best);
    if (best->comparison.matched_tensors == 0 || 2 * differing(*best) > rows_.size()) return {};
    return best;
  }

 private:
  /// A name of formulas, and its value as the text says it.
  struct Known {
    std::string name;
    Count value;
  };

  [[nodiscard]] std::string text() const {
    JsonWriter json;
    json.open_object();
    json.key("architectures").open_array();
    json.string(class_name_);
    json.close_array();
    write_members(json, settings_, "");
    json.close_object();
    return json.take();
  }

  /// The model of the settings so far, where they make one.
  [[nodiscard]] std::optional<Fitted> tried() const try {
    Fitted out;
    out.config = text();
    out.document = std::make_unique<Document>(out.config);
    out.model = std::make_unique<Model>(*out.document);
    out.comparison = compare_tensors(rows_, *out.model, Compared::printed);
    return out;
  } catch (const Error&) {
    return {};
  }

  /// How many rows contradict what was printed, but those that a text may not show.
  static std::size_t differing(const Fitted& f) { return f.comparison.unexpected.size() + f.comparison.other_shape.size(); }

  /// The model whose fields are what its shapes say, with heads of that width; 0: as the family has them.
  std::optional<Fitted> solved(std::uint64_t width) {
    settings_.clear();
    known_.clear();
    kinds_told_ = false;
    std::optional<Fitted> out = tried();
    constexpr int most_rounds = 6;
    for (int round = 0; out && round < most_rounds && (solve(*out, width) || tell_kinds(*out)); ++round) {
      say_pattern(*out);
      std::optional<Fitted> next = tried();
      if (!next) return {};
      out = std::move(next);
    }
    return out;
  }

  /// A list that the number of layers contradicts, said anew as published models have it: no tensor depends on it.
  void say_pattern(const Fitted& f) {
    if (f.model->choice.family->model_type != std::string_view("gpt_neo")) return;
    std::erase_if(settings_, [](const Setting& s) { return s.field == "attention_types"; });
    const auto layers = std::find_if(known_.begin(), known_.end(), [](const Known& k) { return k.name == "num_layers"; });
    if (layers == known_.end()) return;
    settings_.push_back({"attention_types", concat({"[[[\"global\",\"local\"],", digits(layers->value / 2),
                                                    layers->value % 2 == 0 ? "]]" : "],[[\"global\"],1]]"})});
  }

  /// Where layers are of several kinds by a list of words: the kind of each, by the modules that are printed in it. Says whether that is
  /// new.
  bool tell_kinds(const Fitted& f) {
    if (kinds_told_ || f.comparison.agrees()) return false;
    kinds_told_ = true;
    std::vector<InLayers> printed;
    std::uint64_t layers = 0;
    for (const ListedRow& row : rows_) {
      std::optional<InLayers> found = row.literal ? std::nullopt : in_layers(row.name);
      if (!found || (!printed.empty() && found->list != printed.front().list)) continue;
      for (const Run& run : found->layers) layers = std::max(layers, run.last + 1);
      printed.push_back(*std::move(found));
    }
    constexpr std::uint64_t most_layers = 1000;
    if (layers == 0 || layers > most_layers) return false;
    for (const Row& row : f.model->builder.rows()) {
      const std::optional<InLayers> found = in_layers(row.name);
      if (found && found->list == printed.front().list && !row.repeats.empty() && row.repeats[0].op() == Op::name)
        set(row.repeats[0], layers);
    }
    bool told = false;
    for (const Field& field : f.model->configuration.fields) {
      if (field.type != FieldType::list || field.choices.empty()) continue;
      const std::string name = f.model->configuration.full_name(field.section, field.name);
      const std::vector<std::string_view> kinds = kinds_of(name, field.choices, printed, static_cast<std::size_t>(layers));
      if (kinds.empty()) continue;
      settings_.push_back({name, words_text(kinds)});
      told = true;
    }
    return told;
  }

  /// For each layer the choice whose modules are most those that are printed in it; nothing where no choice makes a model.
  std::vector<std::string_view> kinds_of(const std::string& field, std::span<const std::string_view> choices,
                                         const std::vector<InLayers>& printed, std::size_t layers) {
    std::vector<std::string_view> best(layers);
    std::vector<std::ptrdiff_t> best_score(layers);
    for (const std::string_view choice : choices) {
      settings_.push_back({field, words_text(std::vector<std::string_view>(layers, choice))});
      const std::optional<Fitted> all = tried();
      settings_.pop_back();
      if (!all) continue;
      std::vector<std::string_view> modules;
      for (const Row& row : all->model->builder.rows())
        if (const auto found = in_layers(row.name); found && row.kind == Kind::parameter && found->list == printed.front().list)
          modules.push_back(found->rest);
      std::vector<std::ptrdiff_t> score(layers, -static_cast<std::ptrdiff_t>(modules.size()));
      for (const InLayers& one : printed) {
        const bool known = std::find(modules.begin(), modules.end(), one.rest) != modules.end();
        for (const Run& run : one.layers)
          for (std::uint64_t i = run.first; i <= run.last; ++i) score[static_cast<std::size_t>(i)] += known ? 2 : -1;
      }
      for (std::size_t i = 0; i < layers; ++i) {
        if (!best[i].empty() && score[i] <= best_score[i]) continue;
        best[i] = choice;
        best_score[i] = score[i];
      }
    }
    return best.empty() || best.front().empty() ? std::vector<std::string_view>{} : best;
  }

  static std::string words_text(const std::vector<std::string_view>& words) {
    JsonWriter json;
    json.open_array();
    for (const std::string_view word : words) json.string(word);
    json.close_array();
    return json.take();
  }

  /// Sets what the shapes of this model say about its fields; false where nothing new is said.
  bool solve(const Fitted& f, std::uint64_t width) {
    const std::size_t before = settings_.size();
    known_.clear();
    if (width != 0) each_field(f, 'h', [&](Expr name) { set(name, width); });
    // Names that stand alone first: they are factors of others.
    for (const bool products : {false, true, true}) {
      for (const Comparison::Pair& pair : f.comparison.pairs) {
        const ListedRow& row = rows_[pair.listed];
        const Row& expected = f.model->builder.rows()[pair.expected];
        if (!pair.indices.empty() && expected.repeats.size() == pair.indices.size())
          for (std::size_t i = 0; i < pair.indices.size(); ++i) equate(expected.repeats[i], pair.indices[i], products);
        if (row.shape.size() != expected.shape.size()) continue;
        for (std::size_t i = 0; i < row.shape.size(); ++i) equate(expected.shape[i], row.shape[i], products);
      }
    }
    // Heads that are in no shape share the hidden size.
    if (width != 0)
      each_field(f, 'n', [&](Expr heads) {
        each_field(f, 'd', [&](Expr hidden) {
          const Known* const size = find(hidden);
          if (size != nullptr && find(heads) == nullptr && size->value % width == 0 && same_section(heads, hidden))
            set(heads, size->value / width);
        });
      });
    return settings_.size() != before;
  }

  /// Fields of integers whose symbol is that letter, perhaps with a subscript.
  template <class Visit>
  static void each_field(const Fitted& f, char letter, const Visit& visit) {
    for (const Field& field : f.model->configuration.fields) {
      if (!field.number || field.number.op() != Op::name) continue;
      const std::string& symbol = field.number.name().symbol;
      if (symbol == std::string(1, letter) || symbol.starts_with(std::string(1, letter) + '_')) visit(field.number);
    }
  }
  static bool same_section(Expr a, Expr b) {
    const std::string_view one = a.name().name, other = b.name().name;
    return one.substr(0, one.rfind('.') + 1) == other.substr(0, other.rfind('.') + 1);
  }

  [[nodiscard]] const Known* find(Expr name) const {
    const auto found = std::find_if(known_.begin(), known_.end(), [&](const Known& k) { return k.name == name.name().name; });
    return found != known_.end() ? &*found : nullptr;
  }
  [[nodiscard]] bool is_known(Expr name) const { return find(name) != nullptr; }

  /// By what the text says; nothing where it does not say all of it.
  [[nodiscard]] std::optional<Count> value_if_known(Expr e) const {
    if (e.op() == Op::literal) return e.value();
    if (e.op() == Op::name) {
      const Known* const known = find(e);
      return known != nullptr ? std::optional(known->value) : std::nullopt;
    }
    if (e.op() != Op::product && e.op() != Op::sum) return {};
    const std::optional<Count> left = value_if_known(e.left()), right = value_if_known(e.right());
    if (!left || !right) return {};
    return e.op() == Op::product ? multiply(*left, *right) : add(*left, *right);
  }

  void set(Expr name, Count value) {
    if (is_known(name)) return;
    const std::string& field = name.name().name;
    known_.push_back({field, value});
    if (name.value() == value || !name.name().field) return;
    const auto same = [&](const Setting& s) { return s.field == field; };
    if (std::none_of(settings_.begin(), settings_.end(), same)) settings_.push_back({field, digits(value)});
  }

  void equate(Expr e, Count value, bool products) {
    if (e.op() == Op::name) return set(e, value);
    if (!products || (e.op() != Op::product && e.op() != Op::sum)) return;
    for (const auto& [one, other] : {std::pair{e.left(), e.right()}, std::pair{e.right(), e.left()}}) {
      const std::optional<Count> part = value_if_known(one);
      if (!part) continue;
      if (e.op() == Op::product && *part > 0 && value % *part == 0) return equate(other, value / *part, products);
      if (e.op() == Op::sum && value >= *part) return equate(other, value - *part, products);
    }
  }

  /// Switches that no dimension tells: each is kept the other way where that contradicts less.
  void flip_flags(Fitted& best) {
    const auto worth = [](const Fitted& f) { return differing(f) + f.comparison.missing.size(); };
    std::vector<Setting> flags;
    for (const Field& field : best.model->configuration.fields)
      if (field.type == FieldType::boolean && field.value.size() > 3 && field.name != "tie_word_embeddings")
        flags.push_back({best.model->configuration.full_name(field.section, field.name), field.value == "true" ? "false" : "true"});
    for (const Setting& flag : flags) {
      if (worth(best) == 0) return;
      settings_.push_back(flag);
      std::optional<Fitted> other = tried();
      if (other && worth(*other) < worth(best))
        best = std::move(*other);
      else
        settings_.pop_back();
    }
  }

  void collect_unknown(Expr e, std::vector<std::string>& out) const {
    if (e.op() == Op::literal) return;
    if (e.op() != Op::name) {
      collect_unknown(e.left(), out);
      return collect_unknown(e.right(), out);
    }
    if (is_known(e)) return;
    if (e.name().definition) return collect_unknown(e.name().definition, out);
    if (std::find(out.begin(), out.end(), e.name().name) == out.end()) out.push_back(e.name().name);
  }

  void tell_assumed(Fitted& f) const {
    for (const Row& row : f.model->builder.rows())
      if (std::any_of(f.comparison.missing.begin(), f.comparison.missing.end(), [&](const Difference& d) { return d.name == row.name; }))
        collect_unknown(row.total, f.assumed);
  }

  std::string_view class_name_;
  const std::vector<ListedRow>& rows_;
  bool kinds_told_ = false;
  std::vector<Setting> settings_;
  std::vector<Known> known_;
};

}  // namespace

std::optional<Fitted> fit(std::string_view class_name, const std::vector<ListedRow>& rows) {
  constexpr std::size_t most_rows = 5000;
  if (class_name.empty() || rows.empty() || rows.size() > most_rows) return {};
  return Fitter(class_name, rows).fit();
}

}  // namespace param_ledger
