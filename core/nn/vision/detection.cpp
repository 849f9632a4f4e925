#include "core/nn/vision/detection.hpp"

#include "core/builder/blocks.hpp"
#include "core/config/constraints.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/vision/convolution.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

extern const Family rt_detr_resnet;  // transformers has only a backbone class for it

namespace {

constexpr std::string_view position_types[] = {"sine", "learned"};

std::vector<Expr> timm_backbone(Config c, Builder& b, Text name, std::size_t levels, Expr channels) {
  const std::vector<Expr> widths = timm_resnet(c, b, name, c.text("backbone", "resnet50"), channels);
  const auto indices = c.integers("out_indices");
  if (!indices) return {widths.end() - static_cast<std::ptrdiff_t>(levels), widths.end()};
  std::vector<Expr> out;
  for (const std::int64_t i : *indices) {
    // timm's output 0 is the stem, which has its own width.
    if (i < 1 || i > static_cast<std::int64_t>(widths.size()))
      c.refuse(ErrorCode::unsupported, "out_indices", "must contain the numbers of backbone stages, 1 to 4.");
    out.push_back(widths[static_cast<std::size_t>(i) - 1]);
  }
  return out;
}

/// Refuses Hiera as a backbone: when transformers saves a detector, it renames the feed-forward blocks of layers, and would rename Hiera's
/// tensors, too.
void refuse_renamed(Config section) {
  const Json type = section.peek("model_type");
  if (type.is(Json::Type::string) && type.string() == "hiera")
    section.refuse(ErrorCode::unsupported, "model_type", "is not counted as the backbone of a detector.", Refused::unwritable);
}

std::vector<Expr> known_backbone(Config section, Builder& b, Text name) {
  refuse_renamed(section);
  const BackboneOutput given = nested_backbone_auto(section, b, name, "resnet");
  if (given.stages.empty())
    section.refuse(ErrorCode::unsupported, "model_type", "is a model type whose stages, which a detector needs, are not known.");
  std::vector<Expr> out;
  for (const std::size_t i : tapped_stages(section, given.stages.size() - 1)) out.push_back(given.stages[i]);
  return out;
}

}  // namespace

std::vector<Expr> detector_backbone(Config c, Builder& b, Text name, Text timm_name, std::size_t levels) {
  Config section = c.section("backbone_config");
  std::vector<Expr> out;
  b.frozen([&] {
    if (is_given(c, "backbone_config")) {
      const Json type = section.peek("model_type");
      if (!type.is(Json::Type::string) || type.string() != "timm_backbone") {
        out = known_backbone(section, b, name);
        return;
      }
      section.consume("model_type");
      out = timm_backbone(section, b, timm_name, levels, section.integer("num_channels", 3));
      return;
    }
    const Expr channels = c.integer("num_channels", 3);
    out = c.flag("use_timm_backbone", true, Null::allowed) ? timm_backbone(c, b, timm_name, levels, channels)
                                                           : known_backbone(section, b, name);
  });
  if (out.empty()) section.refuse(ErrorCode::out_of_range, "out_indices", "must name at least one stage of the backbone.");
  return out;
}

std::vector<Expr> taken_backbone(Config c, Builder& b, Text name, const Family& unnamed, std::size_t first) {
  refuse_named_backbone(c);
  Config section = c.section("backbone_config");
  const bool said = is_given(c, "backbone_config");
  refuse_renamed(section);
  const Json type = section.peek("model_type");
  const std::string_view kind = type.is(Json::Type::string) ? type.string() : std::string_view(unnamed.model_type);
  const BackboneOutput out = !said                               ? nested_backbone(section, b, name, unnamed)
                             : kind == rt_detr_resnet.model_type ? nested_backbone(section, b, name, rt_detr_resnet)
                                                                 : nested_backbone_auto(section, b, name, unnamed.model_type);
  if (out.stages.size() <= first)
    section.refuse(ErrorCode::unsupported, "model_type", "is a model type whose stages, which a detector needs, are not known.");
  std::vector<Expr> widths;
  if (!said) widths.assign(out.stages.begin() + static_cast<std::ptrdiff_t>(first), out.stages.end());
  if (said)
    for (const std::size_t i : tapped_stages(section, out.stages.size() - 1)) widths.push_back(out.stages[i]);
  if (widths.empty()) section.refuse(ErrorCode::out_of_range, "out_indices", "must name at least one stage of the backbone.");
  return widths;
}

