#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/config/config.hpp"

namespace param_ledger {

// What a type's configuration says of its cache. Windows are a matter of the configuration, not of the layer that is built: transformers'
// cache reads layer_types and sliding_window, whatever the model's code does with them. A type that says nothing has not been compared
// with transformers, and its cache is not known.

/// Which layers of a type keep a window alone.
struct Window {
  enum class Layers : std::uint8_t {
    none,      ///< none, or blocks say it
    all,       ///< all, where there is such a field
    any,       ///< the same; where layer_types is given, those that it lists
    listed,    ///< those that layer_types lists; where missing those that `slides` says
    every,     ///< the same; where missing all but every so many-th
    first_of,  ///< the same; where missing all but the first of every so many
  };
  Layers layers = Layers::none;
  std::uint16_t size = 0;         ///< the default of the field; 0: none
  std::uint8_t period = 0;        ///< the default of `every` and `first_of`
  Text period_field = {};         ///< the field that says another
  Text ids_field = {};            ///< the field that may list the layers with a window, where layer_types is missing
  Text field = "sliding_window";  ///< the field that holds the window
  bool switched = false;          ///< only where use_sliding_window is true
  bool last_keeps = false;        ///< the last layer keeps all tokens, whatever layer_types says
  /// Of `listed`: whether a layer has a window, where layer_types is missing; null: none has.
  bool (*slides)(Config c, std::size_t layer, std::size_t n_layers) = nullptr;
  /// The window as the cache takes it, where that is not what the field says.
  Expr (*kept)(Config c, Expr window) = nullptr;
};

/// What a type keeps of each token while it generates.
struct Cache {
  enum class Keeps : std::uint8_t {
    unknown,  ///< it has not been compared with what transformers keeps
    nothing,  ///< it was made to encode
    tokens,   ///< all tokens but where `window` says otherwise, or what its blocks say
    text,     ///< what the text model inside it keeps, which has a type of its own
  };
  Keeps keeps = Keeps::unknown;
  Window window = {};
  bool decoder_alone = false;  ///< classes that have an encoder beside the decoder have not been compared
  bool encoder = false;        ///< of these, those that generate have
};

/// The ways in which types keep tokens, as families name them.
namespace caches {
constexpr Cache nothing{.keeps = Cache::Keeps::nothing};
constexpr Cache all_tokens{.keeps = Cache::Keeps::tokens};
constexpr Cache decoder_alone{.keeps = Cache::Keeps::tokens, .decoder_alone = true};
constexpr Cache encoder_and_decoder{.keeps = Cache::Keeps::tokens, .encoder = true};
constexpr Cache of_text_model{.keeps = Cache::Keeps::text};
constexpr Cache windows(Window window) { return {.keeps = Cache::Keeps::tokens, .window = window}; }
/// A window in all layers, where there is a sliding_window.
constexpr Cache windowed(std::uint16_t size = 0) { return windows({.layers = Window::Layers::all, .size = size}); }
/// By layer_types; where missing a window in all layers but every so many-th.
constexpr Cache every(std::uint16_t size, std::uint8_t period, Text field = {}) {
  return windows({.layers = Window::Layers::every, .size = size, .period = period, .period_field = field});
}
/// The same, but the first of every so many keeps all.
constexpr Cache first_of(std::uint16_t size, std::uint8_t period) {
  return windows({.layers = Window::Layers::first_of, .size = size, .period = period});
}
/// By layer_types; where missing as `slides` says.
constexpr Cache listed(std::uint16_t size, bool (*slides)(Config, std::size_t, std::size_t) = nullptr) {
  return windows({.layers = Window::Layers::listed, .size = size, .slides = slides});
}

/// Where use_sliding_window says so: by layer_types, where missing a window from max_window_layers on.
bool from_max_window_layers(Config c, std::size_t layer, std::size_t n_layers);
constexpr Cache switched(std::uint16_t size) {
  return windows({.layers = Window::Layers::listed, .size = size, .switched = true, .slides = from_max_window_layers});
}
}  // namespace caches

/// What a configuration says of its layers.
struct Windows {
  Expr window = {};  ///< empty: no layer has one
  std::vector<bool> slides = {};
  std::string unknown = {};  ///< why it can't be said; empty: it can
};
Windows windows_of(Config c, const Window& window);

/// A field that no tensor depends on, as it was given; `fallback` where missing, 0 where it is no whole number.
Count peeked(Config c, Text field, Count fallback);

}  // namespace param_ledger
