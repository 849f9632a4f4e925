#include "core/json/json_text.hpp"

#include <cmath>

#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

using Type = param_ledger::Json::Type;

Error refusal(std::string_view text) {
  return error_of([&] { const Document document(text); });
}

/// Line and column, such as "2:7", if the text is refused as malformed JSON; otherwise the error's code.
std::string place(std::string_view text) {
  const Error error = refusal(text);
  return error.code == ErrorCode::malformed_json ? std::to_string(error.line) + ":" + std::to_string(error.column)
                                                 : std::string(spelling(error.code));
}

std::string repeated(std::string_view part, std::size_t times) {
  std::string out;
  out.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += part;
  return out;
}

/// An object with `count` members. `key(i)` and `value(i)` give the i-th member.
template <class Key, class Value>
std::string object_of(std::size_t count, Key&& key, Value&& value) {
  std::string out = "{";
  for (std::size_t i = 0; i < count; ++i) out += (i > 0 ? ",\"" : "\"") + key(i) + "\":" + value(i);
  return out + "}";
}

std::string number(std::size_t i) { return std::to_string(i); }

}  // namespace

TEST_CASE("JSON keeps its order and its integers", "[json_text]") {
  const Document document(R"({"b": 18446744073709551615, "a": [1, -1, 1.0]})");
  CHECK(dump(document.root()) == R"({"b":18446744073709551615,"a":[1,-1,1.0]})");
}

TEST_CASE("NaN and Infinity are numbers, as Python writes them", "[json_text]") {
  const Document document(R"({"a": [NaN, Infinity, -Infinity, "NaN", "\"Infinity"], "Infinity": NaN, "b": {"c": [[-Infinity]]}})");
  const param_ledger::Json list = document.root()["a"];
  CHECK(std::isnan(list[0].number()));
  CHECK(list[1].number() == HUGE_VAL);
  CHECK(list[2].number() == -HUGE_VAL);
  CHECK(list[3].string() == "NaN");
  CHECK(list[4].string() == "\"Infinity");
  CHECK(document.root()["Infinity"].is(Type::number));
  CHECK(document.root()["b"]["c"][0][0].number() == -HUGE_VAL);
  CHECK(place("{NaN: 1}") == "1:2");
  CHECK(place(R"({"a": 1, 1.5: 1})") == "1:10");
  CHECK(place(R"({"a": Infinityx})") == "1:15");
  CHECK(place(R"({"a": -NaN})") == "1:7");
  CHECK(place(R"(["", NaN Infinity])") == "1:10");
}

TEST_CASE("numbers keep their place among strings", "[json_text]") {
  const Document document(R"(["1.5", 1.5, "NaN", NaN, "", 2, 1e3, {"1.5": 2.5, "x": "y", "2.5": 123456789012345678901}])");
  CHECK(dump(document.root()) == R"(["1.5",1.5,"NaN","NaN","",2,1e3,{"1.5":2.5,"x":"y","2.5":123456789012345678901}])");
  CHECK(document.root()[1].is(Type::number));
  CHECK(document.root()[2].is(Type::string));
  CHECK(document.root()[7]["2.5"].number() == 123456789012345678901.0);
}

TEST_CASE("a number above the range of a double is refused at its position", "[json_text]") {
  CHECK(place("[1,\n 1e400]") == "2:2");
  CHECK(place("{\"a\": -1.8e308}") == "1:7");
  CHECK(place("[" + std::string(310, '9') + "]") == "1:2");
  CHECK(place("1e99999999999999999999") == "1:1");
  CHECK(place("-0.00018e312") == "1:1");
  CHECK(place("179769313486231.59e294") == "1:1");
  CHECK(place("1" + std::string(400, '0') + "e-91") == "1:1");
  CHECK(Document("1" + std::string(400, '0') + "e-92").root().number() == 1e308);
  CHECK(refusal("1e400").message == "This JSON cannot be read: '1e400' is too large for a double-precision number.");
  for (const std::string_view text : {"1.7e308", "-1.7976931348623157e308", "0.01e310", "1e-400", "0e400", "1e-99999999999999999999",
                                      "1e+308", "0.00017e312", "179769313486231.57e294", "2e307", "0.0"})
    CHECK(std::isfinite(Document(text).root().number()));
  CHECK(Document(std::string(308, '9')).root().number() > 9.9e307);
}

