#include "core/model/final_norms.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

#include "core/builder/row_names.hpp"

namespace param_ledger {

namespace {

/// The module that contains the outermost list of layers in a name: "model" for "model.layers.[0-31].mlp.up_proj.weight". None for a name
/// without an index.
std::optional<std::string_view> holder_of_list(std::string_view name) {
  std::optional<std::string_view> out;
  any_index(name, [&](std::string_view list, std::string_view) {
    out = module_of(list);
    return true;
  });
  return out;
}

/// Whether a norm outside the layers normalizes something other than the output of the last layer, judging by its name.
bool is_elsewhere(std::string_view norm) {
  constexpr std::string_view names[] = {"prompt_cross_attn_norm",
                                        "presence_layer_norm",
                                        "enc_output_norm",
                                        "video_norm",
                                        "mask_norm",
                                        "speaker_norm",
                                        "prompts_visual_layernorm",
                                        "diar_norm",
                                        "head_layernorm",
                                        "a3_module.norm",
                                        "cross_modal_image_layernorm",
                                        "cross_modal_text_layernorm",
                                        "connector.ln_mid",
                                        "connector.ln_out",
                                        "asr_norm"};
  return std::any_of(std::begin(names), std::end(names), [&](std::string_view name) { return norm.ends_with(name); });
}

bool is_within(std::string_view module, std::string_view outer) {
  return outer.empty() || (module.starts_with(outer) && (module.size() == outer.size() || module[outer.size()] == '.'));
}

/// Whether a norm in the module `outer` can follow the layers in these modules. A norm outside two towers follows neither.
bool can_follow(const std::vector<std::string_view>& holders, std::string_view outer) {
  std::size_t within = 0;
  for (const std::string_view holder : holders) {
    if (holder == outer || (!holder.empty() && module_of(holder) == outer)) return true;
    if (is_within(holder, outer)) ++within;
  }
  return within == 1;
}

}  // namespace

std::vector<bool> final_norms(const std::vector<Row>& rows) {
  std::vector<std::string_view> holders;               // modules that contain a list of layers
  std::vector<std::string_view> tables;                // modules with DeBERTa's table of relative positions, which the next norm normalizes
  std::map<std::string_view, std::string_view> found;  // for each module, the last norm in the module
  for (const Row& row : rows) {
    if (row.kind == Kind::published || row.kind == Kind::possible) continue;
    const std::string_view name = row.name;
    if (const std::optional<std::string_view> holder = holder_of_list(name)) {
      const bool is_stem = row.part == Part::embedding || row.part == Part::norm || holder->ends_with("feature_extractor");
      if (!is_stem && (holders.empty() || holders.back() != *holder)) holders.push_back(*holder);
      found.erase(*holder);
      continue;
    }
    const std::string_view norm = module_of(name), outer = module_of(norm);
    if (name.ends_with("rel_embeddings.weight")) tables.push_back(outer);
    if (row.part != Part::norm || is_elsewhere(norm) || std::find(tables.begin(), tables.end(), outer) != tables.end()) continue;
    if (can_follow(holders, outer)) found[outer] = norm;
  }
  std::vector<bool> out(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string_view norm = module_of(rows[i].name);
    const auto at = found.find(module_of(norm));
    out[i] = at != found.end() && at->second == norm;
  }
  return out;
}

}  // namespace param_ledger
