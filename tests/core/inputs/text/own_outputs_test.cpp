// Passes the program's own output to it as input. It must be read, or refused with a message that says where it comes from.

#include "core/support/text.hpp"
#include "tests/support/reading.hpp"

namespace param_ledger::test {

namespace {

/// The JavaScript package's count of a small model: parameters, a tied head, a buffer, and a tensor that only published files contain.
constexpr const char* answer = R"({
  "ok": true,
  "version": "0.1.0",
  "model_type": "llama",
  "totals": { "parameters": "3220" },
  "tensors": [
    { "name": "embed.weight", "shape": [2, 10], "kind": "parameter", "copies": "1", "elements": "20", "total": "20" },
    { "name": "layers.[0-31].mlp.weight", "shape": [10, 10], "kind": "parameter", "copies": "32", "elements": "100", "total": "3200" },
    { "name": "lm_head.weight", "shape": [2, 10], "kind": "tied", "copies": "1", "elements": "20", "total": "20" },
    { "name": "mtp.weight", "shape": [7], "kind": "published", "copies": "1", "elements": "7", "total": "7" },
    { "name": "inv_freq", "shape": [5], "kind": "buffer", "copies": "1", "elements": "5", "total": "5" }
  ]
})";

constexpr const char* rows = R"(embed.weight,parameter,embedding,2 x 10,1,20,20,20,V × d,2 × 10,,
layers.[0-31].mlp.weight,parameter,feed_forward,10 x 10,32,100,3200,3200,"L·(d²), twice",32·(10²),,
lm_head.weight,tied,output_head,2 x 10,1,20,20,20,V × d,2 × 10,embed.weight,
inv_freq,buffer,attention,5,1,5,5,5,h,5,,
)";

}  // namespace

TEST_CASE("this program's JSON answer gives its model", "[inputs]") {
  const Json reading = reading_of(answer);
  CHECK(problems_of(reading).empty());
  CHECK(total(reading) == "3220");
  CHECK(total(reading, "buffers") == "5");
  CHECK(row(reading, "tensors", "layers.[0-31].mlp.weight").at("copies") == "32");
  const Json llama = reading_of(text_of("own_llama.json"));
  CHECK(problems_of(llama).empty());
  CHECK(total(llama) == "8030261248");
}

TEST_CASE("answers without tensors are refused by name", "[inputs]") {
  for (const std::string text : {R"({"ok":true,"model_type":"llama","weights":{"bytes":"5"}})",
                                 R"({ "ok": false, "error": {"code": "x"} })", R"({"ok":true,"tensors":[{"name":"a"}]})"}) {
    CAPTURE(text);
    const Json reading = reading_of(text);
    CHECK(reading.at("ok") == false);
    CHECK(reading.at("error").at("message").get<std::string>().find("This answer of Param Ledger") != std::string::npos);
  }
}

TEST_CASE("this program's tables give their model", "[inputs]") {
  const std::string csv = std::string("name,kind,part,shape,copies,elements,total,active,formula,substitution,tied_to,reason\n") + rows;
  std::string spreadsheet = "\xef\xbb\xbf" + csv;
  for (std::size_t at = 0; (at = spreadsheet.find('\n', at)) != std::string::npos; at += 2) spreadsheet.replace(at, 1, "\r\n");
  std::string tabs = "name\tkind\tpart\tshape\tcopies\telements\nembed.weight\tparameter\tembedding\t2 x 10\t1\t=\"20\"\n";
  tabs += "layers.[0-31].mlp.weight\tparameter\tfeed_forward\t10 x 10\t32\t100\n";
  const std::string markdown =
      "**Small**: 3,220 parameters (LlamaForCausalLM)\n\n"
      "| tensor | part | shape | formula | with numbers | copies | total |\n| --- | --- | --- | --- | --- | ---: | ---: |\n"
      "| `embed.weight` | embedding | 2 × 10 | `V × d` | 2 × 10 | 1 | 20 |\n"
      "| `layers.[0-31].mlp.weight` | feed-forward | 10 × 10 | `a\\|b` | 32·10² | 32 | 3,200 |\n"
      "| `lm_head.weight` (tied) | output head | 2 × 10 | `V × d` | 2 × 10 | 1 | – |\n"
      "| **total** | | | | | | **3,220** |\n";
  for (const std::string& table : {csv, spreadsheet, tabs, markdown}) {
    CAPTURE(table);
    const Json reading = reading_of(table);
    CHECK(problems_of(reading).empty());
    CHECK(total(reading) == "3220");
  }
  CHECK(total(reading_of("name,kind,part,shape,elements\na.weight,parameter,embedding,1024 x 4,4096\nb,parameter,norm,,1\n")) == "4097");
}

