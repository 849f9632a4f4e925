#include "core/search.hpp"

#include <algorithm>
#include <array>

#include "core/json_writer.hpp"
#include "core/quantity.hpp"
#include "core/text.hpp"
#include "core/totals.hpp"

namespace param_ledger {

namespace {

/// So many models may be counted that turn out to be none before the search gives up.
constexpr std::uint64_t most_refused = 5000;
constexpr std::size_t most_values = 1'000'000;
constexpr double most_slices = 4096;

[[noreturn]] void refuse(std::string_view field, std::string message, ErrorCode code = ErrorCode::wrong_type) {
  throw Error{code, std::string(field), std::move(message)};
}

std::string text_member(Json object, std::string_view key, std::string_view what) {
  const Json found = object[key];
  if (!found.is(Json::Type::string) || found.string().empty()) refuse(what, concat({what, " must name a field as ", key, "."}));
  return std::string(found.string());
}

std::uint64_t integer_member(Json object, std::string_view key, std::string_view what, std::uint64_t fallback) {
  const Json found = object[key];
  if (!found) return fallback;
  if (!found.is(Json::Type::integer) || found.negative())
    refuse(what, concat({what, ": ", key, " must be a whole number that is not negative."}));
  return found.magnitude();
}

/// A ratio as "8/3", "2.67" or 4.
void read_ratio(Json json, std::string_view what, std::uint64_t& times, std::uint64_t& over) {
  std::string text = json.is(Json::Type::string) ? std::string(json.string()) : json ? dump(json) : "";
  times = 0;
  over = 1;
  std::uint64_t* reading = &times;
  bool point = false, digit = false;
  for (const char c : text) {
    if (is_digit(c) && *reading < 1'000'000'000'000) {
      if (!digit && reading == &over) over = 0;
      *reading = 10 * *reading + static_cast<unsigned>(c - '0');
      if (point) over *= 10;
      digit = true;
    } else if (c == '.' && !point && reading == &times) {
      point = true;
    } else if (c == '/' && digit && reading == &times && !point) {
      reading = &over;
      digit = false;
    } else {
      digit = false;
      break;
    }
  }
  if (!digit || times == 0 || over == 0) refuse(what, concat({what, ": a ratio is written as 4, 2.67 or \"8/3\"."}));
}

}  // namespace

struct Search::Slice {
  std::unique_ptr<Document> document;
  std::unique_ptr<Model> model;
  Tape total{{}};
  std::size_t total_step = 0;
  Tape shape{{}};                                         ///< what must divide, and what limits are about
  std::vector<std::pair<std::size_t, std::size_t>> even;  ///< of shape: must divide
  struct Ratio {
    std::size_t of, over;
    const Limit* limit;
  };
  std::vector<Ratio> ratios;
  int line = -1;  ///< the variable in which the total is linear
};

Search::Search(std::string request) : request_text_(std::move(request)) {
  request_ = std::make_unique<Document>(request_text_);
  const Json root = request_->root();
  config_ = root["config"];
  if (!root["target"].is(Json::Type::string)) refuse("target", "target must be a string, e.g. \"405B\".");
  const Quantity target = read_quantity(root["target"].string(), "target");
  if (target.bytes || target.value == 0 || target.value > Tape::largest / 4)
    refuse("target", "The target must be a number of parameters below 4.6 × 10^18.", ErrorCode::out_of_range);
  target_ = static_cast<std::uint64_t>(target.value);
  if (const Json total = root["total"]; total.is(Json::Type::string)) {
    active_ = total.string() == "active";
    if (!active_ && total.string() != "parameters") refuse("total", "total is \"parameters\" or \"active\".", ErrorCode::out_of_range);
  }
  most_ = static_cast<std::size_t>(std::clamp<std::uint64_t>(integer_member(root, "most", "most", 20), 1, 200));
  read_variables(root["vary"]);
  read_tied(root["tied"]);
  read_limits(root["limits"]);
  for (const Variable& v : variables_) points_ *= static_cast<double>(v.values.size());
  model_ = first_model();
  find_sliced(model_);
  double slices = 1;
  for (const Variable& v : variables_)
    if (v.sliced) slices *= static_cast<double>(v.values.size());
  if (slices > most_slices)
    refuse("vary",
           "The formula is not closed over these fields, so that each of their values is gone through; these are too many: narrow their "
           "ranges.",
           ErrorCode::too_large);
  slice_point_ = Point{};
  done_ = !next_slice();
}

Search::~Search() = default;

void Search::read_variables(Json vary) {
  if (!vary.is(Json::Type::list) || vary.size() == 0) refuse("vary", "vary must list the fields that may vary.", ErrorCode::missing_field);
  if (vary.size() > most_variables) refuse("vary", "At most 10 fields may vary.", ErrorCode::too_large);
  for (const auto& [_, entry] : vary.members()) {
    Variable v{text_member(entry, "field", "vary"), {}};
    for (const Variable& other : variables_)
      if (other.field == v.field) refuse(v.field, concat({v.field, " is listed twice."}), ErrorCode::inconsistent);
    if (const Json values = entry["values"]; values) {
      if (!values.is(Json::Type::list)) refuse(v.field, "values must be a list.");
      for (const auto& [nothing, value] : values.members()) {
        if (!value.is(Json::Type::integer) || value.negative()) refuse(v.field, concat({v.field, ": values must be whole numbers."}));
        v.values.push_back(value.magnitude());
      }
      std::sort(v.values.begin(), v.values.end());
      v.values.erase(std::unique(v.values.begin(), v.values.end()), v.values.end());
    } else {
      const std::uint64_t from = integer_member(entry, "from", v.field, 1), to = integer_member(entry, "to", v.field, from),
                          step = integer_member(entry, "step", v.field, 1);
      if (step == 0 || to < from)
        refuse(v.field, concat({v.field, ": a range goes from the smaller to the larger number, by a step of at least 1."}),
               ErrorCode::out_of_range);
      if ((to - from) / step >= most_values) refuse(v.field, concat({v.field, ": at most a million values."}), ErrorCode::too_large);
      for (std::uint64_t value = from; value <= to; value += step) {
        v.values.push_back(value);
        if (value > to - std::min(to, step)) break;
      }
    }
    if (v.values.empty() || v.values.back() > std::uint64_t{1} << 53U)
      refuse(v.field, concat({v.field, " has no values, or too large ones."}), ErrorCode::out_of_range);
    variables_.push_back(std::move(v));
  }
}

void Search::read_tied(Json tied) {
  if (!tied || tied.is_null()) return;
  if (!tied.is(Json::Type::list)) refuse("tied", "tied must be a list.");
  for (const auto& [_, entry] : tied.members()) {
    Tied t{text_member(entry, "field", "tied"), text_member(entry, "of", "tied"), 1, 1, integer_member(entry, "multiple", "tied", 0)};
    read_ratio(entry["times"], t.field, t.times, t.over);
    const auto is = [&](const auto& known) { return known.field == t.of; };
    if (std::none_of(variables_.begin(), variables_.end(), is) && std::none_of(tied_.begin(), tied_.end(), is))
      refuse(t.of, concat({t.field, " is tied to ", t.of, ", which does not vary."}), ErrorCode::inconsistent);
    const auto twice = [&](const auto& known) { return known.field == t.field; };
    if (std::any_of(variables_.begin(), variables_.end(), twice) || std::any_of(tied_.begin(), tied_.end(), twice))
      refuse(t.field, concat({t.field, " is listed twice."}), ErrorCode::inconsistent);
    tied_.push_back(std::move(t));
  }
}

void Search::read_limits(Json limits) {
  if (!limits || limits.is_null()) return;
  if (!limits.is(Json::Type::list)) refuse("limits", "limits must be a list.");
  limits_.reserve(limits.size());
  for (const auto& [_, entry] : limits.members()) {
    Limit l{text_member(entry, "field", "limits"), text_member(entry, "over", "limits"), 0, 1, Tape::largest, 1};
    if (const Json least = entry["least"]; least && !least.is_null()) read_ratio(least, l.field, l.least_times, l.least_over);
    if (const Json most = entry["most"]; most && !most.is_null()) read_ratio(most, l.field, l.most_times, l.most_over);
    limits_.push_back(std::move(l));
  }
}

std::vector<Edit> Search::edits(const Point& point) const {
  std::vector<Edit> out;
  const auto value_of = [&](std::string_view field) -> std::uint64_t {
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if (variables_[i].field == field) return variables_[i].values[point[i]];
    std::uint64_t value = 0;
    for (const Edit& edit : out)
      if (edit.path == field) {
        value = 0;
        for (const char c : edit.json) value = 10 * value + static_cast<unsigned>(c - '0');
      }
    return value;
  };
  for (std::size_t i = 0; i < variables_.size(); ++i) out.push_back({variables_[i].field, digits(variables_[i].values[point[i]])});
  for (const Tied& t : tied_) {
    const Count product = multiply(value_of(t.of), t.times), unit = multiply(t.over, std::max<std::uint64_t>(t.multiple, 1));
    out.push_back({t.field, digits(multiply((product + unit - 1) / unit, std::max<std::uint64_t>(t.multiple, 1)))});
  }
  return out;
}

bool Search::count(const Point& point, std::uint64_t& total) {
  ++counted_;
  try {
    const Document document(edited(config_, edits(point)));
    const Model model(document.root());
    const Totals totals = totals_of(model.builder.rows());
    total = static_cast<std::uint64_t>(std::min<Count>(active_ ? totals.active : totals.parameter_sum, Tape::largest));
    return true;
  } catch (const Error& e) {
    last_refusal_ = e.message;
    return false;
  }
}

std::unique_ptr<Search::Slice> Search::slice_at(const Point& point) {
  auto out = std::make_unique<Slice>();
  out->document = std::make_unique<Document>(edited(config_, edits(point)));
  out->model = std::make_unique<Model>(out->document->root());
  Pool& pool = out->model->pool;
  std::vector<Tape::Naming> names;
  const auto name = [&](const std::string& field) {
    const Expr found = pool.find(field);
    if (!found) refuse(field, concat({field, " is no number that this model type reads."}), ErrorCode::unsupported);
    return found;
  };
  for (std::size_t i = 0; i < variables_.size(); ++i)
    if (!variables_[i].sliced) names.push_back({name(variables_[i].field), {static_cast<int>(i), {}}});
  std::vector<std::pair<Expr, Expr>> must_divide = pool.demanded_multiples();
  for (const Tied& t : tied_) {
    const Expr of = name(t.of), product = pool.literal(t.times) * of;
    const Expr unit = pool.literal(t.over) * pool.literal(std::max<std::uint64_t>(t.multiple, 1));
    Expr value = unit.is_literal(1) || unit.value() == 1
                     ? product
                     : pool.make(Op::ceil, (product.value() + unit.value() - 1) / unit.value(), product.node(), unit.node());
    if (t.multiple > 1) value = pool.literal(t.multiple) * value;
    if (t.multiple == 0 && t.over > 1) must_divide.emplace_back(product, unit);
    names.push_back({name(t.field), {-1, value}});
  }
  const std::vector<Row>& rows = out->model->builder.rows();
  Expr total = pool.literal(0);
  if (active_) {
    for (const Row& row : rows)
      if (row.kind == Kind::parameter) total = total + row.active;
  } else {
    total = closed_formula(pool, rows, totals_of(rows), Quotients::exact_always);
  }
  out->total = Tape(names);
  out->total_step = out->total.add(total);
  out->shape = Tape(names);
  for (const auto& [dividend, divisor] : must_divide) {
    const std::size_t place = out->shape.add(dividend);
    out->even.emplace_back(place, out->shape.add(divisor));
  }
  for (const Limit& limit : limits_) {
    const std::size_t of = out->shape.add(name(limit.field));
    out->ratios.push_back({of, out->shape.add(name(limit.over)), &limit});
  }
  std::size_t longest = 1;
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (variables_[i].sliced || variables_[i].values.size() <= longest) continue;
    const auto v = static_cast<unsigned>(i);
    const bool divided = std::any_of(out->even.begin(), out->even.end(), [&](const auto& pair) {
      return out->shape.degree(pair.first, v) > 0 || out->shape.degree(pair.second, v) > 0;
    });
    const bool bent = std::any_of(out->ratios.begin(), out->ratios.end(), [&](const Slice::Ratio& r) {
      return out->shape.degree(r.of, v) > 0 && out->shape.degree(r.over, v) > 0;
    });
    if (divided || bent || out->total.degree(out->total_step, v) > 1) continue;
    longest = variables_[i].values.size();
    out->line = static_cast<int>(i);
  }
  return out;
}

