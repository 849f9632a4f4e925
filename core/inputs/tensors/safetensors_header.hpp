#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// The maximum size of a safetensors header in bytes. Source: safetensors/src/tensor.rs, MAX_HEADER_SIZE.
constexpr std::uint64_t longest_header = 100'000'000;

/// Adds the tensors of a safetensors file. `bytes` is the beginning of the file: eight bytes with the header's length, the header, and
/// possibly data. `file_size` is the size of the whole file in bytes, if known. Throws Error if the header cannot be read. Violations of
/// the format are reported as problems.
void read_safetensors(std::string_view bytes, std::optional<std::uint64_t> file_size, Listing& out);

/// Adds the tensors of a header that is given as text. Offsets may be missing, and a tensor may have only a shape: `{"name": [4096,
/// 4096]}`.
void read_header_text(std::string_view text, Listing& out);

/// Adds the tensor names, file names and totals in a shard index such as model.safetensors.index.json, which contains no shapes.
void read_index(std::string_view text, Listing& out);

/// The kind of a JSON object, judged by its members.
enum class JsonInput : std::uint8_t { config, tensors, index };
JsonInput json_input(std::string_view text);

}  // namespace param_ledger
