// Source: llama.cpp, gguf-py/gguf/tensor_mapping.py and convert_hf_to_gguf.py.

#include "core/inputs/gguf_names.hpp"

#include <algorithm>

#include "core/count.hpp"
#include "core/hash_index.hpp"
#include "core/inputs/split_name.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

/// What becomes of a tensor beside its name. Experts that a checkpoint has one by one are stacked in all ways.
enum class Way : std::uint8_t {
  same,
  turned,        ///< its two last dimensions change places
  halves,        ///< rows of a gate and then of what it gates: two tensors
  woven_halves,  ///< the same of tensors that are turned as well
  latent,        ///< keys and values from latent ones: two tensors, a matrix for each head, that of keys turned
};

struct Named {
  Text of;  ///< in the checkpoint: behind the layer's index, `#` for an expert's
  Text to;  ///< in GGUF: behind that
  Text architecture = {};
  Way way = Way::same;
  Text second = {};
};

/// In layers. What holds for one architecture alone stands first.
constexpr Named in_layers[] = {
    {"post_attention_layernorm", "post_attention_norm", "gemma2"},
    {"post_attention_layernorm", "post_attention_norm", "gemma3"},
    {"post_attention_layernorm", "post_attention_norm", "olmo2"},
    {"post_attention_layernorm", "post_attention_norm", "exaone4"},
    {"post_attention_layernorm", "post_attention_norm", "gpt-oss"},
    {"post_attention_layernorm", "post_attention_norm", "glm4moe"},
    {"attn.c_attn", "attn_qkv", "gpt2", Way::turned},
    {"attn.c_proj", "attn_output", "gpt2", Way::turned},
    {"mlp.c_fc", "ffn_up", "gpt2", Way::turned},
    {"mlp.c_proj", "ffn_down", "gpt2", Way::turned},
    {"attn.c_attn", "attn_qkv", "starcoder"},
    {"attn.c_proj", "attn_output", "starcoder"},
    {"post_attention_layernorm", "post_attention_norm", "seed_oss"},
    {"self_attn.query_layernorm", "attn_q_norm"},
    {"self_attn.key_layernorm", "attn_k_norm"},
    {"block_sparse_moe.e_score_correction_bias", "exp_probs_b.bias"},
    {"eh_proj", "nextn.eh_proj"},
    {"enorm", "nextn.enorm"},
    {"hnorm", "nextn.hnorm"},
    {"embed_tokens", "nextn.embed_tokens"},
    {"shared_head.norm", "nextn.shared_head_norm"},
    {"shared_head.head", "nextn.shared_head_head"},
    {"ln_attn", "attn_norm_2", "falcon"},
    {"ln_mlp", "attn_norm", "falcon"},
    {"norm_1", "attn_norm"},
    {"norm_2", "ffn_norm"},
    {"ffn.up_proj", "ffn_up"},
    {"ffn.down_proj", "ffn_down"},
    {"attn.Wqkv", "attn_qkv"},
    {"attn.out_proj", "attn_output"},
    {"input_layernorm", "attn_norm"},
    {"post_attention_layernorm", "ffn_norm"},
    {"pre_feedforward_layernorm", "ffn_norm"},
    {"post_feedforward_layernorm", "post_ffw_norm"},
    {"post_self_attn_layernorm", "post_attention_norm"},
    {"post_mlp_layernorm", "post_ffw_norm"},
    {"ln_1", "attn_norm"},
    {"ln_2", "ffn_norm"},
    {"norm", "attn_norm"},
    {"self_attn.q_proj", "attn_q"},
    {"self_attn.k_proj", "attn_k"},
    {"self_attn.v_proj", "attn_v"},
    {"self_attn.qkv_proj", "attn_qkv"},
    {"self_attn.o_proj", "attn_output"},
    {"self_attn.dense", "attn_output"},
    {"self_attn.q_norm", "attn_q_norm"},
    {"self_attn.k_norm", "attn_k_norm"},
    {"self_attn.q_layernorm", "attn_q_norm"},
    {"self_attn.k_layernorm", "attn_k_norm"},
    {"self_attn.sinks", "attn_sinks.weight"},
    {"self_attn.q_a_proj", "attn_q_a"},
    {"self_attn.q_b_proj", "attn_q_b"},
    {"self_attn.q_a_layernorm", "attn_q_a_norm"},
    {"self_attn.kv_a_proj_with_mqa", "attn_kv_a_mqa"},
    {"self_attn.kv_a_layernorm", "attn_kv_a_norm"},
    {"self_attn.kv_b_proj", "attn_kv_b"},
    {"self_attn.kv_b_proj", "attn_k_b", {}, Way::latent, "attn_v_b"},
    {"self_attention.query_key_value", "attn_qkv"},
    {"self_attention.dense", "attn_output"},
    {"attention.query_key_value", "attn_qkv"},
    {"attention.dense", "attn_output"},
    {"mlp.gate_proj", "ffn_gate"},
    {"mlp.up_proj", "ffn_up"},
    {"mlp.down_proj", "ffn_down"},
    {"mlp.gate_up_proj", "ffn_up"},
    {"mlp.fc1", "ffn_up"},
    {"mlp.fc2", "ffn_down"},
    {"mlp.c_fc", "ffn_up"},
    {"mlp.c_proj", "ffn_down"},
    {"mlp.dense_h_to_4h", "ffn_up"},
    {"mlp.dense_4h_to_h", "ffn_down"},
    {"mlp.gate", "ffn_gate_inp"},
    {"mlp.gate.e_score_correction_bias", "exp_probs_b.bias"},
    {"mlp.router", "ffn_gate_inp"},
    {"mlp.experts.#.gate_proj", "ffn_gate_exps"},
    {"mlp.experts.#.up_proj", "ffn_up_exps"},
    {"mlp.experts.#.down_proj", "ffn_down_exps"},
    {"mlp.experts.gate_up_proj", "ffn_gate_exps.weight", {}, Way::woven_halves, "ffn_up_exps.weight"},
    {"mlp.experts.gate_up_proj_bias", "ffn_gate_exps.bias", {}, Way::halves, "ffn_up_exps.bias"},
    {"mlp.experts.down_proj", "ffn_down_exps.weight", {}, Way::turned},
    {"mlp.experts.down_proj_bias", "ffn_down_exps.bias"},
    {"mlp.shared_experts.gate_proj", "ffn_gate_shexp"},
    {"mlp.shared_experts.up_proj", "ffn_up_shexp"},
    {"mlp.shared_experts.down_proj", "ffn_down_shexp"},
    {"mlp.shared_expert.gate_proj", "ffn_gate_shexp"},
    {"mlp.shared_expert.up_proj", "ffn_up_shexp"},
    {"mlp.shared_expert.down_proj", "ffn_down_shexp"},
    {"mlp.gate.wg", "ffn_gate_inp"},
    {"mlp.shared_mlp.gate_proj", "ffn_gate_shexp"},
    {"mlp.shared_mlp.up_proj", "ffn_up_shexp"},
    {"mlp.shared_mlp.down_proj", "ffn_down_shexp"},
    {"mlp.shared_expert_gate", "ffn_gate_inp_shexp"},
    {"block_sparse_moe.gate", "ffn_gate_inp"},
    {"block_sparse_moe.experts.#.w1", "ffn_gate_exps"},
    {"block_sparse_moe.experts.#.w2", "ffn_down_exps"},
    {"block_sparse_moe.experts.#.w3", "ffn_up_exps"},
    {"block_sparse_moe.router.layer", "ffn_gate_inp"},
    {"block_sparse_moe.input_linear", "ffn_gate_exps", {}, Way::halves, "ffn_up_exps"},
    {"block_sparse_moe.output_linear", "ffn_down_exps"},
    {"mixer.in_proj", "ssm_in"},
    {"mixer.conv1d", "ssm_conv1d"},
    {"mixer.x_proj", "ssm_x"},
    {"mixer.dt_proj", "ssm_dt"},
    {"mixer.dt_bias", "ssm_dt.bias"},
    {"mixer.A_log", "ssm_a"},
    {"mixer.D", "ssm_d"},
    {"mixer.norm", "ssm_norm"},
    {"mixer.out_proj", "ssm_out"},
};

