// Tests how inputs are recognised, and how lists of tensors are read and compared with a configuration.

#include "tests/support/reading.hpp"

namespace param_ledger::test {

namespace {

std::string kind_of(const std::string& text) {
  const Json reading = reading_of(text);
  if (!reading.at("ok").get<bool>()) return reading.dump();
  const auto kind = reading.at("kind").get<std::string>();
  return kind == "other" ? reading.at("what").get<std::string>() : kind;
}

/// The row of a list with a single line, as text.
std::string tensor_of(const std::string& line) {
  const Json reading = reading_of(line);
  if (reading.value("kind", "") != "tensor_list" || reading.at("tensors").size() != 1) return reading.dump();
  const Json& row = reading.at("tensors").at(0);
  return row.at("name").get<std::string>() + ' ' + row.at("shape").dump() + ' ' + row.value("dtype", "?");
}

}  // namespace

TEST_CASE("every kind of input is recognised", "[inputs]") {
  CHECK(kind_of(R"({"model_type": "llama"})") == "config");
  CHECK(kind_of(R"({"dim": 4096, "n_layers": 32})") == "config");
  CHECK(kind_of("{broken") == "config");
  CHECK(kind_of(R"({"layer_types": ["a"], "sizes": [1, 2], "text_config": {"shape": [1]}})") == "config");
  CHECK(kind_of(R"({"a.weight": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}})") == "tensor_list");
  CHECK(kind_of(R"({"a.weight": [4, 4], "b.weight": [2]})") == "tensor_list");
  CHECK(kind_of(R"({"metadata": {}, "weight_map": {"a": "f"}})") == "safetensors_index");
  CHECK(kind_of("a.weight: [4, 4]") == "tensor_list");
  CHECK(kind_of("The shapes in state_dict\nParameter Shape\na.weight [4, 4]") == "tensor_list");
  CHECK(kind_of("Linear(in_features=3, out_features=5, bias=True)") == "printed_model");
  CHECK(kind_of("(x): Linear(in_features=3, out_features=5, bias=True)") == "printed_model");
  CHECK(kind_of("") == "empty");
  CHECK(kind_of(" \n") == "empty");
  CHECK(kind_of("[1, 2]") == "list");
  CHECK(kind_of("<!doctype html>") == "page");
  CHECK(reading_of(R"({"cells": [], "metadata": {}, "nbformat": 4})").at("error").at("message").get<std::string>().find("notebook") !=
        std::string::npos);
  CHECK(kind_of("version https://git-lfs.github.com/spec/v1\noid sha256:1") == "pointer");
  CHECK(kind_of(std::string("GGUX\0\3", 6)) == "binary");
  CHECK(kind_of("\xff\xfe{") == "binary");
  CHECK(kind_of("405_000_000") == "number");
  CHECK(kind_of("meta-llama/Llama-3.1-8B") == "words");
  CHECK(kind_of("How many parameters (4096) has it?") == "words");
}

TEST_CASE("lists with unusual line ends are read completely", "[inputs]") {
  const std::vector<std::string> lines = {"model.a.weight: [4, 4]", "model.b.weight: [2]", "model.c.bias: [3]"};
  for (const std::string end : {"\n", "\r\n", "\r", "\xe2\x80\xa8", "\xe2\x80\xa9", "\xc2\x85"}) {
    CAPTURE(end);
    const Json list = reading_of(lines[0] + end + lines[1] + end + lines[2] + end);
    CHECK(list.at("totals").at("parameters") == "21");
    CHECK(problems_of(list).empty());
    const Json fenced = reading_of("```" + end + lines[0] + end + lines[1] + end + "```" + end);
    CHECK(fenced.at("totals").at("parameters") == "18");
    const Json printed = reading_of("M(" + end + "  (a): Linear(in_features=3, out_features=5, bias=True)" + end +
                                    "  (b): Linear(in_features=2, out_features=2, bias=False)" + end + ")");
    CHECK(printed.at("kind") == "printed_model");
    CHECK(printed.at("tensors").size() == 3);
    const Json dict = reading_of("{'a.weight': (4, 4)," + end + " 'b.weight': (2,)," + end + " 'c.bias': (3,)}");
    CHECK(dict.at("totals").at("parameters") == "21");
    CHECK(reading_of("x y z" + end + lines[0] + end + lines[1]).at("problems").at(0).at("line") == 1);
  }
  // With mixed line ends, line numbers are still right.
  const Json mixed = reading_of(
      "a.weight: [4]\rb.weight: [2]\r\nc.weight: [1]\nno tensor\xe2\x80\xa8"
      "d.weight: [1]");
  CHECK(mixed.at("totals").at("parameters") == "8");
  CHECK(mixed.at("problems").at(0).at("line") == 4);
  // Within a configuration, line ends are not converted.
  const std::string config = "{\"model_type\":\r\"llama\"}\r";
  CHECK(kind_of(config) == "config");
  CHECK(reading_of(config).at("end") == config.size());
}

TEST_CASE("a state dict as JSON is distinguished from a configuration", "[inputs]") {
  CHECK(kind_of(R"({"logit_scale": [], "visual.proj": [768, 512], "visual.conv1.weight": [768, 3, 32, 32], "ln_final.weight": [512]})") ==
        "tensor_list");
  CHECK(reading_of(R"({"logit_scale": [1], "a.weight": [4, 4]})").at("totals").at("parameters") == "17");
  CHECK(kind_of(R"({"weight": [10, 20], "bias": [10]})") == "tensor_list");
  CHECK(kind_of(R"({"logit_scale": {"dtype": "F32", "shape": []}, "a.weight": {"dtype": "F32", "shape": [4]}})") == "tensor_list");
  CHECK(kind_of(R"({"step": 3, "a.b": [1], "a.c": [2], "a.d": [3]})") == "tensor_list");
  CHECK(kind_of(R"({"model_type": "llama", "full_attn_idxs": [1, 2], "eos_token_id": [1, 2]})") == "config");
  CHECK(kind_of(R"({"eos_token_id": [1, 2], "dim": 4096, "n_layers": 2})") == "config");
  CHECK(kind_of("{}") == "config");
  CHECK(kind_of(R"({"metadata": {}})") == "config");
}

TEST_CASE("the answer gives the position of a configuration", "[inputs]") {
  const std::string config = R"({"model_type": "llama"})";
  for (const std::string& text : {config, "\xef\xbb\xbf" + config, "```json\n" + config + "```\n"}) {
    const Json reading = reading_of(text);
    const auto begin = reading.at("begin").get<std::size_t>(), end = reading.at("end").get<std::size_t>();
    CHECK(text.substr(begin, end - begin) == config);
  }
}

TEST_CASE("tensors are read in all common notations", "[inputs]") {
  CHECK(tensor_of("a.weight: [4096, 11008]") == "a.weight [4096,11008] ?");
  CHECK(tensor_of("a.weight torch.Size([4096, 11008])") == "a.weight [4096,11008] ?");
  CHECK(tensor_of("a.weight torch.Size([4096]) torch.bfloat16") == "a.weight [4096] BF16");
  CHECK(tensor_of("a.weight \t torch.Size([])") == "a.weight [] ?");
  CHECK(tensor_of("a.weight (4096,) float32") == "a.weight [4096] F32");
  CHECK(tensor_of("| a.weight | 4096x11008 | F16 |") == "a.weight [4096,11008] F16");
  CHECK(tensor_of("a.weight 4096 × 11008") == tensor_of("a.weight 4096 × 11008"));
  CHECK(tensor_of("a.weight: 2×3×4 fp16") == "a.weight [2,3,4] F16");
  CHECK(tensor_of("('a.weight', torch.Size([2, 3]))") == "a.weight [2,3] ?");
  CHECK(tensor_of("'a.weight': torch.Size([2, 3]),") == "a.weight [2,3] ?");
  CHECK(tensor_of("12  a.weight  [2, 3]  torch.int8") == "a.weight [2,3] I8");
  CHECK(tensor_of("- `a.weight`: [2,3]") == "a.weight [2,3] ?");
  CHECK(tensor_of("wte torch.Size([5, 2])") == "wte [5,2] ?");
}

TEST_CASE("lines without a tensor are reported by number, except headings and rules", "[inputs]") {
  const Json reading = reading_of(R"(name                 shape        dtype
-------------------  -----------  --------
h.0.mlp.fc.weight    (8, 4)       float16
h.1.mlp.fc.weight    (8, 4)       float16
and now something else
h.2.mlp.fc.weight    (8, 4)       float16
Total params: 96
)");
  CHECK(problems_of(reading) == "5: Not a tensor's name and shape: \"and now something else\"\n");
  CHECK(reading.at("partial") == true);
  CHECK(total(reading, "elements") == "96");
  CHECK(total(reading, "bytes") == "192");
  const Json row = reading.at("tensors").at(0);
  CHECK(row.at("name") == "h.[0-2].mlp.fc.weight");
  CHECK(row.at("part") == "feed_forward");
}

TEST_CASE("packed numbers are counted unpacked, and scales are not counted", "[inputs]") {
  const Json gptq = reading_of(
      "l.q_proj.qweight (512, 4096) int32\nl.q_proj.qzeros (32, 512) int32\nl.q_proj.scales (32, 4096) float16\nl.q_proj.g_idx (4096,) "
      "int32");
  CHECK(total(gptq) == std::to_string(4096 * 4096));
  const Json packed = row(gptq, "tensors", "l.q_proj.qweight");
  CHECK(packed.at("kind") == "packed");
  CHECK(packed.at("stored") == std::to_string(512 * 4096));
  CHECK(packed.at("total") == std::to_string(4096 * 4096));
  CHECK_FALSE(row(gptq, "tensors", "l.q_proj.scales").contains("stored"));
  CHECK(total(gptq, "scales") == std::to_string(32 * 512 + 32 * 4096 + 4096));
  const Json nf4 = reading_of("l.weight (8388608, 1) uint8\nl.weight.absmax (262144,) uint8\nl.weight.quant_map (16,) float32");
  CHECK(total(nf4) == "16777216");
  const Json mxfp4 = reading_of("e.down_proj_blocks (32, 2880, 90, 16) uint8\ne.down_proj_scales (32, 2880, 90) uint8");
  CHECK(total(mxfp4) == std::to_string(32ULL * 2880 * 2880));
  const Json fp8 = reading_of("l.weight (256, 256) float8_e4m3fn\nl.weight_scale_inv (2, 2) float32\nl.inv_freq (8,)");
  CHECK(total(fp8) == "65536");
  CHECK(total(fp8, "scales") == "4");
  CHECK(total(fp8, "buffers") == "8");
}

TEST_CASE("bytes are added up if the types of all tensors are known", "[inputs]") {
  const Json known = reading_of("a.weight (2, 2) float32\nb.q_proj.weight (3, 2) float16");
  CHECK(total(known, "bytes") == std::to_string(4 * 4 + 6 * 2));
  CHECK(known.at("parts") == Json::parse(R"([{"part":"attention","parameters":"6"},{"part":"other","parameters":"4"}])"));
  for (const std::string list : {"a.weight (2, 2) float32\nb.weight (3,)", "b.weight (3,)\na.weight (2, 2) float32"}) {
    const Json unknown = reading_of(list);
    CHECK_FALSE(unknown.at("totals").contains("bytes"));
    CHECK(total(unknown) == "7");
    CHECK(unknown.at("dtypes") == Json::parse(R"([{"dtype":"F32","tensors":"1","elements":"4","bytes":"16"}])"));
  }
}

TEST_CASE("the numbers in packed elements follow from scales, zero points and types", "[inputs]") {
  const auto numbers = [](const std::string& list) { return std::stoull(total(reading_of(list))); };
  // GPTQ and AWQ: 8 numbers of 4 bits in 32 bits, unless the type, or scales and zero points, show otherwise.
  CHECK(numbers("l.qweight (4, 4) int32\nl.bias (2,)") == 16 * 8 + 2);
  CHECK(numbers("l.qweight (4, 4)\nl.bias (2,)") == 16 * 8 + 2);
  CHECK(numbers("l.qweight (4, 4) float16\nl.bias (2,)") == 16 + 2);
  CHECK(numbers("l.qweight (4, 4) int32\nl.qzeros (1, 2) int32\nl.scales (1, 32) float16") == 16 * 16);
  CHECK(numbers("l.qweight (4, 4) int32\nl.qzeros (1, 6) int32\nl.scales (1, 64) float16") == 16 * 8);
  CHECK(numbers("l.qweight (4, 4) int32\nl.qzeros (1, 1) int32\nl.scales (1, 32) float16") == 16 * 32);
  CHECK(numbers("l.qweight (4, 4) int32\nl.qzeros (1, 1) int32\nl.scales (1, 33) float16") == 16);  // 32 bits hold at most 32 numbers
  // compressed-tensors: words or bytes.
  CHECK(numbers("l.weight_packed (4, 4) int32\nl.weight_scale (4, 1) float16") == 16 * 8);
  CHECK(numbers("l.weight_packed (4, 4) uint8\nl.weight_scale (4, 1) float16") == 16 * 2);
  // MLX: one scale for every 64 numbers.
  CHECK(numbers("l.weight (8, 16) uint32\nl.scales (8, 2) float16\nl.biases (8, 2) float16") == 16 * 64);
  CHECK(numbers("l.weight (8, 16) uint32\nl.bias (2,)") == 8 * 16 + 2);
  CHECK(numbers("l.weight (8, 16) uint32\nl.scales (1, 3) float16") == 8 * 16);
  // NVFP4 has two levels of scales, and two numbers in a byte.
  CHECK(numbers("l.weight (8, 8) uint8\nl.weight_scale (8, 1) float8_e4m3fn\nl.weight_scale_2 () float32") == 64 * 2);
  CHECK(numbers("l.weight (8, 8) uint8\nl.weight_scale (8, 1) float8_e4m3fn") == 64);
  CHECK(numbers("e.down_proj_blocks (2, 4) uint8\ne.up_proj (2, 4)") == 16);
  const Json untrained = reading_of("mask (4, 4) bool\nl.ids (3,) int64\nl.weight (2, 2)");
  CHECK(total(untrained) == "4");
  CHECK(total(untrained, "buffers") == "19");
}

TEST_CASE("names of wrappers and of other modules around the model do not matter", "[inputs]") {
  const std::string config = config_of(
      "llama",
      {{"hidden_size", "8"}, {"intermediate_size", "16"}, {"num_hidden_layers", "4"}, {"vocab_size", "10"}, {"num_attention_heads", "2"}});
  const auto list = [](const std::string& prefix, const std::string& base, const std::string& q_layers) {
    const std::string layers = prefix + "model.layers.[0-3].";
    return prefix + "model.embed_tokens.weight: [10, 8]\n" + prefix + "model.norm.weight: [8]\n" + prefix + "lm_head.weight: [10, 8]\n" +
           prefix + "model.layers." + q_layers + ".self_attn.q_proj" + base + ".weight: [8, 8]\n" + layers +
           "self_attn.k_proj.weight: [8, 8]\n" + layers + "self_attn.v_proj.weight: [8, 8]\n" + layers +
           "self_attn.o_proj.weight: [8, 8]\n" + layers + "mlp.gate_proj.weight: [16, 8]\n" + layers + "mlp.up_proj.weight: [16, 8]\n" +
           layers + "mlp.down_proj.weight: [8, 16]\n" + layers + "input_layernorm.weight: [8]\n" + layers +
           "post_attention_layernorm.weight: [8]\n";
  };
  for (const std::string prefix : {"", "base_model.model.", "policy."}) {
    CAPTURE(prefix);
    CHECK(reading_of(list(prefix, "", "[0-3]"), config).at("check").at("agrees") == true);
    CHECK(reading_of(list(prefix, ".base_layer", "[0-3]"), config).at("check").at("agrees") == true);
  }
  const auto missing = [&](const std::string& given) {
    const Json check = reading_of(list("", "", given), config).at("check");
    REQUIRE(check.at("missing").size() == 1);
    return check.at("missing").at(0).at("name").get<std::string>() + ' ' + check.at("missing").at(0).at("total").get<std::string>();
  };
  CHECK(missing("[1-2]") == "model.layers.[0,3].self_attn.q_proj.weight 128");
  CHECK(missing("[0,2-3]") == "model.layers.1.self_attn.q_proj.weight 64");
  CHECK(missing("0") == "model.layers.[1-3].self_attn.q_proj.weight 192");
  // Layers that the model does not have.
  const Json more = reading_of(list("", "", "[0-5]"), config).at("check");
  REQUIRE(more.at("unexpected").size() == 1);
  CHECK(more.at("unexpected").at(0).at("total") == "128");
}

TEST_CASE("a list is compared with a configuration", "[inputs]") {
  const std::string config = config_of("llama", {{"hidden_size", "8"},
                                                 {"intermediate_size", "16"},
                                                 {"num_hidden_layers", "3"},
                                                 {"vocab_size", "10"},
                                                 {"num_attention_heads", "2"},
                                                 {"tie_word_embeddings", "true"}});
  std::string list = "model.embed_tokens.weight: [10, 8]\nmodel.norm.weight: [8]\n";
  for (const char* layer : {"0", "1", "2"}) {
    const std::string prefix = std::string("model.layers.") + layer;
    for (const char* head : {"q", "k", "v", "o"}) list += prefix + ".self_attn." + head + "_proj.weight: [8, 8]\n";
    for (const char* gate : {"gate", "up"}) list += prefix + ".mlp." + gate + "_proj.weight: [16, 8]\n";
    list += prefix + ".mlp.down_proj.weight: [8, 16]\n" + prefix + ".input_layernorm.weight: [8]\n" + prefix +
            ".post_attention_layernorm.weight: [8]\n";
  }
  const Json fine = reading_of(list, config).at("check");
  CHECK(fine.at("agrees") == true);
  CHECK(fine.at("totals").at("matched") == total(answer_to(config)));

  // A list of the backbone's tensors only, without the model's prefix.
  std::string bare = list;
  for (std::size_t at = 0; (at = bare.find("model.", at)) != std::string::npos;) bare.erase(at, 6);
  CHECK(reading_of(bare, config).at("check").at("agrees") == true);

  std::string other = list + "lm_head.weight: [10, 8]\nextra.weight: [3]\n";
  other.replace(other.find("model.layers.1.self_attn.q_proj.weight: [8, 8]\n"), 47, "");
  other.replace(other.find("model.norm.weight: [8]"), 22, "model.norm.weight: [9]");
  const Json found = reading_of(other, config).at("check");
  CHECK(found.at("agrees") == false);
  CHECK(found.at("missing").size() == 1);
  CHECK(row(found, "missing", "model.layers.1.self_attn.q_proj.weight").at("total") == "64");
  CHECK(found.at("unexpected").size() == 1);
  CHECK(row(found, "unexpected", "extra.weight").at("total") == "3");
  CHECK(row(found, "other_shape", "model.norm.weight").at("expected") == Json{8});
  CHECK(row(found, "tied_stored", "lm_head.weight").at("total") == "80");

  const Json refused = reading_of(list, R"({"model_type": "lama"})");
  CHECK(refused.at("check").at("error").at("code") == "unknown_architecture");
  CHECK(refused.at("check").at("error").at("nearest") == Json{"llama"});
  CHECK(total(refused, "elements") != "0");

  // If both files are passed in one request, the list is compared with the configuration.
  CHECK(reading_of({{"config.json", config}, {"list.txt", list}}).at("check").at("agrees") == true);
}

TEST_CASE("scales and adapters are not unexpected, and a stored buffer is expected", "[inputs]") {
  const std::string config = R"({"model_type": "chatglm", "num_layers": 1, "hidden_size": 8, "ffn_hidden_size": 16, "kv_channels": 4,
                                 "num_attention_heads": 2, "multi_query_attention": false, "padded_vocab_size": 10})";
  // Tensor names as in ChatGLM2-6B's files. With 2 heads of 4 dimensions, queries, keys and values have 24 rows together. Gate and up
  // projections are fused, which doubles the feed-forward width of 16.
  const std::string layer = "transformer.encoder.layers.0.", inv_freq = "transformer.rotary_pos_emb.inv_freq: [1]\n",
                    query = layer + "self_attention.query_key_value",
                    list = "transformer.embedding.word_embeddings.weight: [10, 8]\n" + layer + "input_layernorm.weight: [8]\n" + query +
                           ".weight: [24, 8]\n" + layer + "self_attention.dense.weight: [8, 8]\n" + layer +
                           "post_attention_layernorm.weight: [8]\n" + layer + "mlp.dense_h_to_4h.weight: [32, 8]\n" + layer +
                           "mlp.dense_4h_to_h.weight: [8, 16]\ntransformer.encoder.final_layernorm.weight: [8]\n"
                           "transformer.output_layer.weight: [10, 8]\n";
  CHECK(reading_of(list + inv_freq, config).at("check").at("agrees") == true);
  const Json without = reading_of(list, config).at("check");
  CHECK(without.at("agrees") == false);
  REQUIRE(without.at("missing").size() == 1);
  CHECK(without.at("missing").at(0).at("name") == "transformer.rotary_pos_emb.inv_freq");

  const Json more = reading_of(list + inv_freq + query + ".weight_scale_inv: [1, 1]\n" + query + ".lora_A.weight: [2, 8]\n" + query +
                                   ".lora_B.weight: [24, 2]\n",
                               config)
                        .at("check");
  CHECK(more.at("unexpected").empty());
  CHECK(more.at("agrees") == true);
}

