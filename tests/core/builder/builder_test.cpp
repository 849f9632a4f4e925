#include "core/builder/builder.hpp"

#include <array>

#include "core/builder/family.hpp"
#include "core/expr/formula.hpp"
#include "core/nn/layers.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

struct Model {
  Pool pool;
  Expr d = pool.named({"hidden_size", "d", ""}, 8), n = pool.named({"num_hidden_layers", "L", ""}, 3);
  Expr experts = pool.named({"num_experts", "E", ""}, 4), active = pool.named({"num_experts_per_tok", "k", ""}, 2);
  Architecture architecture{"LlamaForCausalLM", Head::causal_lm, "model"};
  Builder b{pool, architecture, [](std::string_view) -> const Family* { return nullptr; }};

  /// Calls `body` within a part of the model, because every tensor must belong to a part.
  template <class Body>
  void record(Body&& body) {
    b.part(Part::feed_forward, [&] { body(b); });
  }
  const Row& last() const { return b.rows().back(); }
};

}  // namespace

TEST_CASE("scopes form names, and an empty scope adds nothing", "[builder]") {
  Model m;
  m.record([&](Builder& b) { b.scope("model", [&] { b.scope("", [&] { b.scope("norm", [&] { b.parameter("weight", {m.d}); }); }); }); });
  CHECK(m.last().name == "model.norm.weight");
  m.record([&](Builder& b) { b.parameter("bias", {m.d}); });
  CHECK(m.last().name == "bias");
}

TEST_CASE("a repeat is one row", "[builder]") {
  Model m;
  m.record([&](Builder& b) { b.repeat("layers", all(m.n), [&] { b.parameter("weight", {m.d, m.d}); }); });
  REQUIRE(m.b.rows().size() == 1);
  CHECK(m.last().name == "layers.[0-2].weight");
  CHECK(digits(m.last().elements.peek()) == "64");
  CHECK(digits(m.last().total.peek()) == "192");
  CHECK(write(m.last().total) == "hidden_size × hidden_size × num_hidden_layers");
}

TEST_CASE("without indices nothing is recorded", "[builder]") {
  Model m;
  m.record([&](Builder& b) {
    b.repeat("layers", all(m.pool.literal(0)), [&] { b.parameter("weight", {m.d}); });
    b.repeat_experts("experts", m.pool.literal(0), m.active, [&] { b.parameter("weight", {m.d}); });
    b.repeat_tied("layers", listed({}, m.n), 0, [&] { b.parameter("weight", {m.d}); });
  });
  CHECK(m.b.rows().empty());
}

TEST_CASE("a fixed index adds no factor", "[builder]") {
  Model m;
  m.record([&](Builder& b) { b.repeat("block", only(0), [&] { b.parameter("weight", {m.d}); }); });
  CHECK(m.last().name == "block.0.weight");
  CHECK(m.last().total == m.d);
}

TEST_CASE("the active experts are capped at their number", "[builder]") {
  Model m;
  m.record([&](Builder& b) {
    b.repeat("layers", all(m.n), [&] { b.repeat_experts("experts", m.experts, m.active, [&] { b.parameter("weight", {m.d}); }); });
  });
  CHECK(m.last().name == "layers.[0-2].experts.[0-3].weight");
  CHECK(digits(m.last().total.peek()) == "96");
  CHECK(digits(m.last().active.peek()) == "48");
  m.record([&](Builder& b) { b.repeat_experts("experts", m.active, m.experts, [&] { b.parameter("weight", {m.d}); }); });
  CHECK(digits(m.last().active.peek()) == "16");
  m.record([&](Builder& b) { b.expert_parameter("fused", {m.experts, m.d, m.d}, {m.experts, m.active}); });
  CHECK(digits(m.last().total.peek()) == "256");
  CHECK(digits(m.last().active.peek()) == "128");
  CHECK(m.last().storage == StorageKind::matrix);
  m.record([&](Builder& b) { b.expert_parameter("fused", {m.active, m.d, m.d}, {m.active, m.experts}); });
  CHECK(digits(m.last().active.peek()) == "128");
  m.record([&](Builder& b) { b.expert_parameter("rows", {m.experts * m.d, m.d}, {m.experts, m.active, m.d}); });
  CHECK(digits(m.last().total.peek()) == "256");
  CHECK(digits(m.last().active.peek()) == "128");
  // A prefix that ends with an underscore is joined with the expert's index to form the module's name.
  m.record([&](Builder& b) { b.repeat_experts("experts.expert_", m.experts, m.active, [&] { b.parameter("weight", {m.d}); }); });
  CHECK(m.last().name == "experts.expert_[0-3].weight");
  CHECK(m.last().total.peek() == 2 * m.last().active.peek());
}

