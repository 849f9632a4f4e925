// The families and dimensions of a program: all of them, or, with PARAM_LEDGER_COMMON_ONLY, those marked COMMON (wasm/CMakeLists.txt).

#include "core/builder/builder.hpp"
#include "core/config/dimensions.hpp"
#include "core/registry/registry.hpp"

// NOLINTBEGIN(cppcoreguidelines-macro-usage)
#ifdef PARAM_LEDGER_COMMON_ONLY
#define X(...)
#else
#define X(...) COMMON(__VA_ARGS__)
#endif

namespace param_ledger {

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

std::span<const Dimension> dimensions() {
  static constexpr Dimension table[] = {
#define COMMON(spellings, symbol, group, ...) {spellings, symbol, Group::group, __VA_ARGS__},
#include "core/config/dimensions.def"
#undef COMMON
  };
  return table;
}
// NOLINTEND(cppcoreguidelines-macro-usage)

#ifdef PARAM_LEDGER_COMMON_ONLY
const bool asks_for_inference = false;
bool has_all_families() { return false; }
#else
const bool asks_for_inference = true;
bool has_all_families() { return true; }
#endif

}  // namespace param_ledger
