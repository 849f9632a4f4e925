// Gemma 3n with vision and audio: MobileNet-V5, which has fixed sizes, and a conformer. Each tower also has an embedding table.
// Source: transformers, models/gemma3n; timm, mobilenetv5.

#include "core/builder/blocks.hpp"
#include "core/nn/audio/conformer.hpp"
#include "core/nn/nested.hpp"

namespace param_ledger {

extern const Family gemma3n_audio;
extern const Family gemma3n_text;  // defined in gemma3n_text.cpp

namespace {

/// MobileNet-V5 as in Gemma 3n, with fixed sizes.
class MobileNet {
 public:
  explicit MobileNet(Builder& b) : b_(b) {}

  void record() {
    b_.scope(Part::embedding, "conv_stem", [&] {
      const InBlock block(b_, {Mechanism::convolutional_stem});
      convolution(b_, "conv", n(3), n(64), {n(3), n(3)});
      rms_norm(b_, "bn", n(64));
    });
    b_.part(Part::feed_forward, [&] { blocks(); });
    b_.tower(Tower::projector, "msfa", [&] {
      b_.scope("ffn", [&] {
        pointwise("pw_exp", 1920, 3840);
        pointwise("pw_proj", 3840, 2048);
      });
      rms_norm(b_, "norm", n(2048));
    });
  }

 private:
  void blocks() {
    b_.repeat("blocks.0", only(0), [&] { edge_residual(64, 256, 128); });
    b_.repeat("blocks.0", run(1, 2), [&] { edge_residual(128, 512, 128); });

    b_.repeat("blocks.1", only(0), [&] { bottleneck(128, 3, 768, 5, 256); });
    b_.repeat("blocks.1", alternate(1, 3), [&] { bottleneck(256, 5, 1024, 0, 256); });
    b_.repeat("blocks.1", alternate(2, 4), [&] { bottleneck(256, 3, 1024, 0, 256); });

    b_.repeat("blocks.2", only(0), [&] { bottleneck(256, 5, 1536, 5, 640); });
    b_.repeat("blocks.2", run(1, 7), [&] { bottleneck(640, 5, 2560, 0, 640); });
    b_.repeat("blocks.2", only(8), [&] { bottleneck(640, 0, 640, 0, 640); });
    b_.repeat("blocks.2", alternate(9, 35), [&] { multi_query_attention(640, 768, 64, true); });
    b_.repeat("blocks.2", alternate(10, 36), [&] { bottleneck(640, 0, 1280, 0, 640); });

    b_.repeat("blocks.3", only(0), [&] { bottleneck(640, 5, 3840, 5, 1280); });
    b_.repeat("blocks.3", alternate(1, 37), [&] { multi_query_attention(1280, 1536, 96, false); });
    b_.repeat("blocks.3", alternate(2, 38), [&] { bottleneck(1280, 0, 2560, 0, 1280); });
  }

  [[nodiscard]] Expr n(Count value) const { return b_.pool().literal(value); }
  [[nodiscard]] IndexSet run(std::uint64_t first, std::uint64_t last) const { return {Run{first, last}, n(last - first + 1)}; }
  /// The set of every second index from `first` to `last`.
  [[nodiscard]] IndexSet alternate(std::uint64_t first, std::uint64_t last) const {
    std::vector<Run> runs;
    for (std::uint64_t i = first; i <= last; i += 2) runs.push_back({i, i});
    return of_runs(runs, n(runs.size()));
  }

  void conv(Text name, Count in, Count out, Count kernel) { convolution(b_, name, n(in), n(out), {n(kernel), n(kernel)}, false); }
  /// Records a pointwise convolution with its norm.
  void pointwise(Text name, Count in, Count out) {
    b_.scope(name, [&] {
      conv("conv", in, out, 1);
      rms_norm(b_, "bn", n(out));
    });
  }
  void depthwise(Text name, Count channels, Count kernel) {
    if (kernel == 0) return;
    b_.scope(name, [&] {
      conv("conv", 1, channels, kernel);
      rms_norm(b_, "bn", n(channels));
    });
  }

  void edge_residual(Count in, Count inner, Count out) {
    conv("conv_exp", in, inner, 3);
    rms_norm(b_, "bn1", n(inner));
    conv("conv_pwl", inner, out, 1);
    rms_norm(b_, "bn2", n(out));
  }
  /// Records a universal inverted bottleneck. If a kernel size is 0, that convolution is omitted.
  void bottleneck(Count in, Count start_kernel, Count inner, Count middle_kernel, Count out) {
    depthwise("dw_start", in, start_kernel);
    pointwise("pw_exp", in, inner);
    depthwise("dw_mid", inner, middle_kernel);
    pointwise("pw_proj", inner, out);
    b_.parameter("layer_scale.gamma", {n(out)});
  }
  void multi_query_attention(Count width, Count queries, Count keys, bool downsampled) {
    rms_norm(b_, "norm", n(width));
    b_.scope(Part::attention, "attn", [&] {
      conv("query.proj", width, queries, 1);
      for (const Text name : {"key", "value"})
        b_.scope(name, [&] {
          if (downsampled) {
            conv("down_conv", 1, width, 3);
            rms_norm(b_, "norm", n(width));
          }
          conv("proj", width, keys, 1);
        });
      conv("output.proj", queries, width, 1);
    });
    b_.parameter("layer_scale.gamma", {n(width)});
  }