TEST_CASE("an invalid request is refused", "[inputs]") {
  CHECK(parsed(read("")).at("ok") == false);
  CHECK(parsed(read("{}\n")).at("what") == "empty");
  CHECK(parsed(read("{\"files\":[{\"bytes\":9}]}\nabc")).at("error").at("code") == "wrong_type");
  CHECK(parsed(read("{\"files\":[{\"bytes\":-1}]}\nabc")).at("error").at("code") == "wrong_type");
  CHECK(parsed(read("{\"files\":[{}]}\nabc")).at("error").at("code") == "wrong_type");
}

TEST_CASE("a defect of a request is named", "[inputs]") {
  const auto defect = [](const std::string& request) {
    const Json answer = parsed(read(request));
    REQUIRE(answer.at("ok") == false);
    return answer.at("error").at("message").get<std::string>();
  };
  CHECK(defect("{}") == "The request of `read` has no first line.");
  CHECK(defect("{\"files\":[{\"bytes\":4}]}\nabc") == "The request of `read` is shorter than it says.");
  for (const char* file : {"{}", "{\"bytes\":-1}", "{\"bytes\":\"3\"}", "{\"bytes\":3,\"size\":-1}"})
    CHECK(defect(std::string("{\"files\":[") + file + "]}\nabc") == "The request of `read` lacks a number of bytes.");
  for (const char* piece : {"[1]", "[1,\"1\"]", "[\"1\",1]", "[1,1,1]"})
    CHECK(defect(std::string("{\"files\":[{\"bytes\":1,\"further\":[") + piece + "]}]}\nabc") ==
          "The request of `read` has an invalid piece.");
  CHECK(defect("{\"fields\":[1]}\n") == "The request of `read` has fields that are not an object.");
  CHECK(parsed(read("{\"files\":[{\"bytes\":3}]}\nabc")).at("ok") == true);
}

