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

/// Where a field's value came from; as the answer spells it.
enum class Source : std::uint8_t { given, fallback, derived };

/// What a read field may hold.
enum class FieldType : std::uint8_t { integer, number, boolean, string, list };

/// What a `null` means to a field.
enum class Null : std::uint8_t {
  refused,  ///< transformers declares a type without None
  allowed,  ///< as if the field were missing, or false
};

/// What an integer is where its value is not said, as transformers declares and derives it.
struct Default {
  enum class Missing : std::uint8_t {
    number,   ///< a number
    derived,  ///< what follows from other fields
    refused,  ///< an error: it must be given; `number` is an example
    absent,   ///< there is no such field: an empty Expr
  };
  /// A given value that also stands for the derived one.
  enum class Sentinel : std::uint8_t { none, zero, minus_one, word_auto };

  constexpr Default() = default;
  constexpr Default(std::uint64_t number) : missing(Missing::number), null(Null::refused), number(number) {}
  Default(Expr derived) : derived(derived) {}
  constexpr Default(Missing missing, Null null, Sentinel sentinel = Sentinel::none, std::uint64_t number = 0, Expr derived = {})
      : missing(missing), null(null), sentinel(sentinel), number(number), derived(derived) {}

  Missing missing = Missing::derived;
  Null null = Null::allowed;  ///< allowed: a null is what follows from other fields
  Sentinel sentinel = Sentinel::none;
  bool late = false;  ///< that is derived when every field is read, whatever the names under which they were given
  std::uint64_t number = 0;
  Expr derived = {};

  /// The same, with what follows from other fields.
  [[nodiscard]] Default or_else(Expr other) const {
    Default out = *this;
    out.derived = other;
    return out;
  }
};
/// That number where missing (`x: int = 8`).
constexpr Default fixed(std::uint64_t number) { return number; }
/// The same, and for 0 what follows (`x or y` of a declared number).
constexpr Default fixed_not_zero(std::uint64_t number) {
  return {Default::Missing::number, Null::refused, Default::Sentinel::zero, number};
}
/// The same, and for null what follows.
constexpr Default fixed_not_null(std::uint64_t number) {
  return {Default::Missing::number, Null::allowed, Default::Sentinel::none, number};
}
/// Undeclared, taken by `getattr`: what follows where missing; null is an error.
constexpr Default attribute{Default::Missing::derived, Null::refused};
/// What follows where missing, null or 0 (`x or y`).
constexpr Default unless_zero{Default::Missing::derived, Null::allowed, Default::Sentinel::zero};
/// What follows where missing or -1.
constexpr Default unless_minus_one{Default::Missing::derived, Null::refused, Default::Sentinel::minus_one};
/// What follows where missing or the word "auto".
constexpr Default unless_auto{Default::Missing::derived, Null::refused, Default::Sentinel::word_auto};
/// It must be given; the number is an example.
constexpr Default required(std::uint64_t example) { return {Default::Missing::refused, Null::refused, Default::Sentinel::none, example}; }
/// There is no such field.
constexpr Default absent{Default::Missing::absent, Null::refused};
/// What follows where missing or null, taken by the model itself once every field is read.
inline Default taken_late(Expr derived) {
  Default out(derived);
  out.late = true;
  return out;
}

/// Another spelling of a field: transformers' attribute_map.
struct Alias {
  Text alias;
  Text field;
};

struct Dimension;

/// One field that was read, for the answer and the form.
struct Field {
  std::uint16_t section;
  Text name;
  FieldType type;
  Source source = Source::fallback;
  bool nullable = false;
  Json given = {};            ///< the value as it stands in the configuration
  std::string value = {};     ///< else as JSON text; empty: derived and too long to write out
  std::string fallback = {};  ///< what a missing field takes, as JSON text; empty where that is derived
  std::span<const std::string_view> choices = {};
  Expr number = {};                      ///< of an integer that is there
  Expr derivation = {};                  ///< for `derived`: what it follows from
  const Dimension* dimension = nullptr;  ///< its entry in the table of fields, of an integer that is there
  Text given_as = {};                    ///< the alias under which it was given
};

struct Configuration;

