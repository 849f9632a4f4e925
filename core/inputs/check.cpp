#include "core/inputs/check.hpp"

#include <algorithm>
#include <memory>
#include <span>

#include "core/count.hpp"
#include "core/hash_index.hpp"
#include "core/index_set.hpp"
#include "core/text.hpp"

namespace param_ledger {

namespace {

using RunList = std::vector<Run>;

/// A name with index ranges taken apart: a mark stands for each of them.
struct SplitName {
  std::string text;
  std::vector<RunList> indices;

  explicit SplitName(std::string_view name, bool literal = false) {
    constexpr char mark = '\x01';
    for (std::size_t begin = 0;;) {
      const std::size_t end = std::min(name.find('.', begin), name.size());
      const std::string_view piece = name.substr(begin, end - begin);
      RunList runs = literal ? RunList{} : spelled(piece);
      if (runs.empty()) {
        text += piece;
      } else {
        text += mark;
        indices.push_back(std::move(runs));
      }
      if (end == name.size()) return;
      text += '.';
      begin = end + 1;
    }
  }
};

Count size_of(const RunList& runs) {
  Count out = 0;
  for (const Run& run : runs)
    if (run.last >= run.first) out += Count{run.last} - run.first + 1;
  return out;
}

/// Both ascending.
Count common(const RunList& a, const RunList& b) {
  Count out = 0;
  for (std::size_t i = 0, k = 0; i < a.size() && k < b.size();) {
    const std::uint64_t first = std::max(a[i].first, b[k].first), last = std::min(a[i].last, b[k].last);
    if (first <= last) out += Count{last} - first + 1;
    (a[i].last < b[k].last ? i : k) += 1;
  }
  return out;
}

Count common(const SplitName& a, const SplitName& b) {
  Count out = 1;
  for (std::size_t i = 0; i < a.indices.size(); ++i) out = multiply(out, common(a.indices[i], b.indices[i]));
  return out;
}

/// Those of `a` that are not in `b`.
RunList remaining(const RunList& a, const RunList& b) {
  RunList out;
  for (Run run : a) {
    for (const Run& other : b) {
      if (other.last < run.first || other.first > run.last) continue;
      if (other.first > run.first) out.push_back({run.first, other.first - 1});
      if (other.last >= run.last) {
        run.first = run.last + 1;
        break;
      }
      run.first = other.last + 1;
    }
    if (run.first <= run.last) out.push_back(run);
  }
  return out;
}

/// How many there are at each index of a name, but those at which the model's has one only: no repeats.
std::vector<Count> sizes_of(const SplitName& name, const SplitName& of_model) {
  std::vector<Count> out;
  for (std::size_t i = 0; i < name.indices.size(); ++i)
    if (size_of(of_model.indices[i]) != 1) out.push_back(size_of(name.indices[i]));
  return out;
}

struct Expected {
  const Row* row;
  SplitName name;
  std::vector<std::uint64_t> shape;
  Count copies;
  Count matched = 0;
  std::vector<const SplitName*> by = {};  ///< what matched it
};

/// The model's rows by their names.
class Rows {
 public:
  template <class NameOf>
  Rows(const Model& model, const NameOf& name_of) {
    for (const Row& row : model.builder.rows()) {
      Expected e{&row, SplitName(name_of(std::string(row.name))), {}, 1};
      for (const Expr dim : row.shape) e.shape.push_back(static_cast<std::uint64_t>(dim.value()));
      for (const RunList& runs : e.name.indices) e.copies = multiply(e.copies, size_of(runs));
      const std::size_t at = place(e.name.text);
      if (at == groups_.size()) groups_.emplace_back();
      groups_[at].push_back(list.size());
      list.push_back(std::move(e));
    }
  }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  /// The places in `list` of rows whose names differ from it in indices only.
  std::span<const std::size_t> like(const SplitName& name) {
    const std::size_t at = place(name.text);
    return at < groups_.size() ? std::span<const std::size_t>(groups_[at]) : std::span<const std::size_t>();
  }

  std::vector<Expected> list;

 private:
  std::size_t place(const std::string& text) {
    return index_.find_or_add(hash_of(text), groups_.size(),
                              [&](std::size_t i) { return i < groups_.size() && list[groups_[i].front()].name.text == text; });
  }

