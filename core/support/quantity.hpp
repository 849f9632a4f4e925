#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/support/count.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

/// What the words around a number say that it counts; of several, all.
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

/// A number as people write it: `6.74B`, `6,738,411,520`, `6.738 billion`, `1.1 trillion`, `2^30`, `6.7e9`, `13.5 GB in fp16`, `12.55 GiB`,
/// `4.92 GB in Q4_K_M`, `3B active without embeddings`.
/// Its last digit as written says how exactly it is meant: "8.03B" means anything from 8,025,000,000 to 8,035,000,000.
struct Quantity {
  std::string text;           ///< as it was written, without blanks around it
  Count low = 0;              ///< the least integer that is written so, rounded
  Count high = 0;             ///< the largest
  Count value = 0;            ///< as written; half a unit rounded down
  Count ulp = 1;              ///< what one step of the last digit is worth, rounded down
  std::string figures;        ///< of the text, what stands before the unit
  unsigned thousands = 0;     ///< the unit's power of 1,000: 1 for K
  unsigned digits = 0;        ///< significant ones, as written
  unsigned zeros = 0;         ///< at the end, of the last digits as written: perhaps it is rounded to fewer
  bool bytes = false;         ///< bytes rather than parameters
  bool decimal = false;       ///< bytes in powers of 1,000, which some write for powers of 1,024
  unsigned bits = 0;          ///< of one parameter, where a type of numbers is named; else 0
  Text dtype;                 ///< that type: "float16"
  std::string format;         ///< a format of GGUF that is named, in capitals: "Q4_K_M"
  std::uint16_t subject = 0;  ///< what it counts, where words say so: bits of subject::Word

  [[nodiscard]] bool exact() const { return low == high; }
};

/// A power; throws Error{overflow}.
Count raised(Count base, std::uint64_t exponent);

/// A type of numbers and the bits of one.
struct NumberType {
  Text name;  ///< as torch spells it
  unsigned bits;
};

/// The type that a word names ("fp16", "torch.bfloat16", "4-bit"); one of 0 bits where it names none.
NumberType number_type(std::string_view word);

/// Throws Error{wrong_type} naming `field` for what is no such number.
Quantity read_quantity(std::string_view text, std::string_view field);

}  // namespace param_ledger
