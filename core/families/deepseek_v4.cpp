// DeepSeek-V4: attention with a single key-value head to the tokens in a sliding window and, in layers with compression, to compressed
// tokens. Compression is either light, in which case an indexer selects tokens, or heavy. Also grouped output projections,
// hyper-connections, and layers in which the token ID selects the experts (by default the first three). Source: transformers,
// models/deepseek_v4.

#include "core/builder/blocks.hpp"
#include "core/builder/inference.hpp"
#include "core/nn/text/hyper_connection.hpp"
#include "core/nn/text/sparse_decoders.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"DeepseekV4ForCausalLM", Head::causal_lm, "model"}, {"DeepseekV4Model", Head::none, ""}};

constexpr Alias aliases[] = {{"num_local_experts", "n_routed_experts"}, {"intermediate_size", "moe_intermediate_size"}};

constexpr Text light = "compressed_sparse_attention", heavy = "heavily_compressed_attention", window = "sliding_attention";
constexpr std::string_view kinds_of_layers[] = {light, heavy, window};
constexpr std::string_view kinds_of_routers[] = {"hash_moe", "moe"};

/// The kind of attention in each layer, from layer_types or, in published configurations, from compress_ratios: 0 (window only), 4 (light
/// compression) or 128 (heavy compression) for each layer. compress_ratios may have more entries than there are layers. If
/// both are missing, the first two layers and all layers with an even index have heavy compression, the others light compression.
std::vector<std::string_view> attention_kinds(Config c, Expr n_layers) {
  const auto ratios = c.integers("compress_ratios");
  if (ratios && ratios->size() < n_layers.decide()) c.require_length("compress_ratios", ratios->size(), n_layers);
  return layer_kinds(c, "layer_types", n_layers, kinds_of_layers, [&](std::size_t i) {
    if (!ratios) return i < 2 || i % 2 == 0 ? heavy : light;
    const std::int64_t ratio = (*ratios)[i];
    if (ratio != 0 && ratio != 4 && ratio != 128) c.refuse(ErrorCode::out_of_range, "compress_ratios", "must contain only 0, 4 and 128.");
    return ratio == 0 ? window : ratio == 4 ? light : heavy;
  });
}

/// How many tokens the compressors in `layers` merge into one: from `older`, a field of older files; if it is missing, from compress_rates;
/// if both are missing, `fallback`.
Expr compress_rate(Config c, const IndexSet& layers, Text older, Text kind, std::uint64_t fallback) {
  if (is_given(c, older)) return c.integer(older, fallback);
  if (!is_given(c, "compress_rates")) return c.integer(older, c.literal(fallback));
  Config section = c.section("compress_rates");
  return layers.empty() ? section.integer(kind, fallback) : section.integer(kind, required(fallback));
}

/// Records a compressor's cache: the tokens of an incomplete window, one entry for each complete window and, if windows overlap, the last
/// window.
void keep_compressed(Builder& b, Text name, Expr width, Expr out, Expr rate) {
  const auto named = [&](Text what) { return concat({what, ".", name}); };
  const Extent rest{Extent::Kind::rest, rate.decide()}, last{Extent::Kind::started, rate.decide()};
  for (const Text what : {"buffer_kv", "buffer_gate"}) record_cache(b, named(what), {{}, width}, rest);
  record_cache(b, named("compressed_kv"), {{}, out}, {Extent::Kind::quotient, rate.decide()});
  if (width == out) return;
  for (const Text what : {"overlap_kv", "overlap_gate"}) record_cache(b, named(what), {{}, out}, last);
}

