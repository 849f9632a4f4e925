#include "core/memory/engine_caches.hpp"

#include <algorithm>

#include "core/memory/packing.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// The sizes of a cache in elements, before an engine rounds or divides them.
struct Plain {
  Count keys = 0, values = 0;        ///< elements per token, summed over all layers
  Count kv_heads = 0;                ///< greatest common divisor of the layers' numbers of key-value heads
  Count layers = 0;                  ///< number of layers with keys and values
  Count convolution = 0, state = 0;  ///< elements per sequence; engines cache one convolution input less than transformers does
  Count channels = 0;                ///< greatest common divisor of the convolutions' numbers of channels
  Count state_heads = 0;             ///< greatest common divisor of the layers' numbers of state heads
  Count state_layers = 0;
  bool same = true;  ///< whether all layers with keys and values have equal sizes, and so do all layers with states
  std::string unknown = {};
};

/// Whether the model has recurrent states and all are those of gated delta nets or Kimi Delta Attention. The size of other states has not
/// been checked against an engine's log.
bool has_gated_delta(const Inference& inference) {
  const auto of = [&](std::initializer_list<Mechanism> wanted) {
    return std::any_of(inference.blocks.begin(), inference.blocks.end(), [&](const BlockRows& rows) {
      return std::find(wanted.begin(), wanted.end(), rows.block.mechanism) != wanted.end();
    });
  };
  using enum Mechanism;
  return of({gated_delta_net, kimi_delta_attention}) &&
         !of({mamba, mamba_2, short_convolution, lightning_attention, rwkv, rwkv_7, rg_lru, mlstm, lstm});
}

Plain plain_cache(const Inference& inference) {
  Plain out;
  /// Adds a row's elements to `all` and its layers to `layers`. Clears `same` if these layers differ in size from the earlier ones.
  const auto take = [&out](const CacheRow& row, const Count& elements, Count& all, Count& layers) {
    Count copies = 1;
    for (const Expr e : row.repeats) copies = multiply(copies, e.peek());
    if (layers > 0 && multiply(elements, layers) != multiply(all, copies)) out.same = false;
    all = add(all, elements);
    layers = add(layers, copies);
  };
  Count value_layers = 0, convolution_layers = 0;
  const bool delta = has_gated_delta(inference);
  if (!inference.unknown.empty()) return {.unknown = inference.unknown};
  if (inference.reads_source) return {.unknown = "Keys and values of an encoder have not been compared with this engine."};
  for (const BlockRows& rows : inference.blocks)
    if (rows.block.mechanism == Mechanism::latent_attention) return {.unknown = "Latent attention has not been compared with this engine."};
  for (const CacheRow& row : inference.cache) {
    const bool keys = row.name.ends_with(".keys"), values = row.name.ends_with(".values");
    if ((keys || values) && row.shape.size() == 3 && row.extent.kind == Extent::Kind::tokens && row.extent.by == 0) {
      keys ? take(row, row.entry.peek(), out.keys, out.layers) : take(row, row.entry.peek(), out.values, value_layers);
      out.kv_heads = common_divisor(row.shape.front().peek(), out.kv_heads);
    } else if (row.extent.kind == Extent::Kind::window) {
      return {.unknown = "Sliding windows, which engines pad, have not been compared with this engine."};
    } else if (delta && row.name.ends_with(".conv_states.0") && row.shape.size() == 2 && row.shape[1].peek() > 0) {
      take(row, row.entry.peek() / row.shape[1].peek() * (row.shape[1].peek() - 1), out.convolution, convolution_layers);
      out.channels = common_divisor(row.shape.front().peek(), out.channels);
    } else if (delta && row.shape.size() == 3 && row.name.ends_with(".recurrent_states.0") && row.float32) {
      take(row, row.entry.peek(), out.state, out.state_layers);
      out.state_heads = common_divisor(row.shape.front().peek(), out.state_heads);
    } else {
      return {.unknown = concat({row.name, " has not been compared with this engine."})};
    }
  }
  if (out.keys == 0) out.unknown = "The model keeps no keys and values.";
  return out;
}

