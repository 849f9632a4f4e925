#include "core/memory/module_patterns.hpp"

#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

bool matches(std::string_view expression, std::string_view name) {
  const std::optional<ModulePattern> pattern = ModulePattern::read(expression);
  REQUIRE(pattern);
  return pattern->matches(name);
}

}  // namespace

// The expected results are those of Python's re.match.
TEST_CASE("patterns of module names match as re.match does", "[module_patterns]") {
  CHECK(matches("model", "model.layers.0"));
  CHECK_FALSE(matches("layers", "model.layers.0"));
  CHECK(matches(".*layers", "model.layers.0"));
  CHECK(matches(".*mlp.gate$", "model.layers.0.mlp.gate"));
  CHECK_FALSE(matches(".*mlp.gate$", "model.layers.0.mlp.gate_proj"));
  CHECK(matches(".*mlp.gate", "model.layers.0.mlp.gate_proj"));
  CHECK(matches("^model\\.layers\\.\\d+\\.mlp", "model.layers.61.mlp"));
  CHECK_FALSE(matches("model\\.layers\\.\\d\\.mlp", "model.layers.61.mlp"));
  CHECK(matches(".*\\.(q|k|v)_proj$", "model.layers.3.self_attn.k_proj"));
  CHECK_FALSE(matches(".*\\.(q|k|v)_proj$", "model.layers.3.self_attn.o_proj"));
  CHECK(matches("(?:visual|model\\.visual).*", "model.visual.blocks.0"));
  CHECK(matches("a+b?c*$", "aacc"));
  CHECK_FALSE(matches("a+b?c*$", "bcc"));
  CHECK(matches("(ab)+$", "abab"));
  CHECK(matches("(a|)*b", "aab"));
  CHECK(matches("", "anything"));
}

TEST_CASE("other syntax of regular expressions is not read", "[module_patterns]") {
  for (const char* other :
       {"[0-9]+", "a{2}", "(?!x)", "(?=x)", "\\w", "\\b", "a)", "(a", "(a|b", "(\\w)", "([a])", "(a]", "\\", "*a", "a**", "\\1"})
    CHECK_FALSE(ModulePattern::read(other));
  CHECK_FALSE(ModulePattern::read(std::string(501, 'a')));
  CHECK_FALSE(ModulePattern::read(std::string(20, '(') + std::string(20, ')')));
}

}  // namespace param_ledger::test
