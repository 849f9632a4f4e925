// Drafts for speculative decoding: small models that propose tokens, which a larger target model verifies. They read the target's hidden
// states, and most use its embedding table or head. Their configurations usually give the target's model type, so a draft is recognised by
// its class. Source: SafeAILab/EAGLE (cnets.py, cnets1.py), sgl-project/SpecForge (modeling/draft), FasterDecoding/Medusa and vLLM
// (medusa.py).

#include "core/nn/heads.hpp"
#include "core/nn/text/decoders.hpp"

namespace param_ledger {

namespace {

/// Adds a note that the model is a draft, with the name of its target if a field gives it.
void note_draft(Config c, Builder& b, std::string_view what, std::string_view borrowed) {
  constexpr Text naming[] = {"target_model_name_or_path", "base_model_name_or_path", "target_model_type"};
  std::string target = "another model";
  for (const Text field : naming)
    if (const Json given = c.peek(field); given && given.is(Json::Type::string)) {
      c.consume(field);
      if (target == "another model") target = clipped(given.string(), 100);
    }
  // vLLM's tests contain JSON files that resemble a draft's configuration but list expected values.
  if (c.has("total_num_attention_heads"))
    c.refuse(ErrorCode::unsupported, "total_num_attention_heads",
             "is a field of a summary, not of a draft model's config.json. Give the config.json.");
  b.note("architectures",
         concat({"This is a draft model for ", target, " (", what, "): it proposes tokens that the target model verifies. ", borrowed}));
}

constexpr Text copied_table = "embed_tokens is a copy of the target's table, which files may omit.";

/// Attention in the first layer of EAGLE-3 and P-EAGLE, which reads the concatenation of the embedding and the hidden state.
Attention of_joined_input(Attention a) {
  a.output = a.hidden;
  a.hidden = 2 * a.hidden;
  return a;
}

void require_grouped(const Attention& a) { require_multiple(a.heads, a.kv_heads); }

struct Eagle {
  DecoderSizes s;
  Attention attention;
  Expr drafted;  ///< the size of the draft's own vocabulary, the rows of its head; empty: EAGLE 1 or 2, which has no head
  Expr target;   ///< width of the target's hidden states; empty in EAGLE 1 and 2, where it equals the draft's
};

/// Reads the fields of a LlamaConfig, which EAGLE's draft classes use regardless of the model type.
Eagle eagle_fields(Config c, bool one_layer) {
  Eagle m{.s = {}, .attention = {}, .drafted = {}, .target = {}};
  m.s = decoder_sizes(c, {4096, 11008, one_layer ? 1U : 32U, 32000, 32});
  m.attention = {.hidden = m.s.d,
                 .heads = m.s.n,
                 .kv_heads = c.integer("num_key_value_heads", m.s.n),
                 .head_dim = c.integer("head_dim", floor_divide(m.s.d, m.s.n))};
  return m;
}

Eagle eagle3_fields(Config c, bool one_layer) {
  Eagle m = eagle_fields(c, one_layer);
  m.drafted = c.integer("draft_vocab_size", m.s.vocab);
  m.target = c.integer("target_hidden_size", attribute.or_else(m.s.d));
  c.ignore("tie_word_embeddings", "A draft's head predicts a reduced vocabulary and is never tied.");
  require_grouped(m.attention);
  return m;
}

void eagle3_layer(Builder& b, const Eagle& m, bool first) {
  rms_norm(b, "input_layernorm", m.s.d);
  if (first) rms_norm(b, "hidden_norm", m.s.d);
  attention(b, "self_attn", first ? of_joined_input(m.attention) : m.attention);
  rms_norm(b, "post_attention_layernorm", m.s.d);
  gated_mlp(b, "mlp", m.s.d, m.s.f);
}

/// Records the final norm and two buffers: t2d marks the target's tokens that the draft can predict, and d2t maps the draft's tokens to the
/// target's.
BackboneOutput with_token_maps(Builder& b, const Eagle& m, Tensor table) {
  rms_norm(b, "norm", m.s.d);
  b.part(Part::output_head, [&] {
    b.buffer("t2d", {m.s.vocab});
    b.buffer("d2t", {m.drafted});
  });
  return {.hidden = m.s.d, .embedding = table, .vocabulary = m.drafted};
}

Tensor draft_table(Builder& b, const Eagle& m) { return embedding(b, "embed_tokens", m.s.vocab, m.s.d, TensorRole::token_embedding); }

BackboneOutput eagle3_backbone(Config c, Builder& b) {
  note_draft(c, b, "EAGLE-3", copied_table);
  const Eagle m = eagle3_fields(c, true);
  if (!equal(m.s.n_layers, 1)) c.refuse(ErrorCode::inconsistent, "num_hidden_layers", "must be 1: only PEagleDraftModel has more layers.");
  if (!c.section("eagle_config").flag("use_aux_hidden_state", true))
    c.refuse(ErrorCode::unsupported, "eagle_config", "has use_aux_hidden_state = false, which is not counted.");
  const bool normed = c.flag("fc_norm", false);
  const Tensor table = draft_table(b, m);
  b.scope("midlayer", [&] { eagle3_layer(b, m, true); });
  b.tower(Tower::projector, "", [&] { linear(b, "fc", 3 * m.target, m.s.d); });
  if (normed) b.repeat("fc_norm", all(b.pool().literal(3)), [&] { rms_norm(b, "", m.target); });
  return with_token_maps(b, m, table);
}

BackboneOutput peagle_backbone(Config c, Builder& b) {
  note_draft(c, b, "P-EAGLE", copied_table);
  const Eagle m = eagle3_fields(c, false);
  require_positive(m.s.n_layers);
  const Tensor table = draft_table(b, m);
  b.tower(Tower::projector, "", [&] {
    linear(b, "fc", 3 * m.target, m.s.d);
    b.parameter("mask_hidden", {c.literal(1), c.literal(1), 3 * m.target});
  });
  b.repeat("layers", only(0), [&] { eagle3_layer(b, m, true); });
  b.repeat("layers", all_but_first(all(m.s.n_layers)), [&] { eagle3_layer(b, m, false); });
  return with_token_maps(b, m, table);
}

/// Records a draft of EAGLE 1 or 2. Its first layer has no norm before attention.
BackboneOutput eagle_backbone(Config c, Builder& b) {
  note_draft(c, b, "EAGLE", "It has no head, and embed_tokens is a copy of the target's table.");
  Eagle m = eagle_fields(c, false);
  m.attention.qkv_bias = c.flag("qkv_bias", false);
  const bool bias = c.flag("bias", true);
  const Tensor table = draft_table(b, m);
  b.tower(Tower::projector, "", [&] { linear(b, "fc", 2 * m.s.d, m.s.d, bias); });
  const IndexSet layers = all(m.s.n_layers);
  b.repeat("layers", layers, [&] {
    attention(b, "self_attn", m.attention);
    gated_mlp(b, "mlp", m.s.d, m.s.f);
    rms_norm(b, "post_attention_layernorm", m.s.d);
  });
  if (!layers.empty()) b.repeat("layers", all_but_first(layers), [&] { rms_norm(b, "input_layernorm", m.s.d); });
  return {.hidden = m.s.d, .embedding = table};
}

/// The number of target layers whose hidden states the draft reads: the length of target_layer_ids or, if only num_target_layers is given,
/// the draft's own number of layers.
Expr read_layers(Config c, Config more, Expr n_layers) {
  constexpr Text name = "num_target_layer_ids", symbol = "L_t", meaning = "Number of target model layers whose hidden states are read.";
  if (const std::optional<std::vector<std::int64_t>> ids = more.integers("target_layer_ids"))
    return more.count(name, symbol, meaning, ids->size());
  if (!c.has("num_target_layers"))
    c.refuse(ErrorCode::missing_field, "dflash_config",
             "must have target_layer_ids, the layers of the target model that the draft model reads.");
  return n_layers;
}

/// Records a DFlash, Domino or DSpark draft without Domino's or DSpark's own heads: Qwen3's layers, with additional keys and values that
/// are computed from the target's hidden states. The draft uses the target's embedding table and head.
BackboneOutput dflash_of(Config c, Builder& b, std::string_view what) {
  note_draft(c, b, what, "The embedding table and the head are the target's and are not counted.");
  LlamaDecoder m = llama_fields(c, {4096, 22016, 32, 151936, 32});
  m.attention.kv_heads = c.integer("num_key_value_heads", fixed_not_null(32).or_else(m.attention.heads));
  m.attention.head_dim = c.integer("head_dim", 128);
  m.attention.head_norms = QkNorm::per_head;
  attention_bias(c, m);
  require_grouped(m.attention);
  Config more = c.section("dflash_config");
  const Expr d = m.attention.hidden, n_read = read_layers(c, more, m.n_layers);
  llama_layers(b, m);
  rms_norm(b, "norm", d);
  b.tower(Tower::projector, "", [&] { linear(b, "fc", n_read * d, d); });
  rms_norm(b, "hidden_norm", d);
  return {.hidden = d, .vocabulary = m.vocabulary};
}

BackboneOutput dflash_backbone(Config c, Builder& b) { return dflash_of(c, b, "DFlash"); }
BackboneOutput domino_backbone(Config c, Builder& b) { return dflash_of(c, b, "Domino"); }
BackboneOutput dspark_backbone(Config c, Builder& b) { return dflash_of(c, b, "DSpark"); }

void no_head(Config /*c*/, Builder& /*b*/, const BackboneOutput& /*m*/) {}

/// Records Domino's head: a recurrent network (GRU) over earlier tokens, and layers that correct the logits with its state.
void domino_head(Config c, Builder& b, const BackboneOutput& m) {
  Config more = c.section("dflash_config");
  const Expr width = more.integer("emb_dim", required(256)), state = more.integer("gru_hidden_dim", required(1024));
  b.part(Part::output_head, [&] {
    b.parameter("prefix_gru.weight_ih_l0", {3 * state, m.hidden}, StorageKind::matrix);
    b.parameter("prefix_gru.weight_hh_l0", {3 * state, state}, StorageKind::matrix);
    linear(b, "embed_proj.0", m.hidden + state, width);
    linear(b, "embed_proj.2", width, m.vocabulary);
  });
}

constexpr std::string_view markov_heads[] = {"vanilla", "gated", "rnn"};

/// Records DSpark's two optional heads. One corrects the logits with the previous token, the other predicts whether the target will accept
/// a token.
void dspark_head(Config c, Builder& b, const BackboneOutput& m) {
  Config more = c.section("dflash_config");
  const Expr rank = more.integer("markov_rank", unless_zero.or_else(c.literal(0)));
  const std::string_view kind = more.text("markov_head_type", "vanilla", markov_heads);
  const bool confident = more.derived_flag("enable_confidence_head", more.number("confidence_head_alpha", 0) > 0);
  const bool with_markov = more.flag("confidence_head_with_markov", false), markov = rank.decide() > 0;
  if (with_markov && !markov) more.refuse(ErrorCode::inconsistent, "confidence_head_with_markov", "needs a markov_rank above 0.");
  b.part(Part::output_head, [&] {
    if (markov)
      b.scope("markov_head", [&] {
        table(b, "markov_w1", m.vocabulary, rank);
        linear(b, "markov_w2", rank, m.vocabulary);
        if (kind == "gated") linear(b, "gate_proj", m.hidden + rank, rank, true);
        if (kind == "rnn") linear(b, "joint_proj", 2 * rank + m.hidden, 3 * rank, true);
      });
    if (confident) linear(b, "confidence_head.proj", with_markov ? m.hidden + rank : m.hidden, c.literal(1), true);
  });
}

/// Records Medusa: heads on the target's last hidden state, one for each token ahead.
BackboneOutput medusa_backbone(Config c, Builder& b) {
  note_draft(c, b, "Medusa", "It consists only of heads on the target's last hidden state.");
  const Expr d = c.integer("hidden_size", required(4096)), vocab = c.integer("vocab_size", required(32000));
  const Expr n_heads = c.integer("num_heads", required(5)), n_layers = c.integer("num_hidden_layers", 1);
  const Expr drafted = c.integer("truncated_vocab_size", vocab);
  const bool bias = c.flag("medusa_fc_bias", false), shared = c.flag("original_lm_head", false);
  b.part(Part::output_head, [&] {
    b.repeat("blocks", all(n_heads), [&] { b.repeat("layers", all(n_layers), [&] { linear(b, "", d, d, bias); }); });
    if (shared)
      linear(b, "lm_head", d, drafted, false, TensorRole::head);
    else
      b.repeat("lm_heads", all(n_heads), [&] { linear(b, "", d, drafted, false, TensorRole::head); });
    if (!equal(drafted, vocab)) b.buffer("token_map", {drafted});
  });
  return {.hidden = d};
}

constexpr Alias medusa_aliases[] = {{"medusa_num_heads", "num_heads"}, {"medusa_num_layers", "num_hidden_layers"}};

constexpr Architecture dflash_classes[] = {{"DFlashDraftModel", Head::other, ""}};
constexpr Architecture domino_classes[] = {{"DominoDraftModel", Head::other, ""}};
constexpr Architecture dspark_classes[] = {{"DSparkDraftModel", Head::other, ""}};
constexpr Architecture eagle_classes[] = {{"LlamaForCausalLMEagle", Head::other, ""},
                                          {"EagleLlamaForCausalLM", Head::other, ""},
                                          {"Qwen2ForCausalLMEagle", Head::other, ""},
                                          {"EAGLEModel", Head::other, ""}};
constexpr Architecture eagle3_classes[] = {{"LlamaForCausalLMEagle3", Head::causal_lm, ""},
                                           {"Eagle3LlamaForCausalLM", Head::causal_lm, ""}};
constexpr Architecture peagle_classes[] = {{"PEagleDraftModel", Head::causal_lm, ""}};
constexpr Architecture medusa_classes[] = {{"MedusaModel", Head::other, ""}};

void untied_head(Config /*c*/, Builder& b, const BackboneOutput& m) { language_model_head(b, m, false); }

}  // namespace

extern const Family dflash{
    .model_type = "dflash",
    .summary = "Speculative decoding: a block-diffusion draft model that reads hidden states of its target model.",
    .classes = {.listed = dflash_classes},
    .backbone = dflash_backbone,
    .head = no_head,
    .own_code = true,
    .any_type = true,
};
extern const Family domino{
    .model_type = "domino",
    .summary = "Like DFlash, with a recurrent network (GRU) that corrects the logits.",
    .classes = {.listed = domino_classes},
    .backbone = domino_backbone,
    .head = domino_head,
    .own_code = true,
    .any_type = true,
};
extern const Family dspark{
    .model_type = "dspark",
    .summary = "Like DFlash, with logits corrected by the previous token and with an optional confidence head.",
    .classes = {.listed = dspark_classes},
    .backbone = dspark_backbone,
    .head = dspark_head,
    .own_code = true,
    .any_type = true,
};
extern const Family eagle{
    .model_type = "eagle",
    .summary = "Speculative decoding: a one-layer draft model that reads the target model's last hidden state and token embedding.",
    .classes = {.listed = eagle_classes},
    .backbone = eagle_backbone,
    .head = no_head,
    .own_code = true,
    .any_type = true,
};
extern const Family eagle3{
    .model_type = "eagle3",
    .summary = "Speculative decoding: a one-layer draft model that reads three hidden states of the target model; reduced vocabulary.",
    .classes = {.listed = eagle3_classes},
    .backbone = eagle3_backbone,
    .head = untied_head,
    .own_code = true,
    .any_type = true,
};
extern const Family medusa{
    .model_type = "medusa",
    .summary = "Speculative decoding: extra heads on the target model's last hidden state.",
    .classes = {.listed = medusa_classes},
    .aliases = medusa_aliases,
    .backbone = medusa_backbone,
    .head = no_head,
    .own_code = true,
    .any_type = true,
};
extern const Family peagle{
    .model_type = "peagle",
    .summary = "Like EAGLE-3, with several layers that draft tokens in parallel.",
    .classes = {.listed = peagle_classes},
    .backbone = peagle_backbone,
    .head = untied_head,
    .own_code = true,
    .any_type = true,
};

}  // namespace param_ledger
