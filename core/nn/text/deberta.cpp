#include "core/nn/text/deberta.hpp"

#include <algorithm>

#include "core/config/constraints.hpp"
#include "core/nn/layers.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

/// Whether a list of words separated by "|", such as "p2c | C2P", contains the word, ignoring case.
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

}  // namespace

bool has_pos_att_type(Config c, Text word, bool fallback) {
  if (c.peek("pos_att_type").is(Json::Type::string)) return holds_word(c.text("pos_att_type", ""), word);
  const auto words = c.words("pos_att_type");
  if (!words && fallback && !c.has("pos_att_type")) return true;
  return words && std::find(words->begin(), words->end(), word) != words->end();
}

std::optional<Expr> deberta_positions(Config c, Text field, std::optional<std::uint64_t> fallback) {
  const Json given = c.peek(field);
  if (given && given.is_null()) c.refuse(ErrorCode::wrong_type, field, "must be an integer.");
  if (!given.is(Json::Type::integer) || (!given.negative() && given.magnitude() > 0)) return c.optional_integer(field, fallback);
  c.consume(field);
  return std::nullopt;
}

Deberta deberta_fields(Config c, Deberta m, const DebertaDefaults& defaults) {
  const bool relative = c.flag("relative_attention", defaults.relative);
  const bool shared_keys = c.flag("share_att_key", defaults.shared_keys, Null::allowed);
  const bool own = relative && !shared_keys;
  m.relative = relative;
  const bool by_key = has_pos_att_type(c, "c2p", defaults.both_ways), by_query = has_pos_att_type(c, "p2c", defaults.both_ways);
  m.by_key = own && by_key;
  m.by_query = own && by_query;
  const auto buckets = deberta_positions(c, "position_buckets", defaults.buckets), reach = deberta_positions(c, "max_relative_positions");
  m.reach = buckets.value_or(reach.value_or(m.positions));
  m.relative_norm = holds_word(c.text("norm_rel_ebd", defaults.norm), "layer_norm");
  const Expr kernel = c.integer("conv_kernel_size", attribute.or_else(c.literal(0)));
  const Expr h = c.integer("attention_head_size", attribute.or_else(floor_divide(m.hidden, m.heads)));
  if (c.has("attention_head_size")) m.head_dim = h;
  if (kernel.decide() > 0) {
    m.kernel = kernel;
    m.groups = c.integer("conv_groups", attribute.or_else(c.literal(1)));
  }
  return m;
}

void deberta_layers(Builder& b, const Deberta& m) {
  const Expr d = m.hidden, n = m.heads, width = m.head_dim ? n * m.head_dim : d;
  b.repeat("encoder.layer", all(m.n_layers), [&] {
    require_multiple(d, n);
    attention(b, "attention",
              {.hidden = d,
               .heads = n,
               .head_dim = m.head_dim,
               .output_from = d,
               .qkv_bias = true,
               .output_bias = true,
               .q = "self.query_proj",
               .k = "self.key_proj",
               .v = "self.value_proj",
               .o = "output.dense"});
    b.scope(Part::attention, "attention", [&] {
      if (m.by_key) linear(b, "self.pos_key_proj", d, width, true);
      if (m.by_query) linear(b, "self.pos_query_proj", d, width, true);
      layer_norm(b, "output.LayerNorm", d);
    });
    mlp(b, "", d, m.inner, true, "intermediate.dense", "output.dense");
    layer_norm(b, "output.LayerNorm", d);
  });
  b.scope(Part::attention, "encoder", [&] {
    if (m.relative) table(b, "rel_embeddings", 2 * m.reach, d);
    if (m.relative_norm) layer_norm(b, "LayerNorm", d);
  });
  if (m.kernel)
    b.scope(Part::feed_forward, "encoder.conv", [&] {
      conv1d(b, "conv", per_group(d, m.groups), d, m.kernel);
      layer_norm(b, "LayerNorm", d);
    });
}

}  // namespace param_ledger
