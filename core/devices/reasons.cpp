#include "core/devices/reasons.hpp"

#include <algorithm>

#include "core/builder/row_names.hpp"

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
        "It is split by output features, the inner width of the block, so that the activation needs no exchange: a column-parallel linear "
        "layer (Megatron-LM).";
  else
    out = "It is split by output features: a column-parallel linear layer (Megatron-LM).";
  if (row.style == Style::colwise_gather_output) out += " Every device then gathers the whole output.";
  return out;
}

std::string whole_reason(const Division& division, const DividedRow& row, std::string_view model_type) {
  const Row& r = *row.row;
  const Sizes& sizes = division.sizes();
  if (r.kind == Kind::buffer) return "It is a buffer, which no plan divides.";
  if (sizes.tensor == 1 && sizes.expert == 1)
    return row.place == Place::every ? division.engine() == Engine::vllm
                                           ? "Every stage makes it, whether or not it needs it, in vLLM's class of this model."
                                           : "A pipeline moves layers alone: every stage keeps it."
                                     : "It is whole on the stage that holds it.";
  if (sizes.tensor == 1) return "Only experts are divided among devices here.";
  switch (r.role) {
    case TensorRole::query_norm:
    case TensorRole::key_norm: return "All heads share this norm, so that every device needs it whole.";
    case TensorRole::router: return "Every device routes every token, so that the router stays whole.";
    case TensorRole::key_value_down:
      return "It compresses keys and values into one latent that all heads share: there is no head to split it by.";
    default: break;
  }
  if (r.part == Part::norm) return "A norm needs the whole hidden state, which every device has.";
  if (r.part == Part::router) return "Every device routes every token, so that the router stays whole.";
  if (r.shape.size() == 1 && r.name.ends_with(".bias"))
    return "The bias is added once, after the sum over devices, so that it stays whole.";
  if (division.engine() != Engine::transformers)
    return concat({title_of(division.engine()), " keeps this parameter whole on every device."});
  return concat({"The plan of transformers for ", model_type, " has no rule for this module, so that every device holds it whole."});
}

}  // namespace

std::string_view spelling(Place place) {
  static constexpr std::string_view names[] = {"every", "layers", "first", "ends", "last"};
  return names[static_cast<std::size_t>(place)];
}

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
                     " devices: each holds one of them, and ", digits(division.sizes().tensor / row.heads.decide()), " hold the same."});
    case Style::packed_colwise:
    case Style::packed_rowwise:
      return "It is split by output features, the inner width of each expert, so that every device holds a share of all experts: a "
             "column-parallel linear layer (Megatron-LM).";
    case Style::rowwise:
    case Style::rowwise_split_input:
      if (r.in_text(Part::output_head))
        return "It is split by input features: each device multiplies its share of the hidden state, and the logits are summed.";
      return "It is split by input features, of which each device has its share; the products are summed over devices: a row-parallel "
             "linear "
             "layer (Megatron-LM).";
    case Style::embedding_rowwise:
      return "It is split by the tokens of the vocabulary: each device looks up its own, and the results are summed (Megatron-LM's "
             "vocabulary-parallel embedding).";
    case Style::embedding_colwise:
      return "Its columns are split: each device looks up a slice of every vector, and the slices are gathered.";
    case Style::grouped_gemm: {
      const Count n = (r.experts ? r.experts : r.repeats.back()).decide();
      return concat({"Each device holds ", digits(n / division.sizes().expert), " of the ", digits(n),
                     " experts of a layer, and tokens are sent to those of their experts (GShard)."});
    }
    case Style::replicate: break;
  }
  return whole_reason(division, row, model_type);
}

