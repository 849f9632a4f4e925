#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// The longest header of a safetensors file. Source: the format's reference, MAX_HEADER_SIZE.
constexpr std::uint64_t longest_header = 100'000'000;

/// Adds the tensors of a safetensors file, from its beginning: eight bytes of length, the header, possibly more. `file_size` is the length
/// of the whole file, if known. Throws Error if the header cannot be read; violations of the format are reported as problems.
void read_safetensors(std::string_view bytes, std::optional<std::uint64_t> file_size, Listing& out);

/// Adds the tensors of a header as text: also without offsets, or with shapes only (`{"name": [4096, 4096]}`).
void read_header_text(std::string_view text, Listing& out);

/// Adds the names in a model.safetensors.index.json, which gives no shapes.
void read_index(std::string_view text, Listing& out);

/// The kind of a JSON object, judged by its first members.
enum class JsonInput : std::uint8_t { config, tensors, index };
JsonInput json_input(std::string_view text);

}  // namespace param_ledger