TEST_CASE("a contradictory row of a table is reported", "[inputs]") {
  const std::string heading = "name,kind,part,shape,copies,elements\n";
  CHECK(problems_of(reading_of(heading + "a.weight,parameter,norm,5,1,6\n")) ==
        "2: \"a.weight\" has a shape of 5 elements, but gives 6.\n");
  CHECK(problems_of(reading_of(heading + "a.[0-3].weight,parameter,norm,5,3,5\n")) ==
        "2: \"a.[0-3].weight\" names 4 tensors, but gives 3.\n");
  CHECK(reading_of(heading + "a.weight,parameter,norm\n").at("partial") == true);
  CHECK(reading_of(heading + "a.[0-99999999].[0-99999999].weight,parameter,norm,5,1,5\n").at("partial") == true);
}

TEST_CASE("names without shapes are refused", "[inputs]") {
  const Json reading = reading_of("model.embed_tokens.weight\nmodel.layers.0.input_layernorm.weight\nmodel.layers.0.mlp.up_proj.weight\n");
  CHECK(reading.at("ok") == false);
  CHECK(reading.at("error").at("message").get<std::string>().find("the names of 3 tensors") != std::string::npos);
}

TEST_CASE("a list is one of names if it has more than two names, and more than four for each other line", "[inputs]") {
  const auto is_list = [](const std::string& text) { return holds(reading_of(text).dump(), "These are the names of"); };
  const std::string name = "model.norm.weight\n";
  CHECK(is_list(name + name + name));
  CHECK_FALSE(is_list(name + name));
  CHECK_FALSE(is_list(name + name + name + "and others\n"));
  CHECK_FALSE(is_list(name + name + name + name + "and others\n"));
  CHECK(is_list(name + name + name + name + name + "and others\n"));
  // Some names are recognised by their last word, others because they contain a list of layers or a norm.
  for (const std::string written :
       {"a.bias", "a.q_proj", "a.A_log", "a.layers.0", "a.h.0", "a.blocks.0", "a.norm_1", "a-b.layers.[0,2-3].c"})
    CHECK(is_list(written + "\n\n" + written + "\n" + written + "\n"));
  for (const std::string other : {"weight", "a..weight", ".weight", "a.b", "a (b).weight"})
    CHECK_FALSE(is_list(other + "\n" + other + "\n" + other + "\n"));
}

TEST_CASE("a name without an index may stand for several tensors", "[inputs]") {
  const std::string heading = "name,kind,part,shape,copies,elements\n";
  const Json reading = reading_of(heading + "a.weight,parameter,norm,5,3,5\nb.weight,buffer,norm,2,2,2\n");
  CHECK(problems_of(reading).empty());
  CHECK(total(reading) == "15");
  CHECK(total(reading, "buffers") == "4");
  // 2^64 copies are too many to be counted.
  CHECK(problems_of(reading_of(heading + "a.weight,parameter,norm,5,18446744073709551616,5\n")) ==
        "2: \"a.weight\" names 1 tensors, but gives 18,446,744,073,709,551,616.\n");
}

TEST_CASE("a row of a table in Markdown says what kind of tensor it is", "[inputs]") {
  const Json reading = reading_of(
      "| tensor | part | shape | formula |\n| --- | --- | --- | --- |\n"
      "| `a.weight` | norm | 5 | d |\n| `b.weight` (buffer) | norm | 4 | d |\n| `c.weight` (published) | norm | 3 | d |\n"
      "| `d.weight` (possible) | norm | 2 | d |\n| `e.weight` (unknown) | norm | 1 | d |\n");
  CHECK(problems_of(reading).empty());
  CHECK(total(reading) == "6");
  CHECK(total(reading, "buffers") == "4");
}

TEST_CASE("an answer that omits tensors says so", "[inputs]") {
  const Json reading = reading_of(R"({"ok":true,"tensors":[{"name":"a.weight","shape":[5]}],"tensors_left_out":3})");
  CHECK(total(reading) == "5");
  CHECK(holds(problems_of(reading), "The answer omits tensors."));
}

}  // namespace param_ledger::test
