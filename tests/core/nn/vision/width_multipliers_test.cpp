#include "core/nn/vision/width_multipliers.hpp"

#include "tests/support/support.hpp"

namespace param_ledger::test {

TEST_CASE("errors about rounded widths name the fields of the model type") {
  const auto refused = [](const std::string& type, const std::string& field, const std::string& value) {
    return answer_to(config_of(type, {{field, value}})).at("error").value("field", "");
  };
  CHECK(refused("efficientnet", "depth_divisor", "0") == "depth_divisor");
  CHECK(refused("efficientnet", "width_coefficient", "-1.0") == "width_coefficient");
  CHECK(refused("mobilenet_v2", "depth_divisible_by", "0") == "depth_divisible_by");
  CHECK(refused("mobilenet_v2", "expand_ratio", "-1.0") == "expand_ratio");
  CHECK(refused("mobilevitv2", "width_multiplier", "-1.0") == "width_multiplier");
  CHECK(refused("pp_lcnet", "scale", "-1.0") == "scale");
  CHECK(refused("pp_lcnet", "divisor", "0") == "divisor");
}

}  // namespace param_ledger::test
