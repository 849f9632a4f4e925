#include "core/config.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/dimensions.hpp"
#include "core/formula.hpp"

namespace param_ledger {

namespace {

/// What torch takes for a dimension.
constexpr Count largest_dimension = std::numeric_limits<std::int64_t>::max();

std::string json_string(std::string_view text) { return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace); }

template <class Strings>
std::string list_text(const Strings& items) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ',';
    out += json_string(item);
  }
  return out + "]";
}

/// A value as the answer shows it; non-finite numbers, which JSON lacks, as words.
std::string json_text(const Json& value) {
  if (value.is_number_float() && !std::isfinite(value.get<double>())) {
    if (std::isnan(value.get<double>())) return "\"NaN\"";
    return value.get<double>() > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  }
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The value and its type for an error message.
std::string described(const Json& value) {
  constexpr std::size_t longest = 60;
  std::string text = json_text(value);
  if (text.size() > longest) {
    text.resize(longest);
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80U) != 0) text.pop_back();
    text += "…";
  }
  if (value.is_string()) return text + " (a string)";
  if (value.is_array()) return text + " (a list)";
  if (value.is_object()) return text + " (an object)";
  return text;
}

[[noreturn]] void wrong_type(std::string_view field, std::string_view wanted, const Json& value, std::string_view advice = "") {
  refuse(ErrorCode::wrong_type, field, "must be " + std::string(wanted) + ", not " + described(value) + std::string(advice) + ".");
}

/// ": write 4096" for what was meant as an integer: 4096.0, 4.096e3, "4096".
std::string how_to_write(const Json& value) {
  constexpr double largest = 1e15;
  if (value.is_number_float()) {
    const auto number = value.get<double>();
    if (number >= 0 && number <= largest && number == std::floor(number))
      return ": write " + std::to_string(static_cast<std::uint64_t>(number));
  } else if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    constexpr std::size_t most_digits = 18;
    if (!text.empty() && text.size() <= most_digits && text.find_first_not_of("0123456789") == std::string::npos)
      return ": write " + text + " without quotes";
  }
  return "";
}

/// A JSON integer ≥ `least`, or an Error that names the field.
Count checked_integer(std::string_view field, const Json& value, std::uint64_t least) {
  if (value.is_number_float() && std::isfinite(value.get<double>()) && std::abs(value.get<double>()) >= 9.2e18 &&
      value.get<double>() == std::floor(value.get<double>()))
    refuse(ErrorCode::overflow, field, "is beyond 9,223,372,036,854,775,807, the largest dimension a tensor can have.");
  if (!value.is_number_integer()) wrong_type(field, "an integer", value, how_to_write(value));
  const bool negative = !value.is_number_unsigned() && value.get<std::int64_t>() < 0;
  const Count number = negative ? 0 : value.get<std::uint64_t>();
  if (negative || number < least)
    refuse(ErrorCode::out_of_range, field, "must be at least " + std::to_string(least) + ", not " + value.dump() + ".");
  if (number > largest_dimension)
    refuse(ErrorCode::overflow, field, "is beyond 9,223,372,036,854,775,807, the largest dimension a tensor can have.");
  return number;
}

}  // namespace

std::string integer_text(Count value) {
  // Beyond this an integer is not exact as a JavaScript number.
  constexpr Count largest_exact_double = Count{1} << 53U;
  return value > largest_exact_double ? '"' + digits(value) + '"' : digits(value);
}

void refuse(ErrorCode code, std::string_view field, std::string_view message) {
  throw Error{code, std::string(field), std::string(field) + " " + std::string(message)};
}

void require_multiple(std::string_view field, Expr dividend, Expr divisor) {
  if (divisor.value() != 0 && dividend.value() % divisor.value() == 0) return;
  const auto shown = [](Expr e) { return write(e) + " (" + grouped_digits(e.value()) + ")"; };
  throw Error{ErrorCode::not_divisible, std::string(field), shown(dividend) + " must be a multiple of " + shown(divisor) + "."};
}

void require_equal(std::string_view field, Expr a, Expr b) {
  if (a.value() == b.value()) return;
  throw Error{ErrorCode::inconsistent, std::string(field),
              write(a) + " (" + grouped_digits(a.value()) + ") must equal " + write(b) + " (" + grouped_digits(b.value()) + ")."};
}

void require_length(std::string_view list, std::size_t length, Expr n_layers) {
  if (length == n_layers.value()) return;
  refuse(ErrorCode::inconsistent, list,
         "must have an entry for each of the " + digits(n_layers.value()) + " layers (" + n_layers.name().name + "), not " +
             std::to_string(length) + ".");
}

void require_positive(Expr e) {
  if (e.value() != 0) return;
  const std::string text = write(e);
  throw Error{ErrorCode::out_of_range, e.op() == Op::name ? text : "", text + " must be at least 1."};
}

