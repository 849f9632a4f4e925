#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/bytes/pieces.hpp"
#include "core/inputs/tensors/listing.hpp"
#include "core/support/hash_index.hpp"

namespace param_ledger {

/// A value in the header of a GGUF file, as far as it is kept: short lists of integers in full, other lists by their length.
struct GgufValue {
  std::string key;
  std::string text = {};                     ///< a string
  std::vector<std::uint64_t> integers = {};  ///< an integer, a boolean (0, 1) or a list of them; negative ones are dropped
  std::uint64_t length = 0;                  ///< the length of a list
};

/// The metadata of a GGUF file, or of the first of several shards.
struct GgufHead {
  std::vector<GgufValue> values;
  StringIndex index;             ///< of `values` by key
  std::uint64_t shards = 1;      ///< the total number of shards
  std::uint64_t here = 0;        ///< the number of given shards
  std::uint64_t tensors = 0;     ///< in all shards, as the header says; 0: it does not
  std::uint64_t data_bytes = 0;  ///< bytes of tensors in the given shards, without padding

  [[nodiscard]] const GgufValue* find(std::string_view key) const;
  /// The integer under a key, or the common value of a list; `otherwise` if there is none.
  [[nodiscard]] std::uint64_t integer(std::string_view key, std::uint64_t otherwise = 0) const;
  /// `general.architecture`; empty if missing.
  [[nodiscard]] std::string_view architecture() const;
};

/// Whether the bytes begin a GGUF file, of any version and byte order.
bool begins_gguf(std::string_view bytes);

/// Adds the tensors of a GGUF file, with dimensions in the order of other formats (the fastest one last). Reads only the header, without
/// keeping tokens. Throws Error if it is not supported (version 1, big-endian) or bytes are missing.
void read_gguf(Pieces& file, Listing& out, GgufHead& head);

}  // namespace param_ledger
