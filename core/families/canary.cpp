// Canary and Cohere's speech recogniser: a conformer on spectrograms, and a text decoder with cross-attention. Cohere's files use NeMo's
// tensor names. Source: transformers, models/canary, cohere_asr, conversion_mapping.py.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

extern const Family canary_encoder, cohere_asr_encoder;

namespace {

/// The decoder's module names, which differ between Canary and Cohere's model.
struct DecoderNames {
  Text embeddings, table, embedding_norm, layers, last_norm;
  Text attention, cross_attention, q, k, v, o;
  Text mlp, up, down;
  Text norms[3];
};
constexpr DecoderNames canary_names{"",
                                    "embed_tokens",
                                    "embedding_layernorm",
                                    "layers",
                                    "norm",
                                    "self_attn",
                                    "encoder_attn",
                                    "q_proj",
                                    "k_proj",
                                    "v_proj",
                                    "o_proj",
                                    "mlp",
                                    "fc1",
                                    "fc2",
                                    {"input_layernorm", "post_attention_layernorm", "final_layernorm"}};
constexpr DecoderNames cohere_names{
    "_embedding",      "token_embedding",  "layer_norm", "_decoder.layers", "_decoder.final_layer_norm",
    "first_sub_layer", "second_sub_layer", "query_net",  "key_net",         "value_net",
    "out_projection",  "third_sub_layer",  "dense_in",   "dense_out",       {"layer_norm_1", "layer_norm_2", "layer_norm_3"}};

/// Records the text decoder, with a position table if `positions` is given. Returns the token embedding table.
Tensor decoder(Builder& b, const DecoderSizes& s, const Attention& self, const DecoderNames& names, Expr positions = {}) {
  Attention own = self;
  own.q = names.q, own.k = names.k, own.v = names.v, own.o = names.o;
  Attention cross = own;
  cross.is_cross_attention = true;
  Tensor words;
  b.scope(names.embeddings, [&] {
    words = embedding(b, names.table, s.vocab, s.d);
    if (positions) b.part(Part::embedding, [&] { b.parameter("position_embedding.pos_enc", {positions, s.d}, StorageKind::table); });
    layer_norm(b, names.embedding_norm, s.d);
  });
  b.repeat(names.layers, all(s.n_layers), [&] {
    attention(b, names.attention, own);
    attention(b, names.cross_attention, cross);
    mlp(b, names.mlp, s.d, s.f, true, names.up, names.down);
    for (const Text name : names.norms) layer_norm(b, name, s.d);
  });
  layer_norm(b, names.last_norm, s.d);
  return words;
}

constexpr DecoderDefaults sizes{1024, 4096, 8, 16384, 8};

BackboneOutput canary_backbone(Config c, Builder& b) {
  Config encoder = c.section("encoder_config"), text = c.section("decoder_config");
  if (is_given(c, "encoder_config"))
    nested_tower(encoder, b, Tower::audio, "encoder", {"parakeet_encoder"});
  else
    b.tower(Tower::audio, "encoder", [&] { nested(encoder, b, "", canary_encoder); });
  text.consume("model_type");
  const DecoderSizes s = decoder_sizes(text, sizes);
  const Expr n_kv = text.integer("num_key_value_heads", 8), h = text.integer("head_dim", 128);
  const bool bias = text.flag("attention_bias", true);
  require_equal(s.vocab, c.integer("vocab_size", 16384));
  require_multiple(s.d, s.n);
  require_multiple(s.d, c.literal(2));
  Tensor words;
  b.scope("decoder", [&] {
    words =
        decoder(b, s, {.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias}, canary_names);
  });
  return {.hidden = s.d, .embedding = words, .tie_by_default = true, .language_model = "proj_out", .language_model_bias = true};
}

BackboneOutput cohere_backbone(Config c, Builder& b) {
  Config encoder = c.section("encoder_config");
  require_type(encoder, "parakeet_encoder");
  BackboneOutput tower;
  b.tower(Tower::audio, "encoder", [&] { tower = nested(encoder, b, "", cohere_asr_encoder); });
  const DecoderSizes s = decoder_sizes(c, sizes);
  const Expr n_kv = c.integer("num_key_value_heads", s.n), h = c.integer("head_dim", floor_divide(s.d, s.n));
  const Expr positions = c.integer("max_position_embeddings", 1024);
  const bool bias = c.flag("attention_bias", true);
  b.tower(Tower::projector, "", [&] { linear(b, "encoder_decoder_proj", tower.hidden, s.d, true); });
  Tensor words;
  b.scope("transf_decoder", [&] {
    words = decoder(b, s, {.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias},
                    cohere_names, positions);
  });
  return {.hidden = s.d, .embedding = words, .language_model = "log_softmax.mlp.layer0", .language_model_bias = true};
}

constexpr unsigned classes = heads::conditional | heads::base;

}  // namespace

extern const Family canary{
    .model_type = "canary",
    .summary = "Speech recognition and translation: a FastConformer encoder and a transformer decoder.",
    .classes = {"Canary", classes},
    .backbone = canary_backbone,
};
extern const Family cohere_asr{
    .model_type = "cohere_asr",
    .summary = "Speech recognition: a large conformer encoder and a transformer decoder.",
    .classes = {"CohereAsr", classes},
    .backbone = cohere_backbone,
};

}  // namespace param_ledger
