#include "core/json_text.hpp"

#include <cmath>

#include "tests/support.hpp"

namespace param_ledger::test {

namespace {

struct Parsed {
  Json root;
  std::vector<std::string> repeated_keys;
};

Parsed parsed(std::string_view text) {
  Parsed out;
  out.root = parse_json(text, out.repeated_keys);
  return out;
}

Error refusal(std::string_view text) {
  return error_of([&] { parsed(text); });
}

}  // namespace

TEST_CASE("JSON keeps its order and its integers", "[json_text]") {
  CHECK(parsed(R"({"b": 18446744073709551615, "a": [1, -1, 1.0]})").root.dump() == R"({"b":18446744073709551615,"a":[1,-1,1.0]})");
}

TEST_CASE("NaN and Infinity are numbers, as Python writes them", "[json_text]") {
  const Json root = parsed(R"({"a": [NaN, Infinity, -Infinity, "NaN", "\"Infinity"], "Infinity": NaN})").root;
  CHECK(std::isnan(root.at("a")[0].get<double>()));
  CHECK(root.at("a")[1].get<double>() == HUGE_VAL);
  CHECK(root.at("a")[2].get<double>() == -HUGE_VAL);
  CHECK(root.at("a")[3] == "NaN");
  CHECK(root.at("a")[4] == "\"Infinity");
  CHECK(root.at("Infinity").is_number_float());
  CHECK(refusal("{NaN: 1}").code == ErrorCode::malformed_json);
  CHECK(refusal(R"({"a": Infinityx})").code == ErrorCode::malformed_json);
}

TEST_CASE("the last of equal keys counts and is told", "[json_text]") {
  const Parsed twice = parsed(R"({"a": 1, "b": {"a": 2}, "a": 3})");
  CHECK(twice.root.at("a") == 3);
  CHECK(twice.repeated_keys == std::vector<std::string>{"a"});
  CHECK(parsed(R"({"a": {"x": 1}, "b": {"x": 1}})").repeated_keys.empty());
}

TEST_CASE("a byte order mark is passed over", "[json_text]") { CHECK(parsed("\xef\xbb\xbf{\"a\": 1}").root.at("a") == 1); }

TEST_CASE("places count characters from 1", "[json_text]") {
  const Error error = refusal("{\n  \"é\": 1,\n  \"ö\": ?\n}");
  CHECK(error.code == ErrorCode::malformed_json);
  CHECK(error.line == 3);
  CHECK(error.column == 8);
}

TEST_CASE("bytes that are not UTF-8 are refused", "[json_text]") { CHECK(refusal("{\"a\": \"\xff\"}").code == ErrorCode::malformed_json); }

TEST_CASE("a NUL byte does not end the text", "[json_text]") {
  const Error error = refusal(std::string_view("{}\n\0{", 5));
  CHECK(error.code == ErrorCode::malformed_json);
  CHECK(error.line == 2);
  CHECK(error.column == 1);
}

TEST_CASE("64 levels are read, 65 are not, a million do no harm", "[json_text]") {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  CHECK(parsed(nested(64)).root.size() == 1);
  CHECK(refusal(nested(65)).code == ErrorCode::too_deep);
  CHECK(refusal(std::string(1'000'000, '[')).code == ErrorCode::too_deep);
}

TEST_CASE("a text beyond the limit is refused unread", "[json_text]") {
  CHECK(parsed("{}" + std::string(largest_text - 2, ' ')).root.empty());
  const Error error = refusal("{}" + std::string(largest_text - 1, ' '));
  CHECK(error.code == ErrorCode::too_large);
  CHECK(error.message.find("10485761 bytes") != std::string::npos);
}

}  // namespace param_ledger::test
