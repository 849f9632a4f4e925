#include "core/model/model.hpp"

#include <algorithm>

#include "core/config/dimensions.hpp"
#include "core/config/ignored_fields.hpp"
#include "core/json/json_fields.hpp"
#include "core/model/explained_error.hpp"
#include "core/model/published.hpp"
#include "core/model/totals.hpp"
#include "core/nn/heads.hpp"
#include "core/registry/publisher_formats.hpp"
#include "core/support/attempt.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The first entry of `architectures`; empty if the field is missing, null or an empty list. Throws Error{wrong_type} for any other
/// value that is not a list beginning with a class name.
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
  if (!root.is(Json::Type::object)) throw Error{ErrorCode::wrong_type, "", "A config.json must be an object: { … }."};
  const std::string_view type = model_type(root), architecture = first_architecture(root);
  if (type.empty() && !has_all_families())
    // Only the full program recognises configurations without a model_type.
    throw not_loaded("model_type");
  if (architecture.empty() || !type.empty())
    if (const Family* const foreign = publisher_family(root)) return choose(foreign->model_type, architecture);
  if (const std::optional<Choice> own = choose_for_any_type(architecture)) return *own;
  if (type.empty() && architecture.empty()) {
    const std::string other = other_kind_of_file(root);
    throw Error{ErrorCode::missing_field, "model_type",
                concat({"model_type and architectures are missing. Give the type, e.g. \"model_type\": \"llama\".",
                        other.empty() ? "" : " ", other})};
  }
  Choice choice = choose(type, architecture);
  const Json whole = root["is_encoder_decoder"];
  if (architecture.empty() && whole.is(Json::Type::boolean) && !whole.boolean())
    for (const NamedArchitecture& a : architectures(*choice.family))
      if (choice.architecture.architecture.head == Head::conditional_generation && a.architecture.head == Head::causal_lm)
        return {choice.family, a};
  return choice;
}

/// Throws an Error for fields, allowed in any configuration, that would change tensors in ways that the family does not handle.
void refuse_unsupported(Configuration& all) {
  for (const ConfigReader& section : all.sections) {
    const auto unread = [&](std::string_view field) { return section.json[field].size() > 0 && !section.has_read(field); };
    if (unread("per_layer_config"))
      section.refuse(ErrorCode::unsupported, "per_layer_config",
                     "gives single layers their own dimensions, which is not supported for this model type.", Refused::per_layer_config);
    if (unread("attribute_map"))
      section.refuse(ErrorCode::unsupported, "attribute_map", "would make transformers read fields under other names. Remove it.",
                     Refused::attribute_map);
  }
}

/// Checks the length of layer_types as transformers does for every configuration with layers, even if no tensor depends on the list. Skips
/// sections for which the family has recorded why layer_types does not matter.
void check_layer_types(Configuration& all) {
  for (std::size_t i = 0; i < all.sections.size(); ++i) {
    const ConfigReader& section = all.sections[i];
    const bool cut = std::any_of(all.reasons.begin(), all.reasons.end(),
                                 [&](const Configuration::Reason& r) { return r.section == i && r.field == "layer_types"; });
    const Expr n_layers = all.pool.find(section.full_name("num_hidden_layers"));
    if (n_layers && !cut) section.require_length_of("layer_types", n_layers);
  }
}

/// What auto_map says about the model's own code, which transformers loads instead of its own class if the user trusts that code.
struct OwnCode {
  bool models = false;     ///< auto_map names a model class
  bool same = false;       ///< one of the named classes is the class that is counted
  bool of_type = false;    ///< one of the named classes is a class of the model type
  bool elsewhere = false;  ///< one of the named classes is in another repository
};
OwnCode own_code(Json map, const Choice& choice) {
  const std::vector<NamedArchitecture> classes = architectures(*choice.family);
  OwnCode out;
  for (const auto& [key, value] : map.members()) {
    if (!key.starts_with("AutoModel") || !value.is(Json::Type::string)) continue;
    const std::string_view place = value.string(), name = place.substr(place.rfind('.') + 1);
    out.models = true;
    out.same = out.same || same_folded(name, choice.architecture.name);
    out.of_type = out.of_type || std::any_of(classes.begin(), classes.end(), [&](const NamedArchitecture& a) { return a.name == name; });
    out.elsewhere = out.elsewhere || holds(place, "--");
  }
  return out;
}

