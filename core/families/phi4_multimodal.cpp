// Phi-4 multimodal: Phi-3 with SigLIP's vision tower and a conformer. The vision tower has one two-layer projector, the conformer two. The
// publisher's files contain LoRA adapters for images and for speech next to the matrices that they adapt. Source: transformers,
// models/phi4_multimodal; modeling_phi4mm.py as published with microsoft/Phi-4-multimodal-instruct.

#include <utility>

#include "core/builder/blocks.hpp"
#include "core/expr/index_set.hpp"
#include "core/nn/vision/vision.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr LlamaType text_type{.sizes = {3072, 8192, 32, 200064, 32},
                              .kv_heads = fixed_not_null(8),
                              .head_dim = attribute,
                              .layout = {.attention = {.fused = "qkv_proj"}, .feed_forward = FeedForward::gated_fused}};

constexpr LlamaType published_text_type{.sizes = text_type.sizes,
                                        .kv_heads = required(8),
                                        .layout = {.attention = {.fused = "qkv_proj.base_layer", .o = "o_proj.base_layer"},
                                                   .feed_forward = FeedForward::gated_fused,
                                                   .up = "gate_up_proj.base_layer",
                                                   .down = "down_proj.base_layer"}};

/// The names of modules and parameters outside the text model that differ between transformers and the publisher's files.
struct Names {
  Text projection_up = "img_projection_up", projection_down = "img_projection_down";
  Text whole_image = "global_img_feature_extensor", part_of_image = "sub_img_feature_extensor";
  Text q = "q_proj", k = "k_proj", v = "v_proj", o = "o_proj";
  Text gate_up = "gate_up_proj", down = "down_proj";
  Text speech_up = "up_proj_for_speech", speech_down = "down_proj_for_speech";
  Text seen_up = "up_proj_for_vision_speech", seen_down = "down_proj_for_vision_speech";
};
constexpr Names usual;
constexpr Names published{"img_projection.0",
                          "img_projection.2",
                          "glb_GN",
                          "sub_GN",
                          "linear_q",
                          "linear_k",
                          "linear_v",
                          "linear_out",
                          "net.0.linear",
                          "net.2",
                          "audio_projection.speech.0",
                          "audio_projection.speech.2",
                          "audio_projection.vision.0",
                          "audio_projection.vision.2"};

void image_embedding(Config c, Builder& b, Expr d, const Names& names) {
  c.consume("model_type");
  b.scope("image_embed", [&] {
    Expr d_vision;
    b.tower(Tower::vision, "img_processor", [&] {
      const VisionLayers m = siglip_encoder(c, b, {1152, 4304, 27, 16, 448, 14});
      d_vision = m.attention.hidden;
      layer_norm(b, "post_layernorm", d_vision);
      attention_pool(b, "head", m);
    });
    b.tower(Tower::projector, "", [&] {
      linear(b, names.projection_up, d_vision, d, true);
      linear(b, names.projection_down, d, d, true);
      const Expr one = c.literal(1);
      b.parameter(names.whole_image, {one, one, d_vision});
      b.parameter(names.part_of_image, {one, one, one, d_vision});
    });
  });
}

/// The sizes of the conformer that encodes audio, from transformers' or the publisher's fields.
struct Conformer {
  Expr d, f, n_layers, n, h, bands;
  Expr glu, separable;       ///< output channels of the gated and the depthwise separable convolutions
  Expr deep, kernel;         ///< channels and kernel size of the depthwise convolution
  Expr buckets;              ///< number of relative position buckets
  Expr reduction, channels;  ///< downsampling factor over time, and channels of the subsampling convolutions
};

