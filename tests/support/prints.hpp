#pragma once

#include <random>
#include <string>
#include <vector>

#include "tests/support/support.hpp"

// Printed models of tests/data, and what becomes of a print on its way into a chat or an issue.
namespace param_ledger::test {

/// A packed text: a line "@N" stands for block N, indented as it is.
std::string unpacked(const std::string& text, const Json& blocks);

/// A part of a print: its head, its tail, lines dropped or elided, lines cut at a terminal's width, bytes cut.
std::string cut_print(const std::string& text, std::mt19937& random);

/// How the reading of a whole print compares with the model that was printed. `wrong` is a number that is not the model's.
enum class Verdict { exact, if_tied, if_assumed, partial, wrong };
Verdict verdict_of(const Json& reading, const std::string& parameters);

}  // namespace param_ledger::test
