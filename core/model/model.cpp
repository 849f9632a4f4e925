#include "core/model/model.hpp"

#include <algorithm>

#include "core/config/ignored_fields.hpp"
#include "core/model/published.hpp"
#include "core/nn/heads.hpp"
#include "core/registry/publisher_formats.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The first of `architectures`, or nothing where that is missing or null.
std::string_view first_architecture(Json root) {
  const Json found = root["architectures"];
  if (!found || found.is_null() || (found.is(Json::Type::list) && found.size() == 0)) return {};
  if (!found.is(Json::Type::list) || !found[0].is(Json::Type::string) || found[0].string().empty())
    throw Error{ErrorCode::wrong_type, "architectures",
                "architectures must be a list that begins with a class name, e.g. [\"LlamaForCausalLM\"]."};
  return found[0].string();
}

std::string_view model_type(Json root) {
  const Json found = root["model_type"];
  if (!found || found.is_null()) return {};
  if (!found.is(Json::Type::string)) throw Error{ErrorCode::wrong_type, "model_type", "model_type must be a string, e.g. \"llama\"."};
  return found.string();
}

Choice choice_for(Json root) {
  if (!root.is(Json::Type::object)) throw Error{ErrorCode::wrong_type, "", "A config.json is an object: { … }."};
  const std::string_view type = model_type(root), architecture = first_architecture(root);
  if (architecture.empty())
    if (const Family* const foreign = publisher_family(root)) return choose(foreign->model_type, "");
  if (type.empty() && architecture.empty())
    throw Error{ErrorCode::missing_field, "model_type",
                "model_type is missing, and there is no architectures to tell the model by, e.g. \"model_type\": \"llama\"."};
  return choose(type, architecture);
}

/// Fields of every configuration that would change tensors in a way that the family did not ask for.
void refuse_unsupported(Configuration& all) {
  for (const ConfigReader& section : all.sections) {
    const auto unread = [&](std::string_view field) { return section.json[field].size() > 0 && !section.has_read(field); };
    if (unread("per_layer_config"))
      section.refuse(ErrorCode::unsupported, "per_layer_config",
                     "gives single layers dimensions of their own, which are not counted for this model type.", Refused::per_layer_config);
    if (unread("attribute_map"))
      section.refuse(ErrorCode::unsupported, "attribute_map", "would redirect what transformers reads under other names; leave it out.",
                     Refused::attribute_map);
  }
}

/// transformers checks layer_types in every configuration that has layers, whether or not tensors depend on it; but where a family says
/// that it leaves entries out.
void check_layer_types(Configuration& all) {
  for (std::size_t i = 0; i < all.sections.size(); ++i) {
    const ConfigReader& section = all.sections[i];
    const bool cut = std::any_of(all.reasons.begin(), all.reasons.end(),
                                 [&](const Configuration::Reason& r) { return r.section == i && r.field == "layer_types"; });
    const Expr n_layers = all.pool.find(section.full_name("num_hidden_layers"));
    if (n_layers && !cut) section.require_length_of("layer_types", n_layers);
  }
}

/// What auto_map says of the class that is loaded in the place of transformers'.
struct OwnCode {
  bool models = false;     ///< it names any
  bool same = false;       ///< one of them is that class
  bool elsewhere = false;  ///< one of them is in another repository
};
OwnCode own_code(Json map, std::string_view architecture) {
  OwnCode out;
  for (const auto& [key, value] : map.members()) {
    if (!key.starts_with("AutoModel") || !value.is(Json::Type::string)) continue;
    const std::string_view place = value.string();
    out.models = true;
    out.same = out.same || same_folded(place.substr(place.rfind('.') + 1), architecture);
    out.elsewhere = out.elsewhere || holds(place, "--");
  }
  return out;
}

/// A model whose own code is loaded need not be what its type says, unless a family counts that code: the type's, or the class's, which
/// has read the field then.
void note_other_code(Config config, const Choice& choice, Builder& builder) {
  constexpr Text field = "auto_map";
  const Json map = config.peek(field);
  if (!map || map.is_null()) return;
  const std::string& architecture = choice.architecture.name;
  const OwnCode code = own_code(map, architecture);
  const bool known = choice.family->own_code || config.has_read(field);
  if (known && (code.same || !code.models)) return config.ignore(field, "Names the model's own code, which is what is counted.");
  config.ignore(field, "Names the model's own code. Counted is what transformers itself builds of this type.");
  const std::string_view counted =
      known ? "the code that is known of this model type" : "what transformers itself builds of this model type";
  if (code.models && !code.same)
    builder.warn(field, concat({"This model comes with code of its own, whose classes are none of the name ", architecture, "; counted is ",
                                counted, ", which may be another model."}));
  else if (code.elsewhere)
    builder.warn(field, concat({"This model's code is that of another repository; counted is ", counted, ", which may be another model."}));
  else
    builder.note(field, concat({"This model comes with code of its own; counted is ", counted, "."}));
}

void note_repeated_keys(const Document& document, Builder& builder) {
  constexpr std::size_t most_told = 20;
  const std::span<const std::string_view> repeated = document.repeated_keys();
  for (const std::string_view key : repeated.first(std::min(repeated.size(), most_told)))
    builder.warn(key, concat({key, " stands twice; the last one counts."}));
  if (repeated.size() > most_told) builder.warn("", concat({"In all, ", grouped_digits(repeated.size()), " keys are repeated."}));
}

}  // namespace

Model::Model(Json root, const Document* document, Inference* inference, Count tokens, DecisionObserver* observer)
    : choice(choice_for(root)), configuration(pool, root), builder(pool, choice.architecture.architecture, family_of) {
  pool.set_observer(observer);
  Config config = configuration.root().with(choice.family->aliases);
  config.consume("model_type");
  config.consume("architectures");
  if (document != nullptr) note_repeated_keys(*document, builder);
  if (first_architecture(root).empty() && architectures(*choice.family).size() > 1)
    builder.note("architectures", concat({"architectures is missing: counted as ", choice.architecture.name, "."}));
  BackboneOutput backbone;
  if (inference != nullptr) {
    inference->tokens = named_tokens(pool, tokens);
    inference->family = choice.family;
    builder.record_inference(*inference);
  }
  builder.scope(choice.architecture.architecture.backbone,
                [&] { settling_cache(config, builder, *choice.family, [&] { backbone = choice.family->backbone(config, builder); }); });
  (choice.family->head != nullptr ? choice.family->head : decoder_head)(config, builder, backbone);
  note_other_code(config, choice, builder);
  record_published(config, builder, *choice.family);
  check_layer_types(configuration);
  refuse_unsupported(configuration);
  refuse_learned_activations(configuration);
  pool.set_observer(nullptr);
}

}  // namespace param_ledger
