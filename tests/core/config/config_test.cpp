#include "core/config/config.hpp"

#include "core/config/ignored_fields.hpp"
#include "core/expr/formula.hpp"
#include "core/json/json_text.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

constexpr Alias aliases[] = {{"hidden_size", "n_embd"}};

/// A configuration, together with the objects that it refers to.
struct Read {
  explicit Read(std::string_view text) : document(text), all(pool, document.root()), config(all.root().with(aliases)) {}
  Pool pool;
  Document document;
  Configuration all;
  Config config;

  const Field& last() const { return all.fields.back(); }
  std::string ignored() const {
    std::string out;
    for (const IgnoredField& field : ignored_fields(all)) out += field.name + '=' + dump(field.value) + ' ';
    return out;
  }
};

constexpr std::string_view norms[] = {"none", "rms"};
constexpr std::string_view letters[] = {"a", "b"};
using Words = std::vector<std::string_view>;

ErrorCode code_of(std::string_view text, void (*read)(Config)) {
  Read r(text);
  return error_of([&] { read(r.config); }).code;
}

ErrorCode integer_code(std::string_view value) {
  return code_of(R"({"size":)" + std::string(value) + '}', [](Config c) { static_cast<void>(c.integer("size", 8, 1)); });
}

}  // namespace

TEST_CASE("an integer is the given one or the default", "[config]") {
  Read r(R"({"n_layer": 3})");
  CHECK(digits(r.config.integer("n_layer", 12).peek()) == "3");
  CHECK(r.last().source == Source::given);
  CHECK(dump(r.last().given) == "3");
  CHECK(r.last().fallback == "12");
  CHECK(digits(r.config.integer("n_head", 12).peek()) == "12");
  CHECK(r.last().source == Source::fallback);
  CHECK(r.last().value == "12");
}

TEST_CASE("reading a field twice gives the same name", "[config]") {
  Read r(R"({"n_layer": 3})");
  CHECK(r.config.integer("n_layer", 12) == r.config.integer("n_layer", 12));
  CHECK(r.all.fields.size() == 1);
}

TEST_CASE("an integer field accepts only integers", "[config]") {
  CHECK(integer_code("1") == ErrorCode::internal);  // `internal` means that nothing was thrown
  for (const char* value : {"\"8\"", "8.0", "1e3", "true", "null", "[8]", "{}", "1.5e300"})
    CHECK(integer_code(value) == (std::string(value) == "1.5e300" ? ErrorCode::overflow : ErrorCode::wrong_type));
  CHECK(integer_code("-8") == ErrorCode::out_of_range);
  CHECK(integer_code("0") == ErrorCode::out_of_range);
  CHECK(integer_code("9223372036854775807") == ErrorCode::internal);
  CHECK(integer_code("9223372036854775808") == ErrorCode::overflow);
  CHECK(integer_code("18446744073709551616") == ErrorCode::overflow);
}

TEST_CASE("a derived integer is used if the field is missing or null", "[config]") {
  for (const char* text : {R"({"n_embd": 64})", R"({"n_embd": 64, "n_inner": null})"}) {
    Read r(text);
    const Expr inner = r.config.integer("n_inner", 4 * r.config.integer("n_embd", 768));
    CHECK(digits(inner.peek()) == "256");
    CHECK(r.last().source == Source::derived);
    CHECK(r.last().value == "256");
    CHECK(write(r.last().derivation) == "4 × n_embd");
  }
  Read r(R"({"n_inner": 100})");
  CHECK(digits(r.config.integer("n_inner", 4 * r.config.integer("n_embd", 768)).peek()) == "100");
  CHECK(r.last().source == Source::given);
}

TEST_CASE("an undeclared attribute refuses null", "[config]") {
  CHECK(code_of(R"({"head_dim": null})",
                [](Config c) { static_cast<void>(c.integer("head_dim", attribute.or_else(c.integer("n", 2)))); }) == ErrorCode::wrong_type);
  Read r("{}");
  CHECK(digits(r.config.integer("head_dim", attribute.or_else(r.config.integer("n", 2))).peek()) == "2");
}

