// Byte Latent Transformer: encodes bytes, groups them into patches, processes the patches in a large model, and decodes bytes. By default,
// the entropy of a small model's predictions determines the patches. The encoder and the decoder are connected to the large model by
// cross-attention. Embeddings of byte groups, which are looked up by hashes, are added to the byte embeddings. Source: transformers,
// models/blt.

#include "core/nn/heads.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

/// One of BLT's four transformers: Llama's layers with the sizes of one section.
struct ByteStack {
  LlamaDecoder m = {};

  /// Reads the sizes. A default inner width of 0, or an intermediate_size of 0, stands for 8/3 of the hidden size, rounded down.
  ByteStack(Config c, const DecoderDefaults& defaults) {
    const Expr d = c.integer("hidden_size", defaults.hidden), n_layers = c.integer("num_hidden_layers", defaults.layers);
    const Expr n = c.integer("num_attention_heads", defaults.heads, 1), n_kv = c.integer("num_key_value_heads", unless_zero.or_else(n));
    const Expr share = floor_divide(8 * d, c.literal(3));
    Expr f =
        defaults.inner == 0 ? c.integer("intermediate_size", unless_zero.or_else(share)) : c.integer("intermediate_size", defaults.inner);
    if (is_zero(f)) f = share;
    m.attention = {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = floor_divide(d, n)};
    m.inner = f;
    m.n_layers = n_layers;
    if (defaults.vocabulary != 0) m.vocabulary = c.integer("vocab_size", defaults.vocabulary);
  }

  [[nodiscard]] Expr hidden() const { return m.attention.hidden; }

  /// Records `cross_attn_layers`, with a norm before the query projection and one before the key and value projections. There is one such
  /// layer for each of the stack's layers if cross_attn_all_layers is true, otherwise only one.
  void cross_attention(Config c, Builder& b, bool by_default) const {
    const bool everywhere = c.flag("cross_attn_all_layers", by_default, Null::allowed);
    b.repeat("cross_attn_layers", everywhere ? all(m.n_layers) : only(0), [&] {
      b.owned_by(Owner::cross, [&] { attention(b, "", m.attention); });
      norm(b, Norm::rms, "q_norm", hidden(), TensorRole::query_norm);
      norm(b, Norm::rms, "k_norm", hidden(), TensorRole::key_norm);
    });
  }
};

BackboneOutput backbone(Config c, Builder& b) {
  Config encoder_fields = c.section("encoder_config"), decoder_fields = c.section("decoder_config");
  const ByteStack encoder(encoder_fields, {1024, 0, 1, 260, 16}), decoder(decoder_fields, {1024, 2816, 9, 0, 16});
  const ByteStack global(c.section("global_config"), {2048, 5632, 25, 0, 16});
  const Expr vocab = c.integer("vocab_size", 260), patch = encoder.hidden() * c.integer("cross_attn_k", 2);
  const Expr group_vocab = c.integer("encoder_hash_byte_group_vocab", 500002);
  const Expr functions = c.integer("encoder_hash_byte_group_nb_functions", 1);
  const std::vector<std::int64_t> groups = c.integers("encoder_hash_byte_group_size", {3, 4, 5, 6, 7, 8});
  const Expr n_groups = c.count("byte_group_sizes", "G", "Sizes of the hashed byte groups.", groups.empty() ? 6 : groups.size());
  const bool tied = b.architecture().head == Head::causal_lm && c.flag("tie_word_embeddings", false);
  const bool patcher_inside = c.flag("patch_in_forward", true, Null::allowed);

  b.scope("local_encoder", [&] {
    if (!tied) embedding(b, "embed_tokens", encoder.m.vocabulary, encoder.hidden(), TensorRole::token_embedding);
    llama_layers(b, encoder.m);
    b.tower(Tower::projector, "", [&] {
      linear(b, "patch_embedding_projection", encoder.hidden(), encoder.hidden() * encoder_fields.integer("cross_attn_k", 2));
    });
    encoder.cross_attention(encoder_fields, b, false);
  });
  embedding(b, "encoder_hash_tok_embedding", group_vocab * functions * n_groups, encoder.hidden());
  b.scope("global_transformer", [&] {
    if (!equal(patch, global.hidden()))
      b.tower(Tower::projector, "", [&] { linear(b, "token_embedding_projection", patch, global.hidden()); });
    llama_layers(b, global.m);
  });
  b.scope("local_decoder", [&] {
    b.tower(Tower::projector, "", [&] {
      linear(b, "patch_embedding_projection", decoder_fields.integer("hidden_size_global", 2048),
             decoder.hidden() * decoder_fields.integer("cross_attn_k", 2));
    });
    decoder.cross_attention(decoder_fields, b, true);
    llama_layers(b, decoder.m);
    rms_norm(b, "norm", decoder.hidden());
  });
  if (patcher_inside) {
    const ByteStack patcher(c.section("patcher_config"), {768, 2048, 14, 260, 12});
    b.scope("patcher", [&] {
      llama_decoder(b, patcher.m);
      b.part(Part::output_head, [&] { linear(b, "lm_head", patcher.hidden(), patcher.m.vocabulary, false, TensorRole::head); });
    });
  }
  return {.hidden = decoder.hidden(), .vocabulary = vocab};
}

/// Records the head. If it is tied to the encoder's embedding, transformers stores the head's matrix and not the embedding.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::causal_lm) return;
  Tensor weight;
  b.scope(Part::output_head, "lm_head", [&] { weight = b.parameter("weight", {m.vocabulary, m.hidden}, StorageKind::matrix); });
  if (c.flag("tie_word_embeddings", false)) b.scope(Part::embedding, "model.local_encoder.embed_tokens", [&] { b.tied("weight", weight); });
}

}  // namespace

extern const Family blt{
    .model_type = "blt",
    .summary = "Byte-level language model: local encoder and decoder around a latent transformer on dynamic patches.",
    .classes = {"Blt", heads::decoder},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