/// The first given field that no known model type has and that may change tensors in the model's own code, judging by its name. Empty if
/// there is none.
std::string unknown_field(const Configuration& all) {
  // Parts of the names of fields that affect computation, training or generation, but no tensor.
  static constexpr std::string_view harmless[] = {
      "drop",    "_id",        "eps",    "init",     "act",    "cache",  "rope",  "rotary",      "output_",
      "return_", "label",      "dtype",  "version",  "path",   "_map",   "tie_",  "attn",        "pretraining",
      "window",  "checkpoint", "pruned", "problem",  "norm",   "task",   "chunk", "position",    "use_",
      "is_",     "loss",       "scal",   "max_",     "min_",   "length", "quant", "temperature", "top_",
      "penalty", "beam",       "seed",   "language", "factor", "jitter", "coef",  "token",       "architectures"};
  for (const IgnoredField& field : ignored_fields(all)) {
    if (!field.reason.empty() || field.name.find('.') != std::string::npos || !dimension(field.name).spellings.empty()) continue;
    if (std::none_of(std::begin(harmless), std::end(harmless), [&](std::string_view part) { return holds(field.name, part); }))
      return field.name;
  }
  return {};
}

/// Adds a warning or a note that a model with its own code may differ from what is counted. Adds neither if the family counts that code
/// (`own_code`, or it has read auto_map) and auto_map names a class of this type or no class.
void note_other_code(const Configuration& configuration, Config config, const Choice& choice, Builder& builder) {
  constexpr Text field = "auto_map";
  const Json map = config.peek(field);
  if (!map || map.is_null()) return;
  const std::string& architecture = choice.architecture.name;
  const OwnCode code = own_code(map, choice);
  const bool known = choice.family->own_code || config.has_read(field);
  if (known && (code.same || code.of_type || !code.models))
    return config.ignore(field, "Names the model's own code. The count follows that code.");
  config.ignore(field, "Names the model's own code. The count follows transformers' code for this model type.");
  const std::string_view counted = known ? "the known code of this model type" : "transformers' code for this model type";
  if (code.models && !code.same)
    builder.warn(field, concat({"This model has its own code, which has no class ", architecture, ". The count follows ", counted,
                                ", which may be a different model."}));
  else if (code.elsewhere)
    builder.warn(field,
                 concat({"This model's code is in another repository. The count follows ", counted, ", which may be a different model."}));
  else if (const std::string unknown = unknown_field(configuration); !unknown.empty())
    builder.warn(field, concat({"This model has its own code, and model_type ", choice.family->model_type, " has no field ", unknown,
                                ": it may be a different model. The count follows ", counted, "."}));
  else
    builder.note(field, concat({"This model has its own code. The count follows ", counted, "."}));
}

/// Warns if the configuration gives sizes, but none that the model type reads, so that all sizes are defaults.
void warn_of_defaults(const Configuration& all, const Choice& choice, Builder& builder) {
  const auto is_given_size = [](const Field& field) {
    return field.source == Source::given && field.type != FieldType::boolean && field.type != FieldType::string;
  };
  if (std::any_of(all.fields.begin(), all.fields.end(), is_given_size)) return;
  for (const IgnoredField& field : ignored_fields(all)) {
    const bool size = field.value.is(Json::Type::integer) && !field.value.negative() && field.value.magnitude() > 1 && field.reason.empty();
    if (!size || field.name.ends_with("_id") || holds(field.name, "quant")) continue;
    return builder.warn(field.name, concat({"No field gives a size that model_type ", choice.family->model_type,
                                            " reads, so all sizes are its defaults. ", field.name, " is not read."}));
  }
}

/// Warns if the number of active parameters of a mixture of experts is not known.
void warn_of_open_experts(const Configuration& all, Builder& builder) {
  const Field* const open = missing_active(all, builder.rows());
  if (open == nullptr) return;
  const std::string name = all.full_name(open->section, open->name);
  builder.warn(name, concat({name, " is missing. The total does not depend on it, but the active parameters do, so they are not known."}));
}

/// Warns if the configuration gives pad_token_id and vocab_size, and pad_token_id is not a row of the token embedding table.
void warn_of_padding(Config c, Builder& builder) {
  const Json padding = c.peek("pad_token_id"), vocabulary = c.peek("vocab_size");
  if (!padding.is(Json::Type::integer) || padding.negative() || !vocabulary.is(Json::Type::integer) || vocabulary.negative()) return;
  if (padding.magnitude() >= vocabulary.magnitude())
    builder.warn("pad_token_id",
                 concat({"pad_token_id (", grouped_digits(padding.magnitude()), ") must be below vocab_size (",
                         grouped_digits(vocabulary.magnitude()), "): otherwise transformers cannot build most model types."}));
}