void compressor(Builder& b, Text name, Expr hidden, Expr width, Expr out, Expr rate) {
  b.scope(name, [&] {
    linear(b, "wkv", hidden, width);
    linear(b, "wgate", hidden, width);
    b.parameter("ape", {rate, width}, StorageKind::table);
    rms_norm(b, "norm", out);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {.hidden = 4096, .layers = 43, .vocabulary = 129280, .heads = 64});
  const Expr d = s.d, n = s.n, h = c.integer("head_dim", 512, 1), r_q = c.integer("q_lora_rank", 1024);
  const Expr groups = c.integer("o_groups", 8, 1), r_o = c.integer("o_lora_rank", 1024);
  const Expr n_index = c.integer("index_n_heads", 64), h_index = c.integer("index_head_dim", 128);
  const auto kinds = attention_kinds(c, s.n_layers);
  const IndexSet lightly =
      layers_of(c, kinds, light, s.n_layers, "num_csa_layers", "L_c", "Layers with compressed sparse attention (CSA).");
  const IndexSet heavily =
      layers_of(c, kinds, heavy, s.n_layers, "num_hca_layers", "L_h", "Layers with heavily compressed attention (HCA).");
  const Expr light_rate = compress_rate(c, lightly, "compress_rate_csa", light, 4);
  const Expr heavy_rate = compress_rate(c, heavily, "compress_rate_hca", heavy, 128);
  const bool mlp_bias = c.flag("mlp_bias", false);
  Mixture m = mixture_fields(c, d, {.count = 256, .active = 6, .inner = 2048}, mixtral_experts({}));
  m.shared = m.inner;
  m.shared_names = {"w1", "w3", "w2"};
  m.shared_bias = mlp_bias;
  const Expr n_hash = c.integer("num_hash_layers", c.literal(3));
  const auto routers = layer_kinds(c, "mlp_layer_types", s.n_layers, kinds_of_routers,
                                   [&](std::size_t i) { return i < n_hash.decide() ? "hash_moe" : "moe"; });
  const Split hashed = split(c, s.n_layers, "num_hash_routers", "L_r", "Layers in which the token ID selects the experts.",
                             [&](std::size_t i) { return routers[i] == "hash_moe"; });
  const Expr copies = c.integer("hc_mult", 4);

  const InBlock block(b, {.gate = Gate::clamped});
  const bool bare = b.architecture().head == Head::none;  // the bare class names some modules differently
  const Tensor table = embedding(b, bare ? "embed" : "embed_tokens", s.vocab, d, TensorRole::token_embedding);
  b.repeat("layers", all(s.n_layers), [&] {
    rms_norm(b, "attn_norm", d);
    b.scope(Part::attention, "attn", [&] {
      const InBlock block(b, {.mechanism = Mechanism::attention, .heads = n, .kv_heads = c.literal(1)});
      linear(b, "wq_a", d, r_q, false, TensorRole::query_down);
      rms_norm(b, "q_norm", r_q);
      linear(b, "wq_b", r_q, n * h, false, TensorRole::query_up);
      linear(b, "wkv", d, h);
      rms_norm(b, "norm", h);
      linear(b, "wo_a", floor_divide(n * h, groups), groups * r_o);
      linear(b, "wo_b", groups * r_o, d, false, TensorRole::output);
      b.parameter("attn_sink", {n});
      record_cache(b, "keys", {c.literal(1), {}, h});  // the cached keys are also used as values
    });
  });
  b.repeat("layers", heavily, [&] {
    b.scope(Part::attention, "attn", [&] {
      compressor(b, "compressor", d, h, h, heavy_rate);
      keep_compressed(b, "compressor", h, h, heavy_rate);
    });
  });
  b.repeat("layers", lightly, [&] {
    b.scope(Part::attention, "attn", [&] {
      compressor(b, "compressor", d, 2 * h, h, light_rate);
      {
        const InBlock block(b, {Mechanism::sparse_indexer});
        compressor(b, "indexer.compressor", d, 2 * h_index, h_index, light_rate);
        linear(b, "indexer.wq_b", r_q, n_index * h_index);
        linear(b, "indexer.weights_proj", d, n_index);
      }
      keep_compressed(b, "compressor", 2 * h, h, light_rate);
      keep_compressed(b, "indexer", 2 * h_index, h_index, light_rate);
    });
  });
  b.repeat("layers", all(s.n_layers), [&] {
    rms_norm(b, "ffn_norm", d);
    mixture(b, "ffn", m);
    for (const Text block : {"hc_attn_", "hc_ffn_"}) hyper_connection(b, block, d, copies, (copies + 2) * copies, 3);
  });
  b.repeat("layers", hashed.in, [&] { b.part(Part::router, [&] { b.buffer("ffn.gate.tid2eid", {s.vocab, m.active}); }); });
  b.repeat("layers", hashed.out, [&] { b.part(Part::router, [&] { b.buffer("ffn.gate.bias", {m.count}); }); });
  hyper_connection(b, bare ? "hc_head_" : "hc_head.hc_", d, copies, copies, 1);
  rms_norm(b, "norm", d);
  return {.hidden = d, .embedding = table, .language_model = "head"};
}

}  // namespace

extern const Family deepseek_v4{
    .model_type = "deepseek_v4",
    .summary = "Sliding-window and compressed sparse attention, hyper-connections, mixture of experts in each layer.",
    .classes = {.listed = classes},
    .aliases = aliases,
    .backbone = backbone,
    .cache = caches::windowed(128),
    .uncomputed = unmatched,
    .predicts = {.place = PredictionLayers::Place::unknown},
};

}  // namespace param_ledger