  std::vector<std::vector<std::size_t>> groups_;
  HashIndex index_;
};

/// A row's name as the model's own: without wrappers, packed numbers under the name of what they hold.
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

/// A name without the modules that hold a model: releases of transformers nest them differently, and print what they do not save.
std::string bare_name(std::string_view name) {
  std::string out;
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(name.find('.', begin), name.size());
    const std::string_view piece = name.substr(begin, end - begin);
    if (piece != "model" && piece != "language_model" && piece != "transformer") out.append(out.empty() ? "" : ".").append(piece);
    if (end == name.size()) return out;
    begin = end + 1;
  }
}

std::string without_first(std::string_view name) { return std::string(name.substr(name.find('.') + 1)); }

Difference difference(std::string name, const std::vector<std::uint64_t>& shape, Count tensors, Count elements) {
  Difference out;
  out.name = std::move(name);
  out.shape = shape;
  out.tensors = tensors;
  out.elements = multiply(tensors, elements);
  return out;
}

/// In print a module may have another name than in files: what is missing and what is unexpected of the same shape, as often, is one.
void match_renamed(Comparison& c) {
  const auto last = [](std::string_view name) { return name.substr(name.rfind('.') + 1); };
  for (std::size_t i = 0; i < c.unexpected.size();) {
    const Difference& u = c.unexpected[i];
    const auto renamed = std::find_if(c.missing.begin(), c.missing.end(), [&](const Difference& m) {
      return m.shape == u.shape && m.tensors == u.tensors && last(m.name) == last(u.name);
    });
    if (renamed == c.missing.end()) {
      ++i;
      continue;
    }
    c.matched_tensors = add(c.matched_tensors, u.tensors);
    c.matched_elements = add(c.matched_elements, u.elements);
    c.missing_elements -= u.elements;
    c.unexpected_elements -= u.elements;
    c.missing.erase(renamed);
    c.unexpected.erase(c.unexpected.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

Comparison compare_tensors(const std::vector<ListedRow>& rows, const Model& model, Compared what) {
  // Files are saved of the whole model, of its backbone alone, or of the model inside another module: what fits most names holds.
  const std::string backbone = concat({std::string_view(model.choice.architecture.architecture.backbone), "."});
  struct Way {
    std::vector<SplitName> listed;
    std::unique_ptr<Rows> rows;
    std::size_t found = 0;
  };
  Way best;
  const auto offer = [&](const auto& of_listed, const auto& of_model) {
    Way way{{}, std::make_unique<Rows>(model, of_model)};
    for (const ListedRow& row : rows) {
      way.listed.emplace_back(of_listed(unwrapped(row)), row.literal);
      way.found += way.rows->like(way.listed.back()).empty() ? 0 : 1;
    }
    if (best.rows == nullptr || way.found > best.found) best = std::move(way);
  };
  const auto same = [](const std::string& name) { return name; };
  offer(same, same);
  if (best.found < rows.size()) {
    offer(same, [&](const std::string& name) { return name.starts_with(backbone) ? name.substr(backbone.size()) : name; });
    offer(without_first, same);
    if (what == Compared::printed) offer(bare_name, bare_name);
  }
  Rows& model_rows = *best.rows;
  const std::vector<SplitName>& listed = best.listed;

  Comparison out;
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ListedRow& row = rows[i];
    Count left = row.copies;
    const std::span<const std::size_t> alike = model_rows.like(listed[i]);
    for (const std::size_t at : alike) {
      constexpr std::uint64_t most_pairs = 20'000'000;
      if (++pairs > most_pairs) throw Error{ErrorCode::too_large, "", "There are too many tensors of one name to compare."};
      Expected& e = model_rows.list[at];
      if (what == Compared::printed) out.pairs.push_back({i, at, alike.size() == 1 ? sizes_of(listed[i], e.name) : std::vector<Count>()});
      const Count both = std::min(common(listed[i], e.name), left);
      if (both == 0) continue;
      left -= both;
      e.matched = add(e.matched, both);
      e.by.push_back(&listed[i]);
      const Count elements = e.row->elements.value();
      const bool packed = row.kind == ListedKind::packed;
      if (row.shaped && (packed ? row.numbers != elements : row.shape != e.shape)) {
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
    const bool wanted = e.row->kind == Kind::parameter || (e.row->kind == Kind::buffer && what == Compared::files);
    if (!wanted || e.matched >= e.copies) continue;
    std::string name(e.row->name);
    if (e.matched > 0 && e.name.indices.size() == 1) {
      RunList runs = e.name.indices.front();
      const std::string all = spelling(runs);
      for (const SplitName* other : e.by) runs = remaining(runs, other->indices.front());
      if (const std::size_t at = name.find(all); at != std::string::npos) name.replace(at, all.size(), spelling(runs));
    }
    out.missing.push_back(difference(std::move(name), e.shape, e.copies - e.matched, e.row->elements.value()));
    out.missing_elements = add(out.missing_elements, out.missing.back().elements);
  }
  if (what == Compared::printed) match_renamed(out);
  return out;
}

}  // namespace param_ledger
