// Apple's OpenELM: like Llama, with a fused query, key and value projection and optional QK-Norm. Lists give the numbers of heads and the
// feed-forward width of each layer. Source: modeling_openelm.py and configuration_openelm.py as published with apple/OpenELM-270M; mlx-lm,
// models/openelm.py.

#include <algorithm>

#include "core/nn/heads.hpp"
#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::int64_t most = 1'000'000;

[[noreturn]] void refuse_list(Config c, Text field) {
  c.refuse(ErrorCode::wrong_type, field, "must list a number of at least 1 for each layer, as in the published OpenELM files.");
}

/// For each layer, a number that encodes both its number of query heads and its number of key-value heads.
std::vector<std::int64_t> heads_of(Config c, Expr n_layers) {
  const std::vector<std::int64_t> queries = c.integers("num_query_heads", {}), keys = c.integers("num_kv_heads", {});
  c.require_length("num_query_heads", queries.size(), n_layers);
  c.require_length("num_kv_heads", keys.size(), n_layers);
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (queries[i] < 1 || queries[i] >= most) refuse_list(c, "num_query_heads");
    if (keys[i] < 1 || keys[i] >= most) refuse_list(c, "num_kv_heads");
    if (queries[i] % keys[i] != 0)
      c.refuse(ErrorCode::not_divisible, "num_query_heads", "must be a multiple of num_kv_heads in each layer.");
    out.push_back(queries[i] * most + keys[i]);
  }
  return out;
}

/// Rounds `wanted` to a positive multiple of `divisor`. If that is less than nine tenths of `wanted`, it is the next multiple.
std::int64_t rounded(double wanted, double divisor) {
  const std::int64_t multiples = static_cast<std::int64_t>(wanted + divisor / 2) / static_cast<std::int64_t>(divisor);
  double out = std::max(divisor, static_cast<double>(multiples) * divisor);
  if (out < 0.9 * wanted) out += divisor;
  return static_cast<std::int64_t>(out);
}

std::vector<std::int64_t> widths_of(Config c, Expr d, Expr n_layers) {
  const Expr divisor = c.integer("ffn_dim_divisor", 256, 1);
  const Json factors = c.peek("ffn_multipliers");
  if (!factors.is(Json::Type::list)) refuse_list(c, "ffn_multipliers");
  c.ignore("ffn_multipliers", "It gives the ratio of feed-forward width to hidden size for each layer.");
  c.require_length("ffn_multipliers", factors.size(), n_layers);
  if (d.decide() > most || divisor.decide() > most)
    c.refuse(ErrorCode::too_large, "model_dim", "and ffn_dim_divisor must be at most 1,000,000.");
  std::vector<std::int64_t> out;
  for (const auto& [_, factor] : factors.members()) {
    const bool number = factor.is(Json::Type::integer) || factor.is(Json::Type::number);
    if (!number || !(factor.number() > 0 && factor.number() < 1000)) refuse_list(c, "ffn_multipliers");
    out.push_back(rounded(factor.number() * static_cast<double>(d.decide()), static_cast<double>(divisor.decide())));
  }
  return out;
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("model_dim", 2048), n_layers = c.integer("num_transformer_layers", 12), vocab = c.integer("vocab_size", 32000);
  const Expr h = c.integer("head_dim", 128);
  const bool gated = c.flag("ffn_with_glu", true), normed = c.flag("normalize_qk_projections", false);
  static constexpr std::string_view norms[] = {"rms_norm"};
  static_cast<void>(c.text("normalization_layer_name", "rms_norm", norms));
  c.ignore("num_gqa_groups", "num_kv_heads gives the number of key-value heads of each layer.");
  c.ignore("qkv_multipliers", "num_query_heads gives the number of heads of each layer.");
  const std::vector<std::int64_t> heads = heads_of(c, n_layers), widths = widths_of(c, d, n_layers);
  const auto layers = [&](const AlikeLayers& alike, Text what, Text letter) {
    const std::string index = digits(alike.layers.front());
    return named_layers(c, n_layers, concat({what, " as ", index}), concat({"L_", letter, index}), "Layers with identical blocks.",
                        alike.layers);
  };
  const Tensor table = embedding(b, "token_embeddings", vocab, d, TensorRole::token_embedding);
  for (const AlikeLayers& alike : alike_layers(n_layers, heads))
    b.repeat("layers", layers(alike, "attention", "a"), [&] {
      const std::string index = digits(alike.layers.front());
      const Expr n = c.count(concat({"heads as ", index}), concat({"n_", index}), "Attention heads of these layers.",
                             static_cast<Count>(alike.number / most));
      const Expr n_kv = c.count(concat({"key-value heads as ", index}), concat({"n_kv", index}), "Key-value heads of these layers.",
                                static_cast<Count>(alike.number % most));
      rms_norm(b, "attn_norm", d);
      attention(b, "attn",
                {.hidden = d,
                 .heads = n,
                 .kv_heads = n_kv,
                 .head_dim = h,
                 .head_norms = normed ? QkNorm::per_head : QkNorm::none,
                 .fused = "qkv_proj",
                 .o = "out_proj"});
    });
  for (const AlikeLayers& alike : alike_layers(n_layers, widths))
    b.repeat("layers", layers(alike, "feed-forward", "f"), [&] {
      const std::string index = digits(alike.layers.front());
      const Expr f = c.count(concat({"width as ", index}), concat({"f_", index}), "Inner width of the feed-forward block of these layers.",
                             static_cast<Count>(alike.number));
      rms_norm(b, "ffn_norm", d);
      if (gated)
        fused_gated_mlp(b, "ffn", d, f, false, "proj_1", "proj_2");
      else
        mlp(b, "ffn", d, f, false, "proj_1", "proj_2");
    });
  rms_norm(b, "norm", d);
  return {.hidden = d, .embedding = table, .vocabulary = vocab};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  c.ignore("tie_word_embeddings", "share_input_output_layers determines whether the head is tied.");
  const bool shared = c.flag("share_input_output_layers", false);
  if (b.architecture().head == Head::causal_lm && !shared) language_model_head(b, m, false);
}

constexpr Architecture classes[] = {{"OpenELMForCausalLM", Head::causal_lm, "transformer"}, {"OpenELMModel", Head::none, ""}};

}  // namespace

extern const Family openelm{
    .model_type = "openelm",
    .summary = "Like Llama, with layer-wise scaling of heads and feed-forward widths.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
    .own_code = true,
};

}  // namespace param_ledger
