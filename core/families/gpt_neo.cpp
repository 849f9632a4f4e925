// GPT-Neo: like GPT-2, with separate query, key and value projections without biases; by default, every other layer has a sliding window.
// Source: transformers, models/gpt_neo.

#include "core/builder/family.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/layer_kinds.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"
#include "core/nn/text/legacy_buffers.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_attention_heads", "num_heads"}, {"num_hidden_layers", "num_layers"}};

/// Reads the kind of attention in each layer from attention_types, e.g. [[["global", "local"], 12]]. If the field is missing, global and
/// local layers alternate. Throws unless there is one kind for each layer, which for the default means 24 layers.
std::vector<std::string_view> kinds_of_attention(Config c, Expr n_layers) {
  constexpr Text wanted = "must be a list of patterns with repeat counts, e.g. [[[\"global\", \"local\"], 12]].";
  const Json types = c.peek("attention_types");
  c.consume("attention_types");
  require_listable(n_layers);
  std::vector<std::string_view> kinds;
  if (!types || types.is_null()) {
    constexpr std::size_t usual = 24;
    for (std::size_t i = 0; i < usual; ++i) kinds.emplace_back(i % 2 == 0 ? "global" : "local");
    if (n_layers.decide() != usual)
      c.refuse(ErrorCode::inconsistent, "attention_types",
               concat({"is missing, and its default is for 24 layers: num_layers is ", digits(n_layers.decide()), "."}),
               Refused::list_length);
  }
  for (const auto& [_, item] : types.members()) {
    const Json pattern = item.is(Json::Type::list) ? item[std::size_t{0}] : Json{};
    const Json times = item.is(Json::Type::list) ? item[std::size_t{1}] : Json{};
    if (!pattern.is(Json::Type::list) || !times.is(Json::Type::integer) || times.negative() || times.magnitude() > n_layers.decide())
      c.refuse(ErrorCode::wrong_type, "attention_types", wanted);
    for (const auto& [unused, kind] : pattern.members())
      if (!kind.is(Json::Type::string) || (kind.string() != "global" && kind.string() != "local"))
        c.refuse(ErrorCode::out_of_range, "attention_types", "may contain only \"global\" and \"local\".");
    for (std::uint64_t i = 0; i < times.magnitude() && kinds.size() <= n_layers.decide(); ++i)
      for (const auto& [unused, kind] : pattern.members()) kinds.push_back(kind.string());
  }
  c.require_length("attention_types", kinds.size(), n_layers);
  return kinds;
}

BackboneOutput backbone(Config c, Builder& b) {
  const Expr d = c.integer("hidden_size", 2048), n_layers = c.integer("num_layers", 24), n = c.integer("num_heads", 16, 1);
  const Expr f = c.integer("intermediate_size", taken_late(4 * d));
  const Expr vocab = c.integer("vocab_size", 50257), positions = c.integer("max_position_embeddings", 2048);
  const std::vector<std::string_view> kinds = kinds_of_attention(c, n_layers);
  const Split layers = split(c, n_layers, "num_global_layers", "L_g", "Layers with global attention, as given by attention_types.",
                             [&](std::size_t i) { return kinds[i] == "global"; });
  const Tensor table = embedding(b, "wte", vocab, d, TensorRole::token_embedding);
  embedding(b, "wpe", positions, d, TensorRole::position_embedding);
  b.repeat("h", all(n_layers), [&] {
    layer_norm(b, "ln_1", d);
    attention(b, "attn.attention", {.hidden = d, .heads = n, .output_bias = true, .scaled_by_head_dim = false, .o = "out_proj"});
    layer_norm(b, "ln_2", d);
    mlp(b, "mlp", d, f, true, "c_fc", "c_proj");
  });
  // The masks of global and local layers are separate rows, because early versions of transformers saved only those of global layers.
  for (const IndexSet& set : {layers.in, layers.out}) b.repeat("h", set, [&] { legacy_causal_mask(b, "attn.attention", positions); });
  layer_norm(b, "ln_f", d);
  return {.hidden = d, .embedding = table, .tie_by_default = true, .token_classifier = "classifier"};
}

}  // namespace

extern const Family gpt_neo{
    .model_type = "gpt_neo",
    .summary = "Like GPT-2, with bias-free QKV projections and alternating global and local attention.",
    .classes = {"GPTNeo", heads::all, "transformer"},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
