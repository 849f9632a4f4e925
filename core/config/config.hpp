#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/expr/expr.hpp"
#include "core/json/json.hpp"
#include "core/support/error.hpp"
#include "core/support/hash_index.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

/// Where a field's value comes from. Answers call `fallback` "default".
enum class Source : std::uint8_t { given, fallback, derived };

/// The type that a field is read as.
enum class FieldType : std::uint8_t { integer, number, boolean, string, list };

/// How a field treats `null`.
enum class Null : std::uint8_t {
  refused,  ///< an error: the model's code declares the field with a type that excludes None, or fails with None
  allowed,  ///< valid: depending on the field, it gives the default or derived value, false, or no value
};

/// The value of an integer field that is not given, as the model's code declares or derives it.
struct Default {
  enum class Missing : std::uint8_t {
    number,   ///< the default is `number`
    derived,  ///< a value derived from other fields
    refused,  ///< an error: the field must be given; `number` is an example
    absent,   ///< the model type has no such field: the value is always an empty Expr
  };
  /// A value that, if the configuration gives it, stands for the derived value.
  enum class Sentinel : std::uint8_t { none, zero, minus_one, word_auto };

  constexpr Default() = default;
  constexpr Default(std::uint64_t number) : missing(Missing::number), null(Null::refused), number(number) {}
  Default(Expr derived) : derived(derived) {}
  constexpr Default(Missing missing, Null null, Sentinel sentinel = Sentinel::none, std::uint64_t number = 0, Expr derived = {})
      : missing(missing), null(null), sentinel(sentinel), number(number), derived(derived) {}

  Missing missing = Missing::derived;
  Null null = Null::allowed;  ///< if allowed, a null gives the derived value
  Sentinel sentinel = Sentinel::none;
  bool late = false;  ///< transformers derives the value after it has read all fields, so `derived` may use a field given under an alias
  std::uint64_t number = 0;
  Expr derived = {};

  /// A copy of this default with `other` as the derived value.
  [[nodiscard]] Default or_else(Expr other) const {
    Default out = *this;
    out.derived = other;
    return out;
  }
};
/// `number` if missing (`x: int = 8`).
constexpr Default fixed(std::uint64_t number) { return number; }
/// `number` if missing, the derived value if 0 (declared as `x: int = 8`, but read as `x or y`).
constexpr Default fixed_not_zero(std::uint64_t number) {
  return {Default::Missing::number, Null::refused, Default::Sentinel::zero, number};
}
/// `number` if missing, the derived value if null.
constexpr Default fixed_not_null(std::uint64_t number) {
  return {Default::Missing::number, Null::allowed, Default::Sentinel::none, number};
}
/// The derived value if missing; null is an error. Mostly for undeclared fields that are read with `getattr`.
constexpr Default attribute{Default::Missing::derived, Null::refused};
/// The derived value if missing, null or 0 (`x or y`).
constexpr Default unless_zero{Default::Missing::derived, Null::allowed, Default::Sentinel::zero};
/// The derived value if missing or -1.
constexpr Default unless_minus_one{Default::Missing::derived, Null::refused, Default::Sentinel::minus_one};
/// The derived value if missing or "auto".
constexpr Default unless_auto{Default::Missing::derived, Null::refused, Default::Sentinel::word_auto};
/// Required; the number is an example for the error message.
constexpr Default required(std::uint64_t example) { return {Default::Missing::refused, Null::refused, Default::Sentinel::none, example}; }
/// For a type without this field: an empty Expr, even if the configuration contains the key.
constexpr Default absent{Default::Missing::absent, Null::refused};
/// The derived value if missing or null, computed by the model class after all fields are set.
inline Default taken_late(Expr derived) {
  Default out(derived);
  out.late = true;
  return out;
}

/// Another spelling of a field, as in transformers' attribute_map.
struct Alias {
  Text alias;
  Text field;
};

struct Dimension;

/// A field that was read, as the answer lists it and the page's form shows it.
struct Field {
  std::uint16_t section;
  Text name;
  FieldType type;
  Source source = Source::fallback;
  bool nullable = false;
  Json given = {};         ///< the value in the configuration; missing if a null, -1 or "auto" there stands for a default or derived value
  std::string value = {};  ///< the value as JSON if the configuration gives none; empty for a list that the caller derives
  std::string fallback = {};  ///< the default as JSON; empty if the field is required or its default is derived from other fields
  std::span<const std::string_view> choices = {};
  Expr number = {};                      ///< an integer field's value as an expression; empty if it has none
  Expr derivation = {};                  ///< the formula of a derived value
  const Dimension* dimension = nullptr;  ///< the entry of an integer field in core/config/dimensions.def, or a placeholder
  Text given_as = {};                    ///< the alias under which the configuration gives the field; empty if it uses the field's own name
};

struct Configuration;

