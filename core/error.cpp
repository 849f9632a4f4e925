#include "core/error.hpp"

namespace param_ledger {

std::string_view spelling(ErrorCode code) {
  switch (code) {
    case ErrorCode::malformed_json: return "malformed_json";
    case ErrorCode::too_large: return "too_large";
    case ErrorCode::too_deep: return "too_deep";
    case ErrorCode::unknown_architecture: return "unknown_architecture";
    case ErrorCode::missing_field: return "missing_field";
    case ErrorCode::wrong_type: return "wrong_type";
    case ErrorCode::out_of_range: return "out_of_range";
    case ErrorCode::not_divisible: return "not_divisible";
    case ErrorCode::inconsistent: return "inconsistent";
    case ErrorCode::overflow: return "overflow";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::internal: break;
  }
  return "internal";
}

}  // namespace param_ledger
