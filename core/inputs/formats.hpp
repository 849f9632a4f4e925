#pragma once

#include "core/inputs/reading.hpp"

namespace param_ledger {

/// Sets the format of an input, and where its text is.
void recognise(Given& given);

/// The name in the answer; two formats may share one.
std::string_view word_for(What what);

/// Whether the format lists tensors.
bool lists_tensors(What what);

/// Whether the format is a file with a model's tensors, which may be one of several shards.
bool is_file_of_tensors(What what);

/// The next bytes of a file that `read_into` needs. None if its header is complete or will be refused.
std::optional<Wanted> wanted_of(const Given& given);

/// Adds the contents of one of `reading.given`.
void read_into(Reading& reading, const Given& given);

}  // namespace param_ledger
