// Reads the log that llama.cpp prints while it loads a GGUF file. The expected counts are those of the published models.

#include "tests/support/reading.hpp"

namespace param_ledger::test {

namespace {

std::string parameters_of_log(const std::string& text) {
  const Json reading = reading_of(text);
  if (!reading.contains("text")) return reading.contains("error") ? reading.at("error").at("message").get<std::string>() : reading.dump();
  CHECK(reading.at("notation") == "log");
  return total(answer_to(reading.at("text").get<std::string>()));
}

const std::string llama_3 = R"(build: 3828 (95bc82fb) with cc (Debian 12.2.0-14) 12.2.0 for x86_64-linux-gnu
llama_model_loader: loaded meta data with 22 key-value pairs and 291 tensors from ./Meta-Llama-3-8B-Instruct-q8_0.gguf (version GGUF V3 (latest))
llama_model_loader: Dumping metadata keys/values. Note: KV overrides do not apply in this output.
llama_model_loader: - kv   0:                       general.architecture str              = llama
llama_model_loader: - kv   1:                               general.name str              = Meta-Llama-3-8B-Instruct
llama_model_loader: - kv   2:                          llama.block_count u32              = 32
llama_model_loader: - kv   3:                       llama.context_length u32              = 8192
llama_model_loader: - kv   4:                     llama.embedding_length u32              = 4096
llama_model_loader: - kv   5:                  llama.feed_forward_length u32              = 14336
llama_model_loader: - kv   6:                 llama.attention.head_count u32              = 32
llama_model_loader: - kv   7:              llama.attention.head_count_kv u32              = 8
llama_model_loader: - kv   8:                       llama.rope.freq_base f32              = 500000.000000
llama_model_loader: - kv  12:                 llama.rope.dimension_count u32              = 128
llama_model_loader: - kv  15:                      tokenizer.ggml.tokens arr[str,128256]  = ["!", "\"", "#", "$", "%", "&", "'", ...
llama_model_loader: - type  f32:   65 tensors
llama_model_loader: - type q8_0:  226 tensors
)";

/// A log of Llama 3.2 1B that contains only the hyperparameters from print_info or print_meta. `head` is the prefix of each line.
std::string second_list(const std::string& head, const std::string& params) {
  std::string out;
  for (const std::string line :
       {"format           = GGUF V3 (latest)", "arch             = llama", "vocab type       = BPE", "n_vocab          = 128256",
        "n_ctx_train      = 131072", "n_embd           = 2048", "n_layer          = 16", "n_head           = 32", "n_head_kv        = 8",
        "n_rot            = 64", "n_embd_head_k    = 64", "n_embd_head_v    = 64", "f_norm_rms_eps   = 1.0e-05", "n_ff             = 8192",
        "n_expert         = 0", "n_expert_used    = 0", "model type       = 1B"})
    out += head + line + "\n";
  return params.empty() ? out : out + head + "model params     = " + params + "\n";
}

}  // namespace

TEST_CASE("a log of llama.cpp gives the configuration of its file", "[inputs][gguf]") {
  CHECK(parameters_of_log(llama_3 + "llm_load_print_meta: model params     = 8.03 B\n") == "8030261248");
  // Llama 3.2 1B has a tied head and a tensor of RoPE factors, hence as many tensors as with an untied head and no factors. Only the number
  // of parameters tells the two apart.
  const std::string begin =
      "llama_model_loader: loaded meta data with 30 key-value pairs and 147 tensors from a.gguf (version GGUF V3 (latest))\n";
  CHECK(parameters_of_log(begin + second_list("llm_load_print_meta: ", "1.24 B")) == "1235814400");
  CHECK(parameters_of_log(begin + second_list("print_info: ", "1.24 B")) == "1235814400");
}

TEST_CASE("an ambiguous log is refused", "[inputs][gguf]") {
  // A tied head with RoPE factors and an untied head without them give the same number of tensors.
  CHECK(parameters_of_log(llama_3) ==
        "This log leaves open whether the head is tied, or which biases there are. Give the file, or its config.json.");
  // Without the number of tensors in the log, a model with biases of the queries would fit, too.
  for (const std::string params : {"", "1.24 B"})
    CHECK(parameters_of_log(second_list("print_info: ", params)) ==
          "This log leaves open whether the head is tied, or which biases there are. Give the file, or its config.json.");
  CHECK(parameters_of_log(llama_3 + "llm_load_print_meta: model params     = 7.03 B\n") ==
        "The metadata in this log does not give the number of tensors that it reports. Give the file, or its config.json.");
  // The configuration is refused both with a tied and with an untied head, so neither of the two errors is reported.
  std::string odd = llama_3;
  odd.replace(odd.find("= 4096"), 6, "= 4097");
  CHECK(parameters_of_log(odd) ==
        "The metadata in this log does not give the number of tensors that it reports. Give the file, or its config.json.");
  std::string other = llama_3;
  other.replace(other.find("= llama"), 7, "= unheard");
  CHECK(parameters_of_log(other) == "The original model type of the architecture \"unheard\" is not known.");
  std::string varied = llama_3;
  varied.replace(varied.find("head_count_kv u32              = 8"), 34, "head_count_kv arr[i32,32]       = [8, 8, 4, ...");
  CHECK(parameters_of_log(varied) == "llama.attention.head_count_kv has a value for each layer. Give the file, or its config.json.");
}

}  // namespace param_ledger::test
