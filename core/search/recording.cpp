#include "core/search/recording.hpp"

#include <algorithm>

#include "core/json/json_text.hpp"
#include "core/model/model.hpp"
#include "core/model/totals.hpp"

namespace param_ledger {

namespace {

/// Records the conditions and the total of a model as steps of a tape.
class Recorder final : public DecisionObserver {
 public:
  Recorder(const Space& space, Recording& out) : space_(space), out_(out) {}

  VariableSet on_name(Expr name, std::string_view path) override {
    const std::size_t known = place_of(path);
    if (known == none) return 0;
    seen_ |= 1U << known;
    const Tape::Step step = step_of(known);
    out_.tape.name(name, step);
    return out_.tape.depends(step);
  }

  void on_read(VariableSet fields) override { out_.looked_at = static_cast<VariableSet>(out_.looked_at | fields); }

  void on_read(std::string_view path) override {
    if (const std::size_t known = place_of(path); known != none) on_read(out_.tape.depends(step_of(known)));
  }

  void on_decision(const Decision& d) override {
    const Tape::Step a = out_.tape.add(d.a), b = out_.tape.add(d.b);
    if (a == b && d.relation != Relation::multiple) return;  // the condition always has the same outcome
    const auto same = [&](const Recording::Condition& c) { return c.relation == d.relation && c.a == a && c.b == b; };
    if (std::any_of(out_.conditions.begin(), out_.conditions.end(), same)) return;
    if (!d.met) out_.unmet = out_.conditions.size();
    out_.conditions.push_back({d.relation, a, b, d.holds, d.demanded});
  }

  void on_wished_multiple(Expr dividend, Expr divisor) override { wishes_.emplace_back(dividend, divisor); }

  /// Called when the model is finished. Records its total, the ratios that the space limits, the divisions that must be exact, and the
  /// first field of the space that the model did not read.
  void finish(Model& model, Sought wanted) {
    for (std::size_t i = 0; i < space_.size() + space_.tied.size() && out_.missing.empty(); ++i)
      if ((seen_ >> i & 1U) == 0) out_.missing = i < space_.size() ? space_.variables[i].field : space_.tied[i - space_.size()].field;
    Tape& tape = out_.tape;
    for (const Space::Tied& t : space_.tied)
      if (t.multiple == 0 && t.over > 1) out_.even.push_back({Relation::multiple, product_of(t), tape.literal(t.over), true, true});
    if (!wanted.uneven)
      for (const auto& [dividend, divisor] : wishes_) {
        if ((dividend.node()->varies | divisor.node()->varies) != 0) model.pool.demand_multiple(dividend, divisor);
        out_.wished.push_back({Relation::multiple, tape.add(dividend), tape.add(divisor), true, true});
      }
    for (const Space::Limit& limit : space_.limits) {
      const Tape::Step of = step_of(model, limit.field);
      out_.ratios.push_back({of, step_of(model, limit.over), &limit});
    }
    out_.shape_steps = tape.size();
    const std::vector<Row>& rows = model.builder.rows();
    const Totals totals = totals_of(rows);
    if (wanted.active) require_active(model.configuration, rows);
    out_.total_here = wanted.active ? totals.active : totals.parameter_sum;
    Expr total = model.pool.literal(0);
    if (wanted.active) {
      for (const Row& row : rows)
        if (row.kind == Kind::parameter) total = total + row.active;
    } else {
      total = closed_formula(model.pool, rows, totals, Quotients::exact_always);
    }
    out_.total = tape.add(total);
    out_.counted = true;
  }

 private:
  static constexpr std::size_t none = Recording::none;

  /// The position of a field in the list of all variables, followed by all tied fields. If there is no such field, `none`.
  [[nodiscard]] std::size_t place_of(std::string_view path) const {
    for (std::size_t i = 0; i < space_.size(); ++i)
      if (space_.variables[i].field == path) return i;
    for (std::size_t i = 0; i < space_.tied.size(); ++i)
      if (space_.tied[i].field == path) return space_.size() + i;
    return none;
  }

  Tape::Step product_of(const Space::Tied& t) {
    Tape& tape = out_.tape;
    return tape.operation(Op::product, tape.literal(t.times), step_of(place_of(t.of)));
  }

  Tape::Step step_of(std::size_t place) {
    Tape& tape = out_.tape;
    if (place < space_.size()) return tape.variable(static_cast<unsigned>(place));
    const Space::Tied& t = space_.tied[place - space_.size()];
    const Tape::Step product = product_of(t);
    if (t.over == 1 && t.multiple <= 1) return product;
    const Tape::Step multiple = tape.literal(std::max<std::uint64_t>(t.multiple, 1));
    const Tape::Step unit = tape.operation(Op::product, tape.literal(t.over), multiple);
    return tape.operation(Op::product, tape.operation(Op::ceil, product, unit), multiple);
  }

