#include "core/nn/layers.hpp"

#include "core/builder/family.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// The rows that `record` adds for d = 8 and o = 5: name, shape and role, one line each.
template <class Record>
std::string recorded(Record&& record) {
  Pool pool;
  const Architecture architecture{"", Head::none, ""};
  Builder b(pool, architecture, [](std::string_view) -> const Family* { return nullptr; });
  b.part(Part::feed_forward, [&] { record(b, pool.named({"d", "d", ""}, 8), pool.named({"o", "o", ""}, 5)); });
  std::string rows;
  for (const Row& row : b.rows()) {
    rows += row.name;
    for (const Expr e : row.shape) rows += ' ' + digits(e.peek());
    rows += ' ' + std::string(spelling(row.storage)) + '\n';
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
  CHECK(recorded([](Builder& b, Expr d, Expr) { unbiased_layer_norm(b, "x", d); }) == "x.weight 8 vector\n");
  CHECK(recorded([](Builder& b, Expr d, Expr) { norm(b, Norm::none, "x", d); }).empty());
  CHECK(recorded([](Builder& b, Expr d, Expr o) { depthwise_conv1d(b, "x", d, o, false); }) == "x.weight 8 1 5 kernel\n");
  CHECK(recorded([](Builder& b, Expr d, Expr o) { convolution(b, "x", d, o, {d, o}); }) == "x.weight 5 8 8 5 kernel\nx.bias 5 vector\n");
  CHECK(recorded([](Builder& b, Expr d, Expr o) { convolution(b, "x", d, o, {d, o, d}, false); }) == "x.weight 5 8 8 5 8 kernel\n");
}

TEST_CASE("convolutions and transposed convolutions of one and two dimensions", "[layers]") {
  CHECK(recorded([](Builder& b, Expr d, Expr o) { conv1d(b, "x", d, o, 3, false); }) == "x.weight 5 8 3 kernel\n");
  CHECK(recorded([](Builder& b, Expr d, Expr o) { conv2d(b, "x", d, o, {3, d}); }) == "x.weight 5 8 3 8 kernel\nx.bias 5 vector\n");
  CHECK(recorded([](Builder& b, Expr d, Expr) { depthwise_conv2d(b, "x", d, 7, false); }) == "x.weight 8 1 7 7 kernel\n");
  CHECK(recorded([](Builder& b, Expr d, Expr o) { transposed_conv1d(b, "x", d, o, 2); }) == "x.weight 8 5 2 kernel\nx.bias 5 vector\n");
  CHECK(recorded([](Builder& b, Expr d, Expr o) { transposed_conv2d(b, "x", d, o, 2, false); }) == "x.weight 8 5 2 2 kernel\n");
  CHECK(recorded([](Builder& b, Expr d, Expr) { conv1d(b, "x", per_group(d, b.pool().literal(4)), d, 1, false); }) ==
        "x.weight 8 2 1 kernel\n");
  CHECK_THROWS(recorded([](Builder& b, Expr d, Expr o) {
    static_cast<void>(per_group(d, o));
    static_cast<void>(b);
  }));
}

TEST_CASE("batch norm keeps statistics, and a frozen one has only buffers", "[layers]") {
  const char* const statistics = "x.running_mean 8 vector\nx.running_var 8 vector\n";
  const std::string learned = "x.weight 8 vector\nx.bias 8 vector\n";
  CHECK(recorded([](Builder& b, Expr d, Expr) { batch_norm(b, "x", d); }) == learned + statistics + "x.num_batches_tracked vector\n");
  CHECK(recorded([](Builder& b, Expr d, Expr) { b.frozen([&] { batch_norm(b, "x", d); }); }) == learned + statistics);
  CHECK(recorded([](Builder& b, Expr d, Expr) { batch_norm(b, "x", d, BatchNorm::plain); }) ==
        std::string(statistics) + "x.num_batches_tracked vector\n");
}

TEST_CASE("weight norm stores directions and magnitudes", "[layers]") {
  const auto normed = [](WeightNorm kind, bool by_kernel) {
    return recorded([&](Builder& b, Expr d, Expr o) { normed_kernel(b, kind, o, d, 3, by_kernel); });
  };
  CHECK(normed(WeightNorm::none, false) == "weight 5 8 3 kernel\n");
  CHECK(normed(WeightNorm::plain, false) == "weight_g 5 1 1 vector\nweight_v 5 8 3 kernel\n");
  CHECK(normed(WeightNorm::parametrized, true) ==
        "parametrizations.weight.original0 1 1 3 vector\nparametrizations.weight.original1 5 8 3 kernel\n");
  CHECK(recorded([](Builder& b, Expr d, Expr o) { normed_transposed_conv1d(b, WeightNorm::plain, "x", d, o, 2); }) ==
        "x.weight_g 8 1 1 vector\nx.weight_v 8 5 2 kernel\nx.bias 5 vector\n");
}

TEST_CASE("a bidirectional LSTM of two layers", "[layers]") {
  const std::string rows = recorded([](Builder& b, Expr d, Expr o) { lstm(b, "x", d, o, b.pool().literal(2), true); });
  CHECK(rows.find("x.weight_ih_l0 20 8 matrix\nx.weight_hh_l0 20 5 matrix\nx.bias_ih_l0 20 vector\nx.bias_hh_l0 20 vector\n") == 0);
  CHECK(rows.find("x.weight_ih_l0_reverse 20 8 matrix\n") != std::string::npos);
  CHECK(rows.find("x.weight_ih_l1_reverse 20 10 matrix\n") != std::string::npos);
  CHECK(recorded([](Builder& b, Expr d, Expr) { multihead_attention(b, "x", d); }) ==
        "x.in_proj_weight 24 8 matrix\nx.in_proj_bias 24 vector\nx.out_proj.weight 8 8 matrix\nx.out_proj.bias 8 vector\n");
  CHECK(recorded([](Builder& b, Expr d, Expr) { tokens(b, "x", 4, d); }) == "x 1 4 8 table\n");
}

}  // namespace param_ledger::test
