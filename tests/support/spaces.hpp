#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "tests/support/support.hpp"

// Small spaces of configurations, in which a search can be compared with counting each of them.
namespace param_ledger::test {

/// A request of a search, and the same as a list of all its configurations.
struct SmallSpace {
  Json request;
  struct Value {
    std::string field;
    std::uint64_t value;
  };
  std::vector<std::vector<Value>> points;  ///< what each sets, in the order of the request
};

/// All points of a request whose fields vary by "values"; tied fields are set, what breaks a limit is left out.
SmallSpace small_space(Json request);

/// Around a configuration that can be counted: some of its fields vary, others are tied to them or limited.
SmallSpace random_space(const Json& config, std::mt19937_64& random);

/// The configurations of the oracle's cases: of every model type and class several.
std::vector<Json> known_configs();

/// How far the nearest are from the target, each counted as any configuration is.
std::vector<std::string> nearest_by_counting(const SmallSpace& space);
/// The same as an answer has it.
std::vector<std::string> nearest(const Json& answer);

/// What is wrong with a search of that space; empty: it finds what is there.
std::string wrong_with(const SmallSpace& space);

}  // namespace param_ledger::test