TEST_CASE("tied tensors name their owner and have its shape", "[builder]") {
  Model m;
  m.record([&](Builder& b) {
    const Tensor table = b.parameter("model.embed_tokens.weight", {m.d, m.n}, StorageKind::table);
    b.tied("lm_head.weight", table);
    CHECK(m.last().kind == Kind::tied);
    CHECK(m.last().tied_to == "model.embed_tokens.weight");
    CHECK(digits(m.last().total.peek()) == "24");
    const std::uint64_t later[] = {5, 7};
    b.scope("model", [&] {
      b.repeat_tied("layers", listed(later, m.active), 2, [&] { b.scope("shared", [&] { b.parameter("weight", {m.d}); }); });
      b.parameter("own", {m.d});
    });
  });
  const Row& tied = m.b.rows()[2];
  CHECK(tied.name == "model.layers.[5,7].shared.weight");
  CHECK(tied.kind == Kind::tied);
  CHECK(tied.tied_to == "model.layers.2.shared.weight");
  CHECK(digits(tied.total.peek()) == "16");
  CHECK(m.last().kind == Kind::parameter);
}

TEST_CASE("a tensor of many copies is shared copy by copy", "[builder]") {
  Model m;
  m.record([&](Builder& b) {
    b.repeat("layers", all(m.n), [&] { b.parameter("weight", {m.d, m.d}, StorageKind::matrix); });
    b.buffer("positions", {m.d});
  });
  m.b.scope("other", [&] {
    for (std::size_t i = 0; i < 2; ++i) m.b.tied_like(m.b.rows()[i], std::string(m.b.rows()[i].name));
  });
  REQUIRE(m.b.rows().size() == 4);
  const Row& shared = m.b.rows()[2];
  CHECK(shared.name == "other.layers.[0-2].weight");
  CHECK(shared.kind == Kind::tied);
  CHECK(shared.tied_to == "layers.[0-2].weight");
  CHECK(shared.in_text(Part::feed_forward));
  CHECK(digits(shared.total.peek()) == "192");
  CHECK(m.last().kind == Kind::buffer);
  CHECK(m.last().tied_to.empty());
}

TEST_CASE("tensors that only files contain have a kind and a reason", "[builder]") {
  Model m;
  m.record([&](Builder& b) {
    b.beside(Kind::published, "because", [&] { b.parameter("extra", {m.d}); });
    b.parameter("own", {m.d});
  });
  CHECK(m.b.rows()[0].kind == Kind::published);
  CHECK(m.b.rows()[0].reason == "because");
  CHECK(m.last().kind == Kind::parameter);
  CHECK(m.last().reason.empty());
}

TEST_CASE("a tensor recorded like another has its part and its repeats", "[builder]") {
  Model m;
  m.b.part(Part::router,
           [&] { m.b.repeat("layers", all(m.n), [&] { m.b.repeat("experts", all(m.experts), [&] { m.b.parameter("up", {m.d}); }); }); });
  m.b.like(m.last(), "layers.[0-2].experts.[0-3].scale", {}, StorageKind::vector);
  CHECK(m.last().name == "layers.[0-2].experts.[0-3].scale");
  CHECK(m.last().in_text(Part::router));
  CHECK(write(m.last().total) == "num_hidden_layers × num_experts");
  m.b.repeat("more", only(3), [&] { m.b.like(m.b.rows().front(), "experts.[0-3].up", std::array{m.d}, StorageKind::matrix, 1); });
  CHECK(m.last().name == "more.3.experts.[0-3].up");
  CHECK(m.last().storage == StorageKind::matrix);
  CHECK(write(m.last().total) == "hidden_size × num_experts");
}

