// LitGPT by its own model_config.yaml: one GPT with a switch for whatever its models differ in.
// Source: litgpt, config.py (Config.__post_init__) and model.py.

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

/// What changes no tensor.
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

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("n_embd", 4096), n_layers = c.integer("n_layer", 16), n = c.integer("n_head", 32, 1);
  const Expr multiple = c.integer("padding_multiple", 512, 1);
  const Expr given_vocab = c.integer("vocab_size", 50254);
  const Expr vocab = c.integer("padded_vocab_size", ceil_divide(given_vocab, multiple) * multiple);
  const Expr h = c.integer("head_size", floor_divide(d, n)), n_kv = c.integer("n_query_groups", n, 1);
  if (h.name().definition) require_multiple(d, n);
  require_multiple(n, n_kv);
  const bool bias = c.flag("bias", true), attention_bias = c.flag("attn_bias", false), head_bias = c.flag("lm_head_bias", false);
  const Norm kind = c.text("norm_class_name", "LayerNorm", norm_classes) == "RMSNorm" ? Norm::rms : Norm::layer;
  const bool before_attention = c.flag("norm_1", true), before_mlp = c.flag("norm_2", true);
  const bool after_attention = c.flag("post_attention_norm", false), after_mlp = c.flag("post_mlp_norm", false);
  const bool parallel = c.flag("parallel_residual", true), shared = c.flag("shared_attention_norm", false);
  const bool norm_qk = c.flag("norm_qk", false);
  const bool whole = c.text("norm_qk_type", "default", head_norm_types) == "olmo2";
  const std::string_view mlp_class = c.text("mlp_class_name", "GptNeoxMLP", mlp_classes);
  const bool sparse = mlp_class == "LLaMAMoE";
  // A width that is not said is four times the model's, but for LLaMAMLP, which wants it.
  const Expr f = c.integer("intermediate_size", mlp_class == "LLaMAMLP" ? required(11008) : Default(4 * d));
  const Expr n_experts = c.integer("n_expert", 0), n_active = c.integer("n_expert_per_token", 0);
  const Expr f_expert = c.integer("moe_intermediate_size", f);
  const std::optional<Expr> n_shared = c.optional_integer("n_shared_expert"), dense = c.optional_integer("first_k_dense_replace");
  if (c.optional_integer("n_expert_groups"))
    c.refuse(ErrorCode::unsupported, "n_expert_groups", "has a router of its own, which is not counted here.");
  if (is_given(c, "latent_attention"))
    c.refuse(ErrorCode::unsupported, "latent_attention", "is not counted here: give the model's config.json.");
  c.consume("latent_attention");
  if (shared && !parallel) c.refuse(ErrorCode::inconsistent, "shared_attention_norm", "goes with parallel_residual alone.");
  if (dense && !sparse) c.refuse(ErrorCode::inconsistent, "first_k_dense_replace", "goes with mlp_class_name LLaMAMoE alone.");
  refuse_unknown_keys(c, harmless);

  const auto layer = [&](bool mixed) {
    if (before_attention) norm(b, kind, "norm_1", d);
    attention(b, "attn",
              {.hidden = d,
               .heads = n,
               .kv_heads = n_kv,
               .head_dim = h,
               .qkv_bias = bias || attention_bias,
               .output_bias = bias,
               .head_norms = !norm_qk ? QkNorm::none
                             : whole  ? QkNorm::whole
                                      : QkNorm::per_head,
               .head_norm_kind = kind,
               .fused = "qkv",
               .o = "proj",
               .q_norm = "norm_q",
               .k_norm = "norm_k"});
    if (after_attention) norm(b, kind, "post_attention_norm", d);
    if (before_mlp && !shared) norm(b, kind, "norm_2", d);
    if (mixed)
      mixture(b, "mlp",
              {.hidden = d,
               .count = n_experts,
               .active = n_active,
               .inner = f_expert,
               .expert_bias = bias,
               .gate = "fc_1",
               .up = "fc_2",
               .down = "proj",
               .shared = n_shared && !equal(*n_shared, 0) ? f_expert * *n_shared : Expr{},
               .shared_names = feed_forward,
               .shared_bias = bias});
    else if (mlp_class == "GptNeoxMLP")
      mlp(b, "mlp", d, f, bias, "fc", "proj");
    else
      gated_mlp(b, "mlp", d, f, bias, feed_forward);
    if (after_mlp) norm(b, kind, "post_mlp_norm", d);
  };
  Tensor table;
  b.scope("transformer", [&] {
    table = embedding(b, "wte", vocab, d, TensorRole::token_embedding);
    const bool some_dense = sparse && dense && !equal(*dense, 0);
    if (some_dense) b.repeat("h", first(*dense, n_layers), [&] { layer(false); });
    b.repeat("h", some_dense ? without(n_layers, first(*dense, n_layers)) : all(n_layers), [&] { layer(sparse); });
    norm(b, kind, "ln_f", d);
  });
  return {.hidden = d, .embedding = table, .language_model_bias = head_bias};
}

void head(Config /*c*/, Builder& b, const BackboneOutput& m) {
  b.part(Part::output_head, [&] { language_model_head(b, m, false); });
}

constexpr Text all_keys[] = {"block_size", "n_layer", "n_embd"};
constexpr Text keys[] = {"hf_config", "padding_multiple", "padded_vocab_size", "norm_class_name", "mlp_class_name", "n_query_groups"};

}  // namespace

extern const Family litgpt{
    .model_type = "litgpt",
    .summary = "LitGPT by its own model_config.yaml.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
    .own_code = true,
    .format_keys = {.all = all_keys, .one_of = keys},
};

}  // namespace param_ledger
