#include "core/search/search.hpp"

#include <algorithm>
#include <utility>

#include "core/json/json_writer.hpp"
#include "core/model/model.hpp"
#include "core/model/totals.hpp"
#include "core/support/quantity.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

bool has(VariableSet fields, std::size_t variable) { return (fields >> variable & 1U) != 0; }

}  // namespace

Search::Search(std::string config_text, Json request)
    : config_text_(std::move(config_text)), config_(config_text_), space_(config_.root(), request) {
  // A value of a wrong type is refused regardless of which fields vary. A missing or unsuitable value may become valid when fields vary.
  if (const std::optional<Error> refusal = attempt([&] { const Model as_given(config_.root()); }))
    if (refusal->code == ErrorCode::wrong_type) throw Error(*refusal);
  if (!request["target"].is(Json::Type::string)) refuse_search("target", "target must be a string, e.g. \"405B\".");
  const Quantity target = read_quantity(request["target"].string(), "target");
  if (target.bytes || target.value == 0 || target.value > Tape::largest / 4)
    refuse_search("target", "The target must be a number of parameters below 4.6 × 10^18.", ErrorCode::out_of_range);
  target_ = static_cast<std::uint64_t>(target.value);
  if (const Json total = request["total"]; total.is(Json::Type::string)) {
    wanted_.active = total.string() == "active";
    if (!wanted_.active && total.string() != "parameters")
      refuse_search("total", "total must be \"parameters\" or \"active\".", ErrorCode::out_of_range);
  }
  if (const Json uneven = request["uneven"]; uneven.is(Json::Type::boolean)) wanted_.uneven = uneven.boolean();
  if (const Json most = request["most"]; most) {
    if (!most.is(Json::Type::integer) || most.negative()) refuse_search("most", "most must be a whole number of at least 0.");
    most_ = static_cast<std::size_t>(std::clamp<std::uint64_t>(most.magnitude(), 1, 200));
  }
  Box all;
  for (std::size_t i = 0; i < space_.size(); ++i) all.high[i] = static_cast<std::uint32_t>(space_.variables[i].values.size() - 1);
  if (attempt([&] { points_ = volume(all); }))
    refuse_search("vary", "There are more than 3.4 × 10^38 configurations. Narrow the ranges.", ErrorCode::too_large);
  boxes_.push_back(all);
  // Start the search here, so that an error that concerns the whole space is reported at once.
  while (!done() && !models_ && counted_ < 64) run(1);
}

void Search::run(std::uint64_t evaluations) {
  const std::uint64_t begin = work();
  while (!done() && work() - begin < evaluations) {
    Box box = std::move(boxes_.back());
    boxes_.pop_back();
    take(std::move(box));
  }
}

Count Search::volume(const Box& box) const {
  Count out = 1;
  for (std::size_t i = 0; i < space_.size(); ++i) out = multiply(out, Count{box.high[i]} - box.low[i] + 1);
  return out;
}

Search::Bounds Search::bound(const Box& box) {
  const Recording& r = *box.recording;
  space_.fill(box.low, least_);
  space_.fill(box.high, most_values_);
  r.tape.bound(least_, most_values_, low_, high_, r.tape.size());
  evaluations_ += 2;
  return {low_, high_};
}

std::span<const Tape::Value> Search::evaluate(const Recording& recording, const Point& point) {
  space_.fill(point, least_);
  recording.tape.evaluate(least_, low_, recording.tape.size());
  ++evaluations_;
  return low_;
}

void Search::take(Box box) {
  if (box.recording == nullptr) return record(std::move(box));
  const Recording& r = *box.recording;
  const Bounds bounds = bound(box);
  const bool is_point = box.low == box.high;
  if (!box.settled) {
    const BoxOutcome found = outcome_of(r, bounds);
    switch (found.outcome) {
      case Outcome::same: box.settled = true; break;
      case Outcome::refused: return;
      case Outcome::open:
        if (!is_point) return halve(box, bounds, found.depends_on);
        [[fallthrough]];
      case Outcome::other: box.recording = nullptr; return record(std::move(box));
    }
  }
  if (!r.counted || !may_hold_nearer(r, bounds)) return;
  if (is_point) return offer(box.low, bounds.high[r.total]);
  VariableSet wide = 0;
  for (std::size_t i = 0; i < space_.size(); ++i)
    if (box.low[i] != box.high[i] && static_cast<int>(i) != r.line) wide = static_cast<VariableSet>(wide | 1U << i);
  if (wide != 0) return halve(box, bounds, wide);
  take_line(std::move(box));
}

