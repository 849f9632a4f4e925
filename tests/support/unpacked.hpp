#pragma once

#include <string>

namespace param_ledger::test {

/// The contents of a file, decompressed if it is gzipped. Throws std::runtime_error if it cannot be read or is corrupt.
std::string unpacked_file(const std::string& path);

}  // namespace param_ledger::test
