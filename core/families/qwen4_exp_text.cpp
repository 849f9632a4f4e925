// Qwen4 (experimental), text: like Qwen3.5 with experts, but with hyper-connections (several residual streams with low-rank gates) instead
// of norms before attention and feed-forward, indexed attention, and n-gram embeddings in the layers that ple_layer_ids lists. Source:
// transformers, models/qwen4_exp.

#include <algorithm>

#include "core/nn/text/qwen.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view kinds_of_layers[] = {"linear_attention",          "full_attention", "indexed_attention", "qwen_sparse_attention",
                                                "deepseek_sparse_attention", "mamba"};
constexpr Text index_fields[] = {"indexer_n_heads", "indexer_kv_heads", "indexer_head_dim", "indexer_budget", "indexer_compress_ratio"};

/// The share of a head's dimensions to which RoPE is applied. These must fit into a head of the indexer.
double rotary_share(Config c) {
  for (const Json given : {c.peek("rope_parameters")["partial_rotary_factor"], c.peek("rope_scaling")["partial_rotary_factor"],
                           c.peek("partial_rotary_factor")})
    if (given.is(Json::Type::number) || given.is(Json::Type::integer)) return given.number();
  return 1;
}

/// The indexer, which selects tokens for attention with its own queries and keys. Throws if only some of its five fields are given, or none
/// although some layer needs it.
struct Index {
  Expr heads, head_dim;

  Index(Config c, Expr attention_head_dim, bool needed) {
    std::vector<std::optional<Expr>> fields;
    for (const Text field : index_fields) fields.push_back(c.optional_integer(field, {}, 1));
    const bool given = std::any_of(fields.begin(), fields.end(), [](const auto& field) { return field.has_value(); });
    if (!given && !needed) return;
    for (std::size_t i = 0; i < fields.size(); ++i)
      if (!fields[i]) c.refuse(ErrorCode::missing_field, index_fields[i], "must be given, because attention has an indexer.");
    if (fields[1]->decide() != 1) c.refuse(ErrorCode::out_of_range, "indexer_kv_heads", "must be 1.");
    require_multiple(*fields[3], *fields[4]);
    heads = *fields[0];
    head_dim = *fields[2];
    if (static_cast<Count>(static_cast<double>(attention_head_dim.decide()) * rotary_share(c)) > head_dim.decide())
      c.refuse(ErrorCode::out_of_range, "indexer_head_dim", "must not be less than the rotary part of head_dim.");
  }

  void record(Builder& b, Expr d) const {
    b.scope(Part::attention, "self_attn.indexer", [&] {
      linear(b, "index_qk_proj", d, (heads + 1) * head_dim);
      norm(b, Norm::rms, "q_layernorm", head_dim, TensorRole::query_norm);
      norm(b, Norm::rms, "k_layernorm", head_dim, TensorRole::key_norm);
    });
  }
};

/// A hyper-connection, which reads from all streams through a gate. With `inject`, it also determines how much of a block's output is added
/// to each stream.
struct HyperConnection {
  Expr streams, width, rank;  ///< `width`: the total width of all streams

  void record(Builder& b, Text name, bool inject = true) const {
    b.scope(Part::adapter, name, [&] {
      rms_norm(b, "hc_norm", width);
      linear(b, "input_mix_weight_down", width, rank);
      linear(b, "input_mix_weight_up", rank, width);
      if (inject) linear(b, "block_inject_weight", width, streams);
    });
  }
};

bool is_prime(std::uint64_t n) {
  if (n < 2 || (n % 2 == 0 && n != 2)) return false;
  for (std::uint64_t divisor = 3; divisor * divisor <= n; divisor += 2)
    if (n % divisor == 0) return false;
  return true;
}

/// The sizes of n-gram embeddings: the last few tokens are looked up in tables by hashes modulo primes, with a different prime for each
/// head.
struct NGrams {
  std::vector<std::uint64_t> layers;  ///< indices of the layers with n-gram embeddings, ascending
  Expr width, size, heads, base, divisor, kernel;

  NGrams(Config c, Expr d, Expr n_layers, const std::vector<std::string_view>& kinds) {
    for (const std::int64_t id : c.integers("ple_layer_ids").value_or(std::vector<std::int64_t>{})) {
      if (id < 1 || static_cast<Count>(id) > n_layers.decide())
        c.refuse(ErrorCode::out_of_range, "ple_layer_ids", "names a layer that does not exist.");
      if (kinds[static_cast<std::size_t>(id - 1)] != "linear_attention")
        c.refuse(ErrorCode::inconsistent, "ple_layer_ids", "must name only layers with linear attention.");
      layers.push_back(static_cast<std::uint64_t>(id - 1));
    }
    std::sort(layers.begin(), layers.end());
    layers.erase(std::unique(layers.begin(), layers.end()), layers.end());
    width = c.integer("ple_embed_dim", d);
    size = c.integer("ngram_size", 3);
    heads = c.integer("heads_per_ngram", 8);
    base = c.integer("ngram_vocab_size_base", 20'000'000);
    divisor = c.integer("make_ngram_vocab_size_divisible_by", 128);
    kernel = c.integer("ple_conv_kernel_size", 4);
    if (layers.empty()) return;
    if (const Json end = c.peek("eos_token_id"); !end || end.is_null() || (end.is(Json::Type::list) && end.size() == 0))
      c.refuse(ErrorCode::missing_field, "eos_token_id", "must be given if ple_layer_ids is not empty.");
    require_positive(width);
    require_positive(divisor);
    require_positive(size);
    heads = (size - 1) * heads;
    require_positive(heads);
    require_multiple(width, heads);
    // These sizes are limited, because the search for primes takes time.
    if (base.decide() > 1'000'000'000 || heads.decide() * layers.size() > 1'000)
      c.refuse(ErrorCode::too_large, "ngram_vocab_size_base", "or the number of heads is too large to be counted here.");
  }

