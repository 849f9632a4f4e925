#include "core/inputs/printed/printed_tree.hpp"

#include "tests/support/reading.hpp"

namespace param_ledger::test {

namespace {

/// "name: Type(arguments)" of each module, indented by its depth.
std::string tree_of(std::string_view text, std::string* problems = nullptr) {
  Problems found;
  const std::vector<PrintedModule> modules = printed_tree(text, found);
  std::string out;
  for (std::size_t i = 1; i < modules.size(); ++i) {
    const PrintedModule& m = modules[i];
    for (std::size_t around = m.parent; around != 0; around = modules[around].parent) out += ' ';
    out.append(m.name).append(": ").append(m.type).append("(").append(m.holds_modules ? "" : m.arguments).append(")");
    if (m.times != 1) out += " x " + std::to_string(m.times);
    out += '\n';
  }
  if (problems != nullptr)
    for (const Problem& problem : found.list()) *problems += std::to_string(problem.line) + ": " + problem.message + '\n';
  return out;
}

const std::string model =
    "Net(\n  (a): Sequential(\n    (0-2): 3 x Linear(in_features=3, out_features=5, bias=True)\n  )\n  (b): Dropout(p=0.1)\n)";
const std::string its_tree = ": Net()\n a: Sequential()\n  0-2: Linear(in_features=3, out_features=5, bias=True) x 3\n b: Dropout(p=0.1)\n";

/// Puts a prefix before each line.
std::string with_prefix(const std::string& prefix, const std::string& text) {
  std::string out = prefix;
  for (const char c : text) {
    out += c;
    if (c == '\n') out += prefix;
  }
  return out;
}

}  // namespace

TEST_CASE("a printed model is parsed into its modules", "[inputs]") {
  CHECK(tree_of(model) == its_tree);
  CHECK(is_printed_model(model));
  std::string flat = model, returns;
  for (char& c : flat)
    if (c == '\n') c = ' ';
  CHECK(tree_of(flat) == its_tree);
  for (const char c : model) returns += c == '\n' ? std::string("\r\n") : std::string(1, c);
  CHECK(tree_of(returns) == its_tree);
  CHECK(tree_of("(x): ParameterList(  (0): Parameter containing: [torch.float32 of size 3x4]) (y): Identity()") ==
        "x: ParameterList()\n 0: Parameter(3x4)\ny: Identity()\n");
  CHECK(tree_of("(v): BufferDict(  (d): Buffer containing: [torch.float32 of size 16 (GPU 0)])") == "v: BufferDict()\n d: Buffer(16)\n");
}

TEST_CASE("text around a model does not prevent its recognition", "[inputs]") {
  const std::string before[] = {
      ">>> from transformers import AutoModel\n>>> model = AutoModel.from_pretrained(\"a/b\", torch_dtype=torch.bfloat16)\n>>> "
      "print(model)\n",
      ">>> net = Net(nn.Linear(in_features=3, out_features=5))\n>>> net\n",
      "In [2]: model = LlamaForCausalLM(LlamaConfig(hidden_size=8))\n\nIn [3]: model\nOut[3]: \n",
      "In [3]: model\nOut[3]: ",
      "Loading checkpoint shards: 100%|##########| 4/4 [00:05<00:00,  1.31s/it]\n2024-05-01 12:00:00,123 - INFO - loaded (8.03B)\n",
      "WARNING:root:(deprecated) Some weights were not used: ['a.b', 'c']\n(compiled)\n",
      "(compiled) ",
      "model = ",
      "Model: ",
      "1. first (2): second\n(a): see below\n",
  };
  const std::string after[] = {"\n>>> sum(p.numel() for p in model.parameters())\n8030261248\n>>> ", "\n\nIn [4]: model(torch.zeros(1))\n",
                               "\n(compiled)\n", "\nTotal params: 8,030,261,248 (all)\n(0): ok\n"};
  for (const std::string& lines : before)
    for (const std::string& more : after) {
      CAPTURE(lines, more);
      std::string problems;
      CHECK(tree_of(lines + model + more, &problems) == its_tree);
      CHECK(problems.empty());
    }
  for (const char* const prefix : {"[rank0]: ", "> ", "INFO:root:", "2024-05-01 12:00:00,123 | "}) {
    CAPTURE(prefix);
    CHECK(tree_of(with_prefix(prefix, model)) == its_tree);
  }
}

TEST_CASE("a single layer is recognised, and a call in code is not", "[inputs]") {
  CHECK(tree_of("Linear(in_features=3, out_features=5, bias=True)\n") == ": Linear(in_features=3, out_features=5, bias=True)\n");
  CHECK(tree_of(">>> layer\nEmbedding(7, 3)") == ": Embedding(7, 3)\n");
  CHECK_FALSE(is_printed_model("self.fc = nn.Linear(in_features=3, out_features=5)\nself.act = nn.GELU()\n"));
  CHECK_FALSE(is_printed_model("f(x): the value (a) of g(b): no\n(1): first\n"));
}

TEST_CASE("a module that is not set has nothing", "[inputs]") {
  std::string problems;
  CHECK(tree_of("Net(\n  (a): Identity()\n  (b): None\n  (c): Identity()\n)\n", &problems) == ": Net()\n a: Identity()\n c: Identity()\n");
  CHECK(problems.empty());
}

TEST_CASE("cut text and text after the end are reported by line", "[inputs]") {
  std::string problems;
  tree_of(model.substr(0, model.size() - 3), &problems);
  CHECK(problems == "5: The text ends inside \"Dropout\".\n");
  problems.clear();
  CHECK(tree_of(model + "\n" + model, &problems) == its_tree);
  CHECK(problems == "7: More modules follow the end of the model: they are not counted.\n");
  problems.clear();
  CHECK(tree_of("(z): Linear(in_features=1, out_features=1, bias=True)\n" + model, &problems) == its_tree);
  CHECK(problems == "1: The modules before the model are not counted.\n");
}

TEST_CASE("missing lines are noticed by the indentation of the others", "[inputs]") {
  const std::string begin = "Net(\n  (a): A(\n    (x): Linear(in_features=3, out_features=5, bias=True)\n  )\n", open = "  (b): B(\n",
                    inner = "    (y): Linear(in_features=3, out_features=5, bias=True)\n", close = "  )\n", last = "  (c): Identity()\n)\n",
                    odd = "The indentation does not fit the modules: lines may be missing.\n";
  const auto problems_in = [](const std::string& text) {
    std::string out;
    tree_of(text, &out);
    return out;
  };
  CHECK(problems_in(begin + open + inner + close + last).empty());
  CHECK(problems_in(begin + inner + last) == "5: " + odd);
  CHECK(problems_in(begin + inner + close + last).starts_with("5: " + odd));
  CHECK(problems_in(begin + open + inner + last).starts_with("7: " + odd));
  // The model's only submodule has the wrong indentation.
  CHECK(problems_in("Net(\n" + inner + close + ")\n") == "4: " + odd);
  CHECK(problems_in("Net(\n" + inner + "        )\n") == "3: " + odd);
  // The only submodule of a module is missing.
  CHECK(problems_in("Net(\n  (a): ModuleDict(\n  )\n  (b): Identity()\n)\n") == "3: " + odd);
  CHECK(problems_in("Net(\n  (a): ModuleDict()\n  (b): Identity()\n)\n").empty());
  // A layer that was copied out of a printed model. Its first line has lost its indentation.
  CHECK(problems_in("Layer(\n      (x): Identity()\n      (y): Block(\n        (z): Identity()\n      )\n    )\n").empty());
  // A printed model whose indentation has been lost.
  CHECK(problems_in("Net(\n(a): A(\n(x): Identity()\n)\n)\n").empty());
}

TEST_CASE("lines inside a model that are no modules are reported", "[inputs]") {
  const auto problems_in = [](const std::string& text) {
    std::string out;
    tree_of(text, &out);
    return out;
  };
  const std::string missing = " is not a module: modules may be missing here.\n";
  CHECK(problems_in("Net(\n  (a): Identity()\n  ...\n  (z): Identity()\n)\n") == "3: \"...\"" + missing);
  CHECK(problems_in("Net(\n  (a): A(\n    \u2026\n    (z): Identity()\n  )\n)\n") == "3: \"\u2026\"" + missing);
  CHECK(problems_in("Net(\n  (a): Identity()\n  [output truncated]\n)\n") == "3: \"[output truncated]\"" + missing);
  CHECK(problems_in("Net(\n  (a): Identity()  # nothing\n  (b): Conv(\n    3, 4, size=5\n    (c): Identity()\n  )\n)\n").empty());
}

TEST_CASE("a name without a module is reported, and quoted in part", "[inputs]") {
  const auto problems_in = [](const std::string& name) {
    std::string out;
    tree_of("Net(\n  (a): Identity()\n  (" + name + "): 7\n)\n", &out);
    return out;
  };
  const std::string longest(80, 'n');
  CHECK(problems_in("b") == "3: No module is printed after (b).\n");
  CHECK(problems_in(longest) == "3: No module is printed after (" + longest + ").\n");
  CHECK(problems_in(longest + "n") == "3: No module is printed after (" + longest + ").\n");
}

TEST_CASE("lines that a terminal broke are reported", "[inputs]") {
  const auto problems_in = [](const std::string& text) {
    std::string out;
    tree_of(text, &out);
    return out;
  };
  const std::string broken = "A line is broken here. Print the model in a wider window.\n";
  CHECK(problems_in("Net(\n  (a): Linear(in_features=3, out_features=40\n96, bias=True)\n)\n") == "2: " + broken);
  CHECK(problems_in("Net(\n  (a): A(\n    (layer_nu\nmber): Linear(in_features=3, out_features=4, bias=True)\n  )\n)\n")
            .ends_with("4: " + broken));
  CHECK(problems_in("Net(\n  (a): Identity()\n  (layer_nu\nmber): Linear(in_features=3, out_features=4, bias=True)\n)\n")
            .ends_with("4: " + broken));
}

TEST_CASE("too deep nesting is refused", "[inputs]") {
  std::string deep = "A(";
  for (int i = 0; i < 100; ++i) deep += "(a): B(";
  Problems problems;
  CHECK_THROWS_AS(printed_tree(deep, problems), Error);
}

}  // namespace param_ledger::test
