// The questions that all WebAssembly programs for JavaScript answer: the count of a model, its totals alone, and the catalogue.

#include <emscripten/bind.h>

#include "core/api/report.hpp"
#include "wasm/bindings.hpp"

namespace param_ledger::wasm {

namespace {

emscripten::val ask_catalog() { return answered(catalog()); }

}  // namespace

}  // namespace param_ledger::wasm

EMSCRIPTEN_BINDINGS(counts) {
  using namespace param_ledger;
  wasm::offer({{"count", &wasm::ask<count>}, {"totals", &wasm::ask<totals>}, {"catalog", &wasm::ask_catalog}});
}
