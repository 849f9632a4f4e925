#include "core/inputs/tensors/listing.hpp"
#include "tests/support/reading.hpp"

namespace param_ledger::test {

namespace {

/// The errors in a header: the message of the refusal or, if the header is read, those of the reported problems.
std::string said(const Json& reading) {
  if (!reading.at("ok").get<bool>()) return reading.at("error").at("message").get<std::string>();
  CHECK(reading.at("partial") == !problems_of(reading).empty());
  return problems_of(reading);
}

struct Malformed {
  const char* what;
  std::string header;
  std::uint64_t data;
  const char* message;
};

std::string tensor(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"a":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" + offsets + "}}";
}

std::string two(const std::string& first, const std::string& second) {
  return R"({"a":{"dtype":"U8","shape":[4],"data_offsets":)" + first + R"(},"b":{"dtype":"U8","shape":[4],"data_offsets":)" + second + "}}";
}

const std::vector<Malformed>& malformed() {
  const std::string many(70, '[');
  std::string objects;
  for (int i = 0; i < 70; ++i) objects += R"({"x":)";
  static const std::vector<Malformed> all = {
      // Errors in the JSON itself.
      {"empty object cut", "{ ", 0, "a key in double quotes is missing"},
      {"a list", "[]", 0, "the brace of the header is missing"},
      {"a string", R"("a")", 0, "the brace of the header is missing"},
      {"null", "null", 0, "the brace of the header is missing"},
      {"blank first", " {}", 0, "does not begin with a brace"},
      {"something after the end", "{}x", 0, "something follows the end"},
      {"two objects", "{}{}", 0, "something follows the end"},
      {"NUL after the end", std::string("{}\0", 3), 0, "something follows the end"},
      {"trailing comma", R"({"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]},})", 1, "a key in double quotes is missing"},
      {"no comma", R"({"a":{} "b":{}})", 0, "a comma or the end of the object is missing"},
      {"no colon", R"({"a" {}})", 0, "a colon after the key is missing"},
      {"key without quotes", R"({a:{}})", 0, "a key in double quotes is missing"},
      {"single quotes", R"({'a':{}})", 0, "a key in double quotes is missing"},
      {"key that does not end", R"({"a)", 0, "the end of a string is missing"},
      {"unclosed tensor", R"({"a":{"dtype":"U8")", 0, "a comma or the end of the object is missing"},
      {"unclosed list", R"({"a":{"shape":[1)", 0, "a comma or the end of the list is missing"},
      {"comment", R"({/**/})", 0, "a key in double quotes is missing"},
      {"control character in a name", "{\"a\nb\":{}}", 0, "a control character in a string"},
      {"unknown escape", R"({"\q":{}})", 0, "an escape that JSON does not have"},
      {"NUL as an escape", std::string("{\"\\\0\":{}}", 9), 0, "an escape that JSON does not have"},
      {"short escape", R"({"\u12":{}})", 0, "four hexadecimal digits"},
      {"high surrogate alone", R"({"\ud800":{}})", 0, "half of a character"},
      {"low surrogate alone", R"({"\udc00":{}})", 0, "half of a character"},
      {"two high surrogates", R"({"\ud800\ud800":{}})", 0, "half of a character"},
      {"UTF-8 cut", "{\"\xe2\x82\":{}}", 0, "invalid UTF-8"},
      {"UTF-8 overlong", "{\"\xc0\xaf\":{}}", 0, "invalid UTF-8"},
      {"UTF-8 surrogate", "{\"\xed\xa0\x80\":{}}", 0, "invalid UTF-8"},
      {"UTF-8 beyond Unicode", "{\"\xf4\x90\x80\x80\":{}}", 0, "invalid UTF-8"},
      {"continuation alone", "{\"\x80\":{}}", 0, "invalid UTF-8"},
      {"no UTF-8 in a value that is skipped", "{\"a\":{\"x\":\"\xff\"}}", 0, "invalid UTF-8"},
      {"byte order mark", "\xef\xbb\xbf{}", 0, "the brace of the header is missing"},
      {"UTF-16", std::string("{\0}\0", 4), 0, "a key in double quotes is missing"},
      {"nested too deep", R"({"a":{"x":)" + many, 0, "nested too deeply"},
      {"objects nested too deep", R"({"a":{"x":)" + objects, 0, "nested too deeply"},
      {"a wrong word", R"({"a":{"x":nul}})", 0, "a value is missing"},
      {"NaN", R"({"a":{"x":NaN}})", 0, "a value is missing"},
      {"plus sign", R"({"a":{"x":+1}})", 0, "a value is missing"},
      {"number that begins with a dot", R"({"a":{"x":.5}})", 0, "a value is missing"},
      {"number that ends in a dot", R"({"a":{"x":1.}})", 0, "a number that does not end"},
      {"number that begins with 0", R"({"a":{"x":01}})", 0, "a number that begins with 0"},
      {"minus alone", R"({"a":{"x":-}})", 0, "a number that does not end"},
      {"exponent without figures", R"({"a":{"x":1e+}})", 0, "a number that does not end"},
      // Errors in the entry of a tensor.
      {"tensor is null", R"({"a":null})", 0, "is not an object"},
      {"tensor is a list", R"({"a":[1,2]})", 0, "is not an object"},
      {"tensor is a number", R"({"a":1})", 0, "is not an object"},
      {"empty tensor", R"({"a":{}})", 0, "has no shape"},
      {"no dtype", R"({"a":{"shape":[1],"data_offsets":[0,4]}})", 4, "has no dtype"},
      {"no shape", R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", 4, "has no shape"},
      {"no offsets", R"({"a":{"dtype":"F32","shape":[1]}})", 0, "has no data_offsets"},
      {"dtype is a number", R"({"a":{"dtype":1,"shape":[1],"data_offsets":[0,4]}})", 4, "the dtype's string is missing"},
      {"dtype is null", R"({"a":{"dtype":null,"shape":[1],"data_offsets":[0,4]}})", 4, "the dtype's string is missing"},
      {"unknown dtype", tensor("F128", "[1]", "[0,16]"), 16, "dtype that the format does not have: \"F128\""},
      {"dtype in small letters", tensor("f32", "[1]", "[0,4]"), 4, "dtype that the format does not have"},
      {"dtype as PyTorch spells it", tensor("torch.float32", "[1]", "[0,4]"), 4, "dtype that the format does not have"},
      {"empty dtype", tensor("", "[1]", "[0,4]"), 4, "dtype that the format does not have"},
      {"shape is a number", tensor("F32", "1", "[0,4]"), 4, "the shape's bracket is missing"},
      {"shape is an object", tensor("F32", "{}", "[0,4]"), 4, "the shape's bracket is missing"},
      {"negative dimension", tensor("F32", "[-1]", "[0,4]"), 4, "a dimension is not an integer of at least 0"},
      {"fraction as a dimension", tensor("F32", "[1.0]", "[0,4]"), 4, "a dimension is not an integer of at least 0"},
      {"exponent in a dimension", tensor("F32", "[1e0]", "[0,4]"), 4, "a dimension is not an integer of at least 0"},
      {"string as a dimension", tensor("F32", R"(["1"])", "[0,4]"), 4, "a dimension is not an integer of at least 0"},
      {"null as a dimension", tensor("F32", "[null]", "[0,4]"), 4, "a dimension is not an integer of at least 0"},
      {"list in the shape", tensor("F32", "[[1]]", "[0,4]"), 4, "a dimension is not an integer of at least 0"},
      {"dimension that begins with 0", tensor("F32", "[01]", "[0,4]"), 4, "a number that begins with 0"},
      {"dimension beyond 64 bits", tensor("F32", "[18446744073709551616]", "[0,4]"), 4, "a dimension exceeds 64 bits"},
      {"dimensions whose product exceeds 64 bits", tensor("U8", "[4294967296,4294967296]", "[0,0]"), 0,
       "has 0 bytes, but its shape and dtype need"},
      {"dimensions whose product exceeds 128 bits", tensor("U8", "[18446744073709551615,18446744073709551615,2]", "[0,0]"), 0,
       "more elements than can be counted"},
      {"bits beyond 128 bits", tensor("U8", "[18446744073709551615,18446744073709551615]", "[0,0]"), 0, "exceeds 2^128"},
      {"65 dimensions",
       tensor(
           "U8",
           [] {
             std::string ones = "[1";
             for (int i = 0; i < 64; ++i) ones += ",1";
             return ones + "]";
           }(),
           "[0,1]"),
       1, "more than 64 dimensions"},
      {"one offset", tensor("U8", "[4]", "[4]"), 4, "data_offsets that are not two numbers"},
      {"three offsets", tensor("U8", "[4]", "[0,4,8]"), 4, "data_offsets that are not two numbers"},
      {"no offset", tensor("U8", "[4]", "[]"), 4, "data_offsets that are not two numbers"},
      {"offsets are a number", tensor("U8", "[4]", "4"), 4, "the bracket of the offsets is missing"},
      {"negative offset", tensor("U8", "[4]", "[-4,0]"), 4, "an offset is not an integer of at least 0"},
      {"offset beyond 64 bits", tensor("U8", "[4]", "[0,99999999999999999999]"), 4, "an offset exceeds 64 bits"},
      {"ends before it begins", tensor("U8", "[4]", "[4,0]"), 4, "ends before it begins"},
      {"too few bytes for the shape", tensor("F32", "[2]", "[0,4]"), 4, "has 4 bytes, but its shape and dtype need 8"},
      {"too many bytes for the shape", tensor("F32", "[2]", "[0,16]"), 16, "has 16 bytes, but its shape and dtype need 8"},
      {"bytes of another dtype", tensor("F16", "[2]", "[0,8]"), 8, "has 8 bytes, but its shape and dtype need 4"},
      {"4-bit numbers that fill no whole byte", tensor("F4", "[3]", "[0,1]"), 1, "does not fill whole bytes"},
      {"6-bit numbers that fill no whole byte", tensor("F6_E2M3", "[3]", "[0,2]"), 2, "does not fill whole bytes"},
      {"two dtypes", R"({"a":{"dtype":"U8","dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 4, "has two of dtype"},
      {"two shapes", R"({"a":{"dtype":"U8","shape":[1],"shape":[4],"data_offsets":[0,4]}})", 4, "has two of shape"},
      {"offsets twice", R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4],"data_offsets":[0,4]}})", 4, "has two of data_offsets"},
      // Errors that concern several tensors or the size of the file.
      {"the same name twice",
       R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"a":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})", 8,
       "The tensor \"a\" occurs twice"},
      {"the same name twice, once with an escape",
       R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"\u0061":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})", 8,
       "The tensor \"a\" occurs twice"},
      {"the same name with another shape",
       R"({"h.0":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"h.0":{"dtype":"U8","shape":[2,2],"data_offsets":[4,8]}})", 8,
       "occurs twice"},
      {"both in one place", two("[0,4]", "[0,4]"), 4, "\"b\" overlaps"},
      {"overlap in part", two("[0,4]", "[2,6]"), 6, "\"b\" overlaps"},
      {"gap between", two("[0,4]", "[8,12]"), 12, "\"b\" leaves a gap"},
      {"gap before the first", two("[4,8]", "[8,12]"), 12, "\"a\" leaves a gap"},
      {"gap before the first, the other way round", two("[8,12]", "[4,8]"), 12, "\"b\" leaves a gap"},
      {"the file is too short", two("[0,4]", "[4,8]"), 7, "The file ends 1 bytes before"},
      {"the file is too long", two("[0,4]", "[4,8]"), 9, "has 1 bytes after its last tensor"},
      {"bytes but no tensor", "{}", 1, "has 1 bytes after its last tensor"},
      {"offsets far beyond the file", tensor("U8", "[18446744073709551615]", "[0,18446744073709551615]"), 4, "The file ends"},
      // Errors in the metadata.
      {"metadata is a list", R"({"__metadata__":[]})", 0, "__metadata__\" is not an object"},
      {"metadata is a string", R"({"__metadata__":"pt"})", 0, "__metadata__\" is not an object"},
      {"a number in the metadata", R"({"__metadata__":{"a":1}})", 0, "contains values other than strings"},
      {"an object in the metadata", R"({"__metadata__":{"a":{}}})", 0, "contains values other than strings"},
      {"a key of the metadata twice", R"({"__metadata__":{"a":"1","a":"2"}})", 0, "contains a key twice"},
      {"metadata twice", R"({"__metadata__":{},"__metadata__":{}})", 0, "occurs twice"},
  };
  return all;
}

}  // namespace

