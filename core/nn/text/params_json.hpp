#pragma once

#include "core/builder/builder.hpp"
#include "core/builder/family.hpp"
#include "core/config/config.hpp"

namespace param_ledger {

// Functions shared by the params.json formats of Meta and other publishers, and by some other formats of publishers. Source of Meta's:
// ModelArgs, Transformer and FeedForward.__init__ as published with Llama 1 to 4.

/// Keys that every params.json counted here has.
inline constexpr Text params_json_keys[] = {"dim", "n_layers"};

/// The sizes of the text model that a params.json gives.
struct MetaSizes {
  Expr d, n_layers, n, n_kv, h;
};
/// Reads dim, n_layers, n_heads and n_kv_heads. With `defaults`, missing fields have the values of Llama 1 7B. The head dimension is dim ÷
/// n_heads.
MetaSizes meta_sizes(Config c, bool defaults);

/// Reads vocab_size. If it is missing, or -1 because the tokenizer determines it, uses `assumed` and adds a warning.
Expr meta_vocabulary(Config c, Builder& b, std::uint64_t assumed, Text where);
/// Reads vocab_size for Llama 1 to 3, which are distinguished by rope_theta and use_scaled_rope. Throws for a Code Llama without
/// vocab_size, because there are Code Llamas with two different vocabulary sizes.
Expr meta_vocabulary(Config c, Builder& b);

/// The names and symbols of the intermediate results in the formula for an inner width.
struct WidthNames {
  Text two_thirds = "two_thirds", symbol = "f_0";
  Text scaled = "scaled_two_thirds", scaled_symbol = "f_1";
};
/// The inner width: two thirds of `base`, multiplied by ffn_dim_multiplier if it is given, divided by `divisor` if it is not empty, and
/// rounded up to a multiple of multiple_of. Without a factor and a divisor, 16,384 gives 11,008 for multiples of 256.
Expr meta_inner_width(Config c, Expr base, Expr divisor = {}, const WidthNames& names = {});

/// Records the head, which is tied if the backbone's tie_by_default is set. For formats that do not have the field tie_word_embeddings.
void params_json_head(Config c, Builder& b, const BackboneOutput& m);

}  // namespace param_ledger
