// CvT: stages of layers. In stages whose qkv_projection_method is "dw_bn", convolutions precede the query, key and value projections.
// Source: transformers, models/cvt.

#include "core/nn/heads.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/nn/vision/width_multipliers.hpp"

namespace param_ledger {

namespace {

BackboneOutput backbone(Config c, Builder& b) {
  const Expr channels = c.integer("num_channels", 3);
  const std::vector<Expr> widths = c.dimensions("embed_dim", {64, 192, 384}), depths = c.dimensions("depth", {1, 2, 10});
  const Expr count = c.literal(depths.size());
  const std::vector<Expr> patches = stage_dimensions(c, "patch_sizes", {7, 3, 3}, count),
                          kernels = stage_dimensions(c, "kernel_qkv", {3, 3, 3}, count);
  const std::vector<double> ratios = numbers(c, "mlp_ratio", {4, 4, 4});
  const std::vector<bool> biases = switches(c, "qkv_bias", {true, true, true}), tokened = switches(c, "cls_token", {false, false, true});
  const std::vector<std::string_view> methods = c.words("qkv_projection_method", {}, {"dw_bn", "dw_bn", "dw_bn"});
  for (const auto& [field, size] : {std::pair<Text, std::size_t>{"mlp_ratio", ratios.size()},
                                    {"qkv_bias", biases.size()},
                                    {"cls_token", tokened.size()},
                                    {"qkv_projection_method", methods.size()}})
    if (size < depths.size()) c.refuse(ErrorCode::inconsistent, field, "must have an entry for each stage.", Refused::list_length);
  for (const Stage& s : stages(c, "encoder.stages", channels, "embed_dim", widths, "depth", depths, count)) {
    const std::size_t i = s.index;
    const Expr d = s.out;
    const std::string number = digits(i);
    const Expr inner = multiplied_width(c, "mlp_ratio", ratios[i], d, concat({"inner_sizes[", number, "]"}), concat({"f_", number}));
    b.scope(s.name, [&] {
      b.scope(Part::embedding, "", [&] {
        if (tokened[i]) tokens(b, "cls_token", 1, widths.back());
        patch_embedding(b, "embedding.convolution_embeddings.projection", s.in, d, patches[i]);
        layer_norm(b, "embedding.convolution_embeddings.normalization", d);
      });
      b.repeat("layers", all(s.depth), [&] {
        layer_norm(b, "layernorm_before", d);
        b.scope(Part::attention, "attention", [&] {
          for (const Text which : {"query", "key", "value"}) {
            if (methods[i] == "dw_bn")
              conv_norm(b, concat({"attention.convolution_projection_", which, ".convolution_projection"}), d, d, kernels[i],
                        {.groups = d});
            linear(b, concat({"attention.projection_", which}), d, d, biases[i]);
          }
          linear(b, "output.dense", d, d, true, TensorRole::output);
        });
        layer_norm(b, "layernorm_after", d);
        mlp(b, "", d, inner, true, "intermediate.dense", "output.dense");
      });
    });
  }
  return {.hidden = widths.back()};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::image_classification) return;
  layer_norm(b, "layernorm", m.hidden);
  classifier(c, b, "classifier", m.hidden);
}

}  // namespace

extern const Family cvt{
    .model_type = "cvt",
    .summary = "Hierarchical vision transformer with convolutional token embeddings and projections.",
    .classes = {"Cvt", heads::base | heads::image, "cvt"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
