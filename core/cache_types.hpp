#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/config.hpp"

namespace param_ledger {

// What a type's configuration says of its cache. Windows are a matter of the configuration, not of the layer that is built: transformers'
// cache reads layer_types and sliding_window, whatever the model's code does with them. Types that are not listed have not been compared
// with transformers, and their cache is not known.

/// How a type's layers keep tokens.
enum class CacheLayers : std::uint8_t {
  none,       ///< not at all: it was made to encode
  tokens,     ///< all tokens in all layers
  windowed,   ///< a window in all layers where there is a sliding_window
  every,      ///< by layer_types; where missing a window in all layers but every so many-th
  first_of,   ///< the same, but the first of every so many keeps all
  by_list,    ///< by layer_types; where missing all tokens
  by_switch,  ///< where use_sliding_window says so: by layer_types, where missing a window from max_window_layers on
  special,    ///< by layer_types; where missing as the type's own pattern says
};

struct CacheType {
  Text model_type;
  CacheLayers layers = CacheLayers::tokens;
  std::uint16_t window = 0;  ///< the default of sliding_window; 0: none
  std::uint8_t every = 0;    ///< the default of `every`
  Text every_field = {};     ///< the field that holds another
};

/// None for a type that is not listed.
const CacheType* cache_type(std::string_view model_type);

/// True for a type that keeps what the text model inside it keeps.
bool holds_text_model(std::string_view model_type);
/// True for a type whose other classes have an encoder beside the decoder.
bool has_encoder(std::string_view model_type);
/// Why the operations of a type are not known though its cache is; nothing where they are.
Text uncomputed(std::string_view model_type);

/// What a configuration says of the layers of that type.
struct Windows {
  Expr window = {};  ///< empty: no layer has one
  std::vector<bool> slides = {};
  std::string unknown = {};  ///< why it can't be said; empty: it can
};
Windows windows_of(Config c, const CacheType& type);

}  // namespace param_ledger