TEST_CASE("a derived value may be too small", "[config]") {
  CHECK(code_of("{}", [](Config c) { static_cast<void>(c.integer("n_inner", c.integer("n_embd", 0), 1)); }) == ErrorCode::out_of_range);
}

TEST_CASE("missing and null may mean different values", "[config]") {
  const auto value = [](std::string_view text) {
    Read r(text);
    return digits(r.config.integer("n_kv", fixed_not_null(32).or_else(r.config.integer("n", 8))).peek());
  };
  CHECK(value("{}") == "32");
  CHECK(value(R"({"n_kv": null})") == "8");
  CHECK(value(R"({"n_kv": 4})") == "4");
}

TEST_CASE("\"auto\" gives the derived value, and other words are refused", "[config]") {
  Read r(R"({"rank": "auto"})");
  CHECK(digits(r.config.integer("rank", unless_auto.or_else(r.config.integer("d", 48))).peek()) == "48");
  CHECK(r.last().source == Source::derived);
  CHECK(code_of(R"({"rank": "full"})", [](Config c) { static_cast<void>(c.integer("rank", unless_auto.or_else(c.integer("d", 48)))); }) ==
        ErrorCode::wrong_type);
}

TEST_CASE("an optional integer may be absent", "[config]") {
  Read r(R"({"a": null, "b": 5})");
  CHECK_FALSE(r.config.optional_integer("a", 7).has_value());
  CHECK(r.last().source == Source::given);
  CHECK(r.last().given.is_null());
  CHECK(digits(r.config.optional_integer("b", 7)->peek()) == "5");
  CHECK(digits(r.config.optional_integer("c", 7)->peek()) == "7");
  CHECK_FALSE(r.config.optional_integer("d").has_value());
  CHECK(r.last().source == Source::fallback);
}

TEST_CASE("reading a field again with another default is an internal error", "[config]") {
  CHECK(code_of("{}", [](Config c) { static_cast<void>(c.integer("n", 1).peek() + c.integer("n", 2).peek()); }) == ErrorCode::internal);
  const Error error = error_of([] {
    Read r("{}");
    static_cast<void>(r.config.integer("n", 1));
    static_cast<void>(r.config.flag("n", true));
  });
  CHECK(error.message == "n is read with two different types or defaults.");
}

TEST_CASE("the answer says which alias was used", "[config]") {
  Read r(R"({"hidden_size": 64})");
  CHECK(digits(r.config.integer("n_embd", 768).peek()) == "64");
  CHECK(r.last().name == "n_embd");
  CHECK(r.last().given_as == "hidden_size");
  CHECK(r.ignored().empty());
  Read wrong(R"({"hidden_size": -1})");
  const Error error = error_of([&] { static_cast<void>(wrong.config.integer("n_embd", 768, 1)); });
  CHECK(error.field == "hidden_size");
  CHECK(error.message == "hidden_size must be at least 1, not -1.");
}

TEST_CASE("two spellings must have one value", "[config]") {
  Read equal(R"({"n_embd": 64, "hidden_size": 64})");
  CHECK(digits(equal.config.integer("n_embd", 768).peek()) == "64");
  CHECK(equal.ignored().empty());
  for (const char* text :
       {R"({"n_embd": 1, "hidden_size": 64})", R"({"n_embd": null, "hidden_size": 64})", R"({"n_embd": 64.0, "hidden_size": 64})"})
    CHECK(code_of(text, [](Config c) { static_cast<void>(c.integer("n_embd", 768)); }) == ErrorCode::inconsistent);
}

TEST_CASE("what transformers derives before it reads an alias must be given", "[config]") {
  const auto inner = [](Config c) { static_cast<void>(c.integer("n_inner", 4 * c.integer("n_embd", 768))); };
  CHECK(code_of(R"({"hidden_size": 64})", inner) == ErrorCode::missing_field);
  CHECK(code_of(R"({"hidden_size": 64, "n_inner": 100})", inner) == ErrorCode::internal);  // `internal` means that nothing was thrown
  CHECK(code_of(R"({"hidden_size": 64})", [](Config c) {
          static_cast<void>(c.integer("n_inner", attribute.or_else(c.integer("n_embd", 768))));
        }) == ErrorCode::internal);
}

