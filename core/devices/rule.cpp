#include "core/devices/rule.hpp"

namespace param_ledger {

std::string_view spelling(Style style) {
  static constexpr std::string_view names[] = {
      "replicate",         "colwise",           "colwise_gather_output", "colwise_repeated", "rowwise",     "rowwise_split_input",
      "embedding_rowwise", "embedding_colwise", "packed_colwise",        "packed_rowwise",   "grouped_gemm"};
  return names[static_cast<std::size_t>(style)];
}

}  // namespace param_ledger
