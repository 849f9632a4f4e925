#include "core/compare/matching.hpp"

#include <algorithm>
#include <map>

#include "core/compare/roles.hpp"

namespace param_ledger {

namespace {

std::string full_name(const Model& model, const Field& field) { return model.configuration.full_name(field.section, field.name); }

/// An integer field's symbol in formulas; empty for other fields, and for an integer without a value.
std::string_view symbol_of(const Field& field) { return field.number ? std::string_view(field.number.name().symbol) : ""; }

template <class Cells>
auto* first_of(const Cells& cells) {
  return *std::find_if(cells.begin(), cells.end(), [](const auto* cell) { return cell != nullptr; });
}

/// Merges the entries of one model into those of earlier models. An entry without a match is inserted after the model's preceding
/// entry, or at the beginning.
template <class Match, class Entry, class Find>
void place(std::vector<Match>& matches, std::size_t models, std::size_t model, std::vector<const Entry*> entries, const Find& find) {
  std::size_t next = 0;
  for (const Entry* entry : entries) {
    std::size_t at = find(*entry);
    if (at == matches.size()) {
      at = next;
      matches.insert(matches.begin() + static_cast<std::ptrdiff_t>(at), Match{});
      matches[at].cells.resize(models);
    }
    matches[at].cells[model] = entry;
    next = at + 1;
  }
}

}  // namespace

std::vector<FieldMatch> match_fields(Models models) {
  std::vector<FieldMatch> out;
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (models[i] == nullptr) continue;
    std::vector<const Field*> fields;
    for (const Field& field : models[i]->configuration.fields) fields.push_back(&field);
    const auto named = [&](const FieldMatch& match, const Field& field) {
      for (std::size_t j = 0; j < i; ++j)
        if (match.cells[j] != nullptr && match.cells[j]->name == field.name &&
            full_name(*models[j], *match.cells[j]) == full_name(*models[i], field))
          return true;
      return false;
    };
    const auto own = [&](const FieldMatch& match) {
      return std::any_of(fields.begin(), fields.end(), [&](const Field* field) { return named(match, *field); });
    };
    place(out, models.size(), i, fields, [&](const Field& field) {
      for (std::size_t at = 0; at < out.size(); ++at)
        if (out[at].cells[i] == nullptr && named(out[at], field)) return at;
      // Symbols are unique within a model.
      const std::string_view symbol = symbol_of(field);
      for (std::size_t at = 0; at < out.size() && !symbol.empty(); ++at)
        if (out[at].cells[i] == nullptr && first_of(out[at].cells) != nullptr && symbol_of(*first_of(out[at].cells)) == symbol &&
            !own(out[at]))
          return at;
      return out.size();
    });
  }
  return out;
}

bool same_value(const Field& a, const Field& b) {
  if (a.number && b.number) return a.number.peek() == b.number.peek();
  if (a.given && b.given) return a.given == b.given;
  return value_text(a) == value_text(b);
}

namespace {

/// The name with a star in place of each index.
std::string pattern_of(std::string_view name) {
  std::string out;
  for (std::size_t start = 0; start <= name.size();) {
    const std::size_t end = std::min(name.find('.', start), name.size());
    const std::string_view word = name.substr(start, end - start);
    if (!out.empty()) out += '.';
    const std::size_t index = index_begin(word);
    out += word.substr(0, index);
    if (index != std::string_view::npos) out += '*';
    start = end + 1;
  }
  return out;
}

/// Clears roles that several groups of a model share, because they do not identify a group.
void drop_shared_roles(std::vector<TensorGroup>& groups) {
  std::map<std::string_view, std::size_t> of_role;
  for (const TensorGroup& group : groups) ++of_role[group.role];
  std::vector<TensorGroup*> shared;
  for (TensorGroup& group : groups)
    if (of_role[group.role] > 1) shared.push_back(&group);
  for (TensorGroup* const group : shared) group->role.clear();
}

std::vector<TensorGroup> groups_of(const Model& model) {
  const std::vector<Row>& rows = model.builder.rows();
  const std::vector<std::string> roles = roles_of(model);
  std::vector<TensorGroup> out;
  for (const Row& row : rows) {
    if (row.kind == Kind::published || row.kind == Kind::possible) continue;
    std::string pattern = pattern_of(row.name);
    auto group = std::find_if(out.begin(), out.end(), [&](const TensorGroup& known) { return known.pattern == pattern; });
    if (group == out.end())
      group = out.insert(out.end(), TensorGroup{std::move(pattern), roles[static_cast<std::size_t>(&row - rows.data())], {}});
    group->rows.push_back(&row);
    if (row.kind == Kind::parameter) group->parameters = add(group->parameters, row.total.peek());
  }
  drop_shared_roles(out);
  return out;
}

}  // namespace

TensorMatches::TensorMatches(Models models) : groups_(models.size()) {
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (models[i] == nullptr) continue;
    groups_[i] = groups_of(*models[i]);
    std::vector<const TensorGroup*> groups;
    for (const TensorGroup& group : groups_[i]) groups.push_back(&group);
    const auto named = [&](const TensorMatch& match, const TensorGroup& group) {
      return std::any_of(match.cells.begin(), match.cells.begin() + static_cast<std::ptrdiff_t>(i),
                         [&](const TensorGroup* cell) { return cell != nullptr && cell->pattern == group.pattern; });
    };
    const auto own = [&](const TensorMatch& match) {
      return std::any_of(groups.begin(), groups.end(), [&](const TensorGroup* group) { return named(match, *group); });
    };
    place(matches_, models.size(), i, groups, [&](const TensorGroup& group) {
      for (std::size_t at = 0; at < matches_.size(); ++at)
        if (matches_[at].cells[i] == nullptr && named(matches_[at], group)) return at;
      for (std::size_t at = 0; at < matches_.size() && !group.role.empty(); ++at)
        if (matches_[at].cells[i] == nullptr && matches_[at].role == group.role && !own(matches_[at])) return at;
      return matches_.size();
    });
    for (TensorMatch& match : matches_)
      if (match.role.empty() && match.cells[i] != nullptr) match.role = match.cells[i]->role;
  }
}

}  // namespace param_ledger