EngineCache llama_cpp(const Plain& plain, const CacheUse& use) {
  EngineCache out{.engine = "llama.cpp", .unknown = plain.unknown};
  const Count cells = multiply(use.tokens, use.sequences);
  constexpr Count step = 256;
  if (out.unknown.empty() && cells % step != 0)
    out.unknown = "It rounds the context up to a multiple of 256 tokens. Give a multiple of 256.";
  if (out.unknown.empty() && use.bytes > 2) out.unknown = "Its 32-bit caches have not been compared.";
  if (!out.unknown.empty()) return out;
  const bool eight = use.bytes == 1;
  out.type = eight ? "Q8_0" : "f16";
  // Q8_0 stores 32 numbers in 34 bytes.
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
  if (out.unknown.empty() && plain.state > 0) out.unknown = "Recurrent states have not been compared with this engine.";
  if (out.unknown.empty() && use.bytes != 2) out.unknown = "Only its 16-bit caches have been compared.";
  if (out.unknown.empty() && plain.kv_heads % use.devices != 0)
    out.unknown = "The number of devices does not divide the number of key-value heads.";
  if (!out.unknown.empty()) return out;
  out.type = "bfloat16";
  const auto bytes_of = [&](const Count& each) { return multiply(multiply(multiply(each, 2), use.tokens), use.sequences) / use.devices; };
  out.keys = bytes_of(plain.keys);
  out.values = bytes_of(plain.values);
  return out;
}

EngineCache vllm(const Plain& plain, const CacheUse& use) {
  EngineCache out{.engine = "vLLM", .unknown = plain.unknown, .devices = use.devices};
  const bool hybrid = plain.state > 0;
  const auto refuse = [&out](bool wrong, Text reason) {
    if (wrong && out.unknown.empty()) out.unknown = reason;
  };
  refuse(use.bytes > 2, "Its 32-bit caches have not been compared.");
  refuse(plain.kv_heads % use.devices != 0, "The number of devices does not divide the number of key-value heads.");
  refuse(hybrid && !use.states_in_float32, "Its recurrent states are known only for `mamba_ssm_dtype: float32`.");
  refuse(hybrid && (plain.channels % use.devices != 0 || plain.state_heads % use.devices != 0),
         "The recurrent states cannot be divided evenly among the devices.");
  // vLLM would pad incomplete groups of layers with layers that do not exist.
  refuse(hybrid && (!plain.same || plain.state_layers % plain.layers != 0),
         "Its groups of layers are known only if the number of layers with recurrent states is a multiple of the number with keys and "
         "values.");
  if (!out.unknown.empty()) return out;
  out.type = use.bytes == 2 ? "16 bits" : "8 bits";
  constexpr Count least = 16;
  out.block = least;
  if (hybrid) {
    // A block of keys and values is at least as large as the states of one layer, because these must fit into one block.
    const Count states = add(multiply(2, plain.convolution), multiply(4, plain.state)) / plain.state_layers;
    const Count token = multiply(add(plain.keys, plain.values) / plain.layers, use.bytes);
    out.block = multiply(least, rounded_up(states, multiply(least, token)));
    out.states = multiply(multiply(multiply(out.block, token), plain.state_layers), use.sequences) / use.devices;
  }
  const Count slots = multiply(multiply(rounded_up(use.tokens, out.block), out.block), use.sequences);
  const auto bytes_of = [&](const Count& each) { return multiply(multiply(each, use.bytes), slots) / use.devices; };
  out.keys = bytes_of(plain.keys);
  out.values = bytes_of(plain.values);
  return out;
}

}  // namespace

bool states_in_float32(Json root) {
  for (const Json section : {root, root["text_config"]})
    if (const Json given = section["mamba_ssm_dtype"]; given.is(Json::Type::string)) return given.string() == "float32";
  return false;
}

std::vector<EngineCache> engine_caches(const Inference& inference, const CacheUse& use) {
  const Plain plain = plain_cache(inference);
  return {llama_cpp(plain, use), sglang(plain, use), vllm(plain, use)};
}

}  // namespace param_ledger