Search::Point Search::random_point() {
  Point out{};
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    random_ = random_ * 6364136223846793005U + 1442695040888963407U;
    out[i] = static_cast<std::uint32_t>((random_ >> 33U) % variables_[i].values.size());
  }
  return out;
}

Search::Point Search::first_model() {
  const auto at = [&](double share) {
    Point out{};
    for (std::size_t i = 0; i < variables_.size(); ++i)
      out[i] = static_cast<std::uint32_t>(share * static_cast<double>(variables_[i].values.size() - 1));
    return out;
  };
  std::uint64_t total = 0;
  for (const double share : {0.5, 0.0, 1.0})
    if (const Point point = at(share); count(point, total)) return point;
  constexpr int tries = 300;
  for (int i = 0; i < tries; ++i)
    if (const Point point = random_point(); count(point, total)) return point;
  refuse("vary", concat({"No configuration of this space could be counted. The last one was refused: ", last_refusal_}),
         ErrorCode::inconsistent);
}

void Search::find_sliced(const Point& model) {
  const auto agrees = [&](const Slice& slice, const Point& point) {
    std::uint64_t total = 0;
    std::vector<std::uint64_t> values(variables_.size());
    fill(point, values);
    slice.shape.evaluate(values, low_);
    for (const auto& [dividend, divisor] : slice.even)
      if (low_[divisor] == 0 || low_[dividend] % low_[divisor] != 0) return true;  // none of the space
    if (!count(point, total)) return true;
    slice.total.evaluate(values, low_);
    return low_[slice.total_step] == total;
  };
  std::unique_ptr<Slice> slice = slice_at(model);
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const std::size_t n = variables_[i].values.size();
    Point point = model;
    for (const std::size_t place : {std::size_t{0}, n - 1, n / 2, n / 3, n > 1 ? n / 2 + 1 : 0, n > 1 ? std::size_t{1} : 0}) {
      point[i] = static_cast<std::uint32_t>(std::min(place, n - 1));
      if (agrees(*slice, point)) continue;
      variables_[i].sliced = true;
      break;
    }
  }
  slice = slice_at(model);
  constexpr int tries = 24;
  for (int k = 0; k < tries; ++k) {
    Point point = random_point();
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if (variables_[i].sliced) point[i] = model[i];
    if (!agrees(*slice, point)) {
      for (Variable& v : variables_) v.sliced = true;
      return;
    }
  }
}

