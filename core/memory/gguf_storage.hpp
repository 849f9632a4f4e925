#pragma once

#include <string_view>

#include "core/builder/builder.hpp"
#include "core/memory/stored_rows.hpp"

namespace param_ledger {

/// A block format: `numbers` weights are stored together in `bytes` bytes.
struct BlockFormat {
  Text name;
  std::uint16_t numbers;
  std::uint16_t bytes;
};
/// The block format with this name; null if there is none.
const BlockFormat* block_format(std::string_view name);

/// Stores the rows as llama.cpp does, in a block format ("Q4_0", "Q6_K", …) or in a mixture of formats ("Q4_K_M", "Q5_K_M"). Returns false
/// for any other name. Checked against published files (tests/data/files.jsonl).
bool store_as_gguf(StoredRows& rows, std::string_view wanted);

}  // namespace param_ledger
