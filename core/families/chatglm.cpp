// ChatGLM 2 and 3 and GLM-4 as first published: a fused query, key and value projection, by default multi-head, and fused gate and up
// projections. The bare model also contains the head. Source: modeling_chatglm.py and configuration_chatglm.py as published with
// chatglm3-6b and glm-4-9b. transformers' model type glm has other names.

#include "core/nn/heads.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {
    {"ChatGLMForConditionalGeneration", Head::conditional_generation, "transformer"},
    {"ChatGLMModel", Head::none, ""},
    {"ChatGLMForSequenceClassification", Head::sequence_classification, "transformer"},
};

void refuse_others(Config c) {
  for (const Text first : {"inner_hidden_size", "position_encoding_2d"})
    if (c.has(first)) c.refuse(ErrorCode::unsupported, first, "is a field of the first ChatGLM-6B, which has a different layout.");
  if (c.has("vision_config")) c.refuse(ErrorCode::unsupported, "vision_config", "describes a second model, which is not counted.");
  const Json prefix = c.peek("pre_seq_len");
  if (prefix && !prefix.is_null()) c.refuse(ErrorCode::unsupported, "pre_seq_len", "adds a prefix encoder, which is not counted.");
}

BackboneOutput backbone(Config c, Builder& b) {
  refuse_others(c);
  const Expr d = c.integer("hidden_size", 4096), f = c.integer("ffn_hidden_size", 13696), n_layers = c.integer("num_layers", 28);
  const Expr vocab = c.integer("padded_vocab_size", 65024), n = c.integer("num_attention_heads", 32, 1), h = c.integer("kv_channels", 128);
  const bool multi_query = c.flag("multi_query_attention", false);
  const Expr groups = c.integer("multi_query_group_num", 1), n_kv = multi_query ? groups : n;
  const bool bias = c.flag("add_bias_linear", false), qkv_bias = c.flag("add_qkv_bias", false);
  const Norm norm_kind = c.flag("rmsnorm", true) ? Norm::rms : Norm::layer;
  const bool last_norm = c.flag("post_layer_norm", true);
  c.ignore("tie_word_embeddings", "The head is never tied.");

  embedding(b, "embedding.word_embeddings", vocab, d, TensorRole::token_embedding);
  // RoPE rotates half of a head's dimensions, with one frequency for every two of these.
  const Expr two = c.literal(2);
  b.part(Part::attention, [&] { b.buffer("rotary_pos_emb.inv_freq", {ceil_divide(floor_divide(h, two), two)}); });
  b.scope("encoder", [&] {
    b.repeat("layers", all(n_layers), [&] {
      norm(b, norm_kind, "input_layernorm", d);
      attention(b, "self_attention",
                {.hidden = d,
                 .heads = n,
                 .kv_heads = n_kv,
                 .head_dim = h,
                 .qkv_bias = bias || qkv_bias,
                 .output_bias = bias,
                 .fused = "query_key_value",
                 .o = "dense"});
      norm(b, norm_kind, "post_attention_layernorm", d);
      fused_gated_mlp(b, "mlp", d, f, bias, "dense_h_to_4h", "dense_4h_to_h");
    });
    if (last_norm) norm(b, norm_kind, "final_layernorm", d);
  });
  b.part(Part::output_head, [&] { linear(b, "output_layer", d, vocab); });
  return {.hidden = d};
}

void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::sequence_classification)
    b.part(Part::output_head, [&] { linear(b, "classifier_head", m.hidden, num_labels(c), true); });
}

}  // namespace

extern const Family chatglm{
    .model_type = "chatglm",
    .summary = "ChatGLM2, ChatGLM3 and GLM-4 with their original code: fused QKV projection, gated MLP.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
    .own_code = true,
};

}  // namespace param_ledger