TEST_CASE("parts are nested and restored, and a tower's rows have a part and the tower", "[builder]") {
  Model m;
  m.b.part(Part::attention, [&] {
    m.b.part(Part::norm, [&] { m.b.parameter("a", {m.d}); });
    m.b.buffer("b", {m.d});
  });
  m.b.tower(Tower::vision, "tower", [&] { m.b.part(Part::norm, [&] { m.b.parameter("c", {m.d}); }); });
  m.b.tower(Tower::projector, "projector", [&] { m.b.part(Part::norm, [&] { m.b.parameter("d", {m.d}); }); });
  m.b.part(Part::norm, [&] { m.b.parameter("e", {m.d}); });
  CHECK(m.b.rows()[0].in_text(Part::norm));
  CHECK(m.b.rows()[1].in_text(Part::attention));
  CHECK(m.b.rows()[1].kind == Kind::buffer);
  CHECK(m.b.rows()[2].tower == Tower::vision);
  CHECK(m.b.rows()[2].name == "tower.c");
  CHECK(m.b.rows()[3].tower == Tower::projector);
  CHECK(m.b.rows()[4].in_text(Part::norm));
  for (const std::size_t row : {2U, 3U}) {
    CHECK(m.b.rows()[row].part == Part::norm);
    CHECK_FALSE(m.b.rows()[row].in_text(Part::norm));
  }
}

TEST_CASE("a tensor directly in a tower has a part", "[builder]") {
  Model m;
  m.b.tower(Tower::audio, "encoder", [&] {
    conv1d(m.b, "conv1", m.d, m.d, 3);
    linear(m.b, "proj", m.d, m.d);
    m.b.tower(Tower::projector, "connector", [&] { m.b.parameter("query_tokens", {m.d, m.d}, StorageKind::table); });
    m.b.part(Part::attention, [&] { conv1d(m.b, "conv", m.d, m.d, 3, false); });
  });
  const auto is = [&](std::size_t row, std::string_view name, Part part) {
    CHECK(m.b.rows()[row].name == name);
    CHECK(m.b.rows()[row].part == part);
    CHECK(m.b.rows()[row].tower == Tower::audio);
    CHECK(answer_part_name(answer_part(m.b.rows()[row])) == "audio");
  };
  is(0, "encoder.conv1.weight", Part::convolution);
  is(1, "encoder.conv1.bias", Part::convolution);
  is(2, "encoder.proj.weight", Part::projection);
  is(3, "encoder.connector.query_tokens", Part::embedding);
  is(4, "encoder.conv.weight", Part::attention);
}

TEST_CASE("a tensor outside of any part is an internal error", "[builder]") {
  Model m;
  CHECK(error_of([&] { m.b.parameter("a", {m.d}); }).code == ErrorCode::internal);
}

TEST_CASE("a tensor above torch's size limit is refused", "[builder]") {
  Model m;
  const Expr large = m.pool.literal((Count{1} << 61U) - 1);
  m.record([&](Builder& b) { b.parameter("largest", {large}); });
  CHECK(error_of([&] { m.record([&](Builder& b) { b.parameter("larger", {large + 1}); }); }).code == ErrorCode::overflow);
  // Many types of transformers store all experts in one tensor. The limit on elements applies to the experts together.
  const Expr third = m.pool.literal(Count{1} << 59U);
  const auto stacked = [&](Builder& b) { b.repeat_experts("experts", m.experts, m.active, [&] { b.parameter("weight", {third}); }); };
  CHECK(error_of([&] { m.record(stacked); }).code == ErrorCode::overflow);
}

TEST_CASE("a count above 128 bits is refused", "[builder]") {
  Model m;
  const Expr many = m.pool.literal(Count{1} << 62U);
  const auto nested = [&](Builder& b) {
    b.repeat("a", all(many), [&] { b.repeat("b", all(many), [&] { b.parameter("c", {many - 1 - (many - 1 - m.d * m.d)}); }); });
  };
  CHECK(error_of([&] { m.record(nested); }).code == ErrorCode::overflow);  // 2^62 · 2^62 · 2^6
}

TEST_CASE("too many distinct tensors are refused", "[builder]") {
  Model m;
  const auto rows = [&](std::size_t n) {
    return [n, &m](Builder& b) {
      for (std::size_t i = 0; i < n; ++i) b.parameter(digits(i), {m.d});
    };
  };
  m.record(rows(10'000));
  CHECK(m.b.rows().size() == 10'000);
  CHECK(error_of([&] { m.record(rows(1)); }).code == ErrorCode::too_large);
}

}  // namespace param_ledger::test
