#include "core/nn/layer_kinds.hpp"

#include "core/json/json_text.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

struct Layers {
  Document document{R"({"n": 6, "many": 10001})"};
  Pool pool;
  Configuration all{pool, document.root()};
  Config c = all.root();
  Expr n = c.integer("n", 1);
};

}  // namespace

TEST_CASE("a list of layers has its own count, unless it contains all layers", "[layer_kinds]") {
  Layers m;
  const auto where = [&](std::uint64_t divisor) {
    return layers_where(m.c, m.n, "some", "S", "Some layers.", [&](std::size_t i) { return i % divisor == 0; });
  };
  CHECK(spelling(where(1)) == "[0-5]");
  CHECK(where(1).count == m.n);
  CHECK(spelling(where(2)) == "[0,2,4]");
  CHECK(where(2).count.name().name == "some");
  const Split halves = split(m.c, m.n, "some", "S", "Some layers.", [](std::size_t i) { return i < 2; });
  CHECK(spelling(halves.out) == "[2-5]");
}

TEST_CASE("the number of layers of several kinds is limited", "[layer_kinds]") {
  Layers m;
  const Expr many = m.c.integer("many", 1);
  const auto none = [](std::size_t) { return false; };
  CHECK(error_of([&] { layers_where(m.c, many, "some", "S", "Some layers.", none); }).code == ErrorCode::too_large);
  CHECK(error_of([&] { alike_layers(many, {}); }).code == ErrorCode::too_large);
  CHECK(layers_where(m.c, many - 1, "some", "S", "Some layers.", none).empty());
}

TEST_CASE("a list of layers may be unordered and have repetitions", "[layer_kinds]") {
  const LayerList list({7, 3, -1, 3});
  CHECK(list.has(3));
  CHECK(list.has(7));
  CHECK_FALSE(list.has(4));
  CHECK_FALSE(LayerList({}).has(0));
}

TEST_CASE("layers with the same number form a group", "[layer_kinds]") {
  Layers m;
  const std::vector<std::int64_t> numbers = {5, -2, 5, 5, 0, -2};
  std::string out;
  for (const auto& [number, layers] : alike_layers(m.n, numbers)) {
    out += std::to_string(number) + ':';
    for (const std::uint64_t layer : layers) out += ' ' + std::to_string(layer);
    out += '\n';
  }
  CHECK(out == "-2: 1 5\n0: 4\n5: 0 2 3\n");
  CHECK(alike_layers(m.n, {}).empty());
}

}  // namespace param_ledger::test
