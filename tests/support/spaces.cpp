#include "tests/support/spaces.hpp"

#include <algorithm>
#include <set>
#include <sstream>

namespace param_ledger::test {

namespace {

__extension__ typedef unsigned __int128 Wide;

Wide number(const std::string& text) {
  Wide out = 0;
  for (const char c : text) out = 10 * out + static_cast<unsigned>(c - '0');
  return out;
}

std::string text(Wide value) {
  std::string out;
  do out.insert(out.begin(), static_cast<char>('0' + static_cast<int>(value % 10)));
  while ((value /= 10) > 0);
  return out;
}

/// The value at a dotted path, which is created if missing.
Json& at(Json& config, const std::string& path) {
  Json* out = &config;
  std::istringstream names(path);
  for (std::string name; std::getline(names, name, '.');) {
    if (!out->is_object()) *out = Json::object();
    out = &(*out)[name];
  }
  return *out;
}

/// Parses "8/3" into its two numbers, and "8" into 8 and 1.
std::pair<Wide, Wide> ratio(const Json& json) {
  const auto written = json.get<std::string>();
  const std::size_t slash = written.find('/');
  return {number(written.substr(0, slash)), slash == std::string::npos ? 1 : number(written.substr(slash + 1))};
}

Wide value_of(const std::vector<SmallSpace::Value>& point, const Json& config, const std::string& field) {
  for (const SmallSpace::Value& v : point)
    if (v.field == field) return v.value;
  Json copy = config;
  return at(copy, field).get<std::uint64_t>();
}

/// Adds the tied fields to a point. Returns false if the point is not in the space.
bool completed(std::vector<SmallSpace::Value>& point, const Json& request) {
  const Json& config = request.at("config");
  for (const Json& t : request.value("tied", Json::array())) {
    const auto [times, over] = ratio(t.at("times"));
    const auto multiple = static_cast<Wide>(t.value("multiple", std::uint64_t{0}));
    const Wide product = value_of(point, config, t.at("of").get<std::string>()) * times, unit = over * std::max<Wide>(multiple, 1);
    if (multiple == 0 && product % over != 0) return false;
    point.push_back(
        {t.at("field").get<std::string>(), static_cast<std::uint64_t>((product + unit - 1) / unit * std::max<Wide>(multiple, 1))});
  }
  for (const Json& l : request.value("limits", Json::array())) {
    const Wide of = value_of(point, config, l.at("field").get<std::string>()),
               over = value_of(point, config, l.at("over").get<std::string>());
    if (l.contains("least")) {
      const auto [times, by] = ratio(l.at("least"));
      if (of * by < over * times) return false;
    }
    if (l.contains("most")) {
      const auto [times, by] = ratio(l.at("most"));
      if (of * by > over * times) return false;
    }
  }
  return true;
}

/// The path of a field in the configuration. The configuration may contain the field under another name in the same section.
std::string given_path(const Json& field) {
  const auto name = field.at("name").get<std::string>();
  const std::size_t dot = name.rfind('.');
  return field.contains("given_as") ? name.substr(0, dot == std::string::npos ? 0 : dot + 1) + field.at("given_as").get<std::string>()
                                    : name;
}

Json config_of(const SmallSpace& space, const std::vector<SmallSpace::Value>& point) {
  Json config = space.request.at("config");
  for (const auto& [field, value] : point) at(config, field) = value;
  return config;
}

/// Whether a search skips this configuration by default because its heads do not divide evenly, which the answer's notes mention.
bool is_uneven(const Json& answer) {
  const Json& notes = answer.at("notes");
  return std::any_of(notes.begin(), notes.end(), [](const Json& note) {
    return note.at("message").get<std::string>().find(" is not a multiple of ") != std::string::npos;
  });
}

}  // namespace

SmallSpace small_space(Json request) {
  SmallSpace out{std::move(request), {}};
  const Json& vary = out.request.at("vary");
  std::vector<std::size_t> places(vary.size());
  for (;;) {
    std::vector<SmallSpace::Value> point;
    for (std::size_t i = 0; i < places.size(); ++i)
      point.push_back({vary[i].at("field").get<std::string>(), vary[i].at("values")[places[i]].get<std::uint64_t>()});
    if (completed(point, out.request)) out.points.push_back(std::move(point));
    std::size_t i = 0;
    while (i < places.size() && ++places[i] == vary[i].at("values").size()) places[i++] = 0;
    if (i == places.size()) return out;
  }
}

SmallSpace random_space(const Json& config, std::mt19937_64& random) {
  const auto below = [&](std::uint64_t n) { return n == 0 ? 0 : random() % n; };
  const auto chance = [&](unsigned percent) { return below(100) < percent; };
  struct Known {
    std::string field;
    std::uint64_t value;
  };
  std::vector<Known> fields;
  const Json answer = answer_to(config.dump());
  if (answer.at("ok") != true) return {};
  for (const Json& field : answer.at("fields"))
    if (field.value("type", "integer") == "integer" && field.value("source", "given") != "ignored" && field.contains("value") &&
        field.at("value").is_number_unsigned())
      fields.push_back({given_path(field), field.at("value").get<std::uint64_t>()});
  if (fields.empty()) return {};
  const auto values_around = [&](std::uint64_t value) {
    std::set<std::uint64_t> out;
    const std::uint64_t count = 2 + below(7);
    if (chance(15)) out.insert(below(2));
    if (value <= 12 || chance(15)) {
      const std::uint64_t first = value > 6 ? value - 6 : 0;
      while (out.size() < count) out.insert(first + below(16));
      return out;
    }
    const std::uint64_t steps[] = {1, 2, 3, 8, 64, std::max<std::uint64_t>(1, value / 8), std::max<std::uint64_t>(1, value / 4)};
    const std::uint64_t step = steps[below(7)], before = std::min(value / step, below(count));
    for (std::uint64_t i = 0; i < count; ++i) out.insert(value - before * step + i * step);
    return out;
  };
  const std::size_t varying = 1 + below(4);
  constexpr std::size_t most_points = 400;
  std::size_t points = 1;
  Json vary = Json::array();
  std::vector<Known> varied;
  for (std::size_t i = 0; i < varying && !fields.empty(); ++i) {
    const std::size_t place = below(fields.size());
    const std::set<std::uint64_t> values = values_around(fields[place].value);
    if (points * values.size() > most_points) continue;
    points *= values.size();
    vary.push_back({{"field", fields[place].field}, {"values", values}});
    varied.push_back(fields[place]);
    fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(place));
  }
  Json request = {{"config", config}, {"vary", vary}, {"most", 1 + below(12)}, {"uneven", is_uneven(answer) || chance(60)}};
  if (chance(20)) request["total"] = "active";
  if (chance(30) && !fields.empty()) {
    const std::size_t place = below(fields.size());
    const Known of = varied[below(varied.size())];
    Json tied = {{"field", fields[place].field}, {"of", of.field}, {"times", std::to_string(1 + below(4))}};
    if (fields[place].value < of.value && fields[place].value > 0)
      tied["times"] = std::to_string(1 + below(3)) + "/" + std::to_string(of.value / fields[place].value);
    if (chance(60)) tied["multiple"] = std::uint64_t{1} << below(8);
    request["tied"] = Json::array({tied});
    varied.push_back(fields[place]);
  }
  if (chance(30)) {
    const Known of = varied[below(varied.size())], over = varied[below(varied.size())];
    const std::uint64_t by = std::max<std::uint64_t>(1, over.value);
    Json limit = {{"field", of.field}, {"over", over.field}};
    if (chance(70)) limit["least"] = std::to_string(std::max<std::uint64_t>(1, of.value * (5 + below(6)) / 10)) + "/" + std::to_string(by);
    if (chance(70)) limit["most"] = std::to_string(std::max<std::uint64_t>(1, of.value * (10 + below(6)) / 10)) + "/" + std::to_string(by);
    request["limits"] = Json::array({limit});
  }
  SmallSpace out = small_space(std::move(request));
  // The target is the parameter count of one configuration in the space. If the space is empty or that configuration cannot be counted,
  // it is the count of `config`. In 70 % of the cases it is changed by up to 20 %.
  std::string target = total(answer);
  if (!out.points.empty()) {
    const Json there = parsed(totals(config_of(out, out.points[below(out.points.size())]).dump()));
    if (there.at("ok") == true) target = there.at("totals").at("parameters").get<std::string>();
  }
  Wide wanted = number(target);
  if (chance(70)) wanted = wanted * (800 + below(400)) / 1000 + below(3);
  out.request["target"] = text(std::clamp<Wide>(wanted, 1, Wide{1} << 61U));
  return out;
}

