#include "tests/support/chance.hpp"

#include <algorithm>
#include <cmath>

#include "core/claims/claim_bytes.hpp"
#include "core/claims/conventions.hpp"
#include "core/json/json_text.hpp"
#include "tests/support/support.hpp"

namespace param_ledger::test {

namespace {

/// The random number generator splitmix64, which gives equal numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// A random number from 0 up to, but not including, 1.
  double next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return static_cast<double>((z ^ (z >> 31U)) >> 11U) / 9007199254740992.0;
  }

 private:
  std::uint64_t state_;
};

bool is_explained(const Conventions& conventions, const Model& model, param_ledger::Json root, const std::string& text) {
  const Quantity claim = read_quantity(text, "claim");
  return !conventions.explain(claim, claim.bytes ? ways_of_storing(model, root, claim) : ByteWays{}).agreeing.empty();
}

}  // namespace

std::string written(Count number, const Notation& notation) {
  if (notation.bytes) number *= 2;
  std::string figures = digits(number);
  if (notation.digits == 0) return figures;
  const std::size_t length = figures.size();
  if (length > notation.digits) {  // rounded to the nearest
    Count step = 1;
    for (std::size_t i = notation.digits; i < length; ++i) step *= 10;
    figures = digits((number + step / 2) / step * step);
  }
  const std::size_t unit = figures.size() > 9 || notation.bytes ? 9 : 6;
  while (figures.size() <= unit) figures.insert(0, 1, '0');
  const std::size_t whole = figures.size() - unit, leading = figures.find_first_not_of('0');
  std::string out = figures.substr(0, whole);
  const std::size_t end = leading + notation.digits;
  if (end > whole) out += '.' + figures.substr(whole, end - whole);
  return out + (notation.bytes ? " GB in fp16" : unit == 9 ? "B" : "M");
}

std::vector<std::string> eight_models() {
  static constexpr std::string_view names[] = {"google/gemma-2-9b", "meta-llama/Meta-Llama-3.1-8B", "meta-llama/Llama-2-70b-hf",
                                               "Qwen/Qwen2.5-32B",  "Qwen/Qwen2.5-VL-7B-Instruct",  "deepseek-ai/DeepSeek-R1"};
  std::vector<std::string> out{config_of("mixtral"),  // Mixtral 8x7B
                               config_of("llama", {{"hidden_size", "16384"},
                                                   {"intermediate_size", "53248"},
                                                   {"num_hidden_layers", "126"},
                                                   {"num_attention_heads", "128"},
                                                   {"num_key_value_heads", "8"},
                                                   {"vocab_size", "128256"}})};  // Llama 3.1 405B
  for (const Json& model : json_of("models.json"))
    if (std::find(std::begin(names), std::end(names), model.at("name").get<std::string>()) != std::end(names))
      out.push_back(model.at("config").dump());
  return out;
}

double explained_by_chance(const std::vector<std::string>& configs, unsigned each, std::uint64_t seed, std::string_view notation,
                           std::string_view distance) {
  const auto named = [](std::string_view name) { return [name](const auto& entry) { return entry.name == name; }; };
  const Notation& written_as = *std::find_if(std::begin(notations), std::end(notations), named(notation));
  const Distance& away = *std::find_if(std::begin(distances), std::end(distances), named(distance));
  Random random(seed);
  std::size_t explained = 0;
  for (const std::string& config : configs) {
    const Document document(config);
    const Model model(document.root());
    const Conventions conventions(document.root());
    for (unsigned i = 0; i < each; ++i) {
      const double from = std::log(away.from), to = std::log(away.to);
      const double factor = std::exp(from + (to - from) * random.next());
      const auto number = static_cast<Count>(static_cast<double>(conventions.sum()) * factor);
      const std::string text = written(number, written_as);
      if (is_explained(conventions, model, document.root(), text)) ++explained;
    }
  }
  return 100.0 * static_cast<double>(explained) / static_cast<double>(each * configs.size());
}

}  // namespace param_ledger::test