void require_listable(Expr n_layers) {
  constexpr Count most_layers = 100'000;
  if (n_layers.value() > most_layers)
    refuse(ErrorCode::too_large, n_layers.name().name, "must be at most 100,000 where layers are of several kinds.");
}

Config::Config(Pool& pool, const Json& root, std::span<const Alias> aliases) : pool_(pool), root_(root), aliases_(aliases) {}

Config::Given Config::find(std::string_view name) const {
  const auto own = root_.find(name);
  for (const Alias& a : aliases_) {
    if (a.field != name) continue;
    const auto it = root_.find(a.alias);
    if (it == root_.end()) continue;
    const bool later = own != root_.end() && std::distance(own, root_.end()) < std::distance(it, root_.end());
    if (a.declared || !later) return {a.alias, &*it};
  }
  return own != root_.end() ? Given{name, &*own} : Given{name, nullptr};
}

Config::Given Config::read(std::string_view name) {
  const Given given = find(name);
  read_.push_back(given.key);
  return given;
}

bool Config::has(std::string_view name) const { return find(name).value != nullptr; }

bool Config::holds_integer(std::string_view name) const {
  const Given given = find(name);
  return given.value != nullptr && given.value->is_number_integer();
}

bool Config::positive(std::string_view name) const {
  const Given given = find(name);
  return given.value != nullptr && given.value->is_number_integer() && *given.value > 0;
}

bool Config::holds_boolean(std::string_view name, bool value) const {
  const Given given = find(name);
  return given.value != nullptr && given.value->is_boolean() && given.value->get<bool>() == value;
}

bool Config::holds_string(std::string_view name) const {
  const Given given = find(name);
  return given.value != nullptr && given.value->is_string();
}

bool Config::holds_list(std::string_view name) const {
  const Given given = find(name);
  return given.value != nullptr && given.value->is_array();
}

Field& Config::record(Field field) {
  const auto known = std::find_if(fields_.begin(), fields_.end(), [&](const Field& f) { return f.name == field.name; });
  return known != fields_.end() ? *known : fields_.emplace_back(std::move(field));
}

Expr Config::name_of(std::string_view field, Count value, Expr definition) {
  const Dimension& d = dimension(field);
  return pool_.named(
      {std::string(field), std::string(d.symbol.empty() ? field : d.symbol), d.meaning, true, dimension_order(field), definition}, value);
}

Expr Config::number(std::string_view name, const Given& given, std::uint64_t least, Field field) {
  const Count value = checked_integer(name, *given.value, least);
  field.source = Source::given;
  field.value = integer_text(value);
  if (given.key != name) field.given_as = given.key;
  record(std::move(field));
  return name_of(name, value, {});
}

Expr Config::required_integer(std::string_view name, std::uint64_t example) {
  const Given given = find(name);
  if (given.value == nullptr || given.value->is_null())
    refuse(ErrorCode::missing_field, name,
           "must be given for this model type, which has no default for it, e.g. " + std::to_string(example) + ".");
  return number(name, read(name), 0, {std::string(name), FieldType::integer, Source::given, ""});
}

Expr Config::integer(std::string_view name, std::uint64_t fallback, std::uint64_t least) {
  if (const Expr known = pool_.find(name)) return known;
  const Given given = read(name);
  Field field{std::string(name), FieldType::integer, Source::fallback, integer_text(fallback), integer_text(fallback)};
  if (given.value != nullptr) return number(name, given, least, std::move(field));
  record(std::move(field));
  return name_of(name, fallback, {});
}

Expr Config::derived_number(std::string_view name, Expr derived, Null null, std::uint64_t least) {
  if (const Expr known = pool_.find(name)) return known;
  const Given given = read(name);
  Field field{std::string(name), FieldType::integer, Source::derived, integer_text(derived.value())};
  field.nullable = null == Null::allowed;
  if (given.value != nullptr && !(field.nullable && given.value->is_null())) return number(name, given, least, std::move(field));
  if (derived.value() < least)
    refuse(ErrorCode::out_of_range, name,
           "must be at least " + std::to_string(least) + ", but follows as " + digits(derived.value()) + " from the other fields.");
  field.derivation = derived;
  record(std::move(field));
  return name_of(name, derived.value(), derived);
}

Expr Config::integer(std::string_view name, Expr derived, std::uint64_t least) {
  return derived_number(name, derived, Null::allowed, least);
}
Expr Config::attribute(std::string_view name, Expr derived, std::uint64_t least) {
  return derived_number(name, derived, Null::refused, least);
}

Expr Config::integer(std::string_view name, std::uint64_t fallback, Expr where_null) {
  const Given given = find(name);
  return given.value != nullptr && given.value->is_null() ? integer(name, where_null) : integer(name, fallback);
}

