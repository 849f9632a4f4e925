// Reads tables of a model's layers. The files in tests/data/tables are output of the real programs. Their models have 7,120 parameters
// (Llama), 8,704 (GPT-2 with a tied head), 101,770 (two linear layers), and 102,282 and 4,420 (Keras).

#include "tests/support/reading.hpp"

namespace param_ledger::test {

namespace {

Json table(const std::string& name) { return reading_of(text_of("tables/" + name + ".txt")); }

/// The configuration of the Llama model with 7,120 parameters.
const std::string llama = config_of("llama", {{"hidden_size", "16"},
                                              {"intermediate_size", "24"},
                                              {"num_hidden_layers", "2"},
                                              {"num_attention_heads", "2"},
                                              {"num_key_value_heads", "1"},
                                              {"vocab_size", "100"}});

}  // namespace

TEST_CASE("tables of layers add up to their total", "[inputs]") {
  for (const auto& [name, parameters] : std::vector<std::pair<std::string, std::string>>{
           {"torchsummary_net", "101770"}, {"keras_sequential", "102282"}, {"keras_functional", "4420"}}) {
    CAPTURE(name);
    const Json reading = table(name);
    CHECK(problems_of(reading).empty());
    CHECK(reading.at("partial") == false);
    CHECK(total(reading) == parameters);
  }
}

TEST_CASE("a table that may count shared tensors twice says so", "[inputs]") {
  // The table's total of 7,120 is right, because the head is not tied.
  for (const std::string name : {"torchinfo_llama", "torchinfo_llama_d5", "torchinfo_names", "torchinfo_cols"}) {
    CAPTURE(name);
    const Json reading = table(name);
    CHECK(total(reading) == "7120");
    CHECK(problems_of(reading) == "A linear layer is as large as an embedding: if the two are tied, this table counts them twice.\n");
  }
  // The model has 8,704 parameters, but the table counts the tied head a second time.
  const Json twice = table("torchinfo_gpt2");
  CHECK(total(twice) == "10304");
  CHECK(twice.at("partial") == true);
  CHECK(row(table("torchinfo_names"), "tensors", "Linear (q_proj): 5-1 #3").at("total") == "256");
  // Keras lists a layer only once, even if the model uses it twice. A second layer of equal size, here of a custom class, is therefore not
  // tied to the first.
  const Json keras = reading_of(
      "Model: \"sequential\"\n"
      "_________________________________________________________________\n"
      " Layer (type)                Output Shape              Param #   \n"
      "=================================================================\n"
      " embedding (Embedding)       (None, 10, 4)             40        \n"
      " head (MyLinear)             (None, 10, 10)            40        \n"
      "=================================================================\n"
      "Total params: 80 (320.00 Byte)\n");
  CHECK(total(keras) == "80");
  CHECK(problems_of(keras).empty());
}

TEST_CASE("a table that does not add up says so, and a rounded one is refused", "[inputs]") {
  std::string text = text_of("tables/keras_sequential.txt");
  text.replace(text.find("100,480"), 7, "100,481");
  CHECK(problems_of(reading_of(text)) ==
        "The rows add up to 102,283, but the table's total is 102,282: rows are missing, or some rows count the parameters of other rows "
        "again.\n");
  const Json rounded = table("lightning_1");
  CHECK(rounded.at("ok") == false);
  CHECK(rounded.at("error").at("code") == "unsupported");
}

TEST_CASE("rows of a table that give no number of parameters are skipped or reported", "[inputs]") {
  const auto layers = [](const std::string& rows, const std::string& total_line) {
    return reading_of("Layer (type:depth-idx)       Param #\n====================================\n" + rows +
                      "====================================\n" + total_line + "\n");
  };
  const std::string rows =
      "Net                          --\n"
      "├─Linear: 1-1                10\n"
      "├─Linear: 1-2                (recursive)\n"
      "├─ReLU: 1-3                  -\n"
      "├─Flatten: 1-4               0\n";
  const Json fine = layers(rows, "Total params: 10");
  CHECK(problems_of(fine).empty());
  CHECK(total(fine) == "10");
  CHECK(fine.at("tensors").size() == 1);
  CHECK(problems_of(layers(rows + "├─Linear: 1-5                many\n", "Total params: 10 (all)")) ==
        "8: Not a number of parameters: \"many\"\n");
  CHECK(problems_of(layers(rows, "Total params: unknown")) == "The table has no column of parameters or no total.\n");
  CHECK(problems_of(layers(rows, "Total params: 11")).starts_with("The rows add up to 10, but the table's total is 11: "));
}

TEST_CASE("names and numbers are a list without shapes", "[inputs]") {
  const Json list =
      reading_of("model.norm.weight 16\nmodel.layers.0.mlp.up_proj.weight 384\nmodel.layers.1.mlp.up_proj.weight 384\nTotal: 784\n");
  CHECK(total(list) == "784");
  CHECK(problems_of(list).empty());
  CHECK_FALSE(list.at("tensors").at(0).contains("shape"));
  CHECK(row(list, "tensors", "model.layers.[0-1].mlp.up_proj.weight").at("total") == "768");
  CHECK(total(reading_of("a.weight: 1,024\nb.bias: 16")) == "1040");
  CHECK(total(reading_of("a.weight (32, 32) 1024\nb.bias torch.Size([16]) 16 True")) == "1040");
  CHECK(total(reading_of("a.weight 1024 torch.float32\nb.bias 16 torch.float32")) == "1040");
  CHECK(reading_of("a.weight (32, 32) 1024\nb.bias (16,) 16").at("tensors").at(0).at("shape") == Json{32, 32});
  CHECK(problems_of(reading_of("a.weight (32, 32) 1000\nb.bias (16,) 16\nc.bias (16,) 16")) ==
        "1: \"a.weight\" has a shape of 1,024 elements, but gives 1,000.\n");
  for (const std::string text :
       {"loss.train 12\nloss.test 13", "a.weight 0.25\nb.weight 0.5", "a.weight 12 34\nb.weight 56 78", "a.weight 50%\nb.weight 50%"}) {
    CAPTURE(text);
    CHECK(reading_of(text).at("kind") == "other");
  }
}

TEST_CASE("lines of a list of numbers that are no tensors are ignored or reported", "[inputs]") {
  const std::string list = "a.weight 5\nb.weight 6\nc.bias 7\n";
  const auto problems = [&](const std::string& line) {
    const Json reading = reading_of(list + line + "\n");
    CHECK(total(reading) == "18");
    return problems_of(reading);
  };
  for (const std::string fine : {"", "Name and number", "Total: 18", "TOTAL = 18", "total 18"}) CHECK(problems(fine).empty());
  CHECK(problems("Total: 19") == "4: Not a tensor's name and number: \"Total: 19\"\n");
  CHECK(problems("sum 18") == "4: Not a tensor's name and number: \"sum 18\"\n");
  CHECK(problems(std::string(80, 'x')).empty());
  CHECK(problems(std::string(81, 'x')).starts_with("4: Not a tensor's name and number: "));
  CHECK(problems("d.0-1.weight 8") ==
        "4: \"d.0-1.weight\" names several tensors: it is unclear whether the number is for one or for all.\n");
  for (const std::string dots : {"...", "… 5 more", "⋮"}) CHECK(problems(dots) == "4: Rows are omitted here.\n");
}

TEST_CASE("most lines of a list of numbers are tensors", "[inputs]") {
  const auto is_list = [](const std::string& text) { return reading_of(text).value("kind", "") == "tensor_list"; };
  CHECK(is_list("a.weight 5\nb.weight 6\n"));
  CHECK_FALSE(is_list("a.weight 5\n"));
  CHECK_FALSE(is_list("a.weight 5\nb.weight 6\nsome heading\n"));
  CHECK(is_list("a.weight 5\nb.weight 6\nc.bias 7\nsome heading\n"));
  CHECK(is_list("a.weight 5\nb.weight 6\nx.y 7\n"));
  CHECK_FALSE(is_list("a.weight 5\nb.weight 6\nx.y 7\nx.z 8\n"));
  CHECK(is_list("q.lora_A 5\nq.lora_B 6\n"));
}

TEST_CASE("a list without shapes is compared by its numbers", "[inputs]") {
  std::string list;
  const Json answer = answer_to(llama);
  for (const Json& r : answer.at("tensors"))
    for (int layer = 0; layer < std::stoi(r.value("copies", "1")); ++layer) {
      auto name = r.at("name").get<std::string>();
      if (const std::size_t at = name.find("[0-1]"); at != std::string::npos) name.replace(at, 5, std::to_string(layer));
      list += name + ' ' + std::to_string(std::stoll(r.at("total").get<std::string>()) / std::stoi(r.value("copies", "1"))) + '\n';
    }
  const Json fine = reading_of(list, llama);
  CHECK(total(fine) == "7120");
  CHECK(fine.at("check").at("agrees") == true);
  const std::string norm = "model.norm.weight 16\n";
  list.replace(list.find(norm), norm.size(), "model.norm.weight 17\n");
  CHECK(reading_of(list, llama).at("check").at("agrees") == false);
}

TEST_CASE("dicts and lists of shapes on one line are read", "[inputs]") {
  for (const std::string text :
       {"{'a.weight': torch.Size([2, 3]), 'b.bias': torch.Size([4])}", "{'a.weight': (2, 3), 'b.bias': (4,)}",
        "[('a.weight', (2, 3)), ('b.bias', (4,))]", "[('a.weight', torch.Size([2, 3])), ('b.bias', torch.Size([4]))]",
        "OrderedDict([('a.weight', torch.Size([2, 3])), ('b.bias', torch.Size([4]))])",
        "OrderedDict({'a.weight': torch.Size([2, 3]), 'b.bias': torch.Size([4])})", "{'a.weight': [2, 3],\n 'b.bias': [4]}"}) {
    CAPTURE(text);
    const Json reading = reading_of(text);
    CHECK(reading.value("kind", "") == "tensor_list");
    CHECK(reading.value("totals", Json::object()).value("parameters", "") == "10");
  }
}

TEST_CASE("lists of gguf-dump and llama.cpp are read with reversed dimensions", "[inputs]") {
  const Json dump = reading_of(R"(INFO:gguf-dump:* Loading: model.gguf
* File is LITTLE endian, script is running on a LITTLE endian host.
* Dumping 3 key/value pair(s)
      1: UINT32     |        1 | GGUF.version = 3
      2: UINT64     |        1 | GGUF.tensor_count = 2
* Dumping 2 tensor(s)
      1:        384 |    24,    16,     1,     1 | F32     | blk.0.ffn_down.weight
      2:         16 |    16,     1,     1,     1 | F32     | output_norm.weight
)");
  CHECK(problems_of(dump).empty());
  CHECK(total(dump) == "400");
  CHECK(row(dump, "tensors", "blk.0.ffn_down.weight").at("shape") == Json{16, 24});
  CHECK(row(dump, "tensors", "output_norm.weight").at("shape") == Json{16});
  CHECK(row(dump, "tensors", "output_norm.weight").at("dtype") == "F32");
  const Json log = reading_of(
      "llama_model_loader: loaded meta data with 22 key-value pairs and 2 tensors from model.gguf (version GGUF V2)\n"
      "llama_model_loader: - tensor    0:                token_embd.weight q4_K     [  4096, 32000,     1,     1 ]\n"
      "llama_model_loader: - tensor    1:               output_norm.weight f32      [  4096,     1,     1,     1 ]\n"
      "llama_model_loader: - kv   0:                       general.architecture str              = llama\n");
  CHECK(total(log) == std::to_string(4096 * 32000 + 4096));
  CHECK(row(log, "tensors", "token_embd.weight").at("shape") == Json{32000, 4096});
  CHECK(row(log, "tensors", "token_embd.weight").at("dtype") == "Q4_K");
  CHECK(row(log, "tensors", "output_norm.weight").at("dtype") == "F32");
}

}  // namespace param_ledger::test
