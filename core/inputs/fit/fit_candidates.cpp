#include "core/inputs/fit/fit_candidates.hpp"

#include <algorithm>

#include "core/inputs/fit/fit_equations.hpp"
#include "core/json/value_text.hpp"
#include "core/support/count.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Head dimensions to try, common ones first, because shapes do not show how a projection is split into heads.
constexpr std::uint64_t usual_widths[] = {128, 64, 256, 96, 80, 192, 32, 112, 48, 16, 72, 160, 512, 8};

/// Numbers of heads that are common in published models, tried in case the head dimension is uncommon.
constexpr Count usual_counts[] = {1, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 96, 128};

/// The maximum length of the lists with one entry per layer that are tried to repair a refused configuration.
constexpr std::uint64_t most_layers = 1000;

class Finder {
 public:
  Finder(const Attempt& now, Attempts& attempts)
      : now_(now), attempts_(attempts), equations_(*now.model, now.match, attempts.rows()), configuration_(now.model->configuration) {}

  std::vector<Settings> out;

  /// Tries model types for the nested configurations, derived from the printed class names.
  void nested_types() {
    for (const ConfigReader& section : configuration_.sections) {
      if (section.path.empty() || !section.has_read("model_type")) continue;
      for (const std::string_view type : attempts_.names().types())
        for (const Choice& choice : families_with(type)) offer({{section.path + "model_type", word(choice.family->model_type)}});
    }
  }

  /// For fields that list the kind of each layer: groups layers that are printed alike, and gives each group the kind with the fewest
  /// contradictions.
  void kinds() {
    for (const Field& field : configuration_.fields) {
      if (field.type != FieldType::list || field.choices.empty()) continue;
      const std::string name = configuration_.full_name(field.section, field.name);
      for (const PrintedNames::List& list : attempts_.names().lists()) kinds_of(name, field.choices, list);
    }
  }

  /// For each dimension that differs, changes one of its undetermined fields so that the dimension has the printed size.
  void dimensions() {
    for (const PrintedMatch::Pair& pair : now_.match.pairs) {
      if (pair.same) continue;
      const Row& expected = now_.model->builder.rows()[pair.expected];
      const ListedRow& listed = attempts_.rows()[pair.listed];
      for (std::size_t i = 0; i < std::min(listed.shape.size(), expected.shape.size()); ++i) {
        if (expected.shape[i].peek() == listed.shape[i]) continue;
        std::vector<Expr> names;
        fields_of(expected.shape[i], names);
        for (const Expr name : names)
          if (const auto value = solved(expected.shape[i], listed.shape[i], name); value && !equations_.value(name))
            offer({{name.name().name, digits(*value)}});
      }
    }
  }

  /// Tries common head dimensions if the printed text does not determine them: sets the head dimension itself, the number of heads that it
  /// implies, or both.
  void heads() {
    for (const std::uint64_t width : usual_widths) {
      std::vector<Edit> settings, shares;
      each_field('h', [&](Expr name) {
        if (!equations_.value(name)) settings.push_back({name.name().name, digits(width)});
      });
      each_field('n', [&](Expr heads) {
        if (equations_.value(heads)) return;
        each_field('d', [&](Expr hidden) {
          const std::optional<Count> size = equations_.value(hidden);
          if (size && *size % width == 0 && same_section(heads, hidden)) shares.push_back({heads.name().name, digits(*size / width)});
        });
      });
      offer(settings);
      offer(shares);
      settings.insert(settings.end(), shares.begin(), shares.end());
      offer(settings);
    }
    // Common head counts. They include one, which divides any width.
    for (const Count count : usual_counts) {
      std::vector<Edit> settings;
      each_field('n', [&](Expr heads) {
        if (!equations_.value(heads)) settings.push_back({heads.name().name, digits(count)});
      });
      offer(settings);
    }
  }

