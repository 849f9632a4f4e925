// Compares answers with the oracle's cases, tensor by tensor:  check [-q] FILE.jsonl... [TYPE...]
// "-" is the standard input. Prints a line per model type with the number of cases that are exact, refused as in transformers, refused on
// purpose (core/support/error.hpp), or counted although transformers refuses them. Without -q, also prints each case that is WRONG, REFUSED
// without purpose, or COUNTED although transformers refuses it, with the reason. The exit code is 1 if a case is WRONG or REFUSED, and 2 if
// a file cannot be read.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <set>

#include "tests/support/oracle.hpp"

namespace {

using namespace param_ledger;
using namespace param_ledger::test;

/// The error in the answer to a case; empty if the answer is exact.
std::string verdict(const Case& wanted, const Json& answer) {
  std::string out = differences(wanted.tensors, tensors_of(answer));
  const auto compare = [&](const char* name, const std::string& expected) {
    if (total(answer, name) != expected) out += "\n" + std::string(name) + " " + total(answer, name) + ", expected " + expected;
  };
  compare("parameters", wanted.parameters);
  compare("buffers", wanted.buffers);
  if (answer.at("formula").at("value") != answer.at("totals").at("parameters")) out += "\nthe closed formula gives another number";
  return out;
}

struct Sums {
  int exact = 0, both = 0, purpose = 0, counted = 0, refused = 0, wrong = 0;

  void add(const Sums& s) {
    exact += s.exact;
    both += s.both;
    purpose += s.purpose;
    counted += s.counted;
    refused += s.refused;
    wrong += s.wrong;
  }
  void print(const char* of) const {
    std::printf("%-24s %d exact, %d refused by both, %d refused on purpose, %d counted alone, %d REFUSED, %d WRONG\n", of, exact, both,
                purpose, counted, refused, wrong);
    std::fflush(stdout);
  }
};

class Checker {
 public:
  Checker(std::set<std::string> types, bool quiet) : types_(std::move(types)), quiet_(quiet) {}

  void check(std::istream& lines) {
    CaseReader reader;
    for (std::string line; std::getline(lines, line);) check(reader.read(line));
  }
  /// Prints the last type's line and the sums. Returns whether there was no error.
  bool finish() {
    end_type();
    all_.print("all");
    return all_.wrong == 0 && all_.refused == 0;
  }

 private:
  void check(const Case& wanted) {
    const std::string type = wanted.id.substr(0, wanted.id.find('/'));
    if (!types_.empty() && types_.count(type) == 0) return;
    if (type != type_) end_type();
    type_ = type;
    const Json answer = answer_to(wanted.config);
    if (answer.at("ok").get<bool>()) {
      if (!wanted.error.empty())
        tell("COUNTED", wanted, "\n" + wanted.error, sums_.counted);
      else if (const std::string problem = verdict(wanted, answer); !problem.empty())
        tell("WRONG", wanted, problem, sums_.wrong);
      else
        ++sums_.exact;
    } else if (!wanted.error.empty()) {
      ++sums_.both;
    } else if (answer.at("error").contains("kind")) {
      ++sums_.purpose;
    } else {
      tell("REFUSED", wanted, "\n" + answer.at("error").at("message").get<std::string>(), sums_.refused);
    }
  }

  void tell(const char* what, const Case& wanted, const std::string& problem, int& sum) {
    ++sum;
    if (!quiet_) std::printf("%s %s %s%s\n", what, wanted.id.c_str(), wanted.config.substr(0, 1500).c_str(), problem.c_str());
  }

  void end_type() {
    if (!type_.empty()) sums_.print(type_.c_str());
    all_.add(std::exchange(sums_, {}));
  }

  const std::set<std::string> types_;
  const bool quiet_;
  std::string type_;  ///< the model type of the last case
  Sums sums_;         ///< the numbers of cases of the type `type_`, by verdict
  Sums all_;
};

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files;
  std::set<std::string> types;
  bool quiet = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "-q")
      quiet = true;
    else if (word == "-" || word.find(".jsonl") != std::string::npos)
      files.push_back(word);
    else
      types.insert(word);
  }
  Checker checker(std::move(types), quiet);
  for (const std::string& file : files) {
    if (file == "-") {
      checker.check(std::cin);
      continue;
    }
    std::ifstream in(file, std::ios::binary);
    if (!in) {
      std::fprintf(stderr, "cannot read %s\n", file.c_str());
      return 2;
    }
    checker.check(in);
  }
  return checker.finish() ? 0 : 1;
}
