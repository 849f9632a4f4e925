#pragma once

#include <random>
#include <string>
#include <vector>

#include "tests/support/support.hpp"

// Reads the printed models in tests/data, and damages copies of them as chats and issues do.
namespace param_ledger::test {

/// Unpacks a stored print: a line "@N" is replaced by block N with the line's indentation.
std::string unpacked(const std::string& text, const Json& blocks);

/// Damages a print at random: keeps only its beginning, its end or some of its lines, or cuts all lines at a terminal's width.
std::string cut_print(const std::string& text, std::mt19937& random);

/// The outcome of reading a print: the right number of parameters, the right one if the head is tied, the right one if open fields have the
/// assumed values, no number, or a wrong one.
enum class Verdict { exact, if_tied, if_assumed, partial, wrong };
Verdict verdict_of(const Json& reading, const std::string& parameters);

}  // namespace param_ledger::test
