// MPT. In transformers it has a fused query, key and value projection, a plain feed-forward block, no biases, and ALiBi positions, which
// have no parameters. Source: transformers, models/mpt. The classes MPTForCausalLM and MPTModel belong to the code published with the
// models, which supports more fields: llm-foundry, models/mpt/configuration_mpt.py and modeling_mpt.py, models/layers. Missing fields have
// transformers' defaults.

#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/registry/publisher_formats.hpp"

namespace param_ledger {

namespace {

constexpr Architecture own_classes[] = {{"MPTForCausalLM", Head::causal_lm, "transformer"}, {"MPTModel", Head::none, ""}};

/// Whether the class belongs to the published code. Only the classes in own_classes have a name; transformers' classes are named by
/// convention.
bool is_own(const Builder& b) { return !b.architecture().name.empty(); }

constexpr Alias aliases[] = {{"num_attention_heads", "n_heads"}, {"hidden_size", "d_model"}, {"num_hidden_layers", "n_layers"}};

/// The sizes and options of a layer.
struct Layer {
  Attention attention;
  Expr inner;
  Norm norm = Norm::unbiased;
  bool gated = false, bias = false;
};

void layers(Builder& b, Expr n_layers, const Layer& m) {
  const Expr d = m.attention.hidden;
  b.repeat("blocks", all(n_layers), [&] {
    require_positive(d);
    norm(b, m.norm, "norm_1", d);
    attention(b, "attn", m.attention);
    norm(b, m.norm, "norm_2", d);
    if (m.gated)
      gated_mlp(b, "ffn", d, m.inner, m.bias);
    else
      mlp(b, "ffn", d, m.inner, m.bias);
  });
}

// The functions down to own_backbone build the model as the published code does.

constexpr Text harmless[] = {"attn_impl",
                             "attn_pdrop",
                             "clip_qkv",
                             "softmax_scale",
                             "prefix_lm",
                             "attn_uses_sequence_id",
                             "sliding_window_size",
                             "attn_logit_softcapping",
                             "alibi_bias_max",
                             "rope_theta",
                             "rope_impl",
                             "rope_dail_config",
                             "rope_hf_config",
                             "attn_temperature_tuning",
                             "nope",
                             "seq_parallel_world_size",
                             "model_type"};
constexpr Text harmless_ffn[] = {"ffn_act_fn", "fc_type", "model_type"};

/// Reads a flag from attn_config or, in the oldest files, from the top level, where it may have another name.
bool moved_flag(Config c, Config attention, Text name, Text old, bool usual) {
  return c.has(old) && !attention.has(name) ? c.flag(old, usual) : attention.flag(name, usual);
}

/// Warns that true, transformers' default for the field, is assumed. The default in the published code is false.
void warn_of_default(Config c, Builder& b, Text field) {
  b.warn(c.full_name(field),
         concat({c.full_name(field), " is missing. true is assumed, as in all published models; the default in MPT's own code is false."}));
}

/// Reads the heads, norms and biases of attention from attn_config; head_dim and attention_bias are at the top level.
Attention own_attention(Config c, Expr d, Expr n, Norm kind, bool no_bias) {
  Config a = c.section("attn_config");
  static constexpr std::string_view types[] = {"multihead_attention", "multiquery_attention", "grouped_query_attention"};
  const std::string_view type = a.text("attn_type", "multihead_attention", types);
  Attention out{.hidden = d, .heads = n, .output_bias = !no_bias, .head_norm_kind = kind, .o = "out_proj"};
  if (const Json head_dim = c.peek("head_dim"); head_dim && !head_dim.is_null()) out.head_dim = c.integer("head_dim", required(128));
  c.consume("head_dim");
  if (type == types[1]) out.kv_heads = c.literal(1);
  if (type == types[2]) {
    out.kv_heads = a.integer("kv_n_heads", required(8));
    require_positive(out.kv_heads);
    require_multiple(n, out.kv_heads);
  } else if (const Json kv = a.peek("kv_n_heads"); kv && !kv.is_null()) {
    a.refuse(ErrorCode::inconsistent, "kv_n_heads", "needs the attn_type \"grouped_query_attention\".");
  }
  require_multiple(d, n);
  const bool whole = moved_flag(c, a, "qk_ln", "attn_qk_ln", false), per_head = a.flag("qk_gn", false);
  if (whole && per_head) a.refuse(ErrorCode::inconsistent, "qk_gn", "and qk_ln must not both be true.");
  out.head_norms = whole ? QkNorm::whole : per_head ? QkNorm::per_head : QkNorm::none;
  out.q_norm = "q_ln", out.k_norm = "k_ln";
  if (a.flag("fused_qkv", true))
    out.fused = "Wqkv";
  else
    out.q = "Wq", out.k = "Wk", out.v = "Wv";
  if (c.peek("attention_bias").is_null()) {
    c.consume("attention_bias");
    out.qkv_bias = !no_bias;
  } else {
    out.qkv_bias = c.derived_flag("attention_bias", !no_bias);
  }
  return out;
}

/// The feed-forward width: ffn_hidden_size or, if it is missing, expansion_ratio × d_model, which must be a whole number. If the
/// configuration has mlp_ratio, it is read instead of expansion_ratio.
Expr own_inner(Config c, Config ffn, Expr d) {
  if (const Json width = ffn.peek("ffn_hidden_size"); width && !width.is_null()) return ffn.integer("ffn_hidden_size", required(16384));
  ffn.consume("ffn_hidden_size");
  const Text ratio = c.has("mlp_ratio") ? "mlp_ratio" : "expansion_ratio";
  const Expr inner = c.scaled(ratio, 4, d, "inner_width", "f");
  if (static_cast<double>(d.decide()) * c.number(ratio, 4) != static_cast<double>(inner.decide()))
    c.refuse(ErrorCode::inconsistent, ratio, "times d_model must be a whole number.");
  return inner;
}

BackboneOutput own_backbone(Config c, Builder& b, Expr d, Expr n_layers, Expr n, Expr vocab) {
  c.consume("auto_map");  // auto_map names the published code, and this function counts that code
  Config ffn = c.section("ffn_config");
  static constexpr std::string_view norms[] = {"layernorm", "low_precision_layernorm", "rmsnorm", "low_precision_rmsnorm",
                                               "triton_rmsnorm"};
  static constexpr std::string_view blocks[] = {"mptmlp", "mptglu"};
  const bool no_bias = c.flag("no_bias", true);
  const bool rms = c.text("norm_type", "low_precision_layernorm", norms).ends_with("rmsnorm");
  Layer m{.norm = rms       ? Norm::rms
                  : no_bias ? Norm::unbiased
                            : Norm::layer,
          .gated = ffn.text("ffn_type", "mptmlp", blocks) == "mptglu",
          .bias = !no_bias};
  m.attention = own_attention(c, d, n, m.norm, no_bias);
  m.inner = own_inner(c, ffn, d);
  Config attn = c.section("attn_config");
  const bool told = moved_flag(c, attn, "alibi", "alibi", true) || attn.flag("rope", false);
  const bool learned = c.flag("learned_pos_emb", true) && !told;
  const Expr positions = c.integer("max_seq_len", 2048);
  for (const Text other : {"block_overrides", "fuse_norm_attn_norm"})
    if (const Json given = c.peek(other); given && !given.is_null() && !(given.is(Json::Type::boolean) && !given.boolean()))
      c.refuse(ErrorCode::unsupported, other, "changes single layers, which is not counted.");
  refuse_unknown_keys(attn, harmless);
  refuse_unknown_keys(ffn, harmless_ffn);
  if (!c.has("no_bias")) warn_of_default(c, b, "no_bias");
  if (!attn.has("alibi") && !c.has("alibi") && !attn.has("rope") && c.flag("learned_pos_emb", true)) warn_of_default(attn, b, "alibi");

  const Tensor table = embedding(b, "wte", vocab, d, TensorRole::token_embedding);
  if (learned) embedding(b, "wpe", positions, d, TensorRole::position_embedding);
  layers(b, n_layers, m);
  norm(b, m.norm, "norm_f", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true};
}

// The functions below build the model as transformers does, except where `is_own` is true.

/// Warns about fields of the published code that transformers accepts but ignores.
void warn_of_own_fields(Config c, Builder& b) {
  const auto is = [](Json value, bool wanted) { return value.is(Json::Type::boolean) && value.boolean() == wanted; };
  const Json attn = c.peek("attn_config"), ratio = c.peek("expansion_ratio"), type = attn["attn_type"];
  const auto warn = [&](std::string_view field, bool told) {
    if (!told) return;
    b.warn(field, concat({field,
                          " changes the model in the code published with MPT (MPTForCausalLM), but nothing in transformers. The class of "
                          "transformers is counted."}));
  };
  warn("attn_config.attn_type", type.is(Json::Type::string) && type.string() != "multihead_attention");
  warn("attn_config.qk_ln", is(attn["qk_ln"], true));
  warn("attn_config.rope", is(attn["rope"], true));
  warn("no_bias", is(c.peek("no_bias"), false));
  warn("expansion_ratio", (ratio.is(Json::Type::integer) || ratio.is(Json::Type::number)) && ratio.number() != 4);
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("d_model", 2048), n_layers = c.integer("n_layers", 24), n = c.integer("n_heads", 16, 1);
  const Expr vocab = c.integer("vocab_size", 50368);
  if (is_own(b)) return own_backbone(c, b, d, n_layers, n, vocab);
  c.ignore("expansion_ratio", "The feed-forward block is always four times as wide as the hidden size.");
  warn_of_own_fields(c, b);
  const Tensor table = embedding(b, "wte", vocab, d, TensorRole::token_embedding);
  layers(b, n_layers,
         {.attention = {.hidden = d, .heads = n, .even_share = false, .scaled_by_head_dim = false, .fused = "Wqkv", .o = "out_proj"},
          .inner = 4 * d});
  unbiased_layer_norm(b, "norm_f", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true, .token_classifier = "classifier"};
}

/// Records the head. In the published code there is no head module if the head is tied.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (!is_own(b) || !c.flag("tie_word_embeddings", true)) decoder_head(c, b, m);
}

}  // namespace

extern const Family mpt{
    .model_type = "mpt",
    .summary = "Multi-head or grouped-query attention with ALiBi, fused QKV, ungated MLP, no biases, tied embeddings.",
    .classes = {.prefix = "Mpt", .heads = heads::all, .backbone = "transformer", .listed = own_classes},
    .aliases = aliases,
    .backbone = backbone,
    .head = head,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
