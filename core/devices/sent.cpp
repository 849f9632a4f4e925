#include "core/devices/sent.hpp"

#include <algorithm>

#include "core/devices/layer_runs.hpp"
#include "core/expr/like_terms.hpp"
#include "core/expr/walk.hpp"
#include "core/model/totals.hpp"

namespace param_ledger {

namespace {

/// Finds the name for the number of experts per token: it has this value, and occurs in the formula `whole` but not in `without`.
Expr name_beyond(Expr whole, Expr without, Count value) {
  Expr out;
  walk(whole, [&](Expr e) {
    if (e.op() != Op::name || e.decide() != value) return false;
    if (walk(without, [&](Expr other) { return other == e; })) return false;
    out = e;
    return true;
  });
  return out;
}

class Collector {
 public:
  Collector(Model& model, const Division& division, bool trains, bool sequence)
      : model_(model),
        pool_(model.pool),
        division_(division),
        sizes_(division.sizes()),
        engine_(division.engine()),
        trains_(trains),
        sequence_(sequence) {}

  std::vector<Sent> collect() {
    bool routes_all_reduced = false;
    for (const DividedRow& row : division_.rows()) {
      if (row.row->kind == Kind::tied && row.row->in_text(Part::output_head)) head_of_tied(row);
      if (row.row->kind != Kind::parameter || row.row->in_tower()) continue;
      if (row.row->in_text(Part::embedding)) embed(row);
      if (row.row->experts && !row.row->in_text(Part::embedding)) {
        if (is_down(row)) {
          experts(row);
          routes_all_reduced = true;
        }
        continue;
      }
      if (row.row->shape.size() != 2 || row.row->in_text(Part::embedding)) continue;
      linear(row);
    }
    // vLLM adds the outputs of shared and routed experts before it reduces them.
    if (engine_ == Engine::vllm && routes_all_reduced)
      out_.erase(std::remove_if(out_.begin(), out_.end(), [](const Sent& s) { return s.place == "shared_experts"; }), out_.end());
    between_stages();
    return std::move(out_);
  }

 private:
  /// The part's name as in answers, except that routed and shared experts are parts of their own.
  static std::string_view place_of(const Row& row) {
    if (row.experts) return "experts";
    return holds(row.name, "shared_expert") ? "shared_experts" : answer_part_name(answer_part(row));
  }

  static bool is_down(const DividedRow& row) { return row.row->role == TensorRole::down; }

  [[nodiscard]] Expr times_of(const Row& row) const {
    Expr out = pool_.literal(1);
    const std::size_t n = row.repeats.size() - (row.experts && row.shape.size() == 2 ? 1 : 0);
    for (std::size_t i = 0; i < n; ++i) out = out * row.repeats[i];
    return out;
  }

  void put(Text collective, Pass pass, const Row& row, Expr elements, Expr times, Count among, std::string why) {
    if (among < 2 || (pass == Pass::backward && !trains_)) return;
    const std::string_view place = place_of(row);
    for (Sent& sent : out_)
      if (sent.collective == collective && sent.pass == pass && sent.place == place && sent.elements == elements && sent.among == among &&
          sent.why == why) {
        sent.times = sent.times == times ? pool_.literal(2) * times : sent.times + times;
        return;
      }
    out_.push_back({collective, pass, place, among, elements, times, std::move(why)});
  }

  void embed(const DividedRow& row) {
    const Expr width = row.row->shape[1], times = times_of(*row.row);
    if (row.style == Style::embedding_colwise)
      return put("all_gather", Pass::forward, *row.row, width, times, sizes_.tensor,
                 "Each device looks up a slice of every vector, and the slices are gathered.");
    if (row.style != Style::embedding_rowwise) return;
    put(sequence_ ? "reduce_scatter" : "all_reduce", Pass::forward, *row.row, width, times, sizes_.tensor,
        "Each device looks up the tokens that it holds and gives zeros for the others. The sum is the embedding.");
    if (sequence_)
      put("all_gather", Pass::backward, *row.row, width, times, sizes_.tensor,
          "Each device needs the gradients of all tokens for the rows that it holds.");
  }

  /// Records what devices exchange for a head that computes logits with the embedding table.
  void head_of_tied(const DividedRow& row) {
    if (row.row->shape.size() == 2) linear(row);
  }

