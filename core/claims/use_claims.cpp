#include "core/claims/use_claims.hpp"

#include <algorithm>

#include "core/builder/inference.hpp"
#include "core/memory/engine_caches.hpp"
#include "core/memory/gguf_storage.hpp"
#include "core/memory/operations.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

Count apart(Count a, Count b) { return a < b ? b - a : a - b; }

/// Collects the values that agree with a claim, and the nearest one.
class Candidates {
 public:
  explicit Candidates(const Claim& claim) : claim_(claim.number), readings_(readings_of(claim.number)) {}

  void put(Count value, std::string proof, unsigned cost) {
    Explanation e;
    e.sum = e.value = value;
    e.proof = std::move(proof);
    e.cost = cost;
    e.distance = apart(value, claim_.value);
    e.above = value > claim_.value;
    if (!out_.nearest || e.distance < out_.nearest->distance) out_.nearest = e;
    for (const NumberReading& r : readings_)
      if (r.low <= value && value <= r.high) {
        e.reading = r.name;
        e.cost += r.cost;
        e.rank = r.name.empty() ? 0 : 1;
        out_.agreeing.push_back(std::move(e));
        return;
      }
  }

  UseFound take() {
    std::stable_sort(out_.agreeing.begin(), out_.agreeing.end(),
                     [](const Explanation& a, const Explanation& b) { return std::pair(a.cost, a.rank) < std::pair(b.cost, b.rank); });
    constexpr Count few_hundredths = 33;
    if (out_.nearest && out_.nearest->distance > claim_.value / few_hundredths) out_.nearest.reset();
    return std::move(out_);
  }

 private:
  const Quantity& claim_;
  std::vector<NumberReading> readings_;
  UseFound out_;
};

/// Formats millionths of one per cent as a percentage with four decimal places: "0.5196".
std::string percent_of(Count millionths) {
  constexpr Count hundred = 100, ten_thousand = 10'000;
  const Count rounded = (millionths + hundred / 2) / hundred;
  return concat({digits(rounded / ten_thousand), ".", digits(ten_thousand + rounded % ten_thousand).substr(1)});
}

/// A number type of a cache: `numbers` elements take `bytes` bytes.
struct CacheType {
  unsigned numbers, bytes;
  std::string_view name;
  unsigned cost;
  [[nodiscard]] Count of(const Count& elements) const { return multiply(elements, bytes) / numbers; }
};

/// The number types that a claim may mean: the one that it names, or else 16, 8 and 32 bits.
std::vector<CacheType> cache_types(const Quantity& claim) {
  if (!claim.format.empty()) {
    const BlockFormat* const format = block_format(claim.format);
    if (format == nullptr) return {};
    return {{format->numbers, format->bytes, format->name, 0}};
  }
  std::vector<CacheType> out{{1, 2, "16 bits", 0}, {1, 1, "8 bits", 1}, {1, 4, "32 bits", 1}};
  if (claim.bits == 0) return out;
  if (claim.bits < 8) return {{8 / claim.bits, 1, claim.dtype, 0}};
  const auto other = [&](const CacheType& type) { return type.bytes * 8 != claim.bits; };
  out.erase(std::remove_if(out.begin(), out.end(), other), out.end());
  for (CacheType& type : out) type.cost = 0;
  return out;
}

/// Adds the sizes of the cache in each inference engine. If the model has recurrent states, also adds keys and values alone and states
/// alone.
void put_engines(Candidates& out, const Inference& inference, Json root, const Claim& claim, const CacheType& type) {
  const CacheUse use{claim.tokens, claim.batch, type.bytes / type.numbers, 1, states_in_float32(root)};
  for (const EngineCache& cache : engine_caches(inference, use)) {
    if (!cache.unknown.empty()) continue;
    const Count tokens = add(cache.keys, cache.values);
    const auto put = [&](const Count& bytes, Text what) {
      std::string blocks = cache.block > 0 ? concat({", blocks of ", grouped_digits(cache.block), " tokens"}) : std::string();
      out.put(bytes,
              concat({grouped_digits(bytes), " bytes = the ", what, " of ", grouped_digits(claim.tokens), " tokens in ", cache.engine, ", ",
                      cache.type, blocks}),
              type.cost + 2);
    };
    put(add(tokens, cache.states), "cache");
    if (cache.states == 0) continue;
    put(tokens, "keys and values");
    put(cache.states, "recurrent states");
  }
}

}  // namespace

