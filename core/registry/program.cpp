// The families and dimensions that a program contains (wasm/CMakeLists.txt): all of them, or with
//   PARAM_LEDGER_COMMON_ONLY     those marked COMMON
//   PARAM_LEDGER_PUBLISHED_ONLY  the families marked COMMON or PUBLISHED, and all dimensions
// Only a program with all of them answers questions about inference.

#include "core/builder/builder.hpp"
#include "core/config/dimensions.hpp"
#include "core/registry/registry.hpp"

namespace param_ledger {

// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#if defined(PARAM_LEDGER_COMMON_ONLY)
#define X(...)
#define PUBLISHED(...)
#elif defined(PARAM_LEDGER_PUBLISHED_ONLY)
#define X(...)
#define PUBLISHED(...) COMMON(__VA_ARGS__)
#else
#define X(...) COMMON(__VA_ARGS__)
#define PUBLISHED(...) COMMON(__VA_ARGS__)
#define HAS_ALL_FAMILIES
#endif

#define COMMON(name) extern const Family name;
#include "core/registry/families.def"
#undef COMMON

std::span<const Family* const> families() {
  static const Family* const list[] = {
#define COMMON(name) &name,
#include "core/registry/families.def"
#undef COMMON
  };
  return list;
}

#ifdef PARAM_LEDGER_PUBLISHED_ONLY
#undef X
#define X(...) COMMON(__VA_ARGS__)
#endif

std::span<const Dimension> dimensions() {
  static constexpr Dimension table[] = {
#define COMMON(spellings, symbol, group, ...) {spellings, symbol, Group::group, __VA_ARGS__},
#include "core/config/dimensions.def"
#undef COMMON
  };
  return table;
}
// NOLINTEND(cppcoreguidelines-macro-usage)

#ifdef HAS_ALL_FAMILIES
const bool asks_for_inference = true;
bool has_all_families() { return true; }
#else
const bool asks_for_inference = false;
bool has_all_families() { return false; }
#endif

}  // namespace param_ledger
