// Pocket TTS: a decoder on text and audio latents, and a flow head that generates the next latent. Phonon is also conditioned on the number
// of speakers and on the speaking rate. Source: transformers, models/pocket_tts, gradium_phonon_tts.

#include "core/builder/family.hpp"
#include "core/nn/text/attention.hpp"
#include "core/nn/text/feed_forward.hpp"

namespace param_ledger {

namespace {

/// A model type's defaults for vocab_size, hidden_size, num_attention_heads and intermediate_size.
struct Sizes {
  std::uint64_t vocabulary, hidden, heads, inner;
};

/// The decoder's sizes, which Pocket TTS and Phonon read from the same fields. The two types store query, key and value projections
/// differently.
struct Decoder {
  Attention attention;
  Expr inner, n_layers, vocab, latent;
};
Decoder decoder_fields(Config c, const Sizes& sizes) {
  const Expr vocab = c.integer("vocab_size", sizes.vocabulary, 1), d = c.integer("hidden_size", sizes.hidden, 1),
             n_layers = c.integer("num_hidden_layers", 6, 1), n = c.integer("num_attention_heads", sizes.heads, 1);
  const Expr n_kv = c.integer("num_key_value_heads", n, 1), h = head_dim_or_share(c, d, n);
  const Expr f = c.integer("intermediate_size", sizes.inner, 1), latent = c.integer("latent_dim", 32, 1);
  const bool bias = c.flag("attention_bias", false);
  require_multiple(d, n);
  Config flow = c.section("flow_head_config");
  require_equal(flow.integer("condition_dim", sizes.hidden, 1), d);
  require_equal(flow.integer("latent_dim", 32, 1), latent);
  return {.attention = {.hidden = d, .heads = n, .kv_heads = n_kv, .head_dim = h, .qkv_bias = bias, .output_bias = bias},
          .inner = f,
          .n_layers = n_layers,
          .vocab = vocab,
          .latent = latent};
}

/// Records Phonon's attention. Query, key and value projections are stored as one matrix if their widths are multiples of twice the number
/// of heads; otherwise transformers cannot fuse them.
void phonon_attention(Builder& b, const Attention& a) {
  const Expr q = a.heads * a.head_dim, kv = a.kv_heads * a.head_dim;
  const Count pairs = 2 * a.heads.decide();
  if (kv.decide() % pairs != 0 || q.decide() % pairs != 0) return attention(b, "self_attn", a);
  b.scope(Part::attention, "self_attn", [&] {
    b.parameter("in_proj.weight", {q + 2 * kv, a.hidden}, StorageKind::matrix);
    if (a.qkv_bias) {
      b.parameter("q_proj.bias", {q});
      for (const Text name : {"k_proj.bias", "v_proj.bias"}) b.parameter(name, {kv});
    }
    linear(b, "o_proj", q, a.hidden, a.output_bias, TensorRole::output);
  });
}

BackboneOutput decoder(Builder& b, const Decoder& m, Expr prompt, bool phonon) {
  const Expr d = m.attention.hidden;
  BackboneOutput out{.hidden = d, .vocabulary = m.latent};
  out.embedding = embedding(b, "embed_tokens", m.vocab, d, TensorRole::token_embedding);
  b.repeat("layers", all(m.n_layers), [&] {
    layer_norm(b, "input_layernorm", d);
    phonon ? phonon_attention(b, m.attention) : attention(b, "self_attn", m.attention);
    layer_norm(b, "post_attention_layernorm", d);
    mlp(b, "mlp", d, m.inner, false, "fc1", "fc2");
  });
  layer_norm(b, "norm", d);
  b.tower(Tower::projector, "", [&] {
    linear(b, "audio_prompt_proj", prompt, d);
    linear(b, "audio_latent_proj", m.latent, d);
    b.parameter("bos_latent", {m.latent});
  });
  return out;
}

BackboneOutput pocket_backbone(Config c, Builder& b) {
  const Decoder m = decoder_fields(c, {4004, 1024, 16, 4096});
  return decoder(b, m, m.latent, false);
}

BackboneOutput phonon_backbone(Config c, Builder& b) {
  const Decoder m = decoder_fields(c, {4001, 768, 12, 3072});
  const Expr d = m.attention.hidden, prompt = c.integer("audio_prompt_dim", 512, 1), speakers = c.integer("num_speakers_vocab_size", 32, 1),
             d_speakers = c.integer("num_speakers_embedding_dim", 16, 1), d_pace = c.integer("duration_delta_embedding_dim", 128, 1);
  const BackboneOutput out = decoder(b, m, prompt, true);
  embedding(b, "num_speakers_embed", speakers, d_speakers);
  b.tower(Tower::projector, "", [&] {
    linear(b, "num_speakers_proj", d_speakers, d);
    linear(b, "duration_delta_proj", d_pace, d);
  });
  return out;
}

/// The names of the flow head's modules, and of the time embedding's norm weight, in files.
struct FlowNames {
  Text scope = "flow_head", condition = "cond_proj", times = "timestep_embeddings", time1 = "fc1", time2 = "fc2", time_norm = "norm.weight",
       layers = "layers", norm = "norm", up = "fc1", down = "fc2", modulation = "adaln_proj", last_modulation = "final_layer.adaln_proj",
       last = "final_layer.proj";
};
constexpr FlowNames pocket_flow{};
constexpr FlowNames phonon_flow{"flow_lm.flow_net",
                                "cond_embed",
                                "time_embed",
                                "mlp.0",
                                "mlp.2",
                                "mlp.3.alpha",
                                "res_blocks",
                                "in_ln",
                                "mlp.0",
                                "mlp.2",
                                "adaLN_modulation.1",
                                "final_layer.adaLN_modulation.1",
                                "final_layer.linear"};

/// Records the flow head, which generates the next latent from noise, conditioned on the decoder's state and, for flow_type lsd, on the
/// start and end times of a step.
void flow_head(Config c, Builder& b, Expr latent, const FlowNames& names) {
  static constexpr std::string_view kinds[] = {"lsd", "drifting"};
  const Expr d = c.integer("hidden_size", 512, 1), n_layers = c.integer("num_hidden_layers", 6, 1),
             condition = c.pool().find("hidden_size"), d_time = c.integer("frequency_embedding_size", 256, 1), two = c.literal(2);
  const bool timed = c.text("flow_type", "lsd", kinds) == "lsd";
  b.scope(names.scope, [&] {
    linear(b, "input_proj", latent, d, true);
    linear(b, names.condition, condition, d, true);
    if (timed)
      b.repeat(names.times, all(two), [&] {
        linear(b, names.time1, d_time, d, true);
        linear(b, names.time2, d, d, true);
        b.part(Part::norm, [&] { b.parameter(names.time_norm, {d}); });
        b.buffer("freqs", {floor_divide(d_time, two)});
      });
    b.repeat(names.layers, all(n_layers), [&] {
      layer_norm(b, names.norm, d);
      linear(b, names.up, d, d, true);
      linear(b, names.down, d, d, true);
      linear(b, names.modulation, d, 3 * d, true);
    });
    linear(b, names.last_modulation, d, 2 * d, true);
    linear(b, names.last, d, latent, true);
  });
}

/// Records the network that weights the training loss. transformers saves it with the model, but also loads files without it.
void loss_weighting(Config flow, Builder& b) {
  const Expr width = flow.integer("loss_weighting_hidden_size", 32, 1), n_layers = flow.integer("loss_weighting_num_layers", 3, 1);
  const Expr one = flow.literal(1), two = flow.literal(2);
  b.scope("loss_weighting", [&] {
    b.repeat("layers", only(0), [&] { linear(b, "", two, width, true); });
    b.repeat("layers", between(one, n_layers), [&] { linear(b, "", width, width, true); });
    linear(b, "proj", width, one, true);
  });
}

void pocket_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::conditional_generation) return;
  Config flow = c.section("flow_head_config");
  const Expr one = c.literal(1), latent = m.vocabulary;
  b.part(Part::output_head, [&] {
    flow_head(flow, b, latent, pocket_flow);
    linear(b, "eos_head", m.hidden, one, true);
    for (const Text name : {"latent_mean", "latent_std"}) b.buffer(name, {latent});
    b.buffer("latent_stats_num_updates", {});
    loss_weighting(flow, b);
  });
}

