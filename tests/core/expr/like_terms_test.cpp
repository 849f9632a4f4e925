#include "core/expr/like_terms.hpp"

#include <algorithm>
#include <random>
#include <string>

#include "tests/support/formulas.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// A tensor's number of elements, and the number of such tensors.
struct Elements {
  Expr elements;
  std::vector<Expr> repeats;
};

Expr collected(Pool& pool, const std::vector<Elements>& rows) {
  std::vector<Term> terms;
  for (const Elements& row : rows) terms.push_back({row.elements, row.repeats});
  return collect(pool, terms);
}

/// Llama 3.1 8B's names. `collected` adds the elements of some rows, collects like terms and writes the sum in symbols.
struct Sums : Llama {
  std::string collected(const std::vector<Elements>& rows) { return Written(test::collected(pool, rows)).in_symbols(); }
};

}  // namespace

TEST_CASE("like terms are collected within each repeat", "[like_terms]") {
  Sums m;
  SECTION("nothing") { CHECK(m.collected({}) == "0"); }
  SECTION("products before single names, in the order of the names") {
    CHECK(m.collected({{m.d, {}}, {m.d * m.vocab, {}}, {m.vocab * m.d, {}}, {m.d, {}}}) == "2·V·d + 2·d");
  }
  SECTION("one product needs no parentheses under its repeat") {
    CHECK(m.collected({{m.d, {m.n_layers}}, {m.d, {m.n_layers}}}) == "2·L·d");
    CHECK(m.collected({{m.pool.literal(5), {m.n_layers}}}) == "5·L");
    CHECK(m.collected({{m.d, {m.n_layers}}, {m.f, {m.n_layers}}}) == "L·(d + f)");
  }
  SECTION("repeats nest") {
    CHECK(m.collected({{m.d, {m.n_layers, m.n}}, {m.d * m.f, {m.n_layers}}, {m.f, {m.n_layers, m.n}}}) == "L·(n·(d + f) + d·f)");
  }
  SECTION("products are multiplied out") { CHECK(m.collected({{(m.d + m.f) * (m.d + m.f), {}}}) == "d^2 + 2·d·f + f^2"); }
  SECTION("differences come last and cancel") {
    CHECK(m.collected({{(m.vocab - m.d) * m.f, {}}, {m.d, {}}}) == "V·f + d − d·f");
    CHECK(m.collected({{m.vocab - m.d, {}}, {m.d, {}}}) == "V");
    CHECK(m.collected({{m.vocab - m.d, {m.n}}, {m.d, {m.n}}}) == "n·V");
    CHECK(m.collected({{m.d - m.d, {m.n}}, {m.d, {}}}) == "d");
    // A negative remainder of a sum is written as a difference from 0. Its value must be 0.
    const Expr zero = m.name("zero", "z", 0, 8);
    CHECK(m.collected({{zero + m.d - (m.d + 2 * zero), {m.n}}}) == "n·(0 − z)");
  }
  SECTION("a quotient times its divisor is the dividend, also under its own name") {
    CHECK(m.collected({{m.n * m.h * m.d, {}}}) == "d^2");
    CHECK(m.collected({{m.n_kv * m.h * m.d, {}}}) == "d·n_kv·h");
    CHECK(m.collected({{floor_divide(m.f, m.n) * m.n, {}}}) == "f");
  }
  SECTION("a rounded quotient is not cancelled") {
    const Expr rounded = floor_divide(m.d, m.pool.literal(3));
    CHECK(m.collected({{rounded * m.pool.literal(3), {}}}) == "3·⌊d ÷ 3⌋");
  }
  SECTION("equal operations are one factor, in any order") {
    const Expr five = m.pool.literal(5), third = floor_divide(m.d, m.pool.literal(3)), fifth = ceil_divide(m.d, five);
    CHECK(m.collected({{third * fifth, {}}, {ceil_divide(m.d, five) * third, {}}}) == "2·⌊d ÷ 3⌋·⌈d ÷ 5⌉");
  }
}

TEST_CASE("a product that would become too long is not multiplied out", "[like_terms]") {
  Sums m;
  Expr small = m.pool.literal(0), large = m.pool.literal(0);
  for (Count i = 0; i < 16; ++i) small = small + m.name("s", "s", i, 8);
  for (Count i = 0; i < 17; ++i) large = large + m.name("l", "l", i, 9);
  const Expr squared = collected(m.pool, {{small * small, {}}});
  CHECK(squared.op() == Op::sum);
  CHECK(digits(squared.peek()) == "14400");
  CHECK(collected(m.pool, {{small * large, {}}, {small * large, {}}}) == 2 * (small * large));
  CHECK(collected(m.pool, {{large * m.d, {}}}).op() == Op::sum);
  // A product of eight factors is multiplied out, one of nine factors is not.
  const Expr ones = power(m.pool.named({"one", "o", ""}, 1) + m.pool.named({"zero", "z", ""}, 0), 1);
  Expr product = ones;
  for (int i = 1; i < 8; ++i) product = product * m.pool.named({"factor", "x", ""}, 1);
  CHECK(collected(m.pool, {{product, {}}}).op() == Op::sum);
  CHECK(collected(m.pool, {{product * m.n, {}}}) == product * m.n);
}