TEST_CASE("every kind of malformed header is reported", "[inputs]") {
  CHECK(malformed().size() >= 80);
  for (const Malformed& m : malformed()) {
    CAPTURE(m.what, m.header);
    const std::string message = said(safetensors(m.header, m.data));
    CAPTURE(message);
    CHECK(message.find(m.message) != std::string::npos);
  }
}

TEST_CASE("an impossible length is refused", "[inputs]") {
  const auto refused = [](const std::string& bytes, std::uint64_t size) {
    return reading_of({{"a.safetensors", bytes, size}}).at("error").at("message").get<std::string>();
  };
  CHECK(refused("{}", 2).find("eight bytes") != std::string::npos);
  CHECK(refused(std::string(8, '\0'), 8).find("fewer than two bytes") != std::string::npos);
  CHECK(refused(std::string("\1\0\0\0\0\0\0\0{", 9), 9).find("fewer than two bytes") != std::string::npos);
  CHECK(refused(std::string("\3\0\0\0\0\0\0\0{}", 10), 10).find("the whole file has 10") != std::string::npos);
  CHECK(refused(std::string("\3\0\0\0\0\0\0\0{}", 10), 100).find("but only 2 are given") != std::string::npos);
  CHECK(refused(std::string("\1\xe1\xf5\5\0\0\0\0{}", 10), ~std::uint64_t{0}).find("the format allows 100,000,000") != std::string::npos);
  CHECK(refused(std::string(8, '\xff') + "{}", 10).find("the format allows") != std::string::npos);
}

