// Hunyuan-Large and Hunyuan-A13B as first published: like Llama, with a mixture of experts if num_experts is above 1, and then with shared
// experts if use_mixed_mlp_moe is true. With cross-layer attention (use_cla), the layers of a group use the keys and values of the group's
// first layer. Source: hunyuan.py, modeling_hunyuan.py and configuration_hunyuan.py as published in Tencent-Hunyuan/Hunyuan-A13B.

#include "core/nn/heads.hpp"
#include "core/nn/text/sparse_decoders.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"HunYuanMoEV1ForCausalLM", Head::causal_lm, "model"},
                                    {"HunYuanForCausalLM", Head::causal_lm, "model"},
                                    {"HunYuanModel", Head::none, ""},
                                    {"HunYuanForSequenceClassification", Head::sequence_classification, "model"}};

/// Reads a number, or the first entry of a list with one entry per layer: the published code builds all layers with the first entry.
Expr first_of(Config c, Text field) {
  if (!c.peek(field).is(Json::Type::list)) return c.integer(field, 1);
  const std::vector<Expr> all = c.dimensions(field, {1});
  if (all.empty()) c.refuse(ErrorCode::out_of_range, field, "must contain a number.");
  return all.front();
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 11008, 32, 290943, 32});
  Attention a = attention_fields(c, s, {}, absent);
  if (c.flag("use_qk_norm", false)) a.head_norms = QkNorm::per_head;
  a.q_norm = "query_layernorm";
  a.k_norm = "key_layernorm";
  const Expr count = c.integer("num_experts", 1), active = first_of(c, "moe_topk"), shared = first_of(c, "num_shared_expert");
  const bool mixed = c.flag("use_mixed_mlp_moe", false), sparse = less(c.literal(1), count);
  const bool cross = c.flag("use_cla", false);
  const Expr every = c.integer("cla_share_factor", attribute.or_else(c.literal(1)), 1);
  if (c.flag("use_mla", false))
    c.refuse(ErrorCode::unsupported, "use_mla", "requires latent attention, which the published code does not build.");
  const Expr h = floor_divide(s.d, s.n);
  const Json vision = c.peek("vit_path");
  if (vision && !vision.is_null()) c.refuse(ErrorCode::unsupported, "vit_path", "names a vision tower, which is not counted.");
  const bool classifies = c.flag("add_classification_head", false);
  Mixture m{.hidden = s.d, .count = count, .active = active, .inner = s.f, .router = "gate.wg", .shared_name = "shared_mlp"};
  m.shared_count = shared;
  if (mixed) m.shared = s.f * shared;
  const Split own = cross ? split(c, s.n_layers, "num_own_layers", "L_o", "Layers with their own keys and values.",
                                  [&](std::size_t i) { return i % every.decide() == 0; })
                          : Split{all(s.n_layers), {}};
  const auto layers = [&] {
    b.repeat("layers", own.in, [&] { attention(b, "self_attn", a); });
    b.repeat("layers", own.out, [&] {
      b.scope(Part::attention, "self_attn", [&] {
        linear(b, "q_proj", s.d, s.d, a.qkv_bias, TensorRole::query);
        linear(b, "o_proj", s.d, s.d, a.output_bias, TensorRole::output);
        if (a.head_norms == QkNorm::none) return;
        norm(b, Norm::rms, a.q_norm, h, TensorRole::query_norm);
        norm(b, Norm::rms, a.k_norm, h, TensorRole::key_norm);
      });
    });
    b.repeat("layers", all(s.n_layers), [&] {
      rms_norm(b, "input_layernorm", s.d);
      rms_norm(b, "post_attention_layernorm", s.d);
      if (sparse)
        mixture(b, "mlp", m);
      else
        gated_mlp(b, "mlp", s.d, s.f);
    });
  };
  return decoder(b, s.vocab, s.d, layers, classifies ? Norm::none : Norm::rms);
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  decoder_head(c, b, m);
  if (b.architecture().head != Head::causal_lm || !c.flag("add_classification_head", false)) return;
  b.part(Part::output_head, [&] {
    linear(b, "pool_head", m.hidden, m.hidden);
    linear(b, "pool_head2", m.hidden, c.integer("class_num", 0));
  });
}

}  // namespace

extern const Family hunyuan{
    .model_type = "hunyuan",
    .summary = "Hunyuan-Large and Hunyuan-A13B with their original code.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
    .own_code = true,
};

}  // namespace param_ledger