TEST_CASE("a file that is neither a list nor a configuration is reported", "[inputs]") {
  const InputFile list{"list.txt", "a.weight [4]\nb.weight [2]\n", {}}, words{"notes.txt", "some words about the model", {}};
  CHECK(problems_of(reading_of({list, words})) == "\"notes.txt\" is neither a list of tensors nor a config.json.\n");
  CHECK(problems_of(reading_of({words, list})) == "\"notes.txt\" is neither a list of tensors nor a config.json.\n");
  CHECK(total(reading_of({words, list})) == "6");
  CHECK(reading_of({words}).at("what") == "words");
  CHECK(reading_of({words, {"config.json", R"({"model_type": "llama"})", {}}}).at("kind") == "config");
}

TEST_CASE("a list of files is refused with its totals", "[inputs]") {
  const auto said = [](const std::string& text) {
    const Json reading = reading_of(text);
    return reading.at("ok").get<bool>() ? reading.dump() : reading.at("error").at("message").get<std::string>();
  };
  const std::string begin = "That lists 2 files of weights, of 9,976,576,392 bytes together",
                    end =
                        ". Sizes do not determine the tensors. Give the files themselves (only their headers are read), their index or "
                        "config.json, or check that number of bytes against a model.";
  const auto plain = [](std::string text) {
    std::string out;
    for (const char c : text)
      if (static_cast<unsigned char>(c) >= ' ') out += c;
    return out;
  };
  CHECK(plain(said("total 9743000\n-rw-r--r-- 1 root root        654 Apr 18 12:00 config.json\n"
                   "-rw-r--r-- 1 root root 4976698672 Apr 18 12:00 model-00001-of-00004.safetensors\n"
                   "-rw-r--r-- 1 root root 4999877720 Apr 18 12:00 model-00002-of-00004.safetensors\n")) == begin + ", out of 4" + end);
  CHECK(plain(said("4976698672\tmodel-a.safetensors\n4999877720\tmodel-b.safetensors\n654\tconfig.json\n")) == begin + end);
  // All shards are listed, so none is missing.
  CHECK(plain(said("4976698672\tmodel-00001-of-00002.safetensors\n4999877720\tmodel-00002-of-00002.safetensors\n")) == begin + end);
  const std::string rounded = said("-rw-r--r-- 1 root root 4.7G Apr 18 12:00 model.gguf\nmodel-2.gguf");
  CHECK(rounded ==
        "That lists 2 files of weights. Names do not determine the tensors. Give the files themselves (only their headers are "
        "read), their index or config.json.");
  // A tensor name is not mistaken for a file name, even if it contains ".bin".
  CHECK(reading_of("a.weight 12\nb.bin.weight 4\n").value("kind", "") == "tensor_list");
}

}  // namespace param_ledger::test
