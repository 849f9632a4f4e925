#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/inputs/bytes/pieces.hpp"
#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// A file in a zip archive.
struct ZipEntry {
  std::string_view name;  ///< its name, as a view of the file's bytes
  std::uint64_t header;   ///< position of the entry's local header
  std::uint64_t stored;   ///< compressed size in bytes
  std::uint64_t size;     ///< uncompressed size in bytes
  bool deflated;          ///< whether it is compressed
};

/// Whether the bytes begin a zip archive.
bool begins_zip(std::string_view bytes);

/// The entries in an archive's directory. Archives above 4 GB (ZIP64) are supported. Throws Error if the directory cannot be read or bytes
/// are missing. Reports entries that overlap or extend past the end.
std::vector<ZipEntry> zip_directory(Pieces& file, Problems& problems);

/// The position in the file where an entry's data begins. Throws Error if the entry's local header is missing.
std::uint64_t zip_data(Pieces& file, const ZipEntry& entry);

}  // namespace param_ledger
