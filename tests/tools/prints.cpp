// Reads the prints in files from tests/data/prints.py, each as a whole and in CUTS randomly damaged copies:  prints SEED CUTS FILE.jsonl...
// After a crash, FILE.jsonl.now contains the text that caused it. The program lists whole prints for which a wrong number is given, and
// fails if there are any. It also lists damaged prints for which a wrong number is given without any warning, and saves them in
// FILE.jsonl.silent.

#include "tests/support/prints.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>

#include "tests/support/reading.hpp"

int main(int argc, char** argv) {
  using namespace param_ledger::test;
  if (argc < 4) return 2;
  const auto seed = static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10));
  const int cuts = std::atoi(argv[2]);
  std::map<Verdict, int> verdicts;
  std::size_t read = 0, silent = 0;
  for (int file = 3; file < argc; ++file) {
    const auto answer = [&](const std::string& text) {
      std::ofstream(std::string(argv[file]) + ".now") << text;
      ++read;
      const Json reading = reading_of(text);
      if (reading.value("ok", false) || reading.at("error").at("code") != "internal") return reading;
      std::cout << "a defect: " << reading.dump() << '\n';
      std::abort();
    };
    std::ifstream in(argv[file]);
    for (std::string line; std::getline(in, line);) {
      const Json one = parsed(line);
      const std::string text = unpacked(one.at("text").get<std::string>(), one.value("blocks", Json::array()));
      const Verdict verdict = verdict_of(answer(text), one.at("parameters").dump());
      ++verdicts[verdict];
      if (verdict == Verdict::wrong) std::cout << "wrong: " << one.at("id").dump() << '\n';
      std::mt19937 random(seed);
      for (int i = 0; i < cuts; ++i) {
        const std::string cut = cut_print(text, random);
        const Json reading = answer(cut);
        if (!reading.value("ok", false) || reading.value("partial", true) ||
            verdict_of(reading, one.at("parameters").dump()) != Verdict::wrong)
          continue;
        ++silent;
        std::cout << "silent: " << one.at("id").dump() << ' ' << total(reading) << " for " << one.at("parameters").dump() << '\n';
        std::ofstream(std::string(argv[file]) + ".silent", std::ios::app) << cut << "\n=====\n";
      }
    }
    std::remove((std::string(argv[file]) + ".now").c_str());
  }
  std::cout << read << " texts; whole ones: " << verdicts[Verdict::exact] << " exact, " << verdicts[Verdict::if_tied] << " if tied, "
            << verdicts[Verdict::if_assumed] << " if assumed, " << verdicts[Verdict::partial] << " partial, " << verdicts[Verdict::wrong]
            << " wrong; damaged ones: " << silent << " with another total in silence\n";
  return verdicts[Verdict::wrong] == 0 ? 0 : 1;
}
