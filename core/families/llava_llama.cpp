// LLaVA as first published: a language model that contains the vision tower and the projector. The configuration gives the tower's name,
// but not its sizes. Without mm_vision_tower, there is only the language model.
// Source: haotian-liu/LLaVA, llava/model.

#include "core/nn/text/decoders.hpp"
#include "core/nn/vision/named_towers.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The number of linear layers in the projector: 1 for "linear", 0 for "identity", and the digit in a name such as "mlp2x_gelu".
Count projector_depth(Config c) {
  const std::string_view type = c.text("mm_projector_type", "linear");
  if (type == "linear") return 1;
  if (type == "identity") return 0;
  if (type.size() == std::string_view("mlp2x_gelu").size() && type.starts_with("mlp") && type.ends_with("x_gelu") && type[3] >= '1' &&
      type[3] <= '9')
    return static_cast<Count>(static_cast<unsigned>(type[3] - '0'));
  c.refuse(ErrorCode::unsupported, "mm_projector_type", "must be \"linear\", \"identity\" or a name such as \"mlp2x_gelu\".");
}

BackboneOutput with_tower(Config c, Builder& b, const LlamaType& type) {
  const LlamaDecoder m = llama_type_fields(c, type);
  const BackboneOutput out = llama_decoder(b, m);
  if (!is_given(c, "mm_vision_tower")) return out;
  const std::string_view name = c.text("mm_vision_tower", "");
  if (c.flag("s2", false)) c.refuse(ErrorCode::unsupported, "s2", "selects a multi-scale tower, which is not counted.");
  NamedTower tower;
  b.tower(Tower::vision, "vision_tower.vision_tower", [&] { tower = named_clip_tower(c, b, "mm_vision_tower", name); });
  const Expr seen = c.integer("mm_hidden_size", tower.hidden);
  const Count depth = projector_depth(c);
  b.tower(Tower::projector, "", [&] {
    if (c.text("mm_projector_type", "linear") == "linear") {
      linear(b, "mm_projector", seen, out.hidden, true);
    } else if (depth > 0) {
      linear(b, "mm_projector.0", seen, out.hidden, true);
      for (Count i = 1; i < depth; ++i) linear(b, concat({"mm_projector.", digits(2 * i)}), out.hidden, out.hidden, true);
    }
    const Json merge = c.peek("mm_patch_merge_type");
    if (merge.is(Json::Type::string) && holds(merge.string(), "unpad")) b.parameter("image_newline", {out.hidden});
    c.ignore("mm_patch_merge_type", "\"unpad\" adds a vector after each row of an image.");
  });
  return out;
}

constexpr LlamaType llama{.sizes = {4096, 11008, 32, 32000, 32}, .switches = both_biases, .divisible = true};
constexpr LlamaType mistral{.sizes = {4096, 14336, 32, 32000, 32}, .kv_heads = fixed(8)};

template <const LlamaType& type>
BackboneOutput backbone(Config c, Builder& b) {
  return with_tower(c, b, type);
}

constexpr Architecture llama_classes[] = {{"LlavaLlamaForCausalLM", Head::causal_lm, "model"}};
constexpr Architecture mistral_classes[] = {{"LlavaMistralForCausalLM", Head::causal_lm, "model"}};

}  // namespace

extern const Family llava_llama{
    .model_type = "llava_llama",
    .summary = "LLaVA with its original code, on Llama or Vicuna.",
    .classes = {.listed = llama_classes},
    .backbone = backbone<llama>,
    .own_code = true,
};
extern const Family llava_mistral{
    .model_type = "llava_mistral",
    .summary = "LLaVA with its original code, on Mistral.",
    .classes = {.listed = mistral_classes},
    .backbone = backbone<mistral>,
    .own_code = true,
};

}  // namespace param_ledger
