#include "core/devices/reasons.hpp"

namespace param_ledger {

namespace {

std::string column_reason(const DividedRow& row) {
  std::string out;
  if (row.row->in_text(Part::output_head))
    return "It is split by the tokens of the vocabulary: each device computes the logits of its tokens.";
  if (is_of_heads(row.row->role))
    out = "It is split by output features, so that each device computes its own heads: a column-parallel linear layer (Megatron-LM).";
  else if (row.row->part == Part::feed_forward)
    out =
        "It is split by output features, the inner dimension of the block, so that the activation needs no communication: a "
        "column-parallel linear layer (Megatron-LM).";
  else
    out = "It is split by output features: a column-parallel linear layer (Megatron-LM).";
  if (row.style == Style::colwise_gather_output) out += " The whole output is then gathered on every device.";
  return out;
}

std::string whole_reason(const Division& division, const DividedRow& row, std::string_view model_type) {
  const Row& r = *row.row;
  const Sizes& sizes = division.sizes();
  if (r.kind == Kind::buffer) return "It is a buffer. No plan divides buffers.";
  if (sizes.tensor == 1 && sizes.expert == 1)
    return row.place == Place::every ? division.engine() == Engine::vllm
                                           ? "vLLM's class for this model creates it on every stage, whether or not it is needed there."
                                           : "Only layers are divided among stages: every stage keeps this tensor."
                                     : "It is whole on the stage that holds it.";
  if (sizes.tensor == 1) return "Only experts are divided among devices here.";
  switch (r.role) {
    case TensorRole::query_norm:
    case TensorRole::key_norm: return "All heads share this norm, so every device needs it whole.";
    case TensorRole::router: return "Every device routes its tokens to all experts, so it needs the whole router.";
    case TensorRole::key_value_down:
      return "It compresses keys and values into one latent. All heads share the latent, so it cannot be split by heads.";
    default: break;
  }
  if (r.part == Part::norm) return "A norm needs the whole hidden state, which every device has.";
  if (r.part == Part::router) return "Every device routes its tokens to all experts, so it needs the whole router.";
  if (r.shape.size() == 1 && r.name.ends_with(".bias")) return "The bias is added once, after the sum over devices, so it stays whole.";
  if (division.engine() != Engine::transformers)
    return concat({title_of(division.engine()), " keeps this parameter whole on every device."});
  return concat({"The plan of transformers for ", model_type, " has no rule for this module, so every device holds it whole."});
}

}  // namespace

std::string_view rule_of(const Division& division, const DividedRow& row) {
  switch (row.style) {
    case Style::colwise:
    case Style::colwise_gather_output:
    case Style::colwise_repeated:
    case Style::packed_colwise: return "column";
    case Style::rowwise:
    case Style::rowwise_split_input:
    case Style::packed_rowwise: return "row";
    case Style::embedding_rowwise:
    case Style::embedding_colwise: return "embedding";
    case Style::grouped_gemm: return "expert";
    case Style::replicate: break;
  }
  return division.copies(row) > 1 ? "replicated" : division.sizes().pipeline > 1 ? "layer" : "whole";
}

std::string reason_for(const Division& division, const DividedRow& row, std::string_view model_type) {
  const Row& r = *row.row;
  switch (row.style) {
    case Style::colwise:
    case Style::colwise_gather_output: return column_reason(row);
    case Style::colwise_repeated:
      if (!row.heads) return column_reason(row);
      return concat({"There are ", digits(row.heads.decide()), " key-value heads for ", digits(division.sizes().tensor),
                     " devices. Each device holds one head, and each head is on ", digits(division.sizes().tensor / row.heads.decide()),
                     " devices."});
    case Style::packed_colwise:
    case Style::packed_rowwise:
      return "It is split by output features, the inner dimension of each expert, so every device holds a share of every expert: a "
             "column-parallel linear layer (Megatron-LM).";
    case Style::rowwise:
    case Style::rowwise_split_input:
      if (r.in_text(Part::output_head))
        return "It is split by input features: each device multiplies its share of the hidden state, and the logits are summed.";
      return "It is split by input features. Each device has its share of them, and the products are summed over devices: a row-parallel "
             "linear layer (Megatron-LM).";
    case Style::embedding_rowwise:
      return "It is split by the tokens of the vocabulary: each device looks up its own tokens, and the results are summed (Megatron-LM's "
             "vocabulary-parallel embedding).";
    case Style::embedding_colwise:
      return "Its columns are split: each device looks up a slice of every vector, and the slices are gathered.";
    case Style::grouped_gemm: {
      const Count n = (r.experts ? r.experts : r.repeats.back()).decide();
      return concat({"Each device holds ", digits(n / division.sizes().expert), " of the ", digits(n),
                     " experts of a layer, each of them whole: expert parallelism (GShard)."});
    }
    case Style::replicate: break;
  }
  return whole_reason(division, row, model_type);
}

}  // namespace param_ledger