  /// Flips booleans, and tries the other choices of string fields. For integers, tries null if they may be null or, if they are unset,
  /// small values.
  void switches() {
    for (const Field& field : configuration_.fields) {
      const std::string name = configuration_.full_name(field.section, field.name);
      if (field.type == FieldType::boolean) offer({{name, value_text(field) == "true" ? "false" : "true"}});
      if (field.type == FieldType::string)
        for (const std::string_view choice : field.choices) offer({{name, word(choice)}});
      // For a string field without listed choices, try two values that affect the tensors of some model types.
      if (field.type == FieldType::string && field.choices.empty())
        for (const Text known : {"gated-gelu", "layer_norm"}) offer({{name, word(known)}});
      if (field.type != FieldType::integer) continue;
      if (field.nullable && field.number) offer({{name, "null"}});
      if (!field.number)
        for (const Count any : {Count{1}, Count{2}, Count{8}}) offer({{name, digits(any)}});
    }
  }

  /// Changes lists and undetermined integers, which may select the layers of some kind. Tries small numbers, and the indices and numbers of
  /// printed layers.
  void layers() {
    const std::vector<RunList> sets = attempts_.names().index_sets();
    const std::vector<PrintedNames::List> lists = attempts_.names().lists();
    std::vector<std::uint64_t> numbers{0, 1, 2};
    std::vector<std::string> texts;
    for (const RunList& set : sets) {
      const Count size = size_of(set);
      numbers.push_back(set.front().first);
      numbers.push_back(set.front().last + 1);
      numbers.push_back(set.back().last + 1);
      if (set.size() > 1) numbers.push_back(set[1].first - set[0].first);
      constexpr Count most = 1000;
      if (size > most) continue;
      std::vector<std::uint64_t> indices;
      for (const Run& run : set)
        for (std::uint64_t i = run.first; i <= run.last; ++i) indices.push_back(i);
      numbers.push_back(indices.size());
      for (const PrintedNames::List& list : lists)
        if (list.length >= indices.size()) numbers.push_back(list.length - indices.size());
      texts.push_back(integers_text(indices));
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    for (const Field& field : configuration_.fields) {
      const std::string name = configuration_.full_name(field.section, field.name);
      if (field.type == FieldType::list && field.choices.empty()) {
        offer({{name, "[]"}});
        for (const std::string& text : texts) offer({{name, text}});
      }
      if (field.type != FieldType::integer || !field.number || equations_.value(field.number)) continue;
      constexpr std::size_t most_numbers = 24;
      for (std::size_t i = 0; i < std::min(numbers.size(), most_numbers); ++i) offer({{name, digits(numbers[i])}});
    }
  }

  /// If a list with one entry per layer was refused because of its length, tries lists that are as long as a printed list.
  void refused_list(const Error& refusal) {
    for (const Field& field : configuration_.fields)
      if (field.type == FieldType::list && configuration_.full_name(field.section, field.name) == refusal.field)
        for (const PrintedNames::List& list : attempts_.names().lists())
          for (const std::string_view choice : field.choices)
            if (list.length <= most_layers)
              offer({{refusal.field, words_text(std::vector<std::string_view>(static_cast<std::size_t>(list.length), choice))}});
    if (!refusal.field.ends_with("attention_types")) return;
    // attention_types is a list of pairs: a pattern of layer kinds, and how often the pattern repeats. No tensor depends on it, so any list
    // of the right length will do.
    for (const PrintedNames::List& list : attempts_.names().lists())
      offer({{refusal.field,
              concat({"[[[\"global\",\"local\"],", digits(list.length / 2), list.length % 2 == 0 ? "]]" : "],[[\"global\"],1]]"})}});
  }

 private:
  void offer(const std::vector<Edit>& settings) {
    Settings one;
    for (const Edit& s : settings)
      if (!attempts_.given().has(s.path)) one.set(s.path, s.json);
    if (!one.list().empty() && std::find(out.begin(), out.end(), one) == out.end()) out.push_back(std::move(one));
  }

  static std::string word(std::string_view text) { return concat({"\"", text, "\""}); }

  void kinds_of(const std::string& field, std::span<const std::string_view> choices, const PrintedNames::List& list) {
    const std::vector<std::vector<std::uint64_t>> alike = attempts_.names().alike_in(list);
    constexpr std::size_t most_kinds = 64;
    if (alike.empty() || alike.size() > most_kinds) return;
    const auto length = static_cast<std::size_t>(list.length);
    std::vector<std::string_view> best(length);
    std::vector<std::size_t> wrong(alike.size());
    // If the length of the list changes, the number of layers must change with it, although it may not appear in any shape.
    std::vector<Edit> layers;
    for (const PrintedMatch::List& known : now_.match.lists)
      if (known.printed == list.length && known.length != list.length)
        each_field('L', [&](Expr name) {
          if (name.peek() == known.length && !equations_.value(name)) layers.push_back({name.name().name, digits(list.length)});
        });
    for (const std::string_view choice : choices) {
      Settings settings = now_.settings;
      for (const Edit& s : layers) settings.set(s.path, s.json);
      settings.set(field, words_text(std::vector<std::string_view>(length, choice)));
      const std::unique_ptr<Attempt> all = attempts_.plain(settings);
      if (all == nullptr) continue;
      for (std::size_t k = 0; k < alike.size(); ++k) {
        const std::size_t now = attempts_.matcher().wrong_at(list, alike[k].front(), *all->model);
        const auto first = static_cast<std::size_t>(alike[k].front());
        if (!best[first].empty() && now >= wrong[k]) continue;
        wrong[k] = now;
        for (const std::uint64_t i : alike[k]) best[static_cast<std::size_t>(i)] = choice;
      }
    }
    if (best.front().empty()) return;
    layers.push_back({field, words_text(best)});
    offer(layers);
  }

  /// Visits integer fields whose symbol is this letter, with or without a subscript.
  template <class Visit>
  void each_field(char letter, const Visit& visit) {
    for (const Field& field : configuration_.fields) {
      if (!field.number) continue;
      const std::string& symbol = field.number.name().symbol;
      if (symbol == std::string(1, letter) || symbol.starts_with(std::string(1, letter) + '_')) visit(field.number);
    }
  }
  static bool same_section(Expr a, Expr b) {
    const std::string_view one = a.name().name, other = b.name().name;
    return one.substr(0, one.rfind('.') + 1) == other.substr(0, other.rfind('.') + 1);
  }

  const Attempt& now_;
  Attempts& attempts_;
  Equations equations_;
  const Configuration& configuration_;
};

}  // namespace