TEST_CASE("the last of several equal keys wins, keeps the first place, and is reported", "[json_text]") {
  const Document twice(R"({"a": 1, "b": {"a": 2}, "a": [3], "c": "x", "c": "y", "a": 4})");
  CHECK(dump(twice.root()) == R"({"a":4,"b":{"a":2},"c":"y"})");
  CHECK(twice.root().size() == 3);
  CHECK(twice.root()["c"].string() == "y");
  CHECK(std::vector<std::string_view>(twice.repeated_keys().begin(), twice.repeated_keys().end()) ==
        std::vector<std::string_view>{"a", "c"});

  const Document apart(R"({"a": {"x": 1}, "b": {"x": 1}})");
  CHECK(apart.repeated_keys().empty());
  const Document escaped(R"({"a": 1, "\u0061": 2})");
  CHECK(dump(escaped.root()) == R"({"a":2})");
}

TEST_CASE("a key that is repeated in several objects is reported once", "[json_text]") {
  const Document document(R"([{"a": 1, "a": 2}, {"b": 1, "a": 2, "a": {"b": 1, "b": 2}, "a": 3}])");
  CHECK(dump(document.root()) == R"([{"a":2},{"b":1,"a":3}])");
  CHECK(document.repeated_keys().size() == 2);
}

TEST_CASE("repeated keys are all found, in the order in which they are repeated", "[json_text]") {
  // Each of 20,000 keys occurs twice, the second time in reverse order.
  constexpr std::size_t count = 20'000;
  const auto key = [](std::size_t i) { return number(i < count ? i : 2 * count - 1 - i); };
  const Document document(object_of(2 * count, key, number));
  CHECK(document.root().size() == count);
  REQUIRE(document.repeated_keys().size() == count);
  for (std::size_t i = 0; i < count; ++i) REQUIRE(document.repeated_keys()[i] == number(count - 1 - i));
  for (std::size_t i = 0; i < count; ++i) REQUIRE(document.root()[number(i)].magnitude() == 2 * count - 1 - i);
  std::size_t i = 0;
  for (const auto& [found, value] : document.root().members()) REQUIRE(found == number(i++));
}