Search::BoxOutcome Search::outcome_of(const Recording& r, const Bounds& bounds) {
  VariableSet decisions = 0, demands = 0;
  for (const Recording::Condition& c : r.conditions) {
    const Truth truth = truth_of(c, bounds.low, bounds.high);
    if (truth == Truth::yes) continue;
    if (truth == Truth::no && !c.demanded) return {Outcome::other};
    if (truth == Truth::no && decisions == 0) return {Outcome::refused};
    VariableSet& open = c.demanded ? demands : decisions;
    open = static_cast<VariableSet>(open | r.tape.depends(c.a) | r.tape.depends(c.b));
  }
  if (decisions != 0) return {Outcome::open, decisions};
  if (r.counted) return {Outcome::same};
  if (r.unmet == Recording::none) return {Outcome::refused};
  return demands != 0 ? BoxOutcome{Outcome::open, demands} : BoxOutcome{Outcome::other};
}

bool Search::may_hold_nearer(const Recording& r, const Bounds& bounds) {
  const auto fails = [&](const auto& shape) { return truth_of(shape, bounds.low, bounds.high) == Truth::no; };
  const auto is_refused = [&](const Recording::Condition& c) { return c.demanded && fails(c); };
  if (std::any_of(r.conditions.begin(), r.conditions.end(), is_refused)) return false;
  if (std::any_of(r.even.begin(), r.even.end(), fails) || std::any_of(r.ratios.begin(), r.ratios.end(), fails)) return false;
  if (std::any_of(r.wished.begin(), r.wished.end(), fails)) {
    left_aside_ = true;
    return false;
  }
  const std::uint64_t low = bounds.low[r.total], high = bounds.high[r.total];
  return !hopeless(target_ < low ? low - target_ : target_ > high ? target_ - high : 0);
}

void Search::halve(const Box& box, const Bounds& bounds, VariableSet among) {
  std::size_t widest = space_.size();
  double width = 0;
  for (int turn = 0; turn < 2 && widest == space_.size(); ++turn)
    for (std::size_t i = 0; i < space_.size(); ++i) {
      if (box.low[i] == box.high[i] || (turn == 0 && !has(among, i))) continue;
      const Values& values = space_.variables[i].values;
      const double ratio = (static_cast<double>(values[box.high[i]]) + 1) / (static_cast<double>(values[box.low[i]]) + 1);
      if (ratio <= width) continue;
      width = ratio;
      widest = i;
    }
  Box lower = box, upper = box;
  const std::uint32_t middle = box.low[widest] + (box.high[widest] - box.low[widest]) / 2;
  lower.high[widest] = middle;
  upper.low[widest] = middle + 1;
  // The half that is probably nearer to the target is pushed last and therefore searched first. Its results exclude more of the other half.
  const Recording& r = *box.recording;
  const bool upper_first = r.counted && bounds.high[r.total] / 2 + bounds.low[r.total] / 2 < target_;
  push(upper_first ? lower : upper);
  push(upper_first ? upper : lower);
}

void Search::record(Box box) {
  Point point;
  for (std::size_t i = 0; i < point.size(); ++i) point[i] = box.low[i] + (box.high[i] - box.low[i]) / 2;
  const auto recorded = [&] {
    ++counted_;
    auto out = std::make_shared<const Recording>(space_, point, wanted_);
    if (!out->counted) {
      ++refused_;
      refusal_ = out->refusal;
    }
    return out;
  };
  box.recording = recorded();
  // Try only points that meet the known demands: others would add no information.
  constexpr int tries = 8;
  for (int i = 0; i < tries && box.recording->unmet != Recording::none; ++i) {
    const std::optional<Point> other = find_like(box, *box.recording);
    if (!other) break;
    point = *other;
    box.recording = recorded();
  }
  const Recording& r = *box.recording;
  if (!r.missing.empty() && (!models_ || r.lacks_limit))
    refuse_search(r.missing, concat({r.missing, " is not a number that this model type reads."}), ErrorCode::unsupported);
  models_ = models_ || r.counted;
  const bool upper_first = r.total_here < target_;
  for (std::size_t i = 0; i < space_.size(); ++i) {
    if (!has(r.looked_at, i) || box.low[i] == box.high[i]) continue;
    looked_at_ = static_cast<VariableSet>(looked_at_ | 1U << i);
    Box lower = box, upper = box;
    lower.recording = upper.recording = nullptr;
    lower.high[i] = point[i] - 1;
    upper.low[i] = point[i] + 1;
    const bool has_lower = point[i] > box.low[i], has_upper = point[i] < box.high[i];
    if (upper_first && has_lower) push(lower);
    if (has_upper) push(upper);
    if (!upper_first && has_lower) push(lower);
    box.low[i] = box.high[i] = point[i];
  }
  box.settled = box.low == box.high;
  push(std::move(box));
}

