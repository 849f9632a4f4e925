#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/bytes/pieces.hpp"
#include "core/inputs/tensors/listing.hpp"
#include "core/support/hash_index.hpp"

namespace param_ledger {

/// What the head of a GGUF file says under a key, as far as it is kept: of lists those of a few integers, of all others the length.
struct GgufValue {
  std::string key;
  std::string text = {};                     ///< of a string
  std::vector<std::uint64_t> integers = {};  ///< of an integer, a boolean (0, 1) or a list of such; negative ones are left out
  std::uint64_t length = 0;                  ///< of a list
};

/// The metadata of GGUF files, of the first of several shards.
struct GgufHead {
  std::vector<GgufValue> values;
  HashIndex index;               ///< of `values` by their keys
  std::uint64_t shards = 1;      ///< that there are
  std::uint64_t here = 0;        ///< of them
  std::uint64_t tensors = 0;     ///< in all shards, as they say; 0: they do not
  std::uint64_t data_bytes = 0;  ///< of tensors in those that are here, without what aligns them

  [[nodiscard]] const GgufValue* find(std::string_view key) const;
  /// The integer under a key, or all of a list; `otherwise` where there is none, or they differ.
  [[nodiscard]] std::uint64_t integer(std::string_view key, std::uint64_t otherwise = 0) const;
  /// `general.architecture`; empty where it is not said.
  [[nodiscard]] std::string_view architecture() const;
};

/// True for the bytes that such a file begins with, of any version and order of bytes.
bool begins_gguf(std::string_view bytes);

/// Adds what a GGUF file holds: dimensions in the order of other formats, the fastest last. Reads the head alone, without keeping tokens.
/// Throws Error for what cannot be read (version 1, the most significant byte first) or is not here.
void read_gguf(Pieces& file, Listing& out, GgufHead& head);

}  // namespace param_ledger
