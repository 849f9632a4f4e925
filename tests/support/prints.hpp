#pragma once

#include <random>
#include <string>
#include <vector>

#include "tests/support/support.hpp"

// Printed models in tests/data, and copies of them that are damaged as in chats and issues.
namespace param_ledger::test {

/// Unpacks a text: a line "@N" stands for block N, with the line's indentation.
std::string unpacked(const std::string& text, const Json& blocks);

/// A damaged print: only its beginning or end, or with lines omitted, cut at a terminal's width, or with bytes missing.
std::string cut_print(const std::string& text, std::mt19937& random);

/// The result of reading a whole print, compared with the printed model. `wrong` means that a wrong number was given.
enum class Verdict { exact, if_tied, if_assumed, partial, wrong };
Verdict verdict_of(const Json& reading, const std::string& parameters);

}  // namespace param_ledger::test
