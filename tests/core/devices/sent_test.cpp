#include <algorithm>

#include "tests/support/asked_devices.hpp"

// Tests what devices send each other. The expected values were derived by hand from Megatron-LM (Shoeybi et al. 2019), sequence parallelism
// (Korthikanti et al. 2022), GShard's experts (Lepikhin et al. 2020) and Megatron-Core's source.

using namespace param_ledger::test;

namespace {

using Lines = std::vector<std::string>;

/// The exchanges in an answer, one per line and sorted: "forward attention all_reduce 4096 x 32 among 8".
Lines sent(const std::string& config, const std::string& options) {
  Lines out;
  const Answer answer = asked(config, options);
  for (const Answer& one : answer.at("sent")) {
    const auto word = [&](const char* name) { return one.at(name).get<std::string>(); };
    out.push_back(word("pass") + " " + word("place") + " " + word("collective") + " " + word("elements") + " x " + word("times") +
                  " among " + word("among"));
  }
  std::sort(out.begin(), out.end());
  return out;
}

Lines sorted(Lines lines) {
  std::sort(lines.begin(), lines.end());
  return lines;
}

bool has(const Lines& lines, const std::string& line) { return std::find(lines.begin(), lines.end(), line) != lines.end(); }

}  // namespace

TEST_CASE("Llama sends two all-reduces of the hidden state for a layer, forward and backward") {
  // The forward pass has an all-reduce of the output of each row-parallel layer (Megatron-LM's g), and the backward pass has one of the
  // gradient of the input of each column-parallel layer (f).
  CHECK(sent(llama_8b, R"("plan":"megatron","tensor":8,"training":{})") ==
        sorted({"forward embedding all_reduce 4096 x 1 among 8", "forward attention all_reduce 4096 x 32 among 8",
                "forward feed_forward all_reduce 4096 x 32 among 8", "forward output_head all_reduce 1 x 3 among 8",
                "backward attention all_reduce 4096 x 32 among 8", "backward feed_forward all_reduce 4096 x 32 among 8",
                "backward output_head all_reduce 4096 x 1 among 8"}));
  CHECK(sent(llama_8b, R"("plan":"vllm","tensor":8,"pipeline":2)") ==
        sorted({"forward embedding all_reduce 4096 x 1 among 8", "forward attention all_reduce 4096 x 32 among 8",
                "forward feed_forward all_reduce 4096 x 32 among 8", "forward output_head all_gather 128256 x 1 among 8",
                "forward stages send 4096 x 1 among 2"}));
}

TEST_CASE("sequence parallelism replaces each all-reduce of Llama by a reduce-scatter and an all-gather") {
  CHECK(sent(llama_8b, R"("plan":"megatron","tensor":8,"sequence":true)") ==
        sorted({"forward embedding reduce_scatter 4096 x 1 among 8", "forward attention all_gather 4096 x 32 among 8",
                "forward attention reduce_scatter 4096 x 32 among 8", "forward feed_forward all_gather 4096 x 32 among 8",
                "forward feed_forward reduce_scatter 4096 x 32 among 8", "forward output_head all_gather 4096 x 1 among 8",
                "forward output_head all_gather 129024 x 1 among 8"}));
  // In the backward pass, all-gathers become reduce-scatters and vice versa, and a column-parallel layer gathers its input once more for
  // the gradient of its weight. All devices have the 65 norms, but each computes their gradients for its own tokens only.
  CHECK(sent(llama_8b, R"("plan":"megatron","tensor":8,"sequence":true,"training":{})") ==
        sorted({"forward embedding reduce_scatter 4096 x 1 among 8", "forward attention all_gather 4096 x 32 among 8",
                "forward attention reduce_scatter 4096 x 32 among 8", "forward feed_forward all_gather 4096 x 32 among 8",
                "forward feed_forward reduce_scatter 4096 x 32 among 8", "forward output_head all_gather 4096 x 1 among 8",
                "forward output_head all_reduce 1 x 3 among 8", "backward output_head reduce_scatter 4096 x 1 among 8",
                "backward output_head all_gather 4096 x 1 among 8", "backward feed_forward all_gather 4096 x 32 among 8",
                "backward feed_forward all_gather 4096 x 32 among 8", "backward feed_forward reduce_scatter 4096 x 32 among 8",
                "backward attention all_gather 4096 x 32 among 8", "backward attention all_gather 4096 x 32 among 8",
                "backward attention reduce_scatter 4096 x 32 among 8", "backward embedding all_gather 4096 x 1 among 8",
                "step replicated all_reduce 266240 x 1 among 8"}));
}

