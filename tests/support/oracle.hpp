#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/support.hpp"
#include "tests/support/tensors.hpp"

// The cases of tests/data/*.jsonl: what transformers builds from a configuration.
namespace param_ledger::test {

struct Case {
  std::string id;
  std::string config;  ///< as it stands in the file: Python writes Infinity, which a JSON tree cannot hold
  std::string parameters;
  std::string buffers;
  std::vector<Tensor> tensors;
  std::string error;  ///< why transformers builds nothing; then all but id and config is empty
};

/// A line of a file of cases: the configuration as it is written there, and the rest without it.
struct Line {
  std::string config;
  Json rest;
};
Line line_of(std::string text);

/// The cases of such a file, or of what tests/data/oracle.py says, line by line.
class CaseReader {
 public:
  Case read(std::string line);

 private:
  std::string type_;                                    ///< of the last line
  std::map<std::string, std::vector<Tensor>> of_type_;  ///< the tensors of its cases before, which a case may refer to
};

/// A case for each line of a text.
std::vector<Case> cases_of(std::string_view text);

/// All cases, read once: defaults, random variants, and what those seldom meet.
const std::vector<Case>& oracle_cases();

}  // namespace param_ledger::test
