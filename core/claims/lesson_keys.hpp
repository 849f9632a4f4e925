#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "core/claims/row_switches.hpp"
#include "core/json/json.hpp"

// Reads the keys of a lesson. Lessons are written by hand, so every error names the path of the wrong key, such as
// screens[2].number.wrong[0].value.
namespace param_ledger {

[[noreturn]] void refuse_key(std::string path, std::string message);

std::string path_of(const std::string& path, std::string_view key);
std::string path_of(const std::string& path, std::string_view key, std::size_t i);

void require_object(Json value, const std::string& path);
/// Throws Error if the object has a key that is not listed.
void require_known(Json object, const std::string& path, std::initializer_list<std::string_view> keys);

/// The text at a key; empty if the key is missing.
std::string_view optional_text(Json object, const std::string& path, std::string_view key);
std::string_view required_text(Json object, const std::string& path, std::string_view key);
/// The list at a key; empty if the key is missing.
Json list_at(Json object, const std::string& path, std::string_view key, std::size_t most = 30);
/// The tensors that the key `tensors` lists by parts of their names. If `each` is true, only one copy of each tensor is counted.
Subset subset_at(Json object, const std::string& path);

}  // namespace param_ledger
