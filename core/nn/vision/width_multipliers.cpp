#include "core/nn/vision/width_multipliers.hpp"

#include <algorithm>
#include <cmath>

#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr double most = 1e15;  // well below 2^53, up to which doubles represent every integer

[[noreturn]] void refuse_factor(Config c, Text field) {
  c.refuse(ErrorCode::out_of_range, field, "must be a number of at least 0, e.g. 4.0.");
}

/// Reads a list and converts its entries, which must have the type `type` or `other`, with `take`.
template <class Value, class Take>
std::vector<Value> entries(Config c, Text name, std::vector<Value> fallback, Json::Type type, Json::Type other, const Take& take) {
  const Json given = c.peek(name);
  if (!given) return fallback;
  c.consume(name);
  if (!given.is(Json::Type::list)) c.refuse(ErrorCode::wrong_type, name, "must be a list.");
  std::vector<Value> out;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (!given[i].is(type) && !given[i].is(other)) c.refuse(ErrorCode::wrong_type, name, "contains an entry of the wrong type.");
    out.push_back(take(given[i]));
  }
  return out;
}

}  // namespace

std::vector<double> numbers(Config c, Text name, std::vector<double> fallback) {
  return entries(c, name, std::move(fallback), Json::Type::number, Json::Type::integer, [](Json j) { return j.number(); });
}

std::vector<bool> switches(Config c, Text name, std::vector<bool> fallback) {
  return entries(c, name, std::move(fallback), Json::Type::boolean, Json::Type::boolean, [](Json j) { return j.boolean(); });
}

Expr multiplied_width(Config c, Text field, double factor, Expr base, const std::string& name, const std::string& symbol) {
  const double product = static_cast<double>(base.decide()) * factor;
  if (!(factor >= 0) || !(product <= most)) refuse_factor(c, field);
  if (factor == std::floor(factor)) return c.literal(static_cast<std::uint64_t>(factor)) * base;
  return c.count(name, symbol, "A width computed from a factor: the product, rounded down.", static_cast<std::uint64_t>(product));
}

double python_round(double x) {
  const double floor = std::floor(x), rest = x - floor;
  if (rest != 0.5) return rest < 0.5 ? floor : floor + 1;
  return std::fmod(floor, 2) == 0 ? floor : floor + 1;
}

namespace {

Count rounded(Config c, double width, const WidthRounding& rule) {
  if (!(width >= 0) || !(width <= most)) refuse_factor(c, rule.factor_field);
  const auto step = static_cast<double>(rule.divisor);
  if (!(step >= 1 && step <= most)) c.refuse(ErrorCode::out_of_range, rule.divisor_field, "must be between 1 and 1,000,000,000,000,000.");
  const Count steps = static_cast<std::uint64_t>(width + step / 2) / rule.divisor;
  const Count out = std::max(rule.least, steps * rule.divisor);
  return static_cast<double>(out) < 0.9 * width ? out + rule.divisor : out;
}

constexpr Text meaning = "A width computed from a factor and rounded to a multiple of a divisor.";

}  // namespace

Expr rounded_width(Config c, const std::string& label, double width, const WidthRounding& rule) {
  return c.count(concat({"rounded_widths[", label, "]"}), concat({"w_", label}), meaning, rounded(c, width, rule));
}

Expr expanded_width(Config c, Expr width, double factor, const WidthRounding& rule) {
  const double product = static_cast<double>(width.decide()) * factor;
  if (!(product >= 0) || !(product <= most)) refuse_factor(c, rule.factor_field);
  const std::string number = digits(width.decide());
  return c.count(concat({"expanded_widths[", number, "]"}), concat({"e_", number}), meaning, rounded(c, python_round(product), rule));
}

}  // namespace param_ledger
