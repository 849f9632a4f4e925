// Swin, in two versions, and what Donut and MaskFormer make of it: a row each.
// Source: transformers, models/swin, swinv2, donut, maskformer.

#include "core/blocks/swin.hpp"

#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr SwinType swin_itself{};
constexpr SwinType swinv2_type{.position_of_class = true, .second = true};
constexpr SwinType donut_type{.kept_index = true, .position_of_class = true, .last_norm = false};
constexpr SwinType maskformer_type{.kept_index = true, .position_of_class = true};

constexpr unsigned images = heads::base | heads::image, painted = images | heads::masked_image;

}  // namespace

const Family donut_swin{"donut-swin", "As Swin, to read documents.", {"DonutSwin", images, "donut"},
                        swin_aliases, swin_of_type<donut_type>,      swin_head};
const Family maskformer_swin{
    "maskformer-swin", "As Swin, for MaskFormer.", {"MaskFormerSwin", heads::base}, swin_aliases, swin_of_type<maskformer_type>};
const Family swin{"swin",
                  "Stages of layers that attend within windows of patches.",
                  {"Swin", painted | heads::backbone, "swin"},
                  swin_aliases,
                  swin_of_type<swin_itself>,
                  swin_head};
const Family swinv2{"swinv2",     "As Swin, with cosine attention.", {"Swinv2", painted, "swinv2"},
                    swin_aliases, swin_of_type<swinv2_type>,         swin_head};

}  // namespace param_ledger
