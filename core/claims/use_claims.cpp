#include "core/claims/use_claims.hpp"

#include <algorithm>

#include "core/builder/inference.hpp"
#include "core/memory/operations.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

Count apart(Count a, Count b) { return a < b ? b - a : a - b; }

/// Collects what a claim agrees with.
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

/// Millionths of one per cent in four digits after the point: "0.5196".
std::string percent_of(Count millionths) {
  constexpr Count hundred = 100, ten_thousand = 10'000;
  const Count rounded = (millionths + hundred / 2) / hundred;
  return concat({digits(rounded / ten_thousand), ".", digits(ten_thousand + rounded % ten_thousand).substr(1)});
}

struct CacheWidth {
  unsigned bits;
  std::string_view name;
  unsigned cost;
};

}  // namespace

UseFound cache_claim(Json root, const Claim& claim) {
  if (!claim.per_token && claim.tokens == 0) return {{}, {}, "Say for how many tokens: 16 GiB at 131,072 tokens, or 128 KiB per token."};
  const Count tokens = claim.tokens == 0 ? 1 : claim.tokens;
  Inference inference;
  inference.source = tokens;
  const Model model(root, inference, tokens);
  if (!inference.unknown.empty()) return {{}, {}, inference.unknown};
  Candidates out(claim);
  static constexpr CacheWidth usual[] = {{16, "16 bits", 0}, {8, "8 bits", 1}, {32, "32 bits", 1}};
  const CacheWidth given{claim.number.bits, claim.number.dtype, 0};
  for (const CacheWidth& width : usual) {
    if (given.bits != 0 && given.bits != width.bits) continue;
    const Count each = width.bits / 8;
    Count growing = 0, windows = 0, all = 0;
    for (const CacheRow& row : inference.cache) {
      const Count of_number = row.float32 ? 4 : each, entry = multiply(row.entry.peek(), of_number);
      if (row.extent.kind == Extent::Kind::tokens) growing = add(growing, entry);
      if (row.extent.kind == Extent::Kind::window) windows = add(windows, entry);
      all = add(all, multiply(row.at(tokens), of_number));
    }
    const std::string in = concat({", in ", width.name});
    if (claim.per_token) {
      out.put(
          growing,
          concat({grouped_digits(growing), " bytes = keys and values of a token", in, windows > 0 ? ", in layers without a window" : ""}),
          width.cost);
      if (windows > 0)
        out.put(add(growing, windows),
                concat({grouped_digits(add(growing, windows)), " bytes = keys and values of a token", in, ", as if no layer had a window"}),
                width.cost + 1);
    } else {
      const Count total = multiply(all, claim.batch);
      out.put(total, concat({grouped_digits(total), " bytes = the cache of ", grouped_digits(tokens), " tokens", in}), width.cost);
      if (windows > 0) {
        const Count whole = multiply(multiply(add(growing, windows), tokens), claim.batch);
        out.put(whole,
                concat({grouped_digits(whole), " bytes = the cache of ", grouped_digits(tokens), " tokens", in,
                        ", as if no layer had a window"}),
                width.cost + 1);
      }
    }
  }
  return out.take();
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

UseFound share_claim(const std::vector<Count>& bases, const std::vector<UnitAdapter>& adapters, const Claim& claim, Count trained) {
  constexpr Count in_percent = 100'000'000;  // a share of 1 in millionths of one per cent
  Candidates out(claim);
  for (std::size_t base = 0; base < bases.size(); ++base)
    for (const UnitAdapter& adapter : adapters)
      for (std::size_t i = 0; i < std::size(adapter_ranks); ++i) {
        const Count own = multiply(adapter.each, adapter_ranks[i]);
        const bool usual = adapter.usual == 0 && i < usual_ranks;
        if (trained != 0 ? own != trained : !usual || base > 0) continue;
        const Count whole = add(bases[base], own), share = (multiply(own, in_percent) + whole / 2) / whole;
        out.put(share,
                concat({percent_of(share), " % = LoRA of rank ", digits(adapter_ranks[i]), " on ", adapter.modules, ", which trains ",
                        grouped_digits(own), " of ", grouped_digits(whole)}),
                usual ? 0 : 1);
      }
  return out.take();
}

}  // namespace param_ledger
