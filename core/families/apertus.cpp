// Apertus: like Llama, with QK-Norm and an ungated feed-forward block. The default activation, xIELU, has learned parameters. Source:
// transformers, models/apertus; activations.py.

#include "core/config/ignored_fields.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

void xielu(Builder& b, const LlamaDecoder& /*decoder*/) {
  b.scope(Part::feed_forward, "mlp.act_fn", [&] {
    const Expr one = b.pool().literal(1);
    b.parameter("alpha_p", {one});
    b.parameter("alpha_n", {one});
    b.buffer("beta", {});
    b.buffer("eps", {});
  });
}

constexpr LlamaType type{.sizes = {4096, 14336, 32, 131072, 32},
                         .head_dim = attribute,
                         .switches =
                             [](Config c, LlamaDecoder& m) {
                               attention_bias(c, m);
                               const std::string_view activation = c.text("hidden_act", "xielu");
                               if (activation == "xielu")
                                 m.more = xielu;
                               else
                                 refuse_learned(c, "hidden_act", activation);
                             },
                         .layout = {.attention = {.head_norms = QkNorm::per_head},
                                    .feed_forward = FeedForward::plain,
                                    .norms = {.before_attention = "attention_layernorm", .before_feed_forward = "feedforward_layernorm"}}};

}  // namespace

extern const Family apertus{
    .model_type = "apertus",
    .summary = "Like Llama, with QK-Norm and an ungated MLP with xIELU, an activation with learned parameters.",
    .classes = {"Apertus", heads::decoder | heads::token},
    .backbone = of_type<type>,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
