// Fun-ASR-Nano: an encoder on stacked frames, with a depthwise convolution in parallel to attention; an adaptor with layers that have no
// convolution; and a text model (by default a Qwen3). Source: transformers, models/fun_asr_nano.

#include "core/nn/layer_kinds.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

/// The sizes of a layer. `kernel`: the kernel size of the depthwise convolution; empty if there is none.
struct FunLayer {
  Expr d, f, n, kernel = {};
};

/// Records a layer of the encoder or adaptor. Its input has width `in`.
void layer(Builder& b, const FunLayer& m, Expr in) {
  require_positive(floor_divide(m.d, m.n));
  layer_norm(b, "input_layernorm", in);
  b.scope(Part::attention, "self_attn", [&] {
    query_key_value(b, in, m.d, true);
    linear(b, "o_proj", m.d, m.d, true, TensorRole::output);
    if (m.kernel) depthwise_conv1d(b, "fsmn.conv", m.d, m.kernel, false);
  });
  layer_norm(b, "post_attention_layernorm", m.d);
  mlp(b, "mlp", m.d, m.f, true, "fc1", "fc2");
}

BackboneOutput encoder(Config c, Builder& b) {
  const Expr in = c.integer("num_mel_bins", 80) * c.integer("num_stacked_frames", 7), d = c.integer("hidden_size", 512);
  const Expr f = c.integer("intermediate_size", 2048), n = c.integer("num_attention_heads", 4, 1),
             n_layers = c.integer("num_hidden_layers", 70);
  const Expr n_last = c.integer("num_timestamp_prediction_layers", 20), kernel = c.integer("fsmn_kernel_size", 11);
  require_positive(in);
  require_multiple(in, c.literal(2));
  const FunLayer m{d, f, n, kernel};
  b.repeat("layers", first(c.literal(1), n_layers), [&] { layer(b, m, in); });
  b.repeat("layers", between(c.literal(1), n_layers), [&] { layer(b, m, d); });
  // Layers for transcription come first, those for timestamps after them. The last layer of each kind ends with a norm.
  const Count total = n_layers.decide(), stamps = n_last.decide();
  const IndexSet normed = layers_where(c, n_layers, "num_normed_layers", "L_n", "Layers that end a stack; they have an additional norm.",
                                       [&](std::size_t i) { return i + 1 == total || i + 1 + stamps == total; });
  b.repeat("layers", normed, [&] { layer_norm(b, "final_layernorm", d); });
  return {.hidden = d};
}

constexpr LlamaType unnamed_text{.sizes = {1024, 3072, 28, 151936, 16},
                                 .kv_heads = fixed(8),
                                 .head_dim = fixed(128),
                                 .layout = {.attention = {.head_norms = QkNorm::per_head}}};
extern const Family unnamed_fun_asr_text{
    .model_type = "qwen3",
    .backbone = of_type<unnamed_text>,
    .cache = caches::switched(4096),
};

BackboneOutput backbone(Config c, Builder& b) {
  const BackboneOutput tower = nested_tower(c.section("audio_config"), b, Tower::audio, "audio_tower", {"fun_asr_nano_encoder"});
  Config adaptor = c.section("adaptor_config");
  adaptor.consume("model_type");
  const Expr d = adaptor.integer("hidden_size", 1024), f = adaptor.integer("intermediate_size", 256);
  const Expr n = adaptor.integer("num_attention_heads", 8, 1), n_layers = adaptor.integer("num_hidden_layers", 2);
  const Expr inner = adaptor.integer("projector_hidden_size", 2048);
  BackboneOutput out = nested_auto_or(c, "text_config", b, "language_model", "qwen3", unnamed_fun_asr_text);
  require_equal(d, out.hidden);
  require_equal(f, floor_divide(out.hidden, c.literal(4)));
  b.tower(Tower::projector, "multi_modal_projector", [&] {
    linear(b, "linear_1", tower.hidden, inner, true);
    linear(b, "linear_2", inner, d, true);
    b.repeat("layers", all(n_layers), [&] { layer(b, {d, f, n}, d); });
  });
  out.tie_by_default = true;
  return out;
}

constexpr Architecture encoder_classes[] = {{"FunAsrNanoEncoder", Head::none, ""}};

}  // namespace

extern const Family fun_asr_nano{
    .model_type = "fun_asr_nano",
    .summary = "Speech recognition: an audio encoder and adaptor in front of Qwen3.",
    .classes = {"FunAsrNano", heads::conditional | heads::base},
    .backbone = backbone,
};
extern const Family fun_asr_nano_encoder{
    .model_type = "fun_asr_nano_encoder",
    .summary = "Audio encoder of Fun-ASR-Nano: attention with depthwise convolutions (SAN-M).",
    .classes = {.listed = encoder_classes},
    .backbone = encoder,
};

}  // namespace param_ledger