TEST_CASE("a file cut at any position is reported", "[inputs]") {
  const std::string header = R"({"__metadata__":{"format":"pt"},"h.0.\u00e9":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})";
  const std::string file = with_length(header) + std::string(8, '\0');
  CHECK(said(reading_of({{"a.safetensors", file, file.size()}})).empty());
  for (std::size_t size = 0; size < file.size(); ++size) {
    CAPTURE(size);
    const Json reading = reading_of({{"a.safetensors", file.substr(0, size), size}});
    if (size == 0)
      CHECK(reading.at("what") == "empty");
    else
      CHECK_FALSE(said(reading).empty());
    // A truncated header whose length prefix matches the truncated text.
    if (size < header.size()) CHECK_FALSE(said(safetensors(header.substr(0, size), 8)).empty());
  }
}

TEST_CASE("everything that the format allows is read", "[inputs]") {
  CHECK(said(safetensors("{}", 0)).empty());
  CHECK(said(safetensors("{}   ", 0)).empty());
  CHECK(said(safetensors(tensor("U8", "[]", "[0,1]"), 1)).empty());
  CHECK(said(safetensors(tensor("F4", "[4]", "[0,2]"), 2)).empty());
  CHECK(said(safetensors(tensor("F32", "[0,18446744073709551615,18446744073709551615]", "[0,0]"), 0)).empty());
  CHECK(said(safetensors(two("[4,8]", "[0,4]"), 8)).empty());  // b comes first in the file
  CHECK(said(safetensors(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"more":[1.5e3,{"x":"\ud83d\ude00"}]}})", 1)).empty());
  const Json read =
      safetensors(R"({"__metadata__":{"format":"pt"},"\u0061\ud83d\ude00":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]}})", 12);
  CHECK(read.at("kind") == "safetensors");
  CHECK(read.at("tensors").at(0).at("name") == "a\xf0\x9f\x98\x80");
  CHECK(read.at("totals").at("elements") == "6");
  CHECK(read.at("totals").at("bytes") == "12");
  CHECK(read.at("dtypes").at(0).at("dtype") == "BF16");
  CHECK(read.at("metadata").at(0).at("value") == "pt");
}

