#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/memory/stored_rows.hpp"

namespace param_ledger {

/// A way in which numbers are stored: so many of them together in so many bytes.
struct BlockFormat {
  Text name;
  std::uint16_t numbers;
  std::uint16_t bytes;
};
/// None where there is no such format.
const BlockFormat* block_format(std::string_view name);

/// Stores the rows as llama.cpp does, in a block format ("Q4_0", "Q6_K", …) or one of its mixtures of them ("Q4_K_M", "Q5_K_M"). False for
/// any other word. Checked against published files (tests/data/files.jsonl).
bool store_as_gguf(StoredRows& rows, std::string_view wanted);

}  // namespace param_ledger
