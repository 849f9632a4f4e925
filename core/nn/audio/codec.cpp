#include "core/nn/audio/codec.hpp"

#include <cmath>

#include "core/config/constraints.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Records SEANet's layers under consecutive numbers. Layers without parameters have numbers, too.
class Layers {
 public:
  Layers(Builder& b, const Seanet& m) : b_(b), m_(m) {}

  void pass() { ++next_; }
  void conv(Expr in, Expr out, Expr kernel) { conv_at(name(), in, out, kernel, false); }
  void transposed(Expr in, Expr out, Expr kernel) { conv_at(name(), in, out, kernel, true); }
  void residuals(Expr width) {
    const Expr hidden = floor_divide(width, m_.compress), one = b_.pool().literal(1);
    for (Count i = 0; i < m_.n_residual.decide(); ++i)
      b_.scope(name(), [&] {
        conv_at("block.1", width, hidden, m_.residual_kernel, false);
        conv_at("block.3", hidden, width, one, false);
        if (m_.shortcut) conv_at("shortcut", width, width, one, false);
      });
  }
  void recurrent(Expr width) {
    if (m_.lstm_layers) b_.scope(name(), [&] { lstm(b_, "lstm", width, width, m_.lstm_layers); });
  }

 private:
  std::string name() { return concat({"layers.", digits(next_++)}); }
  void conv_at(Text at, Expr in, Expr out, Expr kernel, bool backwards) {
    b_.scope(at, [&] {
      if (backwards)
        normed_transposed_conv1d(b_, m_.weight_norm, "conv", in, out, kernel);
      else
        normed_conv1d(b_, m_.weight_norm, "conv", in, out, kernel);
      if (m_.group_norm) group_norm(b_, "norm", out);
    });
  }

  Builder& b_;
  const Seanet& m_;
  Count next_ = 0;
};

void snake(Builder& b, Text name, Expr width, Snake kind) {
  const Expr one = b.pool().literal(1);
  b.scope(name, [&] {
    if (kind == Snake::with_beta)
      snake_with_beta(b, "act", width);
    else
      b.parameter("alpha", {one, width, one});
  });
}

void residual_units(Builder& b, Expr width, Snake kind) {
  constexpr int kernel = 7;
  for (const Text name : {"res_unit1", "res_unit2", "res_unit3"})
    b.scope(name, [&] {
      snake(b, "snake1", width, kind);
      conv1d(b, "conv1", width, width, kernel);
      snake(b, "snake2", width, kind);
      conv1d(b, "conv2", width, width, 1);
    });
}

}  // namespace

Expr quantizers_of_bandwidth(Config c, Expr sampling_rate, const std::vector<Expr>& ratios, Expr codebook_size, double widest) {
  if (const Json given = c.peek("target_bandwidths")) {
    if (given.size() == 0) c.refuse(ErrorCode::inconsistent, "target_bandwidths", "must not be empty.");
    const Json last = given[given.size() - 1];
    if (!last.is(Json::Type::integer) && !last.is(Json::Type::number))
      c.refuse(ErrorCode::wrong_type, "target_bandwidths", "must be a list of numbers.");
    widest = last.number();
  }
  c.consume("target_bandwidths");
  Expr hop = c.literal(1);
  for (const Expr ratio : ratios) hop = hop * ratio;
  Count bits = 0;
  for (Count left = codebook_size.decide(); left > 1; left /= 2) ++bits;
  const Expr frames = ceil_divide(sampling_rate, hop);
  constexpr double kilo = 1000;
  const double each = static_cast<double>(frames.decide() * bits), all_bits = kilo * widest;
  constexpr double most = 1e6;
  if (each == 0 || !(all_bits >= 0) || all_bits / each > most)
    c.refuse(ErrorCode::out_of_range, "target_bandwidths", "does not determine the number of codebooks.");
  const double count = std::round((all_bits - std::fmod(all_bits, each)) / each);
  return c.count("num_quantizers", "N_q", "Number of codebooks that fit into the last bandwidth of target_bandwidths.",
                 static_cast<Count>(count));
}

void residual_codebooks(Builder& b, Text name, Expr count, Expr size, Expr width) {
  b.part(Part::embedding, [&] {
    b.repeat(name, all(count), [&] {
      b.scope("codebook", [&] {
        b.buffer("inited", {b.pool().literal(1)});
        b.buffer("cluster_size", {size});
        for (const Text table : {"embed", "embed_avg"}) b.buffer(table, {size, width});
      });
    });
  });
}

void require_power_of_two(Config c, Text field, Expr size) {
  const Count n = size.decide();
  if (n == 0 || (n & (n - 1)) != 0) c.refuse(ErrorCode::out_of_range, field, "must be a power of 2.");
}