/// Outside of them: the end of a name.
constexpr Named outside[] = {
    {"embed_tokens", "token_embd"},
    {"wte", "token_embd"},
    {"word_embeddings", "token_embd"},
    {"embeddings", "token_embd"},
    {"embed_in", "token_embd"},
    {"wpe", "position_embd"},
    {"word_embeddings_layernorm", "token_embd_norm"},
    {"model.norm", "output_norm"},
    {"norm_f", "output_norm"},
    {"ln_f", "output_norm"},
    {"final_layernorm", "output_norm"},
    {"final_layer_norm", "output_norm"},
    {"lm_head", "output"},
    {"embed_out", "output"},
};

/// What only the converter writes.
constexpr std::string_view only_here[] = {"rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight"};

using Shape = std::vector<std::uint64_t>;

/// Without dimensions of 1, which converters drop or leave.
Shape squeezed(const Shape& shape) {
  Shape out;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(out), [](std::uint64_t dim) { return dim != 1; });
  return out;
}

/// A model's row as the converter writes it: under one name, or two.
struct Target {
  const Row* row;
  SplitName name;
  Shape shape;
  Way way;
  std::vector<std::string> to;  // templates, as SplitName has them
};

/// "a.b.weight" -> "a.b" and ".weight"
std::pair<std::string_view, std::string_view> taken_apart(std::string_view name) {
  for (const std::string_view leaf : {".weight", ".bias"})
    if (name.ends_with(leaf)) return {name.substr(0, name.size() - leaf.size()), leaf};
  return {name, ""};
}

