#include "core/claims/claim_text.hpp"

#include "core/support/error.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// The claims of a text, each as "low–high unit flags".
std::string read(std::string_view text) {
  std::string out;
  for (const Claim& c : read_claims(text)) {
    if (!out.empty()) out += "; ";
    out += digits(c.number.low);
    if (!c.number.exact()) out += '-' + digits(c.number.high);
    if (c.unit != Unit::parameters) out += ' ' + std::string(spelling(c.unit));
    if (c.number.subject == subject::active) out += " active";
    if (c.number.subject == subject::no_embeddings) out += " non-embedding";
    if (c.trainable) out += " trainable";
    if (c.whole) out += " whole";
    if (c.training) out += " training";
    if (c.per_token) out += " per token";
    if (c.states) out += " states";
    if (c.tokens > 0) out += " at " + digits(c.tokens);
    if (c.other_tokens != c.tokens) out += " or " + digits(c.other_tokens);
    if (!c.number.format.empty()) out += " in " + c.number.format;
    if (c.batch > 1) out += " x " + digits(c.batch);
    if (c.experts > 0) out += " of " + digits(c.experts) + " experts";
  }
  return out;
}

std::string refusal(std::string_view text) {
  try {
    return read(text);
  } catch (const Error& e) {
    return e.field == "claim" ? e.message : "another error";
  }
}

}  // namespace

TEST_CASE("each number of a sentence is read with its words", "[claim_text]") {
  const std::string deepseek = "670500000000-671500000000 whole; 36500000000-37500000000 active";
  CHECK(read("671B total, 37B activated") == deepseek);
  CHECK(read("671B total parameters with 37B activated for each token") == deepseek);
  CHECK(read("DeepSeek-V3 has 671B total parameters, of which 37B are activated.") == deepseek);
  CHECK(read("total: 671B\nactive: 37B") == deepseek);
  CHECK(read("671B (total), 37B (activated)") == deepseek);
  CHECK(read("Total parameters 671B and 37B active parameters") == deepseek);
  CHECK(read("**671B** total / **37B** active") == deepseek);
  CHECK(read("8.03B, 13.5 GB") == "8025000000-8035000000; 13450000000-13550000000 bytes");
}

TEST_CASE("a text of 4,000 characters is read, and a longer one is refused", "[claim_text]") {
  CHECK(read("7B" + std::string(3998, ' ')) == "6500000000-7500000000");
  CHECK(refusal("7B" + std::string(3999, ' ')) == "A claim may have at most 4,000 characters.");
}

TEST_CASE("peft's line is three numbers", "[claim_text]") {
  CHECK(read("trainable params: 41,943,040 || all params: 8,072,204,288 || trainable%: 0.5196") ==
        "41943040 trainable; 8072204288 whole; 519550-519650 percent trainable");
  CHECK(read("0.52 %") == "515000-525000 percent");
}

TEST_CASE("tables of model cards are read by column and by row", "[claim_text]") {
  CHECK(read("| Model | #Total Params | #Activated Params | Context Length |\n"
             "| :---: | :---: | :---: | :---: |\n"
             "| DeepSeek-V3 | 671B | 37B | 128K |\n") == "670500000000-671500000000 whole; 36500000000-37500000000 active");
  CHECK(read("| | |\n|:---|:---|\n| Total Parameters | 1T |\n| Activated Parameters | 32B |\n| Number of Layers | 61 |") ==
        "500000000000-1500000000000 whole; 31500000000-32500000000 active");
  CHECK(read("Parameters: 30.5B\nParameters (Non-Embedding): 29.9B") == "30450000000-30550000000; 29850000000-29950000000 non-embedding");
}

TEST_CASE("a cell of a table is read with its column and its row, unless these have digits", "[claim_text]") {
  CHECK(read("| Total | Active |\n|---|---|\n| 671B | 37B |") == "670500000000-671500000000 whole; 36500000000-37500000000 active");
  CHECK(read("Active | Total\n--- | ---\n37B | 671B") == "36500000000-37500000000 active; 670500000000-671500000000 whole");
  CHECK(read("| Active | 7B active |\n|---|---|\n| 3B | 9B |") == "2500000000-3500000000 active; 8500000000-9500000000");
  CHECK(read("| What | B |\n|---|---|\n| total | 3B |\n| V3 | 9B |") == "2500000000-3500000000 whole; 8500000000-9500000000");
  // After the table, cells are text again.
  CHECK(read("| Total |\n|---|\n| 3B |\n\n9B | active") == "2500000000-3500000000 whole; 8500000000-9500000000 active");
}

