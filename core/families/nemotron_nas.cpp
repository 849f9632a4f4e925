// NVIDIA's Llama-Nemotron (DeciLM): Llama's blocks, configured separately for each layer. Attention and the feed-forward block may each be
// missing from a layer or be replaced by a single matrix. The number of key-value heads and the feed-forward width may vary between layers.
// Source: modeling_decilm.py as published with Llama-3_3-Nemotron-Super-49B-v1; vLLM and SGLang, models/nemotron_nas.

#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/decoders.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The setting of a block in block_configs is read as one number. These two values stand for no block and for a single matrix.
constexpr std::int64_t none = -2, single_matrix = -1;

template <class Value>
std::int64_t block_of(Config c, Json block, std::string_view part, std::string_view number, const Value& value) {
  const Json its = block[part];
  if (!its.is(Json::Type::object)) c.refuse(ErrorCode::wrong_type, "block_configs", "must contain attention and ffn for each layer.");
  if (is_true(its["no_op"])) return none;
  return is_true(its["replace_with_linear"]) ? single_matrix : value(c, its[number]);
}

std::int64_t group_of(Config c, Json given) {
  if (!given.is(Json::Type::integer) || given.negative() || given.magnitude() < 1 || given.magnitude() > 1'000'000)
    c.refuse(ErrorCode::wrong_type, "block_configs",
             "must contain n_heads_in_group, a number of at least 1, for each layer with attention.");
  return static_cast<std::int64_t>(given.magnitude());
}

/// The feed-forward width: ffn_mult × two thirds of the hidden size, rounded up to a multiple of 256.
std::int64_t width_of(Config c, Json given) {
  const bool number = given.is(Json::Type::integer) || given.is(Json::Type::number);
  if (!number || !(given.number() > 0 && given.number() < 1000))
    c.refuse(ErrorCode::wrong_type, "block_configs",
             "must contain ffn_mult, a number such as 5.25, for each layer with a feed-forward block.");
  const double d = static_cast<double>(c.pool().find("hidden_size").decide());
  const auto width = static_cast<std::int64_t>(2 * given.number() * d / 3);
  return (width + 255) / 256 * 256;
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 4096), n_layers = c.integer("num_hidden_layers", 32), vocab = c.integer("vocab_size", 32000);
  const Expr n = c.integer("num_attention_heads", 32, 1);
  const bool bias = c.flag("attention_bias", false), mlp_bias = c.flag("mlp_bias", false);
  const Json blocks = c.peek("block_configs");
  if (!blocks.is(Json::Type::list)) c.refuse(ErrorCode::missing_field, "block_configs", "must list the blocks of each layer.");
  c.require_length("block_configs", blocks.size(), n_layers);
  c.ignore("block_configs", "It determines the blocks of each layer.");
  std::vector<std::int64_t> groups, widths;
  for (const auto& [_, block] : blocks.members()) {
    groups.push_back(block_of(c, block, "attention", "n_heads_in_group", [](Config r, Json g) { return group_of(r, g); }));
    widths.push_back(block_of(c, block, "ffn", "ffn_mult", [](Config r, Json g) { return width_of(r, g); }));
  }
  const auto layers = [&](const AlikeLayers& alike, Text what, Text letter) {
    const std::string index = digits(alike.layers.front());
    return named_layers(c, n_layers, concat({what, " as ", index}), concat({"L_", letter, index}), "Layers with the same block.",
                        alike.layers);
  };
  return decoder(b, vocab, d, [&] {
    for (const AlikeLayers& alike : alike_layers(n_layers, groups)) {
      if (alike.number == none) continue;
      b.repeat("layers", layers(alike, "attention", "a"), [&] {
        require_multiple(d, n);
        rms_norm(b, "input_layernorm", d);
        if (alike.number == single_matrix) return b.part(Part::attention, [&] { linear(b, "self_attn.linear_attn", d, d); });
        const Expr n_kv = floor_divide(n, c.literal(static_cast<Count>(alike.number)));
        attention(b, "self_attn", {.hidden = d, .heads = n, .kv_heads = n_kv, .qkv_bias = bias, .output_bias = bias});
      });
    }
    for (const AlikeLayers& alike : alike_layers(n_layers, widths)) {
      if (alike.number == none) continue;
      b.repeat("layers", layers(alike, "feed-forward", "f"), [&] {
        rms_norm(b, "post_attention_layernorm", d);
        if (alike.number == single_matrix) return b.part(Part::feed_forward, [&] { linear(b, "mlp.linear_mlp", d, d); });
        const std::string index = digits(alike.layers.front());
        const Expr f = c.count(concat({"width as ", index}), concat({"f_", index}),
                               "Inner width of the feed-forward block of these layers.", static_cast<Count>(alike.number));
        gated_mlp(b, "mlp", d, f, mlp_bias);
      });
    }
  });
}

}  // namespace

extern const Family nemotron_nas{
    .model_type = "nemotron-nas",
    .summary = "Llama-Nemotron: Llama blocks configured layer by layer (neural architecture search).",
    .classes = {"DeciLM", heads::all, "model", "transformer"},
    .backbone = backbone,
    .own_code = true,
};

}  // namespace param_ledger
