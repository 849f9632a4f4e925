// Encoder-decoders for time series. The input at each step, lagged values and other features, is projected to the hidden size. Informer's
// encoder shortens the sequence between layers, unless distil is false; Autoformer separates trend and season. Source: transformers,
// models/time_series_transformer, informer, autoformer.

#include "core/builder/blocks.hpp"
#include "core/builder/family.hpp"
#include "core/nn/text/encoder_decoder.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

enum class SeriesKind : std::uint8_t { plain, informer, autoformer };

/// The embeddings of static categories: the number of rows and the width of each table.
struct Categories {
  std::vector<Expr> counts, widths;
};
Categories categories(Config c) {
  const Expr count = c.integer("num_static_categorical_features", 0);
  if (count.decide() == 0) {
    for (const Text name : {"cardinality", "embedding_dimension"}) c.consume(name);
    return {};
  }
  if (!is_given(c, "cardinality"))
    c.refuse(ErrorCode::missing_field, "cardinality", "must be given if num_static_categorical_features is not 0.");
  Categories out{c.dimensions("cardinality", {}), {}};
  if (out.counts.size() != count.decide())
    c.refuse(ErrorCode::inconsistent, "cardinality", "must have num_static_categorical_features entries.", Refused::list_length);
  if (is_given(c, "embedding_dimension")) {
    out.widths = c.dimensions("embedding_dimension", {});
    if (out.widths.size() != out.counts.size())
      c.refuse(ErrorCode::inconsistent, "embedding_dimension", "must have num_static_categorical_features entries.", Refused::list_length);
    return out;
  }
  c.consume("embedding_dimension");
  const Expr most = c.literal(50);
  for (const Expr n : out.counts) {
    const Expr half = floor_divide(n + 1, c.literal(2));
    out.widths.push_back(less(most, half) ? most : half);
  }
  return out;
}

/// The width of the input at each step: lagged values and other features.
Expr features(Config c, const Categories& of) {
  const Expr input = c.integer("input_size", 1);
  const std::size_t lags = c.integers("lags_sequence", {1, 2, 3, 4, 5, 6, 7}).size();
  Expr out = input * c.count("num_lags", "N_l", "Earlier values that each step also reads: the entries of lags_sequence.", lags);
  for (const Expr width : of.widths) out = out + width;
  for (const Text name : {"num_dynamic_real_features", "num_time_features", "num_static_real_features"}) out = out + c.integer(name, 0);
  return c.integer("feature_size", attribute.or_else(out + 2 * input));
}

template <SeriesKind kind>
BackboneOutput backbone(Config c, Builder& b) {
  constexpr bool trends = kind == SeriesKind::autoformer;
  const Expr d = c.integer("d_model", 64), ahead = c.integer("prediction_length", required(24));
  const Expr before = c.integer("context_length", trends ? Default(ahead) : unless_zero.or_else(ahead));
  const Categories of = categories(c);
  const Expr width = features(c, of), one = c.literal(1);
  Stack encoder = encoder_fields(c, d, {2, 32, 2}), decoder = decoder_fields(c, d, {2, 32, 2});
  if (trends) encoder.names.last_norm = decoder.names.last_norm = "final_layer_norm.layernorm";
  const bool shortens = kind == SeriesKind::informer && c.flag("distil", true);
  for (std::size_t i = 0; i < of.counts.size(); ++i) embedding(b, concat({"embedder.embedders.", digits(i)}), of.counts[i], of.widths[i]);
  const auto stack = [&](Text name, const Stack& s) {
    b.scope(name, [&] {
      b.part(Part::embedding, [&] { linear(b, "value_embedding.value_projection", width, d); });
      embedding(b, "embed_positions", before + ahead, d, TensorRole::position_embedding);
      record_block(b, {Mechanism::sinusoidal_positions}, "embed_positions");
      stack_layers(b, s);
      norm(b, Norm::layer, "layernorm_embedding", d, TensorRole::embedding_norm);
    });
  };
  stack("encoder", encoder);
  if (shortens && encoder.n_layers.decide() > 1)
    b.repeat("encoder.conv_layers", all(encoder.n_layers - one), [&] {
      b.part(Part::convolution, [&] { conv1d(b, "downConv", d, d, 3); });
      batch_norm(b, "norm", d);
    });
  stack("decoder", decoder);
  if (trends) {
    b.repeat("decoder.layers", all(decoder.n_layers),
             [&] { b.part(Part::convolution, [&] { conv1d(b, "trend_projection", d, width, 3, false); }); });
    b.part(Part::output_head, [&] { linear(b, "decoder.seasonality_projection", d, width, true); });
  }
  return {.hidden = trends ? width : d};
}

/// Records the head, which predicts the parameters of a distribution for each value.
void head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::none) return;
  static constexpr std::string_view kinds[] = {"student_t", "normal", "negative_binomial"};
  const bool three = c.text("distribution_output", "student_t", kinds) == "student_t";
  const Expr input = c.integer("input_size", 1);
  b.part(Part::output_head,
         [&] { b.repeat("parameter_projection.proj", all(c.literal(three ? 3 : 2)), [&] { linear(b, "", m.hidden, input, true); }); });
}

constexpr Architecture plain_classes[] = {{"TimeSeriesTransformerForPrediction", Head::other, "model"},
                                          {"TimeSeriesTransformerModel", Head::none, ""}};
constexpr Architecture informer_classes[] = {{"InformerForPrediction", Head::other, "model"}, {"InformerModel", Head::none, ""}};
constexpr Architecture autoformer_classes[] = {{"AutoformerForPrediction", Head::other, "model"}, {"AutoformerModel", Head::none, ""}};

}  // namespace

extern const Family autoformer{
    .model_type = "autoformer",
    .summary = "Time-series forecasting by decomposition into trend and seasonality, with auto-correlation.",
    .classes = {.listed = autoformer_classes},
    .aliases = bart_aliases,
    .backbone = backbone<SeriesKind::autoformer>,
    .head = head,
};
extern const Family informer{
    .model_type = "informer",
    .summary = "Long time-series forecasting with sparse attention and a distilling encoder.",
    .classes = {.listed = informer_classes},
    .aliases = bart_aliases,
    .backbone = backbone<SeriesKind::informer>,
    .head = head,
};
extern const Family time_series_transformer{
    .model_type = "time_series_transformer",
    .summary = "Probabilistic time-series forecasting: an encoder-decoder.",
    .classes = {.listed = plain_classes},
    .aliases = bart_aliases,
    .backbone = backbone<SeriesKind::plain>,
    .head = head,
};

}  // namespace param_ledger
