#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/config/config.hpp"

namespace param_ledger {

// How the key-value cache of a model type follows from its configuration. In transformers, the cache classes take the sliding windows from
// layer_types and from sliding_window or attention_chunk_size in the configuration, even if the model's attention does not use them. A type
// without a Cache has not been compared with transformers, so its cache is unknown.

/// Which layers of a model type have a sliding window, and how large it is.
struct Window {
  enum class Layers : std::uint8_t {
    none,      ///< no layer, unless the blocks record a window themselves
    all,       ///< all layers, if `field` or its default gives a window
    any,       ///< if `field` or its default gives a window: the layers that layer_types marks; if it is missing, all layers
    listed,    ///< the layers that layer_types marks; if it is missing, those that `slides` selects
    every,     ///< the layers that layer_types marks; if it is missing, all except every `period`-th
    first_of,  ///< the layers that layer_types marks; if it is missing, all except the first of every `period`
  };
  Layers layers = Layers::none;
  std::uint16_t size = 0;         ///< the default window in tokens if `field` is missing; 0: none
  std::uint8_t period = 0;        ///< the default period of `every` and `first_of`
  Text period_field = {};         ///< the field that gives the period; empty: none
  Text ids_field = {};            ///< the field that may list the layers with a window if layer_types is missing
  Text field = "sliding_window";  ///< the field that gives the window
  bool switched = false;          ///< windows apply only if use_sliding_window is true
  bool last_keeps = false;        ///< the last layer keeps all tokens, even if layer_types says otherwise
  /// For `listed` without layer_types: whether a layer has a window. Null: no layer has one.
  bool (*slides)(Config c, std::size_t layer, std::size_t n_layers) = nullptr;
  /// Computes the window of the cache from the field's value, if they differ.
  Expr (*kept)(Config c, Expr window) = nullptr;
};

/// What a model type caches during generation.
struct Cache {
  enum class Keeps : std::uint8_t {
    unknown,  ///< the cache has not been compared with transformers
    nothing,  ///< nothing: the model is an encoder, or transformers runs it without a cache, like the first GPT
    tokens,   ///< all tokens, except in layers that `window` or a block limits
    text,     ///< the nested text model's cache, as determined by its own model type
  };
  Keeps keeps = Keeps::unknown;
  Window window = {};
  bool decoder_alone = false;  ///< compared with transformers only as a causal language model; the cache of other classes is unknown
  bool encoder = false;        ///< like `decoder_alone`, but conditional generation has been compared as well
};

/// The most common kinds of caches, for use in families.
namespace caches {
constexpr Cache nothing{.keeps = Cache::Keeps::nothing};
constexpr Cache all_tokens{.keeps = Cache::Keeps::tokens};
constexpr Cache decoder_alone{.keeps = Cache::Keeps::tokens, .decoder_alone = true};
constexpr Cache encoder_and_decoder{.keeps = Cache::Keeps::tokens, .encoder = true};
constexpr Cache of_text_model{.keeps = Cache::Keeps::text};
constexpr Cache windows(Window window) { return {.keeps = Cache::Keeps::tokens, .window = window}; }
/// A sliding window in all layers, if sliding_window or its default `size` gives one.
constexpr Cache windowed(std::uint16_t size = 0) { return windows({.layers = Window::Layers::all, .size = size}); }
/// Sliding windows in the layers that layer_types marks; if it is missing, in all layers except every `period`-th.
constexpr Cache every(std::uint16_t size, std::uint8_t period, Text field = {}) {
  return windows({.layers = Window::Layers::every, .size = size, .period = period, .period_field = field});
}
/// Sliding windows in the layers that layer_types marks; if it is missing, in all layers except the first of every `period`.
constexpr Cache first_of(std::uint16_t size, std::uint8_t period) {
  return windows({.layers = Window::Layers::first_of, .size = size, .period = period});
}
/// Sliding windows in the layers that layer_types marks; if it is missing, in those that `slides` selects.
constexpr Cache listed(std::uint16_t size, bool (*slides)(Config, std::size_t, std::size_t) = nullptr) {
  return windows({.layers = Window::Layers::listed, .size = size, .slides = slides});
}

/// Whether a layer has a sliding window: layers from max_window_layers on have one.
bool from_max_window_layers(Config c, std::size_t layer, std::size_t n_layers);
/// Sliding windows only if use_sliding_window is true: in the layers that layer_types marks; if it is missing, from layer max_window_layers
/// on.
constexpr Cache switched(std::uint16_t size) {
  return windows({.layers = Window::Layers::listed, .size = size, .switched = true, .slides = from_max_window_layers});
}
}  // namespace caches

/// The sliding windows of a configuration. `slides`: for each layer, whether it has one; may be empty if `window` is.
struct Windows {
  Expr window = {};  ///< the window in tokens; empty if no layer has a window
  std::vector<bool> slides = {};
  std::string unknown = {};  ///< why the windows are unknown; empty if they are known
};
Windows windows_of(Config c, const Window& window);

/// The value of a field that no tensor depends on; `fallback` if missing, 0 if it is not a non-negative integer.
Count peeked(Config c, Text field, Count fallback);

}  // namespace param_ledger
