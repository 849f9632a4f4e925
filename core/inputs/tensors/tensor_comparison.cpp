#include "core/inputs/tensors/tensor_comparison.hpp"

#include <algorithm>
#include <memory>
#include <span>

#include "core/inputs/tensors/split_name.hpp"
#include "core/support/count.hpp"
#include "core/support/hash_index.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

struct Expected {
  const Row* row;
  SplitName name;
  std::vector<std::uint64_t> shape;
  Count copies;
  Count matched = 0;
  std::vector<const SplitName*> by = {};  ///< the input's names that matched the row
};

/// Finds the model's rows by name.
class Rows {
  [[nodiscard]] auto name_of_group() const {
    return [this](std::size_t i) -> std::string_view { return list[groups_[i].front()].name.text; };
  }

 public:
  template <class NameOf>
  Rows(const Model& model, const NameOf& name_of) {
    for (const Row& row : model.builder.rows()) {
      Expected e{&row, SplitName(name_of(std::string(row.name))), {}, 1};
      for (const Expr dim : row.shape) e.shape.push_back(static_cast<std::uint64_t>(dim.peek()));
      for (const RunList& runs : e.name.indices) e.copies = multiply(e.copies, size_of(runs));
      const std::size_t at = index_.intern(e.name.text, groups_.size(), name_of_group());
      if (at == groups_.size()) groups_.emplace_back();
      groups_[at].push_back(list.size());
      list.push_back(std::move(e));
    }
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  /// The positions in `list` of rows whose names differ from `text` only in indices.
  [[nodiscard]] std::span<const std::size_t> like(std::string_view text) const {
    const std::size_t at = index_.find(text, groups_.size(), name_of_group());
    return at < groups_.size() ? std::span<const std::size_t>(groups_[at]) : std::span<const std::size_t>();
  }

  std::vector<Expected> list;

 private:
  std::vector<std::vector<std::size_t>> groups_;
  StringIndex index_;
};

/// The name that the model has for a row of the input: without LoRA wrappers, and for packed tensors with the unpacked tensor's suffix,
/// such as `.weight` instead of `.qweight`.
std::string unwrapped(const ListedRow& row) {
  std::string name = row.name;
  constexpr std::string_view wrapper = "base_model.model.", base = ".base_layer";
  if (name.starts_with(wrapper)) name.erase(0, wrapper.size());
  if (const std::size_t at = name.find(base); at != std::string::npos) name.erase(at, base.size());
  if (row.kind == ListedKind::packed)
    for (const auto& [ending, stands_for] :
         {std::pair<std::string_view, std::string_view>{".qweight", ".weight"}, {".weight_packed", ".weight"}, {"_blocks", ""}})
      if (name.ends_with(ending)) name.replace(name.size() - ending.size(), ending.size(), stands_for);
  return name;
}

/// The name without its first module. In `text`, a mark stands for each index, as in `SplitName::text`.
std::string_view without_first(std::string_view text) { return text.substr(text.find('.') + 1); }

SplitName without_first(const SplitName& name) {
  SplitName out = name;
  out.text = without_first(std::string_view(name.text));
  if (!name.indices.empty() && name.text.size() > 1 && name.text[1] == '.' && name.text.front() == SplitName::mark)
    out.indices.erase(out.indices.begin());
  return out;
}

/// One way of naming the model's rows, and how many names in the input it matches.
struct Naming {
  std::unique_ptr<Rows> rows;
  bool inner = false;     ///< whether the names in the input begin with an additional module
  std::size_t found = 0;  ///< the number of names in the input that the model has, too
};

/// A file may contain the whole model, only its backbone, or the model inside another module. Chooses the naming with the most names in
/// common. If the model is inside another module, removes that module from the names in `listed`.
std::unique_ptr<Rows> best_naming(const Model& model, std::vector<SplitName>& listed) {
  const std::string backbone = concat({std::string_view(model.choice.architecture.architecture.backbone), "."});
  const auto whole = [](const std::string& name) { return name; };
  const auto of_backbone = [&](const std::string& name) { return name.starts_with(backbone) ? name.substr(backbone.size()) : name; };
  Naming best;
  const auto offer = [&](std::unique_ptr<Rows> rows, bool inner) {
    Naming naming{std::move(rows), inner};
    for (const SplitName& name : listed) naming.found += naming.rows->like(inner ? without_first(name.text) : name.text).empty() ? 0 : 1;
    if (best.rows == nullptr || naming.found > best.found) best = std::move(naming);
  };
  offer(std::make_unique<Rows>(model, whole), false);
  if (best.found < listed.size()) {
    offer(std::make_unique<Rows>(model, of_backbone), false);
    offer(std::make_unique<Rows>(model, whole), true);
  }
  if (best.inner)
    for (SplitName& name : listed) name = without_first(name);
  return std::move(best.rows);
}

/// Compares the input with the model row by row, and then finds the model's tensors that the input lacks.
class TensorComparison {
 public:
  explicit TensorComparison(Rows& model_rows) : model_rows_(model_rows) {}