TEST_CASE("a unit in brackets belongs to the number after it", "[claim_text]") {
  CHECK(read("model_file_size (GB): 1.75") == "1745000000-1755000000 bytes");
  CHECK(read("| Model | Params (B) |\n|---|---|\n| Qwen3 | 8.2 |") == "8150000000-8250000000");
}

TEST_CASE("a unit may have two words", "[claim_text]") {
  CHECK(read("16 billion bytes, 7B") == "15500000000-16500000000 bytes; 6500000000-7500000000");
  CHECK(read("1 million byte, 7B") == "500000-1500000 bytes; 6500000000-7500000000");
  CHECK(read("70 trillion operations for 4096 tokens") == "69500000000000-70500000000000 operations at 4096");
  CHECK(read("70 trillion FLOPs for 4096 tokens") == "69500000000000-70500000000000 operations at 4096");
  CHECK(read("1.1 trillion parameters, 7B") == "1050000000000-1150000000000; 6500000000-7500000000");
}

TEST_CASE("numbers that count something else are left out", "[claim_text]") {
  CHECK(read("Llama 3.1 8B was trained on 15T tokens and has 8.03B parameters") == "7500000000-8500000000; 8025000000-8035000000");
  CHECK(read("Qwen2.5-72B: 72.7B, 80 layers, 128K context, 64 heads, 18T tokens") == "72650000000-72750000000");
  CHECK(read("V3-0324 has 671B total, 61 layers and 256 experts") == "670500000000-671500000000 whole");
}

TEST_CASE("sizes of mixtures, ranges, exponents and other notations are read", "[claim_text]") {
  CHECK(read("8x7B") == "6500000000-7500000000 of 8 experts");
  CHECK(read("8×22B") == "21500000000-22500000000 of 8 experts");
  CHECK(read("7-9B") == "7000000000-9000000000");
  CHECK(read("7B – 9B") == "7000000000-9000000000");
  CHECK(read("between 7B and 9B") == "7000000000-9000000000");
  CHECK(read("7B to 9B to 11B") == "7000000000-9000000000; 10500000000-11500000000");  // the end of a range does not begin another one
  CHECK(read("8.03 × 10⁹") == "8025000000-8035000000");
  CHECK(read("8,03 Mrd.") == "8025000000-8035000000");
  CHECK(read("8.030.261.248") == "8030261248");
  CHECK(read("6.738.415.616 parameters, 13,48 GB") == "6738415616; 13475000000-13485000000 bytes");
  CHECK(read("6,738 Milliarden Parameter") == "6737500000-6738500000");
  CHECK(read("6,738 million") == "6737500000-6738500000");
  CHECK(read("~8B") == "7500000000-8500000000");
  CHECK(read(".5B, 13.5 GB") == "450000000-550000000; 13450000000-13550000000 bytes");
}

TEST_CASE("claims about use give their unit, tokens and sequences", "[claim_text]") {
  CHECK(read("131,072 bytes per token") == "131072 bytes per token");
  CHECK(read("70.27 TFLOPs for 4,096 tokens") == "70265000000000-70275000000000 operations at 4096");
  CHECK(read("16 GiB of KV cache at 128k context") == "16642998272-17716740096 bytes at 131072 or 128000");
  CHECK(read("KV cache size for FP16: 128k tokens 15.62 GB") == "15615000000-15625000000 bytes at 131072 or 128000");
  CHECK(read("kv_size = 32768, type_k = 'q8_0', type_v = 'q8_0': KV self size = 4352.00 MiB") ==
        "4563397510-4563407994 bytes at 32768 in Q8_0");
  CHECK(read("training: 1721.22 TFLOPs for 8192 tokens, batch 4") == "1721215000000000-1721225000000000 operations training at 8192 x 4");
  CHECK(read("KV cache of 16384 MiB for 262,144 cells") == "17179344896-17180393472 bytes at 262144");
  CHECK(read("36 GiB of KV cache at 256K") == "38117834752-39191576576 bytes at 262144 or 256000");
  CHECK(read("598.50 MiB for 4 recurrent states") == "627567494-627577978 bytes states x 4");
  CHECK(read("156,893,184 bytes of state, a state of the art model of 27B") == "156893184 bytes states; 26500000000-27500000000");
  CHECK(read("2.5 PFLOPs for 4096 tokens") == "2450000000000000-2550000000000000 operations at 4096");
}

