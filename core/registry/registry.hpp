#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/builder/family.hpp"

namespace param_ledger {

/// All model types that this program can count, in the order of families.def.
std::span<const Family* const> families();

/// Whether the program contains all families, not only the common or published ones.
bool has_all_families();

/// The family of a model type; null if there is none.
const Family* family_of(std::string_view model_type);

/// A class with its full name.
struct NamedArchitecture {
  std::string name;
  Architecture architecture;  ///< its own `name` is empty if the class is named by convention
};

/// The classes of a family, the default first.
std::vector<NamedArchitecture> architectures(const Family& family);

/// The family's first class with this head; none if there is none.
std::optional<Architecture> class_with(const Family& family, Head head);

/// The family and the class that a configuration selects.
struct Choice {
  const Family* family;
  NamedArchitecture architecture;
  bool by_class = false;  ///< whether the class decided: model_type does not belong to this family
};

/// The families that have a class of this name, each with that class.
std::vector<Choice> families_with(std::string_view architecture);

/// The error that a smaller program throws for a model type or class that it does not contain, or if model_type is missing.
Error not_loaded(std::string_view field);

/// The error for a model type and a class that do not belong together. Names all classes of the type, and up to four types that have the
/// class. In a smaller program, `not_loaded`.
Error unknown_pair(std::string_view model_type, std::string_view architecture);

/// The class of this name in a family with `any_type`; none if there is none.
std::optional<Choice> choose_for_any_type(std::string_view architecture);

/// The model that `model_type` and the first of `architectures` select; one of the two may be empty. The class decides
/// (`by_class`) if no type has this name, if publishers list the class under a related type, or if only a type with `own_code` has the
/// class. The caller must then check that the fields match. Throws Error{unknown_architecture} if one of them is unknown or they do not
/// belong together, Error{missing_field} if several types have the class and none is named, and Error{not_loaded} in a smaller program that
/// may lack the type or the class.
Choice choose(std::string_view model_type, std::string_view architecture);

}  // namespace param_ledger