void image_levels(Builder& b, Text name, const std::vector<Expr>& given, Expr d, Expr count, bool last_alone) {
  constexpr Count groups = 32;
  require_listable(count);
  const std::size_t from = count.decide() > 1 || !last_alone ? 0 : given.size() - 1;
  for (std::size_t i = from; i < given.size() || i < from + count.decide(); ++i)
    b.scope(Part::adapter, concat({name, ".", digits(i - from)}), [&] {
      require_multiple(d, b.pool().literal(groups));
      conv2d(b, "0", i < given.size() ? given[i] : i == given.size() ? given.back() : d, d, i < given.size() ? 1 : 3);
      group_norm(b, "1", d);
    });
}

void mlp_head(Builder& b, Text name, Expr in, Expr hidden, Expr out, std::size_t n_layers) {
  b.scope(name, [&] {
    for (std::size_t i = 0; i < n_layers; ++i)
      linear(b, concat({"layers.", digits(i)}), i == 0 ? in : hidden, i + 1 == n_layers ? out : hidden, true);
  });
}

void deformable_attention(Builder& b, Text name, const DeformableAttention& m) {
  require_multiple(m.hidden, m.heads);
  const Expr places = m.heads * m.levels * m.points;
  b.scope(Part::attention, name, [&] {
    const InBlock block(b, {Mechanism::deformable_attention});
    linear(b, "sampling_offsets", m.hidden, 2 * places, true);
    linear(b, "attention_weights", m.hidden, places, true);
    if (!m.value.empty()) linear(b, m.value, m.hidden, m.hidden, true);
    if (!m.output.empty()) linear(b, m.output, m.hidden, m.hidden, true);
  });
}

namespace {

/// Calls `leaf` with the name, shape and storage kind of each matrix and bias of a head.
template <class Leaf>
void head_tensors(Builder& b, Expr hidden, Expr out, bool boxed, Leaf leaf) {
  b.part(Part::output_head, [&] {
    const std::size_t n_matrices = boxed ? 3 : 1;
    for (std::size_t i = 0; i < n_matrices; ++i) {
      const std::string module = boxed ? concat({"layers.", digits(i), "."}) : "";
      const Expr width = i + 1 == n_matrices ? out : hidden;
      leaf(concat({module, "weight"}), {width, hidden}, StorageKind::matrix);
      leaf(concat({module, "bias"}), {width}, StorageKind::vector);
    }
  });
}

using Shape = std::initializer_list<Expr>;

}  // namespace

void decoder_heads(Builder& b, Text name, Expr hidden, Expr out, Expr from, Expr end, bool boxed) {
  const std::string inside = concat({"model.decoder.", name});
  require_listable(end);
  head_tensors(b, hidden, out, boxed, [&](const std::string& leaf, Shape shape, StorageKind role) {
    Tensor one;
    b.repeat(inside, between(from, end), [&] { one = b.parameter(leaf, shape, role); });
    // Each copy is tied to the head of one layer, so each copy is a row of its own.
    for (auto i = static_cast<std::uint64_t>(from.decide()); i < end.decide(); ++i)
      b.repeat(name, only(i), [&] { b.tied(leaf, one, concat({inside, ".", digits(i), ".", leaf})); });
  });
}

void layer_heads(Builder& b, Text name, Expr hidden, Expr out, Expr count, bool boxed, bool in_decoder) {
  const Expr zero = b.pool().literal(0), one_layer = b.pool().literal(1);
  if (in_decoder) return decoder_heads(b, name, hidden, out, zero, count, boxed);
  require_listable(count);
  head_tensors(b, hidden, out, boxed, [&](const std::string& leaf, Shape shape, StorageKind role) {
    Tensor one;
    b.repeat(name, first(one_layer, count), [&] { one = b.parameter(leaf, shape, role); });
    b.repeat(name, between(one_layer, count), [&] { b.tied(leaf, one); });
  });
}

void learned_image_positions(Config c, Builder& b, Text name, Expr hidden) {
  if (c.text("position_embedding_type", "sine", position_types) != "learned") return;
  constexpr Count places = 50;
  b.scope(Part::embedding, name, [&] {
    for (const Text side : {"row_embeddings", "column_embeddings"}) table(b, side, c.literal(places), floor_divide(hidden, c.literal(2)));
  });
}

void detection_head(Config c, Builder& b, Expr hidden, bool no_object) {
  constexpr std::size_t layers_of_box = 3;
  const Expr labels = num_labels(c);
  b.part(Part::output_head, [&] {
    linear(b, "class_labels_classifier", hidden, no_object ? labels + 1 : labels, true);
    mlp_head(b, "bbox_predictor", hidden, hidden, c.literal(4), layers_of_box);
  });
}

}  // namespace param_ledger
