#include "core/memory/operations.hpp"

#include <algorithm>

#include "core/json/json_writer.hpp"
#include "core/memory/compute.hpp"
#include "core/memory/memory_request.hpp"
#include "core/model/answer.hpp"
#include "core/model/totals.hpp"
#include "core/support/quantity.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view kaplan = "arXiv:2001.08361, section 2.1", palm = "arXiv:2204.02311, appendix B",
                           recomputing = "arXiv:2205.05198, section 5",
                           forward_pass = "the forward pass of transformers, as FlopCounter counts it",
                           maxtext = "github.com/AI-Hypercomputer/maxtext/pull/1988",
                           torchtitan = "github.com/pytorch/torchtitan/pull/4300";

/// Multiply-adds for each pair of a query and a key, summed over all layers.
struct Pairs {
  Count each = 0;        ///< the number A in formulas
  Count windowed = 0;    ///< Σ A·min(T, window), the number W in formulas
  bool windows = false;  ///< whether some window is shorter than the context
};

Pairs pairs_of(const Inference& inference, Count tokens) {
  Pairs out;
  for (const PairRow& row : inference.pairs) {
    if (row.next_only) continue;
    Count width = row.width.peek();
    for (const Expr e : row.repeats) width = multiply(width, e.peek());
    out.each = add(out.each, width);
    const bool window = row.extent.kind == Extent::Kind::window && row.extent.by + 1 < tokens;
    out.windows = out.windows || window;
    out.windowed = add(out.windowed, multiply(width, window ? row.extent.by + 1 : tokens));
  }
  return out;
}

/// The elements of embedding tables that the head shares. Such a table is used both for lookups and in a multiplication.
Count tied_head(const std::vector<Row>& rows) {
  Count out = 0;
  for (const Row& row : rows)
    if (row.kind == Kind::tied && row.in_text(Part::output_head) && row.storage == StorageKind::table) out = add(out, row.total.peek());
  return out;
}

class Counter {
 public:
  Counter(const Model& model, const Inference& inference, Count tokens, Count sequences)
      : tokens_(tokens), sequences_(sequences), pairs_(pairs_of(inference, tokens)), compute_(compute_of(model.builder, inference)) {
    const std::vector<Row>& rows = model.builder.rows();
    const Totals totals = totals_of(rows);
    all_ = totals.active;
    without_tables_ = totals.active - totals.tables;
    multiplied_ = add(without_tables_, tied_head(rows));
  }

  Operations count() {
    out_.unknown = compute_.unknown;
    out_.left_out = compute_.left_out;
    if (compute_.unknown.empty()) {
      passes(false);
      simple(2, false);
      passes(true);
      recomputed();
    } else {
      simple(2, false);
    }
    simple(6, true);
    if (compute_.unknown.empty()) utilization();
    return std::move(out_);
  }

 private:
  static std::string number(Count value) { return grouped_digits(value); }

  void put(OperationsCount c, Count per_token, Count once = 0) {
    c.total = multiply(add(multiply(per_token, tokens_), once), sequences_);
    c.per_token = once == 0 ? per_token : 0;
    out_.counts.push_back(std::move(c));
  }