  Builder& b_;
};

/// The embedding table for a tower's own tokens, and the projection to the text model's width, which its rows and the tower's output share.
struct Embedder {
  Expr vocabulary, width;

  void record(Builder& b, Text name, Expr d) const {
    b.tower(Tower::projector, name, [&] {
      table(b, "embedding", vocabulary, width);
      rms_norm(b, "hard_embedding_norm", width);
      rms_norm(b, "soft_embedding_norm", width);
      linear(b, "embedding_projection", width, d);
    });
  }
};

Embedder vision(Config c, Builder& b) {
  c.consume("model_type");
  static constexpr std::string_view known[] = {"mobilenetv5_300m_enc"};
  static_cast<void>(c.text("architecture", "mobilenetv5_300m_enc", known));
  const Json arguments = c.peek("model_args");
  if (arguments && !arguments.is_null())
    c.refuse(ErrorCode::unsupported, "model_args", "changes the vision model; only its default sizes are counted.");
  b.tower(Tower::vision, "vision_tower.timm_model", [&] { MobileNet(b).record(); });
  return {c.integer("vocab_size", 128), c.integer("hidden_size", 2048)};
}

/// Throws if the kernel sizes or strides of the two convolutions differ from the default `usual`, e.g. "[[3,3],[3,3]]".
void require_usual(Config c, Text field, Text usual) {
  const Json given = c.peek(field);
  if (given && dump(given) != usual) c.refuse(ErrorCode::unsupported, field, "is supported only with its default value.");
  c.consume(field);
}

BackboneOutput audio_backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 1536), bands = c.integer("input_feat_size", 128);
  const Expr n_layers = c.integer("conf_num_hidden_layers", 12);
  const Conformer m{.hidden = d, .heads = c.integer("conf_num_attention_heads", 8, 1), .kernel = c.integer("conf_conv_kernel_size", 5)};
  const ChannelPair channels = channel_pair(c, "sscp_conv_channel_size", 128, 32);
  require_usual(c, "sscp_conv_kernel_size", "[[3,3],[3,3]]");
  require_usual(c, "sscp_conv_stride_size", "[[2,2],[2,2]]");
  const Expr two = c.literal(2), three = c.literal(3);
  subsampling(b,
              {.first = channels.first,
               .second = channels.second,
               .kernel_1 = {three, three},
               .kernel_2 = {three, three},
               .bands = ceil_divide(ceil_divide(bands, two), two),
               .name_1 = "conv_0",
               .name_2 = "conv_1",
               .norm = Norm::cumulative},
              d);
  b.repeat("conformer", all(n_layers), [&] {
    conformer_feed_forward(b, "ffw_layer_start", m);
    b.scope(Part::attention, "attention", [&] {
      const InBlock block(b, {.mechanism = Mechanism::attention, .heads = m.heads, .kv_heads = m.heads});
      rms_norm(b, "pre_attn_norm", d);
      b.scope("attn", [&] { conformer_attention(b, m, "relative_position_embedding.pos_proj"); });
      linear(b, "post", d, d, false, TensorRole::output);
      rms_norm(b, "post_norm", d);
    });
    conformer_convolution(b, m);
    conformer_feed_forward(b, "ffw_layer_end", m);
    rms_norm(b, "norm", d);
  });
  return {.hidden = d};
}

Embedder audio(Config c, Builder& b) {
  Expr d;
  b.tower(Tower::audio, "audio_tower", [&] { d = nested(c, b, "", gemma3n_audio).hidden; });
  return {c.integer("vocab_size", 128), d};
}

BackboneOutput backbone(Config c, Builder& b) {
  const Embedder seen = vision(c.section("vision_config"), b), heard = audio(c.section("audio_config"), b);
  const BackboneOutput out = nested(c.section("text_config"), b, "language_model", gemma3n_text);
  seen.record(b, "embed_vision", out.hidden);
  heard.record(b, "embed_audio", out.hidden);
  if (b.architecture().head == Head::conditional_generation) (void)c.flag("tie_word_embeddings", out.tie_by_default, Null::allowed);
  return out;
}

constexpr Architecture audio_classes[] = {{"Gemma3nAudioEncoder", Head::none, ""}};

}  // namespace

extern const Family gemma3n_audio{
    .model_type = "gemma3n_audio",
    .summary = "Audio encoder of Gemma 3n, a conformer.",
    .classes = {.listed = audio_classes},
    .backbone = audio_backbone,
};
extern const Family gemma3n{
    .model_type = "gemma3n",
    .summary = "Multimodal model: Gemma 3n with vision and audio encoders.",
    .classes = {"Gemma3n", heads::conditional | heads::base},
    .backbone = backbone,
};

}  // namespace param_ledger
