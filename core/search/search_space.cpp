#include "core/search/search_space.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::uint64_t most_values = 1'000'000, largest_value = std::uint64_t{1} << 53U;

std::string text_member(Json object, std::string_view key, std::string_view what) {
  const Json found = object[key];
  if (!found.is(Json::Type::string) || found.string().empty()) refuse_search(what, concat({what, " must name a field as ", key, "."}));
  return std::string(found.string());
}

std::uint64_t integer_member(Json object, std::string_view key, std::string_view what, std::uint64_t fallback) {
  const Json found = object[key];
  if (!found) return fallback;
  if (!found.is(Json::Type::integer) || found.negative())
    refuse_search(what, concat({what, ": ", key, " must be a whole number of at least 0."}));
  return found.magnitude();
}

/// Reads a ratio as a fraction: "8/3", "2.67" or 4.
std::pair<std::uint64_t, std::uint64_t> read_ratio(Json json, std::string_view what) {
  const std::string text = json.is(Json::Type::string) ? std::string(json.string()) : json ? dump(json) : "";
  constexpr std::uint64_t most = 1'000'000'000'000;
  std::string_view rest = text;
  const auto number = [&] {
    const std::optional<std::uint64_t> out = parse_integer<std::uint64_t>(rest);
    return out && *out <= most ? out : std::nullopt;
  };
  std::optional<std::uint64_t> above = number(), below = 1;
  if (above && rest.starts_with('/')) {
    rest.remove_prefix(1);
    below = number();
  } else if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    const std::size_t figures = rest.size();
    const std::optional<std::uint64_t> fraction = number();
    for (std::size_t i = rest.size(); i < figures && *below <= most; ++i) *below *= 10;
    const std::uint64_t whole = above.value_or(0);
    above = fraction && *below <= most && whole <= most / *below ? std::optional(whole * *below + *fraction) : std::nullopt;
  }
  if (!rest.empty() || !above || *above == 0 || !below || *below == 0)
    refuse_search(what, concat({what, ": the ratio must be written as 4, 2.67 or \"8/3\"."}));
  return {*above, *below};
}

/// Whether one of the items has this field.
template <class Items>
bool names(const Items& items, std::string_view field) {
  return std::any_of(items.begin(), items.end(), [&](const auto& item) { return item.field == field; });
}

/// The list under a key of the request. A missing value if the key is missing or null.
Json list_member(Json request, std::string_view key) {
  const Json found = request[key];
  if (!found || found.is_null()) return {};
  if (!found.is(Json::Type::list)) refuse_search(key, concat({key, " must be a list."}));
  return found;
}

}  // namespace

void refuse_search(std::string_view field, std::string message, ErrorCode code) {
  throw Error{code, std::string(field), std::move(message)};
}

Values::Values(Json entry, std::string_view field) {
  if (const Json values = entry["values"]; values) {
    if (!values.is(Json::Type::list)) refuse_search(field, "values must be a list.");
    for (const auto& [_, value] : values.members()) {
      if (!value.is(Json::Type::integer) || value.negative()) refuse_search(field, concat({field, ": values must be whole numbers."}));
      list_.push_back(value.magnitude());
    }
    std::sort(list_.begin(), list_.end());
    list_.erase(std::unique(list_.begin(), list_.end()), list_.end());
    size_ = list_.size();
  } else {
    from_ = integer_member(entry, "from", field, 1);
    step_ = integer_member(entry, "step", field, 1);
    const std::uint64_t to = integer_member(entry, "to", field, from_);
    if (step_ == 0 || to < from_)
      refuse_search(field, concat({field, ": the range must go from the smaller to the larger number, with a step of at least 1."}),
                    ErrorCode::out_of_range);
    if ((to - from_) / step_ >= most_values)
      refuse_search(field, concat({field, " may have at most a million values."}), ErrorCode::too_large);
    size_ = static_cast<std::size_t>((to - from_) / step_ + 1);
  }
  if (size_ == 0 || (*this)[size_ - 1] > largest_value)
    refuse_search(field, concat({field, " has no values, or a value that is too large."}), ErrorCode::out_of_range);
}

std::size_t Values::first_from(std::uint64_t value) const {
  if (!list_.empty()) return static_cast<std::size_t>(std::lower_bound(list_.begin(), list_.end(), value) - list_.begin());
  return value <= from_ ? 0 : static_cast<std::size_t>(std::min<std::uint64_t>(size_, (value - from_ - 1) / step_ + 1));
}

Space::Space(Json root, Json request) : config(root) {
  read_variables(request["vary"]);
  read_tied(list_member(request, "tied"));
  read_limits(list_member(request, "limits"));
}

void Space::read_variables(Json vary) {
  if (!vary.is(Json::Type::list) || vary.size() == 0)
    refuse_search("vary", "vary must list the fields that may vary.", ErrorCode::missing_field);
  if (vary.size() > most_variables) refuse_search("vary", "At most 10 fields may vary.", ErrorCode::too_large);
  for (const auto& [_, entry] : vary.members()) {
    std::string field = text_member(entry, "field", "vary");
    if (names(variables, field)) refuse_search(field, concat({field, " is listed twice."}), ErrorCode::inconsistent);
    Values values(entry, field);
    variables.push_back({std::move(field), std::move(values)});
  }
}

void Space::read_tied(Json list) {
  for (const auto& [_, entry] : list.members()) {
    Tied t{text_member(entry, "field", "tied"), text_member(entry, "of", "tied"), {}, {}, integer_member(entry, "multiple", "tied", 0)};
    std::tie(t.times, t.over) = read_ratio(entry["times"], t.field);
    if (!names(variables, t.of) && !names(tied, t.of))
      refuse_search(t.of, concat({t.field, " is tied to ", t.of, ", which does not vary."}), ErrorCode::inconsistent);
    if (names(variables, t.field) || names(tied, t.field))
      refuse_search(t.field, concat({t.field, " is listed twice."}), ErrorCode::inconsistent);
    tied.push_back(std::move(t));
  }
}

void Space::read_limits(Json list) {
  for (const auto& [_, entry] : list.members()) {
    Limit l{text_member(entry, "field", "limits"), text_member(entry, "over", "limits"), 0, 1, no_most, 1};
    if (const Json least = entry["least"]; least && !least.is_null()) std::tie(l.least_times, l.least_over) = read_ratio(least, l.field);
    if (const Json most = entry["most"]; most && !most.is_null()) std::tie(l.most_times, l.most_over) = read_ratio(most, l.field);
    limits.push_back(std::move(l));
  }
}

std::vector<Edit> Space::edits(const Point& point) const {
  std::vector<Edit> out;
  std::vector<Count> values;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    values.emplace_back(variables[i].values[point[i]]);
    out.push_back({variables[i].field, digits(values.back())});
  }
  for (const Tied& t : tied) {
    const auto of = std::find_if(out.begin(), out.end(), [&](const Edit& edit) { return edit.path == t.of; });
    const std::uint64_t multiple = std::max<std::uint64_t>(t.multiple, 1);
    const Count product = multiply(values[static_cast<std::size_t>(of - out.begin())], t.times), unit = multiply(t.over, multiple);
    values.push_back(multiply(product / unit + (product % unit != 0 ? 1 : 0), multiple));
    out.push_back({t.field, digits(values.back())});
  }
  return out;
}

void Space::fill(const Point& point, std::vector<std::uint64_t>& values) const {
  values.resize(variables.size());
  for (std::size_t i = 0; i < variables.size(); ++i) values[i] = variables[i].values[point[i]];
}

}  // namespace param_ledger
