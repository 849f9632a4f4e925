#include "core/expr/like_terms.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "core/expr/formula.hpp"
#include "core/support/hash_index.hpp"

namespace param_ledger {

namespace {

__extension__ typedef __int128 Coefficient;

// Limits for multiplying out a product: it stays as it is if the result would have more summands, a summand with more factors, or a larger
// coefficient.
constexpr std::size_t most_factors = 8;
constexpr std::size_t most_summands = 256;
constexpr Coefficient largest_coefficient = (Coefficient{1} << 126U) - 1;  // small enough that the sum of two cannot overflow

bool fits(Coefficient c) { return -largest_coefficient <= c && c <= largest_coefficient; }

/// A coefficient times a product of factors. A factor is a name, a quotient, the count of a repeat, or an expression that is not multiplied
/// out because the result would exceed one of the limits above.
class Monomial {
 public:
  Coefficient coefficient = 1;

  [[nodiscard]] const Expr* begin() const { return factors_.data(); }
  [[nodiscard]] const Expr* end() const { return factors_.data() + size_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Expr operator[](std::size_t i) const { return factors_[i]; }

  [[nodiscard]] bool has_factors_of(const Monomial& other) const { return std::equal(begin(), end(), other.begin(), other.end()); }

  /// Each of these functions returns false if the monomial would have too many factors or too large a coefficient. The caller must then
  /// discard it.
  [[nodiscard]] bool multiply_by(Expr factor) {
    if (size_ == most_factors) return false;
    std::size_t i = size_++;
    for (; i > 0 && factor.node()->rank < factors_[i - 1].node()->rank; --i) factors_[i] = factors_[i - 1];
    factors_[i] = factor;
    return true;
  }

  [[nodiscard]] bool multiply_by(Coefficient number) {
    return !__builtin_mul_overflow(coefficient, number, &coefficient) && fits(coefficient);
  }

  [[nodiscard]] bool multiply_by(const Monomial& other) {
    return multiply_by(other.coefficient) && std::all_of(other.begin(), other.end(), [this](Expr factor) { return multiply_by(factor); });
  }

 private:
  std::array<Expr, most_factors> factors_;  // sorted by Node::rank
  std::size_t size_ = 0;
};

using Monomials = std::vector<Monomial>;

/// Returns the expression itself if it is an exact quotient, its definition if it is a name for one (head_dim = hidden_size ÷
/// num_attention_heads), and otherwise an empty Expr.
Expr as_quotient(Expr e, Quotients exact) {
  if (e.op() == Op::name && e.name().definition) e = e.name().definition;
  if (exact == Quotients::exact_here) return e.op() == Op::quotient ? e : Expr{};
  if (e.op() != Op::quotient && e.op() != Op::ceil) return {};
  const auto& demanded = e.node()->pool->demanded_multiples();
  return std::find(demanded.begin(), demanded.end(), std::pair{e.left(), e.right()}) != demanded.end() ? e : Expr{};
}

/// Multiplies expressions out into sums of monomials.
class Expander {
 public:
  explicit Expander(Quotients exact) : exact_(exact) {}

  /// Appends the monomials whose sum is `expr`, without collecting like terms.
  void expand(Expr expr, Monomials& out) {
    const std::size_t outer = summands_.size();
    summands_.push_back({expr, false});
    while (summands_.size() > outer) {
      const auto [e, negative] = summands_.back();
      summands_.pop_back();
      if (e.op() == Op::sum || e.op() == Op::difference) {
        summands_.push_back({e.right(), negative != (e.op() == Op::difference)});
        summands_.push_back({e.left(), negative});
        continue;
      }
      const std::size_t first = out.size();
      if (!multiply_out(e, out)) {
        out.resize(first);
        static_cast<void>(out.emplace_back().multiply_by(e));
      }
      if (negative)
        for (std::size_t i = first; i < out.size(); ++i) out[i].coefficient = -out[i].coefficient;
    }
  }

 private:
  struct Summand {
    Expr expr;
    bool negative;
  };