std::optional<Search::Point> Search::find_like(const Box& box, const Recording& refused) {
  Point point{};
  constexpr int tries = 500;
  for (int k = 0; k < tries; ++k) {
    for (std::size_t i = 0; i < space_.size(); ++i) {
      random_ = random_ * 6364136223846793005U + 1442695040888963407U;
      point[i] = box.low[i] + static_cast<std::uint32_t>((random_ >> 33U) % (std::uint64_t{box.high[i]} - box.low[i] + 1));
    }
    const std::span<const Tape::Value> values = evaluate(refused, point);
    const auto is_unmet = [&](const Recording::Condition& c) { return c.demanded && truth_of(c, values, values) == Truth::no; };
    if (std::none_of(refused.conditions.begin(), refused.conditions.end(), is_unmet)) return point;
  }
  return std::nullopt;
}

void Search::take_line(Box whole) {
  std::optional<Box> line = narrowed(std::move(whole));
  if (!line) return;
  const Recording& r = *line->recording;
  const std::uint64_t at_low = evaluate(r, line->low)[r.total];
  if (line->low == line->high) return offer(line->low, at_low);
  const std::uint64_t at_high = evaluate(r, line->high)[r.total];
  if (at_low != Tape::largest && at_high != Tape::largest) return go_outwards(*line, at_low, at_high);
  // The total is unknown at one or both ends of the line, so the line is split in two.
  const auto v = static_cast<std::size_t>(r.line);
  Box upper = *line;
  line->high[v] = line->low[v] + (line->high[v] - line->low[v]) / 2;
  upper.low[v] = line->high[v] + 1;
  push(std::move(upper));
  push(*std::move(line));
}

template <class Fits>
bool Search::cut(Box& line, const Fits& fits) {
  const Recording& r = *line.recording;
  const auto v = static_cast<std::size_t>(r.line);
  const auto fits_at = [&](std::uint32_t place) {
    Point point = line.low;
    point[v] = place;
    return fits(evaluate(r, point));
  };
  const bool low_fits = fits_at(line.low[v]), high_fits = fits_at(line.high[v]);
  if (low_fits == high_fits) return low_fits;
  std::uint32_t good = low_fits ? line.low[v] : line.high[v], bad = low_fits ? line.high[v] : line.low[v];
  while (std::max(good, bad) - std::min(good, bad) > 1) {
    const std::uint32_t middle = std::min(good, bad) + (std::max(good, bad) - std::min(good, bad)) / 2;
    (fits_at(middle) ? good : bad) = middle;
  }
  (low_fits ? line.high[v] : line.low[v]) = good;
  return true;
}

std::optional<Search::Box> Search::narrowed(Box line) {
  using Steps = std::span<const Tape::Value>;
  const Recording& r = *line.recording;
  const auto v = static_cast<std::size_t>(r.line);
  for (const Recording::Condition& c : r.conditions) {
    if (!c.demanded || (!has(r.tape.depends(c.a), v) && !has(r.tape.depends(c.b), v))) continue;
    if (!cut(line, [&](Steps values) { return truth_of(c, values, values) != Truth::no; })) return std::nullopt;
  }
  for (const Recording::Ratio& ratio : r.ratios) {
    if (!cut(line, [&](Steps values) { return ratio.limit->reached(values[ratio.of], values[ratio.over]); })) return std::nullopt;
    if (!cut(line, [&](Steps values) { return !ratio.limit->exceeded(values[ratio.of], values[ratio.over]); })) return std::nullopt;
  }
  return line;
}