/// Records the backbone and the end-of-speech head of Phonon's class for generation, under the tensor names of the published files.
BackboneOutput phonon_whole(Config c, Builder& b, const Decoder& m) {
  const Attention& a = m.attention;
  const Expr d = a.hidden, q = a.heads * a.head_dim, kv = a.kv_heads * a.head_dim, one = c.literal(1);
  const Expr prompt = c.integer("audio_prompt_dim", 512, 1), speakers = c.integer("num_speakers_vocab_size", 32, 1),
             d_speakers = c.integer("num_speakers_embedding_dim", 16, 1), d_pace = c.integer("duration_delta_embedding_dim", 128, 1);
  if (const Count pairs = 2 * a.heads.decide(); kv.decide() % pairs != 0 || q.decide() % pairs != 0)
    c.refuse(ErrorCode::inconsistent, "num_key_value_heads",
             "must allow queries, keys and values to be fused into one matrix, as in the published files.", Refused::unwritable);
  b.scope("flow_lm", [&] {
    b.scope("condition_provider.conditioners", [&] {
      embedding(b, "transcript_in_segment.embed", m.vocab, d, TensorRole::token_embedding);
      embedding(b, "num_speakers.embed", speakers, d_speakers);
      b.tower(Tower::projector, "", [&] {
        linear(b, "speaker_wavs.output_proj", prompt, d);
        linear(b, "num_speakers.output_proj", d_speakers, d);
        linear(b, "duration_delta.output_proj", d_pace, d);
      });
    });
    b.tower(Tower::projector, "", [&] {
      linear(b, "input_linear", m.latent, d);
      b.parameter("bos_emb", {m.latent});
    });
    b.repeat("transformer.layers", all(m.n_layers), [&] {
      layer_norm(b, "norm1", d);
      b.scope(Part::attention, "self_attn", [&] {
        linear(b, "in_proj", d, q + 2 * kv, false, TensorRole::query_key_value);
        linear(b, "out_proj", q, d, a.output_bias, TensorRole::output);
      });
      layer_norm(b, "norm2", d);
      mlp(b, "", d, m.inner, false, "linear1", "linear2");
    });
    layer_norm(b, "out_norm", d);
    b.part(Part::output_head, [&] {
      linear(b, "out_eos", d, one, true);
      for (const Text name : {"emb_mean", "emb_std"}) b.buffer(name, {m.latent});
    });
  });
  // transformers does not rename these biases when it saves the model.
  if (a.qkv_bias)
    b.repeat("model.layers", all(m.n_layers), [&] {
      b.scope(Part::attention, "self_attn", [&] {
        b.parameter("q_proj.bias", {q});
        for (const Text name : {"k_proj.bias", "v_proj.bias"}) b.parameter(name, {kv});
      });
    });
  return {.hidden = d, .vocabulary = m.latent};
}

