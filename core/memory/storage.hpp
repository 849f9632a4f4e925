#pragma once

#include <string_view>

#include "core/memory/stored_rows.hpp"
#include "core/support/quantity.hpp"

namespace param_ledger {

/// The bytes that a model's weights take in storage. `wanted` is a number type ("bfloat16", "float8", …), "nf4", a GGUF block format
/// ("Q4_0", "Q6_K", …), one of llama.cpp's mixtures ("Q4_K_M", "Q5_K_M"), or "published": the format that the configuration declares
/// (dtype, quantization_config). Throws Error{out_of_range} for anything else.
Storage storage_of(const Model& model, std::string_view wanted);
/// The storage of some rows of a model: all of them, or one device's share.
Storage storage_of(const Model& model, const std::vector<Row>& rows, std::string_view wanted);

/// The first number type of at least `least_bits` bits that a configuration gives for the whole model or for its text model. A type of 0
/// bits if there is none.
NumberType configured_type(Json root, unsigned least_bits);

}  // namespace param_ledger