std::vector<Expr> ratios_or(Config c, Text field, std::initializer_list<std::uint64_t> fallback) {
  if (const Json given = c.peek(field); !given || (!given.is_null() && given.size() > 0)) return c.dimensions(field, fallback);
  c.consume(field);
  std::vector<Expr> out;
  for (const std::uint64_t ratio : fallback) out.push_back(c.literal(ratio));
  return out;
}

Seanet seanet_fields(Config c, const Seanet& type, std::uint64_t hidden, std::uint64_t filters, std::uint64_t last_kernel,
                     std::initializer_list<std::uint64_t> ratios) {
  Seanet m = type;
  m.channels = c.integer("audio_channels", 1);
  m.hidden = c.integer("hidden_size", hidden);
  m.filters = c.integer("num_filters", filters);
  m.n_residual = c.integer("num_residual_layers", 1);
  m.ratios = type.ratios.empty() ? c.dimensions("upsampling_ratios", ratios) : type.ratios;
  m.kernel = c.integer("kernel_size", 7);
  m.last_kernel = c.integer("last_kernel_size", last_kernel);
  m.residual_kernel = c.integer("residual_kernel_size", 3);
  m.compress = c.integer("compress", 2);
  m.shortcut = c.flag("use_conv_shortcut", type.shortcut);
  require_listable(m.n_residual);
  return m;
}

void seanet_encoder(Builder& b, const Seanet& m) {
  Layers layers(b, m);
  const std::size_t n = m.ratios.size();
  b.part(Part::convolution, [&] {
    layers.conv(m.channels, m.filters, m.kernel);
    for (std::size_t i = 0; i < n; ++i) {
      layers.residuals(times_power_of_two(m.filters, i));
      layers.pass();
      layers.conv(times_power_of_two(m.filters, i), times_power_of_two(m.filters, i + 1), 2 * m.ratios[n - 1 - i]);
    }
    layers.recurrent(times_power_of_two(m.filters, n));
    layers.pass();
    layers.conv(times_power_of_two(m.filters, n), m.hidden, m.last_kernel);
  });
}

void seanet_decoder(Builder& b, const Seanet& m) {
  Layers layers(b, m);
  const std::size_t n = m.ratios.size();
  b.part(Part::convolution, [&] {
    layers.conv(m.hidden, times_power_of_two(m.filters, n), m.kernel);
    layers.recurrent(times_power_of_two(m.filters, n));
    for (std::size_t i = 0; i < n; ++i) {
      layers.pass();
      layers.transposed(times_power_of_two(m.filters, n - i), times_power_of_two(m.filters, n - i - 1), 2 * m.ratios[i]);
      layers.residuals(times_power_of_two(m.filters, n - i - 1));
    }
    layers.pass();
    layers.conv(m.filters, m.channels, m.last_kernel);
  });
}

void snake_with_beta(Builder& b, Text name, Expr width) {
  b.scope(name, [&] {
    for (const Text part : {"alpha", "beta"}) b.parameter(part, {width});
  });
}

void dac_encoder(Builder& b, Expr first, const std::vector<Expr>& ratios, Expr out, Snake kind) {
  const Expr one = b.pool().literal(1), last = times_power_of_two(first, ratios.size());
  b.part(Part::convolution, [&] {
    conv1d(b, "conv1", one, first, 7);
    for (std::size_t i = 0; i < ratios.size(); ++i)
      b.scope(concat({"block.", digits(i)}), [&] {
        residual_units(b, times_power_of_two(first, i), kind);
        snake(b, "snake1", times_power_of_two(first, i), kind);
        conv1d(b, "conv1", times_power_of_two(first, i), times_power_of_two(first, i + 1), 2 * ratios[i]);
      });
    snake(b, "snake1", last, kind);
    conv1d(b, "conv2", last, out, 3);
  });
}

void dac_decoder(Config c, Builder& b, Expr in, Expr first, const std::vector<Expr>& ratios, Text ratios_field) {
  if (ratios.empty()) c.refuse(ErrorCode::inconsistent, ratios_field, "must not be empty.");
  const Expr one = b.pool().literal(1), last = divided_by_power_of_two(first, ratios.size());
  b.part(Part::convolution, [&] {
    conv1d(b, "conv1", in, first, 7);
    for (std::size_t i = 0; i < ratios.size(); ++i)
      b.scope(concat({"block.", digits(i)}), [&] {
        snake(b, "snake1", divided_by_power_of_two(first, i), Snake::alpha);
        transposed_conv1d(b, "conv_t1", divided_by_power_of_two(first, i), divided_by_power_of_two(first, i + 1), 2 * ratios[i]);
        residual_units(b, divided_by_power_of_two(first, i + 1), Snake::alpha);
      });
    snake(b, "snake1", last, Snake::alpha);
    conv1d(b, "conv2", last, one, 7);
  });
}

}  // namespace param_ledger
