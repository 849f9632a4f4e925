#include "core/json/json_writer.hpp"

#include "tests/support/support.hpp"

namespace param_ledger::test {

TEST_CASE("integers that JavaScript cannot hold exactly are strings of digits", "[json_writer]") {
  CHECK(integer_text(9007199254740991) == "9007199254740991");
  CHECK(integer_text(9007199254740993) == "\"9007199254740993\"");
}

}  // namespace param_ledger::test
