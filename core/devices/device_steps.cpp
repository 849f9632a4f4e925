#include "core/devices/device_steps.hpp"

#include "core/expr/like_terms.hpp"
#include "core/model/totals.hpp"

namespace param_ledger {

namespace {

class StepsWriter {
 public:
  StepsWriter(JsonWriter& json, FormulaJson& formulas, Pool& pool, const Division& division)
      : json_(json), formulas_(formulas), pool_(pool), division_(division) {}

  /// Writes a step for each part of the model that has parameters on the device, and one for their sum. Returns the sum as a named
  /// expression.
  Expr write_parts(const std::vector<LocalRow>& held) {
    Expr sum = pool_.literal(0);
    for (std::size_t part = 0; part < answer_part_count; ++part) {
      std::vector<const LocalRow*> lines;
      std::vector<Term> terms;
      for (const LocalRow& row : held) {
        if (row.row.kind != Kind::parameter || answer_part(row.row) != part) continue;
        lines.push_back(&row);
        terms.push_back({row.row.elements, row.row.repeats});
      }
      if (lines.empty()) continue;
      const std::string_view name = answer_part_name(part);
      sum = sum + write("part", concat({step_name(name), "_device"}), collect(pool_, terms), name, lines);
    }
    return write("device", "device", sum);
  }

  /// Writes the step for an even share of the model. Returns the share as a named expression.
  Expr write_share(Count model) {
    const Sizes& sizes = division_.sizes();
    const Expr across = sizes.expert > sizes.tensor ? division_.expert() : division_.tensor();
    return write("share", "share", floor_divide(named("parameters", model), division_.pipeline() * across));
  }

  /// Writes one step. Returns its value as a named expression. A line is [the row's position, name, shape, the shape's formulas, elements,
  /// their formula].
  Expr write(std::string_view kind, const std::string& name, Expr formula, std::string_view part = {},
             std::span<const LocalRow* const> lines = {}) {
    json_.open_object();
    json_.plain_member("kind", kind);
    json_.plain_member("name", name);
    if (!part.empty()) json_.plain_member("part", part);
    formulas_.member("math", formula);
    json_.digits_member("value", formula.decide());
    json_.key("lines").open_array();
    for (const LocalRow* const line : lines) write_line(*line);
    json_.close_array();
    json_.close_object();
    return named(name, formula.decide());
  }

 private:
  void write_line(const LocalRow& line) {
    json_.open_array();
    json_.raw(digits(division_.index_of(line)));
    json_.string(line.row.name);
    write_shape(json_, line.row.shape);
    json_.open_array();
    for (const Expr e : line.row.shape) formulas_.write(e);
    json_.close_array();
    json_.digits(line.row.total.decide());
    formulas_.write(line.row.total);
    json_.close_array();
  }

  Expr named(const std::string& name, Count value) {
    return pool_.named({.name = name, .symbol = name, .meaning = "A step.", .field = false}, value);
  }

  JsonWriter& json_;
  FormulaJson& formulas_;
  Pool& pool_;
  const Division& division_;
};

}  // namespace

void write_device_steps(JsonWriter& json, FormulaJson& formulas, Pool& pool, const Division& division, const std::vector<LocalRow>& held,
                        Count model) {
  StepsWriter steps(json, formulas, pool, division);
  json.key("steps").open_array();
  const Expr device = steps.write_parts(held), share = steps.write_share(model);
  if (device.decide() >= share.decide()) steps.write("beyond", "beyond", device - share);
  json.close_array();
}

}  // namespace param_ledger
