#pragma once

#include <string>
#include <vector>

#include "core/expr/formula.hpp"
#include "tests/support/evaluator.hpp"

namespace param_ledger::test {

/// An expression as it is written in prefix notation, and the names that it uses, in the order of their first use.
struct Written {
  explicit Written(Expr e) {
    PrefixWriter writer;
    Buffer out;
    writer.write(out, e);
    text = out.take();
    names = writer.names();
  }

  [[nodiscard]] Count value() const {
    std::vector<Count> values;
    for (const Expr name : names) values.push_back(name.peek());
    return evaluate(read_formula(text), values);
  }

  [[nodiscard]] std::string in_symbols() const {
    std::vector<std::string> symbols;
    for (const Expr name : names) symbols.push_back(name.name().symbol);
    return shown(read_formula(text), symbols);
  }

  std::string text;
  std::vector<Expr> names;
};

/// The dimensions of Llama 3.1 8B as names for formulas, in the order of core/config/dimensions.def.
struct Llama {
  Pool pool;
  Expr vocab = name("vocab_size", "V", 128256, 1), d = name("hidden_size", "d", 4096, 2), n = name("num_attention_heads", "n", 32, 3);
  Expr n_kv = name("num_key_value_heads", "n_kv", 8, 4), h = name("head_dim", "h", 128, 5, floor_divide(d, n)),
       f = name("intermediate_size", "f", 14336, 6);
  Expr n_layers = name("num_hidden_layers", "L", 32, 7);

  Expr name(const char* field, const char* symbol, Count value, std::uint16_t order, Expr definition = {}) {
    return pool.named({field, symbol, "", true, order, definition}, value);
  }
};

}  // namespace param_ledger::test
