#pragma once

#include "core/inputs/reading.hpp"

namespace param_ledger {

/// Says what was given, and where in it the text is.
void recognise(Given& given);

/// As the answer spells it; two formats may be one word.
std::string_view word_for(What what);

/// True for formats that list tensors.
bool lists_tensors(What what);

/// True for formats of files that hold a model's tensors themselves, and may be its shards.
bool is_file_of_tensors(What what);

/// The bytes that are still to be read before `read_into` has all of the head of a file; none where it is there, or will be refused.
std::optional<Wanted> wanted_of(const Given& given);

/// Adds what one of `reading.given` lists.
void read_into(Reading& reading, const Given& given);

}  // namespace param_ledger
