#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/inputs/bytes/pieces.hpp"
#include "core/inputs/tensors/listing.hpp"
#include "core/support/hash_index.hpp"

namespace param_ledger {

/// A metadata value from the header of a GGUF file. Of lists of strings, floats or lists, and of lists with more than 4,096 entries, only
/// the length is kept.
struct GgufValue {
  std::string key;
  std::string text = {};  ///< the value, if it is a UTF-8 string of at most 200 bytes
  std::vector<std::uint64_t> integers =
      {};                    ///< the value, if it is an integer, a boolean (0 or 1) or a list of these; negative integers are dropped
  std::uint64_t length = 0;  ///< the number of entries, if the value is a list
};

/// The metadata of a GGUF file. If several shards have the same key, the first shard's value is kept.
struct GgufHead {
  std::vector<GgufValue> values;
  StringIndex index;             ///< index of `values` by their keys
  std::uint64_t shards = 1;      ///< the total number of shards
  std::uint64_t here = 0;        ///< the number of shards that were given
  std::uint64_t tensors = 0;     ///< the number of tensors in all shards according to the header; 0 if the header does not give it
  std::uint64_t data_bytes = 0;  ///< size in bytes of the tensors in the given shards, without padding

  [[nodiscard]] const GgufValue* find(std::string_view key) const;
  /// The integer under a key, or the value that all integers of a list share; `otherwise` if there is none.
  [[nodiscard]] std::uint64_t integer(std::string_view key, std::uint64_t otherwise = 0) const;
  /// The value of `general.architecture`; empty if missing.
  [[nodiscard]] std::string_view architecture() const;
};

/// Whether the bytes begin with the magic number of GGUF files, regardless of version and byte order.
bool begins_gguf(std::string_view bytes);

/// Adds a GGUF file's metadata to `head` and its tensors to `out`, with dimensions in the order of other formats (fastest-varying last).
/// Reads only the header, and skips lists of strings such as the tokenizer's tokens. Throws Error if the version or byte order is not
/// supported, or if the header is malformed or incomplete. Reports other faults to `out.problems`.
void read_gguf(Pieces& file, Listing& out, GgufHead& head);

}  // namespace param_ledger
