#include "core/json/value_text.hpp"

#include <vector>

#include "tests/support/support.hpp"

namespace param_ledger::test {

TEST_CASE("lists of words and integers are written as JSON", "[json]") {
  CHECK(words_text({}) == "[]");
  const std::string_view words[] = {"silu", "a\"b"};
  CHECK(words_text(words) == R"(["silu","a\"b"])");
  CHECK(integers_text(std::vector<std::int64_t>{1, -1}) == "[1,-1]");
  CHECK(integers_text(std::vector<std::uint64_t>{0, ~std::uint64_t{0}}) == "[0,18446744073709551615]");
}

TEST_CASE("a given text is quoted and clipped if it is long", "[text]") {
  const auto shown = [](std::string_view text) { return quoted(text); };
  CHECK(shown("") == "\"\"");
  CHECK(shown(std::string(80, 'x')) == "\"" + std::string(80, 'x') + "\"");
  CHECK(shown(std::string(81, 'x')) == "\"" + std::string(80, 'x') + "…\"");
  CHECK(shown(std::string(79, 'x') + "é") == "\"" + std::string(79, 'x') + "…\"");
}

}  // namespace param_ledger::test
