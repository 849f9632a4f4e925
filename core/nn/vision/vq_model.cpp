#include "core/nn/vision/vq_model.hpp"

#include "core/config/constraints.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Records a norm over 32 groups of channels. Throws if 32 does not divide the channels, as torch does.
void norm_of_groups(Builder& b, Text name, Expr channels) {
  require_multiple(channels, b.pool().literal(32));
  group_norm(b, name, channels);
}

void residual(Builder& b, Expr in, Expr out) {
  norm_of_groups(b, "norm1", in);
  conv2d(b, "conv1", in, out, 3);
  norm_of_groups(b, "norm2", out);
  conv2d(b, "conv2", out, out, 3);
  if (in.decide() != out.decide()) conv2d(b, "nin_shortcut", in, out, 1);
}

/// Records `count` residual blocks under `block`. The first one may change the number of channels. Returns the output width.
Expr residuals(Builder& b, Expr in, Expr out, Expr count) {
  if (count.decide() == 0) return in;
  if (in.decide() == out.decide()) {
    b.repeat("block", all(count), [&] { residual(b, out, out); });
  } else {
    b.repeat("block", only(0), [&] { residual(b, in, out); });
    b.repeat("block", between(b.pool().literal(1), count), [&] { residual(b, out, out); });
  }
  return out;
}

void attention_of_places(Builder& b, Expr width) {
  norm_of_groups(b, "norm", width);
  for (const Text name : {"q", "k", "v", "proj_out"}) conv2d(b, name, width, width, 1);
}

void middle(Builder& b, Expr width, bool attends) {
  b.scope("mid", [&] {
    b.scope("block_1", [&] { residual(b, width, width); });
    if (attends) b.scope("attn_1", [&] { attention_of_places(b, width); });
    b.scope("block_2", [&] { residual(b, width, width); });
  });
}

Expr stage_width(const VqModel& m, std::size_t stage) { return m.factors[stage].decide() == 1 ? m.base : m.factors[stage] * m.base; }

}  // namespace

VqModel vq_fields(Config c, std::uint64_t width, std::uint64_t codes) {
  c.consume("model_type");
  VqModel m{.in = c.integer("in_channels", 3), .base = c.integer("base_channels", 128), .latent = c.integer("latent_channels", 256)};
  m.width = c.integer("embed_dim", width);
  m.codes = c.integer("num_embeddings", codes);
  m.factors = c.dimensions("channel_multiplier", {1, 1, 2, 2, 4});
  m.n_blocks = c.integer("num_res_blocks", 2);
  m.double_latent = c.flag("double_latent", false);
  if (m.factors.empty())
    c.refuse(ErrorCode::out_of_range, "channel_multiplier", "must have an entry for each stage.", Refused::list_length);
  m.attends.resize(m.factors.size());
  return m;
}

void vq_encoder(Builder& b, const VqModel& m) {
  b.scope(Part::convolution, "encoder", [&] {
    conv2d(b, "conv_in", m.in, m.base, 3);
    Expr width = m.base;
    for (std::size_t i = 0; i < m.factors.size(); ++i)
      b.scope(concat({"down.", digits(i)}), [&] {
        width = residuals(b, i == 0 ? m.base : stage_width(m, i - 1), stage_width(m, i), m.n_blocks);
        if (m.attends[i]) b.repeat("attn", all(m.n_blocks), [&] { attention_of_places(b, width); });
        if (i + 1 < m.factors.size()) conv2d(b, "downsample.conv", width, width, 3);
      });
    middle(b, width, m.middle_attends);
    norm_of_groups(b, "norm_out", width);
    conv2d(b, "conv_out", width, m.double_latent ? 2 * m.latent : m.latent, 3);
  });
  embedding(b, "quantize.embedding", m.codes, m.width);
  b.part(Part::convolution, [&] {
    conv2d(b, "quant_conv", m.latent, m.width, 1);
    conv2d(b, "post_quant_conv", m.width, m.latent, 1);
  });
}

void vq_decoder(Builder& b, const VqModel& m, Expr out) {
  const std::size_t last = m.factors.size() - 1;
  b.scope(Part::convolution, "decoder", [&] {
    Expr width = stage_width(m, last);
    conv2d(b, "conv_in", m.latent, width, 3);
    middle(b, width, true);
    const Expr blocks = m.n_blocks + 1;
    for (std::size_t i = 0; i <= last; ++i)
      b.scope(concat({"up.", digits(i)}), [&] {
        width = residuals(b, width, stage_width(m, last - i), blocks);
        if (m.attends[last - i]) b.repeat("attn", all(blocks), [&] { attention_of_places(b, width); });
        if (i < last) conv2d(b, "upsample.conv", width, width, 3);
      });
    norm_of_groups(b, "norm_out", width);
    conv2d(b, "conv_out", width, out, 3);
  });
}

}  // namespace param_ledger