UseFound cache_claim(Json root, const Claim& claim) {
  if (!claim.per_token && claim.tokens == 0) return {{}, {}, "Say for how many tokens: 16 GiB at 131,072 tokens, or 128 KiB per token."};
  const Count tokens = claim.tokens == 0 ? 1 : claim.tokens;
  Inference inference;
  inference.source = tokens;
  const Model model(root, inference, tokens);
  if (!inference.unknown.empty()) return {{}, {}, inference.unknown};
  Candidates out(claim);
  for (const CacheType& type : cache_types(claim.number)) {
    Count growing = 0, windows = 0, fixed = 0, all = 0;
    for (const CacheRow& row : inference.cache) {
      const auto bytes_of = [&](const Count& elements) { return row.float32 ? multiply(elements, 4) : type.of(elements); };
      const Count entry = bytes_of(row.entry.peek());
      if (row.extent.kind == Extent::Kind::tokens) growing = add(growing, entry);
      if (row.extent.kind == Extent::Kind::window) windows = add(windows, entry);
      if (row.extent.kind == Extent::Kind::fixed) fixed = add(fixed, entry);
      all = add(all, bytes_of(row.at(tokens)));
    }
    const std::string in = concat({", in ", type.name});
    if (claim.per_token) {
      out.put(
          growing,
          concat({grouped_digits(growing), " bytes = keys and values of a token", in, windows > 0 ? ", in layers without a window" : ""}),
          type.cost);
      if (windows > 0)
        out.put(add(growing, windows),
                concat({grouped_digits(add(growing, windows)), " bytes = keys and values of a token", in, ", as if no layer had a window"}),
                type.cost + 1);
    } else {
      const Count total = multiply(all, claim.batch);
      out.put(total, concat({grouped_digits(total), " bytes = the cache of ", grouped_digits(tokens), " tokens", in}), type.cost);
      if (windows > 0) {
        const Count whole = multiply(multiply(add(growing, windows), tokens), claim.batch);
        out.put(whole,
                concat({grouped_digits(whole), " bytes = the cache of ", grouped_digits(tokens), " tokens", in,
                        ", as if no layer had a window"}),
                type.cost + 1);
      }
      if (fixed > 0 && fixed < all) {
        const Count kept = multiply(all - fixed, claim.batch);
        out.put(kept,
                concat({grouped_digits(kept), " bytes = keys and values of ", grouped_digits(tokens), " tokens", in,
                        ", without recurrent states"}),
                type.cost + 1);
      }
      if (type.bytes >= type.numbers) put_engines(out, inference, root, claim, type);
    }
  }
  return out.take();
}

UseFound states_claim(Json root, const Claim& claim) {
  Inference inference;
  const Model model(root, inference, 1);
  if (!inference.unknown.empty()) return {{}, {}, inference.unknown};
  Candidates out(claim);
  constexpr Count any_tokens = 256;  // the states do not depend on the number of tokens, but llama.cpp rounds a context up to a multiple of
                                     // 256
  const std::string of = claim.batch > 1 ? concat({"the recurrent states of ", digits(claim.batch), " sequences"}) : "the recurrent states";
  bool any = false;
  for (const CacheType& type : cache_types(claim.number)) {
    Count fixed = 0;
    for (const CacheRow& row : inference.cache)
      if (row.extent.kind == Extent::Kind::fixed) fixed = add(fixed, row.float32 ? multiply(row.at(1), 4) : type.of(row.at(1)));
    any = any || fixed > 0;
    const Count total = multiply(fixed, claim.batch);
    out.put(total, concat({grouped_digits(total), " bytes = ", of, ", convolutions in ", type.name}), type.cost);
    if (type.bytes < type.numbers) continue;
    for (const EngineCache& cache : engine_caches(inference, {any_tokens, claim.batch, type.bytes, 1, states_in_float32(root)}))
      if (cache.unknown.empty() && cache.states > 0)
        out.put(cache.states, concat({grouped_digits(cache.states), " bytes = ", of, " in ", cache.engine}), type.cost + 2);
  }
  UseFound found = out.take();
  if (!any) found.missing = "This model has no recurrent states.";
  return found;
}