  void record(Config c, Builder& b, Expr d, const HyperConnection& streams) const {
    if (layers.empty()) return;
    const Expr count = c.count("num_ple_layers", "L_p", "Layers with n-gram embeddings.", layers.size());
    b.repeat("layers", listed(layers, count), [&] {
      b.scope(Part::adapter, "ple", [&] {
        b.buffer("ple_embedding.layer_multipliers", {size});
        b.buffer("ple_embedding.ngram_heads_vocab_sizes", {heads});
        b.buffer("ple_embedding.ngram_heads_offsets", {heads});
        linear(b, "key_proj", width, streams.width);
        linear(b, "value_proj", width, d);
        for (const Text norm : {"norm_key", "norm_query", "norm_conv"}) rms_norm(b, norm, streams.width);
        depthwise_conv1d(b, "conv1d", streams.width, kernel, false);
      });
    });
    auto prime = static_cast<std::uint64_t>(base.decide());
    for (const std::uint64_t layer : layers) {
      Count rows = 0;
      for (Count head = 0; head < heads.decide(); ++prime)
        if (is_prime(prime)) {
          rows += prime;
          ++head;
        }
      rows = (rows + divisor.decide() - 1) / divisor.decide() * divisor.decide();
      const std::string index = digits(layer);
      const Expr table_rows = c.count(concat({"ngram_vocab_size[", index, "]"}), concat({"V_", index}),
                                      "Rows of an n-gram table: the sum of the next primes from ngram_vocab_size_base.", rows);
      b.repeat("layers", only(layer), [&] { embedding(b, "ple.ple_embedding.ngram_embedding", table_rows, floor_divide(width, heads)); });
    }
    b.note("split_ngram_parts", "Files store each n-gram table in split_ngram_parts pieces; here it is one tensor.");
  }
};

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {.hidden = 2048, .layers = 40, .vocabulary = 248320, .heads = 16});
  const Attention gated_attention = gated_attention_fields(c, s, 2);
  const GatedDelta delta = gated_delta_fields(c, s.d);
  const Expr interval = c.integer("full_attention_interval", 4, 1);
  const auto kinds = layer_kinds(c, "layer_types", s.n_layers, kinds_of_layers, [&](std::size_t i) {
    return (i + 1) % interval.decide() == 0 ? "indexed_attention" : "linear_attention";
  });
  const Split layers = linear_layers(c, s.n_layers, kinds);
  const Index index(c, gated_attention.head_dim, !layers.out.empty());
  const Mixture experts = gated_experts_fields(c, s.d, 512, 10);
  const Expr n_streams = c.integer("hc_count", 4, 2);
  const HyperConnection streams{.streams = n_streams, .width = n_streams * s.d, .rank = c.integer("hc_lowrank", 320)};
  const NGrams n_grams(c, s.d, s.n_layers, kinds);
  for (const Expr positive : {experts.count, experts.active, experts.inner, experts.shared}) require_positive(positive);
  if (less(experts.count, experts.active)) c.refuse(ErrorCode::out_of_range, "num_experts_per_tok", "must not exceed num_experts.");

  const Tensor table = embedding(b, "embed_tokens", s.vocab, s.d, TensorRole::token_embedding);
  n_grams.record(c, b, s.d, streams);
  b.repeat("layers", all(s.n_layers), [&] { streams.record(b, "attn_hyper_connection"); });
  b.repeat("layers", layers.in, [&] { gated_delta(b, "linear_attn", delta); });
  b.repeat("layers", layers.out, [&] {
    attention(b, "self_attn", gated_attention);
    index.record(b, s.d);
  });
  b.repeat("layers", all(s.n_layers), [&] {
    streams.record(b, "mlp_hyper_connection");
    mixture(b, "mlp", experts);
  });
  streams.record(b, "hyper_connection_mixer", false);
  return {.hidden = s.d, .embedding = table};
}

constexpr Architecture classes[] = {
    {"Qwen4ExpForCausalLM", Head::causal_lm, "model"},
    {"Qwen4ExpTextModel", Head::none, ""},
};

}  // namespace

extern const Family qwen4_exp_text{
    .model_type = "qwen4_exp_text",
    .summary = "Like Qwen3.5-MoE, with hyper-connections, sparse attention and n-gram embeddings.",
    .classes = {.listed = classes},
    .backbone = backbone,
};

}  // namespace param_ledger
