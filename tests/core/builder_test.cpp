#include "core/builder.hpp"

#include "core/families.hpp"
#include "core/formula.hpp"
#include "core/layers.hpp"
#include "tests/support.hpp"

namespace param_ledger::test {

namespace {

struct Model {
  Pool pool;
  Expr d = pool.named({"hidden_size", "d", ""}, 8), n = pool.named({"num_hidden_layers", "L", ""}, 3);
  Expr experts = pool.named({"num_experts", "E", ""}, 4), active = pool.named({"num_experts_per_tok", "k", ""}, 2);
  Builder b{pool, llama.architectures[0]};

  const Row& last() const { return b.rows().back(); }
};

}  // namespace

TEST_CASE("scopes make names, and an empty one adds nothing", "[builder]") {
  Model m;
  m.b.scope("model", [&] { m.b.scope("", [&] { m.b.scope("norm", [&] { m.b.parameter("weight", {m.d}); }); }); });
  CHECK(m.last().name == "model.norm.weight");
  m.b.parameter("bias", {m.d});
  CHECK(m.last().name == "bias");
}

TEST_CASE("a repeat is one row, whatever it repeats", "[builder]") {
  Model m;
  m.b.repeat("layers", all(m.n), [&] { m.b.parameter("weight", {m.d, m.d}); });
  REQUIRE(m.b.rows().size() == 1);
  CHECK(m.last().name == "layers.[0-2].weight");
  CHECK(digits(m.last().elements.value()) == "64");
  CHECK(digits(m.last().total.value()) == "192");
  CHECK(write(m.last().total) == "hidden_size × hidden_size × num_hidden_layers");
}

TEST_CASE("without indices nothing is recorded", "[builder]") {
  Model m;
  m.b.repeat("layers", all(m.pool.literal(0)), [&] { m.b.parameter("weight", {m.d}); });
  m.b.repeat_experts("experts", m.pool.literal(0), m.active, [&] { m.b.parameter("weight", {m.d}); });
  m.b.repeat_tied("layers", listed({}, m.n), 0, [&] { m.b.parameter("weight", {m.d}); });
  CHECK(m.b.rows().empty());
}

TEST_CASE("a fixed index is no factor", "[builder]") {
  Model m;
  m.b.repeat("block", only(0), [&] { m.b.parameter("weight", {m.d}); });
  CHECK(m.last().name == "block.0.weight");
  CHECK(m.last().total == m.d);
}

TEST_CASE("a token uses some of the experts, and never more than there are", "[builder]") {
  Model m;
  m.b.repeat("layers", all(m.n), [&] { m.b.repeat_experts("experts", m.experts, m.active, [&] { m.b.parameter("weight", {m.d}); }); });
  CHECK(m.last().name == "layers.[0-2].experts.[0-3].weight");
  CHECK(digits(m.last().total.value()) == "96");
  CHECK(digits(m.last().active.value()) == "48");
  m.b.repeat_experts("experts", m.active, m.experts, [&] { m.b.parameter("weight", {m.d}); });
  CHECK(digits(m.last().active.value()) == "16");
  m.b.expert_parameter("fused", {m.experts, m.d, m.d}, m.active);
  CHECK(digits(m.last().total.value()) == "256");
  CHECK(digits(m.last().active.value()) == "128");
  m.b.expert_parameter("fused", {m.active, m.d, m.d}, m.experts);
  CHECK(digits(m.last().active.value()) == "128");
}

TEST_CASE("tied tensors name their owner", "[builder]") {
  Model m;
  m.b.tied("lm_head.weight", {m.d}, "model.embed_tokens.weight");
  CHECK(m.last().kind == Kind::tied);
  CHECK(m.last().tied_to == "model.embed_tokens.weight");
  const std::uint64_t later[] = {5, 7};
  m.b.scope("model", [&] {
    m.b.repeat_tied("layers", listed(later, m.active), 2, [&] { m.b.scope("shared", [&] { m.b.parameter("weight", {m.d}); }); });
    m.b.parameter("own", {m.d});
  });
  const Row& tied = m.b.rows()[1];
  CHECK(tied.name == "model.layers.[5,7].shared.weight");
  CHECK(tied.kind == Kind::tied);
  CHECK(tied.tied_to == "model.layers.2.shared.weight");
  CHECK(digits(tied.total.value()) == "16");
  CHECK(m.last().kind == Kind::parameter);
}

TEST_CASE("parts nest and come back", "[builder]") {
  Model m;
  m.b.part(Part::attention, [&] {
    m.b.part(Part::norm, [&] { m.b.parameter("a", {m.d}); });
    m.b.parameter("b", {m.d});
  });
  m.b.buffer("c", {m.d});
  CHECK(m.b.rows()[0].part == Part::norm);
  CHECK(m.b.rows()[1].part == Part::attention);
  CHECK(m.b.rows()[2].part == Part::feed_forward);
  CHECK(m.b.rows()[2].kind == Kind::buffer);
}

TEST_CASE("torch's modules have torch's shapes", "[builder][layers]") {
  Model m;
  const Expr out = m.pool.named({"out", "o", ""}, 5);
  linear(m.b, "linear", m.d, out, true);
  conv1d_linear(m.b, "conv1d_linear", m.d, out);
  embedding(m.b, "embedding", out, m.d);
  layer_norm(m.b, "norm", m.d);
  depthwise_conv1d(m.b, "conv", m.d, out, false);
  std::string rows;
  for (const Row& row : m.b.rows()) {
    rows += row.name;
    for (const Expr e : row.shape) rows += ' ' + digits(e.value());
    rows += '\n';
  }
  CHECK(rows ==
        "linear.weight 5 8\nlinear.bias 5\nconv1d_linear.weight 8 5\nconv1d_linear.bias 5\n"
        "embedding.weight 5 8\nnorm.weight 8\nnorm.bias 8\nconv.weight 8 1 5\n");
}

TEST_CASE("a tensor beyond what torch can size is refused", "[builder]") {
  Model m;
  const Expr large = m.pool.literal((Count{1} << 61U) - 1);
  m.b.parameter("largest", {large});
  CHECK(error_of([&] { m.b.parameter("larger", {large + 1}); }).code == ErrorCode::overflow);
}

TEST_CASE("a count beyond 128 bits is refused", "[builder]") {
  Model m;
  const Expr many = m.pool.literal(Count{1} << 62U);
  const auto nested = [&] {
    m.b.repeat("a", all(many), [&] { m.b.repeat("b", all(many), [&] { m.b.parameter("c", {many - 1 - (many - 1 - m.d * m.d)}); }); });
  };
  CHECK(error_of(nested).code == ErrorCode::overflow);  // 2^62 · 2^62 · 2^6
}

}  // namespace param_ledger::test
