// Reads lists of tensors as people write them. Every line must be read or reported.

#include "tests/support/reading.hpp"

namespace param_ledger::test {

namespace {

struct Sum {
  std::string list, parameters;
};

}  // namespace

TEST_CASE("a row may stand for several tensors", "[inputs]") {
  for (const auto& [list, parameters] : std::vector<Sum>{
           {"model.layers.[0-3].mlp.weight: [10, 10]\n", "400"},
           {"model.layers.0-31.mlp.weight [10, 10]\n", "3200"},
           {"model.layers.[0,2-3].mlp.experts.[0-7].w1.weight [10, 10]\n", "2400"},
           {"layers.mlp.weight [10, 10] x 32\n", "3200"},
           {"layers.mlp.weight [10, 10] ×32\n", "3200"},
           {"layers.mlp.weight [10, 10] * 32\n", "3200"},
           {"layers.mlp.weight [10, 10] 32x\n", "3200"},
           {"layers.mlp.weight [10, 10] (32 layers)\n", "3200"},
           {"layers.mlp.weight (10, 10) torch.float16 (x32)\n", "3200"},
           // The range [0-31] and the factor 32 both give the number of layers, which must be applied only once.
           {"layers.[0-31].mlp.weight [10, 10] x 32\n", "3200"},
           {"| name | shape | copies |\n| --- | --- | --- |\n| layers.mlp.weight | [10, 10] | 32 |\n| norm.weight | [10] | 1 |\n", "3210"},
           {"| name | shape | copies | total |\n| layers.mlp.weight | 10x10 | 32 | 3,200 |\n", "3200"},
       }) {
    CAPTURE(list);
    const Json reading = reading_of(list);
    CHECK(problems_of(reading).empty());
    CHECK(total(reading) == parameters);
  }
}

TEST_CASE("words behind a number make it a number of copies", "[inputs]") {
  for (const std::string behind :
       {"32 layers", "32 times", "32 copies", "32 copy", "32 repeats", "32 blocks", "32 instances", "x32", "X 32", "32×", "x 32 of 100"}) {
    CAPTURE(behind);
    CHECK(total(reading_of("layers.mlp.weight [10, 10] " + behind + "\n")) == "3200");
  }
  // At most a million copies are counted.
  CHECK(total(reading_of("layers.mlp.weight [10, 10] x 1000000\n")) == "100000000");
  CHECK(problems_of(reading_of("layers.mlp.weight [10, 10] x 1000001\n")) ==
        "1: \"layers.mlp.weight\" is followed by a number of unclear meaning, so it is counted once.\n");
  // Only a column of copies gives bare numbers a meaning.
  const std::string rows = "| layers.mlp.weight | [10, 10] | 32 |\n| norm.weight | [10] | 1 |\n";
  for (const std::string heading : {"copies", "Count", "repeat", "Times", "×"})
    CHECK(total(reading_of("| name | shape | " + heading + " |\n| --- | --- | --- |\n" + rows)) == "3210");
  CHECK(total(reading_of("| name | shape | rank |\n| --- | --- | --- |\n" + rows)) == "110");
}

TEST_CASE("a name without a dot or an underscore needs a type or torch.Size", "[inputs]") {
  const auto read = [](const std::string& line) { return total(reading_of("a.weight [10, 10]\nb.weight [3]\n" + line + "\n")); };
  CHECK(read("wte [5, 2]") == "103");
  CHECK(read("wte [5, 2] float16") == "113");
  CHECK(read("wte torch.Size([5, 2])") == "113");
  CHECK(read("my_table [5, 2]") == "113");
  CHECK(read("h.wte [5, 2]") == "113");
  CHECK(read("h..wte [5, 2]") == "103");
  CHECK(read("h. [5, 2]") == "103");
  CHECK(read("7  h.wte  [5, 2]") == "113");
  CHECK(read("# h.wte [5, 2]") == "103");
}

TEST_CASE("dimensions are separated alike, and have no leading zeros", "[inputs]") {
  const auto elements = [](const std::string& shape) { return total(reading_of("a.weight [3]\nb.weight " + shape + "\n")); };
  for (const std::string shape :
       {"[4, 2]", "[4,2]", "(4,2)", "(4, 2,)", "[ 4, 2 ]", "[4 , 2]", "4x2", "4X2", "4*2", "4×2", "4x2x1", "[4, 2, 1]"})
    CHECK(elements(shape) == "11");
  for (const std::string other :
       {"[4,2, 1]", "[04, 2]", "[4; 2]", "[4, 2", "[4 2]", "[4, 2)", "4x2.5", "4xb", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]"})
    CHECK(elements(other) == "3");
  CHECK(elements("[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,8]") == "11");  // at most 16 dimensions
  CHECK(elements("[]") == "4");
  CHECK(elements("(0, 8)") == "3");
}

TEST_CASE("a line that stands for too much is reported", "[inputs]") {
  CHECK(problems_of(reading_of("a.[0-99999999].[0-99999999].weight [2]\nb.weight [3]\n")) ==
        "1: \"a.[0-99999999].[0-99999999].weight\" names too many tensors.\n");
  CHECK(problems_of(reading_of("b.weight [3]\na.weight [18446744073709551615, 18446744073709551615, 4]\n")) ==
        "2: \"a.weight\" has more elements than can be counted.\n");
}

TEST_CASE("sizes next to a shape are not a number of copies", "[inputs]") {
  for (const std::string behind : {"100", "200 F16", "F32 400", "100 400 float32", "1,000.5 KB", "0.02", "99%", "[0, 400]", "cuda:0"}) {
    CAPTURE(behind);
    const Json reading = reading_of("layers.mlp.weight [10, 10] " + behind + "\n");
    CHECK(problems_of(reading).empty());
    CHECK(total(reading) == "100");
  }
}

TEST_CASE("a number of unclear meaning is reported", "[inputs]") {
  for (const std::string behind : {"32", "x 32 7", "32 of them", "x 0"}) {
    CAPTURE(behind);
    const Json reading = reading_of("layers.mlp.weight [10, 10] " + behind + "\n");
    CHECK(reading.at("partial") == true);
    CHECK(problems_of(reading).find("layers.mlp.weight") != std::string::npos);
  }
  CHECK(reading_of("layers.[0-31].mlp.weight [10, 10] x 16\n").at("partial") == true);
}

TEST_CASE("a letter for an index is reported", "[inputs]") {
  const Json reading = reading_of("model.layers.N.mlp.weight [10, 10]\nnorm.weight [10]\n");
  CHECK(total(reading) == "110");
  CHECK(problems_of(reading) ==
        "1: \"model.layers.N.mlp.weight\" has a letter for an index, and is counted once. Give the indices, such as [0-31].\n");
  CHECK(problems_of(reading_of("model.layers.N.mlp.weight [10, 10] x 32\n")).empty());
  CHECK(problems_of(reading_of("decoder.x.weight [10, 10]\n")).empty());
  for (const std::string list : {"layers.i", "layer.n", "blocks.l", "block.L", "h.x", "blk.X", "experts.N"}) {
    CAPTURE(list);
    CHECK(problems_of(reading_of("model." + list + ".weight [10, 10]\nnorm.weight [10]\n")).find("has a letter for an index") !=
          std::string::npos);
  }
  CHECK(problems_of(reading_of("model.layers.a.weight [10, 10]\nN.weight [10]\n")).empty());
}

TEST_CASE("omitted rows are reported", "[inputs]") {
  for (const std::string dots : {"...", "…", "⋮", "| ... | ... |", "... 290 more", "(…)"}) {
    CAPTURE(dots);
    const Json reading = reading_of("a.weight [10, 10]\n" + dots + "\nb.weight [10, 10]\n");
    CHECK(problems_of(reading) == "2: Rows are omitted here.\n");
    CHECK(total(reading) == "200");
  }
  CHECK(problems_of(reading_of("a.weight 100\n...\nb.weight 100\nc.weight 5\n")) == "2: Rows are omitted here.\n");
  CHECK(reading_of("model.layers.0...weight [10, 10]\na.weight [10]\n").at("partial") == true);
  CHECK(problems_of(reading_of("a.weight [10, 10]\n# and so on ...\nb.weight [10, 10]\n")).empty());
}

TEST_CASE("a total in a list is compared", "[inputs]") {
  const std::string list = "a.weight [10, 10] F16\nb.weight [10, 10] F16\n";
  for (const std::string sum :
       {"total 200", "Total: 2 tensors", "total params: 200", "Total size 400", "total 8.03B", "total 16 GB", "| **Total** | 200 |"}) {
    CAPTURE(sum);
    CHECK(problems_of(reading_of(list + sum + "\n")).empty());
  }
  for (const std::string sum :
       {"total 1,200", "Total: 1_200 parameters", "total 8 million", "total 9 GiB", "total 7 B in all", "total 3M"}) {
    CAPTURE(sum);
    CHECK(problems_of(reading_of("a.weight [20, 10]\nb.weight [100, 10]\n" + sum + "\n")).empty());
  }
  CHECK(problems_of(reading_of("a.weight [10, 10]\ntotal 100\nb.weight [20, 10]\ntotal 300\n")).empty());  // a total of the rows above it
  CHECK(problems_of(reading_of(list + "total 5,000\n")) == "3: The text gives a total of 5,000, but its tensors add up to 200 elements.\n");
  CHECK(problems_of(reading_of(list + "total 8 parameters\n")) ==
        "3: The text gives a total of 8, but its tensors add up to 200 elements.\n");
  CHECK(problems_of(reading_of(list + "total 5000\n")) == "3: The text gives a total of 5,000, but its tensors add up to 200 elements.\n");
  CHECK(problems_of(reading_of("total 5000\n" + list)) == "1: The text gives a total of 5,000, but its tensors add up to 200 elements.\n");
}

TEST_CASE("an invalid shape is reported", "[inputs]") {
  for (const std::string shape : {"[0x10, 4]", "0x10", "[4,096, 8]", "[4,096, 4,096]", "[-1, 4]", "[?, 4]", "[18446744073709551616, 2]"}) {
    CAPTURE(shape);
    const Json reading = reading_of("a.weight [10, 10]\nb.weight " + shape + "\nc.weight [3]\n");
    CHECK(reading.at("partial") == true);
    CHECK(total(reading) == "103");
  }
}

TEST_CASE("lists are read with terminal colours and below a class", "[inputs]") {
  CHECK(total(reading_of("\x1b[1ma.weight\x1b[0m \x1b[32m[10, 10]\x1b[0m\nb.weight [3]\n")) == "103");
  CHECK(total(reading_of("<class 'collections.OrderedDict'>\na.weight torch.Size([10, 10])\nb.weight torch.Size([3])\n")) == "103");
}

}  // namespace param_ledger::test
