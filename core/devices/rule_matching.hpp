#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/builder/builder.hpp"

namespace param_ledger {

/// The first word of a tensor's name: "layers".
inline std::string_view first_word(std::string_view name) { return name.substr(0, name.find('.')); }
/// Whether a list of words such as "gate_proj|up_proj" contains this one.
bool is_one_of(std::string_view words, std::string_view word);
/// Whether rules treat a row as a routed expert.
bool is_routed_expert(const Row& row);
/// The words of the name that rules use for a row: the name that it has in its model or, for a routed expert, "experts.gate_up_proj" or
/// "experts.down_proj".
std::vector<std::string_view> words_for_rules(const Row& row, std::string_view name);
/// Whether a rule's module matches these words, with or without a parameter name at the end; `*` matches any word.
bool names_words(std::string_view module, std::span<const std::string_view> words);

}  // namespace param_ledger
