// Compares what devices hold with cases from tests/data/shards.py or megatron_shards.py:  shards FILE.jsonl[.gz]...

#include <cstdio>

#include "tests/support/devices.hpp"
#include "tests/support/unpacked.hpp"

int main(int argc, char** argv) {
  using namespace param_ledger::test;
  std::size_t cases = 0, wrong = 0, refusals = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string text = unpacked_file(argv[i]);
    for (std::size_t start = 0, end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
      const std::string line = text.substr(start, end - start);
      bool refused = false;
      const std::string verdict = compare_devices(line, &refused);
      ++cases;
      refusals += refused;
      if (verdict.empty()) continue;
      ++wrong;
      std::printf("%s %s\n", line.substr(7, line.find('"', 7) - 7).c_str(), verdict.c_str());
    }
  }
  std::printf("%zu cases, %zu refused here and there, %zu differ\n", cases, refusals, wrong);
  return wrong == 0 ? 0 : 1;
}
