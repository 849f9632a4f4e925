// Granite Speech: a conformer, a Q-Former that reads the conformer's output window by window, and a text model of any type.
// Source: transformers, models/granite_speech, granite_speech_plus.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr Alias encoder_aliases[] = {{"hidden_size", "hidden_dim"},
                                     {"num_hidden_layers", "num_layers"},
                                     {"num_attention_heads", "num_heads"},
                                     {"num_mel_bins", "input_dim"}};

/// Records the conformer. Halfway through its layers, the CTC head's predictions are projected and added to the hidden states. Returns the
/// width.
Expr encoder(Config c, Builder& b) {
  c.consume("model_type");
  const Expr in = c.integer("input_dim", 160), n_layers = c.integer("num_layers", 10), d = c.integer("hidden_dim", 1024);
  const Expr f = d * c.integer("feedforward_mult", 4), n = c.integer("num_heads", 8, 1), h = c.integer("dim_head", floor_divide(d, n));
  const Expr out = c.integer("output_dim", 42), context = c.integer("context_size", 200), positions = c.integer("max_pos_emb", 512);
  const Expr kernel = c.integer("conv_kernel_size", 15), inner = d * c.integer("conv_expansion_factor", 2);
  b.tower(Tower::audio, "encoder", [&] {
    b.part(Part::embedding, [&] { linear(b, "input_linear", in, d, true); });
    b.repeat("layers", all(n_layers), [&] {
      require_positive(h);
      require_positive(context);
      if (context.decide() > positions.decide()) c.refuse(ErrorCode::inconsistent, "context_size", "must not exceed max_pos_emb.");
      const auto feed_forward = [&](Text name) {
        b.scope(name, [&] { layer_norm(b, "pre_norm", d); });
        mlp(b, name, d, f, true);
      };
      feed_forward("ff1");
      b.scope(Part::attention, "attn", [&] {
        layer_norm(b, "pre_norm", d);
        linear(b, "to_q", d, n * h, false, TensorRole::query);
        linear(b, "to_kv", d, 2 * n * h);
        linear(b, "to_out", n * h, d, true);
        table(b, "rel_pos_emb", 2 * positions + 1, h);
      });
      b.scope(Part::convolution, "conv", [&] {
        layer_norm(b, "norm", d);
        conv1d(b, "up_conv", d, 2 * inner, 1);
        depthwise_conv1d(b, "depth_conv.conv", inner, kernel, false);
        batch_norm(b, "batch_norm", inner);
        conv1d(b, "down_conv", inner, d, 1);
      });
      feed_forward("ff2");
      layer_norm(b, "post_norm", d);
    });
    b.part(Part::output_head, [&] {
      linear(b, "out", d, out, true);
      linear(b, "out_mid", out, d, true);
    });
  });
  return d;
}

/// Checks cat_hidden_layers, which lists the layers that Granite Speech Plus's projector reads in addition to the last one. If it is given,
/// throws if a layer does not exist or if the projector's encoder_hidden_size is not the total width of the layers that it reads.
void require_joined(Config c, Config encoder, Expr d) {
  const auto layers = encoder.integers("cat_hidden_layers");
  if (!layers) return;
  const Expr n_layers = encoder.integer("num_layers", 10);
  for (const std::int64_t layer : *layers)
    if (layer < 0 || static_cast<Count>(layer) >= n_layers.decide())
      encoder.refuse(ErrorCode::out_of_range, "cat_hidden_layers", "must list existing layers.");
  Config projector = c.section("projector_config");
  const Expr memory = c.pool().find(projector.full_name("encoder_hidden_size"));
  if (!memory || memory.decide() != d.decide() * (layers->size() + 1))
    projector.refuse(ErrorCode::inconsistent, "encoder_hidden_size",
                     "must be the total width of the last layer and of the layers that encoder_config lists.");
}

template <bool plus>
BackboneOutput backbone(Config c, Builder& b) {
  const Expr rate = c.integer("downsample_rate", 5, 1), window = c.integer("window_size", 15);
  Config heard = c.section("encoder_config").with(encoder_aliases);
  const Expr d = encoder(heard, b), one = c.literal(1);
  Expr asked;
  b.tower(Tower::projector, "projector", [&] {
    asked = nested_auto(c.section("projector_config"), b, "qformer", "blip_2_qformer").hidden;
    b.part(Part::embedding, [&] { b.parameter("query", {one, floor_divide(window, rate), asked}, StorageKind::table); });
  });
  if (plus) require_joined(c, heard, d);
  BackboneOutput out = nested_auto(c.section("text_config"), b, "language_model.model", "granite");
  b.tower(Tower::projector, "", [&] { linear(b, "projector.linear", asked, out.hidden, true); });
  out.language_model = "language_model.lm_head";
  out.tie_by_default = true;
  return out;
}

constexpr unsigned classes = heads::conditional | heads::base;

}  // namespace

extern const Family granite_speech{
    .model_type = "granite_speech",
    .summary = "Speech recognition and translation: a conformer and a Q-Former in front of a language model.",
    .classes = {"GraniteSpeech", classes, ""},
    .backbone = backbone<false>,
    .cache = caches::of_text_model,
};
extern const Family granite_speech_plus{
    .model_type = "granite_speech_plus",
    .summary = "Like Granite Speech, with features from several conformer layers.",
    .classes = {"GraniteSpeechPlus", classes, ""},
    .backbone = backbone<true>,
    .cache = caches::of_text_model,
};

}  // namespace param_ledger