Conformer conformer_fields(Config c) {
  c.consume("model_type");
  Conformer m{};
  m.d = c.integer("hidden_size", 1024), m.f = c.integer("intermediate_size", 1536), m.n_layers = c.integer("num_blocks", 24);
  m.n = c.integer("num_attention_heads", 16, 1), m.h = c.integer("head_dim", attribute.or_else(floor_divide(m.d, m.n)));
  m.bands = c.integer("input_size", 80);
  m.glu = c.integer("ext_pw_out_channel", 1024), m.separable = c.integer("depthwise_separable_out_channel", 1024);
  m.deep = c.integer("depthwise_multiplier", 1) * m.d, m.kernel = c.integer("kernel_size", 3);
  const Expr distance = c.integer("bias_max_distance", 1000);
  m.buckets = c.flag("bias_symmetric", false) ? distance : 2 * distance;
  m.reduction = c.integer("time_reduction", 8, 1), m.channels = c.integer("nemo_conv_channels", 1024);
  return m;
}

constexpr Alias published_conformer_names[] = {{"attention_dim", "hidden_size"},
                                               {"attention_heads", "num_attention_heads"},
                                               {"linear_units", "intermediate_size"},
                                               {"depthwise_seperable_out_channel", "depthwise_separable_out_channel"}};

/// Reads the conformer's fields in the publisher's format. Throws for values with which the published code would build other modules.
Conformer published_conformer_fields(Config c) {
  for (const auto& [field, wanted] : {std::pair<Text, bool>{"bias_in_glu", true}, {"batch_norm", false}, {"cnn_layer_norm", true}}) {
    if (c.peek(field).is(Json::Type::boolean) && c.peek(field).boolean() != wanted)
      c.refuse(ErrorCode::unsupported, field, wanted ? "must be true." : "must be false.");
    c.consume(field);
  }
  static constexpr std::string_view layers[] = {"nemo_conv"}, biases[] = {"t5"};
  static_cast<void>(c.text("input_layer", "nemo_conv", layers));
  Config bias = c.section("relative_attention_bias_args");
  static_cast<void>(bias.text("type", "t5", biases));
  Conformer m{};
  m.d = c.integer("hidden_size", required(1024)), m.f = c.integer("intermediate_size", required(1536));
  m.n_layers = c.integer("num_blocks", required(24)), m.n = c.integer("num_attention_heads", required(16), 1);
  require_multiple(m.d, m.n);
  m.h = floor_divide(m.d, m.n), m.bands = c.integer("input_size", required(80));
  m.glu = c.integer("ext_pw_out_channel", required(1024)), m.separable = c.integer("depthwise_separable_out_channel", required(1024));
  require_equal(m.glu, m.d);
  require_equal(m.separable, m.d);
  m.deep = c.integer("depthwise_multiplier", required(1)) * m.d, m.kernel = c.integer("kernel_size", required(3));
  m.buckets = 2 * bias.integer("t5_bias_max_distance", required(500));
  m.reduction = c.integer("time_reduction", required(8), 1);
  m.channels = c.section("nemo_conv_settings").integer("conv_channels", required(1024));
  return m;
}

/// Records the convolutions that halve time and frequency until time_reduction is reached, and a linear layer after them. The first
/// convolution is dense. The others are depthwise, each followed by a pointwise one.
void subsampling(Config c, Builder& b, const Conformer& m, bool is_published) {
  if (m.reduction.decide() % 2 != 0) c.refuse(ErrorCode::not_divisible, "time_reduction", "must be a multiple of 2.");
  std::vector<std::uint64_t> depthwise, pointwise;
  Expr left = ceil_divide(m.bands, c.literal(2));
  for (std::uint64_t i = 4, place = 2; i <= m.reduction.decide(); i *= 2, place += 3) {
    depthwise.push_back(place);
    pointwise.push_back(place + 1);
    left = ceil_divide(left, c.literal(2));
  }
  const Expr one = c.literal(1), three = c.literal(3), times = c.literal(depthwise.size());
  const Expr final_bands = is_published ? left : c.integer("nemo_final_size", attribute.or_else(left));
  b.scope(Part::embedding, "embed", [&] {
    const InBlock block(b, {Mechanism::convolutional_stem});
    b.repeat("conv", only(0), [&] { convolution(b, "", one, m.channels, {three, three}); });
    if (!depthwise.empty()) {
      b.repeat("conv", listed(depthwise, times), [&] { convolution(b, "", one, m.channels, {three, three}); });
      b.repeat("conv", listed(pointwise, times), [&] { convolution(b, "", m.channels, m.channels, {one, one}); });
    }
    linear(b, "out", m.channels * final_bands, m.d, true);
  });
}

