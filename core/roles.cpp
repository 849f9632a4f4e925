#include "core/roles.hpp"

#include <array>
#include <iterator>

#include "core/text.hpp"

namespace param_ledger {

namespace {

enum class Where : std::uint8_t { anywhere, layer, outside };

/// The last segments of a tensor's name, without `weight` and `bias`, and what they say in tensors of that part.
struct Spelling {
  Part part;
  Text role;
  Text ends;  ///< separated by spaces
  Where where = Where::anywhere;
};

// The order decides between several tensors of one role.
constexpr Spelling spellings[] = {
    {Part::embedding, "token embedding",
     "embed_tokens wte word_embeddings word_embedding tok_embeddings token_embedding shared embed_in embeddings embedding", Where::outside},
    {Part::embedding, "position embedding", "wpe position_embeddings position_embedding embed_positions", Where::outside},
    {Part::embedding, "segment embedding", "token_type_embeddings", Where::outside},
    {Part::attention, "query", "q_proj wq query q_lin q query_proj"},
    {Part::attention, "key", "k_proj wk key k_lin k key_proj"},
    {Part::attention, "value", "v_proj wv value v_lin v value_proj"},
    {Part::attention, "query, key and value", "qkv_proj c_attn query_key_value Wqkv wqkv W_pack qkv"},
    {Part::attention, "output", "o_proj out_proj wo c_proj out_lin o attention.output.dense attention.dense self_attention.dense proj"},
    {Part::attention, "query norm", "q_norm q_layernorm"},
    {Part::attention, "key norm", "k_norm k_layernorm"},
    {Part::norm, "query norm", "q_norm q_layernorm"},
    {Part::norm, "key norm", "k_norm k_layernorm"},
    {Part::feed_forward, "gate", "gate_proj w1 wi_0"},
    {Part::feed_forward, "up", "up_proj w3 wi_1 c_fc fc1 fc_in dense_h_to_4h intermediate.dense lin1 wi"},
    {Part::feed_forward, "gate and up", "gate_up_proj"},
    {Part::feed_forward, "down", "down_proj w2 c_proj fc2 fc_out dense_4h_to_h output.dense lin2 wo"},
    {Part::norm, "norm before attention", "input_layernorm ln_1 attention_norm self_attn_layer_norm", Where::layer},
    {Part::norm, "norm before feed-forward", "pre_feedforward_layernorm post_attention_layernorm ln_2 ffn_norm final_layer_norm",
     Where::layer},
    {Part::norm, "last norm", "norm ln_f final_layernorm norm_f final_layer_norm", Where::outside},
    {Part::router, "router", "gate router router.layer"},
    {Part::output_head, "head", "lm_head embed_out output lm_head.decoder predictions.decoder"},
};

/// Words in a name that set its tensors apart from others of the same role.
constexpr std::array<std::array<Text, 2>, 7> qualities = {{{"shared_expert", "shared expert "},
                                                           {"experts.", "expert "},
                                                           {"encoder_attn", "cross "},
                                                           {"EncDecAttention", "cross "},
                                                           {"cross_attn", "cross "},
                                                           {"crossattention", "cross "},
                                                           {"encoder.", "encoder "}}};

bool ends_in(std::string_view name, std::string_view end) {
  if (name.size() < end.size() || name.substr(name.size() - end.size()) != end) return false;
  return name.size() == end.size() || name[name.size() - end.size() - 1] == '.';
}

/// The place of the word in which the name ends, from 1; 0 for none.
std::size_t place_among(std::string_view words, std::string_view name) {
  for (std::size_t start = 0, place = 1; start < words.size(); ++place) {
    const std::size_t end = std::min(words.find(' ', start), words.size());
    if (ends_in(name, words.substr(start, end - start))) return place;
    start = end + 1;
  }
  return 0;
}

bool cut_end(std::string_view& name, std::string_view end) {
  if (name.size() <= end.size() || name.substr(name.size() - end.size()) != end) return false;
  name.remove_suffix(end.size());
  return true;
}

}  // namespace

TensorRole role_of(const Row& row) {
  std::string_view name = row.name;
  cut_end(name, ".weight");
  const bool bias = cut_end(name, ".bias");
  for (const Spelling& spelling : spellings) {
    if (spelling.part != row.part) continue;
    if (spelling.where != Where::anywhere && (spelling.where == Where::layer) == row.repeats.empty()) continue;
    const std::size_t place = place_among(spelling.ends, name);
    if (place == 0) continue;
    std::string_view quality;
    for (const auto& [sign, words] : qualities) {
      if (row.name.find(sign) == std::string::npos) continue;
      // BERT's kinds are an encoder alone.
      if (std::string_view(sign) == "encoder." && row.name.find("encoder.layer.") != std::string::npos) break;
      quality = words;
      break;
    }
    return {concat({quality, spelling.role, bias ? " bias" : ""}), place};
  }
  return {};
}

}  // namespace param_ledger