BackboneOutput phonon(Config c, Builder& b) {
  const bool whole = b.architecture().head == Head::conditional_generation;
  return whole ? phonon_whole(c, b, decoder_fields(c, {4001, 768, 12, 3072})) : phonon_backbone(c, b);
}

void phonon_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::conditional_generation) return;
  Config flow = c.section("flow_head_config");
  b.part(Part::output_head, [&] {
    flow_head(flow, b, m.vocabulary, phonon_flow);
    b.buffer("latent_stats_num_updates", {});
    loss_weighting(flow, b);
  });
}

constexpr Architecture phonon_classes[] = {{"GradiumPhononTTSModel", Head::none, ""},
                                           {"GradiumPhononTTSForConditionalGeneration", Head::conditional_generation, ""}};

}  // namespace

extern const Family gradium_phonon_tts{
    .model_type = "gradium_phonon_tts",
    .summary = "Like Pocket TTS, conditioned on the number of speakers and the speaking rate.",
    .classes = {.listed = phonon_classes},
    .backbone = phonon,
    .head = phonon_head,
};
extern const Family pocket_tts{
    .model_type = "pocket_tts",
    .summary = "Text-to-speech: a decoder with a flow head for audio latents.",
    .classes = {"PocketTTS", heads::conditional | heads::base},
    .backbone = pocket_backbone,
    .head = pocket_head,
};

}  // namespace param_ledger
