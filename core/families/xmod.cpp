// X-MOD: like RoBERTa, with an adapter for each language in each layer. A text uses only the adapters of its language. Source:
// transformers, models/xmod.

#include <algorithm>

#include "core/nn/text/encoder.hpp"
#include "core/support/text.hpp"

namespace param_ledger {

namespace {

constexpr BertType type{.sizes = {768, 3072, 12, 30522, 12},
                        .predictions = {.module = "lm_head", .dense = "dense", .norm = "layer_norm"},
                        .dense_classifier = true};

/// The language codes without duplicates. The adapters' modules are named after them.
std::vector<std::string_view> languages(Config c) {
  const Json given = c.peek("languages");
  if (given && given.is_null()) c.refuse(ErrorCode::wrong_type, "languages", "must be a list of language codes.");
  std::vector<std::string_view> out;
  StringIndex places;
  for (const std::string_view code : c.words("languages", {}, {"en_XX"})) {
    if (code.empty() || code.find('.') != std::string_view::npos)
      c.refuse(ErrorCode::out_of_range, "languages", "must contain language codes that can be module names, e.g. \"en_XX\".");
    if (places.intern(code, out.size(), [&](std::size_t i) -> std::string_view { return out[i]; }) == out.size()) out.push_back(code);
  }
  return out;
}

BackboneOutput backbone(Config c, Builder& b) {
  const BertSizes s = bert_sizes(c, type);
  const bool pre_norm = c.flag("pre_norm", false), adapter_norm = c.flag("adapter_layer_norm", false);
  const Expr inner = floor_divide(s.d, c.integer("adapter_reduction_factor", 2, 1));
  const std::vector<std::string_view> codes = languages(c);

  const Tensor words = bert_embeddings(b, s, type);
  bert_layers(b, s, type);
  b.repeat("encoder.layer", all(s.n_layers), [&] {
    b.scope(Part::adapter, "output", [&] {
      if (adapter_norm) layer_norm(b, "adapter_layer_norm", s.d);
      for (const std::string_view code : codes) {
        b.scope(concat({"adapter_modules.", code}), [&] {
          linear(b, "dense1", s.d, inner, true);
          linear(b, "dense2", inner, s.d, true);
        });
      }
    });
  });
  if (pre_norm) layer_norm(b, "encoder.LayerNorm", s.d);
  bert_pooler(b, s.d, type);
  return {.hidden = s.d, .embedding = words, .tie_by_default = true};
}

}  // namespace

extern const Family xmod{
    .model_type = "xmod",
    .summary = "Like RoBERTa, with language adapters in each layer.",
    .classes = {"Xmod", heads::encoder, "roberta"},
    .backbone = backbone,
    .head = bert_head_of_type<type>,
};

}  // namespace param_ledger
