#include "core/compare/causes.hpp"

#include <algorithm>

#include "core/compare/purposes.hpp"
#include "core/config/dimensions.hpp"
#include "core/config/ignored_fields.hpp"
#include "core/json/json_text.hpp"
#include "core/model/totals.hpp"

namespace param_ledger {

namespace {

/// One value of a configuration and its section.
struct Leaf {
  std::string path;  ///< the section's path: "text_config."
  std::string key;
  std::string value;  ///< the value as JSON text
};

Count parameters_of(const Model& model) { return totals_of(model.builder.rows()).parameter_sum; }

/// A configuration that starts as one model's and is changed step by step into another's.
class Mix {
 public:
  /// Starts from a model's configuration. With `ignored`, this includes the fields that the model ignores.
  Mix(const Model& model, bool ignored) {
    if (!ignored) {
      for (const IgnoredField& field : ignored_fields(model.configuration)) ignored_.push_back(field.name);
      std::sort(ignored_.begin(), ignored_.end());
    }
    take(model.configuration, "", model.configuration.sections.front().json);
  }

  /// Sets a field and removes its other spellings; an empty value removes the field.
  void set(const ConfigReader& section, const Field& field, std::string value) {
    const auto spells = [&](const Leaf& leaf) {
      const auto means = [&](const Alias& alias) { return alias.alias == std::string_view(leaf.key) && alias.field == field.name; };
      return leaf.path == section.path &&
             (field.name == std::string_view(leaf.key) || std::any_of(section.aliases.begin(), section.aliases.end(), means));
    };
    leaves_.erase(std::remove_if(leaves_.begin(), leaves_.end(), spells), leaves_.end());
    if (!value.empty()) leaves_.push_back({section.path, field.name.c_str(), std::move(value)});
  }

  void set_architecture(const std::string& name) {
    leaves_.erase(
        std::remove_if(leaves_.begin(), leaves_.end(), [](const Leaf& leaf) { return leaf.path.empty() && leaf.key == "architectures"; }),
        leaves_.end());
    leaves_.push_back({"", "architectures", concat({"[", dump(std::string_view(name)), "]"})});
  }

  [[nodiscard]] std::optional<Count> parameters() const {
    std::optional<Count> out;
    try_count(text(), [&](const Model& model) { out = parameters_of(model); });
    return out;
  }

  [[nodiscard]] std::string text() const {
    std::string out;
    write(out, "");
    return out;
  }

 private:
  void take(const Configuration& all, const std::string& path, Json object) {
    for (const auto& [key, value] : object.members()) {
      std::string name = concat({path, key});
      if (std::binary_search(ignored_.begin(), ignored_.end(), name)) continue;
      const std::string inner = concat({name, "."});
      const bool section = value.is(Json::Type::object) && std::any_of(all.sections.begin(), all.sections.end(),
                                                                       [&](const ConfigReader& known) { return known.path == inner; });
      if (section)
        take(all, inner, value);
      else
        leaves_.push_back({path, std::string(key), dump(value)});
    }
  }

  void write(std::string& out, const std::string& path) const {
    out += '{';
    const char* separator = "";
    std::vector<std::string_view> sections;
    for (const Leaf& leaf : leaves_) {
      if (leaf.path == path) {
        out += separator;
        out += dump(std::string_view(leaf.key));
        out += ':';
        out += leaf.value;
        separator = ",";
      } else if (leaf.path.size() > path.size() && leaf.path.compare(0, path.size(), path) == 0) {
        const std::string_view section = std::string_view(leaf.path).substr(path.size(), leaf.path.find('.', path.size()) - path.size());
        if (std::find(sections.begin(), sections.end(), section) == sections.end()) sections.push_back(section);
      }
    }
    for (const std::string_view section : sections) {
      out += separator;
      out += dump(section);
      out += ':';
      write(out, concat({path, section, "."}));
      separator = ",";
    }
    out += '}';
  }

  std::vector<std::string> ignored_;
  std::vector<Leaf> leaves_;
};

/// One step of the comparison: takes over the second model's value of the field at position `match`, or the second model's class if
/// `match` is past the last field.
struct Switch {
  std::size_t match;
  std::uint32_t order;
};

/// The position of a field in the order that `causes_between` documents.
std::uint32_t order_of(std::string_view name) {
  const Dimension& known = dimension(name);
  constexpr Group order[] = {Group::vocabulary,   Group::size,    Group::layers, Group::attention, Group::state_space,
                             Group::feed_forward, Group::experts, Group::head,   Group::other};
  const auto* const group = std::find(std::begin(order), std::end(order), known.group);
  return static_cast<std::uint32_t>(group - std::begin(order)) << 16U | dimension_order(known);
}

class Switching {
 public:
  Switching(const std::vector<FieldMatch>& matches, Models models, std::size_t from, std::size_t to)
      : matches_(matches), a_(*models[from]), b_(*models[to]), from_(from), to_(to), related_(a_.choice.family == b_.choice.family) {}

