// Compares searches in random small spaces with counting every configuration:  search_check SEED SPACES [TYPE...]
// Prints the request of each search with a wrong result. The exit code is 1 if there is one.

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tests/support/spaces.hpp"

int main(int argc, char** argv) {
  using namespace param_ledger::test;
  if (argc < 3) return 2;
  std::mt19937_64 random(std::strtoull(argv[1], nullptr, 10));
  std::vector<Json> configs = known_configs();
  if (argc > 3) {
    const auto other = [&](const Json& config) {
      return std::none_of(argv + 3, argv + argc, [&](const char* type) { return config.value("model_type", "") == type; });
    };
    configs.erase(std::remove_if(configs.begin(), configs.end(), other), configs.end());
  }
  const std::size_t spaces = std::strtoull(argv[2], nullptr, 10);
  std::size_t wrong = 0, compared = 0, points = 0;
  for (std::size_t i = 0; i < spaces; ++i) {
    const SmallSpace space = random_space(configs[random() % configs.size()], random);
    if (space.points.empty()) continue;
    ++compared;
    points += space.points.size();
    const std::string what = wrong_with(space);
    if (what.empty()) continue;
    ++wrong;
    std::printf("WRONG %s\n  %s\n", space.request.dump().c_str(), what.c_str());
    std::fflush(stdout);
  }
  std::printf("%zu spaces of %zu configurations, %zu WRONG\n", compared, points, wrong);
  return wrong == 0 ? 0 : 1;
}
