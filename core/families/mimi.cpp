// Mimi: SEANet, with transformers at its lowest frame rate before and after the codebooks. The codebooks may have a lower rate still. The
// first num_semantic_quantizers codebooks are semantic, the others acoustic. Pocket TTS's tokenizer has no codebooks. Source: transformers,
// models/mimi, pocket_tts_audio_tokenizer.

#include <cmath>

#include "core/builder/family.hpp"
#include "core/nn/audio/codec.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

struct Mimi {
  Seanet seanet;
  Attention attention;
  Expr inner, n_layers;
  Expr codebook, width, wide, n_quantizers, n_semantic;  ///< `wide`: width of the codebooks' input
  Expr groups, stride;  ///< stride of the two convolutions that change the frame rate, and groups of the one that raises it; without a
                        ///< stride there are no such convolutions
  Expr latent;          ///< output width of the encoder; Mimi's codebooks read this output
};

/// The factor by which the last convolution downsamples: SEANet's frame rate divided by the configured one, truncated like Python's int().
/// Returns 0 if the two rates are equal: the model then has no such convolution. Throws if the configured rate is higher, or so low that
/// the factor exceeds a million.
Count latent_stride(Config c, const Seanet& m) {
  const Expr rate = c.integer("sampling_rate", 24000);
  Expr hop = c.literal(1);
  for (const Expr ratio : m.ratios) hop = hop * ratio;
  const auto frames = static_cast<double>(ceil_divide(rate, hop).decide());
  const double derived = static_cast<double>(rate.decide()) / static_cast<double>(2 * hop.decide());
  const Text field = c.has("_frame_rate") ? "_frame_rate" : "frame_rate";  // transformers writes _frame_rate, and reads either name
  const Json said = c.peek(field);
  const double given = said.is(Json::Type::boolean) ? (said.boolean() ? 1 : 0) : said.is_null() ? derived : c.number(field, derived);
  for (const Text spelling : {"_frame_rate", "frame_rate"}) c.consume(spelling);
  if (given == frames) return 0;
  constexpr double most = 1e6;
  if (!(given > 0) || frames / given > most || frames < given)
    c.refuse(ErrorCode::out_of_range, "frame_rate", "must not exceed the frame rate that follows from the ratios.");
  return static_cast<Count>(frames / given);
}

/// Reads the fields that Mimi and Pocket TTS's tokenizer have in common.
Mimi shared_fields(Config c, std::initializer_list<std::uint64_t> ratios, std::uint64_t layers) {
  Mimi m;
  m.seanet = seanet_fields(c, {.ratios = ratios_or(c, "upsampling_ratios", ratios)}, 512, 64, 3, {});
  const Expr d = m.seanet.hidden, n = c.integer("num_attention_heads", 8, 1), n_kv = c.integer("num_key_value_heads", 8, 1);
  m.n_layers = c.integer("num_hidden_layers", layers);
  m.inner = c.integer("intermediate_size", 2048);
  const Expr h = head_dim_or_share(c, d, n);
  const bool bias = c.flag("attention_bias", false);
  m.attention = {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias};
  m.groups = c.integer("upsample_groups", 512, 1);
  m.latent = d;
  return m;
}

Mimi fields(Config c) {
  Mimi m = shared_fields(c, {8, 6, 5, 4}, 8);
  m.codebook = c.integer("codebook_size", 2048);
  m.width = c.integer("codebook_dim", 256);
  m.wide = c.integer("vector_quantization_hidden_dimension", 256);
  m.n_quantizers = c.integer("num_quantizers", 32);
  m.n_semantic = c.integer("num_semantic_quantizers", 1);
  require_power_of_two(c, "codebook_size", m.codebook);
  if (m.n_semantic.decide() >= m.n_quantizers.decide())
    c.refuse(ErrorCode::inconsistent, "num_semantic_quantizers", "must be below num_quantizers.");
  if (const Count stride = latent_stride(c, m.seanet); stride > 0)
    m.stride = c.count("latent_stride", "s", "Downsampling factor of the last convolution.", stride);
  return m;
}

