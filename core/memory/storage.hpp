#pragma once

#include <string_view>

#include "core/memory/stored_rows.hpp"
#include "core/support/quantity.hpp"

namespace param_ledger {

/// The stored bytes of a model's weights. `wanted` is a number type ("bfloat16", "float8", …), a block format of GGUF ("Q4_0", "Q6_K", …),
/// one of llama.cpp's mixtures ("Q4_K_M", "Q5_K_M"), or "published": as the configuration says (dtype, quantization_config). Throws
/// Error{out_of_range} for anything else.
Storage storage_of(const Model& model, std::string_view wanted);
/// The storage of the given rows, which are the model's or a device's share of them.
Storage storage_of(const Model& model, const std::vector<Row>& rows, std::string_view wanted);

/// The number type of a configuration, or else of its text model, if it has at least `least_bits` bits; else a type of 0 bits.
NumberType configured_type(Json root, unsigned least_bits);

}  // namespace param_ledger