std::vector<Json> known_configs() {
  std::vector<Json> out;
  std::istringstream lines(text_of("oracle.jsonl"));
  for (std::string line; std::getline(lines, line);) {
    Json wanted = Json::parse(line, nullptr, false);  // skips lines with Infinity, which is not JSON
    if (wanted.contains("parameters")) out.push_back(std::move(wanted.at("config")));
  }
  return out;
}

std::vector<std::string> nearest_by_counting(const SmallSpace& space) {
  const Wide target = number(space.request.at("target").get<std::string>());
  const char* const name = space.request.value("total", "parameters") == "active" ? "active" : "parameters";
  const bool even = !space.request.value("uneven", false);
  std::vector<Wide> found;
  for (const auto& point : space.points) {
    const std::string config = config_of(space, point).dump();
    const Json answer = parsed(totals(config));
    if (answer.at("ok") != true || (even && is_uneven(answer_to(config)))) continue;
    const Wide there = number(answer.at("totals").at(name).get<std::string>());
    found.push_back(there < target ? target - there : there - target);
  }
  std::sort(found.begin(), found.end());
  found.resize(std::min<std::size_t>(found.size(), space.request.value("most", std::size_t{20})));
  std::vector<std::string> out;
  for (const Wide distance : found) out.push_back(text(distance));
  return out;
}

std::vector<std::string> nearest(const Json& answer) {
  std::vector<std::string> out;
  for (const Json& found : answer.at("found")) {
    auto difference = found.at("difference").get<std::string>();
    if (difference.front() == '-') difference.erase(0, 1);
    out.push_back(std::move(difference));
  }
  return out;
}

std::string wrong_with(const SmallSpace& space) {
  const std::vector<std::string> wanted = nearest_by_counting(space);
  Json request = space.request;
  request.erase("config");
  const Json answer = parsed(SearchSession().begin(space.request.at("config").dump(), request.dump()));
  if (answer.at("ok") != true) {
    if (wanted.empty()) return {};
    return "refused: " + answer.at("error").dump();
  }
  if (answer.at("done") != true || answer.at("exact") != true) return "neither done nor exact: " + answer.dump();
  if (nearest(answer) == wanted) return {};
  return "found " + Json(nearest(answer)).dump() + ", there are " + Json(wanted).dump();
}

}  // namespace param_ledger::test
