#include <sstream>

#include "tests/inputs/reading.hpp"

namespace param_ledger::test {

namespace {

/// One layer, printed beside another: its rows as text.
std::string rows_of(const std::string& module) {
  const Json reading = reading_of("Net(\n  (x): " + module + "\n  (y): Embedding(1, 1)\n)\n");
  std::string out;
  for (const Json& row : reading.at("tensors"))
    if (row.at("name") != "y.weight") out += row.at("name").get<std::string>() + ' ' + row.at("shape").dump() + '\n';
  return out + problems_of(reading);
}

constexpr const char* llama_1_7b = R"(LlamaModel(
  (embed_tokens): Embedding(32000, 4096, padding_idx=0)
  (layers): ModuleList(
    (0-31): 32 x LlamaDecoderLayer(
      (self_attn): LlamaSdpaAttention(
        (q_proj): Linear(in_features=4096, out_features=4096, bias=False)
        (k_proj): Linear(in_features=4096, out_features=4096, bias=False)
        (v_proj): Linear(in_features=4096, out_features=4096, bias=False)
        (o_proj): Linear(in_features=4096, out_features=4096, bias=False)
        (rotary_emb): LlamaRotaryEmbedding()
      )
      (mlp): LlamaMLP(
        (gate_proj): Linear(in_features=4096, out_features=11008, bias=False)
        (up_proj): Linear(in_features=4096, out_features=11008, bias=False)
        (down_proj): Linear(in_features=11008, out_features=4096, bias=False)
        (act_fn): SiLU()
      )
      (input_layernorm): LlamaRMSNorm()
      (post_attention_layernorm): LlamaRMSNorm()
    )
  )
  (norm): LlamaRMSNorm()
)
)";

}  // namespace

TEST_CASE("Llama 1 7B as the article printed it, norms without a width", "[inputs]") {
  const Json reading = reading_of(llama_1_7b);
  CHECK(reading.at("kind") == "printed_model");
  CHECK(reading.at("class") == "LlamaModel");
  CHECK(reading.at("partial") == false);
  CHECK(total(reading) == "6607343616");
  CHECK(problems_of(reading).empty());
  const Json norm = row(reading, "tensors", "layers.[0-31].input_layernorm.weight");
  CHECK(norm.at("taken") == true);
  CHECK(norm.at("total") == "131072");
  CHECK_FALSE(row(reading, "tensors", "embed_tokens.weight").contains("taken"));
  CHECK(reading.at("recognised").at("model_type") == "llama");
  CHECK(reading.at("recognised").at("agrees") == true);
}

TEST_CASE("the same without its line ends, in a fence, after a prompt, or with its layers one by one", "[inputs]") {
  std::string flat = llama_1_7b;
  for (char& c : flat)
    if (c == '\n') c = ' ';
  CHECK(total(reading_of(flat)) == "6607343616");
  CHECK(total(reading_of("```text\n" + std::string(llama_1_7b) + "```")) == "6607343616");
  CHECK(total(reading_of(">>> print(model)\n" + std::string(llama_1_7b) + "Total # of params: 6607.34M\n")) == "6607343616");
  std::string apart = llama_1_7b;
  const std::size_t begin = apart.find("    (0-31)"), end = apart.find("  )\n  (norm)");
  const std::string layer = apart.substr(begin, end - begin);
  std::string layers;
  for (int i = 0; i < 32; ++i) {
    std::string one = layer;
    one.replace(4, std::string("(0-31): 32 x ").size(), "(" + std::to_string(i) + "): ");
    layers += one;
  }
  apart.replace(begin, end - begin, layers);
  const Json reading = reading_of(apart);
  CHECK(total(reading) == "6607343616");
  CHECK(row(reading, "tensors", "layers.[0-31].mlp.up_proj.weight").at("copies") == "32");
}

