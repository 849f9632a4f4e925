#include "core/derivation/derivation.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "core/builder/row_names.hpp"
#include "core/derivation/idle_experts.hpp"
#include "core/derivation/row_groups.hpp"
#include "core/derivation/step_block.hpp"
#include "core/expr/formula.hpp"
#include "core/model/final_norms.hpp"
#include "core/support/error.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::size_t most_steps = 1000;
/// A formula longer than this many bytes is split into several steps, if it can be. core/claims/arithmetic.cpp reads at most 2,000.
constexpr std::size_t longest_line = 1800;
/// The most summands in a line that adds up other steps.
constexpr std::size_t most_summands = 40;

/// Whether blocks with this mechanism get a step of their own, even if other rows belong to the same part.
bool stands_alone(Mechanism mechanism) {
  switch (mechanism) {
    case Mechanism::sparse_indexer:
    case Mechanism::branch_gates:
    case Mechanism::span_convolution:
    case Mechanism::lstm:
    case Mechanism::prediction_projection:
    case Mechanism::hyper_connection:
    case Mechanism::deformable_attention:
    case Mechanism::relative_position_bias:
    case Mechanism::sinusoidal_positions:
    case Mechanism::fixed_values:
    case Mechanism::patch_embedding:
    case Mechanism::patch_merging:
    case Mechanism::stage_shortcut:
    case Mechanism::convolutional_stem:
    case Mechanism::convolutional_positions:
    case Mechanism::pooler:
    case Mechanism::masked_prediction:
    case Mechanism::classifier:
    case Mechanism::quantization_scales:
    case Mechanism::gated_rms_norm:
    case Mechanism::batch_norm:
    case Mechanism::group_norm:
    case Mechanism::cumulative_norm:
    case Mechanism::response_norm:
    case Mechanism::adaptive_norm:
    case Mechanism::residual_weights: return true;
    default: return false;
  }
}

/// The suffix for the names of steps in a tower, an encoder or a decoder, such as "_v" for vision.
std::string_view suffix_of(std::string_view section) {
  constexpr std::pair<std::string_view, std::string_view> suffixes[] = {
      {"vision", "_v"}, {"audio", "_a"}, {"projector", "_p"}, {"encoder", "_e"}, {"decoder", "_d"}};
  for (const auto& [name, suffix] : suffixes)
    if (name == section) return suffix;
  return "";
}

class Deriver {
 public:
  Deriver(Pool& pool, const std::vector<Row>& rows, const RowBlocks& blocks)
      : pool_(pool), rows_(rows), blocks_(blocks), totals_(totals_of(rows)), final_norms_(final_norms(rows)) {}

  using Sections = std::vector<std::pair<std::string_view, std::vector<const Row*>>>;

  Derivation derive() {
    Sections sections;
    for (const Tower tower : {Tower::vision, Tower::audio, Tower::projector, Tower::none}) {
      std::vector<const Row*> rows;
      for (const Row& row : rows_)
        if (row.tower == tower && (row.kind == Kind::parameter || row.kind == Kind::tied)) rows.push_back(&row);
      if (rows.empty()) continue;
      if (tower == Tower::none)
        split_encoder(std::move(rows), sections);
      else
        sections.emplace_back(spelling(tower), std::move(rows));
    }
    std::vector<Expr> all;
    for (const auto& [name, rows] : sections) {
      begin(name);
      std::vector<Expr> summands = section(rows);
      if (sections.size() > 1 && summands.size() > 1) summands = {add_sum({StepKind::section, std::string(name)}, summands)};
      all.insert(all.end(), summands.begin(), summands.end());
    }
    begin("total");
    const Expr total = add_sum({StepKind::total, "parameters"}, all);
    if (total.peek() != totals_.parameter_sum) throw Error{ErrorCode::internal, "", "The steps do not add up to the sum of the tensors."};
    add_active(total);
    add_files(total);
    return std::move(out_);
  }

 private:
  using Lines = std::vector<StepLine>;

  /// Splits the text model into sections: shared rows before the encoder (if there are any), the encoder, and the decoder after it. Keeps a
  /// single section if there is no encoder, or if nothing follows it.
  static void split_encoder(std::vector<const Row*> rows, Sections& out) {
    const bool tokens = std::any_of(
        rows.begin(), rows.end(), [](const Row* row) { return row->role == TensorRole::token_embedding || row->role == TensorRole::head; });
    const auto is_encoder = [](const Row* row) { return row->owner == Owner::encoder; };
    const auto first = std::find_if(rows.begin(), rows.end(), is_encoder);
    const auto last = std::find_if(rows.rbegin(), rows.rend(), is_encoder).base();
    if (first == rows.end() || last == rows.end()) {
      out.emplace_back(tokens || out.empty() ? spelling(Tower::none) : "rest", std::move(rows));
      return;
    }
    if (first != rows.begin()) out.emplace_back("shared", std::vector<const Row*>(rows.begin(), first));
    out.emplace_back("encoder", std::vector<const Row*>(first, last));
    out.emplace_back("decoder", std::vector<const Row*>(last, rows.end()));
  }

