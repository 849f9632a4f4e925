// Fuzzes worked articles. Lines of arithmetic are parsed. Some inputs are also checked as a whole article, which must get a verdict for
// each step or be refused. Mutations change JSON values.

// Covers: core/claims/arithmetic.cpp core/claims/article.cpp core/claims/bindings.cpp core/claims/slips.cpp core/claims/worked_article.cpp

#include "core/api/report.hpp"
#include "core/claims/arithmetic.hpp"
#include "core/support/error.hpp"
#include "tests/fuzz/mutation.hpp"
#include "tests/fuzz/target.hpp"

namespace {

using namespace param_ledger;

/// Lines of arithmetic as people write them, which mutations insert.
const std::vector<std::string> lines = {
    "4 * d_model^2", "32,000 × 8,192", "V·d + L·(mha + mlp)", "int(2 * hidden / 3)", "ceil(8/3) // 2 % 7", "-(d - 1)**3", "1.5e9"};

void read_line(std::string_view line) {
  static const std::vector<Binding> names = {{"d", {4096}}, {"V", {32000}}, {"L", {32}},
                                             {"x", {1, 3}}, {"zero", {}},   {"less", {7, 2, true}}};
  try {
    const Arithmetic read(line, "expression");
    const Fraction value = read.value(names);
    fuzz::require(value.below != 0, "a division by nothing", line);
    fuzz::require(!read.terms(names).empty() && !read.factors(names).empty(), "a line without terms", line);
    fuzz::require(!read.substituted(names).empty(), "a line without numbers", line);
  } catch (const Error& e) {
    fuzz::require(e.code != ErrorCode::internal, "a defect", e.message);
  }
}

/// Reads the string with index `place` in a tree. Returns the largest size_t if there is such a string, and `place` minus the number of
/// strings in the tree if there is none.
std::size_t read_string(const fuzz::Tree& tree, std::size_t place) {
  if (tree.is_string() && place-- == 0) read_line(tree.get_ref<const std::string&>());
  if (tree.is_structured())
    for (const fuzz::Tree& inner : tree)
      if ((place = read_string(inner, place)) == ~std::size_t{0}) break;
  return place;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
  static const std::vector<std::string> keys = {"title", "source",     "setting", "model",   "names", "steps", "total",
                                                "says",  "expression", "prints",  "tensors", "each",  "id"};
  return fuzz::mutated_json(data, size, most, seed, keys, lines, [](fuzz::Tree&, fuzz::Random&) {});
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const fuzz::Tree tree = fuzz::Tree::parse(text, nullptr, false);
  // Parses one of the first 16 strings in an object, which the input's size selects, as a line of arithmetic, if there are that many. Input
  // that is not an object is parsed as one line.
  if (tree.is_object())
    read_string(tree, size % 16);
  else
    read_line(text);
  if (!fuzz::looked_at_closely(text, 512)) return 0;
  const nlohmann::json answer = fuzz::checked(article(text));
  if (answer["ok"] != true) return 0;
  for (const nlohmann::json& step : answer["steps"]) fuzz::require(step.contains("verdict"), "a step without a verdict", answer.dump());
  return 0;
}
