#include "core/formula.hpp"

#include "tests/evaluator.hpp"
#include "tests/support.hpp"

namespace param_ledger::test {

namespace {

/// Llama 3.1 8B; names in the order of the table in dimensions.cpp.
struct Llama {
  Pool pool;
  Expr vocab = name("vocab_size", "V", 128256, 1), d = name("hidden_size", "d", 4096, 2), n = name("num_attention_heads", "n", 32, 3);
  Expr n_kv = name("num_key_value_heads", "n_kv", 8, 4), h = name("head_dim", "h", 128, 5, floor_divide(d, n)),
       f = name("intermediate_size", "f", 14336, 6);
  Expr n_layers = name("num_hidden_layers", "L", 32, 7);

  Expr name(const char* field, const char* symbol, Count value, std::uint16_t order, Expr definition = {}) {
    return pool.named({field, symbol, "", true, order, definition}, value);
  }
  std::string collected(const std::vector<Term>& terms) { return write(collect(pool, terms), Notation::symbols); }
};

}  // namespace

TEST_CASE("one expression is written in names, numbers and symbols", "[formula]") {
  Llama m;
  const Expr e = (m.n + 2 * m.n_kv) * m.h * m.d;
  CHECK(write(e, Notation::names) == "(num_attention_heads + 2 × num_key_value_heads) × head_dim × hidden_size");
  CHECK(write(e, Notation::numbers) == "(32 + 2 × 8) × 128 × 4,096");
  CHECK(write(e, Notation::symbols) == "(n + 2·n_kv)·h·d");
  CHECK(write(e, Notation::symbol_numbers) == "(32 + 2·8)·128·4,096");
}

TEST_CASE("parentheses stand where the value needs them", "[formula]") {
  Llama m;
  const auto text = [](Expr e) { return write(e, Notation::symbols); };
  CHECK(text(m.vocab - (m.d - m.n)) == "V − (d − n)");
  CHECK(text(m.vocab - m.d - m.n) == "V − d − n");
  CHECK(text(m.vocab + (m.d + m.n)) == "V + d + n");
  CHECK(text(m.vocab * (m.d * m.n)) == "V·d·n");
  CHECK(text(floor_divide(m.d, m.n * m.pool.literal(2))) == "d÷(n·2)");
  CHECK(text(power(m.d + m.n, 2)) == "(d + n)²");
  CHECK(text(power(m.d, 10)) == "d¹⁰");
}

TEST_CASE("rounded divisions stand in their brackets", "[formula]") {
  Llama m;
  const Expr three = m.pool.literal(3);
  CHECK(write(floor_divide(m.d, three), Notation::names) == "⌊hidden_size ÷ 3⌋");
  CHECK(write(ceil_divide(m.d + m.n, m.pool.literal(5)), Notation::names) == "⌈(hidden_size + num_attention_heads) ÷ 5⌉");
  CHECK(write(floor_divide(m.d, m.n), Notation::names) == "hidden_size ÷ num_attention_heads");
}

TEST_CASE("writing marks the names that occur", "[formula]") {
  Llama m;
  write(m.d * m.f, Notation::numbers);
  CHECK(m.d.name().used);
  CHECK(m.f.name().used);
  CHECK_FALSE(m.vocab.name().used);
}

TEST_CASE("like terms are collected within each repeat", "[formula]") {
  Llama m;
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
  SECTION("products are multiplied out") { CHECK(m.collected({{(m.d + m.f) * (m.d + m.f), {}}}) == "d² + 2·d·f + f²"); }
  SECTION("differences come last and cancel") {
    CHECK(m.collected({{(m.vocab - m.d) * m.f, {}}, {m.d, {}}}) == "V·f + d − d·f");
    CHECK(m.collected({{m.vocab - m.d, {}}, {m.d, {}}}) == "V");
  }
  SECTION("a quotient times its divisor is the dividend, also under its own name") {
    CHECK(m.collected({{m.n * m.h * m.d, {}}}) == "d²");
    CHECK(m.collected({{m.n_kv * m.h * m.d, {}}}) == "d·n_kv·h");
    CHECK(m.collected({{floor_divide(m.f, m.n) * m.n, {}}}) == "f");
  }
  SECTION("a rounded quotient is none") {
    const Expr rounded = floor_divide(m.d, m.pool.literal(3));
    CHECK(m.collected({{rounded * m.pool.literal(3), {}}}) == "3·⌊d ÷ 3⌋");
  }
}

TEST_CASE("Llama 3.1 8B has its closed formula", "[formula]") {
  const Json answer = answer_to(config_of("llama", {{"hidden_size", "4096"},
                                                    {"intermediate_size", "14336"},
                                                    {"num_hidden_layers", "32"},
                                                    {"num_attention_heads", "32"},
                                                    {"num_key_value_heads", "8"},
                                                    {"vocab_size", "128256"}}));
  const Json& formula = answer.at("formula");
  CHECK(formula.at("symbols") == "2·V·d + L·(2·d² + 2·d·n_kv·h + 3·d·f + 2·d) + d");
  CHECK(formula.at("substitution") == "2·128,256·4,096 + 32·(2·4,096² + 2·4,096·8·128 + 3·4,096·14,336 + 2·4,096) + 4,096");
  CHECK(formula.at("value") == "8030261248");
  CHECK(row(answer, "tensors", "model.layers.[0-31].mlp.down_proj.weight").at("formula") ==
        "hidden_size × intermediate_size × num_hidden_layers");
}

TEST_CASE("the evaluator that checks formulas knows every sign and tells wrong ones", "[formula]") {
  const Values values{{"layers as 0", 3}, {"layers", 5}, {"f[1]", 7}, {"d", 10}};
  CHECK(digits(evaluate("layers as 0 × layers + f[1]", values)) == "22");
  CHECK(digits(evaluate("(d − 1 − 2)² ÷ 7·2¹⁰", values)) == "7168");
  CHECK(digits(evaluate("⌊d ÷ 3⌋ + ⌈d ÷ 3⌉ + 1,000", values)) == "1007");
  for (const char* wrong : {"d ÷ 3", "d + ", "(d", "d d", "unknown", "1 − d", "⌊d ÷ 3⌉", ""}) CHECK_THROWS(evaluate(wrong, values));
}

}  // namespace param_ledger::test