  /// Appends the monomials of a product. Returns false if there are too many, or if one has too many factors or too large a coefficient.
  bool multiply_out(Expr product, Monomials& out) {
    const std::size_t first = out.size(), outer = factors_.size();
    out.emplace_back();
    factors_.push_back(product);
    while (factors_.size() > outer) {
      const Expr e = factors_.back();
      factors_.pop_back();
      if (!multiply_by(e, first, out)) {
        factors_.resize(outer);
        return false;
      }
    }
    for (std::size_t i = first; i < out.size(); ++i)
      while (cancel(out, i)) {
      }
    return true;
  }

  /// Multiplies each monomial of `out` from position `first` on by `e`. If `e` is a product or a power, pushes its factors onto `factors_`
  /// instead. Returns false if a limit would be exceeded.
  bool multiply_by(Expr e, std::size_t first, Monomials& out) {
    const auto each = [&](auto factor) {
      return std::all_of(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), [&](Monomial& m) { return m.multiply_by(factor); });
    };
    switch (e.op()) {
      case Op::literal: return e.decide() <= Count{largest_coefficient} && each(static_cast<Coefficient>(e.decide()));
      case Op::sum:
      case Op::difference: return distribute(e, first, out);
      case Op::product:
        factors_.push_back(e.right());
        factors_.push_back(e.left());
        return true;
      case Op::power:
        if (e.right().decide() > most_factors) return false;
        factors_.insert(factors_.end(), static_cast<std::size_t>(e.right().decide()), e.left());
        return true;
      default: return each(e);
    }
  }

  bool distribute(Expr sum, std::size_t first, Monomials& out) {
    Monomials summands, products;
    expand(sum, summands);
    if ((out.size() - first) * summands.size() > most_summands) return false;
    for (std::size_t i = first; i < out.size(); ++i)
      for (const Monomial& summand : summands)
        if (!products.emplace_back(out[i]).multiply_by(summand)) return false;
    out.resize(first);
    out.insert(out.end(), products.begin(), products.end());
    return true;
  }

  /// Replaces a quotient and its divisor by the dividend: num_attention_heads × head_dim becomes hidden_size if head_dim is derived as
  /// hidden_size ÷ num_attention_heads. Replaces at most one pair and returns whether it did.
  bool cancel(Monomials& out, std::size_t place) {
    for (std::size_t i = 0; i < out[place].size(); ++i) {
      const Expr quotient = as_quotient(out[place][i], exact_);
      if (!quotient) continue;
      const auto divisor = static_cast<std::size_t>(std::find(out[place].begin(), out[place].end(), quotient.right()) - out[place].begin());
      if (divisor < out[place].size() && replace(out, place, i, divisor, quotient.left())) return true;
    }
    return false;
  }

  /// Replaces the factors at positions `quotient` and `divisor` by the dividend. Returns false if the dividend is a sum, or if the result
  /// would have too many factors or too large a coefficient.
  bool replace(Monomials& out, std::size_t place, std::size_t quotient, std::size_t divisor, Expr dividend) {
    const std::size_t end = out.size();
    expand(dividend, out);
    Monomial m;
    bool replaced = out.size() == end + 1 && m.multiply_by(out[place].coefficient) && m.multiply_by(out[end]);
    for (std::size_t i = 0; i < out[place].size() && replaced; ++i)
      if (i != quotient && i != divisor) replaced = m.multiply_by(out[place][i]);
    out.resize(end);
    if (replaced) out[place] = m;
    return replaced;
  }

  Quotients exact_;
  std::vector<Summand> summands_;
  std::vector<Expr> factors_;
};

/// The sum as a tree. A repeat is a count such as the number of layers or experts; its children are the terms and further repeats that it
/// multiplies. The root's children are the terms and repeats that no repeat multiplies. Like terms under one parent are merged into one
/// part unless its coefficient would become too large. Parts are in the order of their first term.
class LikeTerms {
 public:
  LikeTerms(Pool& pool, Quotients exact) : pool_(pool), expander_(exact) {
    constexpr std::size_t usual = 32;
    parts_.reserve(usual);
    parts_.emplace_back();
  }

  void add(const Term& term) {
    std::size_t parent = root;
    for (const Expr repeat : term.repeats) {
      Monomial m;
      static_cast<void>(m.multiply_by(repeat));
      parent = place_of(parent, true, m);
    }
    monomials_.clear();
    expander_.expand(term.elements, monomials_);
    for (const Monomial& m : monomials_) add(parent, m);
  }