namespace {

/// Adds notes on a plan of Megatron-Core or vLLM.
void note_engine(const Division& division, Builder& notes) {
  const Sizes& sizes = division.sizes();
  const Engine engine = division.engine();
  const bool megatron = engine == Engine::megatron;
  notes.note("", megatron
                     ? "By the modules of Megatron-Core 0.16.1 itself, with Megatron's names in `holder`: queries, keys and values are one "
                       "parameter there, and so are gate and up projections. A pipeline's stages count their layers anew."
                     : "By the shapes that vLLM 0.11.0's source gives, with its names in `holder`. Left out: quantized layouts, adapters, "
                       "redundant experts, context and sequence parallelism, and all memory beside weights and cache.");
  bool latent = false;
  Count padded = 0, from = 0;
  for (const DividedRow& row : division.rows()) {
    latent = latent || row.row->role == TensorRole::key_value_down;
    if (row.padded) {
      padded = row.padded.decide();
      from = row.row->shape[0].decide();
    }
  }
  const auto by_megatron_groups = [&](const DividedRow& row) {
    const Expr heads = row.row->role == TensorRole::key && row.row->shape.size() == 2 ? heads_in(row.row->shape[0]) : Expr{};
    return heads && heads.decide() < sizes.tensor ? heads : Expr{};
  };
  if (padded > 0)
    notes.note("vocab_size",
               concat({"The vocabulary of ", grouped_digits(from), " is padded to ", grouped_digits(padded), ", a multiple of ",
                       megatron ? concat({"128 · T = ", grouped_digits(128 * sizes.tensor)}) : std::string("64"), "."}));
  if (megatron && latent && sizes.tensor > 1)
    notes.note("",
               "Megatron-Core's own modules split the projections down to latents by columns, and gather what they give. With Transformer "
               "Engine's modules they stand whole on every device (parallel_mode 'duplicated'), which is not counted here.");
  if (megatron)
    for (const DividedRow& row : division.rows())
      if (const Expr heads = by_megatron_groups(row)) {
        notes.warn(heads.name().name,
                   concat({"There are ", digits(heads.decide()), " query groups for ", digits(sizes.tensor), " devices: each holds a ",
                           digits(sizes.tensor),
                           "th of linear_qkv's rows, and gathers the rest "
                           "of its group's outputs. Shares of queries, keys and values are given here as if each were split evenly."}));
        break;
      }
  if (megatron && sizes.expert > sizes.tensor)
    notes.note("expert", concat({"What is not an expert stands on ", digits(sizes.expert / sizes.tensor), " groups of devices."}));
  if (!megatron && sizes.expert > 1)
    notes.note("expert", concat({"vLLM divides experts among all devices of tensor and data parallelism: expert = ", digits(sizes.expert),
                                 " stands for --enable-expert-parallel with ", digits(sizes.expert / sizes.tensor), " data-parallel ",
                                 sizes.expert == sizes.tensor ? "engine." : "engines."}));
  const EnginePlan* const plan = engine_plan_of(engine, division.model_type());
  if (plan != nullptr && plan->whole_ends && sizes.pipeline > 1)
    notes.warn("pipeline", concat({"vLLM's class of this model makes the table of tokens, the last norm and the head on each of the ",
                                   digits(sizes.pipeline), " stages."}));
}

}  // namespace

void warn_of_division(const Division& division, Builder& notes) {
  const Sizes& sizes = division.sizes();
  if (division.engine() != Engine::transformers) return note_engine(division, notes);
  if (sizes.expert > sizes.tensor)
    notes.warn("expert", concat({"transformers takes expert = ", digits(sizes.expert), " over tensor = ", digits(sizes.tensor),
                                 " only beside data parallelism (fsdp_size = ", digits(sizes.expert / sizes.tensor),
                                 "). What is not an expert stands on ", digits(sizes.expert / sizes.tensor),
                                 " groups of devices; its own further division there is not counted."}));
  if (sizes.expert > 1 && sizes.pipeline > 1)
    notes.warn("pipeline", "transformers 5.23 has each of these plans, but does not run expert parallelism and a pipeline together.");
  if (sizes.pipeline > 1) {
    const Count layers = division.n_layers(), each = layers / sizes.pipeline;
    if (each == 0)
      notes.warn("pipeline", concat({"There are ", digits(layers), " layers for ", digits(sizes.pipeline),
                                     " stages: transformers puts all of them on the last stage, and none on the others."}));
    else if (layers % sizes.pipeline != 0)
      notes.warn("pipeline", concat({digits(sizes.pipeline), " stages do not divide ", digits(layers), " layers: each has ", digits(each),
                                     ", the last ", digits(layers - each * (sizes.pipeline - 1)),
                                     ". The nearest numbers that do: ", divisors_beside(layers, sizes.pipeline), "."}));
  }
  std::vector<std::string> told;
  for (const DividedRow& row : division.rows()) {
    const int dimension = Division::divided_dimension(row);
    if (dimension < 0 || row.style == Style::grouped_gemm || row.row->kind != Kind::parameter) continue;
    const Expr size = row.row->shape[static_cast<std::size_t>(dimension)];
    const Count parts = division.parts(row);
    const Expr heads = is_of_heads(row.row->role) || row.row->role == TensorRole::output ? heads_in(size) : Expr{};
    const Expr counted = heads ? heads : size;
    if (counted.decide() % parts == 0) continue;
    const Expr name = heads ? heads : name_in(size);
    const std::string field = name ? name.name().name : std::string(row.row->name);
    if (std::find(told.begin(), told.end(), field) != told.end()) continue;
    told.push_back(field);
    const std::string nearest = concat({". The nearest numbers that do: ", divisors_beside(counted.decide(), parts), "."});
    if (heads && size.decide() % parts == 0)
      notes.warn(field, concat({digits(parts), " devices do not divide ", field, " = ", digits(heads.decide()),
                                ": transformers cuts a head in pieces, which no attention can use", nearest}));
    else
      notes.warn(field, concat({digits(parts), " devices do not divide the ", grouped_digits(counted.decide()), " of ", field, " in ",
                                row.row->name, ": the last devices hold less of it", nearest}));
  }
}

}  // namespace param_ledger
