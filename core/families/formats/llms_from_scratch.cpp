// The models of "Build a Large Language Model (From Scratch)", from the book's configuration dictionaries: GPT-2 with an untied head, Llama
// 2 and 3, Qwen 3.
// Source: the book's package, ch03.py, ch04.py, llama3.py and qwen3.py.

#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/text/params_json.hpp"
#include "core/registry/publisher_formats.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"GPTModel", Head::causal_lm, ""}};

constexpr Text harmless[] = {"model_type",     "drop_rate",           "dtype",     "rope_base", "rope_freq",
                             "context_length", "num_experts_per_tok", "model_name"};

/// Records a norm with the book's names: `scale` and `shift` instead of `weight` and `bias`.
void scaled_norm(Builder& b, Text name, Expr d, bool shifted) {
  b.scope(Part::norm, name, [&] {
    b.parameter("scale", {d});
    if (shifted) b.parameter("shift", {d});
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("emb_dim", required(768)), n_layers = c.integer("n_layers", required(12)),
             n = c.integer("n_heads", required(12));
  const Expr vocab = c.integer("vocab_size", required(50257));
  if (less(n, c.literal(1))) c.refuse(ErrorCode::out_of_range, "n_heads", "must be at least 1.");
  // The keys of the dictionary show which of the models it describes.
  const bool gpt = c.has("qkv_bias") || !c.has("hidden_dim");
  Expr n_positions, f, h, n_kv = n;
  bool bias = false, head_norms = false, qwen = false;
  if (gpt) {
    n_positions = c.integer("context_length", required(1024));
    bias = c.flag("qkv_bias", false);
    require_multiple(d, n);
  } else {
    qwen = c.has("qk_norm") || c.has("head_dim");
    f = c.integer("hidden_dim", required(8192));
    n_kv = c.integer("n_kv_groups", n, 1);
    h = c.integer("head_dim", floor_divide(d, n));
    head_norms = c.flag("qk_norm", false);
    if (!qwen) require_multiple(d, n);
    require_multiple(n, n_kv);
    if (c.has("num_experts") && c.integer("num_experts", 0).decide() > 0)
      c.refuse(ErrorCode::unsupported, "num_experts", "adds a mixture of experts, which is not counted here.");
  }
  refuse_unknown_keys(c, harmless);

  const auto own_norm = [&](Text name, Expr width) {
    if (gpt || qwen)
      scaled_norm(b, name, width, gpt);
    else
      rms_norm(b, name, width);
  };
  const Tensor table = embedding(b, "tok_emb", vocab, d, TensorRole::token_embedding);
  if (gpt) embedding(b, "pos_emb", n_positions, d, TensorRole::position_embedding);
  b.repeat("trf_blocks", all(n_layers), [&] {
    attention(b, "att",
              {.hidden = d,
               .heads = n,
               .kv_heads = n_kv,
               .head_dim = h,
               .qkv_bias = bias,
               .output_bias = gpt,
               .q = "W_query",
               .k = "W_key",
               .v = "W_value",
               .o = "out_proj"});
    b.scope(Part::attention, "att", [&] {
      if (gpt) b.buffer("mask", {n_positions, n_positions});
      if (head_norms) own_norm("q_norm", h), own_norm("k_norm", h);
    });
    if (gpt)
      mlp(b, "ff.layers", d, 4 * d, true, "0", "2");
    else
      gated_mlp(b, "ff", d, f, false, {.gate = "fc1", .up = "fc2", .down = "fc3"});
    own_norm("norm1", d);
    own_norm("norm2", d);
  });
  own_norm("final_norm", d);
  return {.hidden = d, .embedding = table, .language_model = "out_head"};
}

constexpr Text all_keys[] = {"emb_dim", "n_heads", "n_layers"};

}  // namespace

extern const Family llms_from_scratch{
    .model_type = "llms_from_scratch",
    .summary = "Models of \"Build a Large Language Model (From Scratch)\", from its Python dicts.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = params_json_head,
    .own_code = true,
    .format_keys = {.all = all_keys, .fallback = true},
};

}  // namespace param_ledger