/// Whether an ignored field might change tensors in a model of another type: it is a bias flag, or a size that this family does not have.
bool may_matter(const IgnoredField& ignored) {
  if (!ignored.reason.empty()) return false;
  const std::string_view key = std::string_view(ignored.name).substr(ignored.name.rfind('.') + 1);
  if (!ignored.value.is(Json::Type::integer)) return is_true(ignored.value) && holds(key, "bias");
  const Dimension& known = dimension(key);
  if (known.spellings.empty() || known.symbol.empty()) return false;
  return ignored.value.magnitude() > 1 && known.group != Group::vocabulary && known.group != Group::layers && known.group != Group::other;
}

/// Whether the configuration gives every integer that the family read and did not derive, and no ignored field that may change tensors.
bool says_all(const Configuration& all) {
  for (const Field& field : all.fields)
    if (field.type == FieldType::integer && field.source == Source::fallback && field.number) return false;
  const std::vector<IgnoredField> ignored = ignored_fields(all);
  return std::none_of(ignored.begin(), ignored.end(), may_matter);
}

/// If the class decided the family although model_type names another one: throws an Error unless `says_all` is true or the class has the
/// publisher's own code, and otherwise adds a warning.
void require_agreement(const Configuration& all, std::string_view type, const Choice& choice, Builder& builder) {
  if (!has_all_families() || !choice.by_class) return;
  if (!choice.family->own_code && !says_all(all)) throw unknown_pair(type, choice.architecture.name);
  builder.warn("model_type", concat({choice.architecture.name, " is not a class of ", clipped(type, 100), ", but of ",
                                     choice.family->model_type, ". It is counted as the latter, because the fields match that type."}));
}

void note_repeated_keys(const Document& document, Builder& builder) {
  constexpr std::size_t most_listed = 20;
  const std::span<const std::string_view> repeated = document.repeated_keys();
  for (const std::string_view key : repeated.first(std::min(repeated.size(), most_listed)))
    builder.warn(key, concat({key, " occurs more than once; the last value is used."}));
  if (repeated.size() > most_listed) builder.warn("", concat({"In all, ", grouped_digits(repeated.size()), " keys are repeated."}));
}

/// The fields that a configuration with only this type and class would read, and the aliases of the type. Empty if such a configuration is
/// refused, or if `root` has at most two fields.
std::vector<std::string> fields_read(const Choice& choice, Json root) {
  constexpr std::size_t type_and_class = 2;
  if (root.size() <= type_and_class) return {};
  std::vector<std::string> out;
  attempt([&] {
    const Document document(
        concat({R"({"model_type":)", dump(choice.family->model_type), R"(,"architectures":[)", dump(choice.architecture.name), "]}"}));
    const Model model(document.root());
    for (const Field& field : model.configuration.fields) out.emplace_back(std::string_view(field.name));
    for (const Alias& alias : choice.family->aliases) out.emplace_back(std::string_view(alias.alias));
  });
  return out;
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
  if (inference != nullptr) {
    inference->tokens = named_tokens(pool, tokens);
    inference->family = choice.family;
    builder.record_inference(*inference);
  }
  if (std::optional<Error> refusal = attempt([&] { record(root, config, inference); })) {
    if (tell_defaults(*refusal, configuration)) refusal->message += unread_sizes(root, fields_read(choice, root));
    throw Error(*std::move(refusal));
  }
  pool.set_observer(nullptr);
}

void Model::record(Json root, Config config, Inference* inference) {
  BackboneOutput backbone;
  builder.scope(choice.architecture.architecture.backbone,
                [&] { record_with_cache(config, builder, *choice.family, [&] { backbone = choice.family->backbone(config, builder); }); });
  if (inference != nullptr) inference->ties_by_default = backbone.tie_by_default;
  (choice.family->head != nullptr ? choice.family->head : decoder_head)(config, builder, backbone);
  note_other_code(configuration, config, choice, builder);
  require_agreement(configuration, model_type(root), choice, builder);
  record_published(config, builder, *choice.family);
  check_layer_types(configuration);
  refuse_unsupported(configuration);
  refuse_learned_activations(configuration);
  warn_of_defaults(configuration, choice, builder);
  warn_of_padding(config, builder);
  warn_of_open_experts(configuration, builder);
}

}  // namespace param_ledger
