#include "core/config.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/dimensions.hpp"
#include "core/formula.hpp"
#include "core/text.hpp"
#include "core/witness.hpp"

namespace param_ledger {

namespace {

/// What torch takes for a dimension.
constexpr Count largest_dimension = std::numeric_limits<std::int64_t>::max();

std::string quoted(std::string_view word) { return concat({"\"", word, "\""}); }

template <class Items, class Text>
std::string list_text(const Items& items, Text&& text) {
  std::string out = "[";
  for (const auto& item : items) {
    if (out.size() > 1) out += ',';
    out += text(item);
  }
  return out += ']';
}

std::string words_text(std::span<const std::string_view> words) { return list_text(words, quoted); }

/// The value and its type for an error message.
std::string described(Json value) {
  constexpr std::size_t longest = 60;
  std::string text = dump(value, longest);
  if (text.size() > longest) text = concat({clipped(text, longest), "…"});
  if (value.is(Json::Type::string)) return text + " (a string)";
  if (value.is(Json::Type::list)) return text + " (a list)";
  if (value.is(Json::Type::object)) return text + " (an object)";
  return text;
}

/// ": write 4096" for what was meant as an integer: 4096.0, 4.096e3, "4096".
std::string how_to_write(Json value) {
  constexpr double largest = 1e15;
  if (value.is(Json::Type::number)) {
    const double number = value.number();
    if (number >= 0 && number <= largest && number == std::floor(number))
      return concat({": write ", digits(static_cast<std::uint64_t>(number))});
  } else if (value.is(Json::Type::string)) {
    const std::string_view text = value.string();
    constexpr std::size_t most_digits = 18;
    if (!text.empty() && text.size() <= most_digits && text.find_first_not_of("0123456789") == std::string::npos)
      return concat({": write ", text, " without quotes"});
  }
  return "";
}

constexpr Text beyond_a_dimension = "is beyond 9,223,372,036,854,775,807, the largest dimension a tensor can have.";

/// The field to look at for an expression: the first that it names.
Text field_of(Expr e) {
  if (e.op() == Op::name) return e.name().name;
  if (e.op() == Op::literal) return {};
  const Text left = field_of(e.left());
  return left.empty() ? field_of(e.right()) : left;
}

std::string name_and_value(Expr e) { return concat({write(e), " (", grouped_digits(e.result()), ")"}); }

/// True where a formula contains a name that satisfies `is`.
template <class Predicate>
bool contains(Expr e, const Predicate& is) {
  if (e.op() == Op::name) return is(e.name());
  return e.op() != Op::literal && (contains(e.left(), is) || contains(e.right(), is));
}

/// What a section's symbols end in, so that the width of a tower is not called like that of the text model.
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

void refuse_learned(Config c, Text field, std::string_view activation) {
  if (is_learned_activation(activation))
    c.refuse(ErrorCode::unsupported, field, "names an activation with parameters of its own, which are not counted for this model type.",
             Refused::learned_activation);
}

bool is_learned_activation(std::string_view name) { return name == "prelu" || name == "xielu"; }

void put_integer(Buffer& out, Count value) {
  // Beyond this an integer is not exact as a JavaScript number.
  constexpr Count largest_exact_double = Count{1} << 53U;
  if (value > largest_exact_double) out.put('"');
  out.put_digits(value);
  if (value > largest_exact_double) out.put('"');
}

std::string integer_text(Count value) {
  Buffer out;
  put_integer(out, value);
  return out.take();
}

void require_multiple(Expr dividend, Expr divisor) {
  dividend.node()->pool->demand_multiple(dividend, divisor);
  if (meets(Relation::multiple, dividend, divisor)) return;
  throw Error{ErrorCode::not_divisible, std::string(field_of(dividend)),
              concat({name_and_value(dividend), " must be a multiple of ", name_and_value(divisor), "."})};
}

void require_equal(Expr a, Expr b) {
  if (meets(Relation::equal, a, b)) return;
  throw Error{ErrorCode::inconsistent, std::string(field_of(a)), concat({name_and_value(a), " must equal ", name_and_value(b), "."})};
}

void require_positive(Expr e, Refused kind) {
  if (e.node()->varies == 0 ? e.result() != 0 : meets(Relation::equal, e, e.node()->pool->literal(0), false)) return;
  throw Error{.code = ErrorCode::out_of_range,
              .field = std::string(field_of(e)),
              .message = concat({write(e), " must be at least 1."}),
              .kind = kind};
}

void require_listable(Expr n_layers) {
  constexpr Count most_layers = 10'000;
  if (n_layers.result() <= most_layers) return;
  static_cast<void>(n_layers.value());  // it is decided by
  const Text field = field_of(n_layers);
  throw Error{.code = ErrorCode::too_large,
              .field = std::string(field),
              .message = concat({field, " must be at most 10,000 where layers are of several kinds."}),
              .kind = Refused::listed_layers};
}

// --- The configuration -----------------------------------------------------------------------------------------------

Configuration::Configuration(Pool& names, Json root) : pool(names) { sections.emplace_back(*this, std::uint16_t{0}, "", "", root); }

std::string Configuration::full_name(std::uint16_t section, Text field) const { return concat({sections[section].path, field}); }

namespace {

/// Objects of more leaves than this are one row: a label table is not read line by line.
constexpr std::size_t most_leaves = 32;

/// Values in an object and in those in it, counted as far as it matters.
std::size_t leaves(Json value) {
  if (!value.is(Json::Type::object) || value.size() == 0) return 1;
  if (value.size() > most_leaves) return value.size();
  std::size_t sum = 0;
  for (const auto& [_, inner] : value.members()) sum += leaves(inner);
  return sum;
}

/// Calls `visit` with a value and its name, an object's by what is in it. `name` grows and shrinks on the way.
template <class Visit>
void each_leaf(std::string& name, Json value, const Visit& visit) {
  if (!value.is(Json::Type::object) || value.size() == 0 || leaves(value) > most_leaves) return visit(name, value);
  const std::size_t length = name.size();
  for (const auto& [key, inner] : value.members()) {
    name.append(".").append(key);
    each_leaf(name, inner, visit);
    name.resize(length);
  }
}

/// Calls `visit` with what was given in a section and never read, each value under its name.
template <class Visit>
void each_unread(const Section& section, const Visit& visit) {
  std::vector<std::string_view>& consumed = section.consumed;
  const auto before = [](std::string_view a, std::string_view b) { return compare_keys(a, b) < 0; };
  std::sort(consumed.begin(), consumed.end(), before);
  std::string name;
  for (const Json::Member& member : section.json.members()) {
    if (std::binary_search(consumed.begin(), consumed.end(), member.key, before)) continue;
    name.assign(section.path).append(member.key);
    each_leaf(name, member.value, [&](const std::string& leaf, Json inner) { visit(member.key, leaf, inner); });
  }
}

}  // namespace

std::vector<IgnoredField> Configuration::ignored(std::size_t most, std::size_t& left_out) const {
  std::vector<IgnoredField> out;
  left_out = 0;
  for (std::size_t i = 0; i < sections.size(); ++i)
    each_unread(sections[i], [&](std::string_view key, const std::string& name, Json value) {
      if (out.size() == most) {
        ++left_out;
        return;
      }
      Text reason;
      for (const Reason& r : reasons)
        if (r.section == i && r.field == key) reason = r.text;
      out.push_back({name, value, reason});
    });
  return out;
}

void Configuration::refuse_learned_activations() const {
  for (const Section& section : sections)
    each_unread(section, [](std::string_view, const std::string& name, Json value) {
      if (value.is(Json::Type::string) && is_learned_activation(value.string()))
        throw Error{
            .code = ErrorCode::unsupported,
            .field = name,
            .message = concat({name, " names an activation with parameters of its own, which are not counted for this model type."}),
            .kind = Refused::learned_activation};
    });
}

// --- Reading ---------------------------------------------------------------------------------------------------------

Config Section::section(Text name) const {
  std::string inner = concat({path, name, "."});
  for (const Section& known : all_->sections)
    if (known.path == inner) return known;
  Json object = json[name];
  consume(name);
  if (object && !object.is_null() && !object.is(Json::Type::object))
    refuse(ErrorCode::wrong_type, name, concat({"must be an object, not ", described(object), "."}));
  if (!object.is(Json::Type::object)) object = {};
  const auto number = static_cast<std::uint16_t>(all_->sections.size());
  return all_->sections.emplace_back(*all_, number, std::move(inner), symbol_suffix(name), object);
}

Config Section::with(std::span<const Alias> its_aliases) const {
  aliases = its_aliases;
  return *this;
}

Json Section::peek(Text name) const {
  const Json out = held(name);
  if (out.is(Json::Type::integer)) looked_at(name);
  return out;
}

void Section::looked_at(Text name) const {
  Witness* const witness = pool().witness();
  if (witness == nullptr) return;
  witness->looked_at(full_name(name));
  for (const Alias& a : aliases)
    if (a.field == name) witness->looked_at(full_name(a.alias));
}

Json Section::held(Text name) const {
  if (const Json own = json[name]) return own;
  for (const Alias& a : aliases)
    if (a.field == name)
      if (const Json other = json[a.alias]) return other;
  return {};
}

void Section::consume(Text name) const { consumed.push_back(name); }

void Section::ignore(Text name, Text reason) const { all_->reasons.push_back({section_, name, reason}); }

void Section::refuse(ErrorCode code, Text field, Text message, Refused kind) const {
  looked_at(field);
  Text written = field;
  for (const Field& f : all_->fields)
    if (f.section == section_ && f.name == field && !f.given_as.empty()) written = f.given_as;
  std::string name = full_name(written);
  std::string text = concat({name, " ", message});
  throw Error{.code = code, .field = std::move(name), .message = std::move(text), .kind = kind};
}

void Section::require_length(Text list, std::size_t length, Expr n_layers) const {
  if (n_layers.node()->varies == 0 ? length == n_layers.result() : meets(Relation::equal, n_layers, literal(length))) return;
  refuse(ErrorCode::inconsistent, list,
         concat({"must have an entry for each of the ", digits(n_layers.result()), " layers (", write(n_layers), "), not ", digits(length),
                 "."}),
         Refused::list_length);
}

void Section::require_length_of(Text list, Expr n_layers) const {
  const Json given = held(list);
  if (given.is(Json::Type::list)) require_length(list, given.size(), n_layers);
}

void Section::wrong_type(const Field& field, Text wanted, Text advice) const {
  refuse(ErrorCode::wrong_type, field.name, concat({"must be ", wanted, ", not ", described(field.given), advice, "."}));
}

Section::Opened Section::open(Text name, FieldType type, Null null, Text fallback) const {
  for (Field& f : all_->fields) {
    if (f.section != section_ || f.name != name) continue;
    if (f.type != type || (!f.fallback.empty() && !fallback.empty() && f.fallback != fallback))
      throw Error{ErrorCode::internal, full_name(name), concat({full_name(name), " is read in two ways."})};
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
    if (field.given) looked_at(name);
    if (field.given && !(field.given == other))
      refuse(ErrorCode::inconsistent, name, concat({"and ", a.alias, " are one field, but differ: leave one of them out."}),
             Refused::two_spellings);
    // Set after all that is derived: nothing takes the place of a null.
    if (other.is_null() && !field.given) refuse(ErrorCode::wrong_type, a.alias, "must not be null: leave it out.");
    if (!field.given) field.given_as = a.alias;
    field.given = other;
  }
  if (field.given) field.source = Source::given;
  return {field, false};
}

Expr Section::name_of(const Field& field, Count value, Expr definition) const {
  const Dimension& d = dimension(field.name);
  const std::string given_at = pool().witness() != nullptr ? full_name(field.given_as.otherwise(field.name)) : std::string();
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

/// The symbol with the section's suffix, and with a number where another name has it already: d_v, n_kv,v, d_2.
std::string Section::symbol_of(std::string_view base) const {
  std::string symbol = suffix.empty() ? std::string(base) : subscripted(base, suffix);
  std::vector<std::string>& taken = all_->symbols;
  std::string unique = symbol;
  const auto is_taken = [&] {
    return all_->symbol_index.find_or_add(hash_of(unique), taken.size(), [&](std::size_t i) { return taken[i] == unique; }) < taken.size();
  };
  for (Count i = 2; is_taken(); ++i) unique = subscripted(symbol, digits(i));
  return taken.emplace_back(std::move(unique));
}

/// A given JSON integer ≥ `least`.
Expr Section::read_integer(Field& field, std::uint64_t least, Refused below) const {
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

void Section::require_own_names(Text name, Expr derived) const {
  const auto renamed = [&](const Name& n) {
    return std::any_of(all_->fields.begin(), all_->fields.end(), [&](const Field& f) {
      return !f.given_as.empty() && f.number && f.number.op() == Op::name && &f.number.name() == &n;
    });
  };
  if (contains(derived, renamed))
    refuse(ErrorCode::missing_field, name,
           concat({"must be given: transformers would derive it before it reads ", field_of(derived), " under another name."}),
           Refused::early_alias);
}

Expr Section::derive(Field& field, Expr derived) const {
  field.source = Source::derived;
  field.given = {};
  field.value = integer_text(derived.result());
  field.derivation = derived;
  return field.number = name_of(field, derived.result(), derived);
}

Expr Section::integer(Text name, const Default& rule, std::uint64_t least, Refused below) const {
  using Missing = Default::Missing;
  if (rule.missing == Missing::absent) return {};
  const Json said = held(name);
  const bool null = said.is_null(), nothing = !said || null;
  const bool word = rule.unsaid == Default::Unsaid::word_auto && said.is(Json::Type::string);
  const bool minus_one =
      rule.unsaid == Default::Unsaid::minus_one && said.is(Json::Type::integer) && said.negative() && said.magnitude() == 1;
  // A null of a field that has a number where missing is read as if it followed from others alone.
  const bool fixed = rule.missing == Missing::number && !(null && rule.null == Null::allowed);
  const bool follows = !fixed && rule.missing != Missing::refused;
  if (follows && nothing && rule.null == Null::allowed && !rule.late) require_own_names(name, rule.otherwise);
  const auto [field, again] =
      open(name, FieldType::integer, follows ? rule.null : Null::refused, fixed ? integer_text(rule.number) : std::string());
  const auto or_unless_zero = [&](Expr value) {
    if (rule.unsaid != Default::Unsaid::zero || !is_zero(value)) return value;
    if (!rule.late) require_own_names(name, rule.otherwise);
    return rule.otherwise;
  };
  if (again) return or_unless_zero(field.number);
  if (rule.missing == Missing::refused && nothing)
    refuse(ErrorCode::missing_field, name,
           concat({"must be given for this model type, which has no default for it, e.g. ", digits(rule.number), "."}));
  if (word && said.string() != "auto") wrong_type(field, "an integer or \"auto\"");
  if (field.given && !word && !minus_one && !(field.nullable && null)) return or_unless_zero(read_integer(field, least, below));
  if (fixed) {
    field.value = field.fallback;
    return or_unless_zero(field.number = name_of(field, rule.number, {}));
  }
  if (least > 0 && !meets(Relation::less, rule.otherwise, literal(least), false))
    refuse(ErrorCode::out_of_range, name,
           concat({"must be at least ", digits(least), ", but follows as ", digits(rule.otherwise.result()), " from the other fields."}));
  return derive(field, rule.otherwise);
}

// Not inlined: what nearly every call of a family leaves out is said once.
[[gnu::noinline]] Expr Section::integer(Text name, std::uint64_t fallback) const { return integer(name, Default(fallback)); }
[[gnu::noinline]] Expr Section::integer(Text name, Expr derived) const { return integer(name, Default(derived)); }

std::optional<Expr> Section::optional_integer(Text name, std::optional<std::uint64_t> fallback, std::uint64_t least) const {
  const auto [field, again] = open(name, FieldType::integer, Null::allowed, fallback ? integer_text(*fallback) : "null");
  if (!again) {
    if (field.given && !field.given.is_null()) return read_integer(field, least);
    field.value = field.given ? "null" : field.fallback;
    if (!field.given && fallback) field.number = name_of(field, *fallback, {});
  }
  return field.number ? std::optional(field.number) : std::nullopt;
}

namespace {

/// A double as the answer's JSON holds it, with as many digits as it takes: 4, 2.667, 1.3333333333333333.
std::string number_text(double value) {
  std::string out = digits(static_cast<Count>(value));
  double rest = value - std::floor(value);
  if (rest == 0) return out;
  out += '.';
  constexpr int most_digits = 6;
  for (int i = 0; i < most_digits && rest > 1e-9; ++i) {
    rest *= 10;
    const double digit = i + 1 == most_digits ? std::min(9.0, std::round(rest)) : std::floor(rest + 1e-9);
    out += static_cast<char>('0' + static_cast<int>(digit));
    rest -= digit;
  }
  return out;
}

}  // namespace

double Section::number(Text name, double fallback) const {
  const auto [field, again] = open(name, FieldType::number, Null::refused, number_text(fallback));
  if (!field.given) {
    field.value = field.fallback;
    return fallback;
  }
  if (!field.given.is(Json::Type::number) && !field.given.is(Json::Type::integer)) wrong_type(field, "a number");
  looked_at(name);
  return field.given.number();
}

Expr Section::scaled(Text factor, double fallback, Expr base, Text product, Text symbol) const {
  const double value = number(factor, fallback);
  constexpr double most = 1e15;  // beyond it a double is no exact integer
  const double scaled = static_cast<double>(base.result()) * value;
  const bool whole = value == std::floor(value);
  if (!whole || !(scaled <= most)) static_cast<void>(base.value());  // a double has no place in a formula: it holds for this base alone
  if (!(value >= 0) || !(scaled <= most)) refuse(ErrorCode::out_of_range, factor, "must be a number of at least 0, e.g. 4.0.");
  const Count truncated = static_cast<std::uint64_t>(scaled);
  // A whole factor is an expression like any other; a fraction has no place in exact formulas.
  if (whole) return pool().literal(static_cast<std::uint64_t>(value)) * base;
  return count(product, symbol, "A width that follows from a factor: the product, rounded down.", truncated);
}

// --- What is no number -----------------------------------------------------------------------------------------------

bool Section::read_flag(Field& field) const {
  if (!field.given.is(Json::Type::boolean) && !(field.nullable && field.given.is_null())) wrong_type(field, "true or false");
  return field.given.is(Json::Type::boolean) && field.given.boolean();
}

bool Section::flag(Text name, bool fallback, Null null) const {
  const auto [field, again] = open(name, FieldType::boolean, null, fallback ? "true" : "false");
  if (field.given) return read_flag(field);
  field.value = field.fallback;
  return fallback;
}

[[gnu::noinline]] bool Section::flag(Text name, bool fallback) const { return flag(name, fallback, Null::refused); }

bool Section::derived_flag(Text name, bool derived) const {
  const auto [field, again] = open(name, FieldType::boolean, Null::refused, "");
  if (field.given) return read_flag(field);
  field.source = Source::derived;
  field.value = derived ? "true" : "false";
  return derived;
}

std::string_view Section::text(Text name, Text fallback, std::span<const std::string_view> choices) const {
  const auto [field, again] = open(name, FieldType::string, Null::refused, quoted(fallback));
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

std::optional<std::string_view> Section::optional_text(Text name, std::optional<std::string_view> fallback) const {
  const auto [field, again] = open(name, FieldType::string, Null::allowed, fallback ? quoted(*fallback) : "null");
  if (!field.given) {
    field.value = field.fallback;
    return fallback;
  }
  if (field.given.is_null()) return std::nullopt;
  if (!field.given.is(Json::Type::string)) wrong_type(field, "a string or null");
  return field.given.string();
}

std::optional<std::vector<std::string_view>> Section::words(Text name, std::span<const std::string_view> choices) const {
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
      refuse(ErrorCode::out_of_range, name, concat({"must hold only ", words_text(choices), ", not ", described(item), "."}));
    out.push_back(word);
  }
  return out;
}

std::vector<std::string_view> Section::words(Text name, std::span<const std::string_view> choices,
                                             std::vector<std::string_view> fallback) const {
  std::optional<std::vector<std::string_view>> given = words(name, choices);
  Field& field = open(name, FieldType::list, Null::allowed, "").field;
  field.fallback = words_text(fallback);
  if (given) return *std::move(given);
  field.source = Source::fallback;
  field.value = field.fallback;
  return fallback;
}

std::optional<std::vector<std::int64_t>> Section::integers(Text name) const {
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
    if (item.magnitude() > largest_dimension) refuse(ErrorCode::overflow, name, "holds an integer beyond 9,223,372,036,854,775,807.");
    const auto magnitude = static_cast<std::int64_t>(item.magnitude());
    out.push_back(item.negative() ? -magnitude : magnitude);
  }
  return out;
}

std::vector<std::int64_t> Section::integers(Text name, std::vector<std::int64_t> fallback) const {
  std::optional<std::vector<std::int64_t>> given = integers(name);
  Field& field = open(name, FieldType::list, Null::allowed, "").field;
  field.fallback = list_text(fallback, [](std::int64_t i) {
    return i < 0 ? concat({"-", digits(static_cast<Count>(-i))}) : digits(static_cast<Count>(i));
  });
  if (given) return *std::move(given);
  field.source = Source::fallback;
  field.value = field.fallback;
  return fallback;
}

/// One number of a list, under a name of its own.
Expr Section::entry(const Field& field, std::size_t index, Count value) const {
  const std::string which = digits(index);
  std::string full = concat({full_name(field.name), "[", which, "]"});
  if (const Expr known = pool().find(full)) return known;
  const Dimension& d = dimension(field.name);
  const std::string symbol = symbol_of(subscripted(d.symbol.empty() ? field.name : d.symbol, which));
  return pool().named({std::move(full), symbol, d.meaning, false, dimension_order(d), {}}, value);
}

std::vector<Expr> Section::given_dimensions(const Field& field) const {
  if (!field.given.is(Json::Type::list)) wrong_type(field, "a list of integers");
  std::vector<Expr> out;
  for (const auto& [_, item] : field.given.members()) {
    if (!item.is(Json::Type::integer)) wrong_type(field, "a list of integers");
    if (item.negative()) refuse(ErrorCode::out_of_range, field.name, "must hold integers of at least 0.");
    if (item.magnitude() > largest_dimension) refuse(ErrorCode::overflow, field.name, beyond_a_dimension);
    out.push_back(entry(field, out.size(), item.magnitude()));
  }
  return out;
}

std::vector<Expr> Section::dimensions(Text name, std::initializer_list<std::uint64_t> fallback) const {
  const auto [field, again] =
      open(name, FieldType::list, Null::refused, list_text(fallback, [](std::uint64_t i) { return digits(Count{i}); }));
  if (field.given) return given_dimensions(field);
  field.value = field.fallback;
  std::vector<Expr> out;
  for (const std::uint64_t number : fallback) out.push_back(entry(field, out.size(), number));
  return out;
}

Sides Section::sides(Text name, std::uint64_t fallback) const {
  if (!peek(name).is(Json::Type::list)) {
    const Expr side = integer(name, fallback);
    return {side, side};
  }
  const Field& field = open(name, FieldType::list, Null::refused, integer_text(fallback)).field;
  const std::vector<Expr> two = given_dimensions(field);
  if (two.size() != 2) wrong_type(field, "an integer or a list of two");
  return {two[0], two[1]};
}

Expr Section::count(Text name, Text symbol, Text meaning, Count value, Expr definition) const {
  std::string full = full_name(name);
  if (const Expr known = pool().find(full)) return known;
  return pool().named({std::move(full), symbol_of(symbol), meaning, false, dimension_order(dimension("")), definition}, value);
}

bool is_given(Config c, Text name) {
  const Json json = c.peek(name);
  return json && !json.is_null();
}

}  // namespace param_ledger