Expr Config::declared(std::string_view name, Expr value, std::uint64_t fallback) {
  if (find(name).key == name) return value;
  const auto it = root_.find(name);
  return literal(it == root_.end() ? Count{fallback} : checked_integer(name, *it, 0));
}

std::vector<std::string> Config::declared_words(std::string_view name, std::vector<std::string> value, std::vector<std::string> fallback) {
  if (find(name).key == name) return value;
  const auto it = root_.find(name);
  if (it == root_.end() || it->is_null()) return fallback;
  if (!it->is_array() || !std::all_of(it->begin(), it->end(), [](const Json& item) { return item.is_string(); }))
    wrong_type(name, "a list of strings", *it);
  return it->get<std::vector<std::string>>();
}

Expr Config::automatic(std::string_view name, Expr derived) {
  const Given given = find(name);
  if (given.value == nullptr || !given.value->is_string()) return attribute(name, derived);
  if (*given.value != "auto") wrong_type(name, "an integer or \"auto\"", *given.value);
  read(name);
  Field field{std::string(name), FieldType::integer, Source::derived, integer_text(derived.value())};
  field.derivation = derived;
  record(std::move(field));
  return name_of(name, derived.value(), derived);
}

std::optional<Expr> Config::optional_integer(std::string_view name, std::optional<std::uint64_t> fallback, std::uint64_t least) {
  if (const Expr known = pool_.find(name)) return known;
  const Given given = read(name);
  const std::string fallback_text = fallback ? integer_text(*fallback) : "null";
  Field field{std::string(name), FieldType::integer, Source::fallback, fallback_text, fallback_text};
  field.nullable = true;
  if (given.value != nullptr && !given.value->is_null()) return number(name, given, least, std::move(field));
  const bool absent = given.value != nullptr || !fallback;
  if (given.value != nullptr) {
    field.source = Source::given;
    field.value = "null";
    if (given.key != name) field.given_as = given.key;
  }
  record(std::move(field));
  if (absent) return std::nullopt;
  return name_of(name, *fallback, {});
}

bool Config::flag(std::string_view name, bool fallback, Null null) {
  const Given given = read(name);
  const std::string_view fallback_text = fallback ? "true" : "false";
  Field field{std::string(name), FieldType::boolean, Source::fallback, std::string(fallback_text), std::string(fallback_text)};
  field.nullable = null == Null::allowed;
  if (given.value == nullptr) {
    record(std::move(field));
    return fallback;
  }
  if (!given.value->is_boolean() && !(field.nullable && given.value->is_null())) wrong_type(name, "true or false", *given.value);
  field.source = Source::given;
  field.value = json_text(*given.value);
  if (given.key != name) field.given_as = given.key;
  record(std::move(field));
  return given.value->is_boolean() && given.value->get<bool>();
}

bool Config::derived_flag(std::string_view name, bool derived) {
  if (has(name)) return flag(name, derived);
  record({std::string(name), FieldType::boolean, Source::derived, derived ? "true" : "false"});
  return derived;
}

std::string Config::text(std::string_view name, std::string_view fallback, std::initializer_list<std::string_view> choices) {
  const Given given = read(name);
  Field field{std::string(name), FieldType::string, Source::fallback, json_string(fallback), json_string(fallback), false, choices};
  if (given.value == nullptr) {
    record(std::move(field));
    return std::string(fallback);
  }
  if (!given.value->is_string()) wrong_type(name, "a string", *given.value);
  auto word = given.value->get<std::string>();
  if (!field.choices.empty() && std::find(field.choices.begin(), field.choices.end(), word) == field.choices.end())
    refuse(ErrorCode::out_of_range, name, "must be one of " + list_text(field.choices) + ", not " + described(*given.value) + ".");
  field.source = Source::given;
  field.value = json_text(*given.value);
  record(std::move(field));
  return word;
}

std::optional<std::string> Config::optional_text(std::string_view name) {
  const Given given = read(name);
  Field field{std::string(name), FieldType::string, Source::fallback, "null", "null", true};
  std::optional<std::string> word;
  if (given.value != nullptr) {
    if (given.value->is_string())
      word = given.value->get<std::string>();
    else if (!given.value->is_null())
      wrong_type(name, "a string or null", *given.value);
    field.source = Source::given;
    field.value = json_text(*given.value);
  }
  record(std::move(field));
  return word;
}

