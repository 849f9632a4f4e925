#include "core/nn/audio/wav2vec2.hpp"

#include "core/builder/blocks.hpp"
#include "core/config/constraints.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view norms[] = {"group", "layer"};

/// If use_weighted_layer_sum is true, records the weights with which a head averages the outputs of all layers and the embeddings.
void layer_weights(Config c, Builder& b) {
  if (c.flag("use_weighted_layer_sum", false)) b.parameter("layer_weights", {c.pool().find("num_hidden_layers") + 1});
}

/// Records the x-vector head. Its convolutions over time are stored as matrices.
void speaker_head(Config c, Builder& b, Expr d) {
  const std::vector<Expr> widths = c.dimensions("tdnn_dim", {512, 512, 512, 512, 1500}),
                          kernels = c.dimensions("tdnn_kernel", {5, 3, 3, 1, 1});
  const Expr out = c.integer("xvector_output_dim", 512), labels = num_labels(c);
  if (widths.empty() || kernels.size() < widths.size())
    c.refuse(ErrorCode::inconsistent, "tdnn_kernel", "must have as many entries as tdnn_dim, and at least 1.");
  layer_weights(c, b);
  linear(b, "projector", d, widths[0], true);
  for (std::size_t i = 0; i < widths.size(); ++i)
    linear(b, concat({"tdnn.", digits(i), ".kernel"}), widths[i == 0 ? 0 : i - 1] * kernels[i], widths[i], true);
  linear(b, "feature_extractor", 2 * widths.back(), out, true);
  linear(b, "classifier", out, out, true);
  b.parameter("objective.weight", {out, labels}, StorageKind::matrix);
}

/// Records WavLM's gates for relative position biases. The table of these biases is stored in the first layer.
void relative_gate(Builder& b, Expr heads, Expr head_dim) {
  const Expr one = b.pool().literal(1);
  constexpr Count gates = 8;
  b.parameter("gru_rel_pos_const", {one, heads, one, one});
  linear(b, "gru_rel_pos_linear", head_dim, b.pool().literal(gates), true);
}

}  // namespace

Expr waveform_convolutions(Config c, Builder& b, const Waveform& type) {
  const bool all_normed = type.all_normed, squeezed = type.squeezed;
  const std::vector<Expr> widths = squeezed ? c.dimensions("conv_dim", {64, 128, 128, 128, 128, 256, 256, 256, 256, 512, 512, 512, 512})
                                            : c.dimensions("conv_dim", {512, 512, 512, 512, 512, 512, 512});
  const std::vector<Expr> kernels = squeezed ? c.dimensions("conv_kernel", {10, 3, 1, 3, 1, 3, 1, 3, 1, 2, 1, 2, 1})
                                             : c.dimensions("conv_kernel", {10, 3, 3, 3, 3, 2, 2});
  const std::vector<std::int64_t> strides =
      squeezed ? c.integers("conv_stride", {5, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1}) : c.integers("conv_stride", {5, 2, 2, 2, 2, 2, 2});
  const bool bias = c.flag("conv_bias", false);
  const bool first_normed = !all_normed && c.text("feat_extract_norm", "group", norms) == "group";
  if (widths.empty() || kernels.size() != widths.size() || strides.size() != widths.size())
    c.refuse(ErrorCode::inconsistent, "conv_dim", "must have the same length as conv_kernel and conv_stride, at least 1.");
  const Expr n_layers = c.literal(widths.size());
  require_equal(c.integer("num_feat_extract_layers", attribute.or_else(n_layers)), n_layers);
  b.scope(Part::convolution, type.name, [&] {
    const InBlock block(b, {Mechanism::convolutional_stem});
    for (std::size_t i = 0; i < widths.size(); ++i)
      b.scope(concat({"conv_layers.", digits(i)}), [&] {
        conv1d(b, "conv", i == 0 ? c.literal(1) : widths[i - 1], widths[i], kernels[i], bias);
        if (!first_normed || i == 0) norm(b, first_normed ? Norm::group : Norm::layer, "layer_norm", widths[i]);
      });
  });
  return widths.back();
}

void positional_convolution(Builder& b, Expr hidden, Expr kernel, Expr groups, WeightNorm kind) {
  require_positive(kernel);
  b.scope(Part::embedding, "conv", [&] {
    const InBlock block(b, {Mechanism::convolutional_positions});
    normed_kernel(b, kind, hidden, per_group(hidden, groups), kernel, true);
    b.parameter("bias", {hidden});
  });
}

Expr convolution_adapter(Config c, Builder& b, Expr hidden) {
  const bool used = c.flag("add_adapter", false);
  const Expr out = c.integer("output_hidden_size", unless_zero.or_else(hidden)), kernel = c.integer("adapter_kernel_size", 3),
             n_layers = c.integer("num_adapter_layers", 3);
  if (!used) return hidden;
  b.scope(Part::adapter, "adapter", [&] {
    if (out.decide() != hidden.decide()) {
      linear(b, "proj", hidden, out, true);
      layer_norm(b, "proj_layer_norm", out);
    }
    b.repeat("layers", all(n_layers), [&] { conv1d(b, "conv", out, 2 * out, kernel); });
  });
  return out;
}

bool has_masked_spec_embed(Config c) { return c.number("mask_time_prob", 0.05) > 0 || c.number("mask_feature_prob", 0) > 0; }

