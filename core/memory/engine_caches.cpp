#include "core/memory/engine_caches.hpp"

#include <algorithm>

#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The elements of a cache that both engines keep in the same way.
struct Plain {
  Count keys = 0, values = 0;        ///< of one token
  Count kv_heads = 0;                ///< the greatest common divisor of all layers
  Count convolution = 0, state = 0;  ///< elements of a sequence, the convolution's without its oldest input
  std::string unknown = {};
};

/// Whether all recurrent states are those of the gated delta rule, as in llama.cpp's log.
bool has_gated_delta(const Inference& inference) {
  const auto of = [&](std::initializer_list<Mechanism> wanted) {
    return std::any_of(inference.blocks.begin(), inference.blocks.end(), [&](const BlockRows& rows) {
      return std::find(wanted.begin(), wanted.end(), rows.block.mechanism) != wanted.end();
    });
  };
  using enum Mechanism;
  return of({gated_delta_net}) && !of({mamba, mamba_2, short_convolution, lightning_attention, rwkv, rg_lru, mlstm, lstm});
}

Plain plain_cache(const Inference& inference) {
  Plain out;
  const bool delta = has_gated_delta(inference);
  if (!inference.unknown.empty()) return {.unknown = inference.unknown};
  if (inference.reads_source) return {.unknown = "An encoder's keys and values are not compared with this engine."};
  for (const BlockRows& rows : inference.blocks)
    if (rows.block.mechanism == Mechanism::latent_attention) return {.unknown = "Latent attention is not compared with this engine."};
  for (const CacheRow& row : inference.cache) {
    const bool keys = row.name.ends_with(".keys"), values = row.name.ends_with(".values");
    if ((keys || values) && row.shape.size() == 3 && row.extent.kind == Extent::Kind::tokens && row.extent.by == 0) {
      Count& all = keys ? out.keys : out.values;
      all = add(all, row.entry.peek());
      out.kv_heads = common_divisor(row.shape.front().peek(), out.kv_heads);
    } else if (row.extent.kind == Extent::Kind::window) {
      return {.unknown = "Sliding windows, which engines pad, are not compared with this engine."};
    } else if (delta && row.name.ends_with(".conv_states.0") && row.shape.size() == 2 && row.shape[1].peek() > 0) {
      out.convolution = add(out.convolution, row.entry.peek() / row.shape[1].peek() * (row.shape[1].peek() - 1));
    } else if (delta && row.shape.size() == 3 && row.name.ends_with(".recurrent_states.0") && row.float32) {
      out.state = add(out.state, row.entry.peek());
    } else {
      return {.unknown = concat({row.name, " is not compared with this engine."})};
    }
  }
  if (out.keys == 0) out.unknown = "The model keeps no keys and values.";
  return out;
}

EngineCache llama_cpp(const Plain& plain, const CacheUse& use) {
  EngineCache out{.engine = "llama.cpp", .unknown = plain.unknown};
  const Count cells = multiply(use.tokens, use.sequences);
  constexpr Count step = 256;
  if (out.unknown.empty() && cells % step != 0) out.unknown = "It rounds a context up to a multiple of 256 tokens: give such a one.";
  if (out.unknown.empty() && use.bytes > 2) out.unknown = "Its caches in 32 bits are not compared.";
  if (!out.unknown.empty()) return out;
  const bool eight = use.bytes == 1;
  out.type = eight ? "Q8_0" : "f16";
  // Q8_0 takes 34 bytes for 32 numbers.
  const auto bytes_of = [&](const Count& each) {
    const Count numbers = multiply(each, cells);
    return eight ? multiply(numbers, 34) / 32 : multiply(numbers, 2);
  };
  out.keys = bytes_of(plain.keys);
  out.values = bytes_of(plain.values);
  out.states = multiply(multiply(4, add(plain.convolution, plain.state)), use.sequences);
  return out;
}

EngineCache sglang(const Plain& plain, const CacheUse& use) {
  EngineCache out{.engine = "SGLang", .unknown = plain.unknown, .devices = use.devices};
  if (out.unknown.empty() && plain.state > 0) out.unknown = "Recurrent states are not compared with this engine.";
  if (out.unknown.empty() && use.bytes != 2) out.unknown = "Only its caches in 16 bits are compared.";
  if (out.unknown.empty() && plain.kv_heads % use.devices != 0) out.unknown = "The number of devices does not divide the key-value heads.";
  if (!out.unknown.empty()) return out;
  out.type = "bfloat16";
  const auto bytes_of = [&](const Count& each) { return multiply(multiply(multiply(each, 2), use.tokens), use.sequences) / use.devices; };
  out.keys = bytes_of(plain.keys);
  out.values = bytes_of(plain.values);
  return out;
}

}  // namespace

std::vector<EngineCache> engine_caches(const Inference& inference, const CacheUse& use) {
  const Plain plain = plain_cache(inference);
  return {llama_cpp(plain, use), sglang(plain, use)};
}

}  // namespace param_ledger