TEST_CASE("modules of torch.nn have the tensors that they store", "[inputs]") {
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
        "x.weight [4]\nx.bias [4]\nx.running_mean [4]\nx.running_var [4]\nx.num_batches_tracked []\n");
  CHECK(rows_of("LlamaRMSNorm((4,), eps=1e-05)") == "x.weight [4]\n");
  CHECK(rows_of("RMSNorm((4,), eps=None, elementwise_affine=True)") == "x.weight [4]\n");
  CHECK(rows_of("Gemma3nRMSNorm((), eps=1e-06)") == "2: x (Gemma3nRMSNorm) does not show what it holds.\n");
  CHECK(rows_of("PReLU(num_parameters=3)") == "x.weight [3]\n");
  CHECK(rows_of("Bilinear(in1_features=2, in2_features=3, out_features=4, bias=True)") == "x.weight [4,2,3]\nx.bias [4]\n");
  CHECK(rows_of("GRU(2, 3, bidirectional=True)") ==
        "x.weight_ih_l0 [9,2]\nx.weight_hh_l0 [9,3]\nx.bias_ih_l0 [9]\nx.bias_hh_l0 [9]\nx.weight_ih_l0_reverse [9,2]\n"
        "x.weight_hh_l0_reverse [9,3]\nx.bias_ih_l0_reverse [9]\nx.bias_hh_l0_reverse [9]\n");
  CHECK(rows_of("ParameterList(  (0): Parameter containing: [torch.float32 of size 3x4])") == "x.0 [3,4]\n");
  CHECK(rows_of("Dropout(p=0.1, inplace=False)").empty());
}

TEST_CASE("what the text does not say is told by line, and the rest counts", "[inputs]") {
  CHECK(rows_of("GptOssExperts()") == "2: x (GptOssExperts) does not show what it holds.\n");
  CHECK(rows_of("Linear(in_features=a, out_features=5, bias=True)") ==
        "2: x (Linear) has arguments that cannot be read, and is not counted.\n");
  std::string cut = llama_1_7b;
  cut.resize(cut.find("(down_proj)"));
  const Json reading = reading_of(cut);
  CHECK(reading.at("partial") == true);
  CHECK(problems_of(reading).find("The text ends inside") != std::string::npos);
  CHECK(row(reading, "tensors", "layers.[0-31].mlp.up_proj.weight").at("total") == "1442840576");
}

TEST_CASE("LoRA's modules are what is trained", "[inputs]") {
  const Json reading = reading_of(R"(PeftModelForCausalLM(
  (base_model): LoraModel(
    (model): LlamaForCausalLM(
      (lm_head): Linear(in_features=64, out_features=100, bias=False)
      (q_proj): lora.Linear(
        (base_layer): Linear(in_features=64, out_features=64, bias=False)
        (lora_dropout): ModuleDict(
          (default): Dropout(p=0.05, inplace=False)
        )
        (lora_A): ModuleDict(
          (default): Linear(in_features=64, out_features=8, bias=False)
        )
        (lora_B): ModuleDict(
          (default): Linear(in_features=8, out_features=64, bias=False)
        )
        (lora_embedding_A): ParameterDict()
        (lora_embedding_B): ParameterDict()
      )
    )
  )
))");
  CHECK(problems_of(reading).empty());
  CHECK(total(reading, "trainable") == "1024");
  CHECK(total(reading, "shown") == std::to_string(64 * 100 + 64 * 64 + 1024));  // of a piece: no whole model is said to have it
  CHECK(total(reading, "trainable_share") == std::to_string((1024 * 1'000'000 + 11520 / 2) / 11520));
}

