// ConfigReader's numeric reads: integers, numbers with fractions, lists of integers or dimensions, and derived values.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/config/config.hpp"
#include "core/config/constraints.hpp"
#include "core/config/dimensions.hpp"
#include "core/expr/walk.hpp"
#include "core/json/json_writer.hpp"
#include "core/json/value_text.hpp"

namespace param_ledger {

namespace {

/// The largest size that torch allows for a dimension.
constexpr Count largest_dimension = std::numeric_limits<std::int64_t>::max();

constexpr Text beyond_a_dimension = "is beyond 9,223,372,036,854,775,807, the largest dimension a tensor can have.";

}  // namespace

Expr ConfigReader::name_of(Field& field, Count value, Expr definition) {
  const Dimension& d = dimension(field.name);
  field.dimension = &d;
  const std::string given_at = pool().observer() != nullptr ? full_name(field.given_as.value_or(field.name)) : std::string();
  return pool().named(
      {full_name(field.name), symbol_of(d.symbol.empty() ? field.name : d.symbol), d.meaning, true, dimension_order(d), definition}, value,
      given_at);
}

namespace {

/// The symbol with one more subscript: d_v, n_kv,v.
std::string subscripted(std::string_view symbol, std::string_view subscript) {
  return concat({symbol, symbol.find('_') == std::string_view::npos ? "_" : ",", subscript});
}

}  // namespace

/// The symbol with the section's subscript, and with a number if another name already has this symbol: d_v, n_kv,v, d_2.
std::string ConfigReader::symbol_of(std::string_view base) {
  std::string symbol = suffix.empty() ? std::string(base) : subscripted(base, suffix);
  std::vector<std::string>& taken = all_->symbols;
  std::string unique = symbol;
  const auto is_taken = [&] {
    return all_->symbol_index.intern(unique, taken.size(), [&](std::size_t i) -> std::string_view { return taken[i]; }) < taken.size();
  };
  for (Count i = 2; is_taken(); ++i) unique = subscripted(symbol, digits(i));
  return taken.emplace_back(std::move(unique));
}

/// Reads the integer that the configuration gives for the field. Throws if the value is not an integer, below `least` or beyond 63 bits.
Expr ConfigReader::read_integer(Field& field, std::uint64_t least, Refused below) {
  const Json value = field.given;
  if (value.is(Json::Type::number) && std::isfinite(value.number()) && std::abs(value.number()) >= 9.2e18 &&
      value.number() == std::floor(value.number()))
    refuse(ErrorCode::overflow, field.name, beyond_a_dimension);
  if (!value.is(Json::Type::integer)) wrong_type(field, "an integer", how_to_write(value));
  if (value.negative() || value.magnitude() < least)
    refuse(ErrorCode::out_of_range, field.name, concat({"must be at least ", digits(least), ", not ", dump(value), "."}),
           value.negative() ? Refused::no : below);
  if (value.magnitude() > largest_dimension) refuse(ErrorCode::overflow, field.name, beyond_a_dimension);
  return field.number = name_of(field, value.magnitude(), {});
}

void ConfigReader::require_own_names(Text name, Expr derived) {
  const auto renamed = [&](const Name& n) {
    return std::any_of(all_->fields.begin(), all_->fields.end(),
                       [&](const Field& f) { return !f.given_as.empty() && f.number && &f.number.name() == &n; });
  };
  if (walk(derived, [&](Expr e) { return e.op() == Op::name && renamed(e.name()); }))
    refuse(ErrorCode::missing_field, name,
           concat({"must be given: transformers would derive it before it reads the alias of ", field_of(derived), "."}),
           Refused::early_alias);
}

Expr ConfigReader::derive(Field& field, Expr derived) {
  field.source = Source::derived;
  field.given = {};
  field.value = integer_text(derived.peek());
  field.derivation = derived;
  return field.number = name_of(field, derived.peek(), derived);
}

bool ConfigReader::is_left_out(const Field& field, const Default& rule) const {
  const Json given = field.given;
  if (!given) return true;
  if (given.is_null()) return field.nullable || rule.missing == Default::Missing::refused;
  switch (rule.sentinel) {
    case Default::Sentinel::minus_one: return given.is(Json::Type::integer) && given.negative() && given.magnitude() == 1;
    case Default::Sentinel::word_auto:
      if (given.is(Json::Type::string) && given.string() != "auto") wrong_type(field, "an integer or \"auto\"");
      return given.is(Json::Type::string);
    default: return false;
  }
}

Expr ConfigReader::integer(Literal name, const Default& rule, std::uint64_t least, Refused below) {
  using Missing = Default::Missing;
  if (rule.missing == Missing::absent) return {};
  const Json given = held(name);
  // If a field with a numeric default may be null, null gives the derived value.
  const bool null_derives = given.is_null() && rule.null == Null::allowed && rule.missing == Missing::number;
  const Missing missing = null_derives ? Missing::derived : rule.missing;
  const bool derives = missing == Missing::derived;
  if (derives && (!given || given.is_null()) && rule.null == Null::allowed && !rule.late) require_own_names(name, rule.derived);
  const auto [field, again] = open(name, FieldType::integer, derives ? rule.null : Null::refused,
                                   missing == Missing::number ? integer_text(rule.number) : std::string());
  const auto unless_zero_derives = [&](Expr value) {
    if (rule.sentinel != Default::Sentinel::zero || !is_zero(value)) return value;
    if (!rule.late) require_own_names(name, rule.derived);
    return rule.derived;
  };
  if (again) return unless_zero_derives(field.number);
  if (!is_left_out(field, rule)) return unless_zero_derives(read_integer(field, least, below));
  switch (missing) {
    case Missing::absent: return {};
    case Missing::refused:
      refuse(ErrorCode::missing_field, name,
             concat({"must be given for this model type, which has no default for it, e.g. ", digits(rule.number), "."}));
    case Missing::number: field.value = field.fallback; return unless_zero_derives(field.number = name_of(field, rule.number, {}));
    case Missing::derived: break;
  }
  if (least > 0 && !meets(Relation::less, rule.derived, literal(least), false))
    refuse(ErrorCode::out_of_range, name,
           concat({"must be at least ", digits(least), ", but the value derived from other fields is ", digits(rule.derived.peek()), "."}));
  return derive(field, rule.derived);
}

Expr ConfigReader::integer(Literal name, std::uint64_t fallback) { return integer(name, Default(fallback)); }
Expr ConfigReader::integer(Literal name, Expr derived) { return integer(name, Default(derived)); }

std::optional<Expr> ConfigReader::optional_integer(Literal name, std::optional<std::uint64_t> fallback, std::uint64_t least) {
  const auto [field, again] = open(name, FieldType::integer, Null::allowed, fallback ? integer_text(*fallback) : "null");
  if (!again) {
    if (field.given && !field.given.is_null()) return read_integer(field, least);
    field.value = field.given ? "null" : field.fallback;
    if (!field.given && fallback) field.number = name_of(field, *fallback, {});
  }
  return field.number ? std::optional(field.number) : std::nullopt;
}

double ConfigReader::number(Literal name, double fallback) {
  const auto [field, again] = open(name, FieldType::number, Null::refused, number_text(fallback));
  if (!field.given) {
    field.value = field.fallback;
    return fallback;
  }
  if (!field.given.is(Json::Type::number) && !field.given.is(Json::Type::integer)) wrong_type(field, "a number");
  on_read(name);
  return field.given.number();
}

Expr ConfigReader::scaled(Literal factor, double fallback, Expr base, Text product, Text symbol) {
  const double value = number(factor, fallback);
  constexpr double most = 1e15;  // well below 2^53, where doubles stop representing every integer
  const double scaled = static_cast<double>(base.peek()) * value;
  const bool whole = value == std::floor(value);
  if (!whole || !(scaled <= most)) static_cast<void>(base.decide());  // rounding has no formula, so the result holds for this base only
  if (!(value >= 0) || !(scaled <= most)) refuse(ErrorCode::out_of_range, factor, "must be a number of at least 0, e.g. 4.0.");
  const Count truncated = static_cast<std::uint64_t>(scaled);
  // With a whole factor, the product is an ordinary expression. A fraction cannot occur in an exact formula.
  if (whole) return pool().literal(static_cast<std::uint64_t>(value)) * base;
  return count(product, symbol, "A width computed from a factor: the product, rounded down.", truncated);
}

std::optional<std::vector<std::int64_t>> ConfigReader::integers(Literal name) {
  const auto [field, again] = open(name, FieldType::list, Null::allowed, "");
  if (!field.given || field.given.is_null()) {
    field.source = Source::derived;
    field.given = {};
    return std::nullopt;
  }
  if (!field.given.is(Json::Type::list)) wrong_type(field, "a list of integers");
  std::vector<std::int64_t> out;
  out.reserve(field.given.size());
  for (const auto& [_, item] : field.given.members()) {
    if (!item.is(Json::Type::integer)) wrong_type(field, "a list of integers");
    if (item.magnitude() > largest_dimension) refuse(ErrorCode::overflow, name, "contains an integer beyond 9,223,372,036,854,775,807.");
    const auto magnitude = static_cast<std::int64_t>(item.magnitude());
    out.push_back(item.negative() ? -magnitude : magnitude);
  }
  return out;
}

std::vector<std::int64_t> ConfigReader::integers(Literal name, std::vector<std::int64_t> fallback) {
  std::optional<std::vector<std::int64_t>> given = integers(name);
  Field& field = open(name, FieldType::list, Null::allowed, "").field;
  field.fallback = integers_text(fallback);
  if (given) return *std::move(given);
  field.source = Source::fallback;
  field.value = field.fallback;
  return fallback;
}

/// Returns one entry of a list field as a named value, such as hidden_sizes[0].
Expr ConfigReader::entry(const Field& field, std::size_t index, Count value) {
  const std::string which = digits(index);
  std::string full = concat({full_name(field.name), "[", which, "]"});
  if (const Expr known = pool().find(full)) return known;
  const Dimension& d = dimension(field.name);
  const std::string symbol = symbol_of(subscripted(d.symbol.empty() ? field.name : d.symbol, which));
  return pool().named({std::move(full), symbol, d.meaning, false, dimension_order(d), {}}, value);
}

std::vector<Expr> ConfigReader::given_dimensions(const Field& field) {
  if (!field.given.is(Json::Type::list)) wrong_type(field, "a list of integers");
  std::vector<Expr> out;
  for (const auto& [_, item] : field.given.members()) {
    if (!item.is(Json::Type::integer)) wrong_type(field, "a list of integers");
    if (item.negative()) refuse(ErrorCode::out_of_range, field.name, "must contain integers of at least 0.");
    if (item.magnitude() > largest_dimension) refuse(ErrorCode::overflow, field.name, beyond_a_dimension);
    out.push_back(entry(field, out.size(), item.magnitude()));
  }
  return out;
}

std::vector<Expr> ConfigReader::dimensions(Literal name, std::initializer_list<std::uint64_t> fallback) {
  const auto [field, again] =
      open(name, FieldType::list, Null::refused, integers_text(std::vector<std::int64_t>(fallback.begin(), fallback.end())));
  if (field.given) return given_dimensions(field);
  field.value = field.fallback;
  std::vector<Expr> out;
  for (const std::uint64_t number : fallback) out.push_back(entry(field, out.size(), number));
  return out;
}

Sides ConfigReader::sides(Literal name, std::uint64_t fallback) {
  if (!peek(name).is(Json::Type::list)) {
    const Expr side = integer(name, fallback);
    return {side, side};
  }
  const Field& field = open(name, FieldType::list, Null::refused, integer_text(fallback)).field;
  const std::vector<Expr> two = given_dimensions(field);
  if (two.size() != 2) wrong_type(field, "an integer or a list of two");
  return {two[0], two[1]};
}

Expr ConfigReader::count(Text name, Text symbol, Literal meaning, Count value, Expr definition) {
  std::string full = full_name(name);
  if (const Expr known = pool().find(full)) return known;
  return pool().named({std::move(full), symbol_of(symbol), meaning, false, dimension_order(dimension("")), definition}, value);
}

}  // namespace param_ledger