TEST_CASE("a coefficient that would overflow is not multiplied in", "[like_terms]") {
  Sums m;
  const Expr zero = m.name("zero", "z", 0, 8), huge = m.pool.literal(Count{1} << 100U);
  CHECK(collected(m.pool, {{zero * huge * huge, {}}}) == zero * huge * huge);
  const Expr half = m.pool.literal(Count{1} << 125U) * zero;
  const std::string multiple = "42535295865117307932921825928971026432·z";
  CHECK(m.collected({{half, {}}, {half, {}}, {zero * m.d, {}}}) == "d·z + " + multiple + " + " + multiple);
}

TEST_CASE("a different width for each of 20,000 layers is handled without recursion", "[like_terms]") {
  constexpr Count layers = 20'000;
  Sums m;
  std::vector<Elements> rows;
  Count total = 0;
  Expr widths = m.pool.literal(0);
  for (Count i = 0; i < layers; ++i) {
    const std::string number = std::to_string(static_cast<unsigned>(layers + i));
    const Expr width = m.name(("width" + number).c_str(), "w", i, 8), count = m.name(("layers" + number).c_str(), "l", i % 3, 9);
    rows.push_back({m.d * width, {count}});
    rows.push_back({width * (m.d + 1), {count}});
    rows.push_back({width, {}});
    total += (2 * 4096 + 1) * i * (i % 3) + i;
    widths = widths + width;
  }
  const Expr formula = collected(m.pool, rows);
  CHECK(digits(formula.peek()) == digits(total));
  const Written written(formula);
  CHECK(digits(written.value()) == digits(total));
  CHECK(written.text.substr(0, 7) == "+40000 ");
  // Tests the sum as it was written, the sum multiplied by one factor, which is expanded, and by two factors, which would be too long to
  // expand.
  CHECK(write(widths).size() == layers * std::string_view("width20000 + ").size() - 3);
  CHECK(digits(Written(collected(m.pool, {{widths, {m.n}}})).value()) == digits(32 * layers * (layers - 1) / 2));
  CHECK(collected(m.pool, {{widths * m.d, {m.n}}}) == m.n * (widths * m.d));
}

// --- Random sums -----------------------------------------------------------------------------------------------------

