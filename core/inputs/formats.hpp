#pragma once

#include "core/inputs/reading.hpp"

namespace param_ledger {

/// Says what was given, and where in it the text is.
void recognise(Given& given);

/// A text without blanks around it.
std::string_view trimmed(std::string_view text);

/// As the answer spells it; two formats may be one word.
std::string_view word_for(What what);

/// True for formats that list tensors.
bool lists_tensors(What what);

/// Adds what one of `reading.given` lists.
void read_into(Reading& reading, const Given& given);

}  // namespace param_ledger
