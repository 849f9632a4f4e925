// Mistral's own params.json: Mistral, Mixtral (with `moe`) and Pixtral (with `vision_encoder`).
// Source: mistral_inference, args.py, transformer.py, moe.py and vision_encoder.py; only later files have tied_embeddings.

#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/text/params_json.hpp"
#include "core/registry/publisher_formats.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"Transformer", Head::causal_lm, ""}};

constexpr Text harmless[] = {"norm_eps",     "rope_theta",  "sliding_window",  "_sliding_window",         "yarn",
                             "quantization", "max_seq_len", "llama_4_scaling", "max_position_embeddings", "max_batch_size"};
constexpr Text harmless_vision[] = {"rope_theta",     "image_size",           "max_image_size",
                                    "image_token_id", "image_break_token_id", "image_end_token_id"};

constexpr GatedNames feed_forward{.gate = "w1", .up = "w3", .down = "w2"};

struct Layer {
  Attention attention;
  Expr inner;
  std::optional<Mixture> mixture = {};
};

void layers(Builder& b, Expr n_layers, const Layer& layer) {
  b.repeat("layers", all(n_layers), [&] {
    Attention a = layer.attention;
    a.q = "wq", a.k = "wk", a.v = "wv", a.o = "wo";
    attention(b, "attention", a);
    rms_norm(b, "attention_norm", a.hidden);
    rms_norm(b, "ffn_norm", a.hidden);
    if (layer.mixture)
      mixture(b, "feed_forward", *layer.mixture);
    else
      gated_mlp(b, "feed_forward", a.hidden, layer.inner, false, feed_forward);
  });
}

void vision(Config c, Builder& b, Expr d_text) {
  const Expr d = c.integer("hidden_size", required(1024)), channels = c.integer("num_channels", required(3));
  const Expr patch = c.integer("patch_size", required(16)), f = c.integer("intermediate_size", required(4096));
  const Expr n_layers = c.integer("num_hidden_layers", required(24)), n = c.integer("num_attention_heads", required(16));
  const bool bias = c.flag("adapter_bias", true), norm_before = c.flag("add_pre_mm_projector_layer_norm", false);
  const Expr merged = c.integer("spatial_merge_size", 1);
  const bool merges = c.text("mm_projector_id", "") == "patch_merge";
  refuse_unknown_keys(c, harmless_vision);
  b.tower(Tower::vision, "vision_encoder", [&] {
    b.part(Part::embedding, [&] { patch_embedding(b, "patch_conv", channels, d, patch, false); });
    rms_norm(b, "ln_pre", d);
    b.scope("transformer", [&] { layers(b, n_layers, {{.hidden = d, .heads = n, .head_dim = floor_divide(d, n)}, f}); });
  });
  b.tower(Tower::projector, "", [&] {
    linear(b, "vision_language_adapter.w_in", d, d_text, bias);
    linear(b, "vision_language_adapter.w_out", d_text, d_text, bias);
    if (merges) linear(b, "patch_merger.merging_layer", d * power(merged, 2), d);
  });
  if (norm_before) rms_norm(b, "pre_mm_projector_norm", d);
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("dim", required(4096)), n_layers = c.integer("n_layers", required(32)),
             vocab = c.integer("vocab_size", required(32000));
  const Expr n = c.integer("n_heads", required(32)), n_kv = c.integer("n_kv_heads", required(8)), h = c.integer("head_dim", required(128));
  const Expr f = c.integer("hidden_dim", required(14336));
  const bool tied = c.flag("tied_embeddings", false);
  Layer layer{{.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h}, f};
  if (ConfigReader* const moe = given_section(c, "moe")) {
    layer.mixture = mixtral_experts(f);
    layer.mixture->hidden = d;
    layer.mixture->count = moe->integer("num_experts", required(8));
    layer.mixture->active = moe->integer("num_experts_per_tok", required(2));
    refuse_unknown_keys(*moe, {});
  }
  if (ConfigReader* const encoder = given_section(c, "vision_encoder")) vision(*encoder, b, d);
  refuse_unknown_keys(c, harmless);
  const Tensor table = embedding(b, "tok_embeddings", vocab, d, TensorRole::token_embedding);
  layers(b, n_layers, layer);
  rms_norm(b, "norm", d);
  return {.hidden = d, .embedding = table, .tie_by_default = tied, .language_model = "output"};
}

constexpr Text keys[] = {"vision_encoder", "moe", "head_dim"};

}  // namespace

extern const Family mistral_params{.model_type = "mistral_params",
                                   .summary = "Mistral, Mixtral and Pixtral, from Mistral's params.json.",
                                   .classes = {.listed = classes},
                                   .backbone = backbone,
                                   .head = params_json_head,
                                   .own_code = true,
                                   .format_keys = {.all = params_json_keys, .one_of = keys, .word = "transformer"}};

}  // namespace param_ledger