TEST_CASE("a section is read like a configuration", "[config]") {
  Read r(R"({"hidden_size": 8, "text_config": {"hidden_size": 16, "depth": 2}, "vision_config": {"hidden_size": 32}})");
  Config text = r.config.section("text_config").with({}), vision = r.config.section("vision_config");
  CHECK(digits(r.config.integer("n_embd", 1).peek()) == "8");
  const Expr d = text.integer("hidden_size", 1), d_v = vision.integer("hidden_size", 1);
  CHECK(digits(d.peek()) == "16");
  CHECK(digits(d_v.peek()) == "32");
  CHECK(d.name().name == "text_config.hidden_size");
  CHECK(d_v.name().symbol == "d_v");
  CHECK(d.name().symbol != r.config.integer("n_embd", 1).name().symbol);
  CHECK(r.ignored() == "text_config.depth=2 ");
  CHECK(error_of([&] { static_cast<void>(text.integer("depth", 1, 3)); }).field == "text_config.depth");
  CHECK(digits(r.config.section("audio_config").integer("hidden_size", 5).peek()) == "5");
  CHECK(code_of(R"({"text_config": 1})", [](Config c) { static_cast<void>(c.section("text_config")); }) == ErrorCode::wrong_type);
  CHECK(code_of(R"({"text_config": null})", [](Config c) { static_cast<void>(c.section("text_config")); }) == ErrorCode::internal);
}

TEST_CASE("a width from a factor is computed in Python's doubles", "[config]") {
  const auto width = [](Config c) { return c.scaled("mlp_ratio", 4.0, c.integer("d", 100), "mlp_width", "f"); };
  const auto of = [&](std::string_view text) {
    Read r(text);
    return digits(width(r.config).peek());
  };
  CHECK(of("{}") == "400");
  CHECK(of(R"({"mlp_ratio": 3})") == "300");
  CHECK(of(R"({"mlp_ratio": 2.675})") == "267");
  CHECK(of(R"({"mlp_ratio": 0.29})") == "28");  // 0.29 * 100 is 28.999999999999996 in Python
  for (const char* text : {R"({"mlp_ratio": -1})", R"({"mlp_ratio": NaN})", R"({"mlp_ratio": 1e300})"}) {
    Read r(text);
    CHECK(error_of([&] { static_cast<void>(width(r.config)); }).code == ErrorCode::out_of_range);
  }
}

TEST_CASE("a flag is true or false", "[config]") {
  Read r(R"({"bias": true, "gate": null})");
  CHECK(r.config.flag("bias", false));
  CHECK(r.config.flag("missing", true));
  CHECK_FALSE(r.config.flag("gate", true, Null::allowed));
  for (const char* text : {R"({"b": 1})", R"({"b": "true"})", R"({"b": null})"})
    CHECK(code_of(text, [](Config c) { static_cast<void>(c.flag("b", false)); }) == ErrorCode::wrong_type);
}

TEST_CASE("words are checked against the choices", "[config]") {
  Read r(R"({"norm": "rms", "kinds": ["a", "b", "a"], "none": null})");
  CHECK(r.config.text("norm", "none", norms) == "rms");
  CHECK(r.config.text("missing", "none", norms) == "none");
  CHECK(r.config.words("kinds", letters) == Words{"a", "b", "a"});
  CHECK_FALSE(r.config.words("none").has_value());
  CHECK(r.config.words("other", letters, {"b"}) == Words{"b"});
  CHECK(code_of(R"({"norm": "batch"})", [](Config c) { static_cast<void>(c.text("norm", "none", norms)); }) == ErrorCode::out_of_range);
  CHECK(code_of(R"({"norm": 1})", [](Config c) { static_cast<void>(c.text("norm", "none")); }) == ErrorCode::wrong_type);
  CHECK(code_of(R"({"kinds": ["c"]})", [](Config c) { static_cast<void>(c.words("kinds", letters)); }) == ErrorCode::out_of_range);
  CHECK(code_of(R"({"kinds": [1]})", [](Config c) { static_cast<void>(c.words("kinds")); }) == ErrorCode::wrong_type);
  CHECK(code_of(R"({"kinds": "a"})", [](Config c) { static_cast<void>(c.words("kinds")); }) == ErrorCode::wrong_type);
}

