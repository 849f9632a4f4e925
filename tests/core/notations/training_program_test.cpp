// Reads the arguments of training programs. The expected counts in training_arguments.json come from Megatron-LM's own code
// (tests/data/training_arguments.py). The others are published or calculated by hand.

#include "tests/support/reading.hpp"

namespace param_ledger::test {

namespace {

std::string refusal_of(const std::string& text) {
  const Json reading = reading_of(text);
  return reading.at("ok").get<bool>() ? reading.dump() : reading.at("error").at("message").get<std::string>();
}

const std::string llama =
    "--num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 --num-attention-heads 32 --group-query-attention --num-query-groups 8 "
    "--swiglu "
    "--normalization RMSNorm --disable-bias-linear --position-embedding-type rope --untie-embeddings-and-output-weights "
    "--make-vocab-size-divisible-by 128";

}  // namespace

TEST_CASE("Megatron's arguments are counted as Megatron builds the model", "[notations]") {
  std::size_t cases = 0;
  for (const Json& line : json_of("training_arguments.json")) {
    const std::string arguments = line.at("arguments").get<std::string>();
    CAPTURE(arguments);
    CHECK(parameters_of(arguments) == std::to_string(line.at("parameters").get<std::uint64_t>()));
    ++cases;
  }
  CHECK(cases == 13);
  // The arguments of the third case in training_arguments.json, as Megatron's log lists them.
  CHECK(parameters_of(text_of("tables/megatron_arguments.txt")) == "205120");
}

TEST_CASE("Megatron's arguments are found in commands and scripts", "[notations]") {
  const std::string published = "8030261248";  // the parameters in Llama 3.1 8B's files
  CHECK(parameters_of(llama + " --vocab-size 128256") == published);
  CHECK(parameters_of("torchrun --nproc_per_node 8 pretrain_gpt.py \\\n    " + llama +
                      " \\\n  --vocab-size=128256 --bf16 \\\n --lr 1e-4") == published);
  CHECK(parameters_of(R"(#!/bin/bash
# Runs Llama
export HIDDEN=4096   # wide
LAYERS=${LAYERS:-32}
GPT_MODEL_ARGS=(
    --num-layers $LAYERS
    --hidden-size ${HIDDEN}
    --ffn-hidden-size 14336
    --num-attention-heads 32 # heads
    --group-query-attention
    --num-query-groups 8
    --swiglu $OTHER_ARGS
    --normalization RMSNorm
    --disable-bias-linear
    --position-embedding-type rope
    --untie-embeddings-and-output-weights
)
DATA_ARGS="--vocab-size 128256 --tokenizer-type HuggingFaceTokenizer"
torchrun ${DISTRIBUTED_ARGS[@]} pretrain_gpt.py ${GPT_MODEL_ARGS[@]} $DATA_ARGS
)") == published);
  // Megatron-LM's script for GPT-3 175B. The name of its vocabulary file implies 50,257 rows, which are padded to 51,200 for eight devices.
  const std::uint64_t d = 12288, layers = 96;
  CHECK(parameters_of("--tensor-model-parallel-size 8 --num-layers 96 --hidden-size 12288 --num-attention-heads 96 --seq-length 2048 "
                      "--max-position-embeddings 2048 --vocab-file data/gpt2-vocab.json --merge-file data/gpt2-merges.txt") ==
        std::to_string(51200 * d + 2048 * d + layers * (12 * d * d + 13 * d) + 2 * d));
  // Megatron-DeepSpeed's spelling. With --swiglu, the default inner dimension is 8/3 of the hidden size, rounded down to a multiple of 64.
  const std::string dense =
      "deepspeed pretrain_gpt.py --num-layers 2 --hidden-size 1024 --num-attention-heads 8 --num-key-value-heads 2 --swiglu "
      "--normalization rmsnorm --disable-bias-linear --use-rotary-position-embeddings --num-experts 1 --vocab-size 128 "
      "--untie-embeddings-and-output-weights --deepspeed --deepspeed_config ds.json";
  const std::string parameters =
      std::to_string(2 * 128 * 1024 + 2 * (2 * 1024 * 1024 + 2 * 256 * 1024 + 3 * 1024 * 2688 + 2 * 1024) + 1024);
  CHECK(parameters_of(dense) == parameters);
  // With --num-experts 1 the model is dense, so --expert-interval, which selects the layers with experts, has no effect.
  CHECK(parameters_of(dense + " --expert-interval 2") == parameters);
}

TEST_CASE("missing or unsupported Megatron arguments are refused by name", "[notations]") {
  CHECK(refusal_of(llama) ==
        "vocab_size is missing, and the size of the vocabulary depends on the tokenizer. Add it, or padded_vocab_size from the log.");
  // The product of the two arguments is 2^64 + 128.
  CHECK(refusal_of("--num-layers 2 --hidden-size 64 --num-attention-heads 4 --vocab-size 100 --make-vocab-size-divisible-by 12773078144 "
                   "--tensor-model-parallel-size 1444189401") ==
        "make_vocab_size_divisible_by is not a possible padding of the vocabulary.");
  CHECK(refusal_of("--num-layers $L --hidden-size 64 --num-attention-heads 4 --vocab-size 100") ==
        "num_layers is \"$L\": the text does not give its value.");
  CHECK(refusal_of("--num-layers $ --hidden-size ${} --num-attention-heads 4 --vocab-size 100").find("the text does not give its value") !=
        std::string::npos);
  // The text sets L twice and does not show which value applies.
  CHECK(refusal_of("L=2\nL=4\nx --num-layers $L --hidden-size 64 --num-attention-heads 4 --vocab-size 100") ==
        "num_layers is \"$L\": the text does not give its value.");
  CHECK(refusal_of(llama + " --vocab-size 128256 --num-layers 4") == "num_layers is given with several values. Keep one of them.");
  CHECK(refusal_of(llama + " --vocab-size 128256\nif [ $MOE = 1 ]; then\n  ARGS+=\" --num-experts 8\"\nfi\n") ==
        "This script gives arguments under a condition. Keep only those that apply.");
  CHECK(refusal_of(llama + " --vocab-size 128256 --num-experts 1 8") == "num_experts is \"1 8\": the text does not give its value.");
  CHECK(refusal_of(llama + " --vocab-size 128256 --mtp-num-layers 1") == "mtp_num_layers builds parts that are not counted here.");
  CHECK(refusal_of(llama + " --vocab-size 128256 --num-experts 8 --expert-interval 2") ==
        "expert_interval builds parts that are not counted here.");
  CHECK(refusal_of(llama + " --vocab-size 128256 --tokenizer-type NullTokenizer") ==
        "tokenizer_type is NullTokenizer, which adds a token in some versions. Add padded_vocab_size from the log.");
  CHECK(refusal_of(llama + " --vocab-size 128256 --num-experts 8 --moe-layer-freq [1]*N") ==
        "moe_layer_freq is \"[1]*N\", which does not say which layers have experts.");
  CHECK(refusal_of(llama + " --vocab-size 128256 --multi-latent-attention") ==
        "multi_latent_attention is supported only with --qk-layernorm and --normalization RMSNorm.");
  CHECK(refusal_of("python pretrain_bert.py " + llama) == "pretrain_bert trains a model that is not a decoder, which is not supported.");
  // The arguments can be read, but the list has 31 entries for 32 layers, so counting fails.
  CHECK(parameters_of(llama + " --vocab-size 128256 --num-experts 8 --moe-layer-freq '[0]*1+[1]*30'").find("31") != std::string::npos);
}

TEST_CASE("a GPT-NeoX configuration is counted as GPT-NeoX builds it", "[notations]") {
  // The configuration of Pythia-70M, which has 70,426,624 parameters as published.
  const std::string pythia = R"({
  # parallelism settings
  "pipe-parallel-size": 1,
  "model-parallel-size": 1,

  # model settings
  "num-layers": 6,
  "hidden-size": 512,
  "num-attention-heads": 8,
  "seq-length": 2048,
  "max-position-embeddings": 2048,
  "pos-emb": "rotary",
  "rotary-pct": 0.25,
  "no-weight-tying": true,
  "gpt-j-residual": true,
  "output-layer-parallelism": "column",
  "attention-config": [[["flash"], 6]],
  "optimizer": {"type": "Adam", "params": {"lr": 0.001, "betas": [0.9, 0.95],}},
  "vocab-file": "/fsx/pile/20B_tokenizer.json",
  "tokenizer-type": "HFTokenizer",
})";
  CHECK(parameters_of(pythia) == "70426624");
  // GPT-NeoX-20B with its vocabulary padded for two devices. The published files hold 20,554,567,680 parameters, without constant buffers.
  CHECK(
      parameters_of(
          "# GPT-NeoX-20B\npipe-parallel-size: 4\nmodel-parallel-size: 2\nnum-layers: 44\nhidden-size: 6144\nnum-attention-heads: 64\n"
          "max-position-embeddings: 2048\nnorm: layernorm\npos-emb: rotary\nrotary_pct: 0.25\nno-weight-tying: true\ngpt_j_residual: true\n"
          "vocab-file: ./20B_checkpoints/20B_tokenizer.json\nattention-dropout: 0\n") == "20554567680");
  const auto without = [&](const std::string& begin, const std::string& with = {}) {
    std::string text = pythia;
    const std::size_t at = text.find(begin);
    return text.replace(at, text.find('\n', at) - at, with);
  };
  CHECK(refusal_of(without("\"vocab-file\"")) ==
        "vocab_size is missing, and the size of the vocabulary depends on the tokenizer. Add it, or padded_vocab_size from the log.");
  CHECK(refusal_of(without("\"rotary-pct\"", "\"activation\": \"swiglu\",")) ==
        "activation is gated, and its width depends on the version, so it is not counted here.");
  CHECK(refusal_of(without("\"pos-emb\"", "\"pos-emb\": \"rpe\",")) == "pos_emb is \"rpe\", which is not counted here.");
}

}  // namespace param_ledger::test