/// A config.json or an object in it, read and type-checked as transformers does: with aliases, defaults and types. Reading a field records
/// where its value came from; keys that are never read are ignored. Reading a field again gives the same value; reading it as another type
/// or with another fixed default is an internal error. If a field is given under two spellings, both values must be equal. A read throws
/// Error{wrong_type} for a value of another type and Error{out_of_range} for a number below `least`. Names and reasons must be literals,
/// because only pointers to them are stored.
class ConfigReader {
 public:
  ConfigReader(Configuration& all, std::uint16_t number, std::string its_path, std::string_view its_suffix, Json its_json)
      : path(std::move(its_path)), suffix(its_suffix), json(its_json), all_(&all), section_(number) {}
  ConfigReader(const ConfigReader&) = delete;
  ConfigReader& operator=(const ConfigReader&) = delete;

  const std::string path;                       ///< the prefix of its fields' dotted names: "text_config."; empty for the root
  const std::string_view suffix;                ///< the subscript of its fields' symbols: the `v` of d_v; may be empty
  const Json json;                              ///< the section itself: an object, or a missing value
  std::span<const Alias> aliases = {};          ///< the aliases of the model type that reads this section
  std::vector<std::string_view> consumed = {};  ///< keys that were read or marked as used

  /// Returns a reader of the nested object `name`. Its fields appear as `name.field` in answers. A missing or null object is read as if it
  /// were empty.
  [[nodiscard]] ConfigReader& section(Literal name);
  /// Switches this reader to the aliases of another model type and returns it.
  [[nodiscard]] ConfigReader& with(std::span<const Alias> aliases);

  /// Reads an integer field. `rule` gives its value if it is missing. A value below `least` is rejected; `below` is the kind of this
  /// refusal if transformers would accept the value.
  [[nodiscard]] Expr integer(Literal name, const Default& rule, std::uint64_t least = 0, Refused below = Refused::no);
  /// Shorthands for the two most common rules: a fixed number if the field is missing, or a derived value if it is missing or null.
  [[nodiscard]] Expr integer(Literal name, std::uint64_t fallback);
  [[nodiscard]] Expr integer(Literal name, Expr derived);
  /// Reads an integer that may be absent: null, or missing without a fallback.
  [[nodiscard]] std::optional<Expr> optional_integer(Literal name, std::optional<std::uint64_t> fallback = {}, std::uint64_t least = 0);
  /// ⌊factor × base⌋, where the factor is a field that may hold a fraction (mlp_ratio). If it is not a whole number, the product is
  /// computed in doubles, as in Python, and formulas call the result `product` (`symbol`), which must not be the name of a field. Throws
  /// for a negative factor and for products above 10^15.
  [[nodiscard]] Expr scaled(Literal factor, double fallback, Expr base, Text product, Text symbol);
  /// Reads a number that may have a fraction. Such a number cannot be part of a formula, because formulas consist of integers.
  [[nodiscard]] double number(Literal name, double fallback);

  [[nodiscard]] bool flag(Literal name, bool fallback);
  [[nodiscard]] bool flag(Literal name, bool fallback, Null null);
  /// Reads a flag whose default is derived from other fields.
  [[nodiscard]] bool derived_flag(Literal name, bool derived);
  /// Reads a string, which must be one of `choices` unless that is empty. The result is valid as long as the configuration.
  [[nodiscard]] std::string_view text(Literal name, Literal fallback, std::span<const std::string_view> choices = {});
  /// Reads a string or null.
  [[nodiscard]] std::optional<std::string_view> optional_text(Literal name, std::optional<std::string_view> fallback = {});
  /// Reads a list of strings, each of which must be one of `choices` unless that is empty. Returns nothing if the list is missing or null.
  [[nodiscard]] std::optional<std::vector<std::string_view>> words(Literal name, std::span<const std::string_view> choices = {});
  /// Reads a list of strings like the overload above, but returns `fallback` if the list is missing or null.
  [[nodiscard]] std::vector<std::string_view> words(Literal name, std::span<const std::string_view> choices,
                                                    std::vector<std::string_view> fallback);
  /// Reads a list of integers. Returns nothing if it is missing or null.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(Literal name);
  /// Reads a list of integers like the overload above, but returns `fallback` if the list is missing or null.
  [[nodiscard]] std::vector<std::int64_t> integers(Literal name, std::vector<std::int64_t> fallback);

  /// Reads a list of dimensions, or returns `fallback` if it is missing. Each entry has its own name: hidden_sizes[0] (d_0). Null is an
  /// error.
  [[nodiscard]] std::vector<Expr> dimensions(Literal name, std::initializer_list<std::uint64_t> fallback);
  /// Reads height and width: one integer for both, or a list of two (image_size[0]). If missing, both are `fallback`.
  [[nodiscard]] Sides sides(Literal name, std::uint64_t fallback);