void Search::fill(const Point& point, std::vector<std::uint64_t>& values) const {
  for (std::size_t i = 0; i < variables_.size(); ++i) values[i] = variables_[i].values[point[i]];
}

double Search::volume(const Box& box) const {
  double out = 1;
  for (std::size_t i = 0; i < variables_.size(); ++i) out *= static_cast<double>(box.high[i] - box.low[i]) + 1;
  return out;
}

/// The next combination of the sliced fields' values that is a model.
bool Search::next_slice() {
  bool first = slice_ == nullptr && passed_ == 0;
  for (;;) {
    if (!first) {
      std::size_t i = 0;
      for (; i < variables_.size(); ++i) {
        if (!variables_[i].sliced) continue;
        if (++slice_point_[i] < variables_[i].values.size()) break;
        slice_point_[i] = 0;
      }
      if (i == variables_.size()) return false;
    }
    first = false;
    Box box{slice_point_, slice_point_};
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if (!variables_[i].sliced) box.high[i] = static_cast<std::uint32_t>(variables_[i].values.size() - 1);
    // Any model of the slice will do to record its formula.
    constexpr int tries = 30;
    for (int k = 0; k < tries; ++k) {
      Point point = k == 0 ? model_ : random_point();
      for (std::size_t i = 0; i < variables_.size(); ++i) {
        if (variables_[i].sliced) point[i] = slice_point_[i];
      }
      try {
        slice_ = slice_at(point);
      } catch (const Error& e) {
        if (e.code == ErrorCode::unsupported) throw;
        continue;
      }
      boxes_.push_back(box);
      return true;
    }
    passed_ += volume(box);
    unseen_ = true;
  }
}

