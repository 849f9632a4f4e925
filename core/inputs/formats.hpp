#pragma once

#include "core/inputs/reading.hpp"

namespace param_ledger {

/// Determines the format of an input, and sets the input's text, converted to another notation if necessary.
void recognise(Given& given);

/// The name of the format in an answer. Several formats may share a name.
std::string_view word_for(What what);

/// Whether the format is read as a list of tensors. This includes shard indexes, and formats that `read_into` refuses with an explanation.
bool lists_tensors(What what);

/// Whether the format is a binary format whose tensors can be read. Such a file may be one of several shards.
bool is_file_of_tensors(What what);

/// The next bytes of a file that `read_into` needs. None if all the bytes that it reads are available, or if the file will be refused.
std::optional<Wanted> wanted_of(const Given& given);

/// Adds the contents of `given`, an element of `reading.given`, to `reading`.
void read_into(Reading& reading, const Given& given);

}  // namespace param_ledger
