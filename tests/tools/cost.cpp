// Compares the computed caches and operations with those recorded from transformers' forward pass:  cost FILE.jsonl[.gz]... [TYPE...]

#include "tests/support/cost.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <sstream>

#include "tests/support/unpacked.hpp"

int main(int argc, char** argv) {
  using namespace param_ledger::test;
  std::set<std::string> types;
  std::vector<std::string> lines;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.find(".jsonl") == std::string::npos) {
      types.insert(word);
      continue;
    }
    std::istringstream in(unpacked_file(word));
    for (std::string line; std::getline(in, line);) lines.push_back(line);
  }
  int exact = 0, wrong = 0, unknown = 0;
  for (const std::string& line : lines) {
    const std::string id = line.substr(7, line.find("\",") - 7);
    if (!types.empty() && types.count(id.substr(0, id.find('/'))) == 0) continue;
    const CostVerdict verdict = compare_cost(line);
    exact += verdict.wrong.empty();
    wrong += !verdict.wrong.empty();
    unknown += !verdict.unknown.empty();
    if (!verdict.wrong.empty()) std::printf("WRONG %s%s\n", id.c_str(), verdict.wrong.c_str());
    if (!verdict.unknown.empty()) std::printf("UNKNOWN %s%s\n", id.c_str(), verdict.unknown.c_str());
  }
  std::printf("%d without a difference (%d of them not known in part), %d wrong\n", exact, unknown, wrong);
  return wrong == 0 ? 0 : 1;
}
