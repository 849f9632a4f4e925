#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "core/claims/row_switches.hpp"
#include "core/json/json.hpp"

// The keys of a lesson. Whoever writes one by hand learns which key is wrong: every error names its path, such as
// screens[2].number.wrong[0].value.
namespace param_ledger {

[[noreturn]] void refuse_key(std::string path, std::string message);

std::string path_of(const std::string& path, std::string_view key);
std::string path_of(const std::string& path, std::string_view key, std::size_t i);

void require_object(Json value, const std::string& path);
/// Refuses keys that are not listed.
void require_known(Json object, const std::string& path, std::initializer_list<std::string_view> keys);

/// A text, or an empty one if the key is missing.
std::string_view optional_text(Json object, const std::string& path, std::string_view key);
std::string_view required_text(Json object, const std::string& path, std::string_view key);
/// A list, or an empty one if the key is missing.
Json list_at(Json object, const std::string& path, std::string_view key, std::size_t most = 30);
/// The tensors that `tensors` names by parts of their names; of one layer with `each`.
Subset subset_at(Json object, const std::string& path);

}  // namespace param_ledger
