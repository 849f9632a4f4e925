// Swin in two versions, and the variants in Donut and MaskFormer. Each is described by a SwinType. Source: transformers, models/swin,
// swinv2, donut, maskformer.

#include "core/nn/vision/swin.hpp"

namespace param_ledger {

namespace {

constexpr SwinType swin_itself{};
constexpr SwinType swinv2_type{.position_of_class = true, .second = true};
constexpr SwinType donut_type{.kept_index = true, .position_of_class = true, .last_norm = false};
constexpr SwinType maskformer_type{.kept_index = true, .position_of_class = true, .wrapped = true};

constexpr unsigned images = heads::base | heads::image, painted = images | heads::masked_image;

}  // namespace

extern const Family donut_swin{
    .model_type = "donut-swin",
    .summary = "Vision encoder of Donut (document understanding): Swin.",
    .classes = {"DonutSwin", images, "donut"},
    .aliases = swin_aliases,
    .backbone = swin_of_type<donut_type>,
    .head = swin_head,
};
extern const Family maskformer_swin{
    .model_type = "maskformer-swin",
    .summary = "Swin as the backbone of MaskFormer.",
    .classes = {"MaskFormerSwin", heads::base | heads::backbone, ""},
    .aliases = swin_aliases,
    .backbone = swin_of_type<maskformer_type>,
};
extern const Family swin{
    .model_type = "swin",
    .summary = "Hierarchical vision transformer with shifted-window attention.",
    .classes = {"Swin", painted | heads::backbone, "swin"},
    .aliases = swin_aliases,
    .backbone = swin_of_type<swin_itself>,
    .head = swin_head,
};
extern const Family swinv2{
    .model_type = "swinv2",
    .summary = "Like Swin, with scaled cosine attention.",
    .classes = {"Swinv2", painted | heads::backbone, "swinv2"},
    .aliases = swin_aliases,
    .backbone = swin_of_type<swinv2_type>,
    .head = swin_head,
};

}  // namespace param_ledger
