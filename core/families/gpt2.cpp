// GPT-2: learned positions, a fused query, key and value projection, an ungated feed-forward block, biases in all layers, and a head that
// is tied by default. GPTBigCode (StarCoder) by default has multi-query attention; the first GPT is post-norm. All but GPTBigCode store
// transposed linear layers (Conv1D). ImageGPT reads colours; the Decision Transformer reads states, actions and returns. Source:
// transformers, models/gpt2, gpt_bigcode, openai, imagegpt, decision_transformer.

#include "core/builder/blocks.hpp"
#include "core/builder/inference.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/gpt.hpp"
#include "core/nn/text/legacy_buffers.hpp"

namespace param_ledger {

namespace {

constexpr Architecture gpt2_classes[] = {
    {"GPT2LMHeadModel", Head::causal_lm, "transformer"},
    {"GPT2Model", Head::none, ""},
    {"GPT2ForSequenceClassification", Head::sequence_classification, "transformer"},
    {"GPT2ForTokenClassification", Head::token_classification, "transformer"},
    {"GPT2ForQuestionAnswering", Head::question_answering, "transformer"},
    {"GPT2DoubleHeadsModel", Head::double_heads, "transformer"},
};

constexpr Architecture openai_classes[] = {
    {"OpenAIGPTLMHeadModel", Head::causal_lm, "transformer"},
    {"OpenAIGPTModel", Head::none, ""},
    {"OpenAIGPTForSequenceClassification", Head::sequence_classification, "transformer"},
};

/// A function that records a linear layer with bias as a model type stores it.
using Linear = void (*)(Builder& b, Text name, Expr in, Expr out, TensorRole role);

void plain_linear(Builder& b, Text name, Expr in, Expr out, TensorRole role) { linear(b, name, in, out, true, role); }

struct Layer {
  Expr d, n, f;
  Expr qkv;
  bool cross = false;  ///< whether layers also have cross-attention
  Linear linear = conv1d_linear;
  Expr kv_heads = {};  ///< number of key-value heads; empty: as many as query heads
  Expr masked = {};    ///< number of positions in the causal mask that old files store; empty: no mask
  Norm norm = Norm::layer;
};

void record(Builder& b, const Layer& l) {
  require_multiple(l.d, l.n);
  norm(b, l.norm, "ln_1", l.d);
  b.scope(Part::attention, "attn", [&] {
    l.linear(b, "c_attn", l.d, l.qkv, TensorRole::query_key_value);
    l.linear(b, "c_proj", l.d, l.d, TensorRole::output);
    record_attention(b, {l.n, l.kv_heads ? l.kv_heads : l.n, floor_divide(l.d, l.n)});
  });
  if (l.masked) legacy_causal_mask(b, "attn", l.masked);
  if (l.cross) {
    norm(b, l.norm, "ln_cross_attn", l.d);
    b.owned_by(Owner::cross, [&] {
      b.scope(Part::attention, "crossattention", [&] {
        const InBlock block(b, {.mechanism = Mechanism::attention, .heads = l.n, .kv_heads = l.n});
        l.linear(b, "c_attn", l.d, 2 * l.d, TensorRole::unspecified);
        l.linear(b, "q_attn", l.d, l.d, TensorRole::query);
        l.linear(b, "c_proj", l.d, l.d, TensorRole::output);
      });
    });
  }
  norm(b, l.norm, "ln_2", l.d);
  b.scope(Part::feed_forward, "mlp", [&] {
    const InBlock block(b, {Mechanism::feed_forward});
    l.linear(b, "c_fc", l.d, l.f, TensorRole::up);
    l.linear(b, "c_proj", l.f, l.d, TensorRole::down);
  });
}

BackboneOutput decoder(Builder& b, const GptSizes& s, Expr positions, const Layer& layer) {
  const Tensor table = embedding(b, "wte", s.vocab, s.d, TensorRole::token_embedding);
  embedding(b, "wpe", positions, s.d, TensorRole::position_embedding);
  b.repeat("h", all(s.n_layers), [&] {
    require_positive(s.d);
    record(b, layer);
  });
  norm(b, layer.norm, "ln_f", s.d);
  return {.hidden = s.d, .embedding = table, .tie_by_default = true, .token_classifier = "classifier"};
}

BackboneOutput gpt2_backbone(Config c, Builder& b) {
  const GptSizes s = gpt_sizes(c, {768, 12, 12, 50257});
  const Expr f = c.integer("n_inner", taken_late(4 * s.d)), positions = c.integer("n_positions", 1024);
  return decoder(b, s, positions, {s.d, s.n, f, 3 * s.d, c.flag("add_cross_attention", false), conv1d_linear, {}, positions});
}

BackboneOutput bigcode_backbone(Config c, Builder& b) {
  const GptSizes s = gpt_sizes(c, {768, 12, 12, 50257});
  const Expr f = c.integer("n_inner", taken_late(4 * s.d)), positions = c.integer("n_positions", 1024);
  const bool multi_query = c.flag("multi_query", true), cross = c.flag("add_cross_attention", false);
  if (multi_query && cross) c.refuse(ErrorCode::inconsistent, "multi_query", "must be false if add_cross_attention is true.");
  const Expr qkv = multi_query ? s.d + 2 * floor_divide(s.d, s.n) : 3 * s.d;
  return decoder(b, s, positions, {s.d, s.n, f, qkv, cross, plain_linear, multi_query ? c.literal(1) : s.n});
}

BackboneOutput openai_backbone(Config c, Builder& b) {
  const GptSizes s = gpt_sizes(c, {768, 12, 12, 40478});
  const Expr positions = c.integer("n_positions", 512);
  const Tensor table = embedding(b, "tokens_embed", s.vocab, s.d, TensorRole::token_embedding);
  embedding(b, "positions_embed", positions, s.d, TensorRole::position_embedding);
  b.repeat("h", all(s.n_layers), [&] { record(b, {s.d, s.n, 4 * s.d, 3 * s.d}); });
  return {.hidden = s.d, .embedding = table, .tie_by_default = true};
}

BackboneOutput image_backbone(Config c, Builder& b) {
  const GptSizes s = gpt_sizes(c, {512, 24, 8, 513});
  const Expr f = c.integer("n_inner", taken_late(4 * s.d)), positions = c.integer("n_positions", 1024);
  BackboneOutput out = decoder(
      b, s, positions, {.d = s.d, .n = s.n, .f = f, .qkv = 3 * s.d, .cross = c.flag("add_cross_attention", false), .norm = Norm::rms});
  out.tie_by_default = false;
  return out;
}

/// Records ImageGPT's head. The causal class predicts all tokens except the one that begins an image.
void image_head(Config c, Builder& b, const BackboneOutput& m) {
  const Head kind = b.architecture().head;
  BackboneOutput colours = m;
  if (kind == Head::causal_lm) colours.vocabulary = b.row(m.embedding).shape.front() - 1;
  if (kind == Head::causal_lm) language_model_head(c, b, colours);
  if (kind == Head::image_classification) b.part(Part::output_head, [&] { linear(b, "score", m.hidden, num_labels(c)); });
}

/// Records the Decision Transformer: GPT-2's layers on states, actions and returns.
BackboneOutput decision_backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 128), vocab = c.integer("vocab_size", 1), states = c.integer("state_dim", 17);
  const Expr actions = c.integer("act_dim", 4), steps = c.integer("max_ep_len", 4096), positions = c.integer("n_positions", 1024);
  const GptSizes s{d, c.integer("n_layer", 3), c.integer("n_head", 1, 1), vocab};
  const Expr f = c.integer("n_inner", taken_late(4 * d)), one = c.literal(1);
  const bool cross = c.flag("add_cross_attention", false);
  b.scope("encoder", [&] { decoder(b, s, positions, {.d = d, .n = s.n, .f = f, .qkv = 3 * d, .cross = cross}); });
  embedding(b, "embed_timestep", steps, d);
  b.part(Part::embedding, [&] {
    linear(b, "embed_return", one, d, true);
    linear(b, "embed_state", states, d, true);
    linear(b, "embed_action", actions, d, true);
  });
  layer_norm(b, "embed_ln", d);
  b.part(Part::output_head, [&] {
    linear(b, "predict_state", d, states, true);
    linear(b, "predict_action.0", d, actions, true);
    linear(b, "predict_return", d, one, true);
  });
  return {.hidden = d};
}

