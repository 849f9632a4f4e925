#include "core/notations/config_text.hpp"

#include <algorithm>

#include "core/json/json_text.hpp"
#include "core/notations/config_class.hpp"
#include "core/notations/literal.hpp"
#include "core/notations/training_program.hpp"
#include "core/notations/yaml.hpp"
#include "core/registry/publisher_formats.hpp"
#include "core/registry/registry.hpp"
#include "core/support/attempt.hpp"
#include "core/support/characters.hpp"
#include "core/support/error.hpp"
#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

bool is_gap(char c) { return c == ' ' || c == '\t'; }

/// Whether an object names its model type or model class, or has the keys of a publisher's own format.
bool is_typed(Json root) {
  return root.is(Json::Type::object) &&
         (root["model_type"].is(Json::Type::string) || root["architectures"].size() > 0 || publisher_family(root) != nullptr);
}
bool is_typed(const std::string& json) {
  bool typed = true;  // also true for a text that cannot be parsed, such as one that is too large; counting it reports the error
  attempt([&] { typed = is_typed(Document(json).root()); });
  return typed;
}

/// Removes the prompts of a Python interpreter from the beginning of lines.
std::string without_prompts(std::string_view text) {
  std::string out;
  each_line(text, [&](std::string_view line, std::uint64_t) {
    for (const std::string_view prompt : {">>> ", "... "})
      if (line.starts_with(prompt)) line.remove_prefix(prompt.size());
    (out += line) += '\n';
    return true;
  });
  return out;
}

/// A place in a text where a configuration may begin.
struct Start {
  std::size_t value = 0;      ///< position of the class name or of the brace
  std::string_view variable;  ///< the variable to which the configuration is assigned, if any
  bool printed = false;       ///< whether a name precedes an object, as in `LlamaConfig {`
};

bool is_config_class(std::string_view name) {
  return name.ends_with("Config") || name.ends_with("Args") || name.ends_with("Arguments") || name.ends_with("Params") || name == "dict" ||
         name == "Namespace" || name == "SimpleNamespace" || name.ends_with("Configuration");
}

/// The name before `at`, after skipping blanks. It may contain dots.
std::string_view name_before(std::string_view text, std::size_t at) {
  while (at > 0 && is_gap(text[at - 1])) --at;
  std::size_t begin = at;
  while (begin > 0 && (in_word(text[begin - 1]) || text[begin - 1] == '.')) --begin;
  return text.substr(begin, at - begin);
}

/// The variable in `name = ` or `name: type = ` before `at`; empty if there is no assignment.
std::string_view assigned(std::string_view text, std::size_t at) {
  while (at > 0 && is_gap(text[at - 1])) --at;
  if (at == 0 || text[at - 1] != '=' || (at > 1 && std::string_view("=!<>").find(text[at - 2]) != std::string_view::npos)) return {};
  constexpr std::size_t longest = 80;
  const std::size_t from = at > longest ? at - longest : 0;
  const std::size_t line = text.substr(from, at - 1 - from).rfind('\n');
  const std::size_t begin = line == std::string_view::npos ? from : from + line + 1;
  std::string_view before = text.substr(begin, at - 1 - begin);
  while (!before.empty() && is_gap(before.front())) before.remove_prefix(1);
  std::size_t end = 0;
  while (end < before.size() && in_word(before[end])) ++end;
  return before.substr(0, end);
}

std::optional<Start> start_at(std::string_view text, std::size_t at) {
  if (text[at] == '{') {
    const std::string_view name = name_before(text, at);
    if (!name.empty() && name != "dict" && is_config_class(name.substr(name.rfind('.') + 1)))
      return Start{at, assigned(text, static_cast<std::size_t>(name.data() - text.data())), true};
    const std::string_view variable = assigned(text, at);
    const bool begins_line = name.empty() && (at == 0 || text[at - 1] == '\n');
    return variable.empty() && !begins_line ? std::nullopt : std::optional(Start{at, variable});
  }
  if (text[at] != '(' || at == 0 || !in_word(text[at - 1])) return std::nullopt;
  const std::string_view name = name_before(text, at);
  if (!is_config_class(name.substr(name.rfind('.') + 1))) return std::nullopt;
  const auto begin = static_cast<std::size_t>(name.data() - text.data());
  const std::string_view before = name_before(text, begin);
  if (before == "class" || before == "def" || before == "import") return std::nullopt;
  return Start{begin, assigned(text, begin)};
}