class Converter {
 public:
  Converter(std::vector<ListedRow>& rows, std::string_view architecture, const Model& model)
      : rows_(rows), architecture_(architecture), model_(model) {
    for (const ListedRow& row : rows) {
      names_.emplace_back(row.name, row.literal);
      // A mark in the name itself stands for no index.
      if (holds(row.name, std::string_view(&SplitName::mark, 1))) names_.back() = SplitName("");
    }
    taken_.resize(rows.size());
  }

  std::vector<ListedRow> convert() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto same = [&](std::size_t g) { return names_[groups_[g].front()].text == names_[i].text; };
      const std::size_t at = index_.find_or_add(hash_of(names_[i].text), groups_.size(), same);
      if (at == groups_.size()) groups_.emplace_back();
      groups_[at].push_back(i);
    }
    for (const Row& row : model_.builder.rows()) {
      SplitName name{std::string(row.name)};
      Shape shape;
      for (const Expr dim : row.shape) shape.push_back(static_cast<std::uint64_t>(dim.value()));
      const std::size_t layer = name.text.find(SplitName::mark);
      std::string inner = layer == std::string::npos ? name.text : name.text.substr(std::min(layer + 2, name.text.size()));
      std::replace(inner.begin(), inner.end(), SplitName::mark, '#');
      if (layer == std::string::npos)
        find_outside(row, name, shape, inner);
      else
        find_in_layer(row, name, shape, inner);
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (taken_[i]) continue;
      if (std::find(std::begin(only_here), std::end(only_here), rows_[i].name) != std::end(only_here))
        rows_[i].kind = ListedKind::buffer;
      else
        out_.push_back(rows_[i]);
    }
    return std::move(out_);
  }

 private:
  static constexpr std::size_t most_pairs = 1'000'000;

  void find_outside(const Row& row, const SplitName& name, const Shape& shape, std::string_view inner) {
    const auto [module, leaf] = taken_apart(inner);
    for (const Named& known : outside) {
      const std::string_view of = known.of;
      if (module != of && !(module.ends_with(of) && module[module.size() - of.size() - 1] == '.')) continue;
      const bool position = known.to == "position_embd" || known.to == "token_embd_norm";
      if (!position && of == "embeddings" && leaf.empty()) continue;
      return place({&row, name, shape, Way::same, {concat({known.to, leaf})}});
    }
  }

  void find_in_layer(const Row& row, const SplitName& name, const Shape& shape, std::string_view inner) {
    const auto [module, leaf] = taken_apart(inner);
    bool own = false;
    for (const Named& known : in_layers) {
      const bool whole = known.of == inner;
      if (!whole && known.of != module) continue;
      if (known.architecture.empty() ? own : !(known.architecture == architecture_)) continue;
      own = own || !known.architecture.empty();
      const std::string_view end = whole ? std::string_view() : leaf;
      // A vector that is turned is the same.
      const Way way = known.way == Way::turned && leaf == ".bias" ? Way::same : known.way;
      Target target{&row, name, shape, way, {in_block(known.to, end)}};
      if (!known.second.empty()) target.to.push_back(in_block(known.second, end));
      place(target);
      // As files of 2023 have experts: one by one.
      constexpr std::string_view stacked = "_exps";
      if (name.indices.size() == 2 && std::string_view(known.to).ends_with(stacked)) {
        const std::string_view to = known.to;
        place({&row, name, shape, Way::same, {in_block(concat({to.substr(0, to.size() - stacked.size()), ".\x01"}), end)}});
      }
    }
  }

  static std::string in_block(std::string_view to, std::string_view leaf) { return concat({"blk.\x01.", to, leaf}); }

  /// The shapes that the converter gives the tensors of a target; of experts one by one, each stacked.
  [[nodiscard]] std::vector<Shape> converted(const Target& target) const {
    Shape shape = target.shape;
    const std::size_t rank = shape.size();
    switch (target.way) {
      case Way::turned:
        if (rank > 1) std::swap(shape[rank - 1], shape[rank - 2]);
        break;
      case Way::halves: {
        const std::size_t at = rank > 2 ? rank - 2 : rank - 1;
        if (rank == 0 || shape[at] % 2 != 0) return {};
        shape[at] /= 2;
        return {shape, shape};
      }
      case Way::woven_halves:
        if (rank < 2 || shape[rank - 1] % 2 != 0) return {};
        shape[rank - 1] /= 2;
        std::swap(shape[rank - 1], shape[rank - 2]);
        return {shape, shape};
      case Way::latent: {
        const Expr nope = model_.pool.find("qk_nope_head_dim"), value = model_.pool.find("v_head_dim");
        if (rank != 2 || !nope || !value || nope.value() + value.value() == 0) return {};
        const auto keys = static_cast<std::uint64_t>(nope.value()), values = static_cast<std::uint64_t>(value.value());
        const std::uint64_t heads = shape[0] / (keys + values);
        return {{heads, shape[1], keys}, {heads, values, shape[1]}};
      }
      case Way::same: break;
    }
    if (target.name.indices.size() == 2 && std::count(target.to.front().begin(), target.to.front().end(), SplitName::mark) == 1)
      shape.insert(shape.begin(), static_cast<std::uint64_t>(size_of(target.name.indices[1])));
    return {shape};
  }

  /// Takes what the file has of a target.
  void place(const Target& target) {
    const std::span<const std::size_t> found = like(target.to.front());
    const std::vector<Shape> shapes = converted(target);
    if (found.empty() || shapes.size() != target.to.size()) return;
    const std::span<const std::size_t> beside = target.to.size() > 1 ? like(target.to[1]) : std::span<const std::size_t>();
    const bool layered = !target.name.indices.empty(), as_many = !beside.empty() && same_layers(found, beside);
    for (const std::size_t i : found) {
      if (taken_[i] || (layered && common(names_[i].indices.front(), target.name.indices.front()) == 0)) continue;
      std::string name = under(target, names_[i]);
      const bool fits = squeezed(rows_[i].shape) == squeezed(shapes[0]);
      if (!fits || target.to.size() == 1) {
        take(i, target, std::move(name), fits);
        continue;
      }
      // Both halves have to be there, of the same layers; where their types differ, in other runs of these.
      if (found.size() * beside.size() > most_pairs) return;
      const auto other = std::find_if(beside.begin(), beside.end(), [&](std::size_t k) {
        return !taken_[k] && squeezed(rows_[k].shape) == squeezed(shapes[1]) &&
               same_runs(names_[k].indices.front(), names_[i].indices.front());
      });
      if (other == beside.end() && !as_many) continue;
      for (const std::size_t k : beside) {
        if (taken_[k] || squeezed(rows_[k].shape) != squeezed(shapes[1]) || (other != beside.end() && k != *other)) continue;
        rows_[k].checkpoint = under(target, names_[k]);
        taken_[k] = true;
      }
      take(i, target, std::move(name), true);
    }
  }

  /// Whether two lists of rows are of as many layers, in other runs where their types differ.
  [[nodiscard]] bool same_layers(std::span<const std::size_t> a, std::span<const std::size_t> b) const {
    const auto all = [&](std::span<const std::size_t> rows) {
      RunList out;
      for (const std::size_t i : rows) out.insert(out.end(), names_[i].indices.front().begin(), names_[i].indices.front().end());
      return size_of(out);
    };
    return all(a) == all(b);
  }

  void take(std::size_t i, const Target& target, std::string name, bool fits) {
    taken_[i] = true;
    rows_[i].checkpoint = name;
    if (target.row->kind == Kind::tied) rows_[i].kind = ListedKind::tied;
    if (target.row->kind == Kind::buffer) rows_[i].kind = ListedKind::buffer;
    ListedRow row = rows_[i];
    row.name = std::move(name);
    if (fits) {
      row.shape = target.shape;
      const bool by_one = std::count(target.to.front().begin(), target.to.front().end(), SplitName::mark) ==
                          static_cast<std::ptrdiff_t>(target.name.indices.size());
      if (!by_one) row.copies = multiply(row.copies, size_of(target.name, 1));
      row.elements = row.numbers = elements_of(row.shape.data(), row.shape.size());
    }
    out_.push_back(std::move(row));
  }

  /// The checkpoint's name of a target for the layers (and experts) of a row of the file.
  static std::string under(const Target& target, const SplitName& file) {
    std::string out;
    std::size_t next = 0;
    for (const char c : target.name.text) {
      if (c == SplitName::mark) {
        out += spelling(next < file.indices.size() ? file.indices[next] : target.name.indices[next]);
        ++next;
      } else {
        out += c;
      }
    }
    return out;
  }

  [[nodiscard]] std::span<const std::size_t> like(const std::string& text) const {
    const std::size_t at =
        index_.find(hash_of(text), groups_.size(), [&](std::size_t g) { return names_[groups_[g].front()].text == text; });
    return at < groups_.size() ? std::span<const std::size_t>(groups_[at]) : std::span<const std::size_t>();
  }

  std::vector<ListedRow>& rows_;
  std::string_view architecture_;
  const Model& model_;
  std::vector<SplitName> names_;
  std::vector<std::vector<std::size_t>> groups_;  // of rows whose names differ in indices only
  HashIndex index_;
  std::vector<bool> taken_;
  std::vector<ListedRow> out_;
};

}  // namespace

