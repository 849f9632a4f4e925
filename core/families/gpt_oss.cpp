// gpt-oss: grouped-query attention with a learned sink per head and by default with biases. Each layer has a mixture of stacked experts
// with biases and fused gate and up projections. Also OpenAI's privacy filter, which has the same layers without causal masking. Source:
// transformers, models/gpt_oss, openai_privacy_filter.

#include "core/nn/heads.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

constexpr Alias aliases[] = {{"num_experts", "num_local_experts"}};

constexpr DecoderDefaults gpt_oss_sizes{2880, 2880, 36, 201088, 64}, filter_sizes{640, 640, 8, 200064, 14};

template <const DecoderDefaults& sizes, std::uint64_t kv_heads>
BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, sizes);
  const Expr d = s.d, f = s.f, n_layers = s.n_layers, vocab = s.vocab, n = s.n;
  const Expr n_kv = c.integer("num_key_value_heads", kv_heads), h = c.integer("head_dim", 64);
  const bool bias = c.flag("attention_bias", true);
  const Expr n_experts = c.integer("num_local_experts", 128), n_active = c.integer("num_experts_per_tok", 4);
  const InBlock block(b, {.gate = Gate::scaled});
  return decoder(b, vocab, d, [&] {
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      attention(b, "self_attn",
                {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias, .sinks = true});
      rms_norm(b, "post_attention_layernorm", d);
      mixture(b, "mlp",
              {.hidden = d,
               .count = n_experts,
               .active = n_active,
               .inner = f,
               .layout = ExpertLayout::stacked_transposed,
               .expert_bias = true,
               .router = "router",
               .router_bias = true});
    });
  });
}

/// Records the privacy filter's head, which by default has 33 labels for kinds of private data. transformers ignores num_labels if id2label
/// is given.
void filter_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::token_classification) return;
  constexpr std::uint64_t labels_of_entities = 33;
  const Json labels = c.peek("id2label");
  const bool listed = labels && !labels.is_null();
  if (listed && c.has("num_labels")) c.refuse(ErrorCode::inconsistent, "num_labels", "must not be given together with id2label.");
  const Expr count = num_labels(c, labels_of_entities);
  const bool bias = c.flag("token_classification_bias", true);
  b.part(Part::output_head, [&] { linear(b, "score", m.hidden, count, bias); });
}

}  // namespace

extern const Family openai_privacy_filter{
    .model_type = "openai_privacy_filter",
    .summary = "PII detection (token classification): gpt-oss layers as a bidirectional encoder.",
    .classes = {"OpenAIPrivacyFilter", heads::base | heads::token},
    .aliases = aliases,
    .backbone = backbone<filter_sizes, 2>,
    .head = filter_head,
};
extern const Family gpt_oss{
    .model_type = "gpt_oss",
    .summary = "Grouped-query attention with sinks; mixture of experts with biases in each layer.",
    .classes = {"GptOss", heads::decoder | heads::sequence | heads::token},
    .aliases = aliases,
    .backbone = backbone<gpt_oss_sizes, 8>,
    .cache = caches::every(128, 2),
    .peft = PeftExperts::parameters,
};

}  // namespace param_ledger
