#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/builder/family.hpp"

namespace param_ledger {

/// Every model type that can be counted, in alphabetical order; in the smaller program the common ones.
std::span<const Family* const> families();

/// Whether `families()` are all of them.
bool has_all_families();

/// The family of a model type, or null.
const Family* family_of(std::string_view model_type);

/// A class with its name in full: those by convention are put together from prefix and head.
struct NamedArchitecture {
  std::string name;
  Architecture architecture;  ///< its name is left empty where it is by convention
};

/// The classes of a family, the one that is counted by default first.
std::vector<NamedArchitecture> architectures(const Family& family);

/// The class of a family that has this head, or none.
std::optional<Architecture> class_with(const Family& family, Head head);

/// A family and the class of it that a configuration means.
struct Choice {
  const Family* family;
  NamedArchitecture architecture;
  bool by_class = false;  ///< model_type is not that family's: the class alone names it
};

/// The families that have a class of that name; none where it is unknown.
std::vector<Choice> families_with(std::string_view architecture);

/// The refusal of a model type and a class that do not go together; says which type has the class, where one has.
Error unknown_pair(std::string_view model_type, std::string_view architecture);

/// The class of that name whose family has it whatever model_type is named; none where there is no such.
std::optional<Choice> choose_for_any_type(std::string_view architecture);

/// The model that `model_type` and the first of `architectures` name; either may be empty, not both.
/// Where no type has that name, or publishers wrote a class under its neighbour's type, the class decides (`by_class`): the caller sees to
/// it that the fields agree. Throws Error{unknown_architecture}, with near names where a typing error is likely, or Error{inconsistent}
/// where the two do not belong together.
Choice choose(std::string_view model_type, std::string_view architecture);

}  // namespace param_ledger