  /// The value given for a field under its name or an alias, without listing the field in the answer. If the value is an integer, tells a
  /// search that the code may branch on it.
  [[nodiscard]] Json peek(Text name) const;
  /// Whether the field is present under its name or an alias, even with null.
  [[nodiscard]] bool has(Text name) const { return static_cast<bool>(held(name)); }

  /// Returns a named number that is not a config field, such as the number of layers of one kind, for use in formulas. The first call
  /// creates it.
  [[nodiscard]] Expr count(Text name, Text symbol, Literal meaning, Count value, Expr definition = {});

  /// Whether a key was read or consumed.
  [[nodiscard]] bool has_read(std::string_view key) const { return std::find(consumed.begin(), consumed.end(), key) != consumed.end(); }
  /// Marks a key as used, although it is not read as a field and not shown in the form.
  void consume(Literal name);
  /// Records an explanation for a field that the answer lists as ignored.
  void ignore(Literal name, Literal reason);

  /// Throws Error{inconsistent} naming the list unless it has one entry per layer.
  void require_length(Text list, std::size_t length, Expr n_layers) const;

  /// Like `require_length`, but takes the length from the configuration without reading the field. Accepts a missing list and a value that
  /// is not a list.
  void require_length_of(Text list, Expr n_layers) const;

  /// Throws an Error about a field of this section. The error's text is the field's name, or the alias under which it was
  /// read, followed by `message`.
  [[noreturn]] void refuse(ErrorCode code, Text field, Text message, Refused kind = Refused::no) const;

  [[nodiscard]] Pool& pool() const;
  [[nodiscard]] Expr literal(Count value) const;
  /// The dotted name of a field: "text_config.hidden_size".
  [[nodiscard]] std::string full_name(Text field) const { return concat({path, field}); }

 private:
  /// Like `peek`, but does not tell a search about an integer: for callers that do not branch on its value.
  [[nodiscard]] Json held(Text name) const;
  /// Tells a search that the code branches on this field's value, so that formulas do not show the whole dependence.
  void on_read(Text name) const;

  struct Opened {
    Field& field;
    bool again;  ///< whether the field was read before, so that its value is already set
  };

  /// The field's entry, with the value given under its name or an alias. Checks that a second read has the same type and, if
  /// both reads have a fixed default, the same default.
  [[nodiscard]] Opened open(Literal name, FieldType type, Null null, Text fallback);
  [[nodiscard]] Expr read_integer(Field& field, std::uint64_t least, Refused below = Refused::no);
  [[nodiscard]] Expr entry(const Field& field, std::size_t index, Count value);
  [[nodiscard]] std::vector<Expr> given_dimensions(const Field& field);
  [[nodiscard]] Expr derive(Field& field, Expr derived);
  /// Whether `rule` determines the value, because the field is missing, null (if that is allowed or the field is required), or given as the
  /// sentinel -1 or "auto". The sentinel 0 is handled by `integer`.
  [[nodiscard]] bool is_left_out(const Field& field, const Default& rule) const;
  /// Throws if `derived` uses a field that is given under an alias: transformers derives the value before it reads aliases.
  void require_own_names(Text name, Expr derived);
  [[nodiscard]] Expr name_of(Field& field, Count value, Expr definition);
  [[nodiscard]] std::string symbol_of(std::string_view base);
  [[noreturn]] void wrong_type(const Field& field, Text wanted, Text advice = "") const;
  [[nodiscard]] bool read_flag(Field& field) const;

  Configuration* all_;
  std::uint16_t section_;  ///< position in Configuration::sections
};

/// The type in which families receive the configuration. A reference is one machine word; WebAssembly would pass a handle of two words
/// through memory.
using Config = ConfigReader&;

/// Whether the field, or an alias of it, has a value other than null. Also used for sections, since transformers may use other defaults for
/// a missing section than for an empty one.
bool is_given(Config c, Text name);

/// Everything that one count reads from one config.json.
struct Configuration {
  Configuration(Pool& names, Json root);
  Configuration(const Configuration&) = delete;
  Configuration& operator=(const Configuration&) = delete;

  /// The reader of the whole file.
  [[nodiscard]] ConfigReader& root() { return sections.front(); }

  Pool& pool;
  std::deque<ConfigReader> sections;
  std::deque<Field> fields;
  std::vector<std::string> symbols;  ///< the symbols in use; each belongs to one name
  StringIndex symbol_index;
  struct Reason {
    std::uint16_t section;
    Text field;
    Text text;
  };
  std::vector<Reason> reasons;

  /// The dotted name of a section's field: "text_config.hidden_size".
  [[nodiscard]] std::string full_name(std::uint16_t section, Text field) const;
};

inline Pool& ConfigReader::pool() const { return all_->pool; }
inline Expr ConfigReader::literal(Count value) const { return pool().literal(value); }

}  // namespace param_ledger
