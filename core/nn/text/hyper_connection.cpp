#include "core/nn/text/hyper_connection.hpp"

#include "core/builder/blocks.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

void hyper_connection(Builder& b, Text prefix, Expr hidden, Expr copies, Expr outputs, std::uint64_t scales) {
  b.part(Part::adapter, [&] {
    const InBlock block(b, {Mechanism::hyper_connection});
    b.parameter(concat({prefix, "fn"}), {outputs, copies * hidden}, StorageKind::matrix);
    b.parameter(concat({prefix, "base"}), {outputs});
    b.parameter(concat({prefix, "scale"}), {b.pool().literal(scales)});
  });
}

}  // namespace param_ledger
