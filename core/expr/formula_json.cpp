#include "core/expr/formula_json.hpp"

namespace param_ledger {

void write_shape(JsonWriter& json, std::span<const Expr> shape) {
  json.open_array();
  for (const Expr e : shape) put_integer(json.value(), e.peek());
  json.close_array();
}

void FormulaJson::write(Expr formula) {
  Buffer& out = json_.value();
  out.put('"');
  prefix_.write(out, formula);
  out.put('"');
}

void FormulaJson::member(std::string_view name, Expr formula) {
  json_.key(name);
  write(formula);
}

void FormulaJson::write_names() {
  json_.open_array();
  for (std::size_t i = 0; i != names().size();) {  // writing a definition may add names
    const Expr symbol = names()[i++];
    const Name& name = symbol.name();
    json_.open_array();
    json_.string(name.name);
    json_.string(name.symbol);
    json_.digits(symbol.peek());
    if (!name.field)
      json_.string(name.meaning);
    else if (name.definition)
      json_.raw("null");
    if (name.definition) write(name.definition);
    json_.close_array();
  }
  json_.close_array();
}

}  // namespace param_ledger