  /// The step of a number that the model reads: a field of the space, or any other.
  Tape::Step step_of(const Model& model, const std::string& path) {
    if (const std::size_t known = place_of(path); known != none) return step_of(known);
    if (const Expr name = model.pool.find(path)) return out_.tape.add(name);
    for (const Field& field : model.configuration.fields)
      if (field.number && !field.given_as.empty() && model.configuration.full_name(field.section, field.given_as) == path)
        return out_.tape.add(field.number);
    out_.missing = path;
    out_.lacks_limit = true;
    return out_.tape.literal(0);
  }

  const Space& space_;
  Recording& out_;
  std::uint32_t seen_ = 0;
  std::vector<std::pair<Expr, Expr>> wishes_;
};

bool depends(const Tape& tape, Tape::Step step, std::size_t variable) { return (tape.depends(step) >> variable & 1U) != 0; }

/// Whether the difference of two steps is certain to change its sign at most once along a variable: both must be linear in it.
bool turns_once(const Tape& tape, Tape::Step a, Tape::Step b, unsigned variable) {
  return tape.degree(a, variable) <= 1 && tape.degree(b, variable) <= 1;
}

int line_of(const Recording& r, const Space& space) {
  int out = -1;
  std::size_t longest = 1;
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (space.variables[i].values.size() <= longest) continue;
    const auto v = static_cast<unsigned>(i);
    const auto touched = [&](const Recording::Condition& c) { return depends(r.tape, c.a, i) || depends(r.tape, c.b, i); };
    const auto bent = [&](const Recording::Condition& c) {
      return c.demanded && touched(c) && (c.relation != Relation::less || !turns_once(r.tape, c.a, c.b, v));
    };
    const auto curved = [&](const Recording::Ratio& ratio) { return !turns_once(r.tape, ratio.of, ratio.over, v); };
    if (r.tape.degree(r.total, v) > 1 || std::any_of(r.conditions.begin(), r.conditions.end(), bent) ||
        std::any_of(r.even.begin(), r.even.end(), touched) || std::any_of(r.wished.begin(), r.wished.end(), touched) ||
        std::any_of(r.ratios.begin(), r.ratios.end(), curved))
      continue;
    longest = space.variables[i].values.size();
    out = static_cast<int>(i);
  }
  return out;
}

}  // namespace

Recording::Recording(const Space& space, const Space::Point& point, Sought wanted) {
  Recorder recorder(space, *this);
  const auto all = static_cast<VariableSet>((1U << space.size()) - 1);
  const std::optional<Error> refused = attempt([&] {
    const Document document(space.config_of(point));
    Model model(document.root(), recorder);
    recorder.finish(model, wanted);
    line = line_of(*this, space);
  });
  if (refused) {
    if (refused->code == ErrorCode::internal) throw Error(*refused);
    refusal = refused->message;
    if (refused->code == ErrorCode::overflow || refused->code == ErrorCode::too_large) {
      looked_at = all;  // which fields cause the overflow is not known, so it may be any of them
      unmet = none;
    }
  }
}

namespace {

/// Whether a value is known. The largest value stands for all unknown ones.
bool known(Tape::Value value) { return value != Tape::largest; }

Truth truth_of(Relation relation, Tape::Value low_a, Tape::Value high_a, Tape::Value low_b, Tape::Value high_b) {
  const bool single = low_a == high_a && low_b == high_b && known(high_a) && known(high_b);
  switch (relation) {
    case Relation::less:
      if (known(high_a) && high_a < low_b) return Truth::yes;
      return known(high_b) && low_a >= high_b ? Truth::no : Truth::open;
    case Relation::equal:
      if (single && low_a == low_b) return Truth::yes;
      return (known(high_a) && high_a < low_b) || (known(high_b) && high_b < low_a) ? Truth::no : Truth::open;
    case Relation::multiple:
      if (high_b == 0) return Truth::no;
      return !single ? Truth::open : low_a % low_b == 0 ? Truth::yes : Truth::no;
  }
  return Truth::open;
}

}  // namespace

Truth truth_of(const Recording::Condition& c, std::span<const Tape::Value> low, std::span<const Tape::Value> high) {
  const Truth out = truth_of(c.relation, low[c.a], high[c.a], low[c.b], high[c.b]);
  return out == Truth::open || c.holds ? out : out == Truth::yes ? Truth::no : Truth::yes;
}

Truth truth_of(const Recording::Ratio& r, std::span<const Tape::Value> low, std::span<const Tape::Value> high) {
  const Space::Limit& l = *r.limit;
  if (!l.reached(high[r.of], low[r.over]) || l.exceeded(low[r.of], high[r.over])) return Truth::no;
  return l.reached(low[r.of], high[r.over]) && !l.exceeded(high[r.of], low[r.over]) ? Truth::yes : Truth::open;
}

}  // namespace param_ledger