Mimi pocket_fields(Config c) {
  Mimi m = shared_fields(c, {6, 5, 4}, 2);
  require_positive(m.n_layers);
  m.latent = c.integer("latent_dim", 32, 1);
  const Expr stride = c.integer("latent_stride", 16, 1), rate = c.integer("sampling_rate", 24000);
  Expr hop = c.literal(1);
  for (const Expr ratio : m.seanet.ratios) hop = hop * ratio;
  // If the frame rate does not change, there are no convolutions that would change it.
  const auto kept = static_cast<double>(rate.decide()) / static_cast<double>((hop * stride).decide());
  if (kept != static_cast<double>(ceil_divide(rate, hop).decide())) m.stride = stride;
  return m;
}

void transformer(Builder& b, Text name, const Mimi& m) {
  const Expr d = m.seanet.hidden;
  b.repeat(concat({name, ".layers"}), all(m.n_layers), [&] {
    require_multiple(d, m.attention.heads);
    layer_norm(b, "input_layernorm", d);
    attention(b, "self_attn", m.attention);
    b.part(Part::attention, [&] { layer_scale(b, "self_attn_layer_scale.scale", d); });
    layer_norm(b, "post_attention_layernorm", d);
    mlp(b, "mlp", d, m.inner, false, "fc1", "fc2");
    b.part(Part::feed_forward, [&] { layer_scale(b, "mlp_layer_scale.scale", d); });
  });
}

void encoder(Builder& b, const Mimi& m, Text convolutions = "encoder") {
  const Expr d = m.seanet.hidden;
  b.scope(convolutions, [&] { seanet_encoder(b, m.seanet); });
  transformer(b, "encoder_transformer", m);
  if (m.stride) b.part(Part::convolution, [&] { conv1d(b, "downsample.conv", d, m.latent, 2 * m.stride, false); });
}

void decoder(Builder& b, const Mimi& m, Text convolutions = "decoder") {
  const Expr d = m.seanet.hidden;
  if (m.stride) {
    require_multiple(d, m.groups);
    b.part(Part::convolution, [&] { transposed_conv1d(b, "upsample.conv", d, per_group(d, m.groups), 2 * m.stride, false); });
  }
  transformer(b, "decoder_transformer", m);
  b.scope(convolutions, [&] { seanet_decoder(b, m.seanet); });
}

void quantizer(Builder& b, const Mimi& m, Text name, Expr count) {
  const Expr d = m.seanet.hidden;
  b.scope(Part::convolution, concat({"quantizer.", name}), [&] {
    if (m.wide.decide() != d.decide()) {
      conv1d(b, "input_proj", d, m.wide, 1, false);
      conv1d(b, "output_proj", m.wide, d, 1, false);
    }
    b.repeat("layers", all(count), [&] {
      b.scope("codebook", [&] {
        b.buffer("initialized", {b.pool().literal(1)});
        b.buffer("cluster_usage", {m.codebook});
        b.buffer("embed_sum", {m.codebook, m.width});
      });
    });
  });
}

/// Whether the codec has the half that `section` ("encoder_config" or "decoder_config") stands for. It has both halves unless the
/// configuration sets a section to null. Throws if the configuration gives the section another value.
bool has_half(Config c, Text section) {
  const Json given = c.peek(section);
  c.consume(section);
  if (is_given(c, section)) c.refuse(ErrorCode::unsupported, section, "must be null: it follows from the other fields.");
  return !given;
}

/// Which halves of the codec, encoder or decoder, exist.
struct Halves {
  bool encoder, decoder;
};
Halves halves_of(Config c) {
  const Halves out{has_half(c, "encoder_config"), has_half(c, "decoder_config")};
  if (!out.encoder && !out.decoder) c.refuse(ErrorCode::inconsistent, "decoder_config", "must not be null if encoder_config is null.");
  return out;
}

