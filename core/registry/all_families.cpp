#include "core/builder/builder.hpp"
#include "core/registry/registry.hpp"

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define COMMON(name) X(name)

namespace param_ledger {

#define X(name) extern const Family name;
#include "core/registry/families.def"
#undef X

std::span<const Family* const> families() {
  static const Family* const list[] = {
#define X(name) &name,
#include "core/registry/families.def"
#undef X
  };
  return list;
}

const bool asks_for_inference = true;

bool has_all_families() { return true; }

}  // namespace param_ledger
