#include "core/registry.hpp"

#include <algorithm>
#include <utility>

#include "core/families.hpp"

namespace param_ledger {

std::span<const Family* const> families() {
#define POINT(name) &name,
  static const Family* const list[] = {PARAM_LEDGER_FAMILIES(POINT)};
#undef POINT
  return list;
}

namespace {

const Architecture* find(const Family& family, std::string_view architecture) {
  const auto found =
      std::find_if(family.architectures.begin(), family.architectures.end(), [&](const Architecture& a) { return a.name == architecture; });
  return found != family.architectures.end() ? &*found : nullptr;
}

/// Letters that differ: insertions, deletions and replacements, case aside.
std::size_t distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

[[noreturn]] void unknown(std::string_view field, std::string_view name) {
  constexpr std::size_t longest = 100;
  constexpr std::size_t shown = 3;
  const std::string_view asked = name.substr(0, longest);
  std::vector<std::pair<std::size_t, std::string_view>> known;
  for (const Family* family : families()) {
    if (field == "model_type")
      known.emplace_back(distance(asked, family->model_type), family->model_type);
    else
      for (const Architecture& a : family->architectures) known.emplace_back(distance(asked, a.name), a.name);
  }
  std::stable_sort(known.begin(), known.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  Error error{ErrorCode::unknown_architecture, std::string(field),
              std::string(field) + " \"" + std::string(asked) + "\" is not a model that can be counted here; the nearest are"};
  for (const auto& [_, near] : known) {
    if (error.nearest.size() == shown) break;
    if (std::find(error.nearest.begin(), error.nearest.end(), near) != error.nearest.end()) continue;
    error.message += error.nearest.empty() ? " " : ", ";
    error.message += near;
    error.nearest.emplace_back(near);
  }
  error.message += '.';
  throw error;
}

/// Letters and digits of a name, in lower case: "GPTNeoX" and "gpt_neox" are one.
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (c != '_' && c != '-') out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

/// The only family that has a class, or the one that the class is named after: LlamaForCausalLM is llama's though other
/// types use it, too. Refuses where neither says what the configuration's fields mean.
Choice by_architecture(std::string_view architecture) {
  std::vector<Choice> having;
  for (const Family* family : families())
    if (const Architecture* const found = find(*family, architecture)) having.push_back({family, found});
  if (having.empty()) unknown("architectures", architecture);
  if (having.size() == 1) return having.front();
  Error error{ErrorCode::missing_field, "model_type",
              "model_type is missing, and " + std::string(architecture) + " is a class of several; it must be one of"};
  const Choice* namesake = nullptr;
  std::size_t longest = 0;
  for (const Choice& choice : having) {
    const std::string name = plain(choice.family->model_type);
    if (name.size() > longest && plain(architecture).substr(0, name.size()) == name) {
      namesake = &choice;
      longest = name.size();
    }
    error.message += error.nearest.empty() ? " " : ", ";
    error.message += choice.family->model_type;
    error.nearest.emplace_back(choice.family->model_type);
  }
  if (namesake != nullptr) return *namesake;
  error.message += '.';
  throw error;
}

}  // namespace

Choice choose(std::string_view model_type, std::string_view architecture) {
  if (model_type.empty()) return by_architecture(architecture);
  const auto list = families();
  const auto family = std::find_if(list.begin(), list.end(), [&](const Family* f) { return f->model_type == model_type; });
  if (family == list.end()) unknown("model_type", model_type);
  if (architecture.empty()) return {*family, &(*family)->architectures.front()};
  if (const Architecture* const found = find(**family, architecture)) return {*family, found};
  std::string message = "architectures names " + std::string(architecture.substr(0, 100)) + ", which is not a class of model_type " +
                        std::string(model_type) + "; it has";
  Error error{ErrorCode::unknown_architecture, "architectures", std::move(message)};
  for (const Architecture& a : (*family)->architectures) {
    error.message += error.nearest.empty() ? " " : ", ";
    error.message += a.name;
    error.nearest.emplace_back(a.name);
  }
  error.message += '.';
  throw error;
}

}  // namespace param_ledger