void conformer(Config c, Builder& b, const Conformer& m, const Names& names, bool is_published) {
  const Expr d = m.d, one = c.literal(1);
  const auto feed_forward = [&](Text name) {
    b.scope(name, [&] {
      layer_norm(b, "layer_norm", d);
      fused_gated_mlp(b, "", d, m.f, true, names.gate_up, names.down);
    });
  };
  b.tower(Tower::audio, "encoder", [&] {
    b.part(Part::embedding, [&] {
      b.buffer("encoder_embedding.global_mean", {m.bands});
      b.buffer("encoder_embedding.global_invstd", {m.bands});
    });
    subsampling(c, b, m, is_published);
    b.part(Part::attention, [&] { table(b, "relative_attention_bias_layer.bias_values", m.buckets, m.n); });
    b.repeat("encoders", all(m.n_layers), [&] {
      feed_forward("feed_forward_in");
      attention(b, "self_attn",
                {.hidden = d,
                 .heads = m.n,
                 .head_dim = m.h,
                 .qkv_bias = true,
                 .output_bias = true,
                 .q = names.q,
                 .k = names.k,
                 .v = names.v,
                 .o = names.o});
      b.scope(Part::feed_forward, "conv", [&] {
        layer_norm(b, "layer_norm", d);
        b.parameter("glu.b1", {one, m.glu, one});
        b.parameter("glu.b2", {one, m.glu, one});
        convolution(b, "glu.ext_pw_conv_1d", d, 2 * m.glu, {one});
        depthwise_conv1d(b, "dw_sep_conv_1d.dw_conv", m.deep, m.kernel, true);
        convolution(b, "dw_sep_conv_1d.pw_conv", m.deep, m.separable, {one});
        convolution(b, "ext_pw_conv_1d", d, m.glu, {one});
      });
      feed_forward("feed_forward_out");
      layer_norm(b, "layer_norm_att", d);
      layer_norm(b, "layer_norm", d);
    });
  });
}

