// LitGPT's own model_config.yaml: a single GPT class, with options for the differences between the supported models. Source: litgpt,
// config.py (Config.__post_init__) and model.py.

#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/registry/publisher_formats.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"GPT", Head::causal_lm, ""}};

constexpr std::string_view norm_classes[] = {"LayerNorm", "RMSNorm"};
constexpr std::string_view mlp_classes[] = {"GptNeoxMLP", "LLaMAMLP", "GemmaMLP", "LLaMAMoE"};
constexpr std::string_view head_norm_types[] = {"default", "olmo2"};

/// Fields of the configuration that no tensor depends on, except that OLMo is recognised by its name.
constexpr Text harmless[] = {"model_type",
                             "name",
                             "hf_config",
                             "block_size",
                             "norm_eps",
                             "attention_scores_scalar",
                             "sliding_window_size",
                             "sliding_window_indices",
                             "sliding_window_layer_placing",
                             "sliding_window_layer_stride",
                             "attention_logit_softcapping",
                             "rope_base",
                             "rotary_percentage",
                             "rope_condense_ratio",
                             "rope_adjustments",
                             "rope_interleave",
                             "rope_local_base_freq",
                             "rope_indices",
                             "gelu_approximate",
                             "n_topk_groups",
                             "n_topk_scores_per_group",
                             "routed_scaling_factor",
                             "norm_topk_prob",
                             "scale_embeddings",
                             "final_logit_softcapping"};

constexpr GatedNames feed_forward{.gate = "fc_1", .up = "fc_2", .down = "proj"};

struct LitGpt {
  Expr d, n_layers, vocab, f;
  Attention attention;
  std::string_view mlp_class;
  Mixture mixture;
  Norm norm = Norm::layer;
  bool before_attention, after_attention, before_mlp, after_mlp;  ///< where a layer has norms
  bool bias, head_bias;
  std::optional<Expr> dense;  ///< number of layers at the start that have a dense block

  [[nodiscard]] bool is_sparse() const { return mlp_class == "LLaMAMoE"; }
};

Mixture mixture_fields(Config c, const LitGpt& m) {
  const Expr n_experts = c.integer("n_expert", 0), n_active = c.integer("n_expert_per_token", 0);
  const Expr f = c.integer("moe_intermediate_size", m.f);
  const std::optional<Expr> n_shared = c.optional_integer("n_shared_expert");
  return {.hidden = m.d,
          .count = n_experts,
          .active = n_active,
          .inner = f,
          .expert_bias = m.bias,
          .gate = "fc_1",
          .up = "fc_2",
          .down = "proj",
          .shared = m.is_sparse() && n_shared && !equal(*n_shared, 0) ? f * *n_shared : Expr{},
          .shared_names = feed_forward,
          .shared_bias = m.bias};
}