TEST_CASE("shards are combined, and a missing one is reported", "[inputs]") {
  const auto shard = [](int i, const std::string& name) {
    const std::string header = R"({")" + name + R"(":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}})";
    return InputFile{"model-0000" + std::to_string(i) + "-of-00002.safetensors", with_length(header), 12 + header.size()};
  };
  const InputFile one = shard(1, "h.0.w"), two = shard(2, "h.1.w");
  const Json both = reading_of({one, two});
  CHECK(both.at("partial") == false);
  CHECK(row(both, "tensors", "h.[0-1].w").at("total") == "4");
  CHECK(both.at("files").size() == 2);
  CHECK(problems_of(reading_of({one})) == "Only 1 of 2 files are given, so the count is incomplete.\n");
  const std::string index = R"({"metadata":{"total_size":8},"weight_map":{"h.0.w":")" + one.name + R"(","h.1.w":")" + two.name + "\"}}";
  const Json with_index = reading_of({{"model.safetensors.index.json", index}, one, two});
  CHECK(with_index.at("partial") == false);
  CHECK(with_index.at("totals").at("total_size") == "8");
  CHECK(problems_of(reading_of({{"model.safetensors.index.json", index}, one})).find(two.name) != std::string::npos);
  const Json alone = reading_of({{"", index}});
  CHECK(alone.at("kind") == "safetensors_index");
  CHECK(alone.at("totals").at("tensors") == "2");
  CHECK_FALSE(alone.at("totals").contains("elements"));
  CHECK(alone.at("files").at(1).at("given") == false);
}

}  // namespace param_ledger::test
