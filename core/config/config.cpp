#include "core/config/config.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/expr/formula.hpp"
#include "core/json/value_text.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The subscript of a section's symbols. It distinguishes the width of a tower from that of the text model.
std::string_view symbol_suffix(std::string_view section) {
  static constexpr std::pair<std::string_view, std::string_view> known[] = {{"text_config", ""},
                                                                            {"llm_config", ""},
                                                                            {"thinker_config", ""},
                                                                            {"vision_config", "v"},
                                                                            {"vision_encoder_config", "v"},
                                                                            {"audio_config", "a"},
                                                                            {"encoder", "enc"},
                                                                            {"encoder_config", "enc"},
                                                                            {"decoder", "dec"},
                                                                            {"decoder_config", "dec"},
                                                                            {"depth_decoder_config", "dep"},
                                                                            {"attn_config", "at"},
                                                                            {"ffn_config", "ff"}};
  for (const auto& [name, suffix] : known)
    if (name == section) return suffix;
  return section.substr(0, section.find('_'));
}

}  // namespace

Configuration::Configuration(Pool& names, Json root) : pool(names) { sections.emplace_back(*this, std::uint16_t{0}, "", "", root); }

std::string Configuration::full_name(std::uint16_t section, Text field) const { return concat({sections[section].path, field}); }

Config ConfigReader::section(Literal name) {
  std::string inner = concat({path, name, "."});
  for (ConfigReader& known : all_->sections)
    if (known.path == inner) return known;
  Json object = json[name];
  consume(name);
  if (object && !object.is_null() && !object.is(Json::Type::object))
    refuse(ErrorCode::wrong_type, name, concat({"must be an object, not ", described(object), "."}));
  if (!object.is(Json::Type::object)) object = {};
  const auto number = static_cast<std::uint16_t>(all_->sections.size());
  return all_->sections.emplace_back(*all_, number, std::move(inner), symbol_suffix(name), object);
}

Config ConfigReader::with(std::span<const Alias> its_aliases) {
  aliases = its_aliases;
  return *this;
}

Json ConfigReader::peek(Text name) const {
  const Json out = held(name);
  if (out.is(Json::Type::integer)) on_read(name);
  return out;
}

void ConfigReader::on_read(Text name) const {
  DecisionObserver* const observer = pool().observer();
  if (observer == nullptr) return;
  observer->on_read(full_name(name));
  for (const Alias& a : aliases)
    if (a.field == name) observer->on_read(full_name(a.alias));
}

Json ConfigReader::held(Text name) const {
  if (const Json own = json[name]) return own;
  for (const Alias& a : aliases)
    if (a.field == name)
      if (const Json other = json[a.alias]) return other;
  return {};
}

void ConfigReader::consume(Literal name) { consumed.push_back(name); }

void ConfigReader::ignore(Literal name, Literal reason) { all_->reasons.push_back({section_, name, reason}); }

void ConfigReader::refuse(ErrorCode code, Text field, Text message, Refused kind) const {
  on_read(field);
  Text written = field;
  for (const Field& f : all_->fields)
    if (f.section == section_ && f.name == field && !f.given_as.empty()) written = f.given_as;
  std::string name = full_name(written);
  std::string text = concat({name, " ", message});
  throw Error{.code = code, .field = std::move(name), .message = std::move(text), .kind = kind};
}

void ConfigReader::require_length(Text list, std::size_t length, Expr n_layers) const {
  if (n_layers.node()->varies == 0 ? length == n_layers.peek() : meets(Relation::equal, n_layers, literal(length))) return;
  refuse(ErrorCode::inconsistent, list,
         concat({"must have an entry for each of the ", digits(n_layers.peek()), " layers (", write(n_layers), "), not ", digits(length),
                 "."}),
         Refused::list_length);
}

void ConfigReader::require_length_of(Text list, Expr n_layers) const {
  const Json given = held(list);
  if (given.is(Json::Type::list)) require_length(list, given.size(), n_layers);
}

void ConfigReader::wrong_type(const Field& field, Text wanted, Text advice) const {
  refuse(ErrorCode::wrong_type, field.name, concat({"must be ", wanted, ", not ", described(field.given), advice, "."}));
}

