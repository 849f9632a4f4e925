// The Perception Encoders of sound and film: layers as Qwen3's over what DAC's encoder hears, over what a vision transformer sees in each
// frame, or over both; ModernBERT reads the text that they are compared with.
// Source: transformers, models/pe_audio, pe_video, pe_audio_video; the vision transformer as timm builds it.

#include <vector>

#include "core/blocks/modernbert.hpp"
#include "core/heads.hpp"
#include "core/nested.hpp"
#include "core/text.hpp"

namespace param_ledger {

extern const Family pe_audio, pe_audio_encoder, pe_audio_video_encoder, pe_video, pe_video_encoder;

namespace {

/// The layers, which all three share, over what `embedder` gives. Returns their width.
template <class Embedder>
Backbone encoder(Config c, Builder& b, const Embedder& embedder) {
  const Expr d = c.integer("hidden_size", 1792), n = c.integer("num_attention_heads", 14, 1);
  LlamaDecoder m{.inner = c.integer("intermediate_size", 4800), .n_layers = c.integer("num_hidden_layers", 6)};
  m.attention = {.hidden = d, .heads = n, .kv_heads = c.integer("num_key_value_heads", n), .head_dim = c.integer("head_dim", 128)};
  m.attention.head_norms = HeadNorms::per_head;
  attention_bias(c, m);
  b.scope("embedder", [&] { embedder(d); });
  b.scope(Part::convolution, "patch_embedder", [&] {
    b.part(Part::embedding, [&] { tokens(b, "class_embedding", 1, d); });
    for (const Text block : {"resnet_block.block1", "resnet_block.block2"})
      b.scope(block, [&] {
        layer_norm(b, "groupnorm", d);
        conv1d(b, "project", d, d, 3);
      });
  });
  llama_layers(b, m);
  rms_norm(b, "norm", d);
  b.part(Part::projector, [&] { linear(b, "output", d, d); });
  return {.hidden = d};
}

/// DAC's encoder without weight norms: each block listens wider by the next ratio. Returns what it gives.
Expr dac_encoder(Config c, Builder& b) {
  require_type(c, "dac");
  const Expr first = c.integer("encoder_hidden_size", 64);
  const std::vector<Expr> ratios = c.dimensions("downsampling_ratios", {2, 8, 10, 12});
  constexpr std::size_t most_blocks = 32;  // beyond it no width is a dimension
  if (ratios.size() > most_blocks)
    c.refuse(ErrorCode::out_of_range, "downsampling_ratios", "must hold at most 32 ratios.", Refused::list_length);
  const auto width = [&](std::size_t i) { return i == 0 ? first : (std::uint64_t{1} << i) * first; };
  const Expr last = width(ratios.size()), out = c.integer("hidden_size", last), one = c.literal(1);
  const auto snake = [&](Text name, Expr d) { b.parameter(concat({name, ".alpha"}), {one, d, one}); };
  b.scope(Part::convolution, "dac_encoder", [&] {
    conv1d(b, "conv1", one, first, 7);
    for (std::size_t i = 0; i < ratios.size(); ++i)
      b.scope(concat({"block.", digits(i)}), [&] {
        const Expr d = width(i);
        for (const Text unit : {"res_unit1", "res_unit2", "res_unit3"})
          b.scope(unit, [&] {
            snake("snake1", d);
            conv1d(b, "conv1", d, d, 7);
            snake("snake2", d);
            conv1d(b, "conv2", d, d, 1);
          });
        snake("snake1", d);
        conv1d(b, "conv1", d, width(i + 1), 2 * ratios[i]);
      });
    snake("snake1", last);
    conv1d(b, "conv2", last, out, 3);
  });
  return out;
}

Backbone audio_encoder(Config c, Builder& b) {
  return encoder(c, b, [&](Expr d) {
    Config dac = c.section("dac_config");
    const Expr heard = dac_encoder(dac, b), width = dac.integer("codebook_dim", 128);
    b.part(Part::projector, [&] {
      conv1d(b, "bottleneck", heard, width, 1);
      linear(b, "data_proj", width, d, true);
    });
  });
}

/// The Perception Encoder for images, large, as timm names it: its labels are what the layers read.
Expr frames(Config c, Builder& b) {
  constexpr std::string_view known = "vit_pe_core_large_patch14_336";
  c.consume("model_type");
  if (c.text("architecture", "vit_pe_core_large_patch14_336") != known)
    c.refuse(ErrorCode::unsupported, "architecture", concat({"must be \"", known, "\" to be counted here."}));
  const Json arguments = c.peek("model_args");
  if (arguments && !arguments.is_null() && arguments.size() > 0)
    c.refuse(ErrorCode::unsupported, "model_args", "is handed to timm, which is not imitated here.");
  const Expr d = c.literal(1024), f = c.literal(4096), positions = c.literal(24 * 24 + 1), labels = num_labels(c);
  require_positive(labels);
  b.tower(Part::vision, "vision_model.timm_model", [&] {
    b.part(Part::embedding, [&] {
      tokens(b, "cls_token", 1, d);
      tokens(b, "pos_embed", positions, d);
      conv2d(b, "patch_embed.proj", c.literal(3), d, 14, false);
    });
    layer_norm(b, "norm_pre", d);
    b.repeat("blocks", all(c.literal(24)), [&] {
      layer_norm(b, "norm1", d);
      b.scope(Part::attention, "attn", [&] {
        linear(b, "qkv", d, 3 * d, true, Does::query_key_value);
        linear(b, "proj", d, d, true, Does::output);
      });
      layer_norm(b, "norm2", d);
      mlp(b, "mlp", d, f, true, "fc1", "fc2");
    });
    layer_norm(b, "norm", d);
    b.scope(Part::attention, "attn_pool", [&] {
      tokens(b, "latent", 1, d);
      linear(b, "q", d, d, true);
      linear(b, "kv", d, 2 * d, true);
      linear(b, "proj", d, d, true);
      layer_norm(b, "norm", d);
      mlp(b, "mlp", d, f, true, "fc1", "fc2");
    });
    b.part(Part::output_head, [&] { linear(b, "head", d, labels, true); });
  });
  return labels;
}

Backbone video_encoder(Config c, Builder& b) {
  return encoder(c, b, [&](Expr d) {
    const Expr seen = frames(c.section("vision_config"), b);
    b.part(Part::projector, [&] {
      linear(b, "proj", seen, d);
      linear(b, "data_proj", d, d, true);
    });
  });
}

/// Where a tensor's rows are, to be shared.
struct Rows {
  std::size_t first, end;
  Text below;  ///< the module that they stand in, of which shared ones have another
};
void share(Builder& b, const Rows& rows) {
  for (std::size_t i = rows.first; i < rows.end; ++i) {
    const Row row = b.rows()[i];
    const std::string_view name = row.name;
    b.tied_like(row, std::string(name.substr(std::string_view(rows.below).size())));
  }
}

/// Of both senses; encoders that are shared with models beside this one are tied to those.
Backbone both(Config c, Builder& b, const Rows* audio, const Rows* video) {
  return encoder(c, b, [&](Expr d) {
    Config hearing = c.section("audio_config"), seeing = c.section("video_config");
    require_type(hearing, "pe_audio_encoder");
    require_type(seeing, "pe_video_encoder");
    const Expr heard = hearing.integer("hidden_size", 1792), seen = seeing.integer("hidden_size", 1792);
    const auto one_of = [&](Part part, Text name, Config section, const Family& family, const Rows* rows) {
      b.tower(part, rows == nullptr ? name : "", [&] {
        if (rows != nullptr)
          share(b, *rows);
        else
          nested(section, b, "", family);
      });
    };
    one_of(Part::audio, "audio_encoder", hearing, pe_audio_encoder, audio);
    one_of(Part::vision, "video_encoder", seeing, pe_video_encoder, video);
    b.part(Part::projector, [&] {
      conv1d(b, "video_proj", seen, heard, 1);
      layer_norm(b, "video_norm", heard);
      linear(b, "concat_modality_proj", heard + seen, d, true);
      linear(b, "data_proj", d, d, true);
    });
  });
}
Backbone both_encoder(Config c, Builder& b) { return both(c, b, nullptr, nullptr); }

Backbone text_model(Config c, Builder& b) {
  require_type(c, "modernbert");
  Backbone out;
  b.scope("text_model", [&] { out = modernbert_layers(c, b, {1024, 2624, 22, 50368, 16}); });
  return out;
}

/// A norm and a matrix.
void contrast(Builder& b, Text name, Expr in, Expr out) {
  b.scope(Part::projector, name, [&] {
    layer_norm(b, "layer_norm", in);
    linear(b, "proj", in, out);
  });
}
void scale_and_bias(Builder& b, Text name) {
  const Expr one = b.pool().literal(1);
  b.part(Part::projector, [&] {
    b.parameter(concat({name, "_logit_scale"}), {one});
    b.parameter(concat({name, "_logit_bias"}), {one});
  });
}

/// A sense beside text: its encoder, and what compares the two. `text`: rows of a text model that it shares.
Expr beside_text(Config text, Config section, Builder& b, bool hears, const Rows* shared, Rows* rows) {
  Expr read = text.integer("hidden_size", 1024);
  if (shared != nullptr)
    share(b, *shared);
  else
    read = text_model(text, b).hidden;
  Expr width;
  const std::size_t first = b.rows().size();
  b.tower(hears ? Part::audio : Part::vision, hears ? "audio_encoder" : "video_encoder",
          [&] { width = nested(section, b, "", hears ? pe_audio_encoder : pe_video_encoder).hidden; });
  if (rows != nullptr) *rows = {first, b.rows().size(), hears ? "audio_model." : "video_model."};
  contrast(b, hears ? "text_audio_head" : "text_video_head", read, read);
  contrast(b, hears ? "audio_head" : "video_head", width, read);
  scale_and_bias(b, hears ? "text_audio" : "text_video");
  return width;
}

template <bool hears>
Backbone backbone(Config c, Builder& b) {
  Config section = c.section(hears ? "audio_config" : "video_config");
  return {.hidden = beside_text(c.section("text_config"), section, b, hears, nullptr, nullptr)};
}

Backbone all_senses(Config c, Builder& b) {
  Config text = c.section("text_config"), section = c.section("audio_video_config");
  section.consume("model_type");
  const bool tied = c.flag("tie_word_embeddings", true);
  const std::size_t first = b.rows().size();
  const Expr read = text_model(text, b).hidden;
  const Rows words{first, b.rows().size(), ""};
  Rows sounds{}, films{};
  Expr heard, seen;
  b.scope("audio_model", [&] { heard = beside_text(text, section.section("audio_config"), b, true, tied ? &words : nullptr, &sounds); });
  b.scope("video_model", [&] { seen = beside_text(text, section.section("video_config"), b, false, tied ? &words : nullptr, &films); });
  Expr width;
  b.scope("audio_video_encoder", [&] { width = both(section, b, tied ? &sounds : nullptr, tied ? &films : nullptr).hidden; });
  contrast(b, "audio_video_head", width, read);
  contrast(b, "text_audio_video_head", read, read);
  contrast(b, "audio_plus_text_head", read + heard, read);
  contrast(b, "video_plus_text_head", read + seen, read);
  for (const Text name : {"audio_video", "text_audio_video", "audio_plus_text", "video_plus_text"}) scale_and_bias(b, name);
  return {.hidden = width};
}

constexpr Architecture audio_classes[] = {{"PeAudioModel", Head::none, ""}};
constexpr Architecture audio_encoder_classes[] = {{"PeAudioEncoder", Head::none, ""}};
constexpr Architecture video_classes[] = {{"PeVideoModel", Head::none, ""}};
constexpr Architecture video_encoder_classes[] = {{"PeVideoEncoder", Head::none, ""}};
constexpr Architecture both_classes[] = {{"PeAudioVideoModel", Head::none, ""}};
constexpr Architecture both_encoder_classes[] = {{"PeAudioVideoEncoder", Head::none, ""}};

}  // namespace

extern const Family pe_audio{
    .model_type = "pe_audio",
    .summary = "The Perception Encoder of sound, beside ModernBERT.",
    .classes = {.listed = audio_classes},
    .backbone = backbone<true>,
};
extern const Family pe_audio_encoder{
    .model_type = "pe_audio_encoder",
    .summary = "The Perception Encoder of sound.",
    .classes = {.listed = audio_encoder_classes},
    .backbone = audio_encoder,
};
extern const Family pe_audio_video{
    .model_type = "pe_audio_video",
    .summary = "The Perception Encoders of sound, of film and of both, beside ModernBERT.",
    .classes = {.listed = both_classes},
    .backbone = all_senses,
};
extern const Family pe_audio_video_encoder{
    .model_type = "pe_audio_video_encoder",
    .summary = "The Perception Encoder of sound and film together.",
    .classes = {.listed = both_encoder_classes},
    .backbone = both_encoder,
};
extern const Family pe_video{
    .model_type = "pe_video",
    .summary = "The Perception Encoder of film, beside ModernBERT.",
    .classes = {.listed = video_classes},
    .backbone = backbone<false>,
};
extern const Family pe_video_encoder{
    .model_type = "pe_video_encoder",
    .summary = "The Perception Encoder of film.",
    .classes = {.listed = video_encoder_classes},
    .backbone = video_encoder,
};

}  // namespace param_ledger