void Search::run(std::uint64_t evaluations) {
  const std::uint64_t end = evaluations_ + evaluations;
  while (!done_ && evaluations_ < end) {
    if (boxes_.empty()) {
      done_ = !next_slice();
      continue;
    }
    const Box box = boxes_.back();
    boxes_.pop_back();
    take(box);
    if (refused_ + mistaken_ > most_refused) given_up_ = done_ = true;
  }
}

void Search::take(const Box& box) {
  const std::size_t n = variables_.size();
  std::vector<std::uint64_t> least(n), most(n);
  fill(box.low, least);
  fill(box.high, most);
  if (!slice_->ratios.empty()) {
    slice_->shape.bound(least, most, low_, high_);
    for (const Slice::Ratio& r : slice_->ratios) {
      const Limit& l = *r.limit;
      const bool below = static_cast<Count>(high_[r.of]) * l.least_over < static_cast<Count>(low_[r.over]) * l.least_times;
      const bool above =
          l.most_times != Tape::largest && static_cast<Count>(low_[r.of]) * l.most_over > static_cast<Count>(high_[r.over]) * l.most_times;
      if (below || above) {
        passed_ += volume(box);
        return;
      }
    }
  }
  bool single = true;
  std::size_t widest = 0;
  double width = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (box.low[i] == box.high[i] || static_cast<int>(i) == slice_->line) continue;
    single = false;
    const double ratio = (static_cast<double>(most[i]) + 1) / (static_cast<double>(least[i]) + 1);
    if (ratio > width) {
      width = ratio;
      widest = i;
    }
  }
  if (single) {
    take_line(box);
    passed_ += volume(box);
    return;
  }
  slice_->total.bound(least, most, low_, high_);
  evaluations_ += 2;
  const std::uint64_t low = low_[slice_->total_step], high = high_[slice_->total_step];
  if (hopeless(target_ < low ? low - target_ : target_ > high ? target_ - high : 0)) {
    passed_ += volume(box);
    return;
  }
  Box lower = box, upper = box;
  const std::uint32_t middle = box.low[widest] + (box.high[widest] - box.low[widest]) / 2;
  lower.high[widest] = middle;
  upper.low[widest] = middle + 1;
  // The nearer half first, as the last one on the stack: what it holds leaves more of the other aside.
  const bool upper_first = high / 2 + low / 2 < target_;
  boxes_.push_back(upper_first ? lower : upper);
  boxes_.push_back(upper_first ? upper : lower);
}