std::vector<Settings> candidates(std::size_t batch, const Attempt& now, Attempts& attempts) {
  Finder finder(now, attempts);
  switch (batch) {
    case 0: finder.nested_types(); break;
    case 1: finder.kinds(); break;
    case 2: finder.dimensions(); break;
    case 3: finder.heads(); break;
    case 4: finder.switches(); break;
    default: finder.layers(); break;
  }
  return std::move(finder.out);
}

std::vector<Settings> repairs(Attempts& attempts) {
  const Error refusal = attempts.refusal();
  std::vector<Settings> out;
  // The list of layer types is required, but its choices are unknown until a configuration is accepted. full_attention is a kind that many
  // model types allow.
  if (refusal.code == ErrorCode::wrong_type && refusal.field.ends_with("layer_types"))
    for (const PrintedNames::List& list : attempts.names().lists()) {
      if (list.length > most_layers) continue;
      Settings& one = out.emplace_back();
      one.set(refusal.field, words_text(std::vector<std::string_view>(static_cast<std::size_t>(list.length), "full_attention")));
      one.set(refusal.field.substr(0, refusal.field.rfind('.') + 1) + "num_hidden_layers", digits(list.length));
    }
  if (!attempts.refused()) return out;
  Finder finder(*attempts.refused(), attempts);
  if (refusal.code == ErrorCode::inconsistent) finder.refused_list(refusal);
  finder.heads();
  finder.switches();
  out.insert(out.end(), finder.out.begin(), finder.out.end());
  return out;
}

}  // namespace param_ledger
