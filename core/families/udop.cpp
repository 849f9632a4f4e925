// UDOP: T5 on a page's words, their positions and the image of the page, with additional relative position biases. Source: transformers,
// models/udop.

#include "core/builder/blocks.hpp"
#include "core/nn/heads.hpp"
#include "core/nn/text/encoder_decoder.hpp"
#include "core/nn/text/t5.hpp"

namespace param_ledger {

namespace {

/// The number of tables of relative position biases: by default one for the text and two for the page.
Count relative_biases(Config c) {
  const Json given = c.peek("relative_bias_args");
  constexpr Count usual = 3;
  if (!given || given.is_null()) return usual;
  if (!given.is(Json::Type::list)) c.refuse(ErrorCode::wrong_type, "relative_bias_args", "must be a list of objects.");
  for (std::size_t i = 0; i < given.size(); ++i)
    if (given[i].size() != 1 || !given[i]["type"].is(Json::Type::string))
      c.refuse(ErrorCode::unsupported, "relative_bias_args", "may only give a type for each; other sizes are not counted.");
  c.consume("relative_bias_args");
  return given.size();
}

constexpr std::uint64_t buckets_of_places = 32;  // a constant, independent of relative_attention_num_buckets

BackboneOutput backbone(Config c, Builder& b) {
  const Head head = b.architecture().head;
  const Expr d = c.integer("d_model", 1024), f = c.integer("d_ff", 4096), vocab = c.integer("vocab_size", 33201);
  const Expr n_layers = c.integer("num_layers", 24), n = c.integer("num_heads", 16), h = c.integer("d_kv", 64);
  const Expr places = c.integer("max_2d_position_embeddings", 1024), channels = c.integer("num_channels", 3);
  const Sides patch = c.sides("patch_size", 16);
  T5Stack s{.hidden = d, .inner = f, .heads = n, .head_dim = h, .buckets = c.integer("relative_attention_num_buckets", 32)};
  s.gated = t5_gated(c, "relu");
  const Count biases = relative_biases(c);
  c.ignore("tie_word_embeddings", "transformers always ties the embeddings and the head of this type.");
  require_positive(patch.height);
  require_positive(patch.width);
  const bool bias_tied = head != Head::none;
  if (bias_tied) require_positive(n_layers);

  const Tensor words = embedding(b, "shared", vocab, d, TensorRole::token_embedding);
  Tensor kernel, kernel_bias, first;
  b.scope(Part::embedding, "patch_embed.proj", [&] {
    const InBlock block(b, {Mechanism::patch_embedding});
    kernel = b.parameter("weight", {d, channels, patch.height, patch.width}, StorageKind::kernel);
    kernel_bias = b.parameter("bias", {d});
  });
  const auto relative = [&] {
    b.scope(Part::attention, "relative_bias.biases", [&] {
      for (Count i = 0; i < biases; ++i) {
        b.scope(digits(i), [&] {
          if (i == 0 && bias_tied)
            b.tied("relative_attention_bias.weight", first);
          else
            table(b, "relative_attention_bias", c.literal(buckets_of_places), n);
        });
      }
    });
  };
  s.n_layers = n_layers;
  b.scope("encoder", [&] {
    stack_table(b, words, true);
    b.scope(Part::embedding, "embed_patches.proj", [&] {
      b.tied("weight", kernel);
      b.tied("bias", kernel_bias);
    });
    first = t5_stack(b, s);
    for (const Text name : {"cell_2d_embedding.x_position_embeddings", "cell_2d_embedding.y_position_embeddings"})
      embedding(b, name, places, d);
    relative();
  });
  if (head == Head::encoder) return {.hidden = d, .embedding = words};
  s.n_layers = c.integer("num_decoder_layers", n_layers);
  s.cross_attention = true;
  b.scope("decoder", [&] {
    stack_table(b, words, true);
    b.part(Part::embedding, [&] { patch_embedding(b, "embed_patches.proj", channels, d, patch); });
    t5_stack(b, s);
    relative();
  });
  return {.hidden = d, .embedding = words};
}

void head(Config /*c*/, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head == Head::conditional_generation) language_model_head(b, m, true);
}

constexpr Architecture classes[] = {
    {"UdopForConditionalGeneration", Head::conditional_generation, ""},
    {"UdopModel", Head::none, ""},
    {"UdopEncoderModel", Head::encoder, ""},
};

}  // namespace

extern const Family udop{
    .model_type = "udop",
    .summary = "Document understanding: T5 on words, their 2D positions and the page image.",
    .classes = {.listed = classes},
    .aliases = t5_aliases_without_head,
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