void Search::take_line(const Box& box) {
  const std::size_t n = variables_.size();
  std::vector<std::uint64_t> values(n);
  const auto fits = [&](const Point& point, const Slice::Ratio& r, bool least) {
    fill(point, values);
    slice_->shape.evaluate(values, low_);
    const Limit& l = *r.limit;
    return least ? static_cast<Count>(low_[r.of]) * l.least_over >= static_cast<Count>(low_[r.over]) * l.least_times
                 : l.most_times == Tape::largest ||
                       static_cast<Count>(low_[r.of]) * l.most_over <= static_cast<Count>(low_[r.over]) * l.most_times;
  };
  Point point = box.low;
  fill(point, values);
  slice_->shape.evaluate(values, low_);
  for (const auto& [dividend, divisor] : slice_->even)
    if (low_[divisor] == 0 || low_[dividend] % low_[divisor] != 0) return;
  const auto total_at = [&](const Point& at) {
    fill(at, values);
    slice_->total.evaluate(values, low_);
    ++evaluations_;
    return low_[slice_->total_step];
  };
  if (slice_->line < 0 || box.low[static_cast<std::size_t>(slice_->line)] == box.high[static_cast<std::size_t>(slice_->line)]) {
    for (const Slice::Ratio& r : slice_->ratios)
      if (!fits(point, r, true) || !fits(point, r, false)) return;
    offer(point, total_at(point));
    return;
  }
  const auto line = static_cast<std::size_t>(slice_->line);
  std::uint32_t first = box.low[line], last = box.high[line];
  // A limit holds from some value on, or up to one.
  for (const Slice::Ratio& r : slice_->ratios)
    for (const bool least : {true, false}) {
      const auto at = [&](std::uint32_t place) {
        point[line] = place;
        return fits(point, r, least);
      };
      const bool low_fits = at(first), high_fits = at(last);
      if (low_fits && high_fits) continue;
      if (!low_fits && !high_fits) return;
      std::uint32_t good = low_fits ? first : last, bad = low_fits ? last : first;
      while (std::max(good, bad) - std::min(good, bad) > 1) {
        const std::uint32_t middle = std::min(good, bad) + (std::max(good, bad) - std::min(good, bad)) / 2;
        (at(middle) ? good : bad) = middle;
      }
      (low_fits ? last : first) = good;
    }
  const std::vector<std::uint64_t>& along = variables_[line].values;
  point[line] = first;
  const std::uint64_t low = total_at(point);
  if (first == last) {
    offer(point, low);
    return;
  }
  point[line] = last;
  const std::uint64_t high = total_at(point);
  if (high == Tape::largest && low == Tape::largest) return;
  if (hopeless(target_ < low ? low - target_ : target_ > high ? target_ - high : 0)) return;
  // Linear: each step of one is worth the same.
  const std::uint64_t span = along[last] - along[first], slope = (high - low) / span;
  const auto value_at = [&](std::uint32_t place) { return low + slope * (along[place] - along[first]); };
  std::uint32_t above = last;  // the first place at or above the target
  if (target_ <= low || slope == 0) {
    above = first;
  } else if (target_ < high) {
    const std::uint64_t wanted = along[first] + (target_ - low + slope - 1) / slope;
    above = static_cast<std::uint32_t>(std::lower_bound(along.data() + first, along.data() + last, wanted) - along.data());
  }
  // Outwards from the target, for as long as it is worth it.
  std::int64_t down = std::int64_t{above} - 1, up = above;
  while (!given_up_) {
    const bool has_down = down >= std::int64_t{first}, has_up = up <= std::int64_t{last};
    if (!has_down && !has_up) return;
    const std::uint64_t off_down = has_down ? distance(value_at(static_cast<std::uint32_t>(down))) : Tape::largest,
                        off_up = has_up ? distance(value_at(static_cast<std::uint32_t>(up))) : Tape::largest;
    const bool take_up = has_up && (!has_down || off_up <= off_down);
    if (hopeless(take_up ? off_up : off_down)) return;
    point[line] = static_cast<std::uint32_t>(take_up ? up++ : down--);
    offer(point, value_at(point[line]));
    if (refused_ + mistaken_ > most_refused) return;
  }
}