constexpr Architecture image_classes[] = {
    {"ImageGPTModel", Head::none, ""},
    {"ImageGPTForImageClassification", Head::image_classification, "transformer"},
    {"ImageGPTForCausalImageModeling", Head::causal_lm, "transformer"},
};
constexpr Architecture decision_classes[] = {{"DecisionTransformerModel", Head::none, ""}};
constexpr Alias decision_aliases[] = {
    {"max_position_embeddings", "n_positions"}, {"num_attention_heads", "n_head"}, {"num_hidden_layers", "n_layer"}};

/// Records the head. The class with double heads has a second head, which scores multiple-choice answers.
void head(Config c, Builder& b, const BackboneOutput& m) {
  decoder_head(c, b, m);
  if (b.architecture().head != Head::double_heads) return;
  b.part(Part::output_head, [&] { sequence_summary(c, b, "multiple_choice_head", m.hidden, c.literal(1), {"cls_index"}); });
}

}  // namespace

extern const Family decision_transformer{
    .model_type = "decision_transformer",
    .summary = "Offline reinforcement learning: GPT-2 on returns, states and actions.",
    .classes = {.listed = decision_classes},
    .aliases = decision_aliases,
    .backbone = decision_backbone,
};
extern const Family imagegpt{
    .model_type = "imagegpt",
    .summary = "Image generation: GPT-2 on quantized pixels, with bias-free norms.",
    .classes = {.listed = image_classes},
    .aliases = gpt_aliases,
    .backbone = image_backbone,
    .head = image_head,
};
extern const Family gpt2{
    .model_type = "gpt2",
    .summary = "Learned positions, multi-head attention, fused QKV projection, ungated MLP, biases, tied embeddings.",
    .classes = {.listed = gpt2_classes},
    .aliases = gpt_aliases,
    .backbone = gpt2_backbone,
    .head = head,
    .cache = caches::all_tokens,
};
extern const Family gpt_bigcode{
    .model_type = "gpt_bigcode",
    .summary = "Like GPT-2, with multi-query attention (StarCoder).",
    .classes = {"GPTBigCode", heads::decoder | heads::sequence | heads::token, "transformer"},
    .aliases = gpt_aliases,
    .backbone = bigcode_backbone,
    .cache = caches::all_tokens,
};
extern const Family gpt_sw3{
    .model_type = "gpt-sw3",
    .summary = "GPT-SW3: identical to GPT-2.",
    .classes = {.listed = gpt2_classes},
    .aliases = gpt_aliases,
    .backbone = gpt2_backbone,
    .head = head,
    .cache = caches::all_tokens,
};
extern const Family openai_gpt{
    .model_type = "openai-gpt",
    .summary = "The first GPT: like GPT-2, with post-norm layers.",
    .classes = {.listed = openai_classes},
    .aliases = gpt_aliases,
    .backbone = openai_backbone,
    .cache = caches::nothing,
};

}  // namespace param_ledger
