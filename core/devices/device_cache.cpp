#include "core/devices/device_cache.hpp"

#include <algorithm>

#include "core/builder/row_names.hpp"
#include "core/devices/layer_runs.hpp"
#include "core/devices/rule_matching.hpp"

namespace param_ledger {

namespace {

class CacheShare {
 public:
  CacheShare(const Division& division, const RankKind& kind, const DevicesRequest& request)
      : division_(division), sizes_(division.sizes()), stage_(division.layers_of(kind.stage)), request_(request) {}

  DeviceCache of(const Inference& inference) {
    out_.unknown = inference.unknown;
    for (const CacheRow& row : inference.cache) {
      if (out_.unknown.empty()) put(row);
    }
    out_.bytes = out_.unknown.empty() ? multiply(out_.bytes, request_.sequences) : 0;
    return out_;
  }

 private:
  void put(const CacheRow& row) {
    const Count of_stage = on_stage(row, row.at(request_.tokens));
    if (!out_.unknown.empty()) return;
    const Count elements = among_heads(row, of_stage);
    out_.bytes = add(out_.bytes, multiply(elements, row.float32 ? 4 : request_.cache.bytes));
  }

  /// The number of cached elements in the layers of this stage.
  Count on_stage(const CacheRow& row, Count elements) {
    if (sizes_.pipeline == 1) return elements;
    const std::vector<Run> layers = spelled(first_index(row.name));
    if (layers.empty()) {
      out_.unknown = concat({"Which stage holds ", row.name, " is not known."});
      return 0;
    }
    return elements / size_of(layers) * size_of(cut(layers, stage_.first, stage_.second));
  }

  /// The elements that one device caches. In Megatron-Core and vLLM, several devices cache the same head if there are more devices than
  /// heads.
  Count among_heads(const CacheRow& row, Count elements) {
    const std::string_view name = row.name;
    const bool by_heads = name.ends_with(".keys") || name.ends_with(".values");
    if (division_.engine() == Engine::megatron && !by_heads) {
      out_.unknown = "How Megatron-Core stores the cache of latent attention is not known.";
      return 0;
    }
    if (!by_heads || sizes_.tensor == 1 || row.shape.size() != 3 || !row.shape[0] || !divides_heads(row)) return elements;
    const Count heads = row.shape[0].decide();
    if (division_.engine() != Engine::transformers && sizes_.tensor % heads == 0) return elements / heads;
    if (heads % sizes_.tensor == 0) return elements / sizes_.tensor;
    out_.unknown = concat({"A cache holds whole heads, and ", digits(sizes_.tensor), " devices do not divide the ", digits(heads),
                           " key-value heads of ", name, "."});
    return 0;
  }

  /// Whether each device computes only some of the key-value heads. If the outputs are gathered, every device has all heads.
  [[nodiscard]] bool divides_heads(const CacheRow& row) const {
    const DividedRow* const keys = keys_of(row);
    return keys != nullptr && (keys->style == Style::colwise || keys->style == Style::colwise_repeated);
  }

  /// The key projection, or the fused one, in the module of cached keys or values; null if there is none. Its name may list other layers
  /// than the name of the cached tensor.
  [[nodiscard]] const DividedRow* keys_of(const CacheRow& row) const {
    const std::string_view name = row.name, index = first_index(name);
    const std::string_view before =
        index.empty() ? std::string_view{} : name.substr(0, static_cast<std::size_t>(index.data() - name.data()));
    const std::string_view module = module_of(name.substr(before.size() + index.size()));
    const std::vector<Run> layers = spelled(index);
    for (const DividedRow& its : division_.rows()) {
      const TensorRole role = its.row->role;
      if ((role != TensorRole::key && role != TensorRole::query_key_value) || its.row->shape.size() < 2) continue;
      if (!its.row->name.starts_with(before)) continue;
      const std::string_view rest = its.row->name.substr(before.size()), at = first_word(rest);
      if (rest.substr(at.size()).starts_with(module) && (layers.empty() || contains(spelled(at), layers.front().first))) return &its;
    }
    return nullptr;
  }

  const Division& division_;
  const Sizes& sizes_;
  std::pair<std::uint64_t, std::uint64_t> stage_;  ///< the first layer of the stage, and the one after its last layer
  const DevicesRequest& request_;
  DeviceCache out_;
};

}  // namespace

DeviceCache cache_on(const Division& division, const RankKind& kind, const Inference& inference, const DevicesRequest& request) {
  return CacheShare(division, kind, request).of(inference);
}

}  // namespace param_ledger
