#include "core/expr/formula.hpp"

#include "tests/support/formulas.hpp"

namespace param_ledger::test {

TEST_CASE("an expression is written in names", "[formula]") {
  Llama m;
  CHECK(write((m.n + 2 * m.n_kv) * m.h * m.d) == "(num_attention_heads + 2 × num_key_value_heads) × head_dim × hidden_size");
  CHECK(write(4096 * m.d) == "4,096 × hidden_size");
}

TEST_CASE("parentheses are written only where needed", "[formula]") {
  Pool pool;
  const Expr a = pool.named({"a", "", ""}, 60), b = pool.named({"b", "", ""}, 6), c = pool.named({"c", "", ""}, 5);
  CHECK(write(a - (b - c)) == "a − (b − c)");
  CHECK(write(a - b - c) == "a − b − c");
  CHECK(write(a + (b + c)) == "a + b + c");
  CHECK(write(a * (b * c)) == "a × b × c");
  CHECK(write(floor_divide(a, b * pool.literal(2))) == "a ÷ (b × 2)");
  CHECK(write(power(a + b, 2)) == "(a + b)²");
  CHECK(write(power(a, 10)) == "a¹⁰");
}

TEST_CASE("rounded divisions have brackets", "[formula]") {
  Llama m;
  const Expr three = m.pool.literal(3);
  CHECK(write(floor_divide(m.d, three)) == "⌊hidden_size ÷ 3⌋");
  CHECK(write(ceil_divide(m.d + m.n, m.pool.literal(5))) == "⌈(hidden_size + num_attention_heads) ÷ 5⌉");
  CHECK(write(floor_divide(m.d, m.n)) == "hidden_size ÷ num_attention_heads");
}

TEST_CASE("prefix notation numbers names in the order of their first use", "[formula]") {
  Llama m;
  PrefixWriter writer;
  Buffer text;
  writer.write(text, m.f * m.d * m.f);
  text.put(", ");
  writer.write(text, m.n * m.d);
  CHECK(text.view() == "*3 0 1 0, *2 2 1");
  CHECK(writer.names() == std::vector{m.f, m.d, m.n});
}

TEST_CASE("prefix notation has a sign for each operation", "[formula]") {
  Llama m;
  const auto text = [](Expr e) { return Written(e).text; };
  CHECK(text(m.d) == "0");
  CHECK(text(m.pool.literal(128)) == "=128");
  CHECK(text((m.d + m.f) + (m.n + m.d)) == "+4 0 1 2 0");
  CHECK(text((m.d * m.f) * (m.n * m.d)) == "*4 0 1 2 0");
  CHECK(text(2 * (m.d + m.f) * m.n) == "*3 =2 +2 0 1 2");
  CHECK(text(m.vocab - (m.d - m.n)) == "- 0 - 1 2");
  CHECK(text(m.vocab - m.d - m.n) == "- - 0 1 2");
  CHECK(text(power(m.d + 1, 2)) == "^ +2 0 =1 =2");
  CHECK(text(floor_divide(m.d, m.n)) == "/ 0 1");
  CHECK(text(floor_divide(m.d, m.pool.literal(3))) == "f 0 =3");
  CHECK(text(ceil_divide(m.d, m.pool.literal(3)) * m.n) == "*2 c 0 =3 1");
}

TEST_CASE("the evaluator for formulas knows every sign and detects wrong ones", "[formula]") {
  const auto value = [](std::string_view text) { return digits(evaluate(read_formula(text), {3, 5, 10})); };
  CHECK(value("+3 *2 0 1 2 =7") == "32");
  CHECK(value("^ - - 2 =1 =2 =3") == "343");
  CHECK(value("+2 f 2 0 c 2 0") == "7");
  CHECK(value("/ 2 1") == "2");
  const char* const unreadable[] = {"",  " ",   "0 ",  "0 1", "+2 0",  "+1 0",   "+ 0 1",      "+2 0  1", "*2 0 *2 1 2",
                                    "=", "=-1", "=07", "x",   "^ 0 1", "-2 0 1", "+2 +2 0 1 2"};
  for (const char* text : unreadable) {
    CAPTURE(text);
    CHECK_THROWS(read_formula(text));
  }
  for (const char* text : {"3", "/ 2 0", "- 0 1", "f 0 =0", "*2 =340282366920938463463374607431768211455 2"}) {
    CAPTURE(text);
    CHECK_THROWS(value(text));
  }
  CHECK(shown(read_formula("*3 =2 +2 0 1 ^ - 2 =1 =2"), {"a", "b", "c"}) == "2·(a + b)·(c − 1)^2");
}

}  // namespace param_ledger::test
