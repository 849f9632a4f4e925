#include "core/support/buffer.hpp"

#include "tests/support/support.hpp"

namespace param_ledger::test {

TEST_CASE("a buffer holds everything put into it", "[buffer]") {
  Buffer out(2);
  out.put('a');
  out.put("bcdef");
  out.put("");
  out.put_digits(1234567890123);
  CHECK(out.view() == "abcdef1234567890123");
  CHECK(out.size() == 19);
  out.cut(3);
  out.put('!');
  CHECK(out.take() == "abc!");
}

TEST_CASE("a buffer grows from nothing", "[buffer]") {
  Buffer out;
  CHECK(out.view().empty());
  std::string wanted;
  for (int i = 0; i < 1000; ++i) {
    out.put('x');
    out.put(std::string(static_cast<std::size_t>(i), 'y'));
    wanted += 'x' + std::string(static_cast<std::size_t>(i), 'y');
  }
  CHECK(out.take() == wanted);
}

}  // namespace param_ledger::test