  /// Adds the counts of a forward pass or, if `training`, of a forward and a backward pass, which together take three times as many
  /// operations.
  void passes(bool training) {
    const Count times = training ? 3 : 1, m = add(compute_.matrices, compute_.states), once = multiply(2 * times, compute_.prompt_once);
    const std::string weights = concat({digits(2 * times), "·M·T"}), extra = once > 0 ? concat({" + ", digits(2 * times), "·E"}) : "";
    const std::string given = concat({digits(2 * times), " × ", number(m), " × ", number(tokens_)});
    const std::string given_extra = once > 0 ? concat({" + ", digits(2 * times), " × ", number(compute_.prompt_once)}) : "";
    const Count full = multiply(pairs_.each, tokens_);
    put({training ? "training_full" : "forward_full", training,
         training ? "Forward and backward pass, attention in full" : "Forward pass as transformers computes it, attention in full",
         concat({weights, " + ", digits(2 * times), "·A·T²", extra}),
         concat({given, " + ", digits(2 * times), " × ", number(pairs_.each), " × ", number(tokens_), "²", given_extra}), forward_pass,
         true},
        multiply(2 * times, add(m, full)), once);
    if (pairs_.each == 0) return;
    put({training ? "training_causal" : "forward_causal", training,
         training ? "Forward and backward pass, half of the attention (causal mask)" : "Forward pass, half of the attention (causal mask)",
         concat({weights, " + ", times == 1 ? "" : concat({digits(times), "·"}), "A·T²", extra}),
         concat({given, " + ", times == 1 ? "" : concat({digits(times), " × "}), number(pairs_.each), " × ", number(tokens_), "²",
                 given_extra}),
         maxtext, true},
        add(multiply(2 * times, m), multiply(times, full)), once);
    if (!pairs_.windows) return;
    put({training ? "training_windowed" : "forward_windowed", training,
         training ? "Forward and backward pass, sliding-window attention within its windows"
                  : "Forward pass, sliding-window attention within its windows",
         concat({weights, " + ", digits(2 * times), "·T·W", extra}),
         concat({given, " + ", digits(2 * times), " × ", number(tokens_), " × ", number(pairs_.windowed), given_extra}), torchtitan, true},
        multiply(2 * times, add(m, pairs_.windowed)), once);
  }

  void recomputed() {
    const Count m = add(compute_.matrices, compute_.states);
    put({"training_recomputed", true, "Forward and backward pass with the forward pass computed again (full recomputation)",
         compute_.prompt_once > 0 ? "8·M·T + 8·A·T² + 8·E" : "8·M·T + 8·A·T²",
         concat({"8 × ", number(m), " × ", number(tokens_), " + 8 × ", number(pairs_.each), " × ", number(tokens_), "²",
                 compute_.prompt_once > 0 ? concat({" + 8 × ", number(compute_.prompt_once)}) : ""}),
         recomputing, true},
        multiply(8, add(m, multiply(pairs_.each, tokens_))), multiply(8, compute_.prompt_once));
  }

  /// Adds the rules of thumb 2·N operations per token (forward) or 6·N (training).
  void simple(Count factor, bool training) {
    const auto one = [&](std::string_view id, std::string_view label, Count n) {
      put({id, training, label, concat({digits(factor), "·N·T"}), concat({digits(factor), " × ", number(n), " × ", number(tokens_)}),
           kaplan, false},
          multiply(factor, n));
    };
    one(training ? "six_n" : "two_n", training ? "6·N of all active parameters" : "2·N of all active parameters", all_);
    if (without_tables_ != all_)
      one(training ? "six_n_non_embedding" : "two_n_non_embedding",
          training ? "6·N of active parameters without embedding tables" : "2·N of active parameters without embedding tables",
          without_tables_);
  }

  /// Adds the number of operations on which PaLM bases model FLOPs utilization and, if there are sliding windows, torchtitan's variant. N
  /// leaves out tables that are only looked up.
  void utilization() {
    const auto one = [&](std::string_view id, std::string_view label, std::string_view formula, Count attention, std::string_view source) {
      put({id, true, label, std::string(formula), concat({"(6 × ", number(multiplied_), " + ", number(attention), ") × ", number(tokens_)}),
           source, true},
          add(multiply(6, multiplied_), attention));
    };
    const Count full = multiply(pairs_.each, tokens_);
    one("palm", "Model FLOPs as PaLM's utilization counts them", "(6·N + 12·L·h·q·T)·T", multiply(6, full), palm);
    if (pairs_.windows)
      one("palm_windowed", "Model FLOPs as PaLM's utilization counts them, sliding-window attention within its windows",
          "(6·N + 12·h·q·Σ min(T, w))·T", multiply(6, pairs_.windowed), torchtitan);
  }