  void linear(const DividedRow& row) {
    if (row.style == Style::replicate) return;
    const Row& r = *row.row;
    const Expr out = row.padded ? row.padded : r.shape[0], in = r.shape[1], times = times_of(r);
    const bool head = r.in_text(Part::output_head);
    const Count among = sizes_.tensor;
    switch (row.style) {
      case Style::rowwise:
      case Style::rowwise_split_input:
        put(sequence_ ? "reduce_scatter" : "all_reduce", Pass::forward, r, out, times, among,
            sequence_ ? "The devices' products are summed, and each keeps the sum for its tokens (after a row-parallel layer)."
                      : "The devices' products are summed (after a row-parallel layer).");
        if (sequence_)
          put("all_gather", Pass::backward, r, out, times, among,
              "Gradients are split by tokens: each device gathers those of all tokens.");
        return;
      case Style::colwise:
      case Style::colwise_repeated:
      case Style::colwise_gather_output: break;
      default: return;
    }
    // The layer is column-parallel. The parts of a fused parameter receive their input together, so it is sent once.
    if (!row.holder.empty()) {
      const std::string key = concat({row.holder, " ", first_index(r.name)});
      if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) return;
      seen_.push_back(key);
    }
    if (sequence_)
      put("all_gather", Pass::forward, r, in, times, among,
          "Inputs are split by tokens: each device gathers those of all tokens (before a column-parallel layer).");
    if (head && engine_ == Engine::megatron && trains_) {
      put("all_reduce", Pass::forward, r, pool_.literal(1), pool_.literal(3), among,
          "The loss is computed from logits that are split by vocabulary: their maximum, the label's logit and the sum of exponentials are "
          "all-reduced.");
    } else if (row.style == Style::colwise_gather_output || head) {
      put("all_gather", Pass::forward, r, out, times, among,
          head ? "Each device computes the logits of its part of the vocabulary." : "Each device computes some of the output features.");
    }
    put(sequence_ ? "reduce_scatter" : "all_reduce", Pass::backward, r, in, times, among,
        "The gradient of the input is summed over the devices' output features (before a column-parallel layer).");
    if (!sequence_) return;
    put("all_gather", Pass::backward, r, in, times, among, "The inputs of all tokens are gathered again, for the gradient of the weight.");
    if (r.role == TensorRole::query_up || r.role == TensorRole::key_value_up)
      put("all_gather", Pass::backward, r, in, times, among, "The latent was split by tokens, so its gradients are gathered.");
  }

  void experts(const DividedRow& row) {
    const Row& r = *row.row;
    if (row.style == Style::replicate) return;
    // The output width of an expert. Stacked experts may be stored as [out, in] or [in, out], so their output width is taken to be the
    // hidden size.
    const bool one_by_one = r.shape.size() == 2;
    const Expr width = one_by_one ? r.shape[0] : hidden();
    const Expr times = times_of(r);
    if (!row.by_expert && engine_ != Engine::megatron)
      return put("all_reduce", Pass::forward, r, width, times, sizes_.tensor,
                 "Each device has a share of every expert: the products are summed.");
    require_active(model_.configuration, model_.builder.rows());
    const Count k = r.active.decide() * r.experts.decide() / std::max<Count>(r.total.decide(), 1);
    const Expr named = name_beyond(r.active, r.total, k);
    const Expr chosen = named ? named : pool_.literal(k);
    if (!row.by_expert) {
      put("all_gather", Pass::forward, r, chosen * width, times, sizes_.tensor,
          "Each device has a share of every expert, so it needs all tokens, each once for every expert that the token uses.");
      put("reduce_scatter", Pass::forward, r, chosen * width, times, sizes_.tensor,
          "The products of the shares are summed, and each device keeps the sums for its tokens.");
      put("all_gather", Pass::backward, r, chosen * width, times, sizes_.tensor, "The gradients of these sums are gathered.");
      put("reduce_scatter", Pass::backward, r, chosen * width, times, sizes_.tensor, "The tokens' gradients are summed over the shares.");
      return;
    }
    if (engine_ != Engine::megatron && sizes_.expert == sizes_.tensor && !trains_)
      return put("all_reduce", Pass::forward, r, width, times, sizes_.expert,
                 "All devices have the same tokens. Each computes its own experts, and the results are summed.");
    const Expr expert = division_.expert();
    const Expr leaving = floor_divide(chosen * width * (expert - pool_.literal(1)), expert);
    const std::string even = " If tokens use all experts equally often, (E_p − 1) / E_p of these are on another device.";
    put("all_to_all", Pass::forward, r, leaving, pool_.literal(2) * times, sizes_.expert,
        concat({"A token is sent to each of its experts on another device, and the results are sent back.", even}));
    put("all_to_all", Pass::backward, r, leaving, pool_.literal(2) * times, sizes_.expert,
        concat({"The gradients are sent the same way.", even}));
  }

