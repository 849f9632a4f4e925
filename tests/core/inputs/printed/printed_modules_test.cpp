#include "tests/support/reading.hpp"

namespace param_ledger::test {

namespace {

/// The rows and the problems of a single module inside a printed model, as text.
std::string rows_of(const std::string& module) {
  const Json reading = reading_of("Net(\n  (x): " + module + "\n  (y): Embedding(1, 1)\n)\n");
  std::string out;
  for (const Json& row : reading.at("tensors")) {
    if (row.at("name") == "y.weight") continue;
    out += row.at("name").get<std::string>() + ' ' + row.at("shape").dump();
    if (row.contains("kind")) out += ' ' + row.at("kind").get<std::string>();
    out += '\n';
  }
  return out + problems_of(reading);
}

/// A layer wrapped in peft's module for linear layers, followed by the lines in `beside`.
std::string adapted(const std::string& layer, const std::string& beside) {
  return "lora.Linear(\n    (base_layer): " + layer + "\n" + beside + "  )";
}

}  // namespace

TEST_CASE("modules of torch.nn have their stored tensors", "[inputs]") {
  CHECK(rows_of("Linear(in_features=3, out_features=5, bias=True)") == "x.weight [5,3]\nx.bias [5]\n");
  CHECK(rows_of("Linear4bit(in_features=3, out_features=5, bias=False)") == "x.weight [5,3]\n");
  CHECK(rows_of("Conv1D(nf=6, nx=2)") == "x.weight [2,6]\nx.bias [6]\n");
  CHECK(rows_of("Embedding(7, 3, padding_idx=6)") == "x.weight [7,3]\n");
  CHECK(rows_of("OPTLearnedPositionalEmbedding(7, 3)") == "x.weight [7,3]\n");
  CHECK(rows_of("Conv1d(8, 4, kernel_size=(3,), stride=(1,), groups=2, bias=False)") == "x.weight [4,4,3]\n");
  CHECK(rows_of("Conv2d(3, 8, kernel_size=(2, 2), stride=(2, 2))") == "x.weight [8,3,2,2]\nx.bias [8]\n");
  CHECK(rows_of("Conv3d(3, 8, kernel_size=(1, 2, 2), stride=(1, 2, 2), bias=False)") == "x.weight [8,3,1,2,2]\n");
  CHECK(rows_of("ConvTranspose2d(8, 4, kernel_size=(2, 2), stride=(2, 2), groups=2)") == "x.weight [8,2,2,2]\nx.bias [4]\n");
  CHECK(rows_of("LayerNorm((4,), eps=1e-05, elementwise_affine=True)") == "x.weight [4]\nx.bias [4]\n");
  CHECK(rows_of("LayerNorm((4,), eps=1e-05, elementwise_affine=True, bias=False)") == "x.weight [4]\n");
  CHECK(rows_of("LayerNorm((4,), eps=1e-05, elementwise_affine=False)").empty());
  CHECK(rows_of("GroupNorm(2, 4, eps=1e-05, affine=True)") == "x.weight [4]\nx.bias [4]\n");
  CHECK(rows_of("BatchNorm1d(4, eps=1e-05, momentum=0.1, affine=True, track_running_stats=True)") ==
        "x.weight [4]\nx.bias [4]\nx.running_mean [4] buffer\nx.running_var [4] buffer\nx.num_batches_tracked [] buffer\n");
  CHECK(rows_of("LlamaRMSNorm((4,), eps=1e-05)") == "x.weight [4]\n");
  CHECK(rows_of("RMSNorm((4,), eps=None, elementwise_affine=True)") == "x.weight [4]\n");
  CHECK(rows_of("Gemma3nRMSNorm((), eps=1e-06)") == "2: x (Gemma3nRMSNorm) does not show its parameters.\n");
  CHECK(rows_of("PReLU(num_parameters=3)") == "x.weight [3]\n");
  CHECK(rows_of("Bilinear(in1_features=2, in2_features=3, out_features=4, bias=True)") == "x.weight [4,2,3]\nx.bias [4]\n");
  CHECK(rows_of("GRU(2, 3, bidirectional=True)") ==
        "x.weight_ih_l0 [9,2]\nx.weight_hh_l0 [9,3]\nx.bias_ih_l0 [9]\nx.bias_hh_l0 [9]\nx.weight_ih_l0_reverse [9,2]\n"
        "x.weight_hh_l0_reverse [9,3]\nx.bias_ih_l0_reverse [9]\nx.bias_hh_l0_reverse [9]\n");
  CHECK(rows_of("ParameterList(  (0): Parameter containing: [torch.float32 of size 3x4])") == "x.0 [3,4]\n");
  CHECK(rows_of("Dropout(p=0.1, inplace=False)").empty());
  CHECK(rows_of("ParametrizedConv1d(\n    8, 8, kernel_size=(3,), stride=(1,), padding=(1,)\n    (parametrizations): ModuleDict(\n      "
                "(weight): "
                "ParametrizationList(\n        (0): _WeightNorm()\n      )\n    )\n  )")
            .starts_with("x.parametrizations.weight.original1 [8,8,3]\nx.bias [8]\n"));
}

TEST_CASE("a module with unknown parameters is reported by line and not guessed", "[inputs]") {
  CHECK(rows_of("GptOssExperts()") == "2: x (GptOssExperts) does not show its parameters.\n");
  CHECK(rows_of("Qwen3_5RMSNormGated()") == "2: x (Qwen3_5RMSNormGated) does not show its parameters.\n");
  CHECK(rows_of("Linear(in_features=a, out_features=5, bias=True)") ==
        "2: x (Linear) has arguments that cannot be read, and is not counted.\n");
  // The print does not show the input projection. It is three times as large as out_proj if keys and values are as wide as queries, which
  // the print does not show either.
  const Json attention = reading_of("MultiheadAttention(\n  (out_proj): Linear(in_features=4, out_features=4, bias=True)\n)\n");
  CHECK(attention.at("totals").at("shown") == "20");
  CHECK_FALSE(attention.at("totals").contains("parameters"));
}

TEST_CASE("only PyTorch's own modules are known completely", "[inputs]") {
  const Json known = reading_of(
      "Sequential(\n  (0): Linear(in_features=3, out_features=5, bias=True)\n  (1): ReLU()\n  (2): Linear(in_features=5, "
      "out_features=2, bias=False)\n)\n");
  CHECK(known.at("partial") == false);
  CHECK(total(known) == "30");
  CHECK(total(reading_of("Linear(in_features=3, out_features=5, bias=True)")) == "20");
  // A module of an unknown class may have parameters that are not printed.
  const Json own = reading_of("Net(\n  (fc): Linear(in_features=3, out_features=5, bias=True)\n)\n");
  CHECK(own.at("totals").at("shown") == "20");
  CHECK_FALSE(own.at("totals").contains("parameters"));
  CHECK(own.at("partial") == true);
  // A printed fragment may come from a module with parameters that are not printed.
  CHECK_FALSE(reading_of("  (fc): Linear(in_features=3, out_features=5, bias=True)\n").at("totals").contains("parameters"));
}

TEST_CASE("a model of peft shows the model that it adapts", "[inputs]") {
  const Json cut = reading_of("PeftModel(\n  (base_layer): Linear(in_features=3, out_features=5, bias=True)\n)\n");
  CHECK(cut.at("partial") == true);
  CHECK(problems_of(cut) == "1:  (PeftModel) does not show its base_model.\n");
}

TEST_CASE("a list that skips a number is reported", "[inputs]") {
  const auto problems = [](const std::string& type, const std::string& first, const std::string& second) {
    return problems_of(reading_of(type + "(\n  (" + first + "): Linear(in_features=3, out_features=5, bias=True)\n  (" + second +
                                  "): Linear(in_features=5, out_features=2, bias=True)\n)\n"));
  };
  CHECK(problems("Sequential", "0", "1").empty());
  CHECK(problems("Sequential", "in", "out").empty());
  CHECK(problems("Sequential", "0", "2") == "3:  (Sequential) does not show its module 1.\n");
  CHECK(problems("ModuleList", "1", "2") == "2:  (ModuleList) does not show its module 0.\n");
  CHECK(problems("ModuleDict", "1", "4").empty());
}

TEST_CASE("only LoRA's modules are trained", "[inputs]") {
  const Json reading = reading_of(
      "PeftModelForCausalLM(\n  (base_model): LoraModel(\n    (model): LlamaForCausalLM(\n"
      "      (lm_head): Linear(in_features=64, out_features=100, bias=False)\n      (q_proj): " +
      adapted("Linear(in_features=64, out_features=64, bias=False)",
              "    (lora_A): ModuleDict(\n      (default): Linear(in_features=64, out_features=8, bias=False)\n    )\n"
              "    (lora_B): ModuleDict(\n      (default): Linear(in_features=8, out_features=64, bias=False)\n    )\n"
              "    (lora_embedding_A): ParameterDict()\n") +
      "\n    )\n  )\n)\n");
  CHECK(total(reading, "trainable") == "1024");
  CHECK(total(reading, "shown") == std::to_string(64 * 100 + 64 * 64 + 1024));
  CHECK(total(reading, "trainable_share") == std::to_string((1024 * 1'000'000 + 11520 / 2) / 11520));
}

TEST_CASE("an adapter with lines missing between its matrices is reported", "[inputs]") {
  const std::string layer = "Linear(in_features=3, out_features=5, bias=False)",
                    problem = "(lora.Linear) does not show a lora_A and a lora_B";
  const auto matrix = [](const std::string& name, const std::string& sizes) {
    return "    (" + name + "): ModuleDict(\n" + (sizes.empty() ? "" : "      (default): Linear(" + sizes + ", bias=False)\n") + "    )\n";
  };
  const auto reported = [&](const std::string& beside) { return rows_of(adapted(layer, beside)).find(problem) != std::string::npos; };
  const std::string in = "in_features=3, out_features=8", out = "in_features=8, out_features=5";
  CHECK_FALSE(reported(matrix("lora_A", in) + matrix("lora_B", out)));
  CHECK(reported(matrix("lora_A", in)));
  CHECK(reported(matrix("lora_B", out)));
  CHECK(reported(matrix("lora_A", in) + matrix("lora_B", "")));
  CHECK(reported(matrix("lora_A", in) + matrix("lora_B", "in_features=4, out_features=5")));
  const auto table = [&](const std::string& beside) {
    return rows_of("lora.Embedding(\n    (base_layer): Embedding(7, 3)\n    (lora_A): ModuleDict()\n    (lora_B): ModuleDict()\n" + beside +
                   "  )");
  };
  const std::string first = "    (lora_embedding_A): ParameterDict(  (default): Parameter containing: [torch.float32 of size 8x7])\n",
                    second = "    (lora_embedding_B): ParameterDict(  (default): Parameter containing: [torch.float32 of size 3x8])\n";
  CHECK(table(first + second).find("lora_embedding_B.default [3,8]\n") != std::string::npos);
  CHECK(table(first + second).find("does not show") == std::string::npos);
  for (const std::string& cut : {first, second, std::string()}) CHECK(table(cut).find("does not show") != std::string::npos);
}

TEST_CASE("DoRA's magnitudes count: one for each output of the layer", "[inputs]") {
  const std::string magnitude = "    (lora_magnitude_vector): ModuleDict(\n      (default): lora.dora.DoraLinearLayer()\n    )\n";
  const std::string name = "x.lora_magnitude_vector.default.weight ";
  CHECK(rows_of(adapted("Linear(in_features=3, out_features=5, bias=False)", magnitude)) == "x.base_layer.weight [5,3]\n" + name + "[5]\n");
  CHECK(rows_of(adapted("Embedding(7, 3)", magnitude)) == "x.base_layer.weight [7,3]\n" + name + "[3]\n");
  CHECK(rows_of(adapted("Conv1D(nf=6, nx=2)", magnitude)) == "x.base_layer.weight [2,6]\nx.base_layer.bias [6]\n" + name + "[6]\n");
  CHECK(rows_of(adapted("Conv2d(3, 8, kernel_size=(2, 2), stride=(2, 2), bias=False)", magnitude)) ==
        "x.base_layer.weight [8,3,2,2]\n" + name + "[1,8,1,1]\n");
  // The layer is searched for among the first eight modules of its wrapper.
  const auto after = [&](int others) {
    std::string before;
    for (int i = 0; i < others; ++i) before += "    (" + std::to_string(i) + "): Identity()\n";
    return rows_of("lora.Linear(\n" + before + "    (base_layer): Linear(in_features=3, out_features=5, bias=False)\n" + magnitude + "  )");
  };
  CHECK(after(7).find(name + "[5]\n") != std::string::npos);
  CHECK(after(8).find(name) == std::string::npos);
}

}  // namespace param_ledger::test
