#pragma once

#include <string>

namespace param_ledger::test {

/// The content of a file, unpacked where gzip packed it. Throws std::runtime_error where it cannot be read, or is packed and broken.
std::string unpacked_file(const std::string& path);

}  // namespace param_ledger::test