Count converted_tensors(std::string_view architecture, const Model& model) {
  Count out = 0;
  for (const Row& row : model.builder.rows()) {
    if (row.kind == Kind::tied || row.kind == Kind::possible) continue;
    const SplitName name{std::string(row.name)};
    Count each = row.kind == Kind::buffer ? 0 : 1;
    if (!name.indices.empty()) {
      std::string inner = name.text.substr(std::min(name.text.find(SplitName::mark) + 2, name.text.size()));
      std::replace(inner.begin(), inner.end(), SplitName::mark, '#');
      const std::string_view module = taken_apart(inner).first;
      const Named* known = nullptr;
      for (const Named& named : in_layers)
        if ((named.of == std::string_view(inner) || named.of == module) &&
            (named.architecture.empty() ? known == nullptr : named.architecture == architecture))
          known = &named;
      if (known != nullptr) each = known->second.empty() ? 1 : 2;
    }
    // Experts are one tensor in each layer.
    out = add(out, multiply(each, name.indices.empty() ? 1 : size_of(name.indices.front())));
  }
  return out;
}

std::vector<ListedRow> as_checkpoint(std::vector<ListedRow>& rows, std::string_view architecture, const Model& model) {
  return Converter(rows, architecture, model).convert();
}

}  // namespace param_ledger
