// Chameleon: Llama on text tokens and image codes, with QK-Norm that has separate weights for each head. A VQ model converts images to
// codes.
// Source: transformers, models/chameleon.

#include <algorithm>

#include "core/builder/blocks.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/nn/vision/vq_model.hpp"

namespace param_ledger {

namespace {

void head_norms(Builder& b, const LlamaDecoder& m) {
  const auto norm_of = [&](Text name, Expr heads) {
    b.scope(Part::norm, name, [&] {
      const InBlock block(b, {Mechanism::layer_norm});
      b.parameter("weight", {heads, m.attention.head_dim});
      b.parameter("bias", {heads, m.attention.head_dim});
    });
  };
  norm_of("self_attn.q_norm", m.attention.heads);
  norm_of("self_attn.k_norm", m.attention.kv_heads);
}

/// Determines where the VQ model has attention if attn_type is "vanilla": in the middle, and in the stages whose resolution is listed in
/// attn_resolutions. Each stage has half the resolution of the stage before. With another attn_type, the model has no attention.
void attending(Config c, VqModel& m) {
  const Expr side = c.integer("resolution", 512);
  const auto sides = c.integers("attn_resolutions");
  m.middle_attends = c.text("attn_type", "vanilla") == "vanilla";
  if (!m.middle_attends || !sides) return;
  for (std::size_t i = 0; i < m.attends.size() && i < 64; ++i)
    m.attends[i] = std::find(sides->begin(), sides->end(), static_cast<std::int64_t>(side.decide() >> i)) != sides->end();
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 11008, 32, 65536, 32});
  LlamaDecoder m{.inner = s.f, .n_layers = s.n_layers, .vocabulary = s.vocab, .more = head_norms};
  m.attention = {.hidden = s.d, .heads = s.n, .kv_heads = c.integer("num_key_value_heads", 32), .head_dim = floor_divide(s.d, s.n)};
  m.attention.qkv_bias = m.attention.output_bias = c.flag("attention_bias", false, Null::allowed);
  m.mlp_bias = c.flag("mlp_bias", false);
  if (s.n_layers.decide() > 0) require_multiple(s.d, s.n);
  Config codes = c.section("vq_config");
  VqModel image = vq_fields(codes, 256, 8192);
  attending(codes, image);
  c.ignore("vocabulary_map", "It maps image codes to tokens.");
  const BackboneOutput out = llama_decoder(b, m);
  b.tower(Tower::vision, "vqmodel", [&] { vq_encoder(b, image); });
  return out;
}

}  // namespace

extern const Family chameleon{
    .model_type = "chameleon",
    .summary = "Early-fusion multimodal model: Llama on text tokens and VQ image tokens.",
    .classes = {"Chameleon", heads::conditional | heads::base},
    .backbone = backbone,
};

}  // namespace param_ledger