TEST_CASE("the type of a cache may be named anywhere in the text, but only one type", "[claim_text]") {
  CHECK(read("KV cache of 131072 bytes at 32 tokens. type_k = 'q8_0', type_v = 'q8_0'") == "131072 bytes at 32 in Q8_0");
  CHECK(read("KV cache of 131072 bytes at 32 tokens. type_k = 'q8_0', type_v = 'q4_0'") == "131072 bytes at 32");
  CHECK(read("KV cache in q4_0 of 131072 bytes at 32 tokens. The weights are in q8_0.") == "131072 bytes at 32 in Q4_0");
}

TEST_CASE("the number of sequences is named before or after it", "[claim_text]") {
  for (const char* text : {"batch 4", "batch size 4", "a batch of 4", "batch size of 4", "batch size: 4", "4 sequences"}) {
    CAPTURE(text);
    CHECK(read("KV cache of 131072 bytes at 32 tokens, " + std::string(text)) == "131072 bytes at 32 x 4");
  }
  CHECK(read("131072 bytes of states for 4 states") == "131072 bytes states x 4");
  CHECK(read("KV cache of 131072 bytes at 32 tokens, 4 heads") == "131072 bytes at 32");
}

TEST_CASE("the number of tokens is named before or after it", "[claim_text]") {
  for (const char* text : {"32 tokens", "32 token", "32 context", "32 ctx", "32 positions", "32 cells", "context 32", "context length 32",
                           "context of 32", "sequence length: 32", "seq_len=32", "n_ctx = 32", "kv_size = 32"}) {
    CAPTURE(text);
    CHECK(read("KV cache of 131072 bytes, " + std::string(text)) == "131072 bytes at 32");
  }
  // A share of the context is not a number of tokens.
  CHECK(read("KV cache of 131072 bytes, context 50%").find(" at ") == std::string::npos);
  CHECK(read("KV cache of 131072 bytes, context 50").ends_with(" at 50"));
  // Of two numbers of tokens, the one that is written nearer to the cache's size is meant.
  CHECK(read("1024 tokens. KV cache of 131072 bytes, 32 tokens") == "131072 bytes at 32");
  CHECK(read("KV cache of 131072 bytes, 2M tokens") == "131072 bytes at 2097152 or 2000000");
  CHECK(read("7B tokens/s and 8 GB/s, 9B") == "8500000000-9500000000");
}

TEST_CASE("text without a number, and units that do not fit, are refused by name", "[claim_text]") {
  CHECK(refusal("lots").find("contains no number") != std::string::npos);
  CHECK(refusal("70 GB of FLOPs") == "\"70 GB of FLOPs\" names bytes and operations. Write operations as FLOPs: 70.27 TFLOPs.");
  CHECK(refusal("70 TFLOPs of memory").find("names operations and memory") != std::string::npos);
  CHECK(refusal("from 9B to 7B").find("ends before it begins") != std::string::npos);
  CHECK_THROWS_AS(read_claims(std::string(5000, '1')), Error);
}

TEST_CASE("a number without words is read as a quantity", "[claim_text]") {
  for (const char* text : {"6.74B", "13.5 GB in fp16", "4.92 GB in Q4_K_M", "2^30", "37B activated", "6 738 411 520", "1.1 trillion"}) {
    const std::vector<Claim> claims = read_claims(text);
    REQUIRE(claims.size() == 1);
    CHECK(claims.front().number.text == text);
    CHECK(claims.front().number.low == read_quantity(text, "claim").low);
    CHECK(claims.front().number.subject == read_quantity(text, "claim").subject);
  }
  for (const char* text : {"7 bananas", "7 GB MB", "12 fp16 fp32", "0x10", "B"}) CHECK_THROWS_AS(read_claims(text), Error);
}

}  // namespace param_ledger::test
