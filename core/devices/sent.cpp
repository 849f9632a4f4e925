#include "core/devices/sent.hpp"

#include <algorithm>

#include "core/builder/row_names.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

namespace {

bool has_name(Expr e, Expr name) {
  if (e.op() == Op::literal) return false;
  if (e.op() == Op::name) return e == name;
  return has_name(e.left(), name) || has_name(e.right(), name);
}
/// The name in `e` with that value, unless `without` has it, too: the experts per token.
Expr name_beyond(Expr e, Expr without, Count value) {
  if (e.op() == Op::literal) return {};
  if (e.op() == Op::name) return e.decide() == value && !has_name(without, e) ? e : Expr{};
  const Expr left = name_beyond(e.left(), without, value);
  return left ? left : name_beyond(e.right(), without, value);
}

class Collector {
 public:
  Collector(Model& model, const Division& division, bool trains, bool sequence)
      : pool_(model.pool),
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
  /// The part's name as in answers; experts are a part of their own.
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

  void put(Text collective, bool backward, const Row& row, Expr elements, Expr times, Count among, std::string why) {
    if (among < 2 || (backward && !trains_)) return;
    const std::string_view place = place_of(row);
    for (Sent& sent : out_)
      if (sent.collective == collective && sent.backward == backward && sent.place == place && sent.elements == elements &&
          sent.among == among && sent.why == why) {
        sent.times = sent.times == times ? pool_.literal(2) * times : sent.times + times;
        return;
      }
    out_.push_back({collective, backward, place, among, elements, times, std::move(why)});
  }

  void embed(const DividedRow& row) {
    const Expr width = row.row->shape[1], times = times_of(*row.row);
    if (row.style == Style::embedding_colwise)
      return put("all_gather", false, *row.row, width, times, sizes_.tensor, "Each device looked up a slice of every vector.");
    if (row.style != Style::embedding_rowwise) return;
    put(sequence_ ? "reduce_scatter" : "all_reduce", false, *row.row, width, times, sizes_.tensor,
        "Each device looked up the tokens that it holds, and zeros for others: the sum is the vector.");
    if (sequence_)
      put("all_gather", true, *row.row, width, times, sizes_.tensor, "The gradient of all tokens, for those that a device holds.");
  }

  /// Logits are computed with the embedding table.
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
        put(sequence_ ? "reduce_scatter" : "all_reduce", false, r, out, times, among,
            sequence_ ? "The devices' products are summed, and each keeps the sum for its tokens (after a row-parallel layer)."
                      : "The devices' products are summed (after a row-parallel layer).");
        if (sequence_) put("all_gather", true, r, out, times, among, "The gradient of all tokens, which each device had split.");
        return;
      case Style::colwise:
      case Style::colwise_repeated:
      case Style::colwise_gather_output: break;
      default: return;
    }
    // Column-parallel. A fused parameter receives its input once.
    if (!row.holder.empty()) {
      const std::string key = concat({row.holder, " ", first_index(r.name)});
      if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) return;
      seen_.push_back(key);
    }
    if (sequence_)
      put("all_gather", false, r, in, times, among, "All tokens' inputs, which were split by tokens (before a column-parallel layer).");
    if (head && engine_ == Engine::megatron && trains_) {
      put("all_reduce", false, r, pool_.literal(1), pool_.literal(3), among,
          "The loss is computed from split logits: their maximum, the label's logit and the sum of exponents are reduced.");
    } else if (row.style == Style::colwise_gather_output || head) {
      put("all_gather", false, r, out, times, among,
          head ? "Each device computed the logits of its tokens of the vocabulary." : "Each device computed some of the output features.");
    }
    put(sequence_ ? "reduce_scatter" : "all_reduce", true, r, in, times, among,
        "The gradient of the input is summed over the devices' output features (before a column-parallel layer).");
    if (sequence_) put("all_gather", true, r, in, times, among, "All tokens' inputs again, for the gradient of the weight.");
  }

  void experts(const DividedRow& row) {
    const Row& r = *row.row;
    if (row.style == Style::replicate) return;
    // [out, in] of each, whichever way they are stored.
    const bool one_by_one = r.shape.size() == 2;
    const Expr width = one_by_one ? r.shape[0] : hidden();
    const Expr times = times_of(r);
    const Count k = r.active.decide() * r.experts.decide() / std::max<Count>(r.total.decide(), 1);
    const Expr named = name_beyond(r.active, r.total, k);
    const Expr chosen = named ? named : pool_.literal(k);
    if (!row.by_expert && engine_ != Engine::megatron)
      return put("all_reduce", false, r, width, times, sizes_.tensor,
                 "Each device has a share of every expert: their products are summed.");
    if (!row.by_expert) {
      put("all_gather", false, r, chosen * width, times, sizes_.tensor,
          "Each device needs all tokens of its shares of experts, a token once for each of its experts.");
      put("reduce_scatter", false, r, chosen * width, times, sizes_.tensor,
          "The products of the shares are summed, for each token where it is.");
      put("all_gather", true, r, chosen * width, times, sizes_.tensor, "The gradients of these sums.");
      put("reduce_scatter", true, r, chosen * width, times, sizes_.tensor, "The gradients of the tokens, summed over the shares.");
      return;
    }
    if (engine_ != Engine::megatron && sizes_.expert == sizes_.tensor && !trains_)
      return put("all_reduce", false, r, width, times, sizes_.expert,
                 "All devices have the same tokens; each computes those of its experts, and the results are summed.");
    const Expr expert = division_.expert();
    const Expr leaving = floor_divide(chosen * width * (expert - pool_.literal(1)), expert);
    const std::string even = " Where tokens go to experts evenly, (E − 1) / E of these leave their device.";
    put("all_to_all", false, r, leaving, pool_.literal(2) * times, sizes_.expert,
        concat({"A token is sent to each of its experts that stands on another device, and the results are sent back.", even}));
    put("all_to_all", true, r, leaving, pool_.literal(2) * times, sizes_.expert, concat({"The same ways for gradients.", even}));
  }

  [[nodiscard]] Expr hidden() const {
    for (const DividedRow& row : division_.rows())
      if (row.row->in_text(Part::embedding) && row.row->shape.size() == 2) return row.row->shape[1];
    return pool_.literal(0);
  }

  void between_stages() {
    if (sizes_.pipeline == 1) return;
    const Expr steps = division_.pipeline() - pool_.literal(1);
    out_.push_back({"send", false, "stages", 2, hidden(), steps, "Each stage sends the hidden state to the next one."});
    if (trains_)
      out_.push_back({"send", true, "stages", 2, hidden(), steps, "Each stage sends the gradient of the hidden state to the one before."});
  }

  static std::string_view first_index(std::string_view name) {
    std::string_view out;
    any_index(name, [&](std::string_view, std::string_view word) {
      out = word;
      return true;
    });
    return out;
  }

  Pool& pool_;
  const Division& division_;
  const Sizes& sizes_;
  Engine engine_;
  bool trains_, sequence_;
  std::vector<Sent> out_;
  std::vector<std::string> seen_;
};

}  // namespace

std::vector<Sent> sent_by(Model& model, const Division& division, bool trains, bool sequence) {
  return Collector(model, division, trains, sequence).collect();
}

}  // namespace param_ledger