std::optional<std::vector<std::string>> Config::words(std::string_view name, std::initializer_list<std::string_view> choices) {
  const Given given = read(name);
  Field field{std::string(name), FieldType::list, Source::derived, "", "", true, choices};
  if (given.value == nullptr || given.value->is_null()) {
    record(std::move(field));
    return std::nullopt;
  }
  if (!given.value->is_array()) wrong_type(name, "a list of strings", *given.value);
  std::vector<std::string> out;
  for (const Json& item : *given.value) {
    if (!item.is_string()) wrong_type(name, "a list of strings", *given.value);
    auto word = item.get<std::string>();
    if (!field.choices.empty() && std::find(field.choices.begin(), field.choices.end(), word) == field.choices.end())
      refuse(ErrorCode::out_of_range, name, "must hold only " + list_text(field.choices) + ", not " + described(item) + ".");
    out.push_back(std::move(word));
  }
  field.source = Source::given;
  field.value = json_text(*given.value);
  if (given.key != name) field.given_as = given.key;
  record(std::move(field));
  return out;
}

std::vector<std::string> Config::words(std::string_view name, std::initializer_list<std::string_view> choices,
                                       std::vector<std::string> fallback) {
  std::optional<std::vector<std::string>> given = words(name, choices);
  Field& field = *std::find_if(fields_.begin(), fields_.end(), [&](const Field& f) { return f.name == name; });
  field.fallback = list_text(fallback);
  if (given) return *given;
  field.source = Source::fallback;
  field.value = field.fallback;
  return fallback;
}

std::optional<std::vector<std::int64_t>> Config::integers(std::string_view name) {
  const Given given = read(name);
  Field field{std::string(name), FieldType::list, Source::derived, "", "", true};
  if (given.value == nullptr || given.value->is_null()) {
    record(std::move(field));
    return std::nullopt;
  }
  if (!given.value->is_array()) wrong_type(name, "a list of integers", *given.value);
  std::vector<std::int64_t> out;
  for (const Json& item : *given.value) {
    if (!item.is_number_integer()) wrong_type(name, "a list of integers", *given.value);
    if (item.is_number_unsigned() && item.get<std::uint64_t>() > largest_dimension)
      refuse(ErrorCode::overflow, name, "holds an integer beyond 9,223,372,036,854,775,807.");
    out.push_back(item.get<std::int64_t>());
  }
  field.source = Source::given;
  field.value = json_text(*given.value);
  if (given.key != name) field.given_as = given.key;
  record(std::move(field));
  return out;
}

std::optional<std::uint64_t> Config::entries(std::string_view name) {
  const Given given = find(name);
  if (given.value == nullptr || given.value->is_null()) return std::nullopt;
  if (!given.value->is_object()) wrong_type(name, "an object of labels", *given.value);
  ignore(name, "Only the number of its entries counts: it is the default of num_labels.");
  return given.value->size();
}

Expr Config::count(std::string_view name, std::string_view symbol, std::string_view meaning, Count value, Expr definition) {
  if (const Expr known = pool_.find(name)) return known;
  return pool_.named({std::string(name), std::string(symbol), meaning, false, dimension_order(""), definition}, value);
}

void Config::ignore(std::string_view name, std::string reason) { reasons_.push_back({std::string(name), std::move(reason)}); }

namespace {

/// Objects of more leaves than this are one row: a label table is not read line by line.
constexpr std::size_t most_leaves = 32;

std::size_t leaves(const Json& value) {
  if (!value.is_object()) return 1;
  std::size_t sum = 0;
  for (const auto& item : value.items()) sum += leaves(item.value());
  return sum;
}

void append_leaves(std::vector<IgnoredField>& out, const std::string& name, const Json& value, std::string_view reason) {
  if (value.is_object() && !value.empty() && leaves(value) <= most_leaves) {
    for (const auto& item : value.items()) append_leaves(out, name + "." + item.key(), item.value(), reason);
    return;
  }
  constexpr std::size_t longest = 2000;
  std::string text = json_text(value);
  if (text.size() > longest)
    text = json_string(std::string(value.is_object()  ? "an object of "
                                   : value.is_array() ? "a list of "
                                                      : "a string of ") +
                       std::to_string(value.is_string() ? text.size() - 2 : value.size()) + (value.is_string() ? " bytes" : " entries"));
  out.push_back({name, std::move(text), std::string(reason)});
}

}  // namespace

std::vector<IgnoredField> Config::ignored() const {
  std::vector<IgnoredField> out;
  for (const auto& item : root_.items()) {
    const std::string& key = item.key();
    if (std::find(read_.begin(), read_.end(), key) != read_.end()) continue;
    std::string reason = "Does not change any tensor of this model.";
    for (const Alias& a : aliases_) {
      if (key != a.field && key != a.alias) continue;
      const std::string_view other = find(a.field).key;
      if (other != key && root_.contains(other)) reason = "Overridden by " + std::string(other) + ", another spelling of it.";
    }
    for (const Reason& r : reasons_)
      if (r.name == key) reason = r.text;
    append_leaves(out, key, item.value(), reason);
  }
  return out;
}

}  // namespace param_ledger
