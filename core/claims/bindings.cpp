#include "core/claims/bindings.hpp"

namespace param_ledger {

std::vector<Binding> bindings_of(const Model& model) {
  std::vector<Binding> out;
  for (const bool symbols : {true, false})
    for (const Field& field : model.configuration.fields) {
      if (!field.number) continue;
      const Name& name = field.number.name();
      const Fraction value{field.number.peek(), 1, false};
      if (!symbols) out.push_back({name.name, value});
      if (symbols && !name.symbol.empty()) out.push_back({name.symbol, value});
    }
  return out;
}

}  // namespace param_ledger
