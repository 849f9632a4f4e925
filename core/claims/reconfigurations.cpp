#include "core/claims/reconfigurations.hpp"

#include <algorithm>
#include <optional>

#include "core/builder/family.hpp"
#include "core/config/dimensions.hpp"
#include "core/registry/registry.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

/// Vocabulary sizes of tokenizers, such as those of GPT-2, GPT-NeoX, Qwen, DeepSeek, Phi-2 and Gemma 3. Models that use these tokenizers
/// may have padded embedding tables.
constexpr std::uint64_t token_counts[] = {50257,   50254,   50277,   50280,   50295,   100'000, 100'015,
                                          151'643, 151'646, 151'665, 151'669, 128'815, 262'144};

/// An embedding table that has more rows in the paper's count than in the published configuration.
struct OtherTable {
  std::uint64_t published, counted;
};
/// Gemma 1 and 2: the embedding tables counted in arXiv:2403.08295 and 2408.00118 have 128 more rows.
constexpr OtherTable other_tables[] = {{256'000, 256'128}};

const Field* field_of_symbol(const Configuration& all, std::string_view symbol, std::optional<std::uint16_t> section = {}) {
  for (const Field& field : all.fields)
    if (field.type == FieldType::integer && field.number && (!section || field.section == *section) &&
        dimension(field.name).symbol == symbol)
      return &field;
  return nullptr;
}

/// Whether people may mean a class with this head when they name a model. They do not mean classes for classification or question
/// answering.
bool is_usual(Head head) {
  return head == Head::none || head == Head::causal_lm || head == Head::masked_lm || head == Head::conditional_generation ||
         head == Head::pretraining || head == Head::encoder;
}

class Collector {
 public:
  explicit Collector(const Model& model) : model_(model), all_(model.configuration) {}

  std::vector<Reconfiguration> collect() {
    classes();
    tied();
    attention();
    vocabulary();
    return std::move(out_);
  }

 private:
  enum Group : unsigned { class_, head_, kv_heads, head_dim, vocab };

  void offer(std::string_view id, std::string label, unsigned cost, Group group, std::vector<Edit> edits) {
    out_.push_back({id, std::move(label), cost, group, std::move(edits)});
  }

  void classes() {
    for (const NamedArchitecture& other : architectures(*model_.choice.family)) {
      if (other.name == model_.choice.architecture.name || !is_usual(other.architecture.head)) continue;
      offer("other_class", concat({"the class ", other.name}), 1, class_, {{"architectures", concat({"[\"", other.name, "\"]"})}});
    }
  }

  void tied() {
    for (const Field& field : all_.fields)
      if (field.name == "tie_word_embeddings" && field.section == 0) {
        const bool tied = field.given ? is_true(field.given) : field.value == "true";
        offer(tied ? "as_if_untied" : "as_if_tied", tied ? "an untied head" : "a tied head", 2, head_,
              {edit_of(all_, field, tied ? "false" : "true")});
      }
  }

  void attention() {
    const Field* const kv = field_of_symbol(all_, "n_kv");
    const Field* const heads = field_of_symbol(all_, "n", kv != nullptr ? std::optional(kv->section) : std::nullopt);
    if (heads == nullptr) return;
    const Count n = heads->number.peek();
    if (kv != nullptr && n != kv->number.peek())
      offer("no_grouped_queries", concat({grouped_digits(n), " key-value heads"}), 3, kv_heads, {edit_of(all_, *kv, digits(n))});
    const Field *const width = field_of_symbol(all_, "d", heads->section), *const head = field_of_symbol(all_, "h", heads->section);
    if (width == nullptr || head == nullptr || n == 0) return;
    const Count share = width->number.peek() / n;
    if (share != head->number.peek())
      offer("head_dim_as_share", concat({"heads of ", grouped_digits(share)}), 3, head_dim, {edit_of(all_, *head, digits(share))});
  }

  void vocabulary() {
    const Field* const field = field_of_symbol(all_, "V");
    if (field == nullptr) return;
    const Count now = field->number.peek();
    const auto of = [&](std::string_view id, std::string_view what, Count tokens) {
      offer(id, concat({what, grouped_digits(tokens)}), 3, vocab, {edit_of(all_, *field, digits(tokens))});
    };
    Count before = now;
    for (const unsigned multiple : {64U, 128U, 256U, 512U, 1024U}) {
      const Count padded = (now + multiple - 1) / multiple * multiple;
      if (padded == before) continue;
      before = padded;
      of("padded_vocabulary", "a vocabulary padded to ", padded);
    }
    for (const OtherTable& other : other_tables)
      if (other.published == now) of("padded_vocabulary", "a vocabulary padded to ", other.counted);
    for (const std::uint64_t tokens : token_counts)
      if (tokens < now && now - tokens < 1024) of("unpadded_vocabulary", "an unpadded vocabulary of ", tokens);
  }

  const Model& model_;
  const Configuration& all_;
  std::vector<Reconfiguration> out_;
};

}  // namespace

std::vector<Reconfiguration> reconfigurations(const Model& model) { return Collector(model).collect(); }

}  // namespace param_ledger
