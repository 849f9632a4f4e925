// Prints the percentage of random numbers that are explained, by notation and distance from a model's total:  chance [SEED] [NUMBERS]
// NUMBERS: random numbers per model and cell of the table. The default of 25 makes 200 for the eight models.

#include "tests/support/chance.hpp"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  using namespace param_ledger::test;
  const std::uint64_t seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const unsigned each = argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 25;
  const std::vector<std::string> models = eight_models();
  std::printf("%-15s", "written as");
  for (const Distance& distance : distances) std::printf("%10s", distance.name.data());
  std::printf("\n");
  for (const Notation& notation : notations) {
    std::printf("%-15s", notation.name.data());
    for (const Distance& distance : distances) std::printf("%9.1f", explained_by_chance(models, each, seed, notation.name, distance.name));
    std::printf("\n");
  }
  return 0;
}
