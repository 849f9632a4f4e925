#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/inputs/bytes/pieces.hpp"
#include "core/inputs/tensors/listing.hpp"

namespace param_ledger {

/// A file in a zip archive.
struct ZipEntry {
  std::string_view name;  ///< a view of the file's pieces
  std::uint64_t header;   ///< where its own header begins
  std::uint64_t stored;   ///< bytes that it takes
  std::uint64_t size;     ///< bytes that it has
  bool deflated;          ///< or otherwise made smaller
};

/// True for the bytes that an archive begins with.
bool begins_zip(std::string_view bytes);

/// What the directory at the end of an archive lists. Archives of more than 4 GB, too; throws Error for what is no archive or is not here.
/// Entries that overlap are told.
std::vector<ZipEntry> zip_directory(Pieces& file, Problems& problems);

/// Where the bytes of an entry begin. Throws Error where it is not here.
std::uint64_t zip_data(Pieces& file, const ZipEntry& entry);

}  // namespace param_ledger
