// Aria: Idefics 3's vision transformer and a mixture-of-experts text model. Learned queries attend to the patches. How many queries are
// used depends on the number of patches. Source: transformers, models/aria.

#include <algorithm>

#include "core/nn/nested.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

extern const Family aria_text;  // defined in aria_text.cpp

namespace {

/// The number of learned queries: max_value_projector_patch_to_query_dict or, if it is missing, the largest value in
/// projector_patch_to_query_dict, or 256 if both are missing.
Expr query_count(Config c) {
  constexpr Text field = "projector_patch_to_query_dict";
  const Json given = c.peek(field);
  const bool said = is_given(c, field);
  if (said && (!given.is(Json::Type::object) || given.size() == 0))
    c.refuse(ErrorCode::wrong_type, field, "must be an object of integers.");
  std::uint64_t most = said ? 0 : 256;
  for (const auto& [patches, queries] : (said ? given : Json{}).members()) {
    if (!queries.is(Json::Type::integer) || queries.negative()) c.refuse(ErrorCode::wrong_type, field, "must be an object of integers.");
    most = std::max(most, queries.magnitude());
  }
  c.ignore(field,
           "Only the largest value is used: the number of learned queries, unless max_value_projector_patch_to_query_dict is given.");
  const Expr derived = c.count("num_queries", "N_q", "Learned queries: the largest value in projector_patch_to_query_dict.", most);
  return c.integer("max_value_projector_patch_to_query_dict", attribute.or_else(derived));
}

void projector(Builder& b, Expr d, Expr n_queries, Expr out) {
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    b.parameter("query", {n_queries, d}, StorageKind::table);
    b.scope("cross_attn", [&] {
      query_key_value(b, d, d);
      b.owned_by(Owner::cross, [&] { multihead_attention(b, "multihead_attn", d); });
      linear(b, "linear", d, d, true);
      layer_norm(b, "layer_norm", d);
      layer_norm(b, "layer_norm_kv", d);
    });
    layer_norm(b, "layer_norm", d);
    linear(b, "feed_forward.linear_in", d, out);
    linear(b, "feed_forward.linear_out", out, out);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  Config vision = c.section("vision_config");
  const BackboneOutput tower = vision_tower(vision, b, "vision_tower", {"idefics3_vision", "smolvlm_vision"});
  require_multiple(tower.hidden, vision.integer("num_attention_heads", 16, 1));
  const Expr n_queries = query_count(c);
  BackboneOutput out = nested(c.section("text_config"), b, "language_model.model", aria_text);
  projector(b, tower.hidden, n_queries, out.hidden);
  out.language_model = "language_model.lm_head";
  out.tie_by_default = false;
  return out;
}

}  // namespace

extern const Family aria{
    .model_type = "aria",
    .summary = "Vision-language mixture-of-experts model; learned queries pool the patches.",
    .classes = {"Aria", heads::conditional | heads::base, ""},
    .backbone = backbone,
    .cache = caches::of_text_model,
};

}  // namespace param_ledger
