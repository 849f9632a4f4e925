// Granite 4 Vision: a vision tower of one of several types, and a Granite that reads the outputs of the vision layers in
// deepstack_layer_map. Projectors divide the patches into windows, and a Q-Former in each projector turns each window into a square of
// queries.
// Source: transformers, models/granite4_vision.

#include "core/nn/nested.hpp"
#include "core/nn/vision/qformer.hpp"
#include "core/support/parse.hpp"

namespace param_ledger {

extern const Family granite;  // defined in granite.cpp

namespace {

/// The sides of the squares of queries and of patches in a window, from downsample_rate: "4/8" means 4 and 8.
struct Window {
  Expr queries, patches;
};

/// Throws an error for a field that is missing or has an invalid value. `wanted`: a description of valid values.
[[noreturn]] void refuse_field(Config c, Text field, Text wanted) {
  if (!is_given(c, field)) c.refuse(ErrorCode::missing_field, field, concat({"must be given: ", wanted}));
  c.refuse(ErrorCode::wrong_type, field, concat({"must be ", wanted}));
}

Window window_of(Config c) {
  const std::string_view rate = c.optional_text("downsample_rate").value_or("");
  const auto refuse = [&] {
    refuse_field(c, "downsample_rate", "the sides of the squares of queries and of patches in a window, e.g. \"4/8\".");
  };
  constexpr std::uint32_t most = 10'000;
  const auto side = [&](std::string_view written) {
    const std::optional<std::uint32_t> out = parse_integer<std::uint32_t>(written);
    if (!out || !written.empty() || *out > most) refuse();
    return *out;
  };
  const std::size_t slash = rate.find('/');
  if (slash == std::string_view::npos) refuse();
  return {c.count("query_side", "s_q", "Side of the square of queries in a window: the numerator of downsample_rate.",
                  side(rate.substr(0, slash))),
          c.count("window_side", "s_w", "Side of the square of patches in a window: the denominator of downsample_rate.",
                  side(rate.substr(slash + 1)))};
}

/// The number of entries in deepstack_layer_map. Throws unless each entry is a pair of a vision layer and a text layer.
Expr paired_layers(Config c) {
  const Json pairs = c.peek("deepstack_layer_map");
  c.consume("deepstack_layer_map");
  bool valid = pairs.is(Json::Type::list);
  if (valid) {
    for (const auto& [_, pair] : pairs.members()) {
      valid = valid && pair.is(Json::Type::list) && pair.size() == 2;
      if (!valid) break;
      for (const auto& [position, layer] : pair.members()) valid = valid && layer.is(Json::Type::integer);
    }
  }
  if (!valid) refuse_field(c, "deepstack_layer_map", "a list of pairs of a vision layer and a text layer, e.g. [[-19, 9], [-1, 0]].");
  return c.count("num_deepstack_layers", "L_ds", "Vision layers whose outputs the text model also reads (DeepStack).", pairs.size());
}

/// The sizes of the Q-Former in each projector. If qformer_config is missing, the Q-Former has one layer.
QFormer qformer_of(Config c, Expr width) {
  const bool given = is_given(c, "qformer_config");
  Config section = c.section("qformer_config");
  require_type(section, "blip_2_qformer");
  section.consume("model_type");
  return qformer_as_wide_as_vision(section, width, given ? 12 : 1, given ? 2 : 1);
}

void projector(Builder& b, const Window& window, const QFormer& q, Expr out) {
  layer_norm(b, "norm", q.hidden);
  tokens(b, "image_positions", power(window.patches, 2), q.hidden, TensorRole::position_embedding);
  tokens(b, "query", power(window.queries, 2), q.hidden);
  b.scope("qformer", [&] {
    layer_norm(b, "layernorm", q.hidden);
    qformer_layers(b, q);
  });
  linear(b, "out_linear", q.hidden, out, true);
}

/// Refuses a text model of another type than Granite. transformers builds a Granite whatever the section's type is, but the files of a
/// model with another type store other tensors.
void require_granite(Config text) {
  const Json given = text.peek("model_type");
  if (!given.is(Json::Type::string) || given.string() != "granite4_vision_text") require_type(text, "granite");
}

BackboneOutput backbone(Config c, Builder& b) {
  Config vision = c.section("vision_config"), text = c.section("text_config");
  const BackboneOutput seen = vision_tower(vision, b, "vision_tower", {"clip_vision_model", "siglip_vision_model", "pixtral"});
  const Window window = window_of(c);
  const Expr n_paired = paired_layers(c), n_offsets = c.literal(4);
  const QFormer q = qformer_of(c, seen.hidden);
  if (q.n_layers.decide() > 0 && less(seen.hidden, c.literal(64)))
    vision.refuse(ErrorCode::out_of_range, "hidden_size", "must be at least 64: the Q-Former has one head for every 64 dimensions.");
  require_granite(text);
  const BackboneOutput out = nested(text, b, "language_model", granite);
  require_positive(out.hidden);
  b.tower(Tower::projector, "", [&] {
    b.parameter("image_newline", {out.hidden});
    b.repeat("layerwise_projectors", all(n_paired), [&] { projector(b, window, q, out.hidden); });
    b.repeat("spatial_projectors", all(n_offsets), [&] { projector(b, window, q, out.hidden); });
  });
  return {.hidden = out.hidden, .embedding = out.embedding};
}

}  // namespace

extern const Family granite4_vision{
    .model_type = "granite4_vision",
    .summary = "Vision-language model for documents: a Granite that reads several vision layers through windowed Q-Formers.",
    .classes = {"Granite4Vision", heads::conditional | heads::base},
    .backbone = backbone,
};

}  // namespace param_ledger