  void begin(std::string_view name) {
    out_.sections.push_back({name, {}});
    suffix_ = suffix_of(name);
  }

  /// Adds a step with this formula. Returns its value as a named expression.
  Expr add(Step step, Expr formula) {
    if (++steps_ > most_steps)
      throw Error{ErrorCode::too_large, "",
                  "The layers of this model differ in so many ways that a derivation would have more than 1,000 steps."};
    step.name = out_.text.free_letters(pool_, concat({step.name, step.name == out_.sections.back().name ? "" : suffix_}));
    step.formula = formula;
    if (!step.lines.empty()) {
      const bool predicted = step.block.predicted;
      step.block = describe_block(step.lines, [&](const Row& row) { return block_of(row); });
      step.block.predicted = predicted;
    }
    Name name;
    name.name = name.symbol = step.name;
    name.field = false;
    step.itself = pool_.named(std::move(name), formula.peek());
    static_cast<void>(out_.text.letters(step.itself));
    const Expr itself = step.itself;
    out_.sections.back().steps.push_back(std::move(step));
    return itself;
  }

  /// Adds a step for a sum, with subtotals if it has too many summands for one line.
  Expr add_sum(Step step, std::vector<Expr> summands) {
    while (summands.size() > most_summands) {
      std::vector<Expr> sums;
      for (std::size_t i = 0; i < summands.size(); i += most_summands) {
        Step part = step;
        part.kind = StepKind::subtotal;
        sums.push_back(add(std::move(part), sum_of(std::span(summands).subspan(i, std::min(most_summands, summands.size() - i)))));
      }
      summands = std::move(sums);
    }
    return add(std::move(step), sum_of(summands));
  }

  Expr sum_of(std::span<const Expr> summands) {
    Expr out = pool_.literal(0);
    for (const Expr e : summands) out = out + e;
    return out;
  }

  /// Adds a step whose formula is the sum of the lines' elements, or several steps if the formula would be too long.
  void add_lines(const Step& step, std::span<const StepLine> lines, std::vector<Expr>& out) {
    std::vector<Term> terms;
    terms.reserve(lines.size());
    for (const StepLine& line : lines) terms.push_back({line.elements, {}});
    const Expr formula = collect(pool_, terms);
    if (lines.size() > 1 && out_.text.line(formula).size() > longest_line) {
      add_lines(step, lines.first(lines.size() / 2), out);
      add_lines(step, lines.subspan(lines.size() / 2), out);
      return;
    }
    Step made = step;
    made.lines.assign(lines.begin(), lines.end());
    out.push_back(add(std::move(made), formula));
  }

  struct PartLines {
    std::string_view part;
    bool tied;
    Text reason;  ///< for tensors that only published files contain: why they are stored there
    Owner owner;
    Mechanism alone;  ///< the mechanism of the block, if blocks with this mechanism get a step of their own
    Lines lines;
  };

  [[nodiscard]] const Block* block_of(const Row& row) const { return innermost(blocks_[static_cast<std::size_t>(&row - rows_.data())]); }

  static std::string step_name(const PartLines& p) {
    switch (p.alone) {
      case Mechanism::unspecified: break;
      case Mechanism::relative_position_bias: return "position_bias";
      case Mechanism::quantization_scales: return "scales";
      default: return std::string(spelling(p.alone));
    }
    if (p.owner == Owner::cross) return concat({"cross_", param_ledger::step_name(p.part)});
    return std::string(p.owner == Owner::shared_expert ? "shared_experts" : param_ledger::step_name(p.part));
  }

  /// The part of the model that a row belongs to. Rows of prediction layers do not record a number of experts, so their block tells whether
  /// they are experts.
  static std::string_view part_of(const Row& row, const Block* block) {
    if (block == nullptr) return place_in_model(row);
    if (block->mechanism == Mechanism::quantization_scales) return "scales";
    if (block->mechanism == Mechanism::masked_prediction) return "output_head";
    const bool experts =
        row.kind == Kind::published && row.part == Part::feed_forward && row.owner != Owner::shared_expert && block->experts;
    return experts ? "experts" : place_in_model(row);
  }

