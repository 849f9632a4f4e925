#include "core/inputs/gguf/gguf_names.hpp"

#include <algorithm>

#include "core/inputs/gguf/name_table.hpp"
#include "core/inputs/tensors/split_name.hpp"
#include "core/support/count.hpp"
#include "core/support/hash_index.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

using namespace gguf_table;

/// Tensors that the converter adds and that no checkpoint contains.
constexpr std::string_view only_here[] = {"rope_freqs.weight", "rope_factors_long.weight", "rope_factors_short.weight"};

using Shape = std::vector<std::uint64_t>;

/// Removes dimensions of size 1, which converters may drop.
Shape squeezed(const Shape& shape) {
  Shape out;
  std::copy_if(shape.begin(), shape.end(), std::back_inserter(out), [](std::uint64_t dim) { return dim != 1; });
  return out;
}

Count elements_in(const Shape& shape) { return elements_of(shape.data(), shape.size()); }

/// A row of the model, and the one or two GGUF tensors that the converter makes from it.
struct Target {
  const Row* row;
  SplitName name;
  Shape shape;
  Way way;
  std::vector<std::string> to;  // names in the GGUF file, with a mark for each index as in SplitName
};

/// Splits a name before ".weight" or ".bias": "a.b.weight" -> "a.b" and ".weight". The second part is empty for any other name.
std::pair<std::string_view, std::string_view> taken_apart(std::string_view name) {
  for (const std::string_view leaf : {".weight", ".bias"})
    if (name.ends_with(leaf)) return {name.substr(0, name.size() - leaf.size()), leaf};
  return {name, ""};
}

/// The part of a name after the layer's index. `#` stands for the index of an expert.
std::string within_layer(const SplitName& name) {
  std::string inner = name.text.substr(std::min(name.text.find(SplitName::mark) + 2, name.text.size()));
  std::replace(inner.begin(), inner.end(), SplitName::mark, '#');
  return inner;
}

/// A tensor's name, prepared for T5. T5 calls its layers "blocks", and numbers the modules in each block: in
/// "encoder.block.#.layer.0.SelfAttention.q", the 0 is not the index of a layer.
struct Block {
  std::string_view stack;  ///< "enc." or "dec." for T5's blocks, otherwise empty
  SplitName name;          ///< the name; for T5's blocks, the module's number is part of the text
};
Block block_of(SplitName name) {
  constexpr std::string_view inside = ".block.\x01.layer.\x01.";
  const std::size_t at = name.text.find(inside);
  if (at == std::string::npos || name.indices.size() != 2 || size_of(name.indices[1]) != 1) return {"", std::move(name)};
  const std::string_view stack = name.text.starts_with("encoder") ? "enc." : "dec.";
  name.text.replace(at + inside.size() - 2, 1, digits(name.indices[1].front().first));
  name.indices.pop_back();
  return {stack, std::move(name)};
}

class Converter {
  [[nodiscard]] auto name_of_group() const {
    return [this](std::size_t g) -> std::string_view { return names_[groups_[g].front()].text; };
  }

 public:
  Converter(std::vector<ListedRow>& rows, std::string_view architecture, const Model& model)
      : rows_(rows), architecture_(architecture), model_(model) {
    for (const ListedRow& row : rows) {
      names_.emplace_back(row.name, row.literal);
      // A name that contains the mark itself cannot be split.
      if (holds(row.name, std::string_view(&SplitName::mark, 1))) names_.back() = SplitName("");
    }
    taken_.resize(rows.size());
  }