  Expr sum() const { return sum_below(parts_[root]); }

 private:
  static constexpr std::size_t root = 0;

  struct Part {
    Monomial monomial = {};  // for a repeat, just its count
    bool repeats = false;
    std::size_t parent = root;
    std::size_t next = 0;             // next sibling; 0: none
    std::size_t first = 0, last = 0;  // first and last child; 0: none
  };

  void add(std::size_t parent, const Monomial& m) {
    const std::size_t before = parts_.size(), place = place_of(parent, false, m);
    if (place == before) return;
    Coefficient& coefficient = parts_[place].monomial.coefficient;
    if (fits(coefficient + m.coefficient))
      coefficient += m.coefficient;
    else
      append(parent, false, m);
  }

  /// The position of the part with this parent and these factors. Appends the part if it does not exist yet.
  std::size_t place_of(std::size_t parent, bool repeats, const Monomial& m) {
    std::uint32_t hash = mixed(repeats ? 1 : 0, parent);
    for (const Expr factor : m) hash = mixed(hash, factor.node()->rank);
    const std::size_t place = index_.find_or_add(hash, parts_.size(), [&](std::size_t known) {
      const Part& part = parts_[known];
      return part.parent == parent && part.repeats == repeats && part.monomial.has_factors_of(m);
    });
    if (place == parts_.size()) append(parent, repeats, m);
    return place;
  }

  void append(std::size_t parent, bool repeats, const Monomial& m) {
    const std::size_t place = parts_.size();
    parts_.push_back({m, repeats, parent});
    Part& above = parts_[parent];
    (above.first == 0 ? above.first : parts_[above.last].next) = place;
    above.last = place;
  }

  /// The sum of a part's children: products and repeats, then single names and numbers, then negative terms.
  Expr sum_below(const Part& above) const {
    Expr out = pool_.literal(0);
    for (int turn = 0; turn < 3; ++turn) {
      for (std::size_t place = above.first; place != 0; place = parts_[place].next) {
        const Part& part = parts_[place];
        const Coefficient coefficient = part.monomial.coefficient;
        if (coefficient == 0 || turn != (coefficient < 0 ? 2 : part.repeats || part.monomial.size() > 1 ? 0 : 1)) continue;
        const Expr e = part.repeats ? repeated(part) : multiple(part.monomial, product_of(part.monomial));
        out = turn == 2 ? out - e : out + e;
      }
    }
    return out;
  }

  /// repeat × (sum of its children), without parentheses if the sum is a single product.
  Expr repeated(const Part& part) const {
    const Expr repeat = part.monomial[0];
    const Monomial* const only = only_product_below(part);
    if (only != nullptr) return multiple(*only, repeat * product_of(*only));
    const Expr sum = sum_below(part);
    return sum.is_literal(0) ? sum : repeat * sum;
  }

  const Monomial* only_product_below(const Part& above) const {
    const Monomial* only = nullptr;
    for (std::size_t place = above.first; place != 0; place = parts_[place].next) {
      const Part& part = parts_[place];
      if (part.monomial.coefficient == 0) continue;
      if (only != nullptr || part.repeats || part.monomial.coefficient < 0) return nullptr;
      only = &part.monomial;
    }
    return only;
  }

  /// |coefficient| × product
  Expr multiple(const Monomial& m, Expr product) const {
    return pool_.literal(static_cast<Count>(m.coefficient < 0 ? -m.coefficient : m.coefficient)) * product;
  }

  Expr product_of(const Monomial& m) const {
    Expr out = pool_.literal(1);
    for (const Expr* factor = m.begin(); factor != m.end();) {
      const Expr* const other = std::find_if(factor, m.end(), [&](Expr e) { return e != *factor; });
      out = out * (other - factor == 1 ? *factor : power(*factor, static_cast<std::uint64_t>(other - factor)));
      factor = other;
    }
    return out;
  }

  Pool& pool_;
  Expander expander_;
  Monomials monomials_;
  std::vector<Part> parts_;
  HashIndex index_;
};

}  // namespace

Expr collect(Pool& pool, std::span<const Term> terms, Quotients exact) {
  LikeTerms collected(pool, exact);
  for (const Term& term : terms) collected.add(term);
  return collected.sum();
}

}  // namespace param_ledger
