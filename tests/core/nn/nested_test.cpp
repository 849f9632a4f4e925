// Tests nested models. A section of the configuration may name any model type that fits there; other types are refused.

#include "core/json/json_text.hpp"
#include "core/model/model.hpp"
#include "core/registry/registry.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// The sections of a model type's default configuration that may name another model type.
std::vector<std::string> nested_sections(const std::string& type) {
  std::vector<std::string> out;
  try {
    const Document document("{\"model_type\":\"" + type + "\"}");
    const Model model(document);
    for (const ConfigReader& section : model.configuration.sections) {
      const std::string path(section.path);
      const bool names_type =
          std::find(section.consumed.begin(), section.consumed.end(), std::string_view("model_type")) != section.consumed.end();
      if (names_type && path.find('.') + 1 == path.size()) out.push_back(path.substr(0, path.size() - 1));
    }
  } catch (const Error&) {
    return {};  // the type cannot be counted with its defaults
  }
  return out;
}

}  // namespace

TEST_CASE("a nested model without a hidden size or an embedding table is counted or refused", "[nn]") {
  const std::vector<std::string> types{"nemotron_asr_streaming", "clip_vision_model", "univnet"};
  std::size_t tried = 0;
  for (const Family* family : families()) {
    const std::string outer(std::string_view(family->model_type));
    for (const std::string& section : nested_sections(outer))
      for (const std::string& type : types) {
        const std::string config = "{\"model_type\":\"" + outer + "\",\"" + section + "\":{\"model_type\":\"" + type + "\"}}";
        CAPTURE(config);
        ++tried;
        const Document document(config);
        try {
          const Model model(document);
        } catch (const Error& error) {
          CHECK(error.code != ErrorCode::internal);
        }
      }
  }
  CHECK(tried > 300);
}

TEST_CASE("an error names the section and the field that do not fit", "[nn]") {
  const Json recogniser = answer_to(R"({"model_type":"nemotron3_5_asr","encoder_config":{"model_type":"nemotron_asr_streaming"}})");
  CHECK(recogniser.at("error").at("field") == "encoder_config.model_type");
  const Json encoder = answer_to(R"({"model_type":"audioflamingo3","text_config":{"model_type":"audioflamingo3_encoder"}})");
  CHECK(encoder.at("error").at("message").get<std::string>().find("embedding table") != std::string::npos);
}

}  // namespace param_ledger::test
