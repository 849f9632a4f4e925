// Emu3: a Llama with image codes in its vocabulary, and a VQ model that converts images to codes and back. Source: transformers,
// models/emu3.

#include <algorithm>
#include <vector>

#include "core/config/constraints.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

struct Emu3Vq {
  Expr base, latent, codes, attending;  ///< channels before channel_multiplier, in the latent and in a code; width of attention
  Expr n_blocks, n_times;
  std::vector<Expr> factors;
  std::vector<std::int64_t> attends;
};

void conv3d(Builder& b, Text name, Expr in, Expr out, Count time, Count side) {
  const auto size = [&](Count n) { return b.pool().literal(n); };
  b.scope(name, [&] {
    b.parameter("weight", {out, in, size(time), size(side), size(side)}, StorageKind::kernel);
    b.parameter("bias", {out});
  });
}

/// Records a group norm over 32 groups of channels. In the decoder, a second scale and shift follow, which are computed from the codes.
void norm(Builder& b, const Emu3Vq& m, Text name, Expr channels, bool decodes) {
  require_multiple(channels, b.pool().literal(32));
  if (!decodes) return group_norm(b, name, channels);
  b.scope(name, [&] {
    group_norm(b, "norm_layer", channels);
    for (const Text by : {"conv_y", "conv_b"}) conv2d(b, by, m.codes, channels, 1);
  });
}

void residual(Builder& b, const Emu3Vq& m, Expr in, Expr out, bool decodes) {
  norm(b, m, "norm1", in, decodes);
  conv2d(b, "conv1", in, out, 3);
  norm(b, m, "norm2", out, decodes);
  conv2d(b, "conv2", out, out, 3);
  if (in.decide() != out.decide()) conv2d(b, "nin_shortcut", in, out, 1);
}

void attention_of_places(Builder& b, const Emu3Vq& m) {
  query_key_value(b, m.attending, m.attending, true);
  linear(b, "out_proj", m.attending, m.attending, true, TensorRole::output);
}

void middle(Builder& b, const Emu3Vq& m, Expr width, bool decodes) {
  b.scope("middle_block", [&] {
    for (const Text name : {"block_1", "block_2"}) b.scope(name, [&] { residual(b, m, width, width, decodes); });
    b.scope("attn_1", [&] { attention_of_places(b, m); });
    norm(b, m, "attn_norm", width, decodes);
  });
}

Expr width_of(const Emu3Vq& m, std::size_t stage) { return m.factors[stage].decide() == 1 ? m.base : m.factors[stage] * m.base; }

/// Records the residual blocks and attention of one stage: `block`, `attn` and `attn_norms`.
void stage(Builder& b, const Emu3Vq& m, std::size_t i, Expr in, Expr count, bool decodes) {
  const Expr out = width_of(m, i);
  const bool widens = in.decide() != out.decide();
  if (widens && count.decide() > 0) b.repeat("block", only(0), [&] { residual(b, m, in, out, decodes); });
  b.repeat("block", widens ? between(b.pool().literal(1), count) : all(count), [&] { residual(b, m, out, out, decodes); });
  if (std::find(m.attends.begin(), m.attends.end(), static_cast<std::int64_t>(i)) == m.attends.end()) return;
  b.repeat("attn", all(count), [&] { attention_of_places(b, m); });
  b.repeat("attn_norms", all(count), [&] { norm(b, m, "", out, decodes); });
}

/// Records temporal layers: blocks, and convolutions that reduce or increase the number of frames.
void times(Builder& b, const Emu3Vq& m, Expr width, Count kernel) {
  b.repeat("time_conv", all(m.n_times), [&] { conv3d(b, "conv.conv", width, width, kernel, 3); });
  b.repeat("time_res_stack", all(m.n_blocks), [&] {
    for (const Text name : {"norm1", "norm2"}) batch_norm(b, name, width);
    for (const Text name : {"conv1.conv", "conv2.conv"}) conv3d(b, name, width, width, 3, 3);
  });
}

Emu3Vq fields(Config c) {
  c.consume("model_type");
  Emu3Vq m{.base = c.integer("base_channels", 256), .latent = c.integer("latent_channels", 4), .codes = c.integer("embed_dim", 4)};
  m.attending = c.integer("hidden_size", 1024);
  m.n_blocks = c.integer("num_res_blocks", 2);
  require_multiple(m.attending, c.integer("num_attention_heads", 1, 1));
  const Expr factor = c.integer("temporal_downsample_factor", 4, 1);
  std::uint64_t halves = 0;
  for (Count rest = factor.decide(); rest > 1; rest /= 2) ++halves;
  m.n_times = c.count("num_time_convs", "L_t",
                      "Convolutions that halve the number of frames: log2 of temporal_downsample_factor, rounded down.", halves);
  m.factors = c.dimensions("channel_multiplier", {1, 2, 2, 4});
  if (m.factors.empty())
    c.refuse(ErrorCode::out_of_range, "channel_multiplier", "must have an entry for each stage.", Refused::list_length);
  if (c.peek("attn_resolutions").is_null()) c.refuse(ErrorCode::wrong_type, "attn_resolutions", "must be a list of stages.");
  m.attends = c.integers("attn_resolutions", {3});
  return m;
}

