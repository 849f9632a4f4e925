#include "core/claims/conventions.hpp"

#include "tests/support/chance.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// Pseudorandom numbers that are the same in every run.
class Chance {
 public:
  /// A random number below `bound`.
  std::uint64_t below(std::uint64_t bound) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return (state_ >> 16U) % bound;
  }

 private:
  std::uint64_t state_ = 12345;
};

/// The first `n_digits` digits of a number, followed by zeros up to millions or billions: 6,738,415,616 is written "6.73B" with 3 digits.
std::string written(Count number, unsigned n_digits) {
  std::string figures = digits(number);
  const std::size_t unit = figures.size() > 9 ? 9 : 6, whole = figures.size() - unit;
  figures = figures.substr(0, n_digits);
  figures.resize(std::max<std::size_t>(figures.size(), whole), '0');
  return figures.substr(0, whole) + (figures.size() > whole ? '.' + figures.substr(whole) : "") + (unit == 9 ? "B" : "M");
}

Conventions of(const std::string& config) {
  const Document document(config);
  return Conventions(document.root());
}

std::size_t explained(const Conventions& conventions, const std::string& claim) {
  return conventions.explain(read_quantity(claim, "claim")).agreeing.empty() ? 0 : 1;
}

}  // namespace

TEST_CASE("few random numbers are explained, and fewer the more digits they have", "[conventions]") {
  // The random numbers differ from the model's total by at most 10 %. Numbers with 3 digits are explained more often, also because they may
  // be the total cut off.
  struct Bound {
    unsigned digits;
    std::size_t most;  ///< the maximum share of explained numbers, in per mille
  };
  constexpr Bound bounds[] = {{3, 90}, {4, 11}, {5, 4}, {6, 2}};
  constexpr std::size_t each = 30;
  std::size_t hits[std::size(bounds)] = {}, asked = 0;
  Chance chance;
  for (const Json& model : json_of("models.json")) {
    const Conventions conventions = of(model.at("config").dump());
    for (std::size_t i = 0; i < each; ++i, ++asked)
      for (std::size_t b = 0; b < std::size(bounds); ++b)
        hits[b] += explained(conventions, written(conventions.sum() / 100'000 * (90'000 + chance.below(20'000)), bounds[b].digits));
  }
  CHECK(asked > 5000);
  for (std::size_t b = 0; b < std::size(bounds); ++b) {
    INFO(bounds[b].digits << " digits: " << hits[b] << " of " << asked);
    CHECK(hits[b] * 1000 <= bounds[b].most * asked);
  }
}

TEST_CASE("random numbers near eight models' totals are rarely explained", "[conventions]") {
  // tests/tools/chance.cpp prints the shares of explained numbers for all notations and distances.
  constexpr unsigned each = 25;  // random numbers per model
  const auto share = [&](std::string_view notation, std::string_view distance) {
    return explained_by_chance(eight_models(), each, 1, notation, distance);
  };
  CHECK(share("4 digits", "±1 %") <= 3);
  CHECK(share("3 digits", "±10 %") <= 4);
  CHECK(share("6 digits", "±1 %") <= 1);
  CHECK(share("in full", "±0.1 %") == 0);
}

TEST_CASE("rounding up is limited to a twentieth", "[conventions]") {
  // Llama 3.1 8B has 8,030,261,248 parameters.
  const Conventions conventions =
      of(R"({"model_type": "llama", "intermediate_size": 14336, "num_key_value_heads": 8, "vocab_size": 128256})");
  CHECK(conventions.sum() == 8'030'261'248);
  CHECK(explained(conventions, "8B") == 1);
  CHECK(explained(conventions, "8.1B") == 1);
  CHECK(explained(conventions, "9B") == 0);
  CHECK(explained(conventions, "8.04B") == 0);
  const Conventions large = of(R"({"model_type": "llama", "hidden_size": 16384, "intermediate_size": 53248, "num_hidden_layers": 126,
                                   "num_attention_heads": 128, "num_key_value_heads": 8, "vocab_size": 128256})");
  CHECK(large.sum() == 405'853'388'800);
  CHECK(explained(large, "405B") == 1);
  CHECK(explained(large, "0.5T") == 0);
}

TEST_CASE("an integer in full is explained only exactly", "[conventions]") {
  Chance chance;
  std::size_t asked = 0;
  for (const Json& model : json_of("models.json")) {
    const Conventions conventions = of(model.at("config").dump());
    if (conventions.sum() < 100'000'000) continue;
    INFO(model.at("name").get<std::string>());
    for (std::size_t i = 0; i < 5; ++i, ++asked) {
      const std::string claim = digits(conventions.sum() / 100'000 * (90'000 + chance.below(20'000)) + chance.below(1000));
      INFO(claim);
      CHECK(explained(conventions, claim) == 0);
    }
  }
  CHECK(asked > 500);
}

TEST_CASE("all parameters as written rank before any switch", "[conventions]") {
  std::size_t asked = 0;
  for (const Json& model : json_of("models.json")) {
    const Conventions conventions = of(model.at("config").dump());
    const std::size_t before_point = (digits(conventions.sum()).size() - 1) % 3 + 1;
    for (const unsigned n_digits : {2U, 3U}) {                                   // `written` cuts digits off
      if (n_digits < before_point || conventions.sum() < 100'000'000) continue;  // "270M" is not explained as 278 million cut off
      const std::string claim = written(conventions.sum(), n_digits);
      INFO(model.at("name").get<std::string>() << ": " << claim);
      const Conventions::Found found = conventions.explain(read_quantity(claim, "claim"));
      REQUIRE_FALSE(found.agreeing.empty());
      CHECK(found.agreeing.front().cost == 0);
      // The first explanation may be another named total that is nearer, but not one with a switch or another configuration.
      for (const Taken& taken : found.agreeing.front().taken) CHECK(taken.kind == Taken::total);
      bool whole = false;
      for (const Explanation& e : found.agreeing) whole = whole || e.taken.empty();
      CHECK(whole);
      ++asked;
    }
  }
  CHECK(asked > 250);
}

TEST_CASE("an explanation contains nothing without effect", "[conventions]") {
  // Both the total of 6,738,415,616 and the total without norms, 6,738,149,376, round to each of these numbers.
  const Conventions conventions = of(R"({"model_type": "llama"})");
  for (const char* claim : {"6.74B", "6.738B", "6.7B"})
    for (const Explanation& e : conventions.explain(read_quantity(claim, "claim")).agreeing) CHECK(e.taken.empty());
  const std::vector<Explanation> full = conventions.explain(read_quantity("6,738,149,376", "claim")).agreeing;
  REQUIRE_FALSE(full.empty());
  REQUIRE(full.front().taken.size() == 1);
  CHECK(full.front().taken.front().id == "norms");
}

}  // namespace param_ledger::test
