#pragma once

#include <string_view>

#include "core/expr.hpp"

namespace param_ledger {

/// What was asked of two expressions while a model was recorded. `holds`: how it came out; where it is `demanded`, how it must come out,
/// as else the configuration is refused.
struct Decision {
  Relation relation;
  Expr a, b;
  bool holds;
  bool demanded = false, met = true;
};

/// Is told, while a model is recorded, what depends on the fields that vary: the formula holds wherever all that comes out the same.
class Witness {
 public:
  Witness() = default;
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;
  virtual ~Witness() = default;

  /// A name was made for the field that is given at that dotted path; what it varies with.
  virtual Fields named(Expr name, std::string_view path) = 0;
  /// The values themselves were looked at.
  virtual void looked_at(Fields fields) = 0;
  /// The value at that path was looked at without a name for it.
  virtual void looked_at(std::string_view path) = 0;
  virtual void decided(const Decision& decision) = 0;
  /// The model can be built, but the one should divide the other, whether they vary or not.
  virtual void wished_multiple(Expr dividend, Expr divisor) = 0;
};

}  // namespace param_ledger
