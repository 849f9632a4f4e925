#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/support/support.hpp"

// Small search spaces, for comparing a search with counting every configuration.
namespace param_ledger::test {

/// A search request, and all configurations in its space.
struct SmallSpace {
  Json request;
  struct Value {
    std::string field;
    std::uint64_t value;
  };
  std::vector<std::vector<Value>> points;  ///< the values of each configuration, in the order of the request
};

/// All points of a search request that lists the values of each field in "values". Tied fields are set, and points outside the limits are
/// omitted.
SmallSpace small_space(Json request);

/// A random space around a valid configuration: some of its fields vary, others are tied or limited.
SmallSpace random_space(const Json& config, std::mt19937_64& random);

/// Configurations of the oracle's cases: several of every model type and class.
std::vector<Json> known_configs();

/// The distances of the nearest configurations from the target, found by counting each configuration separately.
std::vector<std::string> nearest_by_counting(const SmallSpace& space);
/// The distances that a search's answer gives.
std::vector<std::string> nearest(const Json& answer);

/// What is wrong with a search of this space; empty if it finds the nearest configurations.
std::string wrong_with(const SmallSpace& space);

}  // namespace param_ledger::test