/// Adds the model type that belongs to a configuration class, unless the object names its type.
std::string typed_by(std::string_view class_name, std::string json) {
  const std::string_view type = config_type(class_name.substr(class_name.rfind('.') + 1));
  if (type.empty()) return json;
  const Document document(json);
  if (!document.root().is(Json::Type::object) || document.root()["model_type"]) return json;
  json.insert(1, concat({"\n  \"model_type\": ", dump(type), document.root().size() > 0 ? "," : ""}));
  return json;
}

/// Adds the model class that the text uses, as in `LlamaModel(config)`, if it uses exactly one class of the configuration's model type.
void add_architecture(std::string_view text, std::string& json) {
  const Document document(json);
  const Json type = document.root()["model_type"];
  const Family* const family = type.is(Json::Type::string) ? family_of(type.string()) : nullptr;
  if (family == nullptr || document.root()["architectures"]) return;
  std::string_view found;
  for (const NamedArchitecture& known : architectures(*family))
    for (std::size_t at = 0; (at = text.find(known.name, at)) != std::string_view::npos; at += known.name.size()) {
      const std::size_t end = at + known.name.size();
      if ((at > 0 && in_word(text[at - 1])) || end >= text.size() || (text[end] != '(' && text[end] != '.')) continue;
      if (!found.empty() && found != known.name) return;
      found = text.substr(at, known.name.size());
    }
  if (!found.empty()) json.insert(json.find('\n'), concat({"\n  \"architectures\": [", dump(found), "],"}));
}

/// Refuses a configuration whose variable is changed after its definition.
void refuse_changes(std::string_view rest, std::string_view variable) {
  if (variable.empty()) return;
  for (std::size_t at = 0; (at = rest.find(variable, at)) != std::string_view::npos; at += variable.size()) {
    if (at > 0 && (in_word(rest[at - 1]) || rest[at - 1] == '.')) continue;
    std::string_view behind = rest.substr(at + variable.size());
    behind = behind.substr(0, behind.find('\n'));
    const std::size_t equals = behind.find('=');
    const bool sets = equals != std::string_view::npos && equals + 1 < behind.size() && behind[equals + 1] != '=' &&
                      behind.find('(') > equals && (behind.starts_with('.') || behind.starts_with('['));
    if (sets || behind.starts_with(".update(") || behind.starts_with(" |="))
      throw Error{ErrorCode::unsupported, "", concat({variable, " is changed after its definition. Give the final values."})};
  }
}

/// The maximum number of places to try, because each may read the rest of the text.
constexpr std::size_t most_starts = 100;

std::optional<ConfigText> python_in(std::string_view text) {
  std::optional<ConfigText> out;
  std::optional<Error> doubt;
  std::size_t end = 0, starts = 0;
  for (std::size_t at = text.find_first_of("{("); at != std::string_view::npos; at = text.find_first_of("{(", at + 1)) {
    if (at < end) continue;
    const std::optional<Start> start = start_at(text, at);
    if (!start) continue;
    if (++starts > most_starts) break;
    const std::string_view name = start->printed ? name_before(text, at) : text.substr(start->value, at - start->value);
    std::optional<PythonLiteral> value;
    std::optional<Error> refusal = attempt([&] {
      value = read_literal(text, start->value);
      if (value && !name.empty()) value->json = typed_by(name, std::move(value->json));
    });
    // An error counts only if the class is the configuration of a model.
    if (refusal) {
      if (!doubt && !config_type(name.substr(name.rfind('.') + 1)).empty()) doubt = std::move(refusal);
      continue;
    }
    if (!value) continue;
    end = value->end;
    if (!is_typed(value->json)) continue;
    if (out) throw Error{ErrorCode::unsupported, "", "There are several configurations in this text. Give one of them."};
    out = ConfigText{std::move(value->json), "python"};
    refuse_changes(text.substr(end), start->variable);
  }
  if (!out && doubt) throw Error(*doubt);
  if (out) add_architecture(text, out->json);
  return out;
}

