#pragma once

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
    number,     ///< a number
    otherwise,  ///< what follows from other fields
    refused,    ///< an error: it must be given; `number` is an example
    absent,     ///< there is no such field: an empty Expr
  };
  enum class Unsaid : std::uint8_t { nothing, zero, minus_one, word_auto };

  constexpr Default() = default;
  constexpr Default(std::uint64_t number) : missing(Missing::number), null(Null::refused), number(number) {}
  Default(Expr otherwise) : otherwise(otherwise) {}
  constexpr Default(Missing missing, Null null, Unsaid unsaid = Unsaid::nothing, std::uint64_t number = 0, Expr otherwise = {})
      : missing(missing), null(null), unsaid(unsaid), number(number), otherwise(otherwise) {}

  Missing missing = Missing::otherwise;
  Null null = Null::allowed;        ///< allowed: a null is what follows from other fields
  Unsaid unsaid = Unsaid::nothing;  ///< a value that is what follows from other fields, too
  bool late = false;                ///< that is derived when every field is read, whatever the names under which they were given
  std::uint64_t number = 0;
  Expr otherwise = {};

  /// The same, with what follows from other fields.
  [[nodiscard]] Default or_else(Expr derived) const {
    Default out = *this;
    out.otherwise = derived;
    return out;
  }
};
/// That number where missing (`x: int = 8`).
constexpr Default fixed(std::uint64_t number) { return number; }
/// The same, and for 0 what follows (`x or y` of a declared number).
constexpr Default fixed_not_zero(std::uint64_t number) { return {Default::Missing::number, Null::refused, Default::Unsaid::zero, number}; }
/// The same, and for null what follows.
constexpr Default fixed_not_null(std::uint64_t number) {
  return {Default::Missing::number, Null::allowed, Default::Unsaid::nothing, number};
}
/// Undeclared, taken by `getattr`: what follows where missing; null is an error.
constexpr Default attribute{Default::Missing::otherwise, Null::refused};
/// What follows where missing, null or 0 (`x or y`).
constexpr Default unless_zero{Default::Missing::otherwise, Null::allowed, Default::Unsaid::zero};
/// What follows where missing or -1.
constexpr Default unless_minus_one{Default::Missing::otherwise, Null::refused, Default::Unsaid::minus_one};
/// What follows where missing or the word "auto".
constexpr Default unless_auto{Default::Missing::otherwise, Null::refused, Default::Unsaid::word_auto};
/// It must be given; the number is an example.
constexpr Default required(std::uint64_t example) { return {Default::Missing::refused, Null::refused, Default::Unsaid::nothing, example}; }
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
class Section {
 public:
  Section(Configuration& all, std::uint16_t number, std::string its_path, std::string_view its_suffix, Json its_json)
      : path(std::move(its_path)), suffix(its_suffix), json(its_json), all_(&all), section_(number) {}
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  const std::string path;                               ///< "text_config."; empty: the whole
  const std::string_view suffix;                        ///< what its fields' symbols end in: the `v` of d_v
  const Json json;                                      ///< an object, or not there
  mutable std::span<const Alias> aliases = {};          ///< of the model type that reads it
  mutable std::vector<std::string_view> consumed = {};  ///< keys that were read

  /// The object under that name, whose fields go by `name.field`. Missing and null are an empty object.
  [[nodiscard]] const Section& section(Text name) const;
  /// The same section under the aliases of another model type.
  [[nodiscard]] const Section& with(std::span<const Alias> aliases) const;

  /// An integer, with what takes its place where it is not said; 0 may be refused on purpose where it is below `least`.
  [[nodiscard]] Expr integer(Text name, const Default& rule, std::uint64_t least = 0, Refused below = Refused::no) const;
  /// The two commonest rules: that number where missing; what follows from other fields where missing or null.
  [[nodiscard]] Expr integer(Text name, std::uint64_t fallback) const;
  [[nodiscard]] Expr integer(Text name, Expr derived) const;
  /// An integer that may be absent: null, or missing with no fallback.
  [[nodiscard]] std::optional<Expr> optional_integer(Text name, std::optional<std::uint64_t> fallback = {}, std::uint64_t least = 0) const;
  /// ⌊factor × base⌋ where the factor is a field that may hold a fraction (mlp_ratio), in Python's doubles. Formulas write the
  /// product as `product` (`symbol`), which must be no field's name.
  [[nodiscard]] Expr scaled(Text factor, double fallback, Expr base, Text product, Text symbol) const;
  /// A number that may hold a fraction and only decides something.
  [[nodiscard]] double number(Text name, double fallback) const;

