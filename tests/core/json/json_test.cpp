#include "core/json/json.hpp"

#include <cmath>
#include <type_traits>

#include "core/json/json_text.hpp"
#include "tests/support/catch.hpp"

namespace param_ledger::test {

namespace {

using Type = param_ledger::Json::Type;

std::string dumped(std::string_view text, std::size_t most = std::string::npos) { return dump(Document(text).root(), most); }

bool equal(std::string_view a, std::string_view b) {
  const Document first(a), second(b);
  CHECK((first.root() == second.root()) == (second.root() == first.root()));
  return first.root() == second.root();
}

/// The keys in the order of members(), each with its value.
std::string members_of(param_ledger::Json value) {
  std::string out;
  for (const auto& [key, entry] : value.members()) out.append(key).append("=").append(dump(entry)).append(" ");
  return out;
}

}  // namespace

TEST_CASE("a missing value has no type", "[json]") {
  const param_ledger::Json nothing;
  CHECK_FALSE(nothing);
  CHECK_FALSE(nothing.is(Type::null));
  CHECK_FALSE(nothing.is_null());
  CHECK(nothing.size() == 0);
  CHECK(nothing == param_ledger::Json());
  const Document null("null");
  CHECK(null.root());
  CHECK(null.root().is_null());
  CHECK(null.root() != nothing);
}

TEST_CASE("a handle is cheap to copy", "[json]") { CHECK(std::is_trivially_copyable_v<param_ledger::Json>); }

TEST_CASE("values are read with their types", "[json]") {
  const Document document(R"([null, true, false, 0, -7, 1.5, "é\u0000\ud83d\ude00", [], {}])");
  const param_ledger::Json list = document.root();
  REQUIRE(list.size() == 9);
  CHECK(list[0].type() == Type::null);
  CHECK(list[1].boolean());
  CHECK_FALSE(list[2].boolean());
  CHECK((list[3].is(Type::integer) && list[3].magnitude() == 0 && !list[3].negative()));
  CHECK((list[4].is(Type::integer) && list[4].magnitude() == 7 && list[4].negative() && list[4].number() == -7.0));
  CHECK((list[5].is(Type::number) && list[5].number() == 1.5));
  CHECK(list[6].string() == std::string_view("é\0😀", 7));
  CHECK((list[7].is(Type::list) && list[7].size() == 0));
  CHECK((list[8].is(Type::object) && list[8].size() == 0 && !list[8]["a"]));
}

TEST_CASE("integers are exact up to 64 bits and numbers above", "[json]") {
  const Document document(
      R"([18446744073709551615, 18446744073709551616, -9223372036854775808, -9223372036854775809, 1000000000000000000000])");
  const param_ledger::Json list = document.root();
  CHECK((list[0].is(Type::integer) && list[0].magnitude() == UINT64_MAX));
  CHECK((list[1].is(Type::number) && list[1].number() == 18446744073709551616.0));
  CHECK((list[2].is(Type::integer) && list[2].negative() && list[2].magnitude() == std::uint64_t{1} << 63U));
  CHECK((list[3].is(Type::number) && list[3].number() == -9223372036854775808.0));
  CHECK((list[4].is(Type::number) && list[4].number() == 1e21));
}

TEST_CASE("members keep the order of the text, and entries of lists have no keys", "[json]") {
  const Document document(R"({"zeta": 1, "a": [true, "x"], "": {}, "mid": null})");
  CHECK(members_of(document.root()) == R"(zeta=1 a=[true,"x"] ={} mid=null )");
  CHECK(members_of(document.root()["a"]) == R"(=true ="x" )");
  CHECK(members_of(document.root()["mid"]).empty());
}

TEST_CASE("every key is found, whatever its length, and other keys are not", "[json]") {
  std::string text = "{";
  constexpr std::size_t count = 3000;
  const auto key = [](std::size_t i) { return std::string(i % 40, 'k') + std::to_string(i * 7919 % count); };
  for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? ",\"" : "\"") + key(i) + "\":" + std::to_string(i);
  const Document document(text + "}");
  const param_ledger::Json object = document.root();
  REQUIRE(object.size() == count);
  for (std::size_t i = 0; i < count; ++i) {
    REQUIRE(object[key(i)]);
    REQUIRE(object[key(i)].magnitude() == i);
    REQUIRE_FALSE(object[key(i) + "x"]);
  }
  CHECK_FALSE(object[""]);
}

