#include "core/builder/inference.hpp"

#include <algorithm>

#include "core/builder/blocks.hpp"
#include "core/builder/family.hpp"
#include "core/builder/head_shares.hpp"
#include "core/builder/row_names.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

Count Extent::at(Count tokens) const {
  switch (kind) {
    case Kind::tokens: return tokens + by;
    case Kind::window: return std::min(tokens, by);
    case Kind::quotient: return tokens / by;
    case Kind::rest: return tokens % by;
    case Kind::started: return tokens < by ? 0 : by;
    case Kind::fixed: break;
  }
  return 1;
}

Count CacheRow::at(Count tokens) const { return multiply(entry.decide(), extent.at(tokens)); }

void InBlock::note_block(Builder& b, const Block& block, std::size_t first) {
  if (Inference* const to = b.recorder()) to->blocks.push_back({block, first, b.rows().size()});
}

void record_block(Builder& b, const Block& block, Text name) {
  Inference* const to = b.recorder();
  if (to == nullptr) return;
  const std::string start = concat({b.prefix(), name});
  const std::vector<Row>& rows = b.rows();
  std::size_t first = rows.size();
  while (first > 0 && rows[first - 1].name.starts_with(start)) --first;
  if (first < rows.size()) to->blocks.push_back({block, first, rows.size()});
}

void repeat_blocks(Builder& b, std::size_t row) {
  Inference* const to = b.recorder();
  if (to == nullptr) return;
  const std::size_t last = b.rows().size();
  for (std::size_t i = 0, n = to->blocks.size(); i < n; ++i) {
    const BlockRows known = to->blocks[i];
    if (known.first <= row && row < known.last) to->blocks.push_back({known.block, last - 1, last});
  }
}

Expr named_tokens(Pool& pool, Count tokens) {
  const Expr found = pool.find("tokens");
  return found ? found : pool.named({.name = "tokens", .symbol = "T", .meaning = "Tokens in the context.", .field = false}, tokens);
}

namespace {

/// The number of entries in a cache, as an expression. Empty if there is always one.
Expr entries(Pool& pool, Expr tokens, const Extent& extent) {
  switch (extent.kind) {
    case Extent::Kind::tokens: return extent.by == 0 ? tokens : tokens + pool.literal(extent.by);
    case Extent::Kind::window: break;
    case Extent::Kind::quotient: return floor_divide(tokens, pool.literal(extent.by));
    case Extent::Kind::rest: return tokens - pool.literal(extent.by) * floor_divide(tokens, pool.literal(extent.by));
    case Extent::Kind::started: return pool.literal(extent.at(tokens.decide()));
    case Extent::Kind::fixed: return {};
  }
  const std::string name = concat({"tokens_in_window_of_", digits(extent.by + 1)});
  const Expr found = pool.find(name);
  if (found) return found;
  return pool.named({.name = name,
                     .symbol = "T_w",
                     .meaning = "Tokens that a layer with a sliding window keeps: the context, but at most one less than the window.",
                     .field = false},
                    extent.at(tokens.decide()));
}

/// Sets the row's `entry`, `elements` and `total`.
void sum_up(CacheRow& row, Expr tokens) {
  Pool& pool = *tokens.node()->pool;
  const Expr counted = entries(pool, tokens, row.extent);
  row.entry = pool.literal(1);
  for (const Expr e : row.shape)
    if (e) row.entry = row.entry * e;
  row.elements = counted ? row.entry * counted : row.entry;
  row.total = row.elements;
  for (const Expr e : row.repeats) {
    row.entry = row.entry * e;
    row.total = row.total * e;
  }
}

void sum_up(PairRow& /*row*/, Expr /*copies*/) {}

}  // namespace

std::vector<Expr> dimensions(const CacheRow& row, Expr tokens) {
  std::vector<Expr> out = row.shape;
  for (Expr& e : out)
    if (!e) e = entries(*tokens.node()->pool, tokens, row.extent);
  return out;
}

void record_cache(Builder& b, Text name, std::initializer_list<Expr> shape, Extent extent, bool float32) {
  Inference* const to = b.inference();
  if (to == nullptr) return;
  if (name == "keys" && shape.end()[-1].decide() == 1)
    to->unknown = "transformers widens heads of dimension 1 when it applies RoPE, so the size of their cache is not known.";
  CacheRow row{.name = concat({b.prefix(), name}), .shape = shape, .repeats = b.repeats(), .extent = extent, .float32 = float32};
  if (std::all_of(shape.begin(), shape.end(), [](Expr e) { return static_cast<bool>(e); })) row.extent = {Extent::Kind::fixed};
  sum_up(row, to->tokens);
  to->cache.push_back(std::move(row));
}