LitGpt fields(Config c) {
  LitGpt m;
  Attention& a = m.attention;
  a = {.fused = "qkv", .o = "proj", .q_norm = "norm_q", .k_norm = "norm_k"};
  m.d = a.hidden = c.integer("n_embd", 4096);
  m.n_layers = c.integer("n_layer", 16);
  a.heads = c.integer("n_head", 32, 1);
  const Expr multiple = c.integer("padding_multiple", 512, 1), given_vocab = c.integer("vocab_size", 50254);
  m.vocab = c.integer("padded_vocab_size", ceil_divide(given_vocab, multiple) * multiple);
  a.head_dim = c.integer("head_size", floor_divide(m.d, a.heads));
  a.kv_heads = c.integer("n_query_groups", a.heads, 1);
  if (a.head_dim.name().definition) require_multiple(m.d, a.heads);
  require_multiple(a.heads, a.kv_heads);
  m.bias = a.output_bias = c.flag("bias", true);
  const bool attention_bias = c.flag("attn_bias", false);
  a.qkv_bias = m.bias || attention_bias;
  m.head_bias = c.flag("lm_head_bias", false);
  const bool rms = c.text("norm_class_name", "LayerNorm", norm_classes) == "RMSNorm";
  // LitGPT recognises OLMo by its name. OLMo's LayerNorm has neither weight nor bias.
  const Json name = c.peek("name");
  const bool olmo = name.is(Json::Type::string) && holds(name.string(), "OLMo");
  m.norm = a.head_norm_kind = rms ? Norm::rms : olmo ? Norm::none : Norm::layer;
  m.before_attention = c.flag("norm_1", true);
  m.before_mlp = c.flag("norm_2", true);
  m.after_attention = c.flag("post_attention_norm", false);
  m.after_mlp = c.flag("post_mlp_norm", false);
  const bool parallel = c.flag("parallel_residual", true), shared = c.flag("shared_attention_norm", false);
  if (shared) m.before_mlp = false;
  const bool norm_qk = c.flag("norm_qk", false), whole = c.text("norm_qk_type", "default", head_norm_types) == "olmo2";
  if (norm_qk) a.head_norms = whole ? QkNorm::whole : QkNorm::per_head;
  m.mlp_class = c.text("mlp_class_name", "GptNeoxMLP", mlp_classes);
  // intermediate_size defaults to four times the hidden size. LLaMAMLP has no default.
  m.f = c.integer("intermediate_size", m.mlp_class == "LLaMAMLP" ? required(11008) : Default(4 * m.d));
  m.mixture = mixture_fields(c, m);
  m.dense = c.optional_integer("first_k_dense_replace");
  if (c.optional_integer("n_expert_groups"))
    c.refuse(ErrorCode::unsupported, "n_expert_groups", "uses a different router, which is not counted here.");
  if (is_given(c, "latent_attention"))
    c.refuse(ErrorCode::unsupported, "latent_attention", "is not counted here. Give the model's config.json.");
  c.consume("latent_attention");
  if (shared && !parallel) c.refuse(ErrorCode::inconsistent, "shared_attention_norm", "requires parallel_residual.");
  if (m.dense && !m.is_sparse()) c.refuse(ErrorCode::inconsistent, "first_k_dense_replace", "requires mlp_class_name LLaMAMoE.");
  return m;
}

void layer(Builder& b, const LitGpt& m, bool sparse) {
  if (m.before_attention) norm(b, m.norm, "norm_1", m.d);
  attention(b, "attn", m.attention);
  if (m.after_attention) norm(b, m.norm, "post_attention_norm", m.d);
  if (m.before_mlp) norm(b, m.norm, "norm_2", m.d);
  if (sparse)
    mixture(b, "mlp", m.mixture);
  else if (m.mlp_class == "GptNeoxMLP")
    mlp(b, "mlp", m.d, m.f, m.bias, "fc", "proj");
  else
    gated_mlp(b, "mlp", m.d, m.f, m.bias, feed_forward);
  if (m.after_mlp) norm(b, m.norm, "post_mlp_norm", m.d);
}

BackboneOutput backbone(Config c, Builder& b) {
  const LitGpt m = fields(c);
  refuse_unknown_keys(c, harmless);
  Tensor table;
  b.scope("transformer", [&] {
    table = embedding(b, "wte", m.vocab, m.d, TensorRole::token_embedding);
    const bool some_dense = m.dense && !equal(*m.dense, 0);
    if (some_dense) b.repeat("h", first(*m.dense, m.n_layers), [&] { layer(b, m, false); });
    b.repeat("h", some_dense ? without(m.n_layers, first(*m.dense, m.n_layers)) : all(m.n_layers), [&] { layer(b, m, m.is_sparse()); });
    norm(b, m.norm, "ln_f", m.d);
  });
  return {.hidden = m.d, .embedding = table, .language_model_bias = m.head_bias};
}

void head(Config /*c*/, Builder& b, const BackboneOutput& m) {
  b.part(Part::output_head, [&] { language_model_head(b, m, false); });
}

constexpr Text all_keys[] = {"block_size", "n_layer", "n_embd"};
constexpr Text keys[] = {"hf_config", "padding_multiple", "padded_vocab_size", "norm_class_name", "mlp_class_name", "n_query_groups"};

}  // namespace

extern const Family litgpt{
    .model_type = "litgpt",
    .summary = "LitGPT models, from model_config.yaml.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
    .own_code = true,
    .format_keys = {.all = all_keys, .one_of = keys},
};

}  // namespace param_ledger
