// LayoutLM and other document models: BERT or RoBERTa with embeddings of word positions on the page, in the markup or in a table. Source:
// transformers, models/layoutlm, lilt, markuplm, bros, tapas.

#include "core/nn/heads.hpp"
#include "core/nn/text/encoder.hpp"

namespace param_ledger {

namespace {

// Defaults of hidden_size, intermediate_size, num_hidden_layers, vocab_size and num_attention_heads.
constexpr DecoderDefaults base_sizes{768, 3072, 12, 30522, 12};

constexpr Text box_tables[] = {"x_position_embeddings", "y_position_embeddings", "h_position_embeddings", "w_position_embeddings"};

constexpr BertType layoutlm_type{
    .sizes = base_sizes, .pooler = Pooler::everywhere, .decodes = false, .more = [](Config c, Builder& b, const BertSizes& s) {
      const Expr places = c.integer("max_2d_position_embeddings", 1024);
      b.scope("embeddings", [&] {
        for (const Text name : box_tables) embedding(b, name, places, s.d);
      });
    }};

/// Records LiLT's second, narrower stream of layers, which processes the layout.
void lilt_layout(Config c, Builder& b, const BertSizes& s) {
  const Expr places = c.integer("max_2d_position_embeddings", 1024), ratio = c.integer("channel_shrink_ratio", 4);
  const Expr narrow = floor_divide(s.d, ratio), part = floor_divide(s.d, c.literal(6));
  b.scope(Part::embedding, "layout_embeddings", [&] {
    for (const Text name : box_tables) embedding(b, name, places, part);
    embedding(b, "box_position_embeddings", s.positions, narrow);
    linear(b, "box_linear_embeddings", s.d, narrow, true);
    layer_norm(b, "LayerNorm", narrow);
  });
  b.repeat("encoder.layer", all(s.n_layers), [&] {
    b.scope(Part::attention, "attention", [&] {
      for (const Text name : {"self.layout_query", "self.layout_key", "self.layout_value", "layout_output.dense"})
        linear(b, name, narrow, narrow, true);
      layer_norm(b, "layout_output.LayerNorm", narrow);
    });
    b.part(Part::feed_forward, [&] {
      linear(b, "layout_intermediate.dense", narrow, floor_divide(s.f, ratio), true);
      linear(b, "layout_output.dense", floor_divide(s.f, ratio), narrow, true);
    });
    layer_norm(b, "layout_output.LayerNorm", narrow);
  });
}

constexpr BertType lilt_type{
    .sizes = base_sizes, .dense_classifier = true, .scaled_by_head_dim = false, .decodes = false, .more = lilt_layout};

/// Records MarkupLM's embedding of each word's XPath: a tag and a subscript at each depth.
void xpaths(Config c, Builder& b, const BertSizes& s) {
  const Expr tags = c.integer("max_xpath_tag_unit_embeddings", 256), numbers = c.integer("max_xpath_subs_unit_embeddings", 1024);
  const Expr unit = c.integer("xpath_unit_hidden_size", 32), depth = c.integer("max_depth", 50);
  b.scope(Part::embedding, "embeddings.xpath_embeddings", [&] {
    linear(b, "xpath_unitseq2_embeddings", unit * depth, s.d, true);
    linear(b, "xpath_unitseq2_inner", unit * depth, 4 * s.d, true);
    linear(b, "inner2emb", 4 * s.d, s.d, true);
    b.repeat("xpath_tag_sub_embeddings", all(depth), [&] { embedding(b, "", tags, unit); });
    b.repeat("xpath_subs_sub_embeddings", all(depth), [&] { embedding(b, "", numbers, unit); });
  });
}

constexpr BertType markuplm_type{.sizes = base_sizes, .decodes = false, .more = xpaths};

/// Records BROS's projection of the sinusoidal encoding of the offset between the boxes of two words. By default its output is as wide as a
/// head. Also records BROS's buffers.
void bros_boxes(Config c, Builder& b, const BertSizes& s) {
  const Expr coordinates = c.integer("dim_bbox", 8);
  const Expr quarter = floor_divide(s.d, c.literal(4)), width = c.integer("dim_bbox_sinusoid_emb_2d", attribute.or_else(quarter));
  const Expr each = c.integer("dim_bbox_sinusoid_emb_1d", attribute.or_else(floor_divide(quarter, coordinates)));
  const Expr head = c.integer("dim_bbox_projection", attribute.or_else(floor_divide(s.d, s.n)));
  b.scope(Part::embedding, "", [&] {
    b.buffer("embeddings.position_ids", {c.literal(1), s.positions});
    b.scope("bbox_embeddings", [&] {
      for (const Text axis : {"x_pos_emb", "y_pos_emb"})
        b.scope("bbox_sinusoid_emb", [&] { b.scope(axis, [&] { b.buffer("inv_freq", {ceil_divide(each, c.literal(2))}); }); });
      linear(b, "bbox_projection", width, head);
    });
  });
}

constexpr BertType bros_type{.sizes = base_sizes, .pooler = Pooler::everywhere, .scaled_by_head_dim = false, .more = bros_boxes};

constexpr Architecture bros_classes[] = {{"BrosSpadeEEForTokenClassification", Head::other, "bros"},
                                         {"BrosSpadeELForTokenClassification", Head::other, "bros"}};

/// Records BROS's head. In the SpadeEE class it predicts which words begin an entity and which words follow each other, in the SpadeEL
/// class how entities are linked.
void bros_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::other) return bert_head(c, b, m, bros_type);
  const Expr relations = c.integer("n_relations", 1);
  const bool begins = b.architecture().name == bros_classes[0].name;
  b.part(Part::output_head, [&] {
    if (begins) {
      linear(b, "initial_token_classifier.1", m.hidden, m.hidden, true);
      linear(b, "initial_token_classifier.3", m.hidden, num_labels(c), true);
    }
    b.scope(begins ? "subsequent_token_classifier" : "entity_linker", [&] {
      b.parameter("dummy_node", {c.literal(1), m.hidden});
      linear(b, "query", m.hidden, relations * m.hidden, true, TensorRole::query);
      linear(b, "key", m.hidden, relations * m.hidden, true, TensorRole::key);
    });
  });
}