TEST_CASE("equality compares type and content", "[json]") {
  CHECK(equal(R"({"a": 1, "b": [1.50, "x", null]})", R"({"b": [1.5, "\u0078", null], "a": 1})"));
  CHECK(equal("[NaN, -Infinity]", "[NaN, -Infinity]"));
  CHECK(equal("[]", " [ ] "));
  CHECK_FALSE(equal("1", "1.0"));
  CHECK_FALSE(equal("1", "-1"));
  CHECK_FALSE(equal("0", "false"));
  CHECK_FALSE(equal("true", "false"));
  CHECK_FALSE(equal("null", "\"\""));
  CHECK_FALSE(equal("[1, 2]", "[2, 1]"));
  CHECK_FALSE(equal("[1]", "[1, 1]"));
  CHECK_FALSE(equal("[]", "{}"));
  CHECK_FALSE(equal(R"({"a": 1})", R"({"b": 1})"));
  CHECK_FALSE(equal(R"({"a": 1})", R"({"a": 2})"));
  CHECK_FALSE(equal("Infinity", "-Infinity"));
}

TEST_CASE("a dump is the value as JSON with numbers as written", "[json]") {
  CHECK(dumped(R"( { "a" : [ 1 , -1, 1.50, 1e-5, 1E3 ] , "b" : { } , "c" : [ ] , "d" : [ true , false , null ] } )") ==
        R"({"a":[1,-1,1.50,1e-5,1E3],"b":{},"c":[],"d":[true,false,null]})");
  CHECK(dumped("[18446744073709551616, -9223372036854775808]") == "[18446744073709551616,-9223372036854775808]");
  CHECK(dumped(R"({"NaN": NaN, "list": [Infinity, -Infinity]})") == R"({"NaN":"NaN","list":["Infinity","-Infinity"]})");
  CHECK(dumped("1.5") == "1.5");
  CHECK(dumped(R"(["\u0000\u001f\n\t\"\\\/é😀", {"k\"\n": 1}])") == R"(["\u0000\u001f\n\t\"\\/é😀",{"k\"\n":1}])");
  CHECK(dump(std::string_view("a \"b\"\n")) == R"("a \"b\"\n")");
}

TEST_CASE("a dump can be parsed again", "[json]") {
  for (const std::string_view text : {R"({"b":[1,-2.5e-7,"\u0001é"],"a":{"":null}})", "[[],[{}],0]", R"("\\\"")"})
    CHECK(dumped(text) == text);
}

TEST_CASE("a dump stops soon after its limit, after a whole character", "[json]") {
  const auto cut = [](std::string_view text) { return dumped(text, 20); };
  CHECK(cut(R"(["aaaaaaaaaaaaaaaa"])") == R"(["aaaaaaaaaaaaaaaa"])");  // 20 bytes
  for (const std::string& text : {"\"" + std::string(900'000, 'x') + "\"", "[" + std::string(900'000, '7') + "e-900000]",
                                  "0." + std::string(900'000, '7'), "{\"" + std::string(900'000, 'x') + "\": [1, 2, 3]}", "[1" + [] {
                                    std::string rest;
                                    for (int i = 0; i < 100'000; ++i) rest += ",[1]";
                                    return rest;
                                  }() + "]"}) {
    const std::string out = cut(text);
    CHECK(out.size() > 20);
    CHECK(out.size() < 30);
  }
  std::string wide = "\"";
  for (int i = 0; i < 1000; ++i) wide += "😀";
  for (std::size_t most = 20; most < 24; ++most) {
    const std::string out = dumped(wide + "\"", most);
    CHECK(Document(out).root().string().size() % 4 == 0);  // cut at character boundaries
  }
}

}  // namespace param_ledger::test
