#pragma once

#include <string>
#include <vector>

#include "core/builder/inference.hpp"
#include "core/json/json.hpp"

namespace param_ledger {

// Computes the size of the cache in engines other than transformers, if a log or the source of the engine confirms it
// (tests/core/memory/engine_caches_test.cpp). Among others, the size is not known for sliding windows, latent attention, and recurrent
// states other than those of gated delta nets and Kimi Delta Attention.

/// The settings that determine the size of a cache.
struct CacheUse {
  Count tokens = 1;  ///< tokens in each sequence
  Count sequences = 1;
  Count bytes = 2;                 ///< bytes per element that the request asks for
  Count devices = 1;               ///< devices that divide the key-value heads among them
  bool states_in_float32 = false;  ///< whether the configuration requests recurrent states in 32 bits (mamba_ssm_dtype)
};

/// Whether the configuration requests recurrent states in 32 bits (mamba_ssm_dtype). transformers does not read this field.
bool states_in_float32(Json root);

/// The memory that one engine allocates for the cache.
struct EngineCache {
  Text engine;
  std::string unknown = {};  ///< why the size is not known; empty if it is
  Text type = {};            ///< the number type of keys and values, such as "Q8_0" or "16 bits"
  Count keys = 0, values = 0;
  Count states = 0;   ///< bytes of the recurrent states
  Count block = 0;    ///< how many tokens are allocated together; 0: each token is allocated separately
  Count devices = 1;  ///< number of devices; the sizes are for one of them
};

/// The cache of a model in each engine.
///
/// llama.cpp: one cell for each token of all sequences, keys and values in f16 or Q8_0, and recurrent states in 32 bits for each sequence.
/// A convolution caches one input less than the length of its kernel (llama-hparams.cpp).
///
/// SGLang: keys and values on one rank of tensor parallelism. SGLang's log gives GiB but labels them GB.
///
/// vLLM: whole blocks of tokens on one rank, without prefix caching and speculative decoding. All blocks have the same size in bytes, so in
/// a model with recurrent states a block holds enough tokens to be at least as large as the states of one layer (platforms/interface.py of
/// vLLM 0.33).
std::vector<EngineCache> engine_caches(const Inference& inference, const CacheUse& use);

}  // namespace param_ledger
