// DeBERTa-v2 and v3: as BERT, with attention that also weighs relative positions, by projections of its own or the token's.
// Source: transformers, models/deberta_v2.

#include <algorithm>

#include "core/blocks/encoder.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{};

/// True where a text of words between bars holds that word, in any case: "p2c | C2P".
bool holds_word(std::string_view text, std::string_view word) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  while (true) {
    const std::size_t bar = std::min(text.find('|'), text.size());
    std::string_view part = text.substr(0, bar);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part = part.substr(0, part.find_last_not_of(' ') + 1);
    if (std::equal(part.begin(), part.end(), word.begin(), word.end(), same)) return true;
    if (bar == text.size()) return false;
    text.remove_prefix(bar + 1);
  }
}

/// Which positions attention weighs: a text or a list of "c2p" and "p2c".
bool weighs(Config c, Text word) {
  if (c.peek("pos_att_type").is(Json::Type::string)) return holds_word(c.text("pos_att_type", ""), word);
  const auto words = c.words("pos_att_type");
  return words && std::find(words->begin(), words->end(), word) != words->end();
}

/// A number of positions, none where it is below 1.
std::optional<Expr> positions_in(Config c, Text field) {
  const Json given = c.peek(field);
  if (given && given.is_null()) c.refuse(ErrorCode::wrong_type, field, "must be an integer.");
  if (!given.is(Json::Type::integer) || (!given.negative() && given.magnitude() > 0)) return c.optional_integer(field);
  c.consume(field);
  return std::nullopt;
}

Backbone backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {1536, 6144, 24, 128100, 24});
  const Expr d = s.d, n = s.n;
  const Expr e = c.integer("embedding_size", attribute.or_else(d)), types = c.integer("type_vocab_size", 0);
  const Expr positions = c.integer("max_position_embeddings", 512);
  const bool absolute = c.flag("position_biased_input", true), relative = c.flag("relative_attention", false);
  const bool shared_keys = c.flag("share_att_key", false, Null::allowed);
  const bool by_key = weighs(c, "c2p"), by_query = weighs(c, "p2c");
  const auto buckets = positions_in(c, "position_buckets"), reach = positions_in(c, "max_relative_positions");
  const bool relative_norm = holds_word(c.text("norm_rel_ebd", "none"), "layer_norm");
  const Expr kernel = c.integer("conv_kernel_size", attribute.or_else(c.literal(0)));
  const Expr h = c.integer("attention_head_size", attribute.or_else(floor_divide(d, n))), width = c.has("attention_head_size") ? n * h : d;

  Tensor words;
  b.scope("embeddings", [&] {
    words = embedding(b, "word_embeddings", s.vocab, e);
    if (absolute) embedding(b, "position_embeddings", positions, e);
    if (!is_zero(types)) embedding(b, "token_type_embeddings", types, e);
    if (!equal(e, d)) b.part(Part::embedding, [&] { linear(b, "embed_proj", e, d); });
    layer_norm(b, "LayerNorm", d);
  });
  b.repeat("encoder.layer", all(s.n_layers), [&] {
    require_multiple(d, n);
    attention(b, "attention",
              {.hidden = d,
               .heads = n,
               .head_dim = c.has("attention_head_size") ? h : Expr{},
               .output_from = d,
               .qkv_bias = true,
               .output_bias = true,
               .q = "self.query_proj",
               .k = "self.key_proj",
               .v = "self.value_proj",
               .o = "output.dense"});
    b.scope(Part::attention, "attention", [&] {
      if (relative && !shared_keys && by_key) linear(b, "self.pos_key_proj", d, width, true);
      if (relative && !shared_keys && by_query) linear(b, "self.pos_query_proj", d, width, true);
      layer_norm(b, "output.LayerNorm", d);
    });
    mlp(b, "", d, s.f, true, "intermediate.dense", "output.dense");
    layer_norm(b, "output.LayerNorm", d);
  });
  b.scope(Part::attention, "encoder", [&] {
    if (relative) table(b, "rel_embeddings", 2 * buckets.value_or(reach.value_or(positions)), d);
    if (relative_norm) layer_norm(b, "LayerNorm", d);
  });
  if (!is_zero(kernel)) {
    const Expr groups = c.integer("conv_groups", attribute.or_else(c.literal(1)));
    require_multiple(d, groups);
    b.scope(Part::feed_forward, "encoder.conv", [&] {
      convolution(b, "conv", floor_divide(d, groups), d, {kernel});
      layer_norm(b, "LayerNorm", d);
    });
  }
  return {.hidden = d, .embedding = words, .tie_by_default = true};
}

void head(Config c, Builder& b, const Backbone& m) {
  const Head head = b.architecture().head;
  if (head == Head::masked_lm && !c.flag("legacy", true)) {
    b.scope(Part::output_head, "lm_predictions.lm_head", [&] {
      linear(b, "dense", m.hidden, m.hidden, true);
      layer_norm(b, "LayerNorm", m.hidden);
      b.parameter("bias", {b.row(m.embedding).shape.front()});
    });
    return;
  }
  if (head == Head::sequence_classification || head == Head::multiple_choice) {
    const Expr pooled = c.integer("pooler_hidden_size", attribute.or_else(m.hidden));
    b.part(Part::output_head, [&] { linear(b, "pooler.dense", pooled, pooled, true); });
  }
  bert_head(c, b, m, type);
}

}  // namespace

extern const Family deberta_v2{
    .model_type = "deberta-v2",
    .summary = "As BERT, with attention that also weighs relative positions.",
    .classes = {"DebertaV2", heads::encoder & ~heads::causal_lm, "deberta"},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