void Search::go_outwards(const Box& line, std::uint64_t at_low, std::uint64_t at_high) {
  const auto v = static_cast<std::size_t>(line.recording->line);
  const Values& along = space_.variables[v].values;
  const std::uint64_t begin = along[line.low[v]], span = along[line.high[v]] - begin;
  // The total is linear along the line, so it changes by the same amount whenever the field grows by one.
  const bool rises = at_high >= at_low;
  const std::uint64_t slope = (rises ? at_high - at_low : at_low - at_high) / span;
  const auto value_at = [&](std::int64_t place) {
    const std::uint64_t change = slope * (along[static_cast<std::size_t>(place)] - begin);
    return rises ? at_low + change : at_low - change;
  };
  // The first point at or past the target.
  std::int64_t up = line.low[v];
  if (rises ? target_ > at_low : target_ < at_low) {
    const std::uint64_t change = rises ? target_ - at_low : at_low - target_;
    up = slope == 0 || change / slope > span
             ? std::int64_t{line.high[v]} + 1
             : static_cast<std::int64_t>(along.first_from(begin + change / slope + (change % slope != 0 ? 1 : 0)));
    up = std::min<std::int64_t>(up, std::int64_t{line.high[v]} + 1);
  }
  std::int64_t down = up - 1;
  // Search outwards in both directions while results are missing or points are nearer to the target than the last result.
  for (;;) {
    const bool has_down = down >= std::int64_t{line.low[v]}, has_up = up <= std::int64_t{line.high[v]};
    if (!has_down && !has_up) return;
    const Count off_down = has_down ? distance(value_at(down)) : ~Count{0}, off_up = has_up ? distance(value_at(up)) : ~Count{0};
    const bool take_up = has_up && (!has_down || off_up <= off_down);
    if (hopeless(take_up ? off_up : off_down)) return;
    Point point = line.low;
    const std::int64_t place = take_up ? up++ : down--;
    point[v] = static_cast<std::uint32_t>(place);
    offer(point, value_at(place));
  }
}

void Search::offer(const Point& point, std::uint64_t value) {
  if (value != Tape::largest && hopeless(distance(value))) return;
  ++counted_;
  Count total = 0;
  const std::optional<Error> refusal = attempt([&] {
    const Document document(space_.config_of(point));
    const Model model(document.root());
    if (wanted_.active) require_active(model.configuration, model.builder.rows());
    const Totals totals = totals_of(model.builder.rows());
    total = wanted_.active ? totals.active : totals.parameter_sum;
  });
  if (refusal) {
    ++refused_;
    refusal_ = refusal->message;
    return;
  }
  if (value != Tape::largest && total != value) ++mistaken_;
  keep(point, total);
}

void Search::keep(const Point& point, Count total) {
  const Found found{point, total, distance(total)};
  if (hopeless(found.distance)) return;
  const auto place = std::upper_bound(found_.begin(), found_.end(), found, [](const Found& a, const Found& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.point < b.point;
  });
  found_.insert(place, found);
  if (found_.size() > most_) found_.pop_back();
}

std::string Search::answer() const {
  if (done() && !models_)
    refuse_search("vary", concat({"No configuration of this space could be counted. The last one was refused: ", refusal_}),
                  ErrorCode::inconsistent);
  if (done() && found_.empty() && left_aside_)
    refuse_search("uneven",
                  "In every configuration within the limits, the number of key-value heads does not divide the number of heads, or the "
                  "number of heads does not divide the hidden size. Set `uneven` to include such configurations.",
                  ErrorCode::inconsistent);
  Count left = 0;
  for (const Box& box : boxes_) left += volume(box);
  const Count hundredth = points_ / 100, passed = points_ - left;
  const Count percent = hundredth > 0 ? passed / hundredth : passed * 100 / points_;
  JsonWriter json;
  json.open_object();
  json.raw_member("ok", "true");
  json.raw_member("done", done() ? "true" : "false");
  json.member("target", digits(target_));
  json.member("points", digits(points_));
  json.raw_member("percent", digits(done() ? 100 : std::min<Count>(percent, 99)));
  json.member("evaluations", digits(evaluations_));
  json.member("counted", digits(counted_));
  json.member("refused", digits(refused_));
  json.raw_member("exact", done() && mistaken_ == 0 ? "true" : "false");
  json.key("through").open_array();
  for (std::size_t i = 0; i < space_.size(); ++i)
    if (has(looked_at_, i)) json.string(space_.variables[i].field);
  json.close_array();
  json.key("found").open_array();
  for (const Found& f : found_) {
    json.open_object();
    json.member("total", digits(f.value));
    json.member("difference", concat({f.value < target_ ? "-" : "", digits(f.distance)}));
    json.key("fields").open_object();
    for (const Edit& edit : space_.edits(f.point)) {
      json.text_key(edit.path).raw(edit.json);
    }
    json.close_object();
    json.close_object();
  }
  json.close_array();
  json.close_object();
  return json.take();
}

}  // namespace param_ledger