BackboneOutput wav2vec2_backbone(Config c, Builder& b, const Wav2Vec2Type& type) {
  const Expr d = c.integer("hidden_size", 768), f = c.integer("intermediate_size", 3072), n_layers = c.integer("num_hidden_layers", 12);
  const Expr n = c.integer("num_attention_heads", 12, 1);
  const Expr kernel =
      c.integer(type.stacked_positions ? "conv_pos_kernel_size" : "num_conv_pos_embeddings", type.stacked_positions ? 19 : 128);
  const Expr groups = c.integer("num_conv_pos_embedding_groups", 16, 1);
  const bool stable = !type.all_normed && c.flag("do_stable_layer_norm", false);
  const std::optional<Expr> adapters = type.attention_adapters ? c.optional_integer("adapter_attn_dim") : std::nullopt;
  const bool normed_features = !type.hubert || c.flag("feat_proj_layer_norm", true);
  const bool normed_positions = type.hubert && c.flag("conv_pos_batch_norm", false);
  const bool masked = has_masked_spec_embed(c) || type.always_masked;

  const Expr width = waveform_convolutions(c, b, {.all_normed = type.all_normed});
  b.scope(Part::embedding, "feature_projection", [&] {
    if (normed_features) layer_norm(b, "layer_norm", width);
    linear(b, "projection", width, d, true);
  });
  if (masked) b.part(Part::embedding, [&] { b.parameter("masked_spec_embed", {d}); });
  b.scope("encoder", [&] {
    b.scope("pos_conv_embed", [&] {
      if (type.stacked_positions) {
        b.repeat("layers", all(c.integer("num_conv_pos_embeddings", 5)), [&] {
          const InBlock block(b, {Mechanism::convolutional_positions});
          b.part(Part::embedding, [&] { conv1d(b, "conv", per_group(d, groups), d, kernel); });
        });
        return;
      }
      positional_convolution(b, d, kernel, groups, normed_positions ? WeightNorm::none : WeightNorm::parametrized);
      if (normed_positions) batch_norm(b, "batch_norm", d);
    });
    layer_norm(b, "layer_norm", d);
    b.repeat("layers", all(n_layers), [&] {
      attention(b, "attention", {.hidden = d, .heads = n, .qkv_bias = true, .output_bias = true, .o = "out_proj"});
      if (type.relative) b.scope(Part::attention, "attention", [&] { relative_gate(b, n, floor_divide(d, n)); });
      layer_norm(b, "layer_norm", d);
      mlp(b, "feed_forward", d, f, true, "intermediate_dense", "output_dense");
      layer_norm(b, "final_layer_norm", d);
      if (stable && adapters)
        b.scope(Part::adapter, "adapter_layer", [&] {
          layer_norm(b, "norm", d);
          linear(b, "linear_1", d, *adapters, true);
          linear(b, "linear_2", *adapters, d, true);
        });
    });
    if (type.relative && n_layers.decide() > 0)
      b.part(Part::attention, [&] { table(b, "layers.0.attention.rel_attn_embed", c.integer("num_buckets", 320), n); });
  });
  return {.hidden = type.adapter ? convolution_adapter(c, b, d) : d};
}

void speech_head(Config c, Builder& b, const BackboneOutput& m) { speech_head(c, b, m, {}); }

void speech_head(Config c, Builder& b, const BackboneOutput& m, const SpeechHeads& type) {
  const Head head = b.architecture().head;
  const bool adapted = c.has("add_adapter") && c.flag("add_adapter", false);
  const Expr d = adapted ? c.pool().find("hidden_size") : m.hidden;
  if (adapted && (head == Head::sequence_classification || head == Head::frame_classification))
    c.refuse(ErrorCode::unsupported, "add_adapter", "must be false: transformers cannot build this class with an adapter.");
  b.part(Part::output_head, [&] {
    switch (head) {
      case Head::ctc: linear(b, "lm_head", m.hidden, c.integer("vocab_size", type.vocabulary), true, TensorRole::head); break;
      case Head::sequence_classification: {
        layer_weights(c, b);
        const Expr width = c.integer("classifier_proj_size", type.projection);
        linear(b, "projector", d, width, true);
        linear(b, "classifier", width, num_labels(c), true);
        break;
      }
      case Head::frame_classification:
        layer_weights(c, b);
        linear(b, "classifier", d, num_labels(c), true);
        break;
      case Head::speaker: speaker_head(c, b, d); break;
      default: break;
    }
  });
}

void pretraining_head(Config c, Builder& b) {
  b.part(Part::output_head, [&] {
    const Expr codes = gumbel_quantizer(c, b, c.dimensions("conv_dim", {512, 512, 512, 512, 512, 512, 512}).back());
    const Expr shared = c.integer("proj_codevector_dim", 256);
    linear(b, "project_hid", c.pool().find("hidden_size"), shared, true);
    linear(b, "project_q", codes, shared, true);
  });
}

Expr gumbel_quantizer(Config c, Builder& b, Expr width) {
  const Expr groups = c.integer("num_codevector_groups", 2, 1), vectors = c.integer("num_codevectors_per_group", 320),
             d = c.integer("codevector_dim", 256);
  require_multiple(d, groups);
  b.scope("quantizer", [&] {
    b.parameter("codevectors", {c.literal(1), groups * vectors, floor_divide(d, groups)}, StorageKind::table);
    linear(b, "weight_proj", width, groups * vectors, true);
  });
  return d;
}

}  // namespace param_ledger
