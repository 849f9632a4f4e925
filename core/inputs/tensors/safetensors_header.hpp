#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// So long may a safetensors header be. Source: the format's reference, MAX_HEADER_SIZE.
constexpr std::uint64_t longest_header = 100'000'000;

/// Adds what a safetensors file holds, from its begin: eight bytes of length, the header, perhaps more. `file_size` is the length of the
/// whole file, where it is known. Throws Error where the header cannot be read; what it says against the format goes to the problems.
void read_safetensors(std::string_view bytes, std::optional<std::uint64_t> file_size, Listing& out);

/// Adds what such a header lists, as text by itself: also without offsets, and with shapes alone (`{"name": [4096, 4096]}`).
void read_header_text(std::string_view text, Listing& out);

/// Adds the names of a model.safetensors.index.json, which says no shapes.
void read_index(std::string_view text, Listing& out);

/// What a JSON object is, told by its first members.
enum class JsonInput : std::uint8_t { config, tensors, index };
JsonInput json_input(std::string_view text);

}  // namespace param_ledger