  [[nodiscard]] bool is_predicted(const Row& row) const {
    return stands_in(blocks_[static_cast<std::size_t>(&row - rows_.data())], Mechanism::prediction_layer);
  }

  /// Groups the lines that one step takes: those with equal part, owner and reason, and with one mechanism if it `stands_alone`. Tied rows
  /// are apart. The groups are in the order of their first lines, with the head last.
  template <class Members, class Line>
  std::vector<PartLines> by_part(const Members& members, const Line& line_of) {
    std::vector<PartLines> out;
    for (const auto& member : members) {
      const StepLine line = line_of(member);
      const Block* const block = block_of(*line.row);
      const Mechanism mechanism = block == nullptr ? Mechanism::unspecified : block->mechanism;
      const Mechanism alone = stands_alone(mechanism) ? mechanism : Mechanism::unspecified;
      const std::string_view part = part_of(*line.row, block);
      const bool tied = line.row->kind == Kind::tied;
      // A norm counts as one of the layer's norms, even inside another block.
      const Owner owner = line.row->part == Part::norm ? Owner::itself : line.row->owner;
      auto at = std::find_if(out.begin(), out.end(), [&](const PartLines& p) {
        return p.part == part && p.tied == tied && p.owner == owner && p.alone == alone && p.reason.c_str() == line.row->reason.c_str();
      });
      if (at == out.end()) at = out.insert(out.end(), {part, tied, line.row->reason, owner, alone, {}});
      at->lines.push_back(line);
    }
    put_last(out, "output_head");
    return out;
  }

  static void put_last(std::vector<PartLines>& parts, std::string_view last) {
    std::stable_partition(parts.begin(), parts.end(), [&](const PartLines& p) { return p.part != last; });
  }

  std::vector<Expr> section(const std::vector<const Row*>& rows) {
    std::vector<Expr> summands;
    for (const RowGroup& group : grouped(pool_, rows)) {
      if (!group.list.empty()) {
        add_list(group, summands);
        continue;
      }
      for (const PartLines& part : by_part(group.rows, [](const Row* row) { return StepLine{row, row->total}; }))
        add_part({StepKind::part, is_final_norm(part) ? "final_norm" : step_name(part), part.part}, part, summands);
    }
    return summands;
  }

  [[nodiscard]] bool is_final_norm(const PartLines& part) const {
    return std::all_of(part.lines.begin(), part.lines.end(),
                       [&](const StepLine& line) { return final_norms_[static_cast<std::size_t>(line.row - rows_.data())]; });
  }

  void add_part(Step step, const PartLines& part, std::vector<Expr>& summands) {
    if (!part.tied) return add_lines(step, part.lines, summands);
    step.kind = StepKind::tied;
    step.lines = part.lines;
    add(std::move(step), pool_.literal(0));
  }

  void add_list(const RowGroup& group, std::vector<Expr>& summands) {
    struct Known {
      std::vector<const Row*> rows;
      std::vector<Expr> summands;
    };
    std::vector<Known> known;  // kinds of layers may share a part, which gets only one step
    std::vector<Expr> products;
    for (const LayerKind& kind : group.kinds) {
      std::vector<Expr> parts;
      const Step like{StepKind::part, "", "", group.list, spelling(kind.layers), kind.count};
      std::vector<PartLines> of_layer = by_part(kind.members, [](const Member& m) { return StepLine{m.row, in_a_layer(m)}; });
      put_last(of_layer, "norm");
      for (const PartLines& part : of_layer) {
        std::vector<const Row*> rows;
        for (const StepLine& line : part.lines) rows.push_back(line.row);
        auto at = std::find_if(known.begin(), known.end(), [&](const Known& k) { return k.rows == rows; });
        if (at == known.end()) {
          at = known.insert(known.end(), {std::move(rows), {}});
          Step step = like;
          step.name = step_name(part);
          step.part = part.part;
          add_part(std::move(step), part, at->summands);
        }
        parts.insert(parts.end(), at->summands.begin(), at->summands.end());
      }
      if (parts.empty()) continue;  // all tensors of these layers are tied
      Step step = like;
      step.kind = StepKind::layer;
      step.name = "layer";
      const Expr layer = parts.size() == 1 ? parts[0] : add_sum(std::move(step), parts);
      products.push_back(kind.count * layer);
    }
    if (products.empty()) return;
    if (products.size() == 1 && products[0].op() == Op::name) {
      summands.push_back(products[0]);  // a single layer: no factor
      return;
    }
    summands.push_back(add_sum({StepKind::layers, "layers", {}, group.list}, products));
  }

