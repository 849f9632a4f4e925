#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/support/count.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

/// What a number counts, according to the words next to it. Each such word sets a bit.
namespace subject {
enum Word : std::uint16_t {
  active = 1,
  embeddings = 2,
  no_embeddings = 4,
  head = 8,
  no_head = 16,
  vision = 32,
  audio = 64,
  projector = 128,
  text = 256,
  attention = 512,
  feed_forward = 1024,
  router = 2048,
  norms = 4096
};
}  // namespace subject

/// A number in a form that people use: `6.74B`, `6,738,411,520`, `6.738 billion`, `1.1 trillion`, `2^30`, `6.7e9`, `13.5 GB in fp16`,
/// `12.55 GiB`, `4.92 GB in Q4_K_M`, `3B active without embeddings`. The last digit gives the precision: "8.03B" means anything from
/// 8,025,000,000 to 8,035,000,000.
struct Quantity {
  std::string text;           ///< the text as written, without surrounding blanks
  Count low = 0;              ///< the smallest integer that rounds to the number
  Count high = 0;             ///< the largest integer that rounds to the number
  Count value = 0;            ///< the number as written, rounded down to an integer
  Count ulp = 1;              ///< the value of one unit of the last written digit, rounded down
  std::string figures;        ///< the digits and their separators, without words, exponent and unit
  unsigned thousands = 0;     ///< the exponent of 1,000 or 1,024 in the unit: 1 for K, 3 for B and GiB
  unsigned digits = 0;        ///< significant digits as written; for a power such as 2^30, the digits of its value
  unsigned zeros = 0;         ///< the number of trailing zeros that may come from rounding
  bool bytes = false;         ///< whether it counts bytes
  bool range = false;         ///< whether two numbers were given: the range from `low` to `high`
  bool decimal = false;       ///< whether the unit is KB, MB, GB or TB, which some people use for powers of 1,024 bytes
  unsigned bits = 0;          ///< bits per parameter if a data type is named, otherwise 0
  Text dtype;                 ///< the data type that is named: "float16"
  std::string format;         ///< the GGUF format in capital letters: "Q4_K_M"
  std::uint16_t subject = 0;  ///< what the number counts: bits of subject::Word, or 0 if no word names it

  [[nodiscard]] bool exact() const { return low == high; }
};

/// `base` to the power of `exponent`. Throws Error{overflow} if it exceeds 128 bits.
Count raised(Count base, std::uint64_t exponent);

/// A data type and its size in bits.
struct NumberType {
  Text name;  ///< its name without the prefix "torch."; recognised 8-bit floats are all "float8", 4-bit types "int4"
  unsigned bits;
};

/// The data type that a word names ("fp16", "torch.bfloat16", "4-bit"). It has 0 bits if the word names none.
NumberType number_type(std::string_view word);

/// Whether this lower-case word is one that `read_quantity` ignores, that says what the number counts, or that names a data type. False for
/// units such as "gb", for which there is `quantity_unit`, and for GGUF formats.
bool is_quantity_word(std::string_view word);

/// What a lower-case unit after a number means: the exponent of 1,000 or 1,024 (3 for "b" and "gib"), and whether it counts bytes. For a
/// word that is not a unit, 0 and false.
struct QuantityUnit {
  unsigned power = 0;
  bool bytes = false;
};
QuantityUnit quantity_unit(std::string_view word);

/// Parses a quantity. Throws Error{wrong_type} naming `field` if the text cannot be read, Error{too_large} if it is longer than 200
/// bytes, and Error{overflow} if the number exceeds 128 bits.
Quantity read_quantity(std::string_view text, std::string_view field);

}  // namespace param_ledger