  [[nodiscard]] Expr hidden() const {
    for (const DividedRow& row : division_.rows())
      if (row.row->in_text(Part::embedding) && row.row->shape.size() == 2) return row.row->shape[1];
    return pool_.literal(0);
  }

  void between_stages() {
    if (sizes_.pipeline == 1) return;
    const Expr steps = division_.pipeline() - pool_.literal(1);
    out_.push_back({"send", Pass::forward, "stages", 2, hidden(), steps, "Each stage sends the hidden state to the next one."});
    if (trains_)
      out_.push_back({"send", Pass::backward, "stages", 2, hidden(), steps,
                      "Each stage sends the gradient of the hidden state to the previous stage."});
  }

  const Model& model_;
  Pool& pool_;
  const Division& division_;
  const Sizes& sizes_;
  Engine engine_;
  bool trains_, sequence_;
  std::vector<Sent> out_;
  std::vector<std::string> seen_;
};

/// Adds an exchange of the rows for which `belongs` is true, if there are any and more than one device takes part.
template <class Belongs>
void add_step(std::vector<Sent>& to, Pool& pool, Text collective, std::string_view place, Count among, const std::vector<LocalRow>& held,
              std::string_view why, const Belongs& belongs, Count times = 1) {
  std::vector<Term> terms;
  for (const LocalRow& local : held)
    if (local.row.kind == Kind::parameter && belongs(*local.of)) terms.push_back({local.row.elements, local.row.repeats});
  if (among > 1 && !terms.empty())
    to.push_back({collective, Pass::step, place, among, collect(pool, terms), pool.literal(times), std::string(why)});
}

bool is_head_norm(const DividedRow& row) { return row.row->role == TensorRole::query_norm || row.row->role == TensorRole::key_norm; }

}  // namespace

std::string_view spelling(Pass pass) {
  static constexpr std::string_view names[] = {"forward", "backward", "step"};
  return names[static_cast<std::size_t>(pass)];
}

std::vector<Sent> sent_in_step(Pool& pool, const DevicesRequest& request, bool sequence, const std::vector<LocalRow>& held) {
  std::vector<Sent> out;
  const auto among_copies = [&](std::string_view place, Count among, const auto& belongs) {
    if (request.zero == 0) return add_step(out, pool, "all_reduce", place, among, held, "The gradients of the copies are summed.", belongs);
    add_step(out, pool, "reduce_scatter", place, among, held,
             "The gradients of the copies are summed, and each device keeps the sums for the parameters that it updates.", belongs);
    if (request.zero < 3)
      add_step(out, pool, "all_gather", place, among, held,
               "Each device has updated its share of the parameters, and gathers the shares of the others.", belongs);
    else
      add_step(out, pool, "all_gather", place, among, held, "Parameters are gathered layer by layer, once forward and once backward.",
               belongs, 2);
  };
  among_copies("dense", request.dense_copies(), [](const DividedRow& row) { return !row.is_whole_experts(); });
  among_copies("experts", request.expert_copies(), [](const DividedRow& row) { return row.is_whole_experts(); });
  if (request.engine != Engine::megatron) return out;
  // Source in Megatron-Core: distributed/finalize_model_grads.py.
  const bool head_norms = std::any_of(held.begin(), held.end(), [](const LocalRow& local) { return is_head_norm(*local.of); });
  add_step(out, pool, "all_reduce", "replicated", request.sizes.tensor, held,
           !sequence ? "All heads share these norms, but each device has gradients of its own heads only. The gradients are summed."
           : head_norms
               ? "Each device holds these parameters whole, but has gradients of its own tokens only, or, for query and key norms, of its "
                 "own heads only. The gradients are summed."
               : "Each device holds these parameters whole, but has gradients of its own tokens only. The gradients are summed.",
           [&](const DividedRow& row) { return row.style == Style::replicate && (sequence || is_head_norm(row)); });
  add_step(out, pool, "all_reduce", "ends", 2, held, "The first and the last stage hold the embedding table: its gradients are summed.",
           [](const DividedRow& row) { return row.place == Place::ends; });
  return out;
}

std::vector<Sent> sent_by(Model& model, const Division& division, bool trains, bool sequence) {
  return Collector(model, division, trains, sequence).collect();
}

}  // namespace param_ledger