  std::vector<ListedRow> convert() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::size_t at = index_.intern(names_[i].text, groups_.size(), name_of_group());
      if (at == groups_.size()) groups_.emplace_back();
      groups_[at].push_back(i);
    }
    for (const Row& row : model_.builder.rows()) {
      Shape shape;
      for (const Expr dim : row.shape) shape.push_back(static_cast<std::uint64_t>(dim.peek()));
      const Block block = block_of(SplitName(std::string(row.name)));
      if (block.name.indices.empty())
        find_outside(row, block.name, shape, block.name.text);
      else
        find_in_layer(row, block, shape, concat({block.stack, within_layer(block.name)}));
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

  void find_in_layer(const Row& row, const Block& block, const Shape& shape, std::string_view inner) {
    const SplitName& name = block.name;
    const auto in_block = [&](std::string_view to, std::string_view end) { return concat({block.stack, "blk.\x01.", to, end}); };
    const auto [module, leaf] = taken_apart(inner);
    bool own = false;
    for (const Named& known : in_layers) {
      const bool whole = known.of == inner;
      if (!whole && known.of != module) continue;
      if (known.architecture.empty() ? own : !(known.architecture == architecture_)) continue;
      own = own || !known.architecture.empty();
      const std::string_view end = whole ? std::string_view() : leaf;
      // Vectors are not changed by transposing.
      const Way way = known.way == Way::turned && leaf == ".bias" ? Way::same : known.way;
      Target target{&row, name, shape, way, {in_block(known.to, end)}};
      if (!known.second.empty()) target.to.push_back(in_block(known.second, end));
      place(target);
      // GGUF files from before April 2024 store each expert as a separate tensor.
      constexpr std::string_view stacked = "_exps";
      if (name.indices.size() == 2 && std::string_view(known.to).ends_with(stacked)) {
        const std::string_view to = known.to;
        place({&row, name, shape, Way::same, {in_block(concat({to.substr(0, to.size() - stacked.size()), ".\x01"}), end)}});
      }
    }
  }

  /// The shapes of the GGUF tensors that a target is converted to. Experts that are separate in the checkpoint are stacked, unless the GGUF
  /// name has an expert's index. Empty if the model's tensor cannot be converted in this way.
  [[nodiscard]] std::vector<Shape> converted(const Target& target) const {
    const Shape& shape = target.shape;
    switch (target.way) {
      case Way::halves: return halves(shape, shape.size() > 2 ? shape.size() - 2 : shape.size() - 1);
      case Way::row_halves: return shape.size() == 2 ? halves(shape, 0) : std::vector<Shape>();
      case Way::woven_halves: {
        if (shape.size() < 2) return {};
        std::vector<Shape> out = halves(shape, shape.size() - 1);
        for (Shape& half : out) half = transposed(half);
        return out;
      }
      case Way::gated: return gate_apart(shape);
      case Way::latent: return keys_and_values(shape);
      case Way::turned: return {stacked(target, transposed(shape))};
      case Way::reshaped:
      case Way::same: return {stacked(target, shape)};
    }
    return {};
  }

  static Shape transposed(Shape shape) {
    const std::size_t rank = shape.size();
    if (rank > 1) std::swap(shape[rank - 1], shape[rank - 2]);
    return shape;
  }

  static std::vector<Shape> halves(Shape shape, std::size_t at) {
    if (at >= shape.size() || shape[at] % 2 != 0) return {};
    shape[at] /= 2;
    return {shape, shape};
  }

  /// Splits the fused projection of linear attention into two tensors: queries, keys and values in one, the output gate in the other.
  [[nodiscard]] std::vector<Shape> gate_apart(const Shape& shape) const {
    const Expr heads = model_.pool.find("linear_num_value_heads"), width = model_.pool.find("linear_value_head_dim");
    if (shape.size() != 2 || !heads || !width) return {};
    const Count gate = multiply(heads.peek(), width.peek());
    if (gate >= shape[0]) return {};
    const auto rows = static_cast<std::uint64_t>(gate);
    return {{shape[0] - rows, shape[1]}, {rows, shape[1]}};
  }

  /// Splits MLA's kv_b_proj into its key part and its value part, each with one matrix per head.
  [[nodiscard]] std::vector<Shape> keys_and_values(const Shape& shape) const {
    const Expr nope = model_.pool.find("qk_nope_head_dim"), value = model_.pool.find("v_head_dim");
    if (shape.size() != 2 || !nope || !value || nope.peek() + value.peek() == 0) return {};
    const auto keys = static_cast<std::uint64_t>(nope.peek()), values = static_cast<std::uint64_t>(value.peek());
    const std::uint64_t heads = shape[0] / (keys + values);
    return {{heads, shape[1], keys}, {heads, values, shape[1]}};
  }

  static Shape stacked(const Target& target, Shape shape) {
    const std::string_view name = target.to.front();
    if (target.name.indices.size() == 2 && std::count(name.begin(), name.end(), SplitName::mark) == 1)
      shape.insert(shape.begin(), static_cast<std::uint64_t>(size_of(target.name.indices[1])));
    return shape;
  }

  /// Matches a target with the rows of the GGUF file.
  void place(const Target& target) {
    const std::span<const std::size_t> found = like(target.to.front());
    const std::vector<Shape> shapes = converted(target);
    if (found.empty() || shapes.size() != target.to.size()) return;
    const std::span<const std::size_t> beside = target.to.size() > 1 ? like(target.to[1]) : std::span<const std::size_t>();
    const bool layered = !target.name.indices.empty(), as_many = !beside.empty() && same_layers(found, beside);
    for (const std::size_t i : found) {
      if (taken_[i] || (layered && common(names_[i].indices.front(), target.name.indices.front()) == 0)) continue;
      std::string name = under(target, names_[i]);
      const bool fits = squeezed(rows_[i].shape) == squeezed(shapes[0]) ||
                        (target.way == Way::reshaped && elements_in(rows_[i].shape) == elements_in(shapes[0]));
      if (!fits || target.to.size() == 1) {
        take(i, target, std::move(name), fits);
        continue;
      }
      // A tensor that the converter splits matches only if both parts exist, for the same layers or equally many. A row contains only
      // layers with one dtype, so the rows of the two parts may begin and end at different layers.
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

  /// Whether two lists of rows cover the same number of layers, even if they group the layers into different runs.
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
    // A name with ".scale" that belongs to a parameter of the model, such as Gemma 4's router, is not a quantization scale.
    if (target.row->kind == Kind::parameter && rows_[i].kind == ListedKind::scale) rows_[i].kind = ListedKind::parameter;
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

  /// A target's name in the checkpoint, with the indices of one of the file's rows. If the row has no expert index, the target's are kept.
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
    const std::size_t at = index_.find(text, groups_.size(), name_of_group());
    return at < groups_.size() ? std::span<const std::size_t>(groups_[at]) : std::span<const std::size_t>();
  }

  std::vector<ListedRow>& rows_;
  std::string_view architecture_;
  const Model& model_;
  std::vector<SplitName> names_;
  std::vector<std::vector<std::size_t>> groups_;  // positions of the file's rows, grouped by their names without indices
  StringIndex index_;
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
      const std::string inner = within_layer(name);
      const std::string_view module = taken_apart(inner).first;
      const Named* known = nullptr;
      for (const Named& named : in_layers)
        if ((named.of == std::string_view(inner) || named.of == module) &&
            (named.architecture.empty() ? known == nullptr : named.architecture == architecture))
          known = &named;
      if (known != nullptr) each = known->second.empty() ? 1 : 2;
    }
    // The experts of a layer are stacked into one tensor, so only the layers are counted.
    out = add(out, multiply(each, name.indices.empty() ? 1 : size_of(name.indices.front())));
  }
  return out;
}

std::vector<ListedRow> as_checkpoint(std::vector<ListedRow>& rows, std::string_view architecture, const Model& model) {
  return Converter(rows, architecture, model).convert();
}

}  // namespace param_ledger
