// Qwen2.5-Omni's audio generator: a diffusion transformer that converts codes to spectrograms, conditioned on a speaker embedding
// (ECAPA-TDNN), and BigVGAN, which converts spectrograms to waveforms. Source: transformers, models/qwen2_5_omni.

#include <algorithm>
#include <string>

#include "core/builder/blocks.hpp"
#include "core/builder/family.hpp"
#include "core/nn/audio/codec.hpp"
#include "core/nn/layers.hpp"

namespace param_ledger {

namespace {

/// Reads a list of dimensions. Throws if it has fewer than `count` entries.
std::vector<Expr> at_least(Config c, Text name, std::initializer_list<std::uint64_t> fallback, std::size_t count) {
  std::vector<Expr> out = c.dimensions(name, fallback);
  if (out.size() < count) c.refuse(ErrorCode::inconsistent, name, "has too few entries.");
  return out;
}

/// Records ECAPA-TDNN. Its inner blocks have squeeze-and-excitation and split channels into `scale` groups (Res2Net).
void speaker_encoder(Config c, Builder& b, Expr mel) {
  const Expr out = c.integer("enc_dim", 128), se = c.integer("enc_se_channels", 64), pooled = c.integer("enc_attention_channels", 64);
  const Expr scale = c.integer("enc_res2net_scale", 2, 1);
  const std::vector<Expr> channels = at_least(c, "enc_channels", {256, 256, 256, 256, 768}, 1);
  const std::vector<Expr> kernels = c.dimensions("enc_kernel_sizes", {5, 3, 3, 3, 1});
  if (c.integers("enc_dilations", {1, 2, 3, 4, 1}).size() != channels.size() || kernels.size() != channels.size())
    c.refuse(ErrorCode::inconsistent, "enc_channels", "must have the same length as enc_kernel_sizes and enc_dilations.");
  conv1d(b, "blocks.0.conv", mel, channels.front(), kernels.front());
  for (std::size_t i = 1; i + 1 < channels.size(); ++i) {
    const Expr d = channels[i], group = floor_divide(d, scale);
    b.scope("blocks." + std::to_string(i), [&] {
      conv1d(b, "tdnn1.conv", channels[i - 1], d, 1);
      b.repeat("res2net_block.blocks", all(scale - 1), [&] { conv1d(b, "conv", group, group, kernels[i]); });
      conv1d(b, "tdnn2.conv", d, d, 1);
      conv1d(b, "se_block.conv1", d, se, 1);
      conv1d(b, "se_block.conv2", se, d, 1);
    });
  }
  const Expr last = channels.back();
  conv1d(b, "mfa.conv", last, last, kernels.back());
  conv1d(b, "asp.tdnn.conv", 3 * last, pooled, 1);
  conv1d(b, "asp.conv", pooled, last, 1);
  conv1d(b, "fc", 2 * last, out, 1);
}

void diffusion(Config c, Builder& b) {
  c.consume("model_type");
  const Expr d = c.integer("hidden_size", 1024), n_layers = c.integer("num_hidden_layers", 22), n = c.integer("num_attention_heads", 16);
  const Expr h = c.integer("head_dim", 64), inner = n * h, f = c.integer("ff_mult", 2) * d;
  const Expr codes = c.integer("num_embeds", 8193), d_code = c.integer("emb_dim", 512), mel = c.integer("mel_dim", 80);
  const Expr speaker = c.integer("enc_dim", 128) + c.integer("enc_emb_dim", 192), time = c.literal(256);
  b.part(Part::embedding, [&] {
    linear(b, "time_embed.time_mlp.0", time, d, true);
    linear(b, "time_embed.time_mlp.2", d, d, true);
    embedding(b, "text_embed.codec_embed", codes + 1, d_code);
    linear(b, "input_embed.proj", mel + speaker + d_code, d, true);
    b.scope("input_embed.spk_encoder", [&] { speaker_encoder(c, b, mel); });
  });
  const auto modulation = [&](Text name, Expr width) {
    b.part(Part::norm, [&] {
      const InBlock block(b, {Mechanism::adaptive_norm});
      linear(b, name, d, width, true);
    });
  };
  b.repeat("transformer_blocks", all(n_layers), [&] {
    modulation("attn_norm.linear", 6 * d);
    b.scope(Part::attention, "attn", [&] {
      for (const Text name : {"to_q", "to_k", "to_v"}) linear(b, name, d, inner, true);
      linear(b, "to_out.0", inner, d, true);
    });
    b.scope(Part::feed_forward, "ff.ff", [&] {
      linear(b, "0", d, f, true);
      linear(b, "3", f, d, true);
    });
  });
  modulation("norm_out.linear", 2 * d);
  b.part(Part::output_head, [&] { linear(b, "proj_out", d, mel, true); });
}

/// Records BigVGAN. Each stage upsamples the sequence and halves the channels, and then averages the outputs of one block per kernel size.
void vocoder(Config c, Builder& b) {
  c.consume("model_type");
  const Expr mel = c.integer("mel_dim", 80), first = c.integer("upsample_initial_channel", 1536);
  const std::vector<Expr> kernels = c.dimensions("resblock_kernel_sizes", {3, 7, 11});
  const std::size_t n_stages = c.integers("upsample_rates", {5, 3, 2, 2, 2, 2}).size();
  const std::vector<Expr> ups = c.dimensions("upsample_kernel_sizes", {11, 7, 4, 4, 4, 4});
  const Json dilations = c.peek("resblock_dilation_sizes");
  c.ignore("resblock_dilation_sizes", "Only the number of its lists is used: the maximum number of blocks in a stage.");
  if (dilations && !dilations.is(Json::Type::list)) c.refuse(ErrorCode::wrong_type, "resblock_dilation_sizes", "must be a list of lists.");
  const std::size_t n_kernels = std::min(kernels.size(), dilations ? dilations.size() : std::size_t{3});
  const auto width = [&](std::size_t stage) { return floor_divide(first, power(c.literal(2), stage)); };
  b.part(Part::convolution, [&] {
    conv1d(b, "conv_pre", mel, first, 7);
    for (std::size_t i = 0; i < std::min(n_stages, ups.size()); ++i)
      transposed_conv1d(b, "ups." + std::to_string(i) + ".0", width(i), width(i + 1), ups[i]);
    for (std::size_t i = 0; i < n_stages * n_kernels; ++i) {
      const Expr channels = width(i / n_kernels + 1), kernel = kernels[i % n_kernels];
      b.scope("resblocks." + std::to_string(i), [&] {
        b.repeat("convs1", all(c.literal(3)), [&] { conv1d(b, "", channels, channels, kernel); });
        b.repeat("convs2", all(c.literal(3)), [&] { conv1d(b, "", channels, channels, kernel); });
        b.repeat("activations", all(c.literal(6)), [&] { snake_with_beta(b, "act", channels); });
      });
    }
    snake_with_beta(b, "activation_post.act", width(n_stages));
    conv1d(b, "conv_post", width(n_stages), c.literal(1), 7, false);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  b.scope("code2wav_dit_model", [&] { diffusion(c.section("dit_config"), b); });
  b.scope("code2wav_bigvgan_model", [&] { vocoder(c.section("bigvgan_config"), b); });
  return {};
}

}  // namespace

extern const Family qwen2_5_omni_token2wav{
    .model_type = "qwen2_5_omni_token2wav",
    .backbone = backbone,
};

}  // namespace param_ledger