/// A config.json or one object in it, read checked and typed as transformers reads it: aliases, defaults, types. Each read says where the
/// value came from; what no one read is ignored. Reading a field twice gives the same expression; under another default it is an internal
/// error. A field given under two spellings must have one value. Every read throws Error{wrong_type} for a value of another type and
/// Error{out_of_range} below `least`. Names and reasons are kept as views: hand in literals.
class ConfigReader {
 public:
  ConfigReader(Configuration& all, std::uint16_t number, std::string its_path, std::string_view its_suffix, Json its_json)
      : path(std::move(its_path)), suffix(its_suffix), json(its_json), all_(&all), section_(number) {}
  ConfigReader(const ConfigReader&) = delete;
  ConfigReader& operator=(const ConfigReader&) = delete;

  const std::string path;                       ///< "text_config."; empty: the whole
  const std::string_view suffix;                ///< what its fields' symbols end in: the `v` of d_v
  const Json json;                              ///< an object, or not there
  std::span<const Alias> aliases = {};          ///< of the model type that reads it
  std::vector<std::string_view> consumed = {};  ///< keys that were read

  /// The object under that name, whose fields go by `name.field`. Missing and null are an empty object.
  [[nodiscard]] ConfigReader& section(Text name);
  /// The same section under the aliases of another model type.
  [[nodiscard]] ConfigReader& with(std::span<const Alias> aliases);

  /// An integer, with what takes its place where it is not said; 0 may be refused on purpose where it is below `least`.
  [[nodiscard]] Expr integer(Text name, const Default& rule, std::uint64_t least = 0, Refused below = Refused::no);
  /// The two commonest rules: that number where missing; what follows from other fields where missing or null.
  [[nodiscard]] Expr integer(Text name, std::uint64_t fallback);
  [[nodiscard]] Expr integer(Text name, Expr derived);
  /// An integer that may be absent: null, or missing with no fallback.
  [[nodiscard]] std::optional<Expr> optional_integer(Text name, std::optional<std::uint64_t> fallback = {}, std::uint64_t least = 0);
  /// ⌊factor × base⌋ where the factor is a field that may hold a fraction (mlp_ratio), in Python's doubles. Formulas write the
  /// product as `product` (`symbol`), which must be no field's name.
  [[nodiscard]] Expr scaled(Text factor, double fallback, Expr base, Text product, Text symbol);
  /// A number that may hold a fraction and only decides something.
  [[nodiscard]] double number(Text name, double fallback);

  [[nodiscard]] bool flag(Text name, bool fallback);
  [[nodiscard]] bool flag(Text name, bool fallback, Null null);
  /// A flag that follows from other fields where missing.
  [[nodiscard]] bool derived_flag(Text name, bool derived);
  /// A word; any where `choices` is empty. It lives as long as the configuration.
  [[nodiscard]] std::string_view text(Text name, Text fallback, std::span<const std::string_view> choices = {});
  /// A word or nothing.
  [[nodiscard]] std::optional<std::string_view> optional_text(Text name, std::optional<std::string_view> fallback = {});
  /// A list of words, each one of `choices` where there are any; none where missing or null.
  [[nodiscard]] std::optional<std::vector<std::string_view>> words(Text name, std::span<const std::string_view> choices = {});
  /// The same, `fallback` where missing or null.
  [[nodiscard]] std::vector<std::string_view> words(Text name, std::span<const std::string_view> choices,
                                                    std::vector<std::string_view> fallback);
  /// A list of integers; none where missing or null.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(Text name);
  /// The same, `fallback` where missing or null.
  [[nodiscard]] std::vector<std::int64_t> integers(Text name, std::vector<std::int64_t> fallback);

  /// A list of dimensions, `fallback` where missing: each is a name of its own, hidden_sizes[0] (d_0). Refuses null.
  [[nodiscard]] std::vector<Expr> dimensions(Text name, std::initializer_list<std::uint64_t> fallback);
  /// Height and width: one integer for both, or a list of the two (image_size[0]); `fallback` for both where missing.
  [[nodiscard]] Sides sides(Text name, std::uint64_t fallback);

