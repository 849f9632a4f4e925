#include "core/json/json_fields.hpp"

#include "core/json/json_text.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

TEST_CASE("a missing value or one of another type gives the fallback", "[json]") {
  const Document document(R"({"w": "x", "n": 7, "minus": -7, "real": 7.5, "yes": true, "no": false, "none": null})");
  const auto root = document.root();
  CHECK(word_in(root, "w", "y") == "x");
  CHECK(number_in(root, "n", 3) == Count{7});
  CHECK(flag_in(root, "yes"));
  CHECK_FALSE(flag_in(root, "no"));
  for (const char* other : {"n", "minus", "real", "yes", "none", "missing"}) CHECK(word_in(root, other, "y") == "y");
  for (const char* other : {"w", "minus", "real", "yes", "none", "missing"}) CHECK(number_in(root, other, 3) == Count{3});
  for (const char* other : {"w", "n", "none", "missing"}) CHECK_FALSE(flag_in(root, other));
  CHECK(word_in({}, "w").empty());
}

}  // namespace param_ledger::test