/// Reads the fields of a dataclass: `n_layer: int = 12` under `class GPTConfig:`.
std::optional<ConfigText> dataclass_in(std::string_view text) {
  const auto next_line = [&](std::size_t at) { return std::min(text.find('\n', at), text.size() - 1) + 1; };
  std::size_t starts = 0;
  for (std::size_t at = 0; (at = text.find("class ", at)) != std::string_view::npos; at += 6) {
    if (at > 0 && text[at - 1] != '\n') continue;
    if (++starts > most_starts) break;
    std::size_t line = next_line(at);
    std::string json = "{";
    std::optional<Error> doubt;
    while (line < text.size()) {
      std::size_t i = line;
      while (i < text.size() && is_gap(text[i])) ++i;
      if (i < text.size() && (text[i] == '\n' || text[i] == '#')) {
        line = next_line(i);
        continue;
      }
      if (i == line) break;
      const std::size_t begin = i;
      while (i < text.size() && in_word(text[i])) ++i;
      const std::string_view key = text.substr(begin, i - begin);
      const std::size_t end = std::min(text.find('\n', i), text.size());
      const std::size_t equals = text.find('=', i);
      if (key.empty() || i >= end || (text[i] != ':' && text[i] != ' ')) break;
      if (equals < end) {
        std::optional<PythonLiteral> value;
        if (const std::optional<Error> refusal = attempt([&] { value = read_literal(text, behind_blanks(text, equals + 1)); })) {
          doubt = Error{refusal->code, std::string(key), refusal->message};
          value = PythonLiteral{"null", end};
        }
        if (!value) break;
        if (json.size() > 1) json += ',';
        json += concat({"\n  ", dump(key), ": ", value->json});
        line = next_line(value->end);
      } else {
        line = next_line(i);
      }
    }
    json += "\n}";
    const std::size_t colon = text.find_first_of(":(\n", at + 6);
    if (colon == std::string_view::npos) break;
    json = typed_by(name_before(text, colon), std::move(json));
    if (!is_typed(json)) continue;
    if (doubt) throw Error(*doubt);
    return ConfigText{std::move(json), "python"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<ConfigText> training_in(std::string_view text) {
  if (std::optional<std::string> found = config_of_arguments(text)) return ConfigText{*std::move(found), "arguments"};
  const auto says = [&](std::string_view key) { return holds(text, key); };
  if (text.size() > largest_text || !(says("num-layers") || says("num_layers")) || !(says("hidden-size") || says("hidden_size")))
    return std::nullopt;
  const std::size_t first = behind_blanks(text, 0);
  std::optional<std::string> json;
  if (first < text.size() && text[first] == '{') {
    std::optional<PythonLiteral> value;
    if (attempt([&] { value = read_literal(text, first); })) return std::nullopt;  // errors in the object are reported by config_in
    if (value && behind_blanks(text, value->end) == text.size()) json = std::move(value->json);
  } else {
    json = json_of_yaml(text);
  }
  if (!json) return std::nullopt;
  std::optional<std::string> found;
  std::optional<Error> refusal = attempt([&] {
    const Document document(*json);
    found = config_of_neox(document.root());
  });
  if (refusal && refusal->code == ErrorCode::unsupported) throw Error(*std::move(refusal));
  return found ? std::optional(ConfigText{*std::move(found), first < text.size() && text[first] == '{' ? "python" : "yaml"}) : std::nullopt;
}

std::optional<ConfigText> config_in(std::string_view given) {
  if (given.size() > largest_text) return std::nullopt;
  std::string stripped;
  std::string_view text = given;
  if (given.starts_with(">>> ") || holds(given, "\n>>> ")) text = stripped = without_prompts(given);
  const std::size_t first = behind_blanks(text, 0);
  if (first < text.size() && text[first] == '{') {
    // The whole text is a single object, so it is a configuration whatever it contains.
    const std::optional<PythonLiteral> value = read_literal(text, first);
    if (value && behind_blanks(text, value->end) == text.size()) return ConfigText{value->json, "python"};
  }
  if (std::optional<ConfigText> found = python_in(text)) return found;
  if (std::optional<ConfigText> found = dataclass_in(text)) return found;
  if (std::optional<std::string> yaml = json_of_yaml(text); yaml && is_typed(*yaml)) return ConfigText{std::move(*yaml), "yaml"};
  return std::nullopt;
}

}  // namespace param_ledger
