#include "core/layers.hpp"

#include "core/family.hpp"
#include "tests/support.hpp"

namespace param_ledger::test {

namespace {

/// What `record` makes of d = 8 and o = 5: a line each of name, shape, role.
template <class Record>
std::string recorded(Record&& record) {
  Pool pool;
  const Architecture architecture{"", Head::none, ""};
  Builder b(pool, architecture, [](std::string_view) -> const Family* { return nullptr; });
  b.part(Part::feed_forward, [&] { record(b, pool.named({"d", "d", ""}, 8), pool.named({"o", "o", ""}, 5)); });
  std::string rows;
  for (const Row& row : b.rows()) {
    rows += row.name;
    for (const Expr e : row.shape) rows += ' ' + digits(e.value());
    rows += ' ' + std::string(spelling(row.role)) + '\n';
  }
  return rows;
}

}  // namespace

TEST_CASE("torch's modules have torch's shapes", "[layers]") {
  CHECK(recorded([](Builder& b, Expr d, Expr o) { linear(b, "x", d, o, true); }) == "x.weight 5 8 matrix\nx.bias 5 vector\n");
  CHECK(recorded([](Builder& b, Expr d, Expr o) { linear(b, "x", d, o); }) == "x.weight 5 8 matrix\n");
  CHECK(recorded([](Builder& b, Expr d, Expr o) { conv1d_linear(b, "x", d, o); }) == "x.weight 8 5 matrix\nx.bias 5 vector\n");
  CHECK(recorded([](Builder& b, Expr d, Expr o) { embedding(b, "x", o, d); }) == "x.weight 5 8 table\n");
  CHECK(recorded([](Builder& b, Expr d, Expr) { layer_norm(b, "x", d); }) == "x.weight 8 vector\nx.bias 8 vector\n");
  CHECK(recorded([](Builder& b, Expr d, Expr) { rms_norm(b, "x", d); }) == "x.weight 8 vector\n");
  CHECK(recorded([](Builder& b, Expr d, Expr) { norm(b, Norm::none, "x", d); }).empty());
  CHECK(recorded([](Builder& b, Expr d, Expr o) { depthwise_conv1d(b, "x", d, o, false); }) == "x.weight 8 1 5 kernel\n");
  CHECK(recorded([](Builder& b, Expr d, Expr o) { convolution(b, "x", d, o, {d, o}); }) == "x.weight 5 8 8 5 kernel\nx.bias 5 vector\n");
  CHECK(recorded([](Builder& b, Expr d, Expr o) { convolution(b, "x", d, o, {d, o, d}, false); }) == "x.weight 5 8 8 5 8 kernel\n");
}

}  // namespace param_ledger::test