void record_pair_products(Builder& b, Expr width, Extent extent, bool next_only) {
  if (Inference* const to = b.inference()) to->pairs.push_back({b.prefix(), width, b.repeats(), extent, next_only});
}

void record_attention(Builder& b, const AttentionSizes& a) {
  remark_shares(b, a.heads, a.kv_heads, a.key_dim);
  record_block(b, {.mechanism = Mechanism::attention, .heads = a.heads, .kv_heads = a.kv_heads});
  if (b.inference() == nullptr) return;
  const Expr value_dim = a.value_dim ? a.value_dim : a.key_dim;
  const Extent extent{Extent::Kind::tokens, a.prompt ? a.prompt.decide() : 0};
  const Expr cached = a.cached ? a.cached : a.kv_heads;
  record_cache(b, "keys", {cached, {}, a.key_dim}, extent);
  record_cache(b, "values", {cached, {}, value_dim}, extent);
  record_pair_products(b, a.heads * (a.key_dim + value_dim), extent);
}

namespace {

/// `each` times the counts of the enclosing repeats.
Count in_all(const Builder& b, Expr each) {
  Count out = each.decide();
  for (const Expr e : b.repeats()) out = multiply(out, e.decide());
  return out;
}

}  // namespace

void record_extra_macs(Builder& b, Expr elements) {
  if (Inference* const to = b.inference()) to->extra_macs_per_token = add(to->extra_macs_per_token, in_all(b, elements));
}

void record_skipped_macs(Builder& b, Expr elements) {
  if (Inference* const to = b.inference()) to->skipped_macs = add(to->skipped_macs, in_all(b, elements));
}

void record_prompt_macs(Builder& b, Expr elements) {
  if (Inference* const to = b.inference()) to->macs_per_prompt = add(to->macs_per_prompt, in_all(b, elements));
}

Expr source_tokens(Builder& b) {
  const Inference* const to = b.inference();
  if (to == nullptr) return {};
  const Expr found = b.pool().find("source_tokens");
  const std::string_view meaning = "Tokens that the encoder reads.";
  return found ? found : b.pool().named({.name = "source_tokens", .symbol = "T_s", .meaning = meaning, .field = false}, to->source);
}

void record_cross_attention(Builder& b, const AttentionSizes& a, Expr encoder_length, Expr projections) {
  Inference* const to = b.inference();
  if (to == nullptr) return;
  to->reads_source = true;
  const Expr value_dim = a.value_dim ? a.value_dim : a.key_dim;
  record_cache(b, "keys", {a.kv_heads, encoder_length, a.key_dim});
  record_cache(b, "values", {a.kv_heads, encoder_length, value_dim});
  record_skipped_macs(b, projections);
  record_prompt_macs(b, projections * encoder_length);
  record_recurrence(b, a.heads * (a.key_dim + value_dim) * encoder_length, Prompt::by_token);
}

bool is_multiplied(const Row& row) {
  if (row.kind == Kind::tied && row.in_text(Part::output_head) && row.shape.size() == 2) return true;
  return (row.storage == StorageKind::matrix || row.storage == StorageKind::kernel) &&
         (row.kind == Kind::parameter || row.kind == Kind::tied);
}

void finish_encoder(Builder& b, Expr tokens, std::size_t first_row, std::size_t first, std::size_t first_pair) {
  Inference* const to = b.inference();
  if (to == nullptr) return;
  const Count n = tokens.decide();
  for (std::size_t i = first_row; i < b.rows().size(); ++i) {
    if (!is_multiplied(b.rows()[i])) continue;
    const Count elements = b.rows()[i].active.decide();
    to->skipped_macs = add(to->skipped_macs, elements);
    to->macs_per_prompt = add(to->macs_per_prompt, multiply(elements, n));
  }
  for (std::size_t i = first_pair; i < to->pairs.size(); ++i) {
    Count width = to->pairs[i].width.decide();
    for (const Expr e : to->pairs[i].repeats) width = multiply(width, e.decide());
    to->macs_per_prompt = add(to->macs_per_prompt, multiply(width, multiply(n, n)));
  }
  to->cache.resize(first);
  to->pairs.resize(first_pair);
}

void record_recurrence(Builder& b, Expr products, Prompt prompt) {
  Inference* const to = b.inference();
  if (to == nullptr) return;
  to->state_macs_per_token = add(to->state_macs_per_token, in_all(b, products));
  to->chunks = to->chunks || prompt == Prompt::in_chunks;
}

void record_states(Builder& b, std::initializer_list<Expr> convolution, std::initializer_list<Expr> recurrence, Count times,
                   Prompt prompt) {
  if (b.inference() == nullptr) return;
  record_cache(b, "conv_states.0", convolution);
  record_cache(b, "recurrent_states.0", recurrence, {}, true);
  Expr state = b.pool().literal(times);
  for (const Expr e : recurrence) state = state * e;
  record_recurrence(b, state, prompt);
}

