#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/builder/family.hpp"

namespace param_ledger {

/// Every model type that this program can count, in alphabetical order.
std::span<const Family* const> families();

/// Whether `families()` contains all families, not only the common ones.
bool has_all_families();

/// The family of a model type, or null.
const Family* family_of(std::string_view model_type);

/// A class with its full name.
struct NamedArchitecture {
  std::string name;
  Architecture architecture;  ///< its name is empty if it is conventional
};

/// The classes of a family, the default first.
std::vector<NamedArchitecture> architectures(const Family& family);

/// The class of a family with that head, or none.
std::optional<Architecture> class_with(const Family& family, Head head);

/// A family and one of its classes, as a configuration selects them.
struct Choice {
  const Family* family;
  NamedArchitecture architecture;
  bool by_class = false;  ///< selected by class: model_type is not this family's
};

/// The families that have a class of that name.
std::vector<Choice> families_with(std::string_view architecture);

/// The error of a smaller program for a model type or class that it lacks.
Error not_loaded(std::string_view field);

/// The error for a model type and a class that do not go together. Names the type that has the class, if there is one.
Error unknown_pair(std::string_view model_type, std::string_view architecture);

/// The class of that name in a family with `any_type`; none if there is none.
std::optional<Choice> choose_for_any_type(std::string_view architecture);

/// The model that `model_type` and the first of `architectures` select; one of the two may be empty. If no type has that name, or
/// publishers list a class under a neighbouring type, the class decides (`by_class`), and the caller must check that the fields match.
/// Throws Error{unknown_architecture}, with similar names in case of a typo, or Error{inconsistent} if the two do not go together.
Choice choose(std::string_view model_type, std::string_view architecture);

}  // namespace param_ledger
