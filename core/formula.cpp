#include "core/formula.hpp"

#include <algorithm>
#include <utility>

namespace param_ledger {

// --- Writing ---------------------------------------------------------------------------------------------------------

namespace {

/// How tightly an operation binds; an operand that binds less gets parentheses.
int binding(Expr e) {
  switch (e.op()) {
    case Op::sum:
    case Op::difference: return 1;
    case Op::product:
    case Op::quotient: return 2;
    case Op::power: return 3;
    default: return 4;  // a literal, a name, or a rounded quotient in its own brackets
  }
}

std::string superscript(Count exponent) {
  static constexpr std::string_view figures[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out;
  for (const char c : digits(exponent)) out += figures[c - '0'];
  return out;
}

class Writer {
 public:
  explicit Writer(Notation notation) : notation_(notation) {}

  void write(Expr e) {
    switch (e.op()) {
      case Op::literal: out += grouped_digits(e.value()); break;
      case Op::name: write_name(e); break;
      case Op::sum: write_operation(e, " + ", 1, 1); break;
      case Op::difference: write_operation(e, " − ", 1, 2); break;
      case Op::product: write_operation(e, compact() ? "·" : " × ", 2, 2); break;
      case Op::quotient: write_operation(e, compact() ? "÷" : " ÷ ", 2, 3); break;
      case Op::power:
        write_operand(e.left(), 4);
        out += superscript(e.right().value());
        break;
      case Op::floor: write_rounded(e, "⌊", "⌋"); break;
      case Op::ceil: write_rounded(e, "⌈", "⌉"); break;
    }
  }

  std::string out;

 private:
  [[nodiscard]] bool compact() const { return notation_ == Notation::symbols || notation_ == Notation::symbol_numbers; }

  void write_name(Expr e) {
    e.name().used = true;
    if (notation_ == Notation::names)
      out += e.name().name;
    else if (notation_ == Notation::symbols)
      out += e.name().symbol;
    else
      out += grouped_digits(e.value());
  }

  void write_operand(Expr e, int least_binding) {
    const bool parentheses = binding(e) < least_binding;
    if (parentheses) out += '(';
    write(e);
    if (parentheses) out += ')';
  }

  void write_operation(Expr e, std::string_view sign, int left_binding, int right_binding) {
    write_operand(e.left(), left_binding);
    out += sign;
    write_operand(e.right(), right_binding);
  }

  void write_rounded(Expr e, std::string_view open, std::string_view close) {
    out += open;
    write_operation(e, " ÷ ", 2, 3);
    out += close;
  }

  Notation notation_;
};

}  // namespace

std::string write(Expr expr, Notation notation) {
  Writer writer(notation);
  writer.write(expr);
  return std::move(writer.out);
}

// --- Collecting like terms -------------------------------------------------------------------------------------------

namespace {

__extension__ typedef __int128 Coefficient;

/// Names and quotients are the factors of a monomial: everything else is multiplied out.
struct Monomial {
  Coefficient coefficient;
  std::vector<Expr> factors;  // sorted
};

using Polynomial = std::vector<Monomial>;

bool before(Expr a, Expr b) {
  const auto key = [](Expr e) { return e.op() == Op::name ? e.name().order : std::uint16_t{0xffff}; };
  if (key(a) != key(b)) return key(a) < key(b);
  return a.op() == Op::name && b.op() == Op::name && a.name().name < b.name().name;
}

/// The operand of an exact quotient, also where the quotient has a name: head_dim = hidden_size ÷ num_attention_heads.
Expr as_quotient(Expr e) {
  if (e.op() == Op::name && e.name().definition) e = e.name().definition;
  return e.op() == Op::quotient ? e : Expr{};
}

Polynomial expand(Expr e);

/// A quotient times its divisor is the dividend: num_attention_heads × head_dim is hidden_size where head_dim is derived.
bool cancel(Monomial& m) {
  for (std::size_t i = 0; i < m.factors.size(); ++i) {
    const Expr quotient = as_quotient(m.factors[i]);
    if (!quotient) continue;
    const auto divisor = std::find(m.factors.begin(), m.factors.end(), quotient.right());
    if (divisor == m.factors.end()) continue;
    const Polynomial dividend = expand(quotient.left());
    if (dividend.size() != 1) continue;
    m.factors.erase(std::max(divisor, m.factors.begin() + static_cast<std::ptrdiff_t>(i)));
    m.factors.erase(std::min(divisor, m.factors.begin() + static_cast<std::ptrdiff_t>(i)));
    m.coefficient *= dividend[0].coefficient;
    m.factors.insert(m.factors.end(), dividend[0].factors.begin(), dividend[0].factors.end());
    return true;
  }
  return false;
}

void normalise(Monomial& m) {
  while (cancel(m)) {
  }
  std::stable_sort(m.factors.begin(), m.factors.end(), before);
}

void add_to(Polynomial& sum, const Monomial& term) {
  for (Monomial& m : sum) {
    if (m.factors.size() == term.factors.size() && std::equal(m.factors.begin(), m.factors.end(), term.factors.begin())) {
      m.coefficient += term.coefficient;
      return;
    }
  }
  sum.push_back(term);
}

Polynomial multiply_out(const Polynomial& a, const Polynomial& b) {
  Polynomial out;
  for (const Monomial& x : a) {
    for (const Monomial& y : b) {
      Monomial m{x.coefficient * y.coefficient, x.factors};
      m.factors.insert(m.factors.end(), y.factors.begin(), y.factors.end());
      normalise(m);
      add_to(out, m);
    }
  }
  return out;
}

Polynomial expand(Expr e) {
  switch (e.op()) {
    case Op::literal: return {{static_cast<Coefficient>(e.value()), {}}};
    case Op::sum:
    case Op::difference: {
      Polynomial out = expand(e.left());
      for (Monomial& m : expand(e.right())) {
        if (e.op() == Op::difference) m.coefficient = -m.coefficient;
        add_to(out, m);
      }
      return out;
    }
    case Op::product: return multiply_out(expand(e.left()), expand(e.right()));
    case Op::power: {
      Polynomial out{{1, {}}};
      for (Count i = 0; i < e.right().value(); ++i) out = multiply_out(out, expand(e.left()));
      return out;
    }
    default: return {{1, {e}}};
  }
}

/// |coefficient| × factors, equal ones as a power.
Expr product_of(Pool& pool, const Monomial& m) {
  const Coefficient size = m.coefficient < 0 ? -m.coefficient : m.coefficient;
  Expr out = pool.literal(static_cast<Count>(size));
  for (std::size_t i = 0; i < m.factors.size();) {
    std::size_t j = i + 1;
    while (j < m.factors.size() && m.factors[j] == m.factors[i]) ++j;
    out = out * (j - i == 1 ? m.factors[i] : power(m.factors[i], j - i));
    i = j;
  }
  return out;
}

/// One summand of the closed formula: a monomial, or what a repeat multiplies.
struct Summand {
  Expr expr;
  bool negative;
  bool leading;  // a product: written before single names and numbers
};

bool leads(const Monomial& m) { return m.factors.size() > 1; }

Expr sum_of(Pool& pool, const std::vector<Summand>& summands) {
  Expr out;
  const auto append = [&](auto&& wanted) {
    for (const Summand& s : summands)
      if (wanted(s)) out = !out ? s.expr : s.negative ? out - s.expr : out + s.expr;
  };
  append([](const Summand& s) { return !s.negative && s.leading; });
  append([](const Summand& s) { return !s.negative && !s.leading; });
  append([](const Summand& s) { return s.negative; });
  return out ? out : pool.literal(0);
}

/// All terms whose first `depth` repeats are already outside.
Expr collect_from(Pool& pool, const std::vector<const Term*>& terms, std::size_t depth);

/// repeat × (sum of the terms in it), without parentheses where that is one product.
Expr repeated(Pool& pool, const std::vector<const Term*>& terms, std::size_t depth) {
  const Expr repeat = terms[0]->repeats[depth];
  const bool flat = std::all_of(terms.begin(), terms.end(), [&](const Term* t) { return t->repeats.size() == depth + 1; });
  if (flat) {
    Polynomial sum;
    for (const Term* t : terms)
      for (const Monomial& m : expand(t->elements)) add_to(sum, m);
    std::erase_if(sum, [](const Monomial& m) { return m.coefficient == 0; });
    if (sum.size() == 1 && sum[0].coefficient > 0) {
      const Expr factors = product_of(pool, {1, sum[0].factors});
      return pool.literal(static_cast<Count>(sum[0].coefficient)) * (factors.is_literal(1) ? repeat : repeat * factors);
    }
  }
  return repeat * collect_from(pool, terms, depth + 1);
}

Expr collect_from(Pool& pool, const std::vector<const Term*>& terms, std::size_t depth) {
  // In the order of first appearance: like monomials together, terms under the same repeat together.
  Polynomial monomials;
  std::vector<std::vector<const Term*>> groups;
  std::vector<std::pair<bool, std::size_t>> order;  // (is a group, index)
  for (const Term* term : terms) {
    if (term->repeats.size() == depth) {
      for (const Monomial& m : expand(term->elements)) {
        const std::size_t known = monomials.size();
        add_to(monomials, m);
        if (monomials.size() > known) order.emplace_back(false, known);
      }
      continue;
    }
    const auto group =
        std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g[0]->repeats[depth] == term->repeats[depth]; });
    if (group != groups.end()) {
      group->push_back(term);
    } else {
      order.emplace_back(true, groups.size());
      groups.push_back({term});
    }
  }
  std::vector<Summand> summands;
  for (const auto& [is_group, index] : order) {
    if (is_group) {
      summands.push_back({repeated(pool, groups[index], depth), false, true});
    } else if (const Monomial& m = monomials[index]; m.coefficient != 0) {
      summands.push_back({product_of(pool, m), m.coefficient < 0, leads(m)});
    }
  }
  return sum_of(pool, summands);
}

}  // namespace

Expr collect(Pool& pool, const std::vector<Term>& terms) {
  std::vector<const Term*> pointers;
  pointers.reserve(terms.size());
  for (const Term& t : terms) pointers.push_back(&t);
  return collect_from(pool, pointers, 0);
}

}  // namespace param_ledger