  std::vector<Cause> causes() {
    const Count first = parameters_of(a_), last = parameters_of(b_);
    Mix mix(a_, false);
    if (mix.parameters() != first) mix = Mix(a_, true);
    std::vector<Cause> out;
    Cause cause;
    Count before = first;
    Mix counted = mix;  // the last configuration that could be counted
    for (const Switch& next : switches()) {
      const bool architecture = next.match == matches_.size();
      if (architecture) {
        mix.set_architecture(b_.choice.architecture.name);
        cause.architecture = true;
      } else {
        apply(mix, matches_[next.match]);
        cause.fields.push_back(next.match);
      }
      const std::optional<Count> after = mix.parameters();
      if (!after) continue;
      counted = mix;
      cause.after = *after;
      // A field that only one model reads may have no effect until another field enables it. They are then one cause.
      if (cause.after == before && !architecture && !shared(matches_[next.match])) continue;
      if (cause.after != before || tells(cause)) out.push_back(cause);
      before = cause.after;
      cause = {};
    }
    if (before == last && related_) return out;
    if ((!related_ || cause.fields.empty()) && add_purposes(counted.text(), before, last, out)) return out;
    cause.rest = !related_ || cause.fields.empty();
    cause.after = last;
    out.push_back(cause);
    return out;
  }

 private:
  /// Splits the difference that no field explains by purpose. It is the difference between `mixed`, the first model with all of the second
  /// model's field values that it could take over, and the second model itself. Increases come first, so that no intermediate sum is
  /// negative. Returns false if `mixed` cannot be counted or does not have `before` parameters, or if the second model does not have
  /// `last`.
  [[nodiscard]] bool add_purposes(const std::string& mixed, Count before, Count last, std::vector<Cause>& out) const {
    bool done = false;
    const std::optional<Error> refused = attempt([&] {
      const Document document(mixed);
      Inference inference, its_inference;
      const Model model(document.root(), inference, 1), its(b_.configuration.sections.front().json, its_inference, 1);
      if (parameters_of(model) != before || parameters_of(its) != last) return;
      const std::vector<Row>&rows = model.builder.rows(), &its_rows = its.builder.rows();
      const bool whole_encoder = has_encoder(rows) != has_encoder(its_rows);
      const Purposes from = purposes_of(rows, inference, whole_encoder), to = purposes_of(its_rows, its_inference, whole_encoder);
      for (const bool grows : {true, false})
        for (std::size_t i = 0; i < purpose_count; ++i) {
          const auto purpose = static_cast<Purpose>(i);
          const bool saves = purpose == Purpose::grouped_queries;
          const Count was = saves ? to.parameters[i] : from.parameters[i], is = saves ? from.parameters[i] : to.parameters[i];
          if (was == is || (is > was) != grows) continue;
          before = grows ? add(before, is - was) : before - (was - is);
          Cause cause;
          cause.rest = true;
          cause.purpose = spelling(purpose);
          cause.after = before;
          if (purpose == Purpose::other)
            for (const std::vector<std::string_view>* names : {&from.others, &to.others})
              for (const std::string_view name : *names)
                if (std::find(cause.tensors.begin(), cause.tensors.end(), name) == cause.tensors.end()) cause.tensors.emplace_back(name);
          out.push_back(std::move(cause));
        }
      done = true;
    });
    return done && !refused;
  }

  [[nodiscard]] bool shared(const FieldMatch& match) const { return match.cells[from_] != nullptr && match.cells[to_] != nullptr; }
  [[nodiscard]] static const ConfigReader& section_of(const Model& model, const Field& field) {
    return model.configuration.sections[field.section];
  }

  /// The changes in the order that `causes_between` documents.
  [[nodiscard]] std::vector<Switch> switches() const {
    std::vector<Switch> out;
    for (std::size_t i = 0; i < matches_.size(); ++i)
      if (const Field* its = matches_[i].cells[to_]; its != nullptr && differs(matches_[i])) out.push_back({i, order_of(its->name)});
    if (related_ && a_.choice.architecture.name != b_.choice.architecture.name)
      out.push_back({matches_.size(), order_of("tie_word_embeddings")});
    std::stable_sort(out.begin(), out.end(), [](const Switch& a, const Switch& b) { return a.order < b.order; });
    return out;
  }

  /// Whether to change this field. Compares the given values if both models have the same model type. Otherwise compares the effective
  /// values, and skips fields that only one model reads or that both derive from other fields.
  [[nodiscard]] bool differs(const FieldMatch& match) const {
    const Field *own = match.cells[from_], *its = match.cells[to_];
    if (related_) {
      const Json old = own != nullptr ? section_of(a_, *own).peek(own->name) : Json();
      return !(old == section_of(b_, *its).peek(its->name));
    }
    const bool derived = own != nullptr && own->source == Source::derived && its->source == Source::derived;
    return own != nullptr && !derived && !same_value(*own, *its) && !value_text(*its).empty();
  }

  void apply(Mix& mix, const FieldMatch& match) const {
    const Field& its = *match.cells[to_];
    const ConfigReader& target = section_of(b_, its);
    if (related_) {
      const Json value = target.peek(its.name);
      mix.set(target, its, value ? dump(value) : "");
    } else {
      const Field& own = *match.cells[from_];
      const ConfigReader& source = section_of(a_, own);
      mix.set(source, own, value_text(its));
    }
  }

  /// Whether to list a cause that leaves the count unchanged: only if it changes the class, or the value of a field that both models read.
  [[nodiscard]] bool tells(const Cause& cause) const {
    return cause.architecture || std::any_of(cause.fields.begin(), cause.fields.end(), [&](std::size_t i) {
             return shared(matches_[i]) && !same_value(*matches_[i].cells[from_], *matches_[i].cells[to_]);
           });
  }

  const std::vector<FieldMatch>& matches_;
  const Model& a_;
  const Model& b_;
  std::size_t from_;
  std::size_t to_;
  bool related_;  ///< both have the same model type
};

}  // namespace

std::vector<Cause> causes_between(const std::vector<FieldMatch>& matches, Models models, std::size_t from, std::size_t to) {
  return Switching(matches, models, from, to).causes();
}

}  // namespace param_ledger
