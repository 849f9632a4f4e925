#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/inputs/bytes/pieces.hpp"
#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// A file in a zip archive.
struct ZipEntry {
  std::string_view name;  ///< a view of the file's bytes
  std::uint64_t header;   ///< position of its own header
  std::uint64_t stored;   ///< bytes in the archive
  std::uint64_t size;     ///< bytes uncompressed
  bool deflated;          ///< compressed
};

/// Whether the bytes begin an archive.
bool begins_zip(std::string_view bytes);

/// The entries in an archive's directory, also of archives above 4 GB. Throws Error if it is not an archive or bytes are missing. Reports
/// overlapping entries.
std::vector<ZipEntry> zip_directory(Pieces& file, Problems& problems);

/// The position of an entry's data. Throws Error if its header is missing.
std::uint64_t zip_data(Pieces& file, const ZipEntry& entry);

}  // namespace param_ledger
