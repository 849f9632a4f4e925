#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/support/support.hpp"

// Makes small search spaces, in which every configuration can be counted to check the result of a search.
namespace param_ledger::test {

/// A search request, and all configurations in its space.
struct SmallSpace {
  Json request;
  struct Value {
    std::string field;
    std::uint64_t value;
  };
  std::vector<std::vector<Value>> points;  ///< the field values of each configuration, in the order in which the request lists the fields
};

/// Makes the space of a search request that lists each field's values in "values". Computes tied fields, and leaves out points outside the
/// limits.
SmallSpace small_space(Json request);

/// A random space around a configuration: some of its fields vary, another one may be tied to one of them, and a ratio may be limited.
/// Empty if the configuration is refused or has no integer field that the count uses.
SmallSpace random_space(const Json& config, std::mt19937_64& random);

/// The configurations in tests/data/oracle.jsonl that transformers can build, except those that contain Infinity.
std::vector<Json> known_configs();

/// The distances of the nearest configurations from the target, found by counting each configuration separately.
std::vector<std::string> nearest_by_counting(const SmallSpace& space);
/// The distances from the target in a search's answer.
std::vector<std::string> nearest(const Json& answer);

/// The errors in the search of a space; empty if it finds the nearest configurations.
std::string wrong_with(const SmallSpace& space);

}  // namespace param_ledger::test
