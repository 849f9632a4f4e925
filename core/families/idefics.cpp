// IDEFICS: Llama with cross-attention to CLIP's vision transformer before every cross_layer_interval-th layer, beginning with the first, as
// in Flamingo.
// Source: transformers, models/idefics.

#include "core/nn/heads.hpp"
#include "core/nn/vision/clip.hpp"

namespace param_ledger {

namespace {

constexpr ClipType tower{.vision = {768, 5120, 32, 16, 224, 14}, .even = true};
constexpr Alias aliases[] = {{"embed_dim", "hidden_size"}};  // transformers' attribute_map has the opposite direction

/// Records the perceiver resampler: learned latents that summarise the patches.
void resampler(Config c, Builder& b, Expr d) {
  const Expr latents = c.integer("resampler_n_latents", 64), depth = c.integer("resampler_depth", 6);
  const Expr n = c.integer("resampler_n_heads", 16), h = c.integer("resampler_head_dim", 96);
  const bool normed = c.flag("qk_layer_norms_perceiver", false);
  b.tower(Tower::projector, "perceiver_resampler", [&] {
    b.parameter("latents", {latents, d}, StorageKind::table);
    b.repeat("blocks", all(depth), [&] {
      layer_norm(b, "0.context_layer_norm", d);
      layer_norm(b, "0.latents_layer_norm", d);
      attention(b, "0",
                {.hidden = d,
                 .heads = n,
                 .head_dim = h,
                 .head_norms = normed ? QkNorm::per_head : QkNorm::none,
                 .head_norm_kind = Norm::layer,
                 .o = "output_proj",
                 .q_norm = "q_layer_norm",
                 .k_norm = "k_layer_norm"});
      layer_norm(b, "1.ln", d);
      mlp(b, "1", d, 4 * d, false, "fc", "c_proj");
    });
    layer_norm(b, "layer_norm", d);
  });
}

BackboneOutput backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {4096, 11008, 32, 32000, 32});
  const Expr d = s.d, more = c.integer("additional_vocab_size", 0), every = c.integer("cross_layer_interval", 1, 1);
  const bool normed = c.flag("qk_layer_norms", false), summed = c.flag("use_resampler", false);
  static constexpr std::string_view alphas[] = {"float", "vector"};
  const bool vector = c.text("alpha_type", "float", alphas) == "vector";
  Config vision = c.section("vision_config").with(aliases);
  vision.consume("model_type");
  Expr seen;
  const bool whole = b.architecture().head != Head::none;
  Tensor words, more_words;
  b.scope(whole ? "model" : "", [&] {
    words = embedding(b, "embed_tokens", s.vocab, d, TensorRole::token_embedding);
    if (more.decide() > 0) more_words = embedding(b, "embed_tokens.additional_embedding", more, d);
    b.tower(Tower::vision, "vision_model", [&] { seen = clip_tower(vision, b, tower).hidden; });
    c.section("perceiver_config").consume("model_type");
    if (summed) resampler(c.section("perceiver_config"), b, seen);
    const Attention self{.hidden = d, .heads = s.n};
    const Attention cross{.hidden = d,
                          .heads = s.n,
                          .memory = seen,
                          .head_norms = normed ? QkNorm::per_head : QkNorm::none,
                          .q_norm = "q_layer_norm",
                          .k_norm = "k_layer_norm",
                          .is_cross_attention = true};
    const auto layer = [&](Text name, const Attention& a) {
      attention(b, name, a);
      gated_mlp(b, "mlp", d, s.f);
      rms_norm(b, "input_layernorm", d);
      rms_norm(b, "post_attention_layernorm", d);
    };
    b.repeat("layers", all(s.n_layers), [&] { layer("self_attn", self); });
    b.repeat("gated_cross_attn_layers", all(floor_divide(s.n_layers, every)), [&] {
      layer("cross_attn", cross);
      const auto gate = [&](Text name) {
        const Expr one = c.literal(1);
        if (vector)
          b.parameter(name, {one, one, d});
        else
          b.parameter(name, {one});
      };
      b.owned_by(Owner::cross, [&] { b.part(Part::attention, [&] { gate("alpha_cross_attn"); }); });
      b.part(Part::feed_forward, [&] { gate("alpha_dense"); });
    });
    rms_norm(b, "norm", d);
  });
  const BackboneOutput out{.hidden = d, .embedding = words};
  if (!whole) return out;
  const bool tied = c.flag("tie_word_embeddings", false);
  language_model_head(b, out, tied);
  if (!more_words) return out;
  b.scope(Part::output_head, "lm_head.additional_fc", [&] {
    if (tied)
      b.tied("weight", more_words);
    else
      b.parameter("weight", {more, d}, StorageKind::matrix);
  });
  return out;
}

/// Records nothing, because the backbone has already recorded the head.
void head(Config /*c*/, Builder& /*b*/, const BackboneOutput& /*m*/) {}

constexpr Architecture classes[] = {{"IdeficsForVisionText2Text", Head::conditional_generation, ""}, {"IdeficsModel", Head::none, ""}};

}  // namespace

extern const Family idefics{
    .model_type = "idefics",
    .summary = "Vision-language model: Llama with gated cross-attention layers, as in Flamingo.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = head,
};

}  // namespace param_ledger
