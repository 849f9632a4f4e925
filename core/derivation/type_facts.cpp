#include "core/derivation/type_facts.hpp"

#include <algorithm>
#include <iterator>

namespace param_ledger {

namespace {

constexpr TypeFacts all_facts[] = {
#define X(type, activation, positions) {type, activation, positions},
#include "core/derivation/type_facts.def"
#undef X
};

}  // namespace

const TypeFacts* type_facts(std::string_view model_type) {
  const auto* const found = std::lower_bound(std::begin(all_facts), std::end(all_facts), model_type,
                                             [](const TypeFacts& facts, std::string_view type) { return facts.model_type < type; });
  return found != std::end(all_facts) && found->model_type == model_type ? found : nullptr;
}

}  // namespace param_ledger