  void compare(const ListedRow& row, const SplitName& name) {
    Count left = row.copies;
    for (const std::size_t at : model_rows_.like(name.text)) {
      constexpr std::uint64_t most_pairs = 20'000'000;
      if (++pairs_ > most_pairs) throw Error{ErrorCode::too_large, "", "There are too many tensors with the same name to compare."};
      Expected& expected = model_rows_.list[at];
      if (expected.name.indices.size() != name.indices.size())
        continue;  // the name itself contains the mark, which then does not stand for an index
      const Count both = std::min(common(name, expected.name, name.indices.size()), left);
      if (both == 0) continue;
      left -= both;
      expected.matched = add(expected.matched, both);
      expected.by.push_back(&name);
      note_pair(row, expected, both);
    }
    const bool is_extra = row.kind == ListedKind::scale || row.name.find(".lora_") != std::string::npos;
    if (left == 0 || is_extra) return;
    out_.unexpected.push_back(difference(row.name, row.shape, left, row.elements));
    out_.unexpected_elements = add(out_.unexpected_elements, out_.unexpected.back().elements);
  }

  Comparison finish() {
    for (const Expected& expected : model_rows_.list) {
      const bool is_stored = expected.row->kind == Kind::parameter || expected.row->kind == Kind::buffer;
      if (!is_stored || expected.matched >= expected.copies) continue;
      const Count missing = expected.copies - expected.matched;
      out_.missing.push_back(difference(name_of_missing(expected), expected.shape, missing, expected.row->elements.peek()));
      out_.missing_elements = add(out_.missing_elements, out_.missing.back().elements);
    }
    return std::move(out_);
  }

 private:
  /// Records that `tensors` tensors of an input row have the names of a row of the model.
  void note_pair(const ListedRow& row, const Expected& expected, Count tensors) {
    const Count elements = expected.row->elements.peek();
    if (has_other_shape(row, expected, elements)) {
      out_.other_shape.push_back(difference(row.name, row.shape, tensors, row.elements));
      out_.other_shape.back().expected = expected.shape;
    } else {
      out_.matched_tensors = add(out_.matched_tensors, tensors);
      out_.matched_elements = add(out_.matched_elements, multiply(tensors, elements));
    }
    if (expected.row->kind == Kind::tied) out_.tied_stored.push_back(difference(row.name, expected.shape, tensors, elements));
  }

  static bool has_other_shape(const ListedRow& row, const Expected& expected, Count elements) {
    if (!row.shaped) return row.sized && row.elements != elements;
    return row.kind == ListedKind::packed ? row.numbers != elements : row.shape != expected.shape;
  }

  /// The name of a row of the model. If it has a single index range, this is restricted to the indices that the input lacks.
  static std::string name_of_missing(const Expected& expected) {
    std::string name(expected.row->name);
    if (expected.matched == 0 || expected.name.indices.size() != 1) return name;
    RunList left = expected.name.indices.front();
    const std::string all = spelling(left);
    for (const SplitName* read : expected.by) left = remaining(left, read->indices.front());
    if (const std::size_t at = name.find(all); at != std::string::npos) name.replace(at, all.size(), spelling(left));
    return name;
  }

  Rows& model_rows_;
  Comparison out_;
  std::uint64_t pairs_ = 0;
};

}  // namespace

Difference difference(std::string name, const std::vector<std::uint64_t>& shape, Count tensors, Count elements) {
  Difference out;
  out.name = std::move(name);
  out.shape = shape;
  out.tensors = tensors;
  out.elements = multiply(tensors, elements);
  return out;
}

Comparison compare_tensors(const std::vector<ListedRow>& rows, const Model& model) {
  std::vector<SplitName> listed;
  listed.reserve(rows.size());
  for (const ListedRow& row : rows) listed.emplace_back(unwrapped(row), row.literal);
  const std::unique_ptr<Rows> model_rows = best_naming(model, listed);
  TensorComparison comparison(*model_rows);
  for (std::size_t i = 0; i < rows.size(); ++i) comparison.compare(rows[i], listed[i]);
  return comparison.finish();
}

}  // namespace param_ledger