void Search::offer(const Point& point, std::uint64_t value) {
  if (value == Tape::largest || hopeless(distance(value))) return;
  std::uint64_t total = 0;
  if (!count(point, total)) {
    ++refused_;
    return;
  }
  if (total != value) {
    ++mistaken_;
    return;
  }
  const Found found{point, value, distance(value)};
  const auto place = std::upper_bound(found_.begin(), found_.end(), found, [](const Found& a, const Found& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.point < b.point;
  });
  found_.insert(place, found);
  if (found_.size() > most_) found_.pop_back();
}

std::string Search::answer() const {
  JsonWriter json;
  json.open_object();
  json.raw_member("ok", "true");
  json.raw_member("done", done_ ? "true" : "false");
  json.member("target", digits(target_));
  // Points beyond 2^64 are told as the power that a double holds, exactly enough for a progress bar.
  json.member("points", digits(static_cast<Count>(std::min(points_, 1e36))));
  json.raw_member("percent", digits(done_ && !given_up_ ? 100U : static_cast<unsigned>(std::min(99.0, 100 * passed_ / points_))));
  json.member("evaluations", digits(evaluations_));
  json.member("counted", digits(counted_));
  json.member("refused", digits(refused_ + mistaken_));
  json.raw_member("exact", mistaken_ == 0 && !given_up_ && !unseen_ ? "true" : "false");
  json.key("through").open_array();
  for (const Variable& v : variables_)
    if (v.sliced) json.string(v.field);
  json.close_array();
  json.key("found").open_array();
  for (const Found& f : found_) {
    json.open_object();
    json.member("total", digits(f.value));
    json.member("difference", concat({f.value < target_ ? "-" : "", digits(f.distance)}));
    json.key("fields").open_object();
    for (const Edit& edit : edits(f.point)) {
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
