#include "core/nn/vision/timm.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "core/nn/layers.hpp"
#include "core/nn/vision/convolution.hpp"

namespace param_ledger {

namespace {

/// The sizes of a RepViT. The width doubles from stage to stage. In the first generation, the branch with a 1 × 1 convolution has its own
/// norm.
struct RepVit {
  std::string_view name;
  int width;
  int depths[4];
  bool first_generation;
};
constexpr RepVit repvits[] = {
    {"repvit_m1", 48, {2, 2, 14, 2}, true},    {"repvit_m2", 64, {2, 2, 12, 2}, true},    {"repvit_m3", 64, {4, 4, 18, 2}, true},
    {"repvit_m0_9", 48, {2, 2, 14, 2}, false}, {"repvit_m1_0", 56, {2, 2, 14, 2}, false}, {"repvit_m1_1", 64, {2, 2, 12, 2}, false},
    {"repvit_m1_5", 64, {4, 4, 24, 4}, false}, {"repvit_m2_3", 80, {6, 6, 34, 2}, false},
};

void conv_bn(Builder& b, Text name, Expr in, Expr out, Kernel kernel, Expr groups = {}) {
  conv_norm(b, name, in, out, kernel, {.convolution = "c", .norm = "bn", .groups = groups});
}

/// Records an MLP of two 1 × 1 convolutions with an inner width of 2 × `d`.
void repvit_mlp(Builder& b, Text name, Expr d) {
  b.scope(Part::feed_forward, name, [&] {
    conv_bn(b, "conv1", d, 2 * d, 1);
    conv_bn(b, "conv2", 2 * d, d, 1);
  });
}

void repvit_block(Builder& b, Expr d, bool first_generation) {
  b.scope("token_mixer", [&] {
    conv_bn(b, "conv", d, d, 3, d);
    if (first_generation) return conv_bn(b, "conv1", d, d, 1, d);
    depthwise_conv2d(b, "conv1", d, 1);
    batch_norm(b, "bn", d);
  });
  repvit_mlp(b, "channel_mixer", d);
}

void repvit(Config c, Builder& b, const RepVit& m, Expr channels, std::size_t count) {
  const auto number = [&](int value) { return c.literal(static_cast<Count>(value)); };
  b.scope("stem", [&] {
    conv_bn(b, "conv1", channels, number(m.width / 2), 3);
    conv_bn(b, "conv2", number(m.width / 2), number(m.width), 3);
  });
  for (std::size_t i = 0; i < std::min(count, std::size(m.depths)); ++i) {
    // The squeezed width is a quarter of the stage's width, rounded to a multiple of 8 and at least 8.
    const int width = m.width << i, squeezed = std::max(8, (width / 4 + 4) / 8 * 8);
    const Expr d = number(width), s = number(squeezed);
    b.scope(concat({"stages_", digits(i)}), [&] {
      if (i > 0)
        b.scope("downsample", [&] {
          const Expr in = number(width / 2);
          b.scope("pre_block", [&] { repvit_block(b, in, m.first_generation); });
          conv_bn(b, "spatial_downsample", in, in, 3, in);
          conv_bn(b, "channel_downsample", in, d, 1);
          repvit_mlp(b, "ffn", d);
        });
      b.repeat("blocks", all(number(m.depths[i])), [&] { repvit_block(b, d, m.first_generation); });
      // Every second block, starting with the first, has a squeeze-and-excitation module.
      std::vector<std::uint64_t> squeezing;
      for (int block = 0; block < m.depths[i]; block += 2) squeezing.push_back(static_cast<std::uint64_t>(block));
      b.repeat("blocks", listed(squeezing, number(m.depths[i] / 2)), [&] {
        b.scope("se", [&] {
          conv2d(b, "fc1", d, s, 1);
          conv2d(b, "fc2", s, d, 1);
        });
      });
    });
  }
}

/// The parts of model_args that determine tensors.
struct Arguments {
  std::size_t last = 0;  ///< the largest index in out_indices
  Expr channels;
};

Arguments arguments(Config c, bool usual) {
  Arguments out{.last = 3, .channels = c.literal(3)};
  if (usual) return out;
  const Json given = c.peek("model_args"), asked = given["out_indices"], channels = given["in_chans"];
  for (const auto& [key, value] : given.members()) {
    const bool known = key == "in_chans"      ? value.is(Json::Type::integer)
                       : key == "out_indices" ? value.is(Json::Type::list)
                                              : key == "features_only" && value.is(Json::Type::boolean) && value.boolean();
    if (!known)
      c.refuse(ErrorCode::unsupported, "model_args", concat({"passes ", clipped(key, 100), " to timm, which is not supported here."}));
  }
  if (!given["features_only"] || !asked || asked.size() == 0)
    c.refuse(ErrorCode::unsupported, "model_args", "must contain features_only and out_indices.");
  c.ignore("model_args", "It selects the outputs of the network that are used.");
  out.last = 0;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const Json index = asked[i];
    if (!index.is(Json::Type::integer) || index.negative() || index.magnitude() > 4)
      c.refuse(ErrorCode::unsupported, "model_args", "must contain out_indices from 0 to 4.");
    out.last = std::max(out.last, static_cast<std::size_t>(index.magnitude()));
  }
  if (channels && !channels.negative()) out.channels = c.literal(channels.magnitude());
  return out;
}

}  // namespace

void timm_features(Config c, Builder& b, Text name, bool usual) {
  c.consume("model_type");
  const std::string_view said = c.text("architecture", "resnet50"), architecture = said.substr(0, said.find('.'));
  const Arguments asked = arguments(c, usual);
  const auto* const found = std::find_if(std::begin(repvits), std::end(repvits), [&](const RepVit& m) { return m.name == architecture; });
  b.scope(Part::convolution, name, [&] {
    // A ResNet's first output comes from its stem, a RepViT's from its first stage.
    if (found == std::end(repvits))
      timm_resnet(c, b, "", architecture, asked.channels, asked.last);
    else
      repvit(c, b, *found, asked.channels, asked.last + 1);
  });
}

}  // namespace param_ledger