TEST_CASE("Mixtral sends each token to two experts, and seven of eight stand elsewhere") {
  // 2 · 4,096 · 7 / 8 = 7,168 elements are sent to experts on other devices, and as many back, in each of 32 layers. Without tensor
  // parallelism, nothing else is sent for a token.
  const std::uint64_t dense = 32ULL * (2 * 4096 * 4096 + 2 * 1024 * 4096) + 2 * 32000 * 4096 + 65 * 4096 + 32 * 8 * 4096;
  CHECK(sent(mixtral_8x7b, R"("plan":"megatron","expert":8,"training":{"stage":1},"data":2)") ==
        sorted({"forward experts all_to_all 7168 x 64 among 8", "backward experts all_to_all 7168 x 64 among 8",
                "step dense reduce_scatter " + std::to_string(dense) + " x 1 among 16",
                "step dense all_gather " + std::to_string(dense) + " x 1 among 16", "step experts reduce_scatter 5637144576 x 1 among 2",
                "step experts all_gather 5637144576 x 1 among 2"}));
}

TEST_CASE("Mixtral over two tensor devices splits tokens between the blocks, forward and backward") {
  const std::uint64_t split = 32ULL * (2 * 4096 * 4096 + 2 * 1024 * 4096) + 2 * 32000 * 4096;
  const std::uint64_t whole = 65 * 4096 + 32 * 8 * 4096;  // norms and routers
  const Lines lines = sent(mixtral_8x7b, R"("plan":"megatron","tensor":2,"expert":8,"training":{})");
  CHECK(lines == sorted({"forward embedding reduce_scatter 4096 x 1 among 2", "forward attention all_gather 4096 x 32 among 2",
                         "forward attention reduce_scatter 4096 x 32 among 2", "forward experts all_to_all 7168 x 64 among 8",
                         "forward output_head all_gather 4096 x 1 among 2", "forward output_head all_reduce 1 x 3 among 2",
                         "backward output_head reduce_scatter 4096 x 1 among 2", "backward output_head all_gather 4096 x 1 among 2",
                         "backward experts all_to_all 7168 x 64 among 8", "backward attention all_gather 4096 x 32 among 2",
                         "backward attention all_gather 4096 x 32 among 2", "backward attention reduce_scatter 4096 x 32 among 2",
                         "backward embedding all_gather 4096 x 1 among 2",
                         "step dense all_reduce " + std::to_string(split / 2 + whole) + " x 1 among 4",
                         "step replicated all_reduce " + std::to_string(whole) + " x 1 among 2"}));
}

TEST_CASE("DeepSeek-V3 gathers latents by Megatron-Core's plan, forward and backward") {
  // Source: multi_latent_attention.py. The hidden size is 7,168, and the query rank 1,536. The latent has 512 dimensions and 64 rotary
  // ones. Of the 61 layers, 3 are dense and 58 have experts. A token uses eight experts, and 7 of 8 are on other devices: 8 · 7,168 · 7 / 8
  // = 50,176.
  //
  // Forward pass: both down projections take all tokens' inputs (2 · 61), gather their outputs (1,536 and 576), and split those by tokens
  // again. The up projections take all tokens' latents (1,536 and 512).
  const Lines forward = {"forward embedding reduce_scatter 7168 x 1 among 8",       "forward attention all_gather 7168 x 122 among 8",
                         "forward attention all_gather 1536 x 61 among 8",          "forward attention all_gather 576 x 61 among 8",
                         "forward attention all_gather 1536 x 61 among 8",          "forward attention all_gather 512 x 61 among 8",
                         "forward attention reduce_scatter 7168 x 61 among 8",      "forward feed_forward all_gather 7168 x 3 among 8",
                         "forward feed_forward reduce_scatter 7168 x 3 among 8",    "forward shared_experts all_gather 7168 x 58 among 8",
                         "forward shared_experts reduce_scatter 7168 x 58 among 8", "forward experts all_to_all 50176 x 116 among 8",
                         "forward output_head all_gather 7168 x 1 among 8"};
  const std::string options = R"("plan":"megatron","tensor":8,"expert":8)";
  Lines inference = forward;
  inference.emplace_back("forward output_head all_gather 130048 x 1 among 8");
  CHECK(sent(deepseek, options) == sorted(inference));
  // Backward pass: each column-parallel layer sums the gradient of its input by a reduce-scatter, and gathers the input again for the
  // gradient of its weight. Each row-parallel layer gathers the gradient of its output. Where latents were split by tokens, their gradients
  // are gathered.
  Lines training = forward;
  for (const char* const line : {"forward output_head all_reduce 1 x 3 among 8",
                                 "backward output_head reduce_scatter 7168 x 1 among 8",
                                 "backward output_head all_gather 7168 x 1 among 8",
                                 "backward experts all_to_all 50176 x 116 among 8",
                                 "backward shared_experts all_gather 7168 x 58 among 8",
                                 "backward shared_experts all_gather 7168 x 58 among 8",
                                 "backward shared_experts reduce_scatter 7168 x 58 among 8",
                                 "backward feed_forward all_gather 7168 x 3 among 8",
                                 "backward feed_forward all_gather 7168 x 3 among 8",
                                 "backward feed_forward reduce_scatter 7168 x 3 among 8",
                                 "backward attention all_gather 7168 x 61 among 8",
                                 "backward attention reduce_scatter 1536 x 61 among 8",
                                 "backward attention all_gather 1536 x 61 among 8",
                                 "backward attention all_gather 1536 x 61 among 8",
                                 "backward attention reduce_scatter 512 x 61 among 8",
                                 "backward attention all_gather 512 x 61 among 8",
                                 "backward attention all_gather 512 x 61 among 8",
                                 "backward attention reduce_scatter 7168 x 122 among 8",
                                 "backward attention all_gather 7168 x 122 among 8",
                                 "backward embedding all_gather 7168 x 1 among 8"})
    training.emplace_back(line);
  // Norms of hidden states and latents, and routers, are whole on all devices. Each device has their gradients for its own tokens.
  const std::uint64_t whole = 61ULL * (2 * 7168 + 1536 + 512) + 7168 + 58ULL * 256 * 7168;
  training.push_back("step replicated all_reduce " + std::to_string(whole) + " x 1 among 8");
  CHECK(sent(deepseek, options + R"(,"training":{})") == sorted(training));
}