  /// The value under that name (or an alias), unread: to decide how to read it. Not there where missing.
  [[nodiscard]] Json peek(Text name) const;
  /// True where it holds that key with any value, null included.
  [[nodiscard]] bool has(Text name) const { return static_cast<bool>(held(name)); }

  /// A count that is no config field, e.g. the layers of a kind; it occurs in formulas under that name.
  [[nodiscard]] Expr count(Text name, Text symbol, Text meaning, Count value, Expr definition = {});

  /// True where a key was read or consumed.
  [[nodiscard]] bool has_read(std::string_view key) const { return std::find(consumed.begin(), consumed.end(), key) != consumed.end(); }
  /// Says that a key was understood, and is no field of the form.
  void consume(Text name);
  /// Says that a field which no one will read was understood all the same, and why it changes nothing.
  void ignore(Text name, Text reason);

  /// Throws Error{inconsistent} naming the list unless it has one entry per layer.
  void require_length(Text list, std::size_t length, Expr n_layers) const;

  /// The same for a list that no tensor depends on, where there is one.
  void require_length_of(Text list, Expr n_layers) const;

  /// The Error for a field of this section: `message` follows its name, as it was written.
  [[noreturn]] void refuse(ErrorCode code, Text field, Text message, Refused kind = Refused::no) const;

  [[nodiscard]] Pool& pool() const;
  [[nodiscard]] Expr literal(Count value) const;
  /// "text_config.hidden_size"
  [[nodiscard]] std::string full_name(Text field) const { return concat({path, field}); }

 private:
  /// What `peek` gives, by whoever decides by its type alone.
  [[nodiscard]] Json held(Text name) const;
  /// Tells a search that what follows depends on the value itself.
  void on_read(Text name) const;

  struct Opened {
    Field& field;
    bool again;  ///< read before: its value is settled
  };

  /// The field's entry, with what is given under its name or an alias. Checks that a second read is of the same kind.
  [[nodiscard]] Opened open(Text name, FieldType type, Null null, Text fallback);
  [[nodiscard]] Expr read_integer(Field& field, std::uint64_t least, Refused below = Refused::no);
  [[nodiscard]] Expr entry(const Field& field, std::size_t index, Count value);
  [[nodiscard]] std::vector<Expr> given_dimensions(const Field& field);
  [[nodiscard]] Expr derive(Field& field, Expr derived);
  /// Whether `rule` takes the field's place: missing, null where that is allowed, or the rule's sentinel.
  [[nodiscard]] bool is_left_out(const Field& field, const Default& rule) const;
  /// Refuses what transformers would derive from fields before it sets those that came under an alias.
  void require_own_names(Text name, Expr derived);
  [[nodiscard]] Expr name_of(Field& field, Count value, Expr definition);
  [[nodiscard]] std::string symbol_of(std::string_view base);
  [[noreturn]] void wrong_type(const Field& field, Text wanted, Text advice = "") const;
  [[nodiscard]] bool read_flag(Field& field) const;

  Configuration* all_;
  std::uint16_t section_;  ///< its place in the Configuration
};

/// As families read it. A reference: one register in each call, where a handle of two words is written to memory.
using Config = ConfigReader&;

/// Whether it holds that key with a value other than null: of a section that is not there transformers may take other defaults than of an
/// empty one.
bool is_given(Config c, Text name);

/// What one count reads of one config.json.
struct Configuration {
  Configuration(Pool& names, Json root);
  Configuration(const Configuration&) = delete;
  Configuration& operator=(const Configuration&) = delete;

  /// The whole of it.
  [[nodiscard]] ConfigReader& root() { return sections.front(); }

  Pool& pool;
  std::deque<ConfigReader> sections;
  std::deque<Field> fields;
  std::vector<std::string> symbols;  ///< of formulas, each for one name
  HashIndex symbol_index;
  struct Reason {
    std::uint16_t section;
    Text field;
    Text text;
  };
  std::vector<Reason> reasons;

  /// A section's name and a field's: "text_config.hidden_size".
  [[nodiscard]] std::string full_name(std::uint16_t section, Text field) const;
};

inline Pool& ConfigReader::pool() const { return all_->pool; }
inline Expr ConfigReader::literal(Count value) const { return pool().literal(value); }

}  // namespace param_ledger