TEST_CASE("a key that is repeated 150,000 times is reported once", "[json_text]") {
  const Document document("{" + repeated("\"a\":0,", 149'999) + "\"a\":7}");
  CHECK(dump(document.root()) == R"({"a":7})");
  CHECK(document.repeated_keys().size() == 1);
}

TEST_CASE("a byte order mark is skipped and takes no column", "[json_text]") {
  const Document document("\xef\xbb\xbf{\"a\": 1}");
  CHECK(document.root()["a"].magnitude() == 1);
  CHECK(place("\xef\xbb\xbf?") == "1:1");
  CHECK(place("\xef\xbb\xbf\xef\xbb\xbf{}") == "1:1");
  CHECK(place("\xef\xbb?") == "1:1");
}

TEST_CASE("an error points to the beginning of what was unexpected", "[json_text]") {
  CHECK(place("") == "1:1");
  CHECK(place(" \n ") == "2:2");
  CHECK(place("{\n  \"a\": 1,\n}") == "3:1");
  CHECK(place(R"({"a": 40)") == "1:9");       // the end of the text
  CHECK(place(R"({"a": "lla)") == "1:7");     // the quote that is never closed
  CHECK(place("{\"a\": \"l\n\"}") == "1:9");  // a line end in a string
  CHECK(place(R"({"a": "x\q"})") == "1:9");   // an invalid escape
  CHECK(place(R"({"a": "x\u12"})") == "1:9");
  CHECK(place(R"({"a": "x\ud800"})") == "1:9");
  CHECK(place("{\"a\": \"x\xff\"}") == "1:9");
  CHECK(place(R"({"a": True})") == "1:7");
  CHECK(place(R"({"a": nul})") == "1:7");
  CHECK(place(R"({"a": 12 "b": 1})") == "1:10");
  CHECK(place(R"({"a" 12})") == "1:6");
  CHECK(place(R"({"a": 1}  true)") == "1:11");
  CHECK(place("[1,,2]") == "1:4");
  CHECK(place("[01]") == "1:3");
  CHECK(place("[012]") == "1:3");
  CHECK(place("[4096abc]") == "1:6");
  CHECK(place("[1, -]") == "1:5");
  CHECK(place("[1.5, 1.x]") == "1:7");
  CHECK(place("[1 2.5]") == "1:4");
  CHECK(place("“a”") == "1:1");
}

TEST_CASE("columns count UTF-16 units, and lines end as in editors", "[json_text]") {
  CHECK(place("{\n  \"é\": 1,\n  \"ö\": ?\n}") == "3:8");
  CHECK(place("{\"😀\": ?}") == "1:8");
  CHECK(place("\r\n\r\n ?") == "3:2");
  CHECK(place("\r\r\r?") == "4:1");
  CHECK(place("\n\r?") == "3:1");
}

TEST_CASE("messages briefly say what is wrong and how to correct it", "[json_text]") {
  const auto message = [](std::string_view text) { return refusal(text).message; };
  CHECK(message("{\"a\": 1,}") ==
        "This is not JSON: '}' stands where a key in double quotes should be. Is there a comma after the last item?");
  CHECK(message("[1, 2, ]") == "This is not JSON: ']' stands where a value should be. Is there a comma after the last item?");
  CHECK(message("[1 2.5]") == "This is not JSON: '2.5' stands where ',' or ']' should be.");
  CHECK(message("[1 \"2.5\"]") == "This is not JSON: '\"2.5\"' stands where ',' or ']' should be.");
  CHECK(message("[tru]") == "This is not JSON: 'tru' stands where a value or ']' should be.");
  CHECK(message("[1, -]") == "This is not JSON: '-' stands where a value should be.");
  CHECK(message("{\"a\": -NaN}") == "This is not JSON: '-NaN' stands where a value should be.");
  CHECK(message("{NaN: 1}") == "This is not JSON: 'NaN' stands where a key in double quotes or '}' should be.");
  CHECK(message("{\"a\" 12}") == "This is not JSON: '12' stands where ':' should be.");
  CHECK(message("{\"a\": {}, \"b\": }") == "This is not JSON: '}' stands where a value should be. Is there a comma after the last item?");
  CHECK(message("{\"a\": [] \"b\"}") == "This is not JSON: '\"b\"' stands where ',' or '}' should be.");
  CHECK(message("{} {}") == "This is not JSON: '{' stands where the end of the text should be.");
  CHECK(message("{\"a\": 1") == "This is not JSON: the text ends where ',' or '}' should be.");
  CHECK(message(" \n") == "This is not JSON: the text ends where a value should be. The text is empty.");
  CHECK(message("{\"a\": True}") ==
        "This is not JSON: 'True' stands where a value should be. JSON writes true, false and null in lower case.");
  CHECK(message("{'a': 1}") ==
        "This is not JSON: ''a'' stands where a key in double quotes or '}' should be. JSON strings need double "
        "quotes; a Python dict needs json.dumps first.");
  CHECK(message("{\"a\": 1, \n\n # x\n}") == "This is not JSON: '#' stands where a key in double quotes should be. JSON has no comments.");
  CHECK(message("<html>") == "This is not JSON: '<html>' stands where a value should be. This looks like a web page, not the raw file.");
  CHECK(message("\"; last read: ''; expected") == "This is not JSON: the string '\"; last read: ''; expected' has no closing quote.");
  CHECK(message("\"" + std::string(900'000, 'x')) ==
        "This is not JSON: the string '\"" + std::string(59, 'x') + "…' has no closing quote.");
  CHECK(message(R"(["x\q"])") == R"(This is not JSON: '\q' in a string is not a valid escape sequence.)");
  CHECK(message(R"(["x\u12", "y"])") == R"(This is not JSON: '\u12' in a string is not a valid escape sequence.)");
  CHECK(message("[\"x\n\"]") == "This is not JSON: a string contains a control character. Is its closing quote missing?");
  CHECK(message("[\"x\xff\"]") == "This is not JSON: a string contains bytes that are not UTF-8.");
  CHECK(message("“a”") == "This is not JSON: something else stands where a value should be.");
}

TEST_CASE("messages are valid UTF-8 for any input", "[json_text]") {
  for (const std::string_view bad : {"\xff", "\xe2\x82", "\xe2\x82x", "\xf0\x9f\x98", "\xc3", "é\x80"}) {
    for (const std::string_view before : {"", "[", "{\"a\": \"", "[\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaé"}) {
      const Error error = refusal(std::string(before).append(bad) + "\"");
      CHECK(error.code == ErrorCode::malformed_json);
      CHECK(dump(Document(dump(std::string_view(error.message))).root()) == dump(std::string_view(error.message)));
    }
  }
  CHECK(refusal("\xef\xbb[").code == ErrorCode::malformed_json);
  CHECK(refusal("\xef\xbb[").message.find('\xef') == std::string::npos);
}

TEST_CASE("bytes that are not UTF-8 are refused", "[json_text]") { CHECK(refusal("{\"a\": \"\xff\"}").code == ErrorCode::malformed_json); }

TEST_CASE("a NUL byte does not end the text", "[json_text]") { CHECK(place(std::string_view("{}\n\0{", 5)) == "2:1"); }

TEST_CASE("nesting is limited to 64 levels, and a million levels do no harm", "[json_text]") {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  CHECK(dump(Document(nested(64)).root()) == nested(64));
  CHECK(refusal(nested(65)).code == ErrorCode::too_deep);
  CHECK(refusal(std::string(1'000'000, '[')).code == ErrorCode::too_deep);
  CHECK(refusal(repeated("{\"a\":", 65)).code == ErrorCode::too_deep);
  CHECK(dump(Document("[" + repeated(nested(63) + ",", 5000) + "0]").root()) == "[" + repeated(nested(63) + ",", 5000) + "0]");
}

TEST_CASE("a text above the limit is refused without being parsed", "[json_text]") {
  CHECK(Document("{}" + std::string(largest_text - 2, ' ')).root().size() == 0);
  const Error error = refusal("{}" + std::string(largest_text - 1, ' '));
  CHECK(error.code == ErrorCode::too_large);
  CHECK(error.message.find("1000001 bytes") != std::string::npos);
}

TEST_CASE("a hundred thousand keys are read and found", "[json_text]") {
  const std::string inner = object_of(
      70'000, [](std::size_t i) { return "k" + number(i * 7919 % 70'000); }, [](std::size_t) { return "1"; });
  const std::string nested = repeated("{\"a\":", 60) + inner + std::string(60, '}');
  const Document document(nested);
  param_ledger::Json object = document.root();
  for (int i = 0; i < 60; ++i) object = object["a"];
  CHECK(object.size() == 70'000);
  for (std::size_t i = 0; i < 70'000; ++i) REQUIRE(object["k" + number(i)].is(Type::integer));
  CHECK(document.root() == Document(nested).root());
}

TEST_CASE("parsing random text terminates", "[json_text]") {
  constexpr std::size_t size = 999'990;
  for (const char c : {'\n', '\r', '\t', ' '})
    CHECK(refusal("{\"a\":1" + std::string(size - 10, c) + "?").message == "This is not JSON: '?' stands where ',' or '}' should be.");
  CHECK(place(std::string(size, '\n') + "?") == "999991:1");
  CHECK(place(std::string(size, ' ') + "?") == "1:999991");
  CHECK(place("\"" + std::string(size, 'x')) == "1:1");
  CHECK(place("\"" + std::string(size, '\x01')) == "1:2");
  CHECK(place(std::string(size, '7')) == "1:1");
  CHECK(place(std::string(size, '-')) == "1:1");
  CHECK(place("[\"" + std::string(size, '\\')) == "1:2");
  CHECK(Document("\"" + std::string(size, 'x') + "\"").root().string().size() == size);
  CHECK(Document("\"" + repeated("\\u0000", size / 6) + "\"").root().string() == std::string(size / 6, '\0'));
  CHECK(Document("0." + std::string(size, '7')).root().number() == 7.0 / 9.0);
  CHECK(Document("[" + repeated("1,", size / 2) + "1]").root().size() == size / 2 + 1);
  CHECK(Document("[" + repeated("{},", size / 3) + "1]").root().size() == size / 3 + 1);
  CHECK(Document("[" + repeated("NaN,", size / 4) + "1]").root().size() == size / 4 + 1);
}

}  // namespace param_ledger::test