TEST_CASE("DeepSeek-V3 without tensor devices sends tokens to experts alone") {
  // 671,026,404,352 parameters minus 58 · 256 experts of 3 · 7,168 · 2,048, each of which is on a single device.
  CHECK(sent(deepseek, R"("plan":"megatron","expert":8,"training":{"stage":3})") ==
        sorted({"forward experts all_to_all 50176 x 116 among 8", "backward experts all_to_all 50176 x 116 among 8",
                "step dense reduce_scatter 17117633536 x 1 among 8", "step dense all_gather 17117633536 x 2 among 8"}));
}

TEST_CASE("DeepSeek-V3 sends less by the plans of transformers and vLLM, which leave latents whole") {
  CHECK(sent(deepseek, "\"tensor\":8") ==
        sorted({"forward embedding all_reduce 7168 x 1 among 8", "forward feed_forward all_reduce 7168 x 3 among 8",
                "forward experts all_reduce 7168 x 58 among 8", "forward shared_experts all_reduce 7168 x 58 among 8",
                "forward output_head all_gather 129280 x 1 among 8"}));
  // vLLM adds the outputs of shared and routed experts before the all-reduce, so one all-reduce is enough.
  CHECK(sent(deepseek, R"("plan":"vllm","tensor":8)") ==
        sorted({"forward embedding all_reduce 7168 x 1 among 8", "forward attention all_reduce 7168 x 61 among 8",
                "forward feed_forward all_reduce 7168 x 3 among 8", "forward experts all_reduce 7168 x 58 among 8",
                "forward output_head all_gather 129280 x 1 among 8"}));
}

TEST_CASE("a tied table's gradients are summed over the first and the last stage, and shared norms of heads over their devices") {
  const std::string qwen = R"({"model_type":"qwen3","tie_word_embeddings":true,"vocab_size":131072})";
  const Lines lines = sent(qwen, R"("plan":"megatron","tensor":2,"pipeline":2,"training":{})");
  // The table of 131,072 · 4,096 is split over two devices. The 16 layers of a stage have two norms of 128 each.
  CHECK(has(lines, "step ends all_reduce 268435456 x 1 among 2"));
  CHECK(has(lines, "step replicated all_reduce 4096 x 1 among 2"));
}

TEST_CASE("sequence parallelism sums norms over tokens, and norms of heads over heads") {
  const auto why = [](const std::string& type) {
    const Answer answer = asked(R"({"model_type":")" + type + R"("})", R"("plan":"megatron","tensor":8,"sequence":true,"training":{})");
    for (const Answer& one : answer.at("sent"))
      if (one.at("place") == "replicated") return one.at("why").get<std::string>();
    return std::string();
  };
  const std::string own = "Each device holds these parameters whole, but has gradients of its own tokens only";
  CHECK(why("llama") == own + ". The gradients are summed.");
  CHECK(why("qwen3") == own + ", or, for query and key norms, of its own heads only. The gradients are summed.");
}

TEST_CASE("a note tells how often a stage holds what is not a routed expert") {
  const auto note = [](const std::string& sizes) {
    const Answer answer = asked(R"({"model_type":"mixtral"})", R"("plan":"megatron","tensor":2,"expert":8)" + sizes);
    for (const Answer& one : answer.at("notes"))
      if (one.value("field", "") == "expert") return one.at("message").get<std::string>();
    return std::string();
  };
  CHECK(note("") == "There are 4 groups of 2 devices. Each group holds its own copy of everything except the routed experts.");
  CHECK(note(R"(,"pipeline":2)") ==
        "Each stage has 4 groups of 2 devices. Each group holds its own copy of everything on the stage except the routed experts.");
}
