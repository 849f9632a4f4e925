#include "core/nn/audio/pe_encoder.hpp"

#include "core/nn/heads.hpp"

namespace param_ledger {

LlamaDecoder pe_fields(Config c) {
  const Expr d = c.integer("hidden_size", 1792), n = c.integer("num_attention_heads", 14, 1);
  LlamaDecoder m{.inner = c.integer("intermediate_size", 4800), .n_layers = c.integer("num_hidden_layers", 6)};
  m.attention = {.hidden = d, .heads = n, .kv_heads = c.integer("num_key_value_heads", n), .head_dim = c.integer("head_dim", 128)};
  m.attention.head_norms = QkNorm::per_head;
  attention_bias(c, m);
  return m;
}

BackboneOutput pe_layers(Builder& b, const LlamaDecoder& m) {
  const Expr d = m.attention.hidden;
  b.scope(Part::convolution, "patch_embedder", [&] {
    b.part(Part::embedding, [&] { tokens(b, "class_embedding", 1, d); });
    for (const Text block : {"resnet_block.block1", "resnet_block.block2"})
      b.scope(block, [&] {
        group_norm(b, "groupnorm", d);
        conv1d(b, "project", d, d, 3);
      });
  });
  llama_layers(b, m);
  rms_norm(b, "norm", d);
  b.tower(Tower::projector, "", [&] { linear(b, "output", d, d); });
  return {.hidden = d};
}

}  // namespace param_ledger
