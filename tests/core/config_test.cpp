#include "core/config.hpp"

#include "core/formula.hpp"
#include "tests/support.hpp"

namespace param_ledger::test {

namespace {

constexpr Alias aliases[] = {{"hidden_size", "n_embd"}, {"width", "head_dim", false}};

/// A configuration with everything that it refers to.
struct Read {
  explicit Read(std::string_view text) : root(Json::parse(text)), config(pool, root, aliases) {}
  Pool pool;
  Json root;
  Config config;

  const Field& last() const { return config.fields().back(); }
};

ErrorCode code_of(std::string_view text, void (*read)(Config&)) {
  Read r(text);
  return error_of([&] { read(r.config); }).code;
}

ErrorCode integer_code(std::string_view value) {
  return code_of(R"({"size":)" + std::string(value) + '}', [](Config& c) { c.integer("size", 8, 1); });
}

}  // namespace

TEST_CASE("an integer is given or its default", "[config]") {
  Read r(R"({"n_layer": 3})");
  CHECK(digits(r.config.integer("n_layer", 12).value()) == "3");
  CHECK(r.last().source == Source::given);
  CHECK(r.last().value == "3");
  CHECK(r.last().fallback == "12");
  CHECK(digits(r.config.integer("n_head", 12).value()) == "12");
  CHECK(r.last().source == Source::fallback);
  CHECK(r.last().value == "12");
}

TEST_CASE("a field is read once and stays one name", "[config]") {
  Read r(R"({"n_layer": 3})");
  CHECK(r.config.integer("n_layer", 12) == r.config.integer("n_layer", 12));
  CHECK(r.config.fields().size() == 1);
}

TEST_CASE("an integer is nothing else", "[config]") {
  CHECK(integer_code("1") == ErrorCode::internal);  // nothing is thrown
  for (const char* value : {"\"8\"", "8.0", "1e3", "true", "null", "[8]", "{}", "1.5e300"})
    CHECK(integer_code(value) == (std::string(value) == "1.5e300" ? ErrorCode::overflow : ErrorCode::wrong_type));
  CHECK(integer_code("-8") == ErrorCode::out_of_range);
  CHECK(integer_code("0") == ErrorCode::out_of_range);
  CHECK(integer_code("9223372036854775807") == ErrorCode::internal);
  CHECK(integer_code("9223372036854775808") == ErrorCode::overflow);
  CHECK(integer_code("18446744073709551616") == ErrorCode::overflow);
}

TEST_CASE("a derived integer follows from others where missing or null", "[config]") {
  for (const char* text : {R"({"n_embd": 64})", R"({"n_embd": 64, "n_inner": null})"}) {
    Read r(text);
    const Expr inner = r.config.integer("n_inner", 4 * r.config.integer("n_embd", 768));
    CHECK(digits(inner.value()) == "256");
    CHECK(r.last().source == Source::derived);
    CHECK(r.last().value == "256");
    CHECK(write(r.last().derivation) == "4 × n_embd");
  }
  Read r(R"({"n_inner": 100})");
  CHECK(digits(r.config.integer("n_inner", 4 * r.config.integer("n_embd", 768)).value()) == "100");
  CHECK(r.last().source == Source::given);
}

TEST_CASE("an attribute that transformers does not declare takes no null", "[config]") {
  CHECK(code_of(R"({"head_dim": null})", [](Config& c) { c.attribute("head_dim", c.integer("n", 2)); }) == ErrorCode::wrong_type);
  Read r("{}");
  CHECK(digits(r.config.attribute("head_dim", r.config.integer("n", 2)).value()) == "2");
}

TEST_CASE("what follows may be too small", "[config]") {
  CHECK(code_of("{}", [](Config& c) { c.integer("n_inner", c.integer("n_embd", 0), 1); }) == ErrorCode::out_of_range);
}

TEST_CASE("a missing integer and null may differ", "[config]") {
  const auto value = [](std::string_view text) {
    Read r(text);
    return digits(r.config.integer("n_kv", 32, r.config.integer("n", 8)).value());
  };
  CHECK(value("{}") == "32");
  CHECK(value(R"({"n_kv": null})") == "8");
  CHECK(value(R"({"n_kv": 4})") == "4");
}

TEST_CASE("\"auto\" is derived, another word is none", "[config]") {
  Read r(R"({"rank": "auto"})");
  CHECK(digits(r.config.automatic("rank", r.config.integer("d", 48)).value()) == "48");
  CHECK(r.last().source == Source::derived);
  CHECK(code_of(R"({"rank": "full"})", [](Config& c) { c.automatic("rank", c.integer("d", 48)); }) == ErrorCode::wrong_type);
}

TEST_CASE("an optional integer may be absent", "[config]") {
  Read r(R"({"a": null, "b": 5})");
  CHECK_FALSE(r.config.optional_integer("a", 7).has_value());
  CHECK(r.last().source == Source::given);
  CHECK(r.last().value == "null");
  CHECK(digits(r.config.optional_integer("b", 7)->value()) == "5");
  CHECK(digits(r.config.optional_integer("c", 7)->value()) == "7");
  CHECK_FALSE(r.config.optional_integer("d").has_value());
  CHECK(r.last().source == Source::fallback);
}

TEST_CASE("the alias wins, and the answer says so", "[config]") {
  Read r(R"({"n_embd": 1, "hidden_size": 64})");
  CHECK(digits(r.config.integer("n_embd", 768).value()) == "64");
  CHECK(r.last().name == "n_embd");
  CHECK(r.last().given_as == "hidden_size");
  const auto ignored = r.config.ignored();
  REQUIRE(ignored.size() == 1);
  CHECK(ignored[0].name == "n_embd");
  CHECK(ignored[0].reason.find("hidden_size") != std::string::npos);
}

TEST_CASE("of two undeclared spellings the later in the text wins", "[config]") {
  Read own(R"({"width": 8, "head_dim": 16})");
  CHECK(digits(own.config.integer("head_dim", 1).value()) == "16");
  CHECK(own.config.ignored()[0].reason.find("head_dim") != std::string::npos);
  Read alias(R"({"head_dim": 16, "width": 8})");
  CHECK(digits(alias.config.integer("head_dim", 1).value()) == "8");
  CHECK(alias.last().given_as == "width");
}

TEST_CASE("a value is also there as it was declared, before the alias", "[config]") {
  Read r(R"({"n_embd": 1, "hidden_size": 64})");
  CHECK(digits(r.config.declared("n_embd", r.config.integer("n_embd", 768), 768).value()) == "1");
  Read alone(R"({"hidden_size": 64})");
  CHECK(digits(alone.config.declared("n_embd", alone.config.integer("n_embd", 768), 768).value()) == "768");
}

TEST_CASE("a flag is true or false", "[config]") {
  Read r(R"({"bias": true, "gate": null})");
  CHECK(r.config.flag("bias", false));
  CHECK(r.config.flag("missing", true));
  CHECK_FALSE(r.config.flag("gate", true, Null::allowed));
  for (const char* text : {R"({"b": 1})", R"({"b": "true"})", R"({"b": null})"})
    CHECK(code_of(text, [](Config& c) { c.flag("b", false); }) == ErrorCode::wrong_type);
}

TEST_CASE("words are checked against the choices", "[config]") {
  Read r(R"({"norm": "rms", "kinds": ["a", "b", "a"], "none": null})");
  CHECK(r.config.text("norm", "none", {"none", "rms"}) == "rms");
  CHECK(r.config.text("missing", "none", {"none", "rms"}) == "none");
  CHECK(r.config.words("kinds", {"a", "b"}) == std::vector<std::string>{"a", "b", "a"});
  CHECK_FALSE(r.config.words("none").has_value());
  CHECK(r.config.words("other", {"a", "b"}, {"b"}) == std::vector<std::string>{"b"});
  CHECK(code_of(R"({"norm": "batch"})", [](Config& c) { c.text("norm", "none", {"none", "rms"}); }) == ErrorCode::out_of_range);
  CHECK(code_of(R"({"norm": 1})", [](Config& c) { c.text("norm", "none"); }) == ErrorCode::wrong_type);
  CHECK(code_of(R"({"kinds": ["c"]})", [](Config& c) { c.words("kinds", {"a", "b"}); }) == ErrorCode::out_of_range);
  CHECK(code_of(R"({"kinds": [1]})", [](Config& c) { c.words("kinds"); }) == ErrorCode::wrong_type);
  CHECK(code_of(R"({"kinds": "a"})", [](Config& c) { c.words("kinds"); }) == ErrorCode::wrong_type);
}

TEST_CASE("lists of integers keep negative ones", "[config]") {
  Read r(R"({"ids": [0, -1, 9223372036854775807]})");
  CHECK(r.config.integers("ids") == std::vector<std::int64_t>{0, -1, 9223372036854775807});
  CHECK_FALSE(r.config.integers("missing").has_value());
  CHECK(code_of(R"({"ids": [1.0]})", [](Config& c) { c.integers("ids"); }) == ErrorCode::wrong_type);
  CHECK(code_of(R"({"ids": [9223372036854775808]})", [](Config& c) { c.integers("ids"); }) == ErrorCode::overflow);
}

TEST_CASE("what no one read is ignored, nested fields one by one", "[config]") {
  Read r(R"({"n_layer": 3, "rope": {"theta": 1.5, "deep": {"kind": "yarn"}}, "empty": {}, "limit": [0.0, 1.0]})");
  r.config.integer("n_layer", 1);
  r.config.ignore("empty", "Nothing is in it.");
  std::string names;
  for (const IgnoredField& field : r.config.ignored()) names += field.name + '=' + field.value + ' ';
  CHECK(names == R"(rope.theta=1.5 rope.deep.kind="yarn" empty={} limit=[0.0,1.0] )");
}

TEST_CASE("checks name the fields and their values", "[config]") {
  Read r(R"({"d": 100, "n": 32, "zero": 0})");
  const Expr d = r.config.integer("d", 1), n = r.config.integer("n", 1), zero = r.config.integer("zero", 1);
  const Error not_divisible = error_of([&] { require_multiple("d", d, n); });
  CHECK(not_divisible.code == ErrorCode::not_divisible);
  CHECK(not_divisible.field == "d");
  CHECK(not_divisible.message == "d (100) must be a multiple of n (32).");
  CHECK(error_of([&] { require_multiple("d", d, zero); }).code == ErrorCode::not_divisible);
  CHECK(error_of([&] { require_equal("d", d, n); }).code == ErrorCode::inconsistent);
  CHECK(error_of([&] { require_positive(zero); }).field == "zero");
  CHECK(error_of([&] { require_length("kinds", 31, n); }).code == ErrorCode::inconsistent);
  CHECK_NOTHROW(require_length("kinds", 32, n));
}

TEST_CASE("integers beyond what JavaScript holds exactly are digits in quotes", "[config]") {
  CHECK(integer_text(9007199254740991) == "9007199254740991");
  CHECK(integer_text(9007199254740993) == "\"9007199254740993\"");
}

}  // namespace param_ledger::test
