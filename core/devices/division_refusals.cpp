// Errors for model types without a plan, and for sizes that cannot be divided.

#include "core/devices/division.hpp"
#include "core/support/error.hpp"

namespace param_ledger {

namespace {

std::string class_and_type(const Choice& choice) { return concat({choice.architecture.name, " (", choice.family->model_type, ")"}); }

/// The error "8 devices do not divide …, as Megatron-Core requires."
Error uneven(Text size, std::string_view parts, std::string_view of, Engine engine, const std::string& nearest) {
  return {ErrorCode::not_divisible, std::string(size),
          concat({parts, " do not divide ", of, ", as ", title_of(engine), " requires. The nearest numbers that do: ", nearest, "."})};
}

}  // namespace

/// Refuses an expert-parallel size above 1 that is not a multiple of the tensor-parallel size. In Megatron-Core, the expert-parallel size
/// may also divide the tensor-parallel size.
void Division::refuse_sizes() const {
  const Count tensor = sizes_.tensor, expert = sizes_.expert;
  if (expert == 1 || expert % tensor == 0 || (engine_ == Engine::megatron && tensor % expert == 0)) return;
  const Count below = expert / tensor * tensor;
  throw Error{ErrorCode::not_divisible, "expert",
              concat({"expert must be a multiple of tensor", engine_ == Engine::megatron ? " or a divisor of it" : "", ": expert is ",
                      digits(expert), ", and tensor is ", digits(tensor), ". The nearest multiples: ",
                      below == 0 ? std::string{} : concat({digits(below), " and "}), digits(below + tensor), "."})};
}

void Division::refuse_without_plan(const PlanFound& found) const {
  const std::string name = class_and_type(model_.choice);
  const Text divided = sizes_.tensor > 1 ? "tensor" : "expert";
  if (sizes_.across() > 1 && found.unmatched)
    throw Error{
        ErrorCode::unsupported, std::string(divided),
        concat({"The plan of transformers for ", name, " has not been matched with the model's tensors, so ", divided, " must be 1."})};
  if (sizes_.tensor > 1 && !found.tensor)
    throw Error{ErrorCode::unsupported, "tensor",
                concat({title_of(engine_), " has no plan of tensor parallelism for ", name, ", so tensor must be 1."})};
  if (sizes_.expert > 1 && !found.expert)
    throw Error{ErrorCode::unsupported, "expert",
                concat({title_of(engine_), " has no plan of expert parallelism for ", name, ", so expert must be 1."})};
}

void Division::refuse_uneven_rows() const {
  for (const DividedRow& row : rows_) {
    const int dimension = row.divided_dimension();
    if (dimension < 0 || row.style == Style::grouped_gemm || row.row->kind == Kind::published) continue;
    const Divisible its = divisible_in(row, dimension);
    const Count n = its.count(), devices = row.by_expert ? sizes_.expert : sizes_.tensor;
    if (its.heads && (row.row->role == TensorRole::key || row.row->role == TensorRole::value)) {
      // With fewer key-value heads than devices, several devices hold the same head.
      if (n % devices != 0 && devices % n != 0)
        throw Error{ErrorCode::not_divisible, "tensor",
                    concat({its.field, " = ", digits(n), " must be a multiple or a divisor of tensor = ", digits(devices), ", as ",
                            title_of(engine_), " requires. The nearest numbers that divide it: ", divisors_beside(n, devices), "."})};
      if (its.size.decide() % parts(row) == 0) continue;
    }
    if (n % devices == 0) continue;
    throw uneven("tensor", concat({digits(devices), " devices"}),
                 concat({row.padded ? std::string_view("the padded vocabulary") : its.field, " = ", grouped_digits(n)}), engine_,
                 divisors_beside(n, devices));
  }
}

void Division::refuse_uneven_stages() const {
  if (sizes_.pipeline == 1) return;
  const Count layers = n_layers_, stages = sizes_.pipeline;
  if (engine_ == Engine::megatron && layers % stages != 0)
    throw uneven("pipeline", concat({digits(stages), " stages"}), concat({digits(layers), " layers"}), engine_,
                 divisors_beside(layers, stages));
  if (engine_ == Engine::vllm && layers < stages)
    throw Error{
        ErrorCode::not_divisible, "pipeline",
        concat({"There are ", digits(layers), " layers for ", digits(stages), " stages. How vLLM handles a stage without layers is ",
                "not known, so pipeline must be at most ", digits(layers), "."})};
  if (layers == 0 || model_.choice.family->own_code)
    throw Error{ErrorCode::unsupported, "pipeline",
                concat({"transformers cannot divide ", class_and_type(model_.choice),
                        " into pipeline stages, because its layers are not directly in the model below a head. So pipeline must be 1."})};
}

void Division::refuse_uneven_experts() const {
  for (const DividedRow& row : rows_) {
    if (row.style != Style::grouped_gemm || !row.row->experts) continue;
    const Count n = row.row->experts.decide();
    if (n % sizes_.expert != 0)
      throw Error{ErrorCode::not_divisible, "expert",
                  concat({"expert must divide the number of experts in a layer: that number is ", digits(n), ", and expert is ",
                          digits(sizes_.expert), ". The nearest numbers that do: ", divisors_beside(n, sizes_.expert), "."})};
  }
}

}  // namespace param_ledger
