#pragma once

#include "core/builder/builder.hpp"
#include "core/builder/family.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

// What files of Meta's own format, params.json, say alike. Source: ModelArgs, Transformer and FeedForward.__init__ as published with
// Llama 1 to 4.

/// By these a params.json is known, whoever's it is.
inline constexpr Text params_json_keys[] = {"dim", "n_layers"};

/// The sizes of the text model.
struct MetaSizes {
  Expr d, n_layers, n, n_kv, h;
};
/// Reads dim, n_layers, n_heads and n_kv_heads; where they are missing Llama 1 7B's, if `defaults`. Each head has its share of dim.
MetaSizes meta_sizes(Config c, bool defaults);

/// Reads vocab_size; where it is -1 or missing, as it is left to the tokenizer, it is `assumed`, and a warning says so.
Expr meta_vocabulary(Config c, Builder& b, std::uint64_t assumed, Text where);
/// The same for Llama 1 to 3, told by rope_theta and use_scaled_rope. Refuses Code Llama, which has two.
Expr meta_vocabulary(Config c, Builder& b);

/// The numbers on the way to an inner width, and their symbols.
struct WidthNames {
  Text two_thirds = "two_thirds", symbol = "f_0";
  Text scaled = "scaled_two_thirds", scaled_symbol = "f_1";
};
/// Two thirds of `base`, perhaps by a factor (ffn_dim_multiplier), perhaps divided, rounded up to a multiple of multiple_of: why 4,096
/// makes 11,008. Formulas show each step.
Expr meta_inner_width(Config c, Expr base, Expr divisor = {}, const WidthNames& names = {});

/// The head, tied where the backbone says so: these formats have no field that the head would ask.
void head_as_told(Config c, Builder& b, const BackboneOutput& m);

}  // namespace param_ledger
