#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/count.hpp"

// Measures how often a random number is explained as the size of a model by some convention. tests/tools/chance.cpp prints the shares, and
// a test limits them.
namespace param_ledger::test {

/// How a number is written: rounded to significant digits ("6.74B", "13.5 GB in fp16"), or in full (0 digits).
struct Notation {
  std::string_view name;
  unsigned digits;
  bool bytes = false;
};
constexpr Notation notations[] = {{"in full", 0},  {"6 digits", 6}, {"5 digits", 5},           {"4 digits", 4},
                                  {"3 digits", 3}, {"2 digits", 2}, {"GB in fp16, 3", 3, true}};

/// The range of factors by which a random number may differ from the model's total.
struct Distance {
  std::string_view name;
  double from, to;
};
constexpr Distance distances[] = {
    {"±0.1 %", 0.999, 1.001}, {"±1 %", 0.99, 1.01}, {"±10 %", 0.9, 1.1}, {"× 0.5–2", 0.5, 2}, {"× 0.1–10", 0.1, 10}};

std::string written(Count number, const Notation& notation);

/// The configurations of eight well-known models: dense ones, mixtures of experts, and a vision-language model.
std::vector<std::string> eight_models();

/// The percentage of random numbers that are explained. `each`: random numbers per model. Equal seeds give equal results.
double explained_by_chance(const std::vector<std::string>& configs, unsigned each, std::uint64_t seed, std::string_view notation,
                           std::string_view distance);

}  // namespace param_ledger::test
