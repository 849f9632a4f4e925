#include "core/registry/registry.hpp"

#include <algorithm>
#include <utility>

#include "core/support/text.hpp"

namespace param_ledger {

const Family* family_of(std::string_view model_type) {
  if (model_type == "deepseek_ref") model_type = "deepseek_v4";  // SGLang's copies of DeepSeek-V4 use this name
  const auto list = families();
  const auto found = std::find_if(list.begin(), list.end(), [&](const Family* family) { return family->model_type == model_type; });
  return found != list.end() ? *found : nullptr;
}

Error not_loaded(std::string_view field) {
  return {ErrorCode::not_loaded, std::string(field),
          "This smaller program does not include this model type or class; the full program may include it."};
}

namespace {

/// Model types that users try but that are not counted: who publishes their code, and why they are refused.
constexpr struct {
  std::string_view model_type, publisher, why;
} uncounted[] = {{"deepseek_mtp", "vLLM",
                  "give DeepSeek-V3's config.json, from which vLLM derives this type. The published total includes the prediction layers"},
                 {"internlmxcomposer2", "the Shanghai AI Laboratory", "its adapters for images have not been compared"},
                 {"minicpmo", "OpenBMB", "its speech models have not been compared"},
                 {"molmo", "the Allen Institute for AI", "its vision tower and its adapter have not been compared"}};

struct Convention {
  Head head;
  std::string_view suffix;
};

// A model type whose Classes::heads contains both of the first two is an encoder-decoder, and its …ForCausalLM is the decoder alone.
constexpr Convention conventions[] = {
    {Head::conditional_generation, "ForConditionalGeneration"},
    {Head::causal_lm, "ForCausalLM"},
    {Head::none, "Model"},
    {Head::sequence_classification, "ForSequenceClassification"},
    {Head::token_classification, "ForTokenClassification"},
    {Head::question_answering, "ForQuestionAnswering"},
    {Head::masked_lm, "ForMaskedLM"},
    {Head::multiple_choice, "ForMultipleChoice"},
    {Head::next_sentence_prediction, "ForNextSentencePrediction"},
    {Head::pretraining, "ForPreTraining"},
    {Head::image_classification, "ForImageClassification"},
    {Head::masked_image, "ForMaskedImageModeling"},
    {Head::video_classification, "ForVideoClassification"},
    {Head::audio_classification, "ForAudioClassification"},
    {Head::frame_classification, "ForAudioFrameClassification"},
    {Head::speaker, "ForXVector"},
    {Head::ctc, "ForCTC"},
    {Head::object_detection, "ForObjectDetection"},
    {Head::semantic_segmentation, "ForSemanticSegmentation"},
    {Head::universal_segmentation, "ForUniversalSegmentation"},
    {Head::depth_estimation, "ForDepthEstimation"},
    {Head::backbone, "Backbone"},
};

/// Calls `visit` for each class of a family until it returns true.
template <class Visit>
void each_class(const Family& family, const Visit& visit) {
  const Classes& classes = family.classes;
  for (const Convention& c : conventions) {
    if ((classes.heads & heads::bit(c.head)) == 0) continue;
    const bool question = c.head == Head::question_answering && !classes.question_backbone.empty();
    const Text backbone = c.head == Head::none || c.head == Head::backbone ? "" : question ? classes.question_backbone : classes.backbone;
    if (visit(classes.prefix, c.suffix, Architecture{"", c.head, backbone})) return;
  }
  for (const Architecture& a : classes.listed)
    if (visit(a.name, std::string_view{}, a)) return;
}

/// The class with this name. If no name matches exactly, case and separators are ignored, because some published configurations write
/// PhiMoEForCausalLM.
std::optional<NamedArchitecture> find(const Family& family, std::string_view wanted) {
  std::optional<NamedArchitecture> out;
  each_class(family, [&](std::string_view prefix, std::string_view suffix, const Architecture& a) {
    if (wanted.size() != prefix.size() + suffix.size()) return false;
    const bool exact = wanted.substr(0, prefix.size()) == prefix && wanted.substr(prefix.size()) == suffix;
    if (exact || (!out && same_folded(wanted, concat({prefix, suffix})))) out = {concat({prefix, suffix}), a};
    return exact;
  });
  return out;
}

/// Two sentences that name up to four model types with this class: " Phi3ForCausalLM is a class of phi3. If you mean this class, set
/// model_type accordingly." Empty for an unknown class. Also appends the types to `nearest`.
std::string types_with(std::string_view architecture, std::vector<std::string>& nearest) {
  std::string out;
  constexpr std::size_t most_named = 4;
  for (const Choice& choice : families_with(architecture)) {
    if (nearest.size() == most_named) break;
    out += concat({out.empty() ? concat({" ", architecture, " is a class of "}) : " or ", choice.family->model_type});
    nearest.emplace_back(choice.family->model_type);
  }
  return out.empty() ? out : out + ". If you mean this class, set model_type accordingly.";
}

[[noreturn]] void unknown(std::string_view field, std::string_view name, std::string_view architecture = {}) {
  if (!has_all_families()) throw not_loaded(field);
  constexpr std::size_t longest = 100;
  const std::string_view asked = clipped(name, longest);
  Error error{ErrorCode::unknown_architecture, std::string(field),
              concat({field, " \"", asked, "\" is not a model that can be counted here."})};
  if (field == "model_type")
    for (const auto& known : uncounted)
      if (known.model_type == asked) {
        error.message += concat({" Its code is published by ", known.publisher, "; ", known.why, "."});
        throw error;
      }
  const std::string types = architecture.empty() ? std::string() : types_with(architecture, error.nearest);
  if (!types.empty()) {
    error.message += types;
    throw error;
  }
  const auto offer = [&](std::string_view known) {
    if (!nearly(asked, known) || std::find(error.nearest.begin(), error.nearest.end(), known) != error.nearest.end()) return;
    error.message += error.nearest.empty() ? " Is " : " or ";
    error.message += known;
    error.nearest.emplace_back(known);
  };
  for (const Family* family : families()) {
    if (field == "model_type")
      offer(family->model_type);
    else
      for (const NamedArchitecture& a : architectures(*family)) offer(a.name);
  }
  if (!error.nearest.empty()) error.message += " meant?";
  throw error;
}

/// Among the choices with a class of this name, the only one, or the one whose model type the class is named after: LlamaForCausalLM means
/// llama, although other model types use it, too. Null if neither rule decides.
const Choice* namesake(std::span<const Choice> having, std::string_view architecture) {
  if (having.size() == 1) return having.data();
  const Choice* out = nullptr;
  std::size_t longest = 0;
  for (const Choice& choice : having) {
    const std::string name = folded(choice.family->model_type);
    if (name.size() > longest && folded(architecture).substr(0, name.size()) == name) {
      out = &choice;
      longest = name.size();
    }
  }
  return out;
}

Choice by_architecture(std::string_view architecture) {
  if (!has_all_families()) throw not_loaded("model_type");  // stopping here lets the linker of a smaller program drop the code below
  const std::vector<Choice> having = families_with(architecture);
  if (having.empty()) unknown("architectures", architecture);
  if (const Choice* const found = namesake(having, architecture)) return *found;
  Error error{ErrorCode::missing_field, "model_type",
              concat({"model_type is missing, and ", architecture, " is a class of several types; model_type must be one of"})};
  for (const Choice& choice : having) {
    error.message += error.nearest.empty() ? " " : ", ";
    error.message += choice.family->model_type;
    error.nearest.emplace_back(choice.family->model_type);
  }
  error.message += '.';
  throw error;
}

/// Classes that published files list under a closely related model type. The fields of these files are those of the class.
constexpr struct {
  std::string_view model_type, architecture;
} under_neighbours[] = {{"gemma3", "Gemma3ForCausalLM"}, {"qwen2_moe", "Qwen3MoeForCausalLM"}};

/// The choice that a class alone determines, if it belongs to another family than model_type: a class of publishers' own code, one of
/// `under_neighbours`, or any class if no family has this model_type.
std::optional<Choice> by_class(const Family* family, std::string_view model_type, std::string_view architecture) {
  if (!has_all_families() || architecture.empty()) return {};
  const std::vector<Choice> having = families_with(architecture);
  const Choice* const found = namesake(having, architecture);
  if (found == nullptr) return {};
  const bool under_neighbour = std::any_of(std::begin(under_neighbours), std::end(under_neighbours), [&](const auto& pair) {
    return pair.model_type == model_type && pair.architecture == architecture;
  });
  if (family != nullptr && !under_neighbour && !(having.size() == 1 && found->family->own_code)) return {};
  Choice out = *found;
  out.by_class = true;
  return out;
}

}  // namespace

std::vector<NamedArchitecture> architectures(const Family& family) {
  std::vector<NamedArchitecture> out;
  each_class(family, [&](std::string_view prefix, std::string_view suffix, const Architecture& a) {
    out.push_back({concat({prefix, suffix}), a});
    return false;
  });
  return out;
}

std::vector<Choice> families_with(std::string_view architecture) {
  std::vector<Choice> out;
  for (const Family* family : families())
    if (const std::optional<NamedArchitecture> found = find(*family, architecture)) out.push_back({family, *found});
  return out;
}

std::optional<Architecture> class_with(const Family& family, Head head) {
  std::optional<Architecture> out;
  each_class(family, [&](std::string_view, std::string_view, const Architecture& a) {
    if (a.head == head) out = a;
    return out.has_value();
  });
  return out;
}

Error unknown_pair(std::string_view model_type, std::string_view architecture) {
  const Family* const family = family_of(model_type);
  const std::string_view field = family != nullptr ? "architectures" : "model_type";
  if (!has_all_families()) return not_loaded(field);
  Error error{ErrorCode::unknown_architecture, std::string(field), {}};
  if (family != nullptr) {
    error.message = concat(
        {"architectures names ", clipped(architecture, 100), ", which is not a class of model_type ", model_type, ". Its classes are"});
    for (const NamedArchitecture& a : architectures(*family)) {
      error.message += error.nearest.empty() ? " " : ", ";
      error.message += a.name;
      error.nearest.push_back(a.name);
    }
    error.message += '.';
  } else {
    error.message = concat({"model_type \"", clipped(model_type, 100), "\" is not a model that can be counted here."});
  }
  std::vector<std::string> types;
  error.message += types_with(architecture, types);
  if (family == nullptr) error.nearest = std::move(types);
  return error;
}

std::optional<Choice> choose_for_any_type(std::string_view architecture) {
  for (const Family* family : families())
    if (family->any_type)
      if (const std::optional<NamedArchitecture> found = find(*family, architecture)) return Choice{family, *found};
  return {};
}

Choice choose(std::string_view model_type, std::string_view architecture) {
  if (model_type.empty()) return by_architecture(architecture);
  const Family* const family = family_of(model_type);
  if (family == nullptr) {
    if (const std::optional<Choice> found = by_class(nullptr, model_type, architecture)) return *found;
    unknown("model_type", model_type, architecture);
  }
  if (architecture.empty()) {
    std::optional<NamedArchitecture> first;
    each_class(*family, [&](std::string_view prefix, std::string_view suffix, const Architecture& a) {
      first = {concat({prefix, suffix}), a};
      return true;
    });
    return {family, *first};
  }
  if (const std::optional<NamedArchitecture> found = find(*family, architecture)) return {family, *found};
  if (const std::optional<Choice> found = by_class(family, model_type, architecture)) return *found;
  throw unknown_pair(model_type, architecture);
}

}  // namespace param_ledger
