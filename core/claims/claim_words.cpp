#include "core/claims/claim_words.hpp"

#include <algorithm>
#include <vector>

#include "core/support/parse.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// A word, and the member of Claim that it sets for the number next to it.
struct Meaning {
  std::string_view word;
  bool Claim::*says;
};
constexpr Meaning meanings[] = {{"trainable", &Claim::trainable},
                                {"training", &Claim::training},
                                {"backward", &Claim::training},
                                {"train", &Claim::training},
                                {"causal", &Claim::causal},
                                {"mfu", &Claim::utilization},
                                {"hfu", &Claim::utilization},
                                {"utilization", &Claim::utilization},
                                {"utilisation", &Claim::utilization},
                                {"kv", &Claim::cache},
                                {"cache", &Claim::cache},
                                {"recurrent", &Claim::states},
                                {"states", &Claim::states},
                                {"bnb", &Claim::packed},
                                {"4bit", &Claim::packed},
                                {"nf4", &Claim::packed},
                                {"gptq", &Claim::packed},
                                {"awq", &Claim::packed},
                                {"mlx", &Claim::packed},
                                {"nvfp4", &Claim::packed},
                                {"mxfp4", &Claim::packed},
                                {"packed", &Claim::packed},
                                {"quantized", &Claim::packed},
                                {"quantised", &Claim::packed},
                                {"bitsandbytes", &Claim::packed},
                                {"total", &Claim::whole},
                                {"all", &Claim::whole},
                                {"overall", &Claim::whole},
                                {"mtp", &Claim::prediction},
                                {"nextn", &Claim::prediction},
                                {"prediction", &Claim::prediction}};

/// The words of a lower-case text: runs of letters, digits and underscores. "%" is a word, and "/" becomes "per".
std::vector<std::string> split_words(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t begin = i++;
    if (text[begin] == '%') out.emplace_back("%");
    if (text[begin] == '/') out.emplace_back("per");
    if (!in_word(text[begin])) continue;
    while (i < text.size() && in_word(text[i])) ++i;
    out.emplace_back(text.substr(begin, i - begin));
  }
  return out;
}

/// Splits a text into words, with "w/o" as "without" and "4-bit" as "4bit". A word that is joined to the preceding one becomes empty.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out = split_words(text);
  for (std::size_t i = 0; i + 2 < out.size(); ++i)
    if (out[i] == "w" && out[i + 1] == "per" && out[i + 2] == "o") {
      out[i] = "without";
      out[i + 1].clear();
      out[i + 2].clear();
    }
  for (std::size_t i = 0; i + 1 < out.size(); ++i)
    if (is_one_of(out[i], {"4", "8", "16", "32"}) && out[i + 1].starts_with("bit")) {
      out[i] += "bit";
      out[i + 1].clear();
    }
  return out;
}

bool is_gguf_format(std::string_view word) {
  return word == "mxfp4" ||
         (word.size() > 3 && (word.starts_with("iq") || (word.starts_with('q') && is_digit(word[1]) && holds(word, "_"))));
}

/// Whether a word names a number type or a format.
bool is_type(std::string_view word) { return number_type(word).bits != 0 || is_gguf_format(word); }

/// Selects the words that `read_quantity` understands: words for what is counted and, if the number counts bytes, the first number type.
std::string quantity_words(Unit counts, const std::vector<std::string>& words) {
  std::string out;
  bool typed = false;
  for (const std::string& word : words) {
    if (is_one_of(word, {"", "with", "and", "a"})) continue;
    const bool type = is_type(word);
    const bool taken = type ? counts == Unit::bytes && !typed : counts <= Unit::bytes && is_quantity_word(word);
    if (!taken) continue;
    typed = typed || type;
    out += concat({" ", word});
  }
  return out;
}

/// In "excluding the shared 0.9B embedding" the number itself is excluded, not the embedding. Removes such a negation before a number.
std::vector<std::string> without_open_negation(std::vector<std::string> before) {
  for (std::size_t i = before.size(); i-- > 0;) {
    if (is_one_of(before[i], {"embedding", "embeddings", "embed", "head"})) break;
    if (!is_one_of(before[i], {"excluding", "excl", "without", "except", "minus"})) continue;
    before[i].clear();
    break;
  }
  return before;
}

/// Whether the words before a number say what it counts. If they do, the words after it belong to the next number.
bool say_something(std::string_view words) {
  const std::vector<std::string> all = words_of(words);
  return std::any_of(all.begin(), all.end(), [](const std::string& word) {
    return is_one_of(word, {"total", "active", "activated", "trainable", "all"});
  });
}

}  // namespace

ClaimWords claim_words(const StatedNumber& number, std::string_view before, std::string_view after) {
  std::vector<std::string> words = without_open_negation(words_of(before));
  for (std::string& word : words_of(after)) words.push_back(std::move(word));
  ClaimWords out;
  out.claim.unit = number.counts;
  out.claim.experts = number.experts;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    for (const Meaning& meaning : meanings)
      if (word == meaning.word) out.claim.*meaning.says = true;
    const bool token = i + 1 < words.size() && is_one_of(words[i + 1], {"token", "tokens"});
    if (token && is_one_of(word, {"per", "each", "every", "a"})) out.claim.per_token = true;
    if (word == "state" && i > 0 && words[i - 1] == "of") out.claim.states = true;  // "bytes of state", but not "state of the art"
    if (word == "%") out.rate = true;
    if (operations_word(word) != nullptr && word != "ops") out.operations = true;
    if (is_one_of(word, {"memory", "vram", "weights", "cache"})) out.memory = true;
  }
  const bool large = is_one_of(number.unit, {"p", "e", "z"});  // `read_quantity` does not accept these units
  out.text = concat({number.figures, " ", large ? "" : number.unit});
  if (number.experts == 0) out.text += quantity_words(number.counts, words);
  return out;
}

std::string only_type(std::string_view text) {
  std::string out;
  for (const std::string& word : words_of(text)) {
    if (!is_type(word) || word == out) continue;
    if (!out.empty()) return {};
    out = word;
  }
  return out;
}

std::size_t separator(std::string_view between) {
  std::size_t out = std::string_view::npos;
  for (const std::string_view sign : {"\n", ";", "|", ")", ", ", ". ", " and ", " with ", " of which ", " while ", "=", " / "})
    out = std::min(out, between.find(sign));
  return out;
}

std::size_t boundary(std::string_view before, std::string_view between) {
  const std::size_t out = separator(between);
  if (out != std::string_view::npos) return out;
  return say_something(before) ? 0 : between.size();
}

}  // namespace param_ledger