UseFound operations_claim(Json root, const Claim& claim) {
  if (!claim.per_token && claim.tokens == 0) return {{}, {}, "Say for how many tokens: 70.27 TFLOPs for 4,096 tokens."};
  const bool context = claim.tokens > 0;
  const Count tokens = context ? claim.tokens : 1;
  Inference inference;
  inference.source = tokens;
  const Model model(root, inference, tokens);
  const Operations operations = operations_of(model, inference, tokens, claim.batch);
  Candidates out(claim);
  for (const OperationsCount& c : operations.counts) {
    if (claim.training && !c.training) continue;
    if (claim.causal && holds(c.id, "full")) continue;
    if (claim.per_token && !context && c.attention) continue;
    const Count value = claim.per_token ? c.per_token : c.total;
    if (value == 0) continue;
    const unsigned cost = c.training && !claim.training ? 1 : 0;
    out.put(value, concat({grouped_digits(value), " operations", claim.per_token ? " per token" : "", " = ", c.label, ", ", c.formula}),
            cost);
  }
  UseFound found = out.take();
  if (operations.counts.empty()) found.missing = operations.unknown;
  if (!context && found.agreeing.empty() && !found.nearest && found.missing.empty())
    found.missing = "With attention, operations depend on the context. Say for how many tokens: 26.48 GFLOPs per token at 4,096 tokens.";
  return found;
}

UseFound experts_claim(const Model& model, const Claim& claim) {
  Count experts = 0;
  for (const Row& row : model.builder.rows())
    if (row.experts && !row.in_tower()) experts = std::max(experts, row.experts.peek());
  const Count one = RowTallies(model).sum({}, bit(RowSwitch::experts_once));
  Candidates out(claim);
  if (experts == claim.experts && experts > 0)
    out.put(
        one,
        concat({grouped_digits(experts), " experts in each layer; with one of them the model has ", grouped_digits(one), " parameters"}),
        0);
  UseFound found = out.take();
  if (experts == 0)
    found.missing = "This model has no mixture of experts.";
  else if (experts != claim.experts)
    found.missing = concat({"A layer of this model has ", grouped_digits(experts), " experts, not ", grouped_digits(claim.experts), "."});
  return found;
}

UseFound share_claim(const std::vector<Count>& bases, const std::vector<UnitAdapter>& adapters, const Claim& claim,
                     const TrainedNumber& trained) {
  constexpr Count in_percent = 100'000'000;  // 100 % in millionths of one per cent
  Candidates out(claim);
  for (std::size_t base = 0; base < bases.size(); ++base)
    for (const UnitAdapter& adapter : adapters)
      for (std::size_t i = 0; i < std::size(adapter_ranks); ++i) {
        const Count own = multiply(adapter.each, adapter_ranks[i]);
        const bool usual = adapter.usual == 0 && i < usual_ranks;
        const std::string label = label_of(adapter, i);
        if (trained.count != 0 ? own != trained.count || label != trained.label : !usual || base > 0) continue;
        const Count whole = add(bases[base], own), share = (multiply(own, in_percent) + whole / 2) / whole;
        out.put(share, concat({percent_of(share), " % = ", label, ", which trains ", grouped_digits(own), " of ", grouped_digits(whole)}),
                usual ? 0 : 1);
      }
  return out.take();
}

}  // namespace param_ledger
