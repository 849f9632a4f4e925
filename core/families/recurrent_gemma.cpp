// RecurrentGemma (Griffin): by default two of every three layers have a gated linear recurrence (RG-LRU), and the third has attention.
// Source: transformers, models/recurrent_gemma.

#include "core/builder/blocks.hpp"
#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view kinds_of_blocks[] = {"recurrent", "attention"};

/// Reads block_types, the kinds of layers that repeat. Throws if the list is too short: transformers repeats it only a hundred times.
std::vector<std::string_view> pattern(Config c, Expr n_layers) {
  if (c.peek("block_types").is_null()) c.refuse(ErrorCode::wrong_type, "block_types", "must be a list of strings, not null.");
  std::vector<std::string_view> blocks = c.words("block_types", kinds_of_blocks, {"recurrent", "recurrent", "attention"});
  if (n_layers.decide() > Count{100} * blocks.size())
    c.refuse(ErrorCode::inconsistent, "block_types", "is repeated a hundred times and still has fewer entries than there are layers.");
  return blocks;
}

/// Records a linear recurrence with gates for each head, after a short convolution.
void recurrent_block(Builder& b, Text name, Expr d, Expr width, Expr heads, Expr kernel) {
  require_positive(width);
  b.scope(Part::state_space, name, [&] {
    const InBlock block(b, {Mechanism::rg_lru});
    linear(b, "linear_y", d, width, true);
    linear(b, "linear_x", d, width, true);
    depthwise_conv1d(b, "conv_1d", width, kernel, true);
    b.scope("rg_lru", [&] {
      const Expr share = floor_divide(width, heads);
      b.parameter("recurrent_param", {width});
      for (const Text gate : {"input_gate", "recurrent_gate"}) {
        b.parameter(std::string(gate) + "_weight", {heads, share, share}, StorageKind::matrix);
        b.parameter(std::string(gate) + "_bias", {heads, share});
      }
    });
    linear(b, "linear_out", width, d, true);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 2560), f = c.integer("intermediate_size", 7680);
  const Expr n_layers = c.integer("num_hidden_layers", 26, 1), vocab = c.integer("vocab_size", 256000);
  const Expr n = c.integer("num_attention_heads", 10, 1), n_kv = c.integer("num_key_value_heads", n);
  const Expr h = c.integer("head_dim", attribute.or_else(floor_divide(d, n))), width = c.integer("lru_width", d),
             kernel = c.integer("conv1d_width", 4);
  const bool bias = c.flag("attention_bias", false);
  const auto blocks = pattern(c, n_layers);
  if (less(n, n_kv)) c.refuse(ErrorCode::out_of_range, "num_key_value_heads", "must not exceed num_attention_heads.");
  const Split layers = split(c, n_layers, "num_recurrent_layers", "L_r", "Layers with a recurrence; the others have attention.",
                             [&](std::size_t i) { return blocks[i % blocks.size()] == "recurrent"; });
  BackboneOutput out = decoder(
      b, vocab, d,
      [&] {
        b.repeat("layers", all(n_layers), [&] { rms_norm(b, "temporal_pre_norm", d); });
        b.repeat("layers", layers.in, [&] { recurrent_block(b, "temporal_block", d, width, n, kernel); });
        b.repeat("layers", layers.out, [&] {
          attention(b, "temporal_block", {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = true});
        });
        b.repeat("layers", all(n_layers), [&] {
          rms_norm(b, "channel_pre_norm", d);
          gated_mlp(b, "mlp_block", d, floor_divide(f, c.literal(2)), true);
        });
      },
      Norm::rms, "final_norm");
  out.tie_by_default = true;
  return out;
}

}  // namespace

extern const Family recurrent_gemma{
    .model_type = "recurrent_gemma",
    .summary = "Griffin: gated linear recurrences (RG-LRU) with attention every third layer; tied embeddings.",
    .classes = {"RecurrentGemma", heads::decoder},
    .backbone = backbone,
};

}  // namespace param_ledger