  Count tokens_, sequences_;
  Pairs pairs_;
  Compute compute_;
  Count all_ = 0, without_tables_ = 0, multiplied_ = 0;
  Operations out_;
};

/// Reads a decimal number from the request, in thousandths; 0 if it is missing.
Count thousandths(Json request, std::string_view field, std::string_view what) {
  const Json given = request[field];
  if (!given || given.is_null()) return 0;
  const auto refuse = [&] {
    throw Error{ErrorCode::out_of_range, std::string(field),
                concat({field, " must be ", what, ", above 0 and at most 1,000,000,000,000."})};
  };
  std::string text;
  if (given.is(Json::Type::integer) && !given.negative()) text = digits(given.magnitude());
  if (given.is(Json::Type::string)) text = std::string(given.string());
  if (text.empty() || text.find_first_not_of("0123456789.,_") != std::string::npos) refuse();
  constexpr Count most = 1'000'000'000'000;
  const Quantity q = read_quantity(concat({text, "e3"}), field);
  if (q.value == 0 || q.value > multiply(most, 1000)) refuse();
  return q.value;
}

/// Formats hundredths of a percent: "41.03".
std::string percent_text(Count hundredths) {
  const Count rest = hundredths % 100;
  return concat({digits(hundredths / 100), rest < 10 ? ".0" : ".", digits(rest)});
}

}  // namespace

Operations operations_of(const Model& model, const Inference& inference, Count tokens, Count sequences) {
  require_active(model.configuration, model.builder.rows());
  return Counter(model, inference, tokens, sequences).count();
}

std::string operations_answer(Json root, Json request) {
  const Count tokens = asked(request, "tokens", 4096, 1, most_tokens), batch = asked(request, "batch", 1, 1, Count{1} << 30U);
  Inference inference;
  inference.source = asked(request, "source", tokens, 1, most_tokens);
  const Model model(root, inference, tokens);
  const Operations operations = operations_of(model, inference, tokens, batch);
  const Count rate = thousandths(request, "tokens_per_second", "the tokens of all devices in a second"),
              peak = thousandths(request, "peak", "one device's peak in TFLOP/s"), devices = asked(request, "devices", 1, 1, 1'000'000);
  if ((rate == 0) != (peak == 0))
    throw Error{ErrorCode::missing_field, rate == 0 ? "tokens_per_second" : "peak", "A utilization needs tokens_per_second and peak."};
  JsonWriter json;
  open_answer(json, model.choice);
  json.digits_member("tokens", tokens);
  json.digits_member("batch", batch);
  if (!operations.unknown.empty()) json.member("unknown", operations.unknown);
  json.key("conventions").open_array();
  for (const OperationsCount& c : operations.counts) {
    json.open_object();
    json.plain_member("id", c.id);
    json.plain_member("pass", c.training ? "training" : "forward");
    json.member("label", c.label);
    json.member("formula", c.formula);
    json.member("substitution", batch == 1 ? c.substitution : concat({grouped_digits(batch), " × (", c.substitution, ")"}));
    json.member("source", c.source);
    json.digits_member("total", c.total);
    if (c.per_token > 0) json.digits_member("per_token", c.per_token);
    if (rate > 0 && c.per_token > 0) {
      // The utilization is the operations per second divided by the peak of all devices. The rate and the peak are in thousandths; the peak
      // is also in units of 10¹² operations.
      const Count trillion = 1'000'000'000'000, done = multiply(multiply(c.per_token, rate), 10'000);
      const Count possible = multiply(multiply(peak, trillion), devices);
      json.member("utilization", percent_text(add(done, possible / 2) / possible));
    }
    json.close_object();
  }
  json.close_array();
  json.key("left_out").open_array();
  for (const Text what : operations.left_out) json.string(what);
  json.close_array();
  json.close_object();
  return json.take();
}

}  // namespace param_ledger
