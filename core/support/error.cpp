#include "core/support/error.hpp"

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
    case ErrorCode::not_loaded: return "not_loaded";
    case ErrorCode::internal: break;
  }
  return "internal";
}

std::string_view spelling(Refused kind) {
  static constexpr std::string_view names[refused_count] = {"no",
                                                            "learned_activation",
                                                            "no_experts",
                                                            "no_heads",
                                                            "unsaid_experts",
                                                            "router_width",
                                                            "list_length",
                                                            "shared_layers",
                                                            "two_spellings",
                                                            "per_layer_config",
                                                            "attribute_map",
                                                            "label_keys",
                                                            "listed_layers",
                                                            "early_alias",
                                                            "unwritable"};
  return names[static_cast<std::size_t>(kind)];
}

}  // namespace param_ledger
