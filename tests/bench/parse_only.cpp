// Used only by the benchmark: parses JSON with nlohmann's parser, compiled to WebAssembly like the core.

#include <emscripten/bind.h>

#include <nlohmann/json.hpp>
#include <string>

namespace {

std::size_t parse_only(const std::string& text) { return nlohmann::json::parse(text).size(); }

}  // namespace

EMSCRIPTEN_BINDINGS(param_ledger_bench) { emscripten::function("parse_only", &parse_only); }
