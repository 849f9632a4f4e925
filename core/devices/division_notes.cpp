#include "core/devices/division_notes.hpp"

#include <algorithm>

namespace param_ledger {

namespace {

/// The first row for which `is` is true, or null.
template <class Is>
const DividedRow* find_row(const Division& division, const Is& is) {
  const auto& rows = division.rows();
  const auto found = std::find_if(rows.begin(), rows.end(), is);
  return found == rows.end() ? nullptr : &*found;
}

void note_padding(const Division& division, Builder& notes) {
  const DividedRow* const padded = find_row(division, [](const DividedRow& row) { return static_cast<bool>(row.padded); });
  if (padded == nullptr) return;
  const Padding padding = padding_of(division.engine());
  const Count multiple = padding.of_each ? padding.multiple * division.sizes().tensor : padding.multiple;
  notes.note("vocab_size",
             concat({"The vocabulary of ", grouped_digits(padded->row->shape[0].decide()), " is padded to ",
                     grouped_digits(padded->padded.decide()), ", a multiple of ",
                     padding.of_each ? concat({digits(padding.multiple), " · T = "}) : std::string{}, grouped_digits(multiple), "."}));
}

/// The number of heads in a key projection, if it is smaller than the size of tensor parallelism. Empty otherwise, and for other rows.
Expr few_groups(const Division& division, const DividedRow& row) {
  const bool is_key = row.row->role == TensorRole::key && row.row->shape.size() == 2;
  const Expr heads = is_key ? heads_in(row.row->shape[0]) : Expr{};
  return heads && heads.decide() < division.sizes().tensor ? heads : Expr{};
}

void note_megatron(const Division& division, Builder& notes) {
  const Sizes& sizes = division.sizes();
  notes.note("",
             "These are the shapes of Megatron-Core 0.16.1's own modules, with its names in `holder`. Queries, keys and values are one "
             "parameter there, and so are gate and up projections. Each stage of a pipeline numbers its layers from 0.");
  note_padding(division, notes);
  if (sizes.tensor > 1 && find_row(division, [](const DividedRow& row) { return row.row->role == TensorRole::key_value_down; }) != nullptr)
    notes.note("",
               "Megatron-Core's own modules split the down-projections to the latents by columns and gather their outputs. With "
               "Transformer Engine's modules, every device holds them whole (parallel_mode 'duplicated'). That is not counted here.");
  if (const DividedRow* const key =
          find_row(division, [&](const DividedRow& row) { return static_cast<bool>(few_groups(division, row)); })) {
    const Expr groups = few_groups(division, *key);
    const std::string devices = digits(sizes.tensor);
    notes.warn(
        groups.name().name,
        concat({"There are ", digits(groups.decide()), " query groups for ", devices, " devices. Each device holds 1 / ", devices,
                " of linear_qkv's rows, and gathers the other outputs of its group. The shares of queries, keys and values are given ",
                "here as if each of these were split evenly."}));
  }
  if (sizes.expert > sizes.tensor)
    notes.note("expert",
               concat({sizes.pipeline == 1 ? "There are " : "Each stage has ", digits(sizes.expert / sizes.tensor), " groups of ",
                       digits(sizes.tensor), sizes.tensor == 1 ? " device" : " devices", ". Each group holds its own copy of everything ",
                       sizes.pipeline == 1 ? "" : "on the stage ", "except the routed experts."}));
}

void note_vllm(const Division& division, Builder& notes) {
  const Sizes& sizes = division.sizes();
  notes.note(
      "",
      "These are the shapes that the source of vLLM 0.11.0 gives, with its names in `holder`. Not counted: quantized layouts, adapters, "
      "redundant experts, context and sequence parallelism, and all memory other than weights and cache.");
  note_padding(division, notes);
  if (sizes.expert > 1)
    notes.note("expert",
               concat({"vLLM divides experts among all devices of tensor and data parallelism. expert = ", digits(sizes.expert),
                       " stands for --enable-expert-parallel with --data-parallel-size ", digits(sizes.expert / sizes.tensor), "."}));
  const EnginePlan* const plan = engine_plan_of(Engine::vllm, division.model_type());
  if (plan != nullptr && plan->whole_ends && sizes.pipeline > 1)
    notes.warn("pipeline", concat({"vLLM's class for this model creates the embedding table, the final norm and the head on each of the ",
                                   digits(sizes.pipeline), " stages."}));
}

/// Warns about sizes that transformers supports only with data parallelism, or not at all.
void warn_of_sizes(const Sizes& sizes, Builder& notes) {
  if (sizes.expert > sizes.tensor) {
    const std::string groups = digits(sizes.expert / sizes.tensor);
    notes.warn("expert", concat({"transformers takes expert = ", digits(sizes.expert), " with tensor = ", digits(sizes.tensor),
                                 " only together with data parallelism (fsdp_size = ", groups, "). Each of these ", groups,
                                 " groups of devices holds its own copy of everything except the routed experts. ",
                                 "How FSDP divides these copies further is not counted here."}));
  }
  if (sizes.expert > 1 && sizes.pipeline > 1)
    notes.warn("pipeline", "transformers 5.23 has a plan for each, but does not support expert and pipeline parallelism together.");
}

void warn_of_stages(Count layers, Count stages, Builder& notes) {
  const Count each = layers / stages;
  if (layers % stages == 0) return;
  if (each == 0)
    notes.warn("pipeline", concat({"There are ", digits(layers), " layers for ", digits(stages),
                                   " stages, so transformers puts all of them on the last stage and none on the others."}));
  else
    notes.warn("pipeline", concat({digits(stages), " stages do not divide ", digits(layers), " layers: the last stage has ",
                                   digits(layers - each * (stages - 1)), ", and each of the others has ", digits(each),
                                   ". The nearest numbers that do: ", divisors_beside(layers, stages), "."}));
}

/// Warns about dimensions that the devices do not divide evenly, once for each field that gives such a dimension or its heads.
void warn_of_uneven_rows(const Division& division, Builder& notes) {
  std::vector<std::string> told;
  for (const DividedRow& row : division.rows()) {
    const int dimension = row.divided_dimension();
    if (dimension < 0 || row.style == Style::grouped_gemm || row.row->kind != Kind::parameter) continue;
    const Divisible its = divisible_in(row, dimension);
    const Count parts = division.parts(row);
    if (its.count() % parts == 0 || std::find(told.begin(), told.end(), its.field) != told.end()) continue;
    told.push_back(its.field);
    const std::string nearest = concat({". The nearest numbers that do: ", divisors_beside(its.count(), parts), "."});
    if (its.heads && its.size.decide() % parts == 0)
      notes.warn(its.field, concat({digits(parts), " devices do not divide ", its.field, " = ", digits(its.count()),
                                    ": transformers would split heads into pieces that attention cannot use", nearest}));
    else
      notes.warn(its.field, concat({digits(parts), " devices do not divide the ", grouped_digits(its.count()), " of ", its.field, " in ",
                                    row.row->name, ": the last devices hold less of it", nearest}));
  }
}

}  // namespace

void note_division(const Division& division, Builder& notes) {
  switch (division.engine()) {
    case Engine::megatron: return note_megatron(division, notes);
    case Engine::vllm: return note_vllm(division, notes);
    case Engine::transformers: break;
  }
  warn_of_sizes(division.sizes(), notes);
  if (division.sizes().pipeline > 1) warn_of_stages(division.n_layers(), division.sizes().pipeline, notes);
  warn_of_uneven_rows(division, notes);
}

}  // namespace param_ledger