namespace {

bool is_exact(Expr quotient) { return quotient.op() == Op::quotient; }

/// An expression of the core, and the same formula as a tree that is built without the core's code. In the tree, names are indices into
/// `names`.
struct Twin {
  Expr expr;
  Formula formula;
};

class RandomTerms {
 public:
  explicit RandomTerms(unsigned seed) : random_(seed) {
    const Count values[] = {below(5) + 1, below(30), below(30), 0, 1, below(1'000)};
    for (const Count value : values) name(value, {});
    // Two of the names are defined as quotients of other names.
    name(0, floor_divide(names_[0] * names_[1], names_[0]));
    name(0, floor_divide(names_[5], names_[0]));
  }

  Twin expression(int depth) {
    if (depth == 0 || below(5) == 0) return below(4) == 0 ? literal(below(4)) : named(below(names_.size()));
    Twin a = expression(depth - 1), b = expression(depth - 1);
    switch (below(9)) {
      case 0:
        if (a.expr.peek() < b.expr.peek()) std::swap(a, b);
        return operation('-', a.expr - b.expr, a, b);
      case 1:
        if (b.expr.peek() == 0) b = literal(below(5) + 1);
        return divided(floor_divide(a.expr, b.expr), a, b);
      case 2:
        if (b.expr.peek() == 0) b = literal(below(5) + 1);
        return divided(ceil_divide(a.expr, b.expr), a, b);
      case 3: {
        const Count exponent = below(3);
        return operation('^', power(a.expr, static_cast<std::uint64_t>(exponent)), a, literal(exponent));
      }
      case 4:
      case 5: return operation('+', a.expr + b.expr, a, b);
      default: return operation('*', a.expr * b.expr, a, b);
    }
  }

  Count below(Count end) { return random_() % end; }

  Pool& pool() { return pool_; }
  [[nodiscard]] const std::vector<Expr>& names() const { return names_; }

 private:
  void name(Count value, Expr definition) {
    const auto i = names_.size();
    names_.push_back(pool_.named({"name " + std::to_string(i), "", "", true, static_cast<std::uint16_t>(10 - i), definition},
                                 definition ? definition.peek() : value));
  }
  Twin literal(Count value) { return {pool_.literal(value), {'=', value}}; }
  Twin named(Count i) { return {names_[static_cast<std::size_t>(i)], {'n', i}}; }
  static Twin operation(char sign, Expr e, const Twin& a, const Twin& b) { return {e, {sign, 0, {a.formula, b.formula}}}; }
  static Twin divided(Expr e, const Twin& a, const Twin& b) {
    return operation(is_exact(e) ? '/' : e.op() == Op::floor ? 'f' : 'c', e, a, b);
  }

  std::mt19937 random_;
  Pool pool_;
  std::vector<Expr> names_;
};

/// Computes formulas modulo a prime. If two formulas have equal values for random numbers, they are almost certainly equal for all numbers.
/// A rounded quotient is treated as an unknown that its dividend, its divisor and the direction of rounding identify.
class Residues {
 public:
  static constexpr std::uint64_t prime = (std::uint64_t{1} << 61U) - 1;

  std::uint64_t of(const Formula& f, const std::vector<std::uint64_t>& names) {
    if (f.sign == '=') return reduced(f.number);
    if (f.sign == 'n') return names.at(static_cast<std::size_t>(f.number));
    if (f.sign == '^') return power(of(f.operands[0], names), static_cast<std::uint64_t>(f.operands[1].number));
    std::uint64_t value = of(f.operands[0], names);
    for (std::size_t i = 1; i < f.operands.size(); ++i) {
      const std::uint64_t next = of(f.operands[i], names);
      switch (f.sign) {
        case '+': value = reduced(Count{value} + next); break;
        case '-': value = reduced(Count{value} + prime - next); break;
        case '*': value = reduced(Count{value} * next); break;
        case '/': value = quotient(value, next); break;
        default: value = std::mt19937_64(value ^ (next * 3 + (f.sign == 'c' ? 1 : 0)))() % prime;
      }
    }
    return value;
  }

  static std::uint64_t quotient(std::uint64_t a, std::uint64_t b) { return reduced(Count{a} * power(b, prime - 2)); }

 private:
  static std::uint64_t reduced(Count value) { return static_cast<std::uint64_t>(value % prime); }
  static std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t out = 1;
    for (; exponent != 0; exponent /= 2, base = reduced(Count{base} * base))
      if (exponent % 2 != 0) out = reduced(Count{out} * base);
    return out;
  }
};

}  // namespace

TEST_CASE("random sums keep their value, as numbers and as polynomials", "[like_terms]") {
  for (unsigned seed = 0; seed < 2'000; ++seed) {
    RandomTerms random(seed);
    const std::vector<Expr>& names = random.names();
    std::vector<Count> values;
    std::vector<std::uint64_t> residues;
    for (const Expr name : names) {
      const Expr definition = name.name().definition;
      values.push_back(name.peek());
      residues.push_back(static_cast<std::uint64_t>(random.below(Residues::prime)));
      // A name that RandomTerms defines as an exact quotient gets the value of its definition. Every other name is an unknown.
      if (definition && is_exact(definition))
        residues.back() =
            definition.right() == names[0] && definition.left() == names[5] ? Residues::quotient(residues[5], residues[0]) : residues[1];
    }

    std::vector<Elements> rows;
    Count total = 0;
    std::vector<Formula> repeated;
    const std::vector<Twin> repeats{random.expression(0), random.expression(1), random.expression(1)};
    for (Count row = random.below(8); row > 0; --row) {
      const Twin elements = random.expression(3);
      Count value = evaluate(elements.formula, values);
      CHECK(digits(elements.expr.peek()) == digits(value));
      CHECK(digits(Written(elements.expr).value()) == digits(value));
      rows.push_back({elements.expr, {}});
      repeated.push_back({'*', 0, {elements.formula}});
      for (Count depth = random.below(3); depth > 0; --depth) {
        const Twin& repeat = repeats[static_cast<std::size_t>(random.below(repeats.size()))];
        rows.back().repeats.push_back(repeat.expr);
        repeated.back().operands.push_back(repeat.formula);
      }
      total += evaluate(repeated.back(), values);
    }

    const Expr formula = collected(random.pool(), rows);
    const Written written(formula);
    CAPTURE(seed, written.text);
    CHECK(digits(formula.peek()) == digits(total));
    CHECK(digits(written.value()) == digits(total));
    std::vector<std::uint64_t> written_residues;
    for (const Expr name : written.names)
      written_residues.push_back(residues[static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin())]);
    Formula sum{'+', 0, std::move(repeated)};
    sum.operands.push_back({'=', 0});
    CHECK(Residues().of(read_formula(written.text), written_residues) == Residues().of(sum, residues));
  }
}

TEST_CASE("the closed formula of Llama 3.1 8B", "[like_terms]") {
  const Json answer = answer_to(config_of("llama", {{"hidden_size", "4096"},
                                                    {"intermediate_size", "14336"},
                                                    {"num_hidden_layers", "32"},
                                                    {"num_attention_heads", "32"},
                                                    {"num_key_value_heads", "8"},
                                                    {"vocab_size", "128256"}}));
  CHECK(shown(answer, answer.at("formula"), "symbol") == "2·V·d + L·(2·d^2 + 2·d·n_kv·h + 3·d·f + 2·d) + d");
  CHECK(shown(answer, answer.at("formula"), "value") == "2·128256·4096 + 32·(2·4096^2 + 2·4096·8·128 + 3·4096·14336 + 2·4096) + 4096");
  CHECK(answer.at("formula").at("value") == "8030261248");
  CHECK(shown(answer, row(answer, "tensors", "model.layers.[0-31].mlp.down_proj.weight"), "name") ==
        "hidden_size·intermediate_size·num_hidden_layers");
}

}  // namespace param_ledger::test
