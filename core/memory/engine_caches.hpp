#pragma once

#include <string>
#include <vector>

#include "core/builder/inference.hpp"
#include "core/json/json.hpp"

namespace param_ledger {

// The cache as engines other than transformers keep it, where a log or the source of the engine proves it
// (tests/core/memory/engine_caches_test.cpp). Anything else is not known: windows, latent attention, other recurrences.

/// How a cache is used.
struct CacheUse {
  Count tokens = 1;  ///< of each sequence
  Count sequences = 1;
  Count bytes = 2;                 ///< of a number, as asked
  Count devices = 1;               ///< that divide the key-value heads
  bool states_in_float32 = false;  ///< the configuration says so (mamba_ssm_dtype)
};

/// Whether recurrent states are in 32 bits by the configuration, which only engines heed: transformers always keeps them so.
bool states_in_float32(Json root);

/// The cache of one engine.
struct EngineCache {
  Text engine;
  std::string unknown = {};  ///< why it is not known; empty: it is
  Text type = {};            ///< the number type of keys and values, as the engine names it
  Count keys = 0, values = 0;
  Count states = 0;   ///< recurrent states
  Count block = 0;    ///< tokens that are allocated together; 0: each token on its own
  Count devices = 1;  ///< the bytes are those of one device of so many
};

/// llama.cpp: one cell for each token of all sequences, keys and values in f16 or Q8_0; recurrent states in 32 bits for each sequence,
/// where a convolution keeps one input less than its kernel is long (llama-hparams.cpp). SGLang: keys and values of one rank of tensor
/// parallelism. Its log gives them in GiB and calls these GB. vLLM: whole blocks of tokens on one rank, without prefix caching and
/// speculation. All its blocks have one size in bytes, so a model with recurrent states has longer blocks (platforms/interface.py of
/// vLLM 0.33).
std::vector<EngineCache> engine_caches(const Inference& inference, const CacheUse& use);

}  // namespace param_ledger