/// Records two projectors for audio. `joined`: the width of their input, downsample_rate concatenated frames of the conformer's output.
void audio_projectors(Builder& b, Expr joined, Expr d, const Names& names) {
  b.tower(Tower::projector, "", [&] {
    linear(b, names.speech_up, joined, d, true);
    linear(b, names.speech_down, d, d, true);
    linear(b, names.seen_up, joined, d, true);
    linear(b, names.seen_down, d, d, true);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const BackboneOutput out = llama_type(c, b, text_type);
  b.scope("embed_tokens_extend", [&] {
    image_embedding(c.section("vision_config"), b, out.hidden, usual);
    Config audio = c.section("audio_config");
    b.scope("audio_embed", [&] {
      const Conformer m = conformer_fields(audio);
      conformer(audio, b, m, usual, false);
      audio_projectors(b, m.d * audio.integer("downsample_rate", 1), out.hidden, usual);
    });
  });
  return out;
}

/// Reads the rank of an adapter. `layers`: the published pattern of adapted modules, which covers all four matrices of each layer.
Expr adapter_rank(Config c, Text section, std::string_view layers) {
  Config its = c.section(section);
  if (its.text("layer", "") != layers)
    its.refuse(ErrorCode::unsupported, "layer", "must be the published pattern, which selects all four matrices of each layer.");
  return its.integer("r", required(256), 1);
}

void require_text(Config c, Text field, std::string_view wanted) {
  if (c.text(field, "") != wanted) c.refuse(ErrorCode::unsupported, field, concat({"must be \"", wanted, "\"."}));
}

BackboneOutput published_backbone(Config c, Builder& b) {
  const LlamaDecoder text = llama_type_fields(c, published_text_type);
  const BackboneOutput out = llama_decoder(b, text);
  const Expr d = out.hidden, n = text.attention.heads, n_kv = text.attention.kv_heads, h = floor_divide(d, n);
  require_multiple(d, n);
  const Expr seen = adapter_rank(c, "vision_lora", R"(layers.*((self_attn\.(qkv_proj|o_proj))|(mlp\.(gate_up|down)_proj)))");
  const Expr heard = adapter_rank(c, "speech_lora", R"(((layers.*self_attn\.(qkv|o)_proj)|(layers.*mlp\.(gate_up|down)_proj)))");
  const auto adapters = [&](Text name, Expr in, Expr to) {
    for (const auto& [which, rank] : {std::pair<std::string_view, Expr>{"vision", seen}, {"speech", heard}}) {
      linear(b, concat({name, ".lora_A.", which}), in, rank);
      linear(b, concat({name, ".lora_B.", which}), rank, to);
    }
  };
  b.repeat("layers", all(text.n_layers), [&] {
    b.scope(Part::attention, "self_attn", [&] {
      adapters("qkv_proj", d, n * h + 2 * n_kv * h);
      adapters("o_proj", n * h, d);
    });
    b.scope(Part::feed_forward, "mlp", [&] {
      adapters("gate_up_proj", d, 2 * text.inner);
      adapters("down_proj", text.inner, d);
    });
  });
  Config embedded = c.section("embd_layer");
  require_text(embedded, "embedding_cls", "image_audio");
  Config image = embedded.section("image_embd_layer"), speech = embedded.section("audio_embd_layer");
  require_text(image, "projection_cls", "mlp");
  require_text(image, "image_token_compression_cls", "avg_pool_2d");
  if (!image.flag("use_hd_transform", false) || !image.flag("with_learnable_separator", false))
    image.refuse(ErrorCode::unsupported, "with_learnable_separator", "and use_hd_transform must be true.");
  require_text(speech, "projection_cls", "mlp");
  for (const Text field : {"use_conv_downsample", "use_qformer"})
    if (speech.flag(field, false)) speech.refuse(ErrorCode::unsupported, field, "must be false.");
  if (is_given(c, "img_processor")) c.refuse(ErrorCode::unsupported, "img_processor", "must be missing: the vision tower is SigLIP's.");
  Config processor = c.section("audio_processor");
  require_text(processor, "name", "cascades");
  Config audio = processor.section("config").with(published_conformer_names);
  b.scope("embed_tokens_extend", [&] {
    image_embedding(c.section("vision_config"), b, d, published);
    b.scope("audio_embed", [&] {
      const Conformer m = published_conformer_fields(audio);
      conformer(audio, b, m, published, true);
      audio_projectors(b, m.d * speech.integer("downsample_rate", 1), d, published);
    });
  });
  return out;
}

constexpr Architecture published_classes[] = {{"Phi4MMForCausalLM", Head::causal_lm, "model"}, {"Phi4MMModel", Head::none, ""}};

}  // namespace

extern const Family phi4_multimodal{
    .model_type = "phi4_multimodal",
    .summary = "Multimodal model: Phi-3 with vision and audio encoders.",
    .classes = {"Phi4Multimodal", heads::decoder},
    .backbone = backbone,
    .cache = caches::windowed(),
};
extern const Family phi4mm{
    .model_type = "phi4mm",
    .summary = "Phi-4-multimodal with its original code, with separate vision and speech LoRA adapters.",
    .classes = {.listed = published_classes},
    .backbone = published_backbone,
    .own_code = true,
};

}  // namespace param_ledger
