#include "core/compare/roles.hpp"

#include <algorithm>

#include "core/builder/row_names.hpp"
#include "core/model/final_norms.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

std::string_view words_of(TensorRole role) {
  static constexpr std::string_view words[] = {"",
                                               "token embedding",
                                               "position embedding",
                                               "segment embedding",
                                               "query",
                                               "key",
                                               "value",
                                               "query, key and value",
                                               "output",
                                               "query norm",
                                               "key norm",
                                               "gate",
                                               "up",
                                               "gate and up",
                                               "down",
                                               "router",
                                               "head",
                                               "attention gate",
                                               "query down",
                                               "query up",
                                               "key and value down",
                                               "key and value up",
                                               "gate of the shared expert",
                                               "embedding norm",
                                               "norm before attention",
                                               "norm after attention",
                                               "norm before cross attention",
                                               "norm after cross attention",
                                               "norm before feed-forward",
                                               "norm after feed-forward"};
  return words[static_cast<std::size_t>(role)];
}

std::string_view words_of(Owner of) {
  static constexpr std::string_view words[] = {"", "encoder ", "cross ", "shared expert "};
  return words[static_cast<std::size_t>(of)];
}

std::string_view bias_of(const Row& row) { return row.name.ends_with("bias") ? " bias" : ""; }

/// A module that the layers of a list contain, such as `input_layernorm` in `model.layers`.
struct Module {
  std::string_view list, name;
  bool norm = true;                     ///< whether the module contains only norms
  const Row* first = nullptr;           ///< the first row that does not belong to a norm
  std::vector<std::size_t> norms = {};  ///< positions of the norms' rows
};

/// How a model type lists its norms. Most types list a layer's modules in the order of the forward pass.
enum class NormOrder : std::uint8_t {
  as_listed,
  before,   ///< a norm is listed after the block that it precedes in the forward pass
  unknown,  ///< any other order, or not known
};

struct TypeNorms {
  std::string_view model_type;
  NormOrder order;
  std::string_view flag = {};                ///< a boolean field that changes the order
  NormOrder flipped = NormOrder::as_listed;  ///< the order if the field is given and differs from `usual`
  bool usual = false;
};

constexpr TypeNorms type_norms[] = {
#define X(...) {__VA_ARGS__},
#include "core/compare/norm_orders.def"
#undef X
};

NormOrder norm_order(const Model& model) {
  const std::string_view type = model.choice.family->model_type;
  for (const TypeNorms& norms : type_norms) {
    if (norms.model_type != type) continue;
    const Json given = model.configuration.sections.front().json[norms.flag];
    return given.is(Json::Type::boolean) && given.boolean() != norms.usual ? norms.flipped : norms.order;
  }
  return NormOrder::as_listed;
}

/// The modules of all layers outside of towers, in the order in which they are recorded.
std::vector<Module> modules_of(const std::vector<Row>& rows) {
  std::vector<Module> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Repeated at = repeated(rows[i]);
    if (!at || rows[i].in_tower()) continue;
    const std::string_view after = at.after, name = after.substr(0, after.find('.'));
    auto module = std::find_if(out.begin(), out.end(), [&](const Module& m) { return m.list == at.before && m.name == name; });
    if (module == out.end()) module = out.insert(out.end(), Module{at.before, name});
    if (rows[i].in_text(Part::norm) && rows[i].role == TensorRole::unspecified) {
      module->norms.push_back(i);
    } else {
      module->norm = false;
      if (module->first == nullptr) module->first = &rows[i];
    }
  }
  return out;
}

/// The kind of block that a norm next to this module belongs to; empty if the module is neither attention nor feed-forward.
std::string_view block_of(const Module& module) {
  switch (module.first->part) {
    case Part::attention: return module.first->owner == Owner::cross ? "cross attention" : "attention";
    case Part::feed_forward:
    case Part::router: return "feed-forward";
    default: return {};
  }
}

/// Whether `norm` is the only norm in its layers, although they have a feed-forward block.
bool is_only_norm(const std::vector<Module>& modules, const Module& norm) {
  bool feeds_forward = false;
  for (const Module& other : modules) {
    if (other.list != norm.list || &other == &norm) continue;
    if (other.norm) return false;
    feeds_forward = feeds_forward || block_of(other) == "feed-forward";
  }
  return feeds_forward;
}

/// Names the roles of norms in layers. In layers that begin with a norm, a norm belongs to the block that directly follows it. In other
/// layers, and if no block directly follows the norm, it belongs to the last block before it.
void name_layer_norms(const std::vector<Row>& rows, NormOrder order, std::vector<std::string>& roles) {
  if (order == NormOrder::unknown) return;
  const std::vector<Module> modules = modules_of(rows);
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const Module& m = modules[i];
    if (!m.norm) continue;
    const auto same_list = [&](const Module& other) { return other.list == m.list; };
    const bool norm_first = std::find_if(modules.begin(), modules.end(), same_list)->norm;
    const auto next = std::find_if(modules.begin() + static_cast<std::ptrdiff_t>(i) + 1, modules.end(), same_list);
    std::string_view place = "norm before ", block;
    if (norm_first && next != modules.end() && !next->norm) block = block_of(*next);
    // The only norm of a layer feeds attention and feed-forward, which then run in parallel.
    if (block == "attention" && is_only_norm(modules, m)) block = "attention and feed-forward";
    if (block.empty())
      for (std::size_t j = i; j-- > 0 && block.empty();) {
        if (!same_list(modules[j]) || modules[j].norm) continue;
        place = order == NormOrder::before ? "norm before " : "norm after ";
        block = block_of(modules[j]);
      }
    if (block.empty()) continue;
    for (const std::size_t norm : m.norms) roles[norm] = concat({words_of(rows[norm].owner), place, block, bias_of(rows[norm])});
  }
}

void name_final_norms(const std::vector<Row>& rows, bool in_towers, std::vector<std::string>& roles) {
  const std::vector<bool> final = final_norms(rows);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (final[i] && (in_towers || !rows[i].in_tower())) roles[i] = concat({words_of(rows[i].owner), "last norm", bias_of(rows[i])});
}

}  // namespace

std::vector<std::string> roles_of(const Model& model, bool in_towers) {
  const std::vector<Row>& rows = model.builder.rows();
  std::vector<std::string> out;
  for (const Row& row : rows) {
    const bool said = row.role != TensorRole::unspecified && (in_towers || !row.in_tower());
    const bool expert = row.experts && row.in_text(Part::feed_forward) && row.owner != Owner::shared_expert;
    out.push_back(said ? concat({words_of(row.owner), expert ? "expert " : "", words_of(row.role), bias_of(row)}) : std::string());
  }
  name_layer_norms(rows, norm_order(model), out);
  name_final_norms(rows, in_towers, out);
  return out;
}

}  // namespace param_ledger
