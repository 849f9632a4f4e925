#pragma once

#include <string_view>

#include "core/memory/stored_rows.hpp"
#include "core/support/quantity.hpp"

namespace param_ledger {

/// `wanted`: a type of numbers ("bfloat16", "float8", …), a block format of GGUF ("Q4_0", "Q6_K", …), one of llama.cpp's mixtures of them
/// ("Q4_K_M", "Q5_K_M") or "published": as the configuration says (dtype, quantization_config). Throws Error{out_of_range} for any other.
Storage storage_of(const Model& model, std::string_view wanted);
/// The same of these rows alone, which are the model's or what a device holds of them.
Storage storage_of(const Model& model, const std::vector<Row>& rows, std::string_view wanted);

/// The type of numbers that a configuration, or else that of its text model, says its weights have, where that is of so many bits at least;
/// of 0 bits where it says none.
NumberType configured_type(Json root, unsigned least_bits);

}  // namespace param_ledger
