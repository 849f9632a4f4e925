#pragma once

#include "core/inputs/reading.hpp"

namespace param_ledger {

/// Determines the format of an input, and sets its text, converted if necessary.
void recognise(Given& given);

/// The name of the format in the answer. Two formats may share a name.
std::string_view word_for(What what);

/// Whether the format lists tensors.
bool lists_tensors(What what);

/// Whether the format is a binary file with a model's tensors, which may be one of several shards.
bool is_file_of_tensors(What what);

/// The next bytes of a file that `read_into` needs. None if all the bytes that it reads are available, or if the file will be refused.
std::optional<Wanted> wanted_of(const Given& given);

/// Adds the contents of one element of `reading.given` to `reading`.
void read_into(Reading& reading, const Given& given);

}  // namespace param_ledger