ConfigReader::Opened ConfigReader::open(Literal name, FieldType type, Null null, Text fallback) {
  for (Field& f : all_->fields) {
    if (f.section != section_ || f.name != name) continue;
    if (f.type != type || (!f.fallback.empty() && !fallback.empty() && f.fallback != fallback))
      throw Error{ErrorCode::internal, full_name(name), concat({full_name(name), " is read with two different types or defaults."})};
    return {f, true};
  }
  Field& field = all_->fields.emplace_back(Field{section_, name, type});
  field.nullable = null == Null::allowed;
  field.fallback = fallback;
  consumed.push_back(name);
  field.given = json[name];
  for (const Alias& a : aliases) {
    if (a.field != name) continue;
    const Json other = json[a.alias];
    if (!other) continue;
    consumed.push_back(a.alias);
    if (field.given) on_read(name);
    if (field.given && !(field.given == other))
      refuse(ErrorCode::inconsistent, name,
             concat({"and ", a.alias, " are two spellings of one field with different values. Remove one of them."}),
             Refused::two_spellings);
    // transformers applies aliases after it has derived missing fields, so a null given under an alias would stay null.
    if (other.is_null() && !field.given) refuse(ErrorCode::wrong_type, a.alias, "must not be null. Remove it.");
    if (!field.given) field.given_as = a.alias;
    field.given = other;
  }
  if (field.given) field.source = Source::given;
  return {field, false};
}

// Reads fields that are not numbers. config_numbers.cpp reads the numbers.

bool ConfigReader::read_flag(Field& field) const {
  if (!field.given.is(Json::Type::boolean) && !(field.nullable && field.given.is_null())) wrong_type(field, "true or false");
  return field.given.is(Json::Type::boolean) && field.given.boolean();
}

bool ConfigReader::flag(Literal name, bool fallback, Null null) {
  const auto [field, again] = open(name, FieldType::boolean, null, fallback ? "true" : "false");
  if (field.given) return read_flag(field);
  field.value = field.fallback;
  return fallback;
}

bool ConfigReader::flag(Literal name, bool fallback) { return flag(name, fallback, Null::refused); }

bool ConfigReader::derived_flag(Literal name, bool derived) {
  const auto [field, again] = open(name, FieldType::boolean, Null::refused, "");
  if (field.given) return read_flag(field);
  field.source = Source::derived;
  field.value = derived ? "true" : "false";
  return derived;
}

std::string_view ConfigReader::text(Literal name, Literal fallback, std::span<const std::string_view> choices) {
  const auto [field, again] = open(name, FieldType::string, Null::refused, dump(std::string_view(fallback)));
  field.choices = choices;
  if (!field.given) {
    field.value = field.fallback;
    return fallback;
  }
  if (!field.given.is(Json::Type::string)) wrong_type(field, "a string");
  const std::string_view word = field.given.string();
  if (!choices.empty() && std::find(choices.begin(), choices.end(), word) == choices.end())
    refuse(ErrorCode::out_of_range, name, concat({"must be one of ", words_text(choices), ", not ", described(field.given), "."}));
  return word;
}

std::optional<std::string_view> ConfigReader::optional_text(Literal name, std::optional<std::string_view> fallback) {
  const auto [field, again] = open(name, FieldType::string, Null::allowed, fallback ? dump(*fallback) : "null");
  if (!field.given) {
    field.value = field.fallback;
    return fallback;
  }
  if (field.given.is_null()) return std::nullopt;
  if (!field.given.is(Json::Type::string)) wrong_type(field, "a string or null");
  return field.given.string();
}

std::optional<std::vector<std::string_view>> ConfigReader::words(Literal name, std::span<const std::string_view> choices) {
  const auto [field, again] = open(name, FieldType::list, Null::allowed, "");
  field.choices = choices;
  if (!field.given || field.given.is_null()) {
    field.source = Source::derived;
    field.given = {};
    return std::nullopt;
  }
  if (!field.given.is(Json::Type::list)) wrong_type(field, "a list of strings");
  std::vector<std::string_view> out;
  out.reserve(field.given.size());
  for (const auto& [_, item] : field.given.members()) {
    if (!item.is(Json::Type::string)) wrong_type(field, "a list of strings");
    const std::string_view word = item.string();
    if (!choices.empty() && std::find(choices.begin(), choices.end(), word) == choices.end())
      refuse(ErrorCode::out_of_range, name, concat({"must contain only ", words_text(choices), ", not ", described(item), "."}));
    out.push_back(word);
  }
  return out;
}

std::vector<std::string_view> ConfigReader::words(Literal name, std::span<const std::string_view> choices,
                                                  std::vector<std::string_view> fallback) {
  std::optional<std::vector<std::string_view>> given = words(name, choices);
  Field& field = open(name, FieldType::list, Null::allowed, "").field;
  field.fallback = words_text(fallback);
  if (given) return *std::move(given);
  field.source = Source::fallback;
  field.value = field.fallback;
  return fallback;
}

bool is_given(Config c, Text name) {
  const Json json = c.peek(name);
  return json && !json.is_null();
}

}  // namespace param_ledger
