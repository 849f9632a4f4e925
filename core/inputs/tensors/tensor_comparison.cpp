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
  std::vector<const SplitName*> by = {};  ///< the names that matched it
};

/// The model's rows by name.
class Rows {
  auto of(std::string_view text) const {
    return [this, text](std::size_t i) { return list[groups_[i].front()].name.text == text; };
  }

 public:
  template <class NameOf>
  Rows(const Model& model, const NameOf& name_of) {
    for (const Row& row : model.builder.rows()) {
      Expected e{&row, SplitName(name_of(std::string(row.name))), {}, 1};
      for (const Expr dim : row.shape) e.shape.push_back(static_cast<std::uint64_t>(dim.peek()));
      for (const RunList& runs : e.name.indices) e.copies = multiply(e.copies, size_of(runs));
      const std::size_t at = index_.find_or_add(hash_of(e.name.text), groups_.size(), of(e.name.text));
      if (at == groups_.size()) groups_.emplace_back();
      groups_[at].push_back(list.size());
      list.push_back(std::move(e));
    }
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  /// The positions in `list` of rows with the same name except for indices.
  [[nodiscard]] std::span<const std::size_t> like(std::string_view text) const {
    const std::size_t at = index_.find(hash_of(text), groups_.size(), of(text));
    return at < groups_.size() ? std::span<const std::size_t>(groups_[at]) : std::span<const std::size_t>();
  }

  std::vector<Expected> list;

 private:
  std::vector<std::vector<std::size_t>> groups_;
  HashIndex index_;
};

/// The model's name for a row: without wrappers, and with a packed tensor under its module's usual name.
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

/// The name without its first module; indices are single marks as in `SplitName::text`.
std::string_view without_first(std::string_view text) { return text.substr(text.find('.') + 1); }

SplitName without_first(const SplitName& name) {
  SplitName out = name;
  out.text = without_first(std::string_view(name.text));
  if (!name.indices.empty() && name.text.size() > 1 && name.text[1] == '.' && name.text.front() == SplitName::mark)
    out.indices.erase(out.indices.begin());
  return out;
}

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
  // A file may hold the whole model, its backbone, or the model inside another module. The variant with the most matching names is used.
  const std::string backbone = concat({std::string_view(model.choice.architecture.architecture.backbone), "."});
  struct Way {
    std::unique_ptr<Rows> rows;
    bool inner = false;
    std::size_t found = 0;
  };
  Way best;
  std::vector<SplitName> listed;
  listed.reserve(rows.size());
  for (const ListedRow& row : rows) listed.emplace_back(unwrapped(row), row.literal);
  const auto offer = [&](std::unique_ptr<Rows> of_model, bool inner) {
    Way way{std::move(of_model), inner};
    for (const SplitName& name : listed) way.found += way.rows->like(inner ? without_first(name.text) : name.text).empty() ? 0 : 1;
    if (best.rows == nullptr || way.found > best.found) best = std::move(way);
  };
  const auto same = [](const std::string& name) { return name; };
  offer(std::make_unique<Rows>(model, same), false);
  if (best.found < rows.size()) {
    offer(std::make_unique<Rows>(model,
                                 [&](const std::string& name) { return name.starts_with(backbone) ? name.substr(backbone.size()) : name; }),
          false);
    offer(std::make_unique<Rows>(model, same), true);
  }
  Rows& model_rows = *best.rows;
  if (best.inner)
    for (SplitName& name : listed) name = without_first(name);

  Comparison out;
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ListedRow& row = rows[i];
    Count left = row.copies;
    const std::span<const std::size_t> alike = model_rows.like(listed[i].text);
    for (const std::size_t at : alike) {
      constexpr std::uint64_t most_pairs = 20'000'000;
      if (++pairs > most_pairs) throw Error{ErrorCode::too_large, "", "There are too many tensors of one name to compare."};
      Expected& e = model_rows.list[at];
      if (e.name.indices.size() != listed[i].indices.size()) continue;  // a mark in the original name is not an index
      const Count both = std::min(common(listed[i], e.name, e.name.indices.size()), left);
      if (both == 0) continue;
      left -= both;
      e.matched = add(e.matched, both);
      e.by.push_back(&listed[i]);
      const Count elements = e.row->elements.peek();
      const bool packed = row.kind == ListedKind::packed;
      const bool other_size = row.sized && !row.shaped && row.elements != elements;
      if (other_size || (row.shaped && (packed ? row.numbers != elements : row.shape != e.shape))) {
        out.other_shape.push_back(difference(row.name, row.shape, both, row.elements));
        out.other_shape.back().expected = e.shape;
      } else {
        out.matched_tensors = add(out.matched_tensors, both);
        out.matched_elements = add(out.matched_elements, multiply(both, elements));
      }
      if (e.row->kind == Kind::tied) out.tied_stored.push_back(difference(row.name, e.shape, both, elements));
    }
    const bool beside = row.kind == ListedKind::scale || row.name.find(".lora_") != std::string::npos;
    if (left == 0 || beside) continue;
    out.unexpected.push_back(difference(row.name, row.shape, left, row.elements));
    out.unexpected_elements = add(out.unexpected_elements, out.unexpected.back().elements);
  }
  for (const Expected& e : model_rows.list) {
    const bool wanted = e.row->kind == Kind::parameter || e.row->kind == Kind::buffer;
    if (!wanted || e.matched >= e.copies) continue;
    std::string name(e.row->name);
    if (e.matched > 0 && e.name.indices.size() == 1) {
      RunList runs = e.name.indices.front();
      const std::string all = spelling(runs);
      for (const SplitName* other : e.by) runs = remaining(runs, other->indices.front());
      if (const std::size_t at = name.find(all); at != std::string::npos) name.replace(at, all.size(), spelling(runs));
    }
    out.missing.push_back(difference(std::move(name), e.shape, e.copies - e.matched, e.row->elements.peek()));
    out.missing_elements = add(out.missing_elements, out.missing.back().elements);
  }
  return out;
}

}  // namespace param_ledger
