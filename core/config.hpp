#pragma once

#include <cstdint>
#include <deque>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/expr.hpp"
#include "core/json_text.hpp"

namespace param_ledger {

/// Where a field's value came from; as the answer spells it.
enum class Source : std::uint8_t { given, fallback, derived, ignored };

/// What a read field may hold.
enum class FieldType : std::uint8_t { integer, boolean, string, list };

/// One field that was read, for the answer and the form. Values are JSON text.
struct Field {
  std::string name;
  FieldType type;
  Source source;
  std::string value;          ///< empty: derived and too long to write out
  std::string fallback = {};  ///< what a missing field takes; empty where that is derived
  bool nullable = false;
  std::vector<std::string_view> choices = {};  ///< in static storage
  Expr derivation = {};                        ///< for `derived`: what it follows from
  std::string given_as = {};                   ///< the alias under which it was given
};

/// A field of the configuration that no tensor depends on, and why.
struct IgnoredField {
  std::string name;  ///< dotted when nested
  std::string value;
  std::string reason;
};

/// Another spelling of a field. Where both are given, transformers lets the alias win: it is set after the declared fields.
struct Alias {
  std::string_view alias;
  std::string_view field;
  bool declared = true;  ///< else transformers takes `field`, too, as it comes: of both the later in the text wins
};

/// What a `null` means to a field.
enum class Null : std::uint8_t {
  refused,  ///< transformers declares a type without None
  allowed,  ///< as if the field were missing, or false
};

/// A checked, typed view of a config.json, as transformers reads it: aliases, defaults, types. Each read says where the
/// value came from; what no one read is ignored. Reading a field twice gives the same expression.
/// Every read throws Error{wrong_type} for a value of another type and Error{out_of_range} below `least`.
class Config {
 public:
  Config(Pool& pool, const Json& root, std::span<const Alias> aliases);

  /// An integer without default; throws Error{missing_field} where missing or null. `example` is shown in its place.
  Expr required_integer(std::string_view name, std::uint64_t example);
  /// An integer that is `fallback` where missing.
  Expr integer(std::string_view name, std::uint64_t fallback, std::uint64_t least = 0);
  /// An integer that follows from other fields where missing or null.
  Expr integer(std::string_view name, Expr derived, std::uint64_t least = 0);
  /// An integer that is `fallback` where missing and follows from other fields where null.
  Expr integer(std::string_view name, std::uint64_t fallback, Expr where_null);
  /// An integer that transformers takes by `getattr` without declaring it: follows from other fields where missing; null is an error.
  Expr attribute(std::string_view name, Expr derived, std::uint64_t least = 0);
  /// An integer that follows from other fields where missing or the word "auto".
  Expr automatic(std::string_view name, Expr derived);
  /// An integer that may be absent: null, or missing with no fallback.
  std::optional<Expr> optional_integer(std::string_view name, std::optional<std::uint64_t> fallback = {}, std::uint64_t least = 0);

  bool flag(std::string_view name, bool fallback, Null null = Null::refused);
  /// A flag that follows from other fields where missing.
  bool derived_flag(std::string_view name, bool derived);
  /// A word; any where `choices` is empty.
  std::string text(std::string_view name, std::string_view fallback, std::initializer_list<std::string_view> choices = {});
  /// A list of words, each one of `choices` where there are any; none where missing or null.
  std::optional<std::vector<std::string>> words(std::string_view name, std::initializer_list<std::string_view> choices = {});
  /// The same, `fallback` where missing or null.
  std::vector<std::string> words(std::string_view name, std::initializer_list<std::string_view> choices, std::vector<std::string> fallback);
  /// A list of integers; none where missing or null.
  std::optional<std::vector<std::int64_t>> integers(std::string_view name);
  /// A string or nothing; for spellings of a list as one word.
  std::optional<std::string> optional_text(std::string_view name);

  /// `value` as it was before an alias replaced it: what transformers sees while it derives other fields from `name`.
  Expr declared(std::string_view name, Expr value, std::uint64_t fallback);

  std::vector<std::string> declared_words(std::string_view name, std::vector<std::string> value, std::vector<std::string> fallback);

  /// True where the configuration holds that key (or an alias of it), with any value, null included.
  [[nodiscard]] bool has(std::string_view name) const;
  /// True where it holds that key with a value of that type.
  [[nodiscard]] bool holds_integer(std::string_view name) const;
  [[nodiscard]] bool holds_boolean(std::string_view name, bool value) const;
  /// True where it holds an integer above 0.
  [[nodiscard]] bool positive(std::string_view name) const;
  [[nodiscard]] bool holds_string(std::string_view name) const;
  [[nodiscard]] bool holds_list(std::string_view name) const;

  /// How many entries an object or list has; none where missing or null. Used for id2label.
  std::optional<std::uint64_t> entries(std::string_view name);

  /// A count that is no config field, e.g. the layers of a kind; it occurs in formulas under that name.
  Expr count(std::string_view name, std::string_view symbol, std::string_view meaning, Count value, Expr definition = {});

  /// Says that a key was understood before any field was read, and is none.
  void consume(std::string_view name) { read_.push_back(name); }

  /// Says that a field which no one will read was understood all the same, and why it changes nothing.
  void ignore(std::string_view name, std::string reason);

  [[nodiscard]] Pool& pool() const { return pool_; }
  [[nodiscard]] Expr literal(Count value) const { return pool_.literal(value); }
  [[nodiscard]] const std::deque<Field>& fields() const { return fields_; }
  /// What was given and never read.
  [[nodiscard]] std::vector<IgnoredField> ignored() const;

 private:
  struct Given {
    std::string_view key;
    const Json* value;
  };
  struct Reason {
    std::string name;
    std::string text;
  };

  Given find(std::string_view name) const;
  Given read(std::string_view name);
  Expr number(std::string_view name, const Given& given, std::uint64_t least, Field field);
  Expr derived_number(std::string_view name, Expr derived, Null null, std::uint64_t least);
  Field& record(Field field);
  Expr name_of(std::string_view field, Count value, Expr definition);

  Pool& pool_;
  const Json& root_;
  std::span<const Alias> aliases_;
  std::deque<Field> fields_;
  std::vector<std::string_view> read_;
  std::vector<Reason> reasons_;
};

/// An integer as the answer's JSON holds it: a number where a JavaScript number is exact, else a string of digits.
std::string integer_text(Count value);

/// The Error for a field: `message` follows the field's name.
[[noreturn]] void refuse(ErrorCode code, std::string_view field, std::string_view message);

/// Throws Error{inconsistent} naming `field` unless the two are equal.
void require_equal(std::string_view field, Expr a, Expr b);

/// Throws Error{inconsistent} naming the list unless it has one entry per layer.
void require_length(std::string_view list, std::size_t length, Expr n_layers);

/// Throws Error{out_of_range} naming the field of `e` unless it is at least 1.
void require_positive(Expr e);

/// Throws Error{too_large} where layers of several kinds would have to be listed one by one beyond reason.
void require_listable(Expr n_layers);

/// Throws Error{not_divisible} naming `field` unless `divisor` divides `dividend`.
void require_multiple(std::string_view field, Expr dividend, Expr divisor);

}  // namespace param_ledger