/// Records TAPAS's embedding tables, one for each property of a token: its segment, column, row, rank, … Also records the pooler for
/// question answering.
void cell_types(Config c, Builder& b, const BertSizes& s) {
  Count index = 0;
  for (const Expr types : c.dimensions("type_vocab_sizes", {3, 256, 256, 2, 256, 256, 10}))
    embedding(b, concat({"embeddings.token_type_embeddings_", digits(index++)}), types, s.d);
  if (b.architecture().head == Head::question_answering) bert_pooler(b, s.d, {.pooler = Pooler::everywhere});
}

constexpr BertType tapas_type{.sizes = base_sizes, .positions = 1024, .token_types = {}, .scaled_by_head_dim = false, .more = cell_types};

/// Records TAPAS's head. For question answering it selects table cells and, optionally, an aggregation such as their sum.
void tapas_head(Config c, Builder& b, const BackboneOutput& m) {
  if (b.architecture().head != Head::question_answering) return bert_head(c, b, m, tapas_type);
  const Expr aggregations = c.integer("num_aggregation_labels", 0);
  b.part(Part::output_head, [&] {
    for (const Text name : {"output_weights", "column_output_weights"}) b.parameter(name, {m.hidden});
    for (const Text name : {"output_bias", "column_output_bias"}) b.parameter(name, {});
    if (aggregations.decide() > 0) linear(b, "aggregation_classifier", m.hidden, aggregations, true);
  });
}

}  // namespace

extern const Family bros{
    .model_type = "bros",
    .summary = "Key information extraction from documents: BERT with relative word positions on the page.",
    .classes = {.prefix = "Bros", .heads = heads::base | heads::token, .backbone = "bros", .listed = bros_classes},
    .backbone = bert_of_type<bros_type>,
    .head = bros_head,
};
extern const Family layoutlm =
    bert_family<layoutlm_type>("layoutlm", "Document understanding: BERT with 2D position embeddings.",
                               {"LayoutLM", heads::base | heads::masked | heads::sequence | heads::token | heads::question, "layoutlm"});
extern const Family lilt = bert_family<lilt_type>("lilt", "Document understanding: RoBERTa with a parallel layout stream.",
                                                  {"Lilt", heads::base | heads::sequence | heads::token | heads::question, "lilt"});
extern const Family markuplm =
    bert_family<markuplm_type>("markuplm", "Web page understanding: BERT with XPath embeddings.",
                               {"MarkupLM", heads::base | heads::sequence | heads::token | heads::question, "markuplm"});
extern const Family tapas{
    .model_type = "tapas",
    .summary = "Table question answering: BERT with row, column and rank embeddings.",
    .classes = {"Tapas", heads::base | heads::masked | heads::sequence | heads::question, "tapas"},
    .backbone = bert_of_type<tapas_type>,
    .head = tapas_head,
};

}  // namespace param_ledger
