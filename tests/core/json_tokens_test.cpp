#include "core/json_tokens.hpp"

#include "tests/catch.hpp"

namespace param_ledger::test {

namespace {

using Kind = JsonToken::Kind;

/// True where a token of that kind begins at the text's begin and ends before its last character.
bool is(std::string_view text, Kind kind) {
  const JsonToken token = token_at(text, 0);
  return token.kind == kind && token.end == text.size() - 1;
}

bool is_none(std::string_view text) { return token_at(text, 0).kind == Kind::none && token_at(text, 0).end == std::string_view::npos; }

}  // namespace

TEST_CASE("tokens end where JSON's do", "[json_tokens]") {
  for (const std::string_view text : {"[[", "]]", "{\"", "}}", ":1", ",,", "true,", "falsef", "null}"}) CHECK(is(text, Kind::other));
  for (const std::string_view text : {"\"\"\"", R"("\"":)", R"("\\"")", "\"{,\n\x01\xff\",", R"("\ud800"x)"}) CHECK(is(text, Kind::string));
  for (const std::string_view text : {"0,", "00", "-0 ", "12x", "1-", "18446744073709551615]", "-9223372036854775808}"})
    CHECK(is(text, Kind::integer));
  for (const std::string_view text : {"0.5,", "1e5]", "-1.25E-07}", "1E+2.", "18446744073709551616,", "-9223372036854775809,",
                                      "99999999999999999999,", "100000000000000000000 ", "NaNN", "Infinityx", "-Infinity-"})
    CHECK(is(text, Kind::number));
  for (const std::string_view text :
       {"?", "'", "\xe2\x80\x9c", "True", "tru", "Nan", "-Inf", "-", "-x", "+1", ".5", "1.", "1.e5", "1e", "1e+", "\"", "\"\\\"", "\"a"})
    CHECK(is_none(text));
}

TEST_CASE("a token is found by any of its bytes", "[json_tokens]") {
  const std::string_view text = R"(  {"a b": 12.5, ?)";
  CHECK(token_begin(text, 2) == 2);
  for (const std::size_t offset : {3U, 5U, 7U}) CHECK(token_begin(text, offset) == 3);
  CHECK(token_begin(text, 8) == 8);
  for (const std::size_t offset : {10U, 13U}) CHECK(token_begin(text, offset) == 10);
  CHECK(token_begin(text, 16) == 16);
  CHECK(token_begin(text, text.size()) == 16);  // where no token begins, no other follows
  CHECK(token_begin("[1]  ", 5) == 5);
  CHECK(token_begin("[1.x", 3) == 1);
}

}  // namespace param_ledger::test
