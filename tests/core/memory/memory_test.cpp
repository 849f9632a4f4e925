#include <array>

#include "tests/support/cost.hpp"
#include "tests/support/memory_answer.hpp"

// Tests the memory of a model in use against transformers' own forward pass and calculations by hand.

namespace param_ledger::test {

TEST_CASE("caches and operations are those of transformers") {
  const std::string text = text_of("cost.jsonl.gz");
  std::size_t cases = 0, caches_unknown = 0, compute_unknown = 0;
  for (std::size_t start = 0, end = 0; (end = text.find('\n', start)) != std::string::npos; start = end + 1) {
    const std::string line = text.substr(start, end - start);
    const CostVerdict verdict = compare_cost(line);
    INFO(line.substr(0, 200));
    CHECK(verdict.wrong == "");
    ++cases;
    caches_unknown += verdict.unknown.find("cache:") != std::string::npos;
    compute_unknown += verdict.unknown.find("compute:") != std::string::npos;
  }
  CHECK(cases >= 456);
  // The numbers of cases whose cache or operations are unknown must not change unnoticed.
  CHECK(caches_unknown == 6);
  CHECK(compute_unknown == 27);
}

TEST_CASE("the cache of a type that was not compared is unknown") {
  const Json cache = memory_answer(R"({"model_type":"dbrx"})").at("cache");
  CHECK(cache.at("known") == false);
  CHECK(cache.at("reason") == "The cache of dbrx is not known: it has not been compared with what transformers keeps.");
}

TEST_CASE("the cache of classes and switches that were not compared is unknown") {
  const auto known = [](const std::string& config) { return memory_answer(config).at("cache").at("known").get<bool>(); };
  CHECK(known(R"({"model_type":"whisper","architectures":["WhisperForCausalLM"]})"));
  CHECK_FALSE(known(R"({"model_type":"whisper","architectures":["WhisperModel"]})"));
  CHECK_FALSE(known(R"({"model_type":"bart","architectures":["BartForSequenceClassification"]})"));
  CHECK_FALSE(known(R"({"model_type":"gemma3n"})"));
  CHECK_FALSE(known(R"({"model_type":"mvp","architectures":["MvpForConditionalGeneration"]})"));
  CHECK(known(R"({"model_type":"bert","architectures":["BertLMHeadModel"]})"));
  CHECK_FALSE(known(R"({"model_type":"bert","architectures":["BertLMHeadModel"],"is_decoder":true})"));
}

TEST_CASE("unknown operations of a text model stay unknown inside another model") {
  const auto compute = [](const std::string& config) { return memory_answer(config).at("compute"); };
  const Json inside = compute(R"({"model_type":"llava","text_config":{"model_type":"llama4_text","num_hidden_layers":2}})");
  CHECK(inside.at("known") == false);
  CHECK(inside.at("reason") == compute(R"({"model_type":"llama4_text"})").at("reason"));
}

TEST_CASE("operations that are not counted are named") {
  const auto left_out = [](const std::string& config) { return memory_answer(config).at("compute").at("left_out"); };
  CHECK(left_out(R"({"model_type":"llama"})") == Json::array());
  CHECK(left_out(R"({"model_type":"mamba2"})") ==
        Json{"The additional operations of processing a prompt's recurrence in chunks. The recurrence is counted token by token."});
  CHECK(left_out(R"({"model_type":"llava"})") == Json{"Images and audio: their encoders, and merging their outputs with the text tokens."});
  CHECK(left_out(R"({"model_type":"whisper","architectures":["WhisperForCausalLM"]})") ==
        Json{"Attention to an encoder's output, which text alone does not use."});
}

TEST_CASE("a layer of Zamba2 multiplies only its own adapters") {
  // If each layer applied all adapters of its shared block, this would be 4,055,490,560 multiply-adds.
  const std::uint64_t kernels = 54ULL * (2 * 2560 + 2 * 64) * 4;  // convolutions along the sequence
  CHECK(memory_answer(R"({"model_type":"zamba2"})").at("compute").at("matrices") == std::to_string(3'843'153'920 + kernels));
}

TEST_CASE("an encoder's output is kept once, by hand") {
  // Whisper large-v3-turbo has 4 decoder layers with 20 heads of 64. It caches the keys and values of 1,500 encoder positions and of all
  // tokens so far, in two bytes each.
  const std::string whisper =
      R"({"model_type":"whisper","architectures":["WhisperForConditionalGeneration"],"d_model":1280,"decoder_attention_heads":20,)"
      R"("decoder_ffn_dim":5120,"decoder_layers":4,"encoder_attention_heads":20,"encoder_ffn_dim":5120,"encoder_layers":32,)"
      R"("num_mel_bins":128,"vocab_size":51866})";
  const auto kept = [](const std::string& config, const std::string& options) {
    return memory_answer(config, options).at("cache").at("total").at("bytes").get<std::string>();
  };
  const auto bytes = [](std::uint64_t places) { return std::to_string(4 * 2 * 1280 * places * 2); };
  CHECK(kept(whisper, R"("tokens":448)") == bytes(1500 + 448));
  CHECK_FALSE(memory_answer(whisper).contains("source"));
  // Per layer: the query and output projections of both attentions, the key and value projections of self-attention, and the feed-forward
  // block. After the layers: the head.
  const std::uint64_t d = 1280, matrices = 4 * (6 * d * d + 2 * d * 5120) + 51866 * d, read = 4 * 2 * d * 1500;
  const Json compute = memory_answer(whisper, R"("tokens":1)").at("compute");
  CHECK(compute.at("matrices") == std::to_string(matrices));
  CHECK(compute.at("next") == std::to_string(2 * (matrices + read + 4 * 2 * d * 2)));
  // The backward pass takes twice the operations of the forward pass, because it computes gradients of both inputs and weights.
  CHECK(compute.at("training") == std::to_string(3 * std::stoull(compute.at("prompt").get<std::string>())));
  CHECK(compute.at("prompt") == std::to_string(2 * (matrices + read + 4 * 2 * d + 4 * 2 * d * d * 1500)));
  // T5 small has 6 layers with 8 heads of 64. By default, the source is as long as the context.
  const std::string t5 = R"({"model_type":"t5","architectures":["T5ForConditionalGeneration"]})";
  const auto t5_bytes = [](std::uint64_t places) { return std::to_string(6 * 2 * 512 * places * 2); };
  CHECK(kept(t5, R"("tokens":100,"source":13)") == t5_bytes(113));
  CHECK(kept(t5, R"("tokens":100)") == t5_bytes(200));
  CHECK(memory_answer(t5, R"("tokens":100,"source":13)").at("source") == "13");
  CHECK(memory_answer(t5, R"("tokens":100,"source":0)").at("error").at("field") == "source");
}

TEST_CASE("the longest context fits, but one more token does not") {
  const auto need = [](const std::string& config, std::uint64_t tokens) {
    return std::stoull(memory_answer(config, "\"tokens\":" + std::to_string(tokens)).at("need").at("bytes").get<std::string>());
  };
  for (const std::string& config : {std::string(R"({"model_type":"llama"})"), std::string(R"({"model_type":"gemma3_text"})"),
                                    std::string(R"({"model_type":"deepseek_v3"})"), std::string(R"({"model_type":"falcon_h1"})"),
                                    std::string(R"({"model_type":"deepseek_v4"})"), std::string(R"({"model_type":"cpmant"})")}) {
    const std::uint64_t room = need(config, 12'345) + 1;
    const Json answer = memory_answer(config, "\"room\":\"" + std::to_string(room) + "\"").at("room");
    const std::uint64_t longest = std::stoull(answer.at("longest").get<std::string>());
    INFO(config << " " << longest);
    CHECK(longest >= 12'345);
    CHECK(need(config, longest) <= room);
    CHECK(need(config, longest + 1) > room);
  }
  CHECK(memory_answer(R"({"model_type":"mamba2"})", R"("room":"1000000000000")").at("room").at("unlimited") == true);
  CHECK(memory_answer(R"({"model_type":"mamba2"})", R"("room":"1152921504606846976")").at("ok") == true);  // 2^60
  CHECK(memory_answer(R"({"model_type":"mamba2"})", R"("room":"1152921504606846977")").at("error").at("field") == "room");
}

TEST_CASE("a model fits if it fills the room exactly") {
  const std::string config = R"({"model_type":"llama"})";
  const std::string need = memory_answer(config).at("need").at("bytes").get<std::string>();
  const auto room = [&](std::uint64_t bytes) { return memory_answer(config, "\"room\":\"" + std::to_string(bytes) + "\"").at("room"); };
  const Json exact = room(std::stoull(need)), less = room(std::stoull(need) - 1);
  CHECK(exact.at("fits") == true);
  CHECK(exact.at("left").at("bytes") == "0");
  CHECK(exact.at("longest") == "4096");
  CHECK(less.at("fits") == false);
  CHECK(less.at("missing").at("bytes") == "1");
}

TEST_CASE("the bars of a room are shares of the larger of what is needed and what is there") {
  // Without layers there is no cache. The weights are a table and a head of 64 × 128 and a norm of 128, in 16 bits.
  const std::string config = R"({"model_type":"llama","hidden_size":128,"num_hidden_layers":0,"num_attention_heads":2,"vocab_size":64})";
  constexpr int weights = 2 * (2 * 64 * 128 + 128);
  const auto bars = [](const std::string& model, int room, int devices) {
    const Json answer =
        memory_answer(model, "\"tokens\":64,\"room\":\"" + std::to_string(room) + "\",\"devices\":" + std::to_string(devices));
    const Json& drawn = answer.at("room");
    CHECK(drawn.at("total").at("bytes") == std::to_string(room * devices));
    CHECK(drawn.at("one").at("bytes") == std::to_string(room));
    return std::array{drawn.at("weights_share").get<int>(), drawn.at("cache_share").get<int>(), drawn.at("room_share").get<int>()};
  };
  CHECK(bars(config, 2 * weights, 1) == std::array{5000, 0, 10000});
  CHECK(bars(config, weights, 2) == std::array{5000, 0, 10000});
  CHECK(bars(config, weights / 4, 1) == std::array{10000, 0, 2500});
  // With one layer, 64 tokens have keys and values of 128 each in 16 bits: 32,768 bytes.
  const std::string layer = R"({"model_type":"llama","hidden_size":128,"intermediate_size":128,"num_hidden_layers":1,)"
                            R"("num_attention_heads":2,"vocab_size":64})";
  constexpr int with_layer = weights + 2 * (7 * 128 * 128 + 2 * 128), cache = 64 * 2 * 128 * 2;
  CHECK(bars(layer, with_layer + cache, 1) == std::array{static_cast<int>(with_layer * 10'000LL / (with_layer + cache)),
                                                         static_cast<int>(cache * 10'000LL / (with_layer + cache)), 10'000});
}

TEST_CASE("a context above the configured maximum is marked") {
  // Llama 2 7B in 16 bits. A token takes 2 × 4,096 × 32 layers × 2 bytes = 524,288 bytes of cache, so
  // (16,000,000,000 − 2 × 6,738,415,616) ÷ 524,288 = 4,812.56… tokens fit.
  const auto room = [](const std::string& field) {
    return memory_answer(R"({"model_type":"llama","torch_dtype":"bfloat16")" + field + "}", R"("room":"16000000000")").at("room");
  };
  CHECK(room("").at("longest") == "4812");
  CHECK_FALSE(room("").contains("beyond"));
  CHECK(room(R"(,"max_position_embeddings":4811)").at("beyond") == Json{{"field", "max_position_embeddings"}, {"tokens", "4811"}});
  CHECK_FALSE(room(R"(,"max_position_embeddings":4812)").contains("beyond"));
  CHECK_FALSE(room(R"(,"max_position_embeddings":-1)").contains("beyond"));
}

TEST_CASE("batch and beams are factors, and the cache's type is chosen") {
  const std::string config = R"({"model_type":"llama"})";
  const auto total = [&](const std::string& options) {
    return memory_answer(config, options).at("cache").at("total").at("bytes").get<std::string>();
  };
  // Keys and values of 32 layers, 32 heads of 128.
  CHECK(total(R"("tokens":1000)") == std::to_string(2ULL * 32 * 32 * 128 * 1000 * 2));
  CHECK(total(R"("tokens":1000,"batch":3,"beams":4)") == std::to_string(2ULL * 32 * 32 * 128 * 1000 * 2 * 12));
  CHECK(total(R"("tokens":1000,"cache":"fp8")") == std::to_string(2ULL * 32 * 32 * 128 * 1000));
  for (const char* wrong :
       {R"("tokens":0)", R"("batch":-1)", R"("tokens":1.5)", R"("cache":"int4")", R"("weights":"Q9")", R"("room":"12a")"})
    CHECK(memory_answer(config, wrong).at("ok") == false);
}

TEST_CASE("DeepSeek-V3 as published: eight bits, with a layer that inference does not load") {
  const std::string config = R"({"model_type":"deepseek_v3","torch_dtype":"bfloat16","num_nextn_predict_layers":1,)"
                             R"("quantization_config":{"quant_method":"fp8","weight_block_size":[128,128],"fmt":"e4m3"}})";
  const Json answer = memory_answer(config, R"("tokens":32768,"room":"141000000000","devices":8)");
  const Json& w = answer.at("weights");
  // Of 671,026,404,352 parameters, the table and the head (2 × 926,679,040), norms and routers have 16 bits and the others 8. Scales have
  // 32 bits.
  std::uint64_t eight = 0, sixteen = 0, scales = 0, in_files = 0;
  for (const Json& row : w.at("rows")) {
    const std::uint64_t elements = std::stoull(row.at("elements").get<std::string>());
    const std::string format = row.at("format").get<std::string>();
    if (format == "float32") in_files += elements;
    if (row.contains("loaded")) continue;
    (format == "float8" ? eight : format == "bfloat16" ? sixteen : scales) += elements;
  }
  CHECK(eight + sixteen == 671'026'404'352);
  CHECK(scales == 40'838'232 + 14'848);  // and the routers' score corrections
  CHECK(in_files == 41'555'600);         // as the Hub lists them
  CHECK(w.at("loaded").at("bytes") == std::to_string(eight + 2 * sixteen + 4 * scales));
  CHECK(answer.at("room").at("fits") == true);
  CHECK(answer.at("cache").at("per_token") == std::to_string(61 * (512 + 64) * 2));
  CHECK(memory_answer(config, R"("tokens":32768,"room":"80000000000","devices":8)").at("room").at("fits") == false);
  // If the bytes cannot be divided evenly, a device's share is rounded up to whole bytes.
  const Json seven = memory_answer(config, R"("tokens":32768,"room":"141000000000","devices":7)");
  const std::uint64_t needed = std::stoull(seven.at("need").at("bytes").get<std::string>());
  REQUIRE(needed % 7 != 0);
  CHECK(seven.at("room").at("share").at("bytes") == std::to_string((needed + 6) / 7));
}

}  // namespace param_ledger::test
