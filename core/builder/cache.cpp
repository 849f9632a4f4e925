#include "core/builder/cache.hpp"

#include <algorithm>
#include <iterator>

#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view sliding_kinds[] = {"sliding_attention", "chunked_attention", "hybrid_sliding"};

/// Which layers have a sliding window according to layer_types.
std::vector<bool> slides_by_list(Json list) {
  std::vector<bool> out;
  for (const auto& [_, kind] : list.members())
    out.push_back(kind.is(Json::Type::string) &&
                  std::find(std::begin(sliding_kinds), std::end(sliding_kinds), kind.string()) != std::end(sliding_kinds));
  return out;
}

std::size_t number_of_layers(Config c) {
  const Expr n = c.pool().find(c.full_name("num_hidden_layers"));
  return n ? static_cast<std::size_t>(n.decide()) : 0;
}

/// Which layers have a sliding window according to the model type's own rule. Used where layer_types does not decide.
std::vector<bool> slides_by_pattern(Config c, const Window& w, Count period) {
  const std::size_t n_layers = number_of_layers(c);
  std::vector<bool> out(n_layers);
  if (const Json ids = w.ids_field.empty() ? Json{} : c.peek(w.ids_field); ids.size() > 0) {
    for (const auto& [_, id] : ids.members())
      if (id.is(Json::Type::integer) && !id.negative() && id.magnitude() < n_layers) out[static_cast<std::size_t>(id.magnitude())] = true;
    return out;
  }
  for (std::size_t i = 0; i < n_layers; ++i) switch (w.layers) {
      case Window::Layers::none: break;
      case Window::Layers::all:
      case Window::Layers::any: out[i] = true; break;
      case Window::Layers::listed: out[i] = w.slides != nullptr && w.slides(c, i, n_layers); break;
      case Window::Layers::every: out[i] = (i + 1) % period != 0; break;
      case Window::Layers::first_of: out[i] = i % period != 0; break;
    }
  return out;
}

}  // namespace

Count peeked(Config c, Text field, Count fallback) {
  const Json given = c.peek(field);
  if (!given) return fallback;
  c.consume(field);
  return given.is(Json::Type::integer) && !given.negative() ? given.magnitude() : 0;
}

bool caches::from_max_window_layers(Config c, std::size_t layer, std::size_t /*n_layers*/) {
  return layer >= peeked(c, "max_window_layers", 28);
}

Windows windows_of(Config c, const Window& w) {
  if (w.layers == Window::Layers::none) return {};
  const Json given = c.peek(w.field), kinds = c.peek("layer_types");
  const bool wanted = !w.switched || is_true(c.peek("use_sliding_window"));
  if (w.switched) c.consume("use_sliding_window");
  Windows out;
  if (kinds.is(Json::Type::list) && w.layers != Window::Layers::all) {
    out.slides = slides_by_list(kinds);
    c.consume("layer_types");
  } else {
    const bool periodic = w.layers == Window::Layers::every || w.layers == Window::Layers::first_of;
    const Count period = !periodic || w.period_field.empty() ? w.period : peeked(c, w.period_field, w.period);
    if (periodic && period == 0) return {.unknown = "The field that says which layers have a sliding window is not a valid number."};
    out.slides = slides_by_pattern(c, w, period);
  }
  if (w.last_keeps && !out.slides.empty()) out.slides.back() = false;
  const bool slides = wanted && std::find(out.slides.begin(), out.slides.end(), true) != out.slides.end();
  if (!slides) return {};
  if (given.is_null() || (!given && w.size == 0)) {
    if (w.layers == Window::Layers::all || w.layers == Window::Layers::any) return {};
    return {.unknown = concat({w.field, " is missing, but some layers have a sliding window."})};
  }
  const Json both = c.peek("use_bidirectional_attention");
  if (is_true(both) || (both.is(Json::Type::string) && both.string() == "all"))
    return {.unknown = "The cache size with bidirectional attention is not known."};
  out.window = c.integer(w.field, w.size);
  if (w.kept != nullptr) out.window = w.kept(c, out.window);
  return out;
}

}  // namespace param_ledger
