#include "core/nn/vision/named_towers.hpp"

#include <algorithm>

#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

struct Known {
  std::string_view name;
  VisionDefaults sizes;
};

constexpr Known clip_towers[] = {
    {"openai/clip-vit-large-patch14-336", {1024, 4096, 24, 16, 336, 14}},
    {"openai/clip-vit-large-patch14", {1024, 4096, 24, 16, 224, 14}},
    {"openai/clip-vit-base-patch16", {768, 3072, 12, 12, 224, 16}},
    {"openai/clip-vit-base-patch32", {768, 3072, 12, 12, 224, 32}},
};

}  // namespace

NamedTower named_clip_tower(Config c, Builder& b, Text field, std::string_view name) {
  const auto* const found = std::find_if(std::begin(clip_towers), std::end(clip_towers), [&](const Known& k) { return k.name == name; });
  if (found == std::end(clip_towers))
    c.refuse(ErrorCode::unsupported, field,
             "names a vision model whose sizes are not known; a known one is \"openai/clip-vit-large-patch14-336\".");
  const VisionDefaults& s = found->sizes;
  const Expr d = c.literal(s.hidden), n_layers = c.literal(s.layers);
  VisionLayers m;
  m.attention.hidden = d;
  m.attention.heads = c.literal(s.heads);
  m.inner = c.literal(s.inner);
  m.n_layers = n_layers;
  b.scope("vision_model", [&] {
    b.scope(Part::embedding, "embeddings", [&] {
      b.parameter("class_embedding", {d});
      patch_embedding(b, "patch_embedding", c.literal(3), d, c.literal(s.patch), false);
      embedding(b, "position_embedding", c.literal(s.side / s.patch * (s.side / s.patch) + 1), d, TensorRole::position_embedding);
    });
    layer_norm(b, "pre_layrnorm", d);
    b.scope("encoder", [&] { vision_layers(b, m); });
    layer_norm(b, "post_layernorm", d);
  });
  return {d, n_layers};
}

}  // namespace param_ledger