  static Expr in_a_layer(const Member& m) {
    Expr out = m.row->elements;
    for (const Expr e : m.outer) out = out * e;
    for (const Expr e : m.inner) out = out * e;
    return out;
  }

  /// Adds steps for the experts that a token does not use: one step for all rows with the same number of experts and of active experts, or
  /// several if its line would be too long or these numbers cannot be factored out.
  void add_idle(std::vector<Expr>& out) {
    struct Known {
      Expr all, used;
      std::vector<IdleExperts> rows;
      Lines lines;
    };
    std::vector<Known> known;
    for (const Row& row : rows_) {
      if (row.kind != Kind::parameter || row.active.peek() == row.total.peek()) continue;
      IdleExperts idle = idle_experts(pool_, row);
      auto at = std::find_if(known.begin(), known.end(), [&](const Known& k) { return k.all == idle.all && k.used == idle.used; });
      if (at == known.end()) at = known.insert(known.end(), {idle.all, idle.used, {}, {}});
      at->rows.push_back(std::move(idle));
      at->lines.push_back({&row, row.total - row.active});
    }
    for (const Known& k : known) {
      std::vector<Term> terms;
      for (const IdleExperts& row : k.rows) terms.push_back({row.elements, row.repeats});
      const Expr formula = (k.all - k.used) * collect(pool_, terms);
      Count sum = 0;
      for (const StepLine& line : k.lines) sum = param_ledger::add(sum, line.elements.peek());
      Step step{StepKind::idle, "idle"};
      if (formula.peek() != sum || out_.text.line(formula).size() > longest_line) {
        add_lines(step, k.lines, out);
        continue;
      }
      step.lines = k.lines;
      out.push_back(add(std::move(step), formula));
    }
  }

  void add_active(Expr total) {
    if (totals_.active == totals_.parameter_sum) return;
    begin("active");
    std::vector<Expr> idle;
    add_idle(idle);
    Expr active = total;
    for (const Expr e : idle) active = active - e;
    if (add({StepKind::active, "active"}, active).peek() != totals_.active)
      throw Error{ErrorCode::internal, "", "The steps do not add up to the active parameters."};
  }

  void add_files(Expr total) {
    std::vector<const Row*> buffers, beside;
    for (const Row& row : rows_) {
      if (row.kind == Kind::buffer) buffers.push_back(&row);
      if (row.kind == Kind::published) beside.push_back(&row);
    }
    if (buffers.empty() && beside.empty()) return;
    begin("files");
    std::vector<Expr> summands = {total};
    const auto whole = [](const Row* row) { return StepLine{row, row->total}; };
    Lines lines;
    for (const Row* row : buffers) lines.push_back(whole(row));
    if (!lines.empty()) add_lines({StepKind::buffers, "buffers"}, lines, summands);
    for (const PartLines& part : by_part(beside, whole)) {
      const bool predicted = is_predicted(*part.lines.front().row);
      Step step{StepKind::beside, concat({step_name(part), predicted ? "_mtp" : "_files"}), part.part};
      step.block.predicted = predicted;
      add_lines(step, part.lines, summands);
    }
    if (add_sum({StepKind::files, "files"}, summands).peek() !=
        param_ledger::add(param_ledger::add(totals_.parameter_sum, totals_.buffer_sum), totals_.published))
      throw Error{ErrorCode::internal, "", "The steps do not add up to the elements of the files."};
  }

  Pool& pool_;
  const std::vector<Row>& rows_;
  const RowBlocks& blocks_;
  Totals totals_;
  std::vector<bool> final_norms_;  ///< for each row: whether it belongs to a final norm
  Derivation out_;
  std::string_view suffix_;
  std::size_t steps_ = 0;
};

}  // namespace

std::string_view spelling(StepKind kind) {
  static constexpr std::string_view names[] = {"part",  "layer", "layers", "section", "subtotal", "tied",
                                               "total", "idle",  "active", "buffers", "beside",   "files"};
  return names[static_cast<std::size_t>(kind)];
}

std::string_view place_in_model(const Row& row) { return row.experts && row.part == Part::feed_forward ? "experts" : spelling(row.part); }

bool stands_in(const std::vector<const Block*>& blocks, Mechanism mechanism) {
  return std::any_of(blocks.begin(), blocks.end(), [&](const Block* block) { return block->mechanism == mechanism; });
}

Derivation derive(Pool& pool, const std::vector<Row>& rows, const RowBlocks& blocks) { return Deriver(pool, rows, blocks).derive(); }

}  // namespace param_ledger
