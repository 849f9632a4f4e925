// Compares answers with cases of the oracle, tensor by tensor:  check [-q] FILE.jsonl... [TYPE...]
// Prints what is refused or wrong, and how many are exact. With -q only the sums. Exits with 1 where a number is wrong.

#include <cstdio>
#include <fstream>
#include <set>

#include "tests/oracle.hpp"

namespace {

using namespace param_ledger;
using namespace param_ledger::test;

/// What is wrong with the answer to a case; empty: it is exact.
std::string verdict(const Case& wanted, const nlohmann::ordered_json& answer) {
  std::string out = differences(wanted.tensors, tensors_of(answer));
  const auto compare = [&](const char* name, const std::string& expected) {
    if (total(answer, name) != expected) out += "\n" + std::string(name) + " " + total(answer, name) + ", expected " + expected;
  };
  compare("parameters", wanted.parameters);
  compare("buffers", wanted.buffers);
  if (answer.at("formula").at("value") != answer.at("totals").at("parameters")) out += "\nthe closed formula gives another number";
  return out;
}

std::string text_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Case> cases;
  std::set<std::string> types;
  bool quiet = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "-q") {
      quiet = true;
    } else if (word.find(".jsonl") == std::string::npos) {
      types.insert(word);
    } else {
      for (Case& c : cases_of(text_in(word))) cases.push_back(std::move(c));
    }
  }
  int exact = 0, refused = 0, wrong = 0;
  for (const Case& wanted : cases) {
    if (!types.empty() && types.count(wanted.id.substr(0, wanted.id.find('/'))) == 0) continue;
    const auto answer = nlohmann::ordered_json::parse(count(wanted.config));
    if (!answer.at("ok").get<bool>()) {
      ++refused;
      if (!quiet) std::printf("REFUSED %s: %s\n", wanted.id.c_str(), answer.at("error").at("message").get<std::string>().c_str());
      continue;
    }
    const std::string problem = verdict(wanted, answer);
    ++(problem.empty() ? exact : wrong);
    if (!problem.empty() && !quiet)
      std::printf("WRONG %s %s%s\n", wanted.id.c_str(), wanted.config.substr(0, 1500).c_str(), problem.c_str());
  }
  std::printf("%d exact, %d refused, %d wrong\n", exact, refused, wrong);
  return wrong == 0 ? 0 : 1;
}