TEST_CASE("what a recognised family has beside its printed modules is named", "[inputs]") {
  // Sinks and experts of gpt-oss are parameters of modules that print none.
  const Json reading = reading_of(R"(GptOssForCausalLM(
  (model): GptOssModel(
    (embed_tokens): Embedding(201088, 2880, padding_idx=199999)
    (layers): ModuleList(
      (0-23): 24 x GptOssDecoderLayer(
        (self_attn): GptOssAttention(
          (q_proj): Linear(in_features=2880, out_features=4096, bias=True)
          (k_proj): Linear(in_features=2880, out_features=512, bias=True)
          (v_proj): Linear(in_features=2880, out_features=512, bias=True)
          (o_proj): Linear(in_features=4096, out_features=2880, bias=True)
        )
        (mlp): GptOssMLP(
          (router): GptOssTopKRouter()
          (experts): GptOssExperts()
        )
        (input_layernorm): GptOssRMSNorm((2880,), eps=1e-05)
        (post_attention_layernorm): GptOssRMSNorm((2880,), eps=1e-05)
      )
    )
    (norm): GptOssRMSNorm((2880,), eps=1e-05)
    (rotary_emb): GptOssRotaryEmbedding()
  )
  (lm_head): Linear(in_features=2880, out_features=201088, bias=False)
))");
  CHECK(reading.at("partial") == true);
  const Json& recognised = reading.at("recognised");
  CHECK(recognised.at("model_type") == "gpt_oss");
  CHECK_FALSE(row(recognised, "missing", "model.layers.[0-23].self_attn.sinks").is_null());
  CHECK_FALSE(row(recognised, "missing", "model.layers.[0-23].mlp.experts.down_proj").is_null());
  CHECK(recognised.at("config").at("num_hidden_layers") == 24);
}

TEST_CASE("lists that say something of each layer are told from the layers", "[inputs]") {
  std::istringstream lines(text_of("printed_models.jsonl"));
  std::size_t seen = 0;
  for (std::string line; std::getline(lines, line);) {
    const Json printed = parsed(line);
    const auto id = printed.at("id").get<std::string>();
    if (id != "EleutherAI/gpt-neo-125m" && id != "LiquidAI/LFM2-1.2B") continue;
    ++seen;
    const Json reading = reading_of(printed.at("text").get<std::string>());
    CAPTURE(id, reading.value("recognised", Json()).dump());
    REQUIRE(reading.contains("recognised"));
    const Json& recognised = reading.at("recognised");
    CHECK(recognised.at("agrees") == true);
    REQUIRE(recognised.at("open").size() == 1);  // what no text shows
    CHECK(recognised.at("open").at(0).at("field") == "tie_word_embeddings");
    const Json& config = recognised.at("config");
    if (id == "LiquidAI/LFM2-1.2B") {
      // As the published config.json lists them.
      const std::string conv = "conv", full = "full_attention";
      CHECK(config.at("layer_types") ==
            Json({conv, conv, full, conv, conv, full, conv, conv, full, conv, full, conv, full, conv, full, conv}));
    } else {
      CHECK(config.at("attention_types") == parsed(R"([[["global", "local"], 6]])"));
    }
    const Json counted = answer_to(config.dump());
    CHECK(counted.at("totals").at("parameters") == std::to_string(printed.at("parameters").get<std::uint64_t>()));
  }
  CHECK(seen == 2);
}

TEST_CASE("models that transformers printed come out exactly, or say which field is open", "[inputs]") {
  std::size_t models = 0, exact = 0, open = 0;
  std::istringstream lines(text_of("printed_models.jsonl"));
  for (std::string line; std::getline(lines, line); ++models) {
    const Json printed = parsed(line);
    const auto wanted = std::to_string(printed.at("parameters").get<std::uint64_t>());
    const Json reading = reading_of(printed.at("text").get<std::string>());
    CAPTURE(printed.at("id").get<std::string>(), problems_of(reading));
    CHECK(reading.at("kind") == "printed_model");
    const bool tied = printed.at("tied").get<std::uint64_t>() > 0;
    const Json& totals = reading.at("totals");
    CAPTURE(totals.dump(), wanted);
    if (totals.contains("parameters")) {
      // A headline is right, but for a head that is tied, which no text shows: then both numbers are there.
      CHECK((totals.at("parameters") == wanted || (tied && totals.value("if_tied", "") == wanted)));
      ++exact;
    } else {
      CHECK(reading.at("partial") == true);
      REQUIRE(reading.contains("recognised"));
      CHECK_FALSE(reading.at("recognised").at("open").empty());
      ++open;
    }
    if (printed.contains("trainable")) CHECK(total(reading, "trainable") == printed.at("trainable").dump());
  }
  CHECK(models >= 60);
  CHECK(exact >= 57);
  CHECK(exact + open == models);
}

}  // namespace param_ledger::test