BackboneOutput backbone(Config c, Builder& b) {
  const Halves halves = halves_of(c);
  const Mimi m = fields(c);
  if (halves.encoder) encoder(b, m);
  if (halves.decoder) decoder(b, m);
  quantizer(b, m, "semantic_residual_vector_quantizer", m.n_semantic);
  quantizer(b, m, "acoustic_residual_vector_quantizer", m.n_quantizers - m.n_semantic);
  return {.hidden = m.seanet.hidden};
}

BackboneOutput encoder_backbone(Config c, Builder& b) {
  const Mimi m = fields(c);
  encoder(b, m);
  return {.hidden = m.seanet.hidden};
}

BackboneOutput decoder_backbone(Config c, Builder& b) {
  const Mimi m = fields(c);
  decoder(b, m);
  return {.hidden = m.seanet.hidden};
}

BackboneOutput pocket_backbone(Config c, Builder& b) {
  const Halves halves = halves_of(c);
  const Mimi m = pocket_fields(c);
  if (halves.encoder) b.scope("encoder", [&] { encoder(b, m, "encoder_seanet"); });
  if (halves.decoder) b.scope("decoder", [&] { decoder(b, m, "decoder_seanet"); });
  b.tower(Tower::projector, "", [&] { conv1d(b, "latent_proj", m.latent, m.seanet.hidden, 1, false); });
  return {.hidden = m.seanet.hidden};
}

BackboneOutput pocket_encoder_backbone(Config c, Builder& b) {
  const Mimi m = pocket_fields(c);
  encoder(b, m, "encoder_seanet");
  return {.hidden = m.latent};
}

BackboneOutput pocket_decoder_backbone(Config c, Builder& b) {
  const Mimi m = pocket_fields(c);
  decoder(b, m, "decoder_seanet");
  return {.hidden = m.seanet.hidden};
}

constexpr Architecture classes[] = {{"MimiModel", Head::none, ""}}, encoders[] = {{"MimiEncoderModel", Head::none, ""}},
                       decoders[] = {{"MimiDecoderModel", Head::none, ""}},
                       pocket_classes[] = {{"PocketTTSAudioTokenizerModel", Head::none, ""}},
                       pocket_encoders[] = {{"PocketTTSAudioTokenizerEncoderModel", Head::none, ""}},
                       pocket_decoders[] = {{"PocketTTSAudioTokenizerDecoderModel", Head::none, ""}};

}  // namespace

extern const Family mimi{
    .model_type = "mimi",
    .summary = "Neural speech codec with transformers and residual vector quantization.",
    .classes = {.listed = classes},
    .backbone = backbone,
};
extern const Family mimi_decoder{
    .model_type = "mimi_decoder",
    .summary = "Decoder of Mimi.",
    .classes = {.listed = decoders},
    .backbone = decoder_backbone,
};
extern const Family mimi_encoder{
    .model_type = "mimi_encoder",
    .summary = "Encoder of Mimi.",
    .classes = {.listed = encoders},
    .backbone = encoder_backbone,
};

extern const Family pocket_tts_audio_tokenizer{
    .model_type = "pocket_tts_audio_tokenizer",
    .summary = "Like Mimi, with continuous latents instead of codebooks.",
    .classes = {.listed = pocket_classes},
    .backbone = pocket_backbone,
};
extern const Family pocket_tts_audio_tokenizer_decoder{
    .model_type = "pocket_tts_audio_tokenizer_decoder",
    .summary = "Decoder of Pocket TTS's audio tokenizer.",
    .classes = {.listed = pocket_decoders},
    .backbone = pocket_decoder_backbone,
};
extern const Family pocket_tts_audio_tokenizer_encoder{
    .model_type = "pocket_tts_audio_tokenizer_encoder",
    .summary = "Encoder of Pocket TTS's audio tokenizer.",
    .classes = {.listed = pocket_encoders},
    .backbone = pocket_encoder_backbone,
};

}  // namespace param_ledger