/// Records the VQ model, which converts images and videos to codes and back: stages of residual blocks (with attention in the stages that
/// attn_resolutions lists and in the middle), temporal convolutions and a codebook. Outside the temporal layers, the decoder's norms depend
/// on the codes.
void emu3_vq_model(Config c, Builder& b) {
  const Emu3Vq m = fields(c);
  const Expr in = c.integer("in_channels", 3), out = c.integer("out_channels", 3), codes = c.integer("codebook_size", 32768);
  const Expr deep = c.flag("double_latent", false) ? 2 * m.latent : m.latent;
  const std::size_t last = m.factors.size() - 1;
  b.scope(Part::convolution, "encoder", [&] {
    conv2d(b, "conv_in", in, m.base, 3);
    for (std::size_t i = 0; i <= last; ++i)
      b.scope(concat({"down_block.down.", digits(i)}), [&] {
        stage(b, m, i, i == 0 ? m.base : width_of(m, i - 1), m.n_blocks, false);
        if (i < last) conv2d(b, "downsample.conv", width_of(m, i), width_of(m, i), 3);
      });
    middle(b, m, width_of(m, last), false);
    norm(b, m, "norm_out", width_of(m, last), false);
    conv2d(b, "conv_out", width_of(m, last), deep, 3);
    times(b, m, deep, 4);
  });
  embedding(b, "quantize.embedding", codes, m.codes);
  b.part(Part::convolution, [&] {
    conv3d(b, "quant_conv.conv", m.latent, m.codes, 3, 1);
    conv3d(b, "post_quant_conv.conv", m.codes, m.latent, 3, 1);
  });
  b.scope(Part::convolution, "decoder", [&] {
    times(b, m, m.latent, 3);
    conv2d(b, "conv_in", m.latent, width_of(m, last), 3);
    middle(b, m, width_of(m, last), true);
    for (std::size_t i = last + 1; i-- > 0;)
      b.scope(concat({"up_block.up.", digits(i)}), [&] {
        stage(b, m, i, width_of(m, std::min(i + 1, last)), m.n_blocks + 1, true);
        if (i > 0) conv2d(b, "upsample.conv", width_of(m, i), width_of(m, i), 3);
      });
    norm(b, m, "norm_out", width_of(m, 0), true);
    conv2d(b, "conv_out", width_of(m, 0), out, 3);
  });
}

constexpr Architecture classes[] = {{"Emu3ForCausalLM", Head::causal_lm, "model"},
                                    {"Emu3TextModel", Head::none, ""},
                                    {"Emu3ForConditionalGeneration", Head::conditional_generation, ""},
                                    {"Emu3Model", Head::other, ""}};

constexpr LlamaType type{
    .sizes = {4096, 14336, 32, 184622, 32}, .kv_heads = fixed(8), .head_dim = attribute, .switches = [](Config c, LlamaDecoder& m) {
      m.attention.qkv_bias = m.attention.output_bias = c.flag("attention_bias", false, Null::allowed);
      m.mlp_bias = c.flag("mlp_bias", false, Null::allowed);
    }};

Config text(Config c) {
  Config section = c.section("text_config");
  section.consume("model_type");
  return section;
}

/// Whether the class includes the VQ model for images.
bool sees(const Builder& b) { return b.architecture().head == Head::conditional_generation || b.architecture().head == Head::other; }

BackboneOutput backbone(Config c, Builder& b) {
  if (!sees(b)) return llama_type(text(c), b, type);
  BackboneOutput out;
  b.scope("text_model.model", [&] { out = llama_type(text(c), b, type); });
  b.tower(Tower::vision, "vqmodel", [&] { emu3_vq_model(c.section("vq_config"), b); });
  out.language_model = "text_model.lm_head";
  return out;
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (!sees(b)) return decoder_head(text(c), b, m);
  if (b.architecture().head == Head::conditional_generation) language_model_head(b, m, c.flag("tie_word_embeddings", false));
}

constexpr Architecture text_classes[] = {{"Emu3ForCausalLM", Head::causal_lm, "model"}, {"Emu3TextModel", Head::none, ""}};

}  // namespace

extern const Family emu3{
    .model_type = "emu3",
    .summary = "Multimodal next-token prediction: Llama on text and image tokens, with a VQ tokenizer.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
    .cache = caches::all_tokens,
};

extern const Family emu3_text_model{
    .model_type = "emu3_text_model",
    .summary = "Text model of Emu3: Llama on text and image tokens.",
    .classes = {.listed = text_classes},
    .backbone = [](Config c, Builder& b) { return llama_type(c, b, type); },
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
