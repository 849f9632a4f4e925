// What only the whole program is asked: everything beyond a count.

#include <emscripten/bind.h>

#include "core/report.hpp"
#include "wasm/bindings.hpp"

EMSCRIPTEN_BINDINGS(questions) {
  using namespace param_ledger;
  wasm::offer({{"read", &wasm::ask<read>},
               {"wants", &wasm::ask<wants>},
               {"memory", &wasm::ask<memory>},
               {"compare", &wasm::ask<compare>},
               {"derive", &wasm::ask<derive>},
               {"check", &wasm::ask<check>},
               {"article", &wasm::ask<article>},
               {"search", &wasm::ask<search>},
               {"search_step", &wasm::ask<search_step>}});
}
