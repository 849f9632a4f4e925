#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/support.hpp"
#include "tests/support/tensors.hpp"

// The cases in tests/data/*.jsonl: what transformers builds from a configuration.
namespace param_ledger::test {

struct Case {
  std::string id;
  std::string config;  ///< as text, because Python writes Infinity, which a JSON tree cannot hold
  std::string parameters;
  std::string buffers;
  std::vector<Tensor> tensors;
  std::string error;  ///< why transformers cannot build the model; only `id` and `config` are then set as well
};

/// A line of a file of cases: the text of its configuration, and everything else as a JSON tree.
struct Line {
  std::string config;
  Json rest;
};
Line line_of(std::string text);

/// Reads cases line by line, from tests/data/*.jsonl or from the output of tests/data/oracle.py.
class CaseReader {
 public:
  Case read(std::string line);

 private:
  std::string type_;                                    ///< model type of the last line
  std::map<std::string, std::vector<Tensor>> of_type_;  ///< earlier cases of that type, which a case may refer to
};

/// One case per line of a text.
std::vector<Case> cases_of(std::string_view text);

/// All cases, read once: defaults, random variants, and rare combinations.
const std::vector<Case>& oracle_cases();

}  // namespace param_ledger::test