TEST_CASE("lists of integers may have negative entries", "[config]") {
  Read r(R"({"ids": [0, -1, 9223372036854775807]})");
  CHECK(r.config.integers("ids") == std::vector<std::int64_t>{0, -1, 9223372036854775807});
  CHECK_FALSE(r.config.integers("missing").has_value());
  CHECK(code_of(R"({"ids": [1.0]})", [](Config c) { static_cast<void>(c.integers("ids")); }) == ErrorCode::wrong_type);
  CHECK(code_of(R"({"ids": [9223372036854775808]})", [](Config c) { static_cast<void>(c.integers("ids")); }) == ErrorCode::overflow);
}

TEST_CASE("unread values are ignored, nested ones individually", "[config]") {
  Read r(R"({"n_layer": 3, "rope": {"theta": 1.5, "deep": {"kind": "yarn"}}, "empty": {}, "limit": [0.0, 1.0]})");
  static_cast<void>(r.config.integer("n_layer", 1));
  r.config.ignore("empty", "Nothing is in it.");
  CHECK(r.ignored() == R"(rope.theta=1.5 rope.deep.kind="yarn" empty={} limit=[0.0,1.0] )");
}

TEST_CASE("a list has an entry for each layer", "[config]") {
  Read r(R"({"n": 32})");
  const Expr n = r.config.integer("n", 1);
  CHECK(error_of([&] { r.config.require_length("kinds", 31, n); }).code == ErrorCode::inconsistent);
  CHECK_NOTHROW(r.config.require_length("kinds", 32, n));
}

TEST_CASE("each entry of a list of dimensions has its own name", "[config]") {
  for (const char* text : {R"({"hidden_sizes": [4, 8]})", "{}"}) {
    Read r(text);
    const std::vector<Expr> widths = r.config.dimensions("hidden_sizes", {4, 8});
    REQUIRE(widths.size() == 2);
    CHECK(write(widths[1]) == "hidden_sizes[1]");
    CHECK(widths[1].name().symbol == "d_1");
    CHECK(digits(widths[1].peek()) == "8");
    CHECK(r.config.dimensions("hidden_sizes", {4, 8})[0] == widths[0]);
  }
  for (const char* value : {"null", "4", "[4.0]", "[\"4\"]"})
    CHECK(code_of(R"({"hidden_sizes":)" + std::string(value) + '}',
                  [](Config c) { static_cast<void>(c.dimensions("hidden_sizes", {4})); }) == ErrorCode::wrong_type);
  CHECK(code_of(R"({"hidden_sizes": [-4]})", [](Config c) { static_cast<void>(c.dimensions("hidden_sizes", {4})); }) ==
        ErrorCode::out_of_range);
}

TEST_CASE("sides are a number or a pair", "[config]") {
  Read square(R"({"image_size": 224})");
  const Sides same = square.config.sides("image_size", 256);
  CHECK(same.height == same.width);
  CHECK(write(same.height) == "image_size");
  Read pair(R"({"image_size": [32, 48]})");
  const Sides two = pair.config.sides("image_size", 256);
  CHECK(digits(two.height.peek()) == "32");
  CHECK(write(two.width) == "image_size[1]");
  for (const char* value : {"[32]", "[32, 48, 3]", "null", "\"32\""})
    CHECK(code_of(R"({"image_size":)" + std::string(value) + '}', [](Config c) { static_cast<void>(c.sides("image_size", 256)); }) ==
          ErrorCode::wrong_type);
}

}  // namespace param_ledger::test
