// MiniMax-M3: a vision transformer, two projectors, and a text model with QK-Norm. Fields select the text model's layers with sparse
// attention, which have an indexer, and those with a mixture of experts. Source: transformers, models/minimax_m3_vl.

#include "core/nn/heads.hpp"
#include "core/nn/nested.hpp"
#include "core/nn/text/sparse_decoders.hpp"
#include "core/nn/vision/vision.hpp"

namespace param_ledger {

namespace {

constexpr Architecture classes[] = {{"MiniMaxM3SparseForConditionalGeneration", Head::conditional_generation, ""},
                                    {"MiniMaxM3VLModel", Head::none, ""}};
constexpr Architecture text_classes[] = {{"MiniMaxM3VLForCausalLM", Head::causal_lm, "model"}, {"MiniMaxM3VLTextModel", Head::none, ""}};

constexpr Alias aliases[] = {{"num_experts", "num_local_experts"}};
constexpr std::string_view kinds_of_layers[] = {"full_attention", "minimax_m3_sparse", "attention"};

/// The layers with sparse attention, which have an indexer.
IndexSet indexed_layers(Config c, Config sparse, Expr n_layers) {
  const auto flags = sparse.integers("sparse_attention_freq");
  if (flags) sparse.require_length("sparse_attention_freq", flags->size(), n_layers);
  const auto kinds = layer_kinds(c, "layer_types", n_layers, kinds_of_layers,
                                 [&](std::size_t i) { return flags && (*flags)[i] != 0 ? "minimax_m3_sparse" : "full_attention"; });
  return layers_of(c, kinds, "minimax_m3_sparse", n_layers, "num_indexed_layers", "L_i", "Layers with an indexer.");
}

/// Records the text model. `whole`: whether tensors are stored as in files of the whole model, which have other names and store each
/// expert, gate projection and up projection separately.
template <bool whole>
BackboneOutput text_backbone(Config c, Builder& b) {
  const DecoderSizes s = decoder_sizes(c, {6144, 3072, 60, 200064, 64});
  const Expr n_kv = c.integer("num_key_value_heads", 4), h = c.integer("head_dim", 128);
  const Expr f_dense = c.integer("dense_intermediate_size", 12288), f_shared = c.integer("shared_intermediate_size", 3072);
  Mixture m = whole ? mixtral_experts(s.f) : Mixture{.inner = s.f, .layout = ExpertLayout::stacked, .shared_fused = true};
  m.correction = RouterBias::buffer;
  if (whole) m.correction_name = "e_score_correction_bias";
  m.shared = f_shared;
  m = mixture_fields(c, s.d, {.count = 128, .active = 4, .count_field = "num_local_experts"}, m);
  const Split layers = listed_sparse_layers(c, s.n_layers, stepped_sparse_layers(c, s.n_layers, c.literal(0)));
  // In published configurations, sparse_attention_config has the indexer's sizes under other names. That section takes precedence.
  Config sparse = c.section("sparse_attention_config");
  const IndexSet indexed = indexed_layers(c, sparse, s.n_layers);
  const Expr n_index = sparse.has("sparse_num_index_heads") ? sparse.integer("sparse_num_index_heads", 4) : c.integer("index_n_heads", 4);
  const Expr h_index = sparse.has("sparse_index_dim") ? sparse.integer("sparse_index_dim", 128) : c.integer("index_head_dim", 128);
  const Text q = whole ? "index_q_" : "indexer.q_", k = whole ? "index_k_" : "indexer.k_";

  const InBlock block(b, {.gate = Gate::scaled});
  return decoder(b, s.vocab, s.d, [&] {
    b.repeat("layers", all(s.n_layers), [&] {
      rms_norm(b, "input_layernorm", s.d);
      attention(b, "self_attn", {.hidden = s.d, .heads = s.n, .kv_heads = n_kv, .head_dim = h, .head_norms = QkNorm::per_head});
      rms_norm(b, "post_attention_layernorm", s.d);
    });
    b.repeat("layers", indexed, [&] {
      b.scope(Part::attention, "self_attn", [&] {
        linear(b, concat({q, "proj"}), s.d, n_index * h_index);
        linear(b, concat({k, "proj"}), s.d, h_index);
        rms_norm(b, concat({q, "norm"}), h_index);
        rms_norm(b, concat({k, "norm"}), h_index);
      });
    });
    b.repeat("layers", layers.out, [&] {
      if (whole)
        gated_mlp(b, "mlp", s.d, f_dense);
      else
        fused_gated_mlp(b, "mlp", s.d, f_dense);
    });
    b.repeat("layers", layers.in, [&] { mixture(b, whole ? "block_sparse_moe" : "mlp", m); });
  });
}
constexpr Family text_of_whole{
    .aliases = aliases,
    .backbone = text_backbone<true>,
    .cache = caches::all_tokens,
};

/// Records the vision tower. Returns its width. Files of the bare model have other module names.
Expr vision(Config c, Builder& b, bool bare) {
  c.consume("model_type");
  const VisionLayers m = vision_fields(c, {1280, 5120, 32, 16});
  const Expr d = m.attention.hidden, channels = c.integer("num_channels", 3), patch = c.integer("patch_size", 14);
  const Expr frames = c.integer("temporal_patch_size", 2);
  b.tower(Tower::vision, bare ? "vision_tower" : "vision_tower.vision_model", [&] {
    b.part(Part::embedding, [&] {
      tubelet_embedding(b, bare ? "embeddings.proj" : "embeddings.patch_embedding", channels, d, {frames, patch, patch}, false);
    });
    layer_norm(b, "pre_layrnorm", d);  // misspelled in transformers
    b.scope(bare ? "" : "encoder", [&] { vision_layers(b, m); });
  });
  return d;
}

BackboneOutput backbone(Config c, Builder& b) {
  const bool bare = b.architecture().head == Head::none;
  Config seen = c.section("vision_config");
  const Expr d = vision(seen, b, bare), f = c.integer("projector_hidden_size", 6144);
  Config text = c.section("text_config");
  require_type(text, "minimax_m3_vl_text");
  BackboneOutput out = nested(text, b, bare ? "language_model" : "language_model.model", text_of_whole);
  const Expr merged = power(seen.integer("spatial_merge_size", 2), 2) * out.hidden;
  const auto two = [&](Text first, Text second, Expr in) {
    linear(b, first, in, f, true);
    linear(b, second, f, out.hidden, true);
  };
  b.tower(Tower::projector, "", [&] {
    two("multi_modal_projector.linear_1", "multi_modal_projector.linear_2", d);
    if (bare)
      two("multi_modal_projector.merge_linear_1", "multi_modal_projector.merge_linear_2", merged);
    else
      two("patch_merge_mlp.linear_1", "patch_merge_mlp.linear_2", merged);
  });
  out.language_model = "language_model.lm_head";
  return out;
}

// Classes of checkpoints that contain only the text model but keep the tensor names of the whole model.
constexpr Architecture alone_classes[] = {{"MiniMaxM3ForCausalLM", Head::causal_lm, "model"},
                                          {"MiniMaxM3SparseForCausalLM", Head::causal_lm, "model"}};

}  // namespace

// Source: SGLang, models/minimax_m3.py.
extern const Family minimax_m3{
    .model_type = "minimax_m3",
    .summary = "MiniMax-M3 without its vision encoder.",
    .classes = {.listed = alone_classes},
    .aliases = aliases,
    .backbone = text_backbone<true>,
    .own_code = true,
    .predicts = {.place = PredictionLayers::Place::unknown},
};
extern const Family minimax_m3_vl{
    .model_type = "minimax_m3_vl",
    .summary = "Vision-language model: MiniMax-M3 with a vision encoder.",
    .classes = {.listed = classes},
    .backbone = backbone,
    .head = outer_language_model_head,
    .predicts = {.place = PredictionLayers::Place::unknown},
};
extern const Family minimax_m3_vl_text{
    .model_type = "minimax_m3_vl_text",
    .summary = "Full attention, or sparse attention with an indexer; dense MLPs, or a mixture of experts with a shared expert.",
    .classes = {.listed = text_classes},
    .aliases = aliases,
    .backbone = text_backbone<false>,
    .cache = caches::all_tokens,
};

}  // namespace param_ledger