namespace {

Expr count_of(Pool& pool, Text name, Text symbol, Text meaning, std::size_t value) {
  std::string own = std::string(name);
  for (Expr found = pool.find(own); found; found = pool.find(own)) {
    if (found.decide() == value) return found;
    own += "_too";
  }
  return pool.named({.name = own, .symbol = std::string(symbol), .meaning = meaning, .field = false}, value);
}

/// Gives rows that keep all tokens the extent `window` in the layers that slide. A row with layers of both kinds is split in two.
template <class Row>
void split_rows(Pool& pool, std::vector<Row>& rows, std::size_t first, const std::vector<bool>& slides, const Extent& window, Expr tokens) {
  std::vector<Row> more;
  for (std::size_t i = first; i < rows.size(); ++i) {
    Row& row = rows[i];
    if (row.extent.kind != Extent::Kind::tokens) continue;
    std::string_view layers;  // the part of the row's name that lists its layers, e.g. "[0-31]"
    any_index(row.name, [&](std::string_view, std::string_view index) {
      layers = index;
      return true;
    });
    std::vector<std::uint64_t> in, out;
    for (const Run& run : spelled(layers))
      for (std::uint64_t layer = run.first; layer <= run.last; ++layer)
        (layer < slides.size() && slides[static_cast<std::size_t>(layer)] ? in : out).push_back(layer);
    if (in.empty()) continue;
    if (!out.empty()) {
      Row rest = row;
      const IndexSet full = listed(out, count_of(pool, "num_full_attention_layers", "L_f", "Layers that keep all tokens.", out.size()));
      const IndexSet part = listed(in, count_of(pool, "num_sliding_layers", "L_w", "Layers with a sliding window.", in.size()));
      const auto begin = static_cast<std::size_t>(layers.data() - row.name.data());
      rest.name.replace(begin, layers.size(), spelling(full));
      rest.repeats.front() = full.count;
      sum_up(rest, tokens);
      more.push_back(std::move(rest));
      row.name.replace(begin, layers.size(), spelling(part));
      row.repeats.front() = part.count;
    }
    row.extent = window;
    sum_up(row, tokens);
  }
  for (Row& row : more) rows.push_back(std::move(row));
}

std::string unknown_cache(const Family& family) {
  return concat({"The cache of ", family.model_type, " is not known: it has not been compared with what transformers keeps."});
}

}  // namespace

void begin_model(Builder& b, const Family& family) {
  if (Inference* const to = b.recorder()) to->models.push_back({b.prefix(), family.model_type});
}

void finish_cache(Config c, Builder& b, const Family& family, std::size_t first, std::size_t first_pair) {
  Inference* const to = b.inference();
  if (to == nullptr) return;
  const Family& own = family.model_type.empty() ? *to->family : family;
  const Cache& cache = own.cache;
  if (!own.uncomputed.empty()) to->uncomputed = own.uncomputed;
  const bool inner_settled = to->settled;
  to->settled = true;
  if (cache.keeps == Cache::Keeps::unknown || (cache.keeps == Cache::Keeps::text && !inner_settled)) {
    to->unknown = unknown_cache(own);
    return;
  }
  if (inner_settled) return;
  // Encoders cache nothing unless is_decoder is set, and that case has not been compared with transformers. Types with an encoder and a
  // decoder have been compared as decoders only, or, if `encoder` is set, in conditional generation as well.
  const Json decodes = c.peek("is_decoder");
  const bool told = cache.keeps == Cache::Keeps::nothing && is_true(decodes);
  const Head head = b.architecture().head;
  const bool compared = head == Head::causal_lm || (cache.encoder && head == Head::conditional_generation);
  if (told || ((cache.decoder_alone || cache.encoder) && !compared)) {
    to->unknown = unknown_cache(own);
    return;
  }
  if (cache.keeps == Cache::Keeps::nothing) {
    to->cache.resize(first);
    return;
  }
  const Windows windows = windows_of(c, cache.window);
  if (!windows.unknown.empty()) {
    to->unknown = windows.unknown;
    return;
  }
  if (!windows.window) return;
  const Count size = windows.window.decide();
  if (size < 2) {
    to->unknown = "How transformers caches a sliding window of fewer than two tokens is not known.";
    return;
  }
  const Extent extent{Extent::Kind::window, size - 1};
  split_rows(b.pool(), to->cache, first, windows.slides, extent, to->tokens);
  split_rows(b.pool(), to->pairs, first_pair, windows.slides, extent, to->tokens);
}

}  // namespace param_ledger
