#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/support.hpp"
#include "tests/support/tensors.hpp"

// Reads files of cases, such as tests/data/oracle.jsonl. A case records what transformers, or a model's own code, builds from a
// configuration.
namespace param_ledger::test {

struct Case {
  std::string id;
  std::string config;  ///< as text, because Python may write Infinity, which is not JSON
  std::string parameters;
  std::string buffers;
  std::vector<Tensor> tensors;
  std::string error;  ///< why transformers cannot build the model; if set, the only other members set are `id` and `config`
};

/// A line of a file of cases: the configuration as text, and the rest as a JSON tree.
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
  std::map<std::string, std::vector<Tensor>> of_type_;  ///< earlier cases of that model type, because a case may refer to them
};

/// The cases in a text with one case per line.
std::vector<Case> cases_of(std::string_view text);

/// The cases in tests/data/oracle.jsonl and edges.jsonl: defaults, random variants and rare combinations. The files are read only once.
const std::vector<Case>& oracle_cases();

}  // namespace param_ledger::test
