// Reads headers of GGUF files: those that the gguf package wrote for small models (tests/data/gguf.jsonl.gz), and valid and invalid ones
// that this file assembles.

#include <sstream>

#include "tests/support/reading.hpp"

namespace param_ledger::test {

namespace {

struct Head {
  Json about;
  std::string bytes;
};

const std::vector<Head>& heads() {
  static const std::vector<Head> all = [] {
    std::vector<Head> out;
    std::istringstream in(text_of("gguf.jsonl.gz"));
    for (std::string line; std::getline(in, line);) {
      Json about = parsed(line);
      std::string bytes = from_base64(about.at("head").get<std::string>());
      out.push_back({std::move(about), std::move(bytes)});
    }
    return out;
  }();
  return all;
}

Json read_head(const std::string& bytes, std::uint64_t size, const std::optional<std::string>& config = {}) {
  return reading_of({{"model.gguf", bytes, size}}, config);
}

}  // namespace

TEST_CASE("a GGUF file gives the configuration that it was converted from, to the last tensor", "[inputs][gguf]") {
  CHECK(heads().size() >= 80);
  for (const Head& head : heads()) {
    const std::string id = head.about.at("id").get<std::string>() + head.about.at("config").dump();
    CAPTURE(id);
    const Json reading = read_head(head.bytes, head.about.at("size").get<std::uint64_t>());
    CAPTURE(problems_of(reading));
    REQUIRE(reading.at("ok") == true);
    CHECK(reading.at("kind") == "gguf");
    CHECK(reading.at("partial") == false);
    CHECK(total(reading, "elements") == head.about.at("stored").dump());
    CHECK(total(reading, "bytes") == head.about.at("bytes").dump());
    REQUIRE(reading.contains("recognised"));
    const Json& recognised = reading.at("recognised");
    CAPTURE(recognised.dump());
    CHECK(recognised.at("agrees") == true);
    CHECK(recognised.at("model_type") == head.about.at("config").at("model_type"));
    const Json counted = answer_to(recognised.at("config").dump());
    CHECK(counted.at("totals").at("parameters") == head.about.at("parameters").dump());
    const auto parameters = head.about.at("parameters").get<std::uint64_t>(), beside = head.about.at("beside").get<std::uint64_t>();
    CHECK(total(reading) == std::to_string(parameters + beside));
    // The file must also agree with the configuration that it was converted from.
    const Json checked = read_head(head.bytes, head.about.at("size").get<std::uint64_t>(), head.about.at("config").dump());
    CHECK(checked.at("check").at("agrees") == true);
  }
}

namespace {

/// An integer as GGUF stores it: `length` bytes, little-endian.
std::string number(std::uint64_t value, unsigned length) {
  std::string out;
  for (unsigned i = 0; i < length; ++i) out += static_cast<char>(value >> (8 * i) & 255U);
  return out;
}
std::string text(const std::string& value) { return number(value.size(), 8) + value; }
std::string text_value(const std::string& key, const std::string& value) { return text(key) + number(8, 4) + text(value); }
std::string tensor(const std::string& name, const std::vector<std::uint64_t>& dims, std::uint64_t type, std::uint64_t at) {
  std::string out = text(name) + number(dims.size(), 4);
  for (const std::uint64_t dim : dims) out += number(dim, 8);
  return out + number(type, 4) + number(at, 8);
}
std::string gguf(std::uint64_t tensors, std::uint64_t values, const std::string& rest, std::uint64_t version = 3) {
  return "GGUF" + number(version, 4) + number(tensors, 8) + number(values, 8) + rest;
}
std::string refusal(const std::string& bytes, std::uint64_t size = 1'000'000) {
  return read_head(bytes, size).at("error").at("message").get<std::string>();
}

}  // namespace

TEST_CASE("a GGUF file of an unknown architecture gives tensors and bytes", "[inputs][gguf]") {
  const std::string head =
      gguf(2, 1,
           text_value("general.architecture", "clip") + tensor("v.a.weight", {64, 3}, 12 - 4, 0) + tensor("v.b.weight", {256, 2}, 12, 224));
  const Json reading = read_head(head, (head.size() + 31) / 32 * 32 + 512);
  CHECK(problems_of(reading).empty());
  CHECK_FALSE(reading.contains("recognised"));
  CHECK(reading.at("notes").at(0).get<std::string>().find("\"clip\"") != std::string::npos);
  CHECK(total(reading, "bytes") == std::to_string(64 * 3 / 32 * 34 + 256 * 2 / 256 * 144));
  CHECK(reading.at("tensors").at(0).at("shape") == Json({3, 64}));
  CHECK(reading.at("tensors").at(1).at("dtype") == "Q4_K");
}

TEST_CASE("an adapter in a GGUF file is not compared with a model", "[inputs][gguf]") {
  const std::string head = gguf(1, 2,
                                text_value("general.architecture", "llama") + text_value("general.type", "adapter") +
                                    tensor("blk.0.attn_q.weight.lora_a", {8}, 0, 0));
  const Json reading = read_head(head, (head.size() + 31) / 32 * 32 + 32);
  CHECK_FALSE(reading.contains("recognised"));
  CHECK(reading.at("notes").at(0) == "The file is an adapter. It does not contain the model that it belongs to.");
}

TEST_CASE("files that are not supported GGUF files are refused with the reason", "[inputs][gguf]") {
  CHECK(refusal(gguf(0, 0, "", 1)).find("version 1") != std::string::npos);
  CHECK(refusal(gguf(0, 0, "", 0x03000000)).find("big-endian") != std::string::npos);
  CHECK(refusal(gguf(0, 0, "", 4)).find("version 4") != std::string::npos);
  CHECK(refusal(gguf(std::uint64_t{1} << 60U, 0, ""), 24).find("beyond its end") != std::string::npos);
  CHECK(refusal(gguf(0, std::uint64_t{1} << 60U, ""), 24).find("beyond its end") != std::string::npos);
  CHECK(refusal(gguf(0, 1, number(std::uint64_t{1} << 62U, 8)), 32).find("A name of") != std::string::npos);
  CHECK(refusal(gguf(0, 1, text("k") + number(9, 4) + number(4, 4) + number(~std::uint64_t{0}, 8))).find("A list of") != std::string::npos);
  CHECK(refusal(gguf(0, 1, text("k") + number(77, 4))).find("the type 77") != std::string::npos);
  CHECK(refusal(gguf(0, 1, text("general.alignment") + number(4, 4) + number(0, 4))).find("aligned") != std::string::npos);
  CHECK(refusal(gguf(1, 0, text("a") + number(9, 4))).find("9 dimensions") != std::string::npos);
  std::string lists = text("k") + number(9, 4);
  for (int i = 0; i < 8; ++i) lists += number(9, 4) + number(1, 8);
  CHECK(refusal(gguf(0, 1, lists)).find("nested too deeply") != std::string::npos);
}

TEST_CASE("tensors that violate the GGUF format are reported", "[inputs][gguf]") {
  // The problems found in a GGUF file: a header, followed by `data` bytes of tensors.
  const auto told = [](const std::string& rest, std::uint64_t tensors = 1, std::uint64_t data = 32) {
    const std::string head = gguf(tensors, 0, rest);
    return problems_of(read_head(head, (head.size() + 31) / 32 * 32 + data));
  };
  CHECK(told(tensor("a", {8}, 0, 0)).empty());
  CHECK(told(tensor("a", {8}, 0, 0), 1, 96) == "The file has 64 bytes that belong to no tensor: its header lists too few tensors.\n");
  CHECK(told(tensor("a", {8}, 0, 0) + tensor("b", {8}, 0, 64), 2, 96) ==
        "The file has 32 bytes that belong to no tensor: its header lists too few tensors.\n");
  CHECK(told(tensor("a", {8}, 0, 8), 1, 40) == "\"a\" is not aligned.\n");
  CHECK(told(tensor("a", {8}, 5, 0)).find("is of the type 5") != std::string::npos);
  CHECK(told(tensor("a", {8}, 12, 0)).find("not a whole number of blocks") != std::string::npos);
  CHECK(told(tensor("a", {~std::uint64_t{0}, ~std::uint64_t{0}, 4}, 0, 0)).find("more elements than can be counted") != std::string::npos);
  CHECK(told(tensor("a", {std::uint64_t{1} << 62U}, 0, 0)).find("the end of the file") != std::string::npos);
  CHECK(told(tensor("a", {16}, 0, 0) + tensor("b", {16}, 0, 32), 2, 96) == "\"b\" overlaps the data before it in the file.\n");
  CHECK(told(tensor("a", {8}, 0, 0) + tensor("a", {8}, 0, 32), 2, 64) == "The tensor \"a\" occurs twice.\n");
  CHECK(told(tensor("a", {64}, 0, 0), 1, 200).find("The file ends") != std::string::npos);
}

TEST_CASE("a key that occurs twice in one GGUF file is reported", "[inputs][gguf]") {
  const std::string twice = text_value("general.architecture", "clip") + text_value("general.architecture", "llama");
  const std::string head = gguf(1, 2, twice + tensor("a", {8}, 0, 0));
  const Json reading = read_head(head, (head.size() + 31) / 32 * 32 + 32);
  CHECK(problems_of(reading) == "The key \"general.architecture\" occurs twice.\n");
  CHECK(reading.at("notes").at(0).get<std::string>().find("\"clip\"") != std::string::npos);  // the first value counts
}

TEST_CASE("tokens are not kept, and only the header is requested", "[inputs][gguf]") {
  std::string tokens;
  for (int i = 0; i < 256'000; ++i) tokens += text("token" + std::to_string(i));
  std::string file = gguf(1, 3,
                          text_value("general.architecture", "x") + text("tokenizer.ggml.tokens") + number(9, 4) + number(8, 4) +
                              number(256'000, 8) + tokens + text("tokenizer.ggml.scores") + number(9, 4) + number(6, 4) +
                              number(256'000, 8) + std::string(1'024'000, '\0') + tensor("a", {1024, 4096}, 0, 0));
  const std::uint64_t head = file.size();
  file.resize((head + 31) / 32 * 32 + 4096 * 4096, '\0');
  const auto [reading, asked] = reading_by_pieces("a.gguf", file);
  CHECK(problems_of(reading).empty());
  CHECK(total(reading) == "4194304");
  CHECK(asked < head);  // the tokenizer's scores are skipped
  CHECK(reading.at("metadata").at(1).at("value") == "a list of 256,000");
}

TEST_CASE("tensors that the conversion added are noted and not counted", "[inputs][gguf]") {
  std::string notes;
  for (const Head& head : heads()) {
    const Json reading = read_head(head.bytes, head.about.at("size").get<std::uint64_t>());
    for (const Json& note : reading.value("notes", Json::array())) notes += note.get<std::string>() + '\n';
  }
  CHECK(notes ==
        "\"rope_freqs.weight\" was added by the conversion: RoPE factors, which checkpoints do not store.\n"
        "\"rope_factors_long.weight\" was added by the conversion: RoPE factors, which checkpoints do not store.\n"
        "\"rope_factors_short.weight\" was added by the conversion: RoPE factors, which checkpoints do not store.\n"
        "\"output.weight\" is a copy made by the conversion: in the checkpoint it is tied to another tensor.\n"
        "\"rope_freqs.weight\" was added by the conversion: RoPE factors, which checkpoints do not store.\n");
}

TEST_CASE("GGUF files are shown under the checkpoint's names", "[inputs][gguf]") {
  for (const Head& head : heads()) {
    if (head.about.at("id") != "gpt-oss/gpt_oss") continue;
    const Json reading = read_head(head.bytes, head.about.at("size").get<std::uint64_t>());
    CHECK(row(reading, "tensors", "blk.[0-2].ffn_gate_exps.weight").at("checkpoint") == "model.layers.[0-2].mlp.experts.gate_up_proj");
    CHECK(row(reading, "tensors", "blk.[0-2].ffn_up_exps.weight").at("checkpoint") == "model.layers.[0-2].mlp.experts.gate_up_proj");
    CHECK(row(reading, "tensors", "blk.[0-2].attn_sinks.weight").at("checkpoint") == "model.layers.[0-2].self_attn.sinks");
  }
}

TEST_CASE("the two parts of a tensor that the conversion splits may have different types in each layer", "[inputs][gguf]") {
  for (const Head& head : heads()) {
    if (head.about.at("id") != "gpt-oss/gpt_oss") continue;
    // Q4_K (type 12) becomes Q4_0 (type 2), which needs the same number of bytes: in the first layer's gates, and in the last layer's ups.
    std::string bytes = head.bytes;
    for (const std::string name : {"blk.0.ffn_gate_exps.weight", "blk.2.ffn_up_exps.weight"}) {
      const std::size_t type = bytes.find(name) + name.size() + 4 + 3 * 8;
      REQUIRE(bytes.at(type) == 12);
      bytes[type] = 2;
    }
    const Json reading = read_head(bytes, head.about.at("size").get<std::uint64_t>());
    CHECK(problems_of(reading).empty());
    CHECK(row(reading, "tensors", "blk.0.ffn_gate_exps.weight").at("dtype") == "Q4_0");
    CHECK(row(reading, "tensors", "blk.[0-1].ffn_up_exps.weight").at("dtype") == "Q4_K");
    CHECK(reading.at("recognised").at("agrees") == true);
  }
}

TEST_CASE("only a list of widths that ends with a larger one makes Gemma 4's last layers double-wide", "[inputs][gguf]") {
  const std::string key = "gemma4.feed_forward_length";
  bool found = false;
  for (const Head& head : heads()) {
    std::string bytes = head.bytes;
    const std::size_t type = bytes.find(key) + key.size(), values = type + 4 + 4 + 8;
    if (head.about.at("id") != "gemma4/gemma4_text" || bytes.at(type) != 9) continue;
    found = true;
    const auto is_double_wide = [&] {
      const Json reading = read_head(bytes, head.about.at("size").get<std::uint64_t>());
      return reading.at("recognised").at("config").value("use_double_wide_mlp", false);
    };
    CHECK(is_double_wide());
    for (std::size_t layer = 1; layer < 6; ++layer) bytes.replace(values + 4 * layer, 4, bytes, values, 4);
    CHECK_FALSE(is_double_wide());
  }
  CHECK(found);
}

TEST_CASE("names with marks in them are not tensors of a layer", "[inputs][gguf]") {
  const std::string marked = text_value("general.architecture", "llama") + tensor("blk.\x01.attn_q.weight", {64, 64}, 0, 0);
  CHECK(read_head(gguf(1, 1, marked), 1'000'000).at("recognised").at("unexpected").size() == 1);
  const Json listed = safetensors(R"({"model.layers.\u0001.mlp.gate_proj.weight":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4);
  CHECK(listed.at("ok") == true);
  const Json checked = reading_of({{"", R"({"model.layers.\u0001.mlp.gate_proj.weight": {"dtype": "F32", "shape": [1]}})", {}}},
                                  R"({"model_type": "llama"})");
  CHECK(checked.at("check").at("unexpected").size() == 1);
}

TEST_CASE("GGUF shards form one model", "[inputs][gguf]") {
  const auto shard = [](std::uint64_t no, const std::string& name) {
    return gguf(1, 3,
                text("split.count") + number(2, 4) + number(2, 2) + text("split.no") + number(2, 4) + number(no, 2) +
                    text("split.tensors.count") + number(5, 4) + number(2, 4) + tensor(name, {32}, 0, 0));
  };
  const std::uint64_t size = (shard(0, "a").size() + 31) / 32 * 32 + 128;
  const Json both = reading_of({{"m-00001-of-00002.gguf", shard(0, "a"), size}, {"m-00002-of-00002.gguf", shard(1, "b"), size}});
  CHECK(problems_of(both).empty());
  CHECK(total(both) == "64");
  CHECK(problems_of(reading_of({{"m-00001-of-00002.gguf", shard(0, "a"), 1000}})).find("Only 1 of 2 files") != std::string::npos);
  CHECK(problems_of(reading_of({{"1", shard(0, "a"), 1000}, {"2", shard(1, "a"), 1000}})).find("occurs twice") != std::string::npos);
}

}  // namespace param_ledger::test