  [[nodiscard]] bool flag(Text name, bool fallback) const;
  [[nodiscard]] bool flag(Text name, bool fallback, Null null) const;
  /// A flag that follows from other fields where missing.
  [[nodiscard]] bool derived_flag(Text name, bool derived) const;
  /// A word; any where `choices` is empty. It lives as long as the configuration.
  [[nodiscard]] std::string_view text(Text name, Text fallback, std::span<const std::string_view> choices = {}) const;
  /// A word or nothing.
  [[nodiscard]] std::optional<std::string_view> optional_text(Text name, std::optional<std::string_view> fallback = {}) const;
  /// A list of words, each one of `choices` where there are any; none where missing or null.
  [[nodiscard]] std::optional<std::vector<std::string_view>> words(Text name, std::span<const std::string_view> choices = {}) const;
  /// The same, `fallback` where missing or null.
  [[nodiscard]] std::vector<std::string_view> words(Text name, std::span<const std::string_view> choices,
                                                    std::vector<std::string_view> fallback) const;
  /// A list of integers; none where missing or null.
  [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(Text name) const;
  /// The same, `fallback` where missing or null.
  [[nodiscard]] std::vector<std::int64_t> integers(Text name, std::vector<std::int64_t> fallback) const;

  /// A list of dimensions, `fallback` where missing: each is a name of its own, hidden_sizes[0] (d_0). Refuses null.
  [[nodiscard]] std::vector<Expr> dimensions(Text name, std::initializer_list<std::uint64_t> fallback) const;
  /// Height and width: one integer for both, or a list of the two (image_size[0]); `fallback` for both where missing.
  [[nodiscard]] Sides sides(Text name, std::uint64_t fallback) const;

  /// The value under that name (or an alias), unread: to decide how to read it. Not there where missing.
  [[nodiscard]] Json peek(Text name) const;
  /// True where it holds that key with any value, null included.
  [[nodiscard]] bool has(Text name) const { return static_cast<bool>(held(name)); }

  /// A count that is no config field, e.g. the layers of a kind; it occurs in formulas under that name.
  [[nodiscard]] Expr count(Text name, Text symbol, Text meaning, Count value, Expr definition = {}) const;

  /// Says that a key was understood, and is no field of the form.
  void consume(Text name) const;
  /// Says that a field which no one will read was understood all the same, and why it changes nothing.
  void ignore(Text name, Text reason) const;

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
  [[nodiscard]] Opened open(Text name, FieldType type, Null null, Text fallback) const;
  [[nodiscard]] Expr read_integer(Field& field, std::uint64_t least, Refused below = Refused::no) const;
  [[nodiscard]] Expr entry(const Field& field, std::size_t index, Count value) const;
  [[nodiscard]] std::vector<Expr> given_dimensions(const Field& field) const;
  [[nodiscard]] Expr derive(Field& field, Expr derived) const;
  /// Refuses what transformers would derive from fields before it sets those that came under an alias.
  void require_own_names(Text name, Expr derived) const;
  [[nodiscard]] Expr name_of(Field& field, Count value, Expr definition) const;
  [[nodiscard]] std::string symbol_of(std::string_view base) const;
  [[noreturn]] void wrong_type(const Field& field, Text wanted, Text advice = "") const;
  [[nodiscard]] bool read_flag(Field& field) const;

  Configuration* all_;
  std::uint16_t section_;  ///< its place in the Configuration
};

/// As families read it. A reference: one register in each call, where a handle of two words is written to memory.
using Config = const Section&;

/// Whether it holds that key with a value other than null: of a section that is not there transformers may take other defaults than of an
/// empty one.
bool is_given(Config c, Text name);

/// What one count reads of one config.json.
struct Configuration {
  Configuration(Pool& names, Json root);
  Configuration(const Configuration&) = delete;
  Configuration& operator=(const Configuration&) = delete;

  /// The whole of it.
  [[nodiscard]] Section& root() { return sections.front(); }

  Pool& pool;
  std::deque<Section> sections;
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

inline Pool& Section::pool() const { return all_->pool; }
inline Expr Section::literal(Count value) const { return pool().literal(value); }

}  // namespace param_ledger
