// Baichuan 1 and 2: as Llama, with query, key and value in one projection.
// Source: modeling_baichuan.py and configuration_baichuan.py as published with the models; transformers has no type for them.

#include "core/decoders.hpp"
#include "core/families.hpp"

namespace param_ledger {

namespace {

constexpr std::string_view first_7b = "BaiChuanForCausalLM";

constexpr Architecture classes[] = {{first_7b, Head::causal_lm, "model"}, {"BaichuanForCausalLM", Head::causal_lm, "model"}};

Backbone backbone(Config c, Builder& b) {
  // Baichuan 13B and 2 share a class, and their code differs in its defaults.
  const bool one_default = b.architecture().name == first_7b;
  const auto size = [&](std::string_view name, std::uint64_t number) {
    return one_default ? c.integer(name, number) : c.required_integer(name, number);
  };
  const Expr d = size("hidden_size", 4096), f = size("intermediate_size", 11008), n_layers = size("num_hidden_layers", 32);
  const Expr vocab = size("vocab_size", 64000), n = size("num_attention_heads", 32);
  require_positive(n);
  return decoder(b, vocab, d, [&] {
    b.repeat("layers", all(n_layers), [&] {
      rms_norm(b, "input_layernorm", d);
      attention(b, "self_attn", {.hidden = d, .heads = n, .fused = "W_pack"});
      rms_norm(b, "post_attention_layernorm", d);
      gated_mlp(b, "mlp", d, f);
    });
  });
}

}  // namespace

const Family baichuan{"baichuan", "As Llama, with query, key and value in one projection.", {.listed = classes}, {}, backbone};

}  // namespace param_ledger
