// GPT-Neo: as GPT-2, with three projections without bias; every other layer attends to a window only.
// Source: transformers, models/gpt_neo.

#include "core/blocks/attention.hpp"
#include "core/blocks/feed_forward.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_attention_heads", "num_heads"}, {"num_hidden_layers", "num_layers"}};

/// Checks that attention_types, [[["global", "local"], 12]], tells of each layer what it attends to.
void check_attention_types(Config c, Expr n_layers) {
  constexpr std::string_view wanted = "must be a list of patterns and how often each repeats, as [[[\"global\", \"local\"], 12]].";
  const Json types = c.peek("attention_types");
  c.consume("attention_types");
  std::size_t described = types && !types.is_null() ? 0 : 24;
  for (const auto& [_, item] : types.members()) {
    const Json pattern = item.is(Json::Type::list) ? item[std::size_t{0}] : Json{};
    const Json times = item.is(Json::Type::list) ? item[std::size_t{1}] : Json{};
    if (!pattern.is(Json::Type::list) || !times.is(Json::Type::integer) || times.negative() || times.magnitude() > n_layers.value())
      c.refuse(ErrorCode::wrong_type, "attention_types", wanted);
    for (const auto& [unused, kind] : pattern.members())
      if (!kind.is(Json::Type::string) || (kind.string() != "global" && kind.string() != "local"))
        c.refuse(ErrorCode::out_of_range, "attention_types", "may name \"global\" and \"local\" only.");
    described += pattern.size() * static_cast<std::size_t>(times.magnitude());
  }
  c.require_length("attention_types", described, n_layers);
}

Backbone backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 2048), n_layers = c.integer("num_layers", 24), n = c.integer("num_heads", 16, 1);
  const Expr f = c.optional_integer("intermediate_size", 4 * d);
  const Expr vocab = c.integer("vocab_size", 50257), positions = c.integer("max_position_embeddings", 2048);
  check_attention_types(c, n_layers);
  const Tensor table = embedding(b, "wte", vocab, d);
  embedding(b, "wpe", positions, d);
  b.repeat("h", all(n_layers), [&] {
    layer_norm(b, "ln_1", d);
    attention(b, "attn.attention", {.hidden = d, .heads = n, .output_bias = true, .o = "out_proj"});
    layer_norm(b, "ln_2", d);
    mlp(b, "mlp", d, f, true, "c_fc", "c_proj");
  });
  layer_norm(b, "ln_f", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true, .token_classifier = "classifier"};
}

}  // namespace

const Family gpt_neo{
    "gpt_neo", "As GPT-2, with three projections without bias in attention.", {"GPTNeo", heads::all, "transformer"}, aliases, backbone};

}  // namespace param_ledger
